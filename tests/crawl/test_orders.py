"""A crawl is steered while it runs: the loop with its real file, a real server, and orders that come through the inbox."""

import asyncio
import contextlib
import json
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise

import pytest
from tests.assembling import opened
from tests.crawl.in_process import served, thresher

from thresher import fetchers
from thresher.disk.folder import CrawlFolder
from thresher.events import CrawlPaused, CrawlWentOn, OrderCarriedOut, OrdersUnreadable, PageVisited
from thresher.fetchers import polite_fetcher
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.model import Refused, Url
from thresher.orders.inbox import answers, give, inbox_path
from thresher.orders.inbox_reader import AT_ONCE
from thresher.orders.order import First, GoOn, Label, Leave, More, Pause, StopCrawl, TakeBack, to_bytes
from thresher.orders.state import crawl_state
from thresher.results.label.desk import open_desk
from thresher.results.steer import answer_to, tell
from thresher.settings import Manners, Settings
from thresher.urls import host_of

TOPIC = "iris, eye, pupil"


class Steered:
    """A crawl of a served web into a folder."""

    def __init__(self, web, server, path, **tables):
        self.web, self.server, self.folder = web, server, CrawlFolder(path)
        self.tables = {
            "judge": {"name": "terms", "threshold": 0.1},
            "workers": 4,
            "hands": {"count": 0},
            "polite": {"delay": 0.0, "allow_private": True},
            "fetch": {"resolve": dict.fromkeys(web.atlas.hosts, "127.0.0.1")},
            **tables,
        }
        self.tables["budget"] = {"dry_share": 0.0} | tables.get("budget", {})
        self.events = []

    @contextlib.asynccontextmanager
    async def running(self, **budget):
        """The crawl runs until the block ends, in which it is stopped if it did not stop by itself."""
        tables = {**self.tables, "budget": {**self.tables["budget"], **budget}}
        async with opened(self.folder.path, TOPIC, [next(self.web.urls(self.server.port))], **tables) as loop:
            self.loop = loop
            loop.watchers.append(self.events.append)
            self.run = asyncio.create_task(loop.run())
            try:
                yield loop
            finally:
                loop.stop()
                self.end = await asyncio.wait_for(self.run, 30)

    async def until(self, condition, seconds=20.0):
        for _ in range(int(seconds / 0.02)):
            if condition():
                return
            assert not self.run.done() or condition(), self.run
            await asyncio.sleep(0.02)
        raise AssertionError(f"it did not come to pass: {self.events[-3:]}")

    async def visits(self, count):
        await self.until(lambda: self.loop.tally.visits >= count)

    async def ordered(self, order):
        """Give an order, and wait for its answer."""
        number = give(self.folder, order)
        answer = await asyncio.to_thread(answer_to, self.folder, number)
        assert answer is not None
        return answer

    def of(self, kind):
        return [each for each in self.events if isinstance(each, kind)]

    def asked(self):
        """The urls that the server was asked for, in order."""
        return [f"http://{each.host}{each.path}" for each in self.server.log if each.path != "/robots.txt"]


@pytest.fixture
async def steered(tmp_path):
    web = generate(size=400, hosts=8, seed=5)
    async with serve(web, delay=0.02) as server:
        yield Steered(web, server, tmp_path / "crawl")


async def test_a_paused_crawl_takes_no_page_until_it_goes_on(steered):
    async with steered.running():
        await steered.visits(5)
        answer = await steered.ordered(Pause())
        assert answer.done
        assert answer.sentence.startswith("It is paused: pages under way end")
        await steered.until(lambda: not steered.loop._busy)
        before = len(steered.server.log)
        await asyncio.sleep(0.6)
        assert len(steered.server.log) == before
        state = crawl_state(steered.folder)
        assert (state.name, state.why) == ("paused", "a person paused it")
        assert abs(state.since - answer.at) < 1
        again = await steered.ordered(Pause())
        assert (again.sentence, again.done) == ("It is paused already", False)
        assert (await steered.ordered(GoOn())).sentence == "It goes on"
        await steered.visits(before + 5)
        assert crawl_state(steered.folder).name == "running"
        assert (await steered.ordered(GoOn())).sentence == "It is not paused"
    assert crawl_state(steered.folder).name == "stopped"
    assert [each.why for each in steered.of(CrawlPaused)] == ["a person paused it"]
    assert len(steered.of(CrawlWentOn)) == 1
    assert [each.order for each in steered.of(OrderCarriedOut)] == ["pause", "pause", "go-on", "go-on"]


async def test_a_crawl_that_was_paused_is_paused_still_when_it_is_started_again(steered):
    async with steered.running():
        await steered.visits(3)
        since = (await steered.ordered(Pause())).at
    before = len(steered.server.log)
    async with steered.running():
        await asyncio.sleep(0.5)
        assert len(steered.server.log) == before
        state = crawl_state(steered.folder)
        assert state.name == "paused"
        assert abs(state.since - since) < 1, "the pause began before the restart"
        await steered.ordered(GoOn())
        await steered.visits(before + 3)
    assert [each.why for each in steered.of(CrawlPaused)] == ["a person paused it"] * 2


async def test_stop_ends_the_crawl_and_says_so(steered):
    async with steered.running():
        await steered.visits(3)
        give(steered.folder, StopCrawl())
        end = await asyncio.wait_for(asyncio.shield(steered.run), 10)
    assert (end.reason, end.message) == ("ordered", "stopped by order; run the same command to continue")
    assert answers(steered.folder)[-1].sentence.startswith("It stops")
    assert crawl_state(steered.folder).why == end.message


async def test_a_stop_that_was_ordered_before_the_start_does_not_stop_it(steered):
    async with steered.running():
        await steered.visits(3)
    give(steered.folder, StopCrawl())
    async with steered.running():
        await steered.visits(steered.loop.tally.visits + 3)
        assert answers(steered.folder)[-1].sentence == "It has stopped already"


async def test_a_spent_budget_pauses_and_goes_on_when_more_is_given(steered):
    async with steered.running(pages=10, when_spent="pause"):
        await steered.until(lambda: steered.loop.paused is not None)
        await steered.until(lambda: crawl_state(steered.folder).name == "paused")
        assert crawl_state(steered.folder).why == "all 10 pages of the budget are fetched"
        refused = await steered.ordered(GoOn())
        assert refused.sentence == "It stays paused: all 10 pages of the budget are fetched; give more first"
        assert not refused.done
        await steered.ordered(Pause())
        assert (await steered.ordered(More("pages", 5))).sentence == "The budget is 15 pages now; it is still paused"
        assert (await steered.ordered(GoOn())).sentence == "It goes on"
        await steered.until(lambda: steered.loop.paused is not None and steered.loop.paused.spent == "pages")
        await steered.ordered(Pause())
        assert not (await steered.ordered(GoOn())).done, "it waits for budget again, no longer for the person"
        given = await steered.ordered(More("pages", 10))
        assert given.sentence == "The budget is 25 pages now, and it goes on"
        await steered.until(lambda: steered.loop.tally.fetched == 25 and steered.loop.paused is not None)
        await asyncio.sleep(0.2)
        assert steered.loop.tally.fetched == 25
        none = await steered.ordered(More("relevant", 5))
        assert (none.sentence, none.done) == ("There is no limit of relevant pages that could be raised", False)


async def test_more_budget_holds_after_a_restart_is_not_counted_twice_and_an_explicit_limit_wins(steered):
    async with steered.running(pages=10):
        await asyncio.wait_for(asyncio.shield(steered.run), 20)
    assert steered.end.reason == "pages"
    number = tell(steered.folder, More("pages", 5))
    assert answer_to(steered.folder, number).sentence == "The budget is 15 pages now: run the same command to continue"
    for _ in range(2):
        async with steered.running(pages=10):
            await asyncio.wait_for(asyncio.shield(steered.run), 20)
        assert steered.loop.tally.fetched == 15
    async with steered.running(pages=12):
        await asyncio.wait_for(asyncio.shield(steered.run), 20)
        assert steered.loop.budget.pages == 12
    async with steered.running(pages=10):
        await asyncio.wait_for(asyncio.shield(steered.run), 20)
        assert steered.loop.budget.pages == 10, "what was given is over since another limit was set"


async def test_time_that_a_crawl_is_paused_is_not_counted(steered):
    # At most 50 pages a second: the web outlasts the budget, however fast the machine is.
    steered.tables["workers"] = 1
    async with steered.running(minutes=0.05, when_spent="pause"):
        await steered.visits(2)
        await steered.ordered(Pause())
        await asyncio.sleep(3.2)
        before = steered.loop.tally.visits
        await steered.ordered(GoOn())
        await steered.visits(before + 3)
        await steered.until(lambda: steered.loop.paused is not None and steered.loop.paused.spent == "time")
        assert "and it goes on" in (await steered.ordered(More("minutes", 1))).sentence
        await steered.visits(steered.loop.tally.visits + 3)


async def test_a_host_that_is_left_is_not_asked_any_more_also_after_a_restart(steered):
    async with steered.running():
        await steered.visits(30)
        waiting = Counter(entry.name for entry in steered.loop.frontier._calendar for _ in range(entry.waiting))
        host = waiting.most_common(1)[0][0]
        await steered.ordered(Pause())
        await steered.until(lambda: not steered.loop._busy)
        before = steered.loop.frontier.census().waiting
        count = steered.loop.frontier._calendar.known(host).waiting
        answer = await steered.ordered(Leave(host))
        assert answer.sentence == f"{host} is left out from now on; {count} urls that waited there are given up"
        assert answer.moved == count
        assert steered.loop.frontier.census().waiting == before - count
        asked = len(steered.server.log)
        assert not (await steered.ordered(Leave(host))).done
        refused = await steered.ordered(First(f"http://{host}/new"))
        assert (refused.sentence, refused.done) == (f"http://{host}/new is not in scope (left out by order)", False)
        await steered.ordered(GoOn())
        await steered.visits(steered.loop.tally.visits + 40)
    async with steered.running():
        await steered.visits(steered.loop.tally.visits + 40)
    later = {host_of(f"http://{each.host}/") for each in steered.server.log[asked:]}
    assert later
    assert host not in later


async def test_a_url_put_first_is_fetched_next(steered):
    async with steered.running(when_spent="pause", pages=20):
        await steered.until(lambda: steered.loop.paused is not None and not steered.loop._busy)
        read = steered.loop.store.tables.read
        url = read("SELECT url FROM url WHERE state = 0 ORDER BY priority LIMIT 1").fetchone()[0]
        host = next(host for host in steered.web.atlas.hosts)
        unknown = f"http://{host}:{steered.server.port}/never-linked"
        for each in (url, unknown):
            assert (
                "is fetched next, as soon as its host may be visited" in (await steered.ordered(First(each))).sentence
            )
        done = steered.of(PageVisited)[0].visit.url
        refused = await steered.ordered(First(done))
        assert refused.sentence == f"{done} was visited already: thresher why tells what came of it"
        before = len(steered.asked())
        await steered.ordered(More("pages", 10))
        await steered.visits(25)
        assert set(steered.asked()[before : before + 2]) == {url, unknown}
        assert refused.moved == 0


async def test_a_label_moves_urls_at_once_and_is_learnt_by_the_judge(steered):
    steered.tables["strategy"] = {"name": "apprentice"}
    async with steered.running(when_spent="pause", pages=60):
        await steered.until(lambda: steered.loop.paused is not None and not steered.loop._busy)
        judge = steered.loop.judge
        visit = next(each.visit for each in steered.of(PageVisited) if each.visit.judgement.relevant)
        answer = await steered.ordered(Label(visit.url, relevant=False))
        assert answer.moved > 0
        assert answer.sentence == f"{visit.url} is not relevant; {answer.moved:,} waiting urls moved"
        assert steered.loop.judge is not judge
        skipped = await steered.ordered(Label(visit.url, relevant=None))
        assert skipped.sentence == f"{visit.url} is skipped; 0 waiting urls moved"
        back = await steered.ordered(TakeBack(visit.url))
        assert back.sentence.startswith(f"{visit.url} is not relevant again")
        assert (await steered.ordered(TakeBack(visit.url))).sentence == f"{visit.url} has no label any more"
        assert not (await steered.ordered(TakeBack(visit.url))).done
        assert steered.loop.judge is judge, "nobody has said anything any more"
        unknown = await steered.ordered(Label("http://nowhere.example/", relevant=True))
        assert unknown.sentence == (
            "http://nowhere.example/ is no page that the crawl has kept: only such can be labelled"
        )


async def labelled_by_order(steered):
    """A crawl of 100 pages; 30 of the first 40 are labelled by order."""
    async with steered.running(when_spent="pause", pages=40):
        await steered.until(lambda: steered.loop.paused is not None and not steered.loop._busy)
        for order in labels_for(steered):
            give(steered.folder, order)
        assert (await steered.ordered(More("pages", 60))).done
        await steered.until(lambda: steered.loop.tally.fetched == 100)


async def labelled_before_a_restart(steered):
    """The same, but the labels are given while it does not run."""
    async with steered.running(pages=40):
        await asyncio.wait_for(asyncio.shield(steered.run), 30)
    for order in labels_for(steered):
        tell(steered.folder, order)
    async with steered.running(pages=100):
        await asyncio.wait_for(asyncio.shield(steered.run), 30)


def labels_for(steered):
    urls = [each.visit.url for each in steered.of(PageVisited) if each.visit.page][:30]
    return [Label(url, relevant=index % 3 == 0) for index, url in enumerate(urls)]


@pytest.mark.parametrize("hands", [0, 1])
async def test_labels_by_order_and_labels_before_a_restart_lead_to_the_same_crawl(tmp_path, hands):
    """The same pages are visited in the same order, with the same relevance and verdict."""
    web = generate(size=300, hosts=6, seed=9)
    stories = []
    async with serve(web) as server:
        for number, crawl in enumerate((labelled_by_order, labelled_before_a_restart)):
            steered = Steered(web, server, tmp_path / str(number), workers=1, hands={"count": hands})
            await crawl(steered)
            with closing(sqlite3.connect(steered.folder.database)) as catalogue:
                rows = catalogue.execute("SELECT url, relevance, relevant FROM visit WHERE number > 40 ORDER BY number")
                stories.append(rows.fetchall())
    assert len(stories[0]) >= 60
    assert [url for url, *_ in stories[0]] == [url for url, *_ in stories[1]]
    assert stories[0] == stories[1]


async def test_an_inbox_that_is_removed_or_swapped_does_no_harm(steered):
    async with steered.running():
        await steered.visits(3)
        await steered.ordered(Pause())
        kept = inbox_path(steered.folder).read_bytes()
        inbox_path(steered.folder).unlink()
        await asyncio.sleep(0.4)
        assert (await steered.ordered(GoOn())).done, "a new inbox is read from its beginning"
        inbox_path(steered.folder).write_bytes(kept)
        await asyncio.sleep(0.6)
        assert steered.loop.paused is None, "what was carried out is not carried out again"
        assert (await steered.ordered(Pause())).done


@pytest.mark.parametrize(
    "bytes_or_sql",
    [
        b"no database at all",
        b"SQLite format 3\0" + b"\xff" * 5000,
        """CREATE TABLE inbox (name); INSERT INTO inbox VALUES ('x');
        CREATE VIEW given AS WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n)
        SELECT number, x'00' AS said FROM n WHERE number < 0""",
        "CREATE TABLE other (x)",
    ],
    ids=["text", "torn", "endless", "other tables"],
)
async def test_a_damaged_or_hostile_inbox_never_stops_a_crawl_and_is_told_once(steered, bytes_or_sql):
    async with steered.running():
        await steered.visits(3)
        path = inbox_path(steered.folder)
        if isinstance(bytes_or_sql, bytes):
            path.write_bytes(bytes_or_sql)
        else:
            with closing(sqlite3.connect(path)) as inbox:
                inbox.executescript(bytes_or_sql)
        await steered.until(lambda: steered.of(OrdersUnreadable))
        await steered.visits(steered.loop.tally.visits + 20)
        assert len(steered.of(OrdersUnreadable)) == 1
        assert str(path) in steered.of(OrdersUnreadable)[0].why
        path.unlink()
        assert (await steered.ordered(Pause())).done


async def test_what_is_no_order_is_answered_and_the_next_one_is_carried_out(steered):
    async with steered.running():
        await steered.visits(3)
        give(steered.folder, Pause())
        with closing(sqlite3.connect(inbox_path(steered.folder))) as inbox, inbox:
            last = inbox.execute("SELECT max(number) FROM given").fetchone()[0]
            hostile = [
                b"",
                b"[]",
                b"{" * 5000,
                b'{"order": "leave"}',
                b'{"order": "more", "key": "pages", "amount": 1e999}',
            ]
            hostile += [b'{"order": "first", "url": "javascript:alert(1)"}', b"x" * 9000, "text", 7]
            rows = [(last + number, said) for number, said in enumerate(hostile, 1)]
            inbox.executemany("INSERT INTO given (number, said) VALUES (?, ?)", rows)
        assert (await steered.ordered(GoOn())).sentence == "It goes on"
        refused = [each for each in answers(steered.folder) if not each.done]
        assert [each.sentence for each in refused] == ["It is no order that this Thresher knows"] * len(hostile)


async def test_pages_are_labelled_at_a_desk_while_the_crawl_runs(steered):
    async with steered.running(when_spent="pause", pages=40):
        await steered.until(lambda: steered.loop.paused is not None and not steered.loop._busy)
        judge = steered.loop.judge

        def sit():
            with open_desk(steered.folder.path) as desk:
                first, second = list(desk.questions(2))
                desk.answer(first, relevant=True)
                desk.answer(second, relevant=False)
                assert desk.undo().url == second.url
                return first.url

        url = await asyncio.to_thread(sit)
        assert steered.loop.judge is not judge, "the running crawl has learnt"
        with closing(sqlite3.connect(steered.folder.database)) as catalogue:
            assert catalogue.execute("SELECT url, relevant FROM label").fetchall() == [(url, 1)]


async def test_what_a_browser_asks_for_is_not_asked_of_a_host_that_is_left():
    settings, manners = Settings(), Manners()
    over_http = []
    polite = polite_fetcher(settings, manners, lambda pages: over_http.append(pages) or pages)
    left = set()
    ask = fetchers._asking_beside(settings, manners, polite, over_http[0], left)
    left.add("a.example")
    assert await ask(Url("http://a.example/script.js"), {}) == Refused("scope", "left out by order")
    await polite.close()


def test_the_command_line_tells_a_crawl_that_has_stopped(tmp_path, monkeypatch, capsys):
    pages = {"/": (200, "<p>The iris of the eye. <a href=/a>iris</a></p>"), "/a": (200, "<p>The pupil of the eye.</p>")}
    with served(pages) as home:
        options = f"--seed {home}/ --into {tmp_path / 'c'} --delay 0 --quiet --sense none --pages 1"
        assert thresher(monkeypatch, capsys, "crawl", "--topic", "iris eye", *options.split()).code == 0

        def said(*words):
            done = thresher(monkeypatch, capsys, "tell", tmp_path / "c", *words)
            assert (done.code == 0) == bool(done.out), done
            return done.code, done.out + done.err

        assert said("pages", "+5") == (0, "The budget is 6 pages now: run the same command to continue.\n")
        assert said("pause")[1].startswith("It does not run now; when it is started it is paused")
        assert "it will be paused then: thresher tell" in thresher(monkeypatch, capsys, "show", tmp_path / "c").out
        assert said("go", "on") == (0, "It is not paused any more: run the same command to continue.\n")
        assert said("go-on") == (2, "thresher: It is not paused: run the same command to continue\n")
        assert said("stop") == (0, "It has stopped already.\n")
        assert said("relevant", "+5") == (2, "thresher: There is no limit of relevant pages that could be raised\n")
        assert said("first", f"{home}/") == (
            2,
            f"thresher: {home}/ was visited already: thresher why tells what came of it\n",
        )
        assert said("first", f"{home}/b") == (
            0,
            f"{home}/b is fetched next, as soon as its host may be visited; no link to it was known.\n",
        )
        why = thresher(monkeypatch, capsys, "why", tmp_path / "c", f"{home}/b")
        assert "put it first by order" in why.out
        assert said("label", f"{home}/", "yes") == (
            0,
            f"{home}/ is relevant; the crawl hears of it when it goes on.\n",
        )
        assert "You said: relevant" in thresher(monkeypatch, capsys, "why", tmp_path / "c", f"{home}/").out
        host = home.removeprefix("http://")
        assert said("leave", host)[1] == f"{host} is left out from now on; 2 urls that waited there are given up.\n"
        why = thresher(monkeypatch, capsys, "why", tmp_path / "c", f"{home}/a")
        assert "left out by order" in why.out
        assert said("first", f"{home}/a") == (2, f"thresher: {home}/a is not in scope (left out by order)\n")
        done = thresher(monkeypatch, capsys, "tell", tmp_path / "c", "stop", "--json")
        assert json.loads(done.out) == {"sentence": "It has stopped already", "moved": 0, "waits": False}


async def resting(steered):
    """Wait until nothing can be done for a long while, since all hosts rest."""
    loop = steered.loop
    await steered.until(lambda: len(loop._resting) == loop.workers and loop.frontier.due() > loop.clock.now() + 20)


async def test_a_url_that_is_put_first_does_not_wait_until_other_hosts_have_rested(steered):
    steered.tables["polite"] = {"delay": 50.0, "allow_private": True}
    async with steered.running():
        await resting(steered)
        await steered.ordered(First(Url(f"http://127.0.0.1:{steered.server.port}/")))
        await steered.until(lambda: any(each.host.startswith("127.0.0.1") for each in steered.server.log), 5)


async def test_a_crawl_whose_last_host_is_left_ends_at_once(steered):
    steered.tables["polite"] = {"delay": 50.0, "allow_private": True}
    async with steered.running():
        await resting(steered)
        await steered.ordered(Leave(host_of(next(steered.web.urls(steered.server.port)))))
        await steered.until(steered.run.done, 5)
    assert steered.end.reason == "empty"


async def test_a_crowd_of_orders_does_not_keep_the_workers_from_their_work(steered):
    counts = []

    async def watch():
        while True:
            counts.append(len(steered.of(OrderCarriedOut)))
            await asyncio.sleep(0)

    async with steered.running():
        first = (await steered.ordered(GoOn())).number
        watching = asyncio.create_task(watch())
        with closing(sqlite3.connect(inbox_path(steered.folder))) as inbox, inbox:
            rows = [(first + each, to_bytes(GoOn())) for each in range(1, 10 * AT_ONCE + 1)]
            inbox.executemany("INSERT INTO given (number, said) VALUES (?, ?)", rows)
        await steered.until(lambda: len(steered.of(OrderCarriedOut)) == len(rows) + 1)
        watching.cancel()
    assert max(after - before for before, after in pairwise(counts)) <= AT_ONCE


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("paused", b"no JSON"),
        ("paused", b'["why", "when"]'),
        ("paused", b'["why", 1e999, ""]'),
        ("paused", b"7"),
        ("orders/left", b"\xff"),
        ("orders/more", b"[1, 2]"),
        ("orders/more", b'{"pages": [1, "many"]}'),
        ("orders/more", b'{"years": [null, 5]}'),
    ],
)
def test_what_was_remembered_of_orders_and_is_damaged_is_told_in_a_sentence(tmp_path, monkeypatch, capsys, name, kept):
    with served({"/": (200, "<p>The iris of the eye.</p>")}) as home:
        options = f"--seed {home}/ --into {tmp_path / 'c'} --delay 0 --quiet --sense none --pages 1"
        assert thresher(monkeypatch, capsys, "crawl", "--topic", "iris eye", *options.split()).code == 0
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.sqlite")) as catalogue, catalogue:
        catalogue.execute("REPLACE INTO state (name, value) VALUES (?, ?)", (name, kept))
    done = thresher(monkeypatch, capsys, "tell", tmp_path / "c", "pause")
    assert (done.code, done.out) == (2, "")
    assert "is damaged" in done.err
    assert str(tmp_path / "c") in done.err
    assert len(done.err.splitlines()) == 1
