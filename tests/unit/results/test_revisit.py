import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.results.changing_web import NOW, ChangingWeb, Served, crawled, page, round_over, serving
from warcio.archiveiterator import ArchiveIterator

from thresher.cli.revisit import revisit
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, FolderLocked
from thresher.results.archive import Archive
from thresher.results.revisit.due import DAY, DueChoice, Intervals, TimedLook, due_pages
from thresher.results.revisit.round import revisiting
from thresher.store.totals import counts
from thresher.warc.format import Place
from thresher.warc.reader import Playback

JUNE = "Mon, 01 Jun 2026 10:00:00 GMT"


def small_web():
    return ChangingWeb(
        {
            "/": Served(page(links=("/tagged", "/dated", "/plain", "/moving")), etag='"root-1"'),
            "/tagged": Served(page("Muscles of the iris narrow the pupil when an eye meets the sun."), etag='"a-1"'),
            "/dated": Served(page("Why is one iris brown? Pigment, says the eye doctor."), modified=JUNE),
            "/plain": Served(page("Through the pupil one sees the back of an eye; the iris hides the rest.")),
            "/moving": Served(page("Blue eyes have an iris without much pigment, and a black pupil as all do.")),
        }
    )


def rows(folder, sql="SELECT url, found FROM revisit JOIN visit ON visit.number = visit ORDER BY revisit.number"):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return connection.execute(sql).fetchall()


def findings(folder):
    """What the latest look at each path found."""
    return {url.partition("/")[2].partition("/")[2].partition("/")[2]: found for url, found in rows(folder)}


def back_in_time(folder, days):
    """As if everything had happened so many days earlier."""
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection, connection:
        for table, column in (("visit", "at"), ("visit", "sent"), ("revisit", "at")):
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
                connection.execute(f"UPDATE {table} SET {column} = {column} - ?", (days * DAY,))


def records(folder):
    """(type, profile, target, date referred to, body) of each record, as warcio reads it."""
    found = []
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                head = record.rec_headers.get_header
                told = [head(name) for name in ("WARC-Profile", "WARC-Target-URI", "WARC-Refers-To-Date")]
                found.append((record.rec_type, *told, record.content_stream().read()))
    return found


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "crawl"


async def test_pages_are_asked_for_on_the_condition_that_they_changed(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        served.asked.clear()
        revisits = await round_over(folder)
    asked = {path: (status, conditions) for path, status, conditions in served.asked}
    assert asked["/tagged"] == (304, {"If-None-Match": '"a-1"'})
    assert asked["/dated"] == (304, {"If-Modified-Since": JUNE})
    assert asked["/plain"] == (200, {})
    assert asked["/robots.txt"][0] == 200
    assert (revisits.counts["not-modified"], revisits.counts["same"]) == (3, 2)


async def test_changed_pages_are_judged_again_and_gone_and_moved_ones_marked(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        before = rows(folder, "SELECT * FROM visit ORDER BY number")
        served.pages["/tagged"] = Served(page("Roses and tulips in the garden.", title="Flowers"), etag='"a-2"')
        del served.pages["/dated"]
        served.pages["/moving"] = Served("", status=301, location="/moved")
        revisits = await round_over(folder)
    assert findings(folder) == {
        "": "not-modified",
        "tagged": "changed",
        "dated": "gone",
        "plain": "same",
        "moving": "moved",
    }
    changed = rows(folder, "SELECT relevant, title, etag FROM revisit WHERE found = 'changed'")
    assert changed == [(0, "Flowers", '"a-2"')]
    assert rows(folder, "SELECT target FROM revisit WHERE found = 'moved'") == [(served.base + "/moved",)]
    assert [url.rpartition("/")[2] for url in (*revisits.changed, *revisits.gone)] == ["tagged", "dated"]
    assert rows(folder, "SELECT * FROM visit ORDER BY number") == before


async def test_a_page_that_says_with_status_200_that_it_is_not_there_is_gone(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        served.pages["/plain"] = Served(page("Sorry, the page you requested does not exist.", title="Page not found"))
        revisits = await round_over(folder)
    assert revisits.gone == [f"{served.base}/plain"]


async def test_the_next_round_goes_by_what_the_last_one_found(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        served.pages["/tagged"] = Served(page("Another iris of an eye with its pupil."), etag='"a-2"')
        del served.pages["/dated"]
        await round_over(folder)
        served.asked.clear()
        await round_over(folder, DueChoice(older_than=0))
    asked = {path: (status, conditions) for path, status, conditions in served.asked}
    assert asked["/tagged"] == (304, {"If-None-Match": '"a-2"'})
    assert "/dated" not in asked


async def test_what_only_a_machine_sees_is_no_change(folder):
    web = ChangingWeb({"/": Served(page(noise="made at 10:00"))})
    async with serving(web) as served:
        await crawled(folder, served)
        served.pages["/"] = Served(page(noise="made at 10:01"))
        await round_over(folder)
    assert findings(folder) == {"": "same"}
    bodies = [record[-1] for record in records(folder) if record[0] == "response"]
    assert sum(b"made at 10:01" in body for body in bodies) == 1


async def test_new_links_wait_for_the_crawl_to_go_on_and_known_ones_stay_as_they_are(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        served.pages["/tagged"] = Served(page("A new iris of the eye.", links=("/new", "/plain", "/new")), etag='"a-2"')
        served.pages["/new"] = Served(page(title="New iris"))
        revisits = await round_over(folder)
        assert revisits.new_links == 1
        waiting = rows(folder, "SELECT url, depth, parent FROM url WHERE state = 0")
        assert waiting == [(served.base + "/new", 2, served.base + "/tagged")]
        served.asked.clear()
        await crawled(folder, served)
    assert served.paths() == ["/new"]


async def test_each_look_has_its_record_in_the_warc_files(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        many = len(records(folder))
        served.pages["/moving"] = Served(page("A wholly new iris of the eye."))
        await round_over(folder)
    new = {
        (target.rpartition("/")[2], kind): (profile, date, body)
        for kind, profile, target, date, body in records(folder)[many:]
    }
    profiles = "http://netpreserve.org/warc/1.1/revisit/"
    first = {target.rpartition("/")[2]: date for target, date in dates(folder)}
    assert new["tagged", "revisit"] == (profiles + "server-not-modified", first["tagged"], b"")
    assert new["plain", "revisit"] == (profiles + "identical-payload-digest", first["plain"], b"")
    assert b"A wholly new iris" in new["moving", "response"][2]
    assert ("moving", "revisit") not in new
    places = rows(folder, "SELECT count(*) FROM revisit WHERE file IS NOT NULL AND request > 0")
    assert places == [(5,)]
    assert sum(b'If-None-Match: "a-1"' in request for _, request in places_hold_answers(folder)) == 1


def dates(folder):
    """The target and the date of each response, as the WARC files have them."""
    for path in (folder / "warc").glob("*.warc.gz"):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response":
                    head = record.rec_headers.get_header
                    yield head("WARC-Target-URI"), head("WARC-Date")
                    record.content_stream().read()


async def test_a_host_is_asked_one_page_at_a_time_with_its_delay_and_its_robots_again(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        served.robots = "User-agent: *\nDisallow: /plain\n"
        served.asked.clear()
        # The delay is what the folder says.
        settings = (folder / "crawl.toml").read_text()
        (folder / "crawl.toml").write_text(settings.replace("delay = 0.0", "delay = 0.15"))
        begun = time.monotonic()
        await round_over(folder)
        took = time.monotonic() - begun
    assert served.asked[0][0] == "/robots.txt"
    assert sorted(served.paths()) == ["/", "/dated", "/moving", "/tagged"]
    assert findings(folder)["plain"] == "refused"
    # The host rests before robots.txt, after it, and between the pages.
    assert took >= 5 * 0.15


async def test_only_what_is_due_is_asked_for_and_what_changes_is_due_sooner(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        now = time.time()
        with Archive.open(folder) as archive:
            assert due_pages(archive, DueChoice(), Intervals(), now + 6 * DAY) == []
            assert len(due_pages(archive, DueChoice(), Intervals(), now + 8 * DAY)) == 5
            assert len(due_pages(archive, DueChoice(limit=2), Intervals(), now + 8 * DAY)) == 2
            assert len(due_pages(archive, DueChoice(older_than=3), Intervals(), now + 4 * DAY)) == 5
        for number in range(2):
            back_in_time(folder, 7)
            served.pages["/tagged"] = Served(page(f"Iris {number} of the eye."), etag=f'"b-{number}"')
            await round_over(folder)
        with Archive.open(folder) as archive:
            due = due_pages(archive, DueChoice(), Intervals(), time.time() + 2 * DAY)
    assert [(each.url.rpartition("/")[2], each.pace, each.looks, each.changes) for each in due] == [
        ("tagged", "very often", 2, 2)
    ]


async def test_pages_that_are_off_topic_are_looked_at_only_if_all_are_wanted(folder):
    web = ChangingWeb({"/": Served(page(links=("/roses",))), "/roses": Served(page("Roses.", title="Roses"))})
    async with serving(web) as served:
        await crawled(folder, served)
        with Archive.open(folder) as archive:
            assert counts(archive.read).pages == 2
            some = due_pages(archive, NOW, Intervals(), time.time())
            every = due_pages(archive, NOW._replace(every=True), Intervals(), time.time())
    assert (len(some), len(every)) == (1, 2)


async def test_a_page_that_fails_stays_due(folder):
    web = ChangingWeb({"/": Served(page())})
    async with serving(web) as served:
        await crawled(folder, served)
        served.pages["/"] = Served("", status=403)
        await round_over(folder)
        with Archive.open(folder) as archive:
            due = due_pages(archive, DueChoice(), Intervals(), time.time() + 8 * DAY)
    assert findings(folder) == {"": "failed"}
    assert [each.looks for each in due] == [0]


async def test_a_round_that_is_stopped_goes_on_where_it_was(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served, workers=1)
        with Archive.open(folder) as archive:
            due = due_pages(archive, NOW, Intervals(), time.time())
        async with revisiting(folder, due) as (crawl, _):
            crawl.watchers.append(lambda event: len(served.paths()) >= 7 and crawl.stop())
            await crawl.run()
        looked = len(rows(folder))
        assert looked == 2
        revisits = await round_over(folder, DueChoice(older_than=0.0))
    assert revisits.counts.total() == 5
    assert len(rows(folder)) == looked + 5


async def test_a_folder_that_is_crawled_into_is_left_alone(folder):
    async with serving(small_web()) as served:
        await crawled(folder, served)
        with CrawlFolder(folder), pytest.raises(FolderLocked):
            await round_over(folder)


@pytest.mark.parametrize("strategy", ["pagerank", "hits", "best-n-first", "shark-search", "breadth-first"])
async def test_strategies_that_learn_are_asked_and_their_state_stays(folder, strategy):
    async with serving(small_web()) as served:
        await crawled(folder, served, strategy=strategy)
        before = rows(folder, "SELECT name, value FROM state ORDER BY name")
        served.pages["/tagged"] = Served(page("A new iris of the eye.", links=("/new", "/plain")), etag='"a-2"')
        revisits = await round_over(folder)
    assert revisits.new_links == 1
    assert rows(folder, "SELECT name, value FROM state ORDER BY name") == before


# ── how often ──


def test_a_page_of_which_nothing_is_known_changes_often():
    assert Intervals().pace([]) == "often"


def test_a_quiet_week_makes_a_page_seldom_and_two_busy_ones_very_often():
    week = 7.0
    assert Intervals().pace([TimedLook(week, False)]) == "seldom"
    assert Intervals().pace([TimedLook(week, True)]) == "often"
    assert Intervals().pace([TimedLook(week, True)] * 2) == "very often"
    assert Intervals().pace([TimedLook(1.0, True)] * 5 + [TimedLook(1.0, False)] * 30) == "often"


LOOKS = st.lists(st.builds(TimedLook, st.floats(0, 400), st.booleans()), max_size=20)


@given(LOOKS, st.floats(0, 400))
def test_one_more_change_never_makes_a_page_slower_and_one_more_quiet_look_never_faster(looks, days):
    rhythm = Intervals()
    now = rhythm.days(rhythm.pace(looks))
    assert rhythm.days(rhythm.pace([*looks, TimedLook(days, True)])) <= now
    assert rhythm.days(rhythm.pace([*looks, TimedLook(days, False)])) >= now


@pytest.mark.parametrize("days", [(0, 7, 30), (7, 7, 30), (1, 30, 7), (1, 7, float("inf"))])
def test_intervals_must_be_in_order(days):
    with pytest.raises(BadInput, match="each longer than the one before"):
        Intervals(*days)


# ── the command ──


def living(web, folder):
    """Crawl a web into a folder; then it goes on in a thread of its own."""
    ready, done = threading.Event(), threading.Event()

    async def live():
        async with serving(web) as served:
            await crawled(folder, served)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    assert ready.wait(20)
    yield folder, web
    done.set()
    thread.join()


@pytest.fixture
def served_folder(folder):
    yield from living(small_web(), folder)


def test_the_command_says_what_it_found(served_folder):
    folder, web = served_folder
    web.pages["/tagged"] = Served(page("A new iris of the eye.", links=("/new",)), etag='"a-2"')
    del web.pages["/dated"]
    said = CliRunner().invoke(revisit, [str(folder), "--now"])
    assert said.exit_code == 0, said.output
    lines = [" ".join(line.split()) for line in said.output.splitlines()]
    assert "1 unchanged (the server said so, 304)" in lines
    assert "2 unchanged (same content)" in lines
    assert "1 changed, judged again" in lines
    assert "1 gone (404, 410)" in lines
    assert "1 new link" in lines
    assert f"Gone {web.base}/dated" in lines


def test_the_command_as_json_and_without_asking_anybody(served_folder):
    folder, web = served_folder
    web.asked.clear()
    listed = json.loads(CliRunner().invoke(revisit, [str(folder), "--dry-run", "--now", "--json"]).stdout)
    assert {each["pace"] for each in listed} == {"often"}
    assert len(listed) == 5
    assert "0 pages are due" in CliRunner().invoke(revisit, [str(folder), "--dry-run"]).output
    assert "Nothing is due" in CliRunner().invoke(revisit, [str(folder)]).output
    assert web.asked == []
    told = json.loads(CliRunner().invoke(revisit, [str(folder), "--older-than", "0", "--limit", "2", "--json"]).stdout)
    assert (told["due"], told["left"], sum(told["found"].values())) == (2, 0, 2)


@pytest.fixture
def slow_folder(folder):
    """A crawled folder of many pages whose web takes its time from now on."""
    words = ["iris", "pupil", "eye", "cornea", "lens", "retina", "light", "muscle", "colour", "pigment"]
    paths = [f"/{number}" for number in range(40)]
    texts = [
        " ".join(words[(number * step) % 10] for step in range(1, 9)) + f" {number} {paths}" for number in range(40)
    ]
    pages = {path: Served(page(text, title=f"Iris {path}")) for path, text in zip(paths, texts, strict=True)}
    yield from living(ChangingWeb({"/": Served(page(links=paths)), **pages}), folder)


def test_a_kill_takes_away_whole_looks_and_never_halves(slow_folder):
    folder, web = slow_folder
    web.pause = 0.05
    web.asked.clear()
    for path in list(web.pages)[1:]:
        web.pages[path] = Served(page(f"Another iris of the eye {path}", links=(f"/new{path[1:]}",)))
    command = [
        sys.executable,
        "-c",
        "from thresher.cli.revisit import revisit; revisit()",
        folder,
        "--now",
        "--all",
        "--quiet",
    ]
    process = subprocess.Popen(command)
    while len(web.asked) < 25:
        time.sleep(0.01)
    process.kill()
    process.wait()
    looks = rows(folder)
    assert 0 < len(looks) <= len(web.asked)
    changed = sum(found == "changed" for _, found in looks)
    assert rows(folder, "SELECT count(*) FROM url WHERE url LIKE '%/new%'") == [(changed,)]
    asyncio.run(round_over(folder, DueChoice(force=True, every=True, limit=1)))
    assert len(rows(folder)) == len(looks) + 1
    assert all(headers for headers, _ in places_hold_answers(folder))


def test_an_interrupt_ends_the_round_once_the_pages_under_way_are_kept(slow_folder):
    folder, web = slow_folder
    web.pause = 0.05
    web.asked.clear()
    command = [
        sys.executable,
        "-c",
        "from thresher.cli.revisit import revisit; revisit()",
        folder,
        "--now",
        "--all",
        "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while len(web.paths()) < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        told = json.loads(process.stdout.read())
    assert process.returncode == 130
    assert told["stopped"] == "interrupted"
    assert told["left"] > 0
    assert sum(told["found"].values()) == len(rows(folder)) == len(web.paths())


def places_hold_answers(folder):
    files = {number: folder / "warc" / name for number, name in rows(folder, "SELECT id, name FROM warc")}
    with Playback(files) as playback:
        for place in rows(folder, "SELECT file, offset, length, request FROM revisit WHERE file IS NOT NULL"):
            yield playback.read(Place(*place)).headers, playback.before(Place(*place))[0]


def test_the_command_refuses_what_is_no_crawl_folder(tmp_path):
    said = CliRunner().invoke(revisit, [str(tmp_path / "nowhere")])
    assert isinstance(said.exception, BadInput)
    assert not (tmp_path / "nowhere").exists()
