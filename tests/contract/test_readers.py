"""Whoever reads a crawl gets the same answers from SQLite and from PostgreSQL."""

import asyncio
import json
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import tomli_w
from tests.assembling import opened
from tests.postgres_copy import copy_crawl
from tests.unit.results.changing_web import NOW, round_over

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.frontier import outlook, reading
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer
from thresher.orders import carried_out
from thresher.orders.state import pause_of
from thresher.results import crawl_seeds, link_tree, show, sightings
from thresher.results.archive import Archive, settings_of
from thresher.results.export.exporter import Choice
from thresher.results.label import scores
from thresher.results.rejudge.round import JudgeWish, open_rejudging
from thresher.results.report.report_facts import report_facts
from thresher.results.revisit.due import DueChoice, Intervals, due_pages
from thresher.results.watch import found_tree, page_detail, page_grid, topic_now, trouble, waiting
from thresher.results.watch.now import frontier_options, now_of
from thresher.results.watch.running_figures import RunningFigures
from thresher.results.why.explanation import why
from thresher.store import (
    current,
    glances,
    labels,
    looks,
    overview,
    page_list,
    pending_round,
    rejudgements,
    states,
    totals,
    visits,
)
from thresher.store.labels import HandLabel, put_label
from thresher.store.page_list import SORTS, PageFilter
from thresher.strategy.link_weights import BY_HAND
from thresher.urls import canonical, url_hash
from thresher.warc.files import warc_paths

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from thresher.disk.postgres_ledger import PostgresLedger  # noqa: E402
from thresher.disk.postgres_reader import PostgresReader  # noqa: E402

PAGES = 130
EYE = "<p>The iris of the eye widens and narrows the pupil. A doctor looks at the iris, the lens and the retina of an eye."

LONG = "<p>" + " ".join(
    f"{colour} {part} {does}"
    for colour in ("brown", "green", "blue", "grey", "black", "amber")
    for part in ("iris", "lens", "cornea", "retina", "lid")
    for does in ("opens", "shines", "rests", "heals")
)
"""Long enough to have a fingerprint."""


class AgeingWeb:
    """A generated web with a page, its copy, one that nearly repeats it and one that is gone; some pages change when it is told so."""

    def __init__(self):
        self.web, self.later = generate(size=250, hosts=12, seed=5), False
        self.base = self.web.url(0)

    def page(self, host, path):
        told = {
            "/own": EYE + LONG + ".",
            "/copy": EYE + LONG + ".",
            "/near": EYE + LONG + "!",
            "/old": EYE + "<p>Old words.",
            "/Ärger": EYE + "<p>Umlaut.",
        }
        if path in told:
            if self.later and path == "/old":
                return None
            title = "ÄRGER über Iris" if path == "/Ärger" else f"Own {path}"
            head = '<meta name="author" content="a\\b"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
            return WebAnswer(
                f"<html lang=EN><title>{title}</title>{head}{told[path]}".encode(), kind="text/html; charset=utf-8"
            )
        answer = self.web.page(host, path)
        if self.later and answer is not None and answer.status == 200 and len(path) % 2:
            return answer._replace(body=answer.body + b"<p>Something about the iris of an eye was added since.")
        return answer


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A crawl with labels, looks, two rounds of judging anew, of which one is not in force, and answers to orders."""
    path = tmp_path_factory.mktemp("readers") / "crawl"
    asyncio.run(_crawl(path))
    with closing(Ledger(path / "crawl.sqlite")) as ledger:
        _tweak(ledger)
    with open_rejudging(path, JudgeWish(threshold=0.25, learn=True)) as round_:
        round_.judge()
        round_.put_in_force(1.8e9)
    with open_rejudging(path, JudgeWish(threshold=0.6)) as round_:
        round_.judge()
    return path


async def _crawl(path):
    # Those set by hand: it is the same crawl, however often the ones that ship are fitted anew.
    weights = path.with_name("weights.toml")
    weights.write_text(tomli_w.dumps({"weights": dict(BY_HAND)}))
    web = AgeingWeb()
    host = canonical(web.base).split("/")[2]
    async with serve(web) as server:
        seeds = [web.base, *(f"http://{host}/{name}" for name in ("own", "copy", "near", "old", "Ärger", "missing"))]
        tables = {
            "workers": 1,
            "polite": {"delay": 0.0},
            "fetch": {"proxy": f"http://127.0.0.1:{server.port}"},
            "budget": {"pages": PAGES},
            "judge": {"name": "terms", "threshold": 0.3},
            "strategy": {"name": "apprentice", "weights": str(weights)},
        }
        async with opened(path, "iris, eye, pupil", seeds, **tables) as running:
            await running.run()
    # A server remembers its answers: those of later are given by another, at the same place.
    web.later = True
    async with serve(web, port=server.port):
        await round_over(path, NOW)


def _tweak(ledger):
    """What a web of loopback does not bring about."""
    pages = [url for (url,) in ledger.read("SELECT url FROM visit WHERE outcome = 'page' ORDER BY number").fetchall()]
    for place, url in enumerate(pages[:100]):
        put_label(ledger, HandLabel(url, [True, False, None, False][place % 4], (2e9 if place % 5 else 1.0) + place))
    ledger.write("UPDATE visit SET title = 'bro\ufffdken' WHERE number = 3")
    odd = json.dumps({"licence": "with\0nul", "reserved": "yes", "rendered": "failed", "author": "\\u0000"})
    ledger.write("UPDATE visit SET facts = ? WHERE number = 4", (odd,))
    ledger.write("UPDATE visit SET title = '' WHERE number = 5")
    ledger.write("UPDATE visit SET facts = ? WHERE number = 6", (json.dumps({"shell": "yes"}),))
    carried_out.make_carried_out(ledger)
    for number in range(5):
        carried_out.put_answer(
            ledger, "an inbox", carried_out.Answer(number, 1.0 + number, "Done", number, number % 2 == 0)
        )
    carried_out.put_answer(ledger, "an inbox", carried_out.Answer(4, 9.0, "Done at last", 1, done=True))
    # A url is lent, a host rests, and one lost turns.
    seq, host = ledger.read("SELECT seq, host FROM known WHERE state = 0 ORDER BY seq LIMIT 1").fetchone()
    ledger.write("UPDATE known SET state = 1 WHERE seq = ?", (seq,))
    ledger.write("DELETE FROM best_waiting WHERE seq = ?", (seq,))
    ledger.write("UPDATE host SET waiting = waiting - 1 WHERE number = ?", (host,))
    ledger.write(
        "UPDATE origin SET anchor = 'a ' || char(92) || ' and a \\0' WHERE seq IN (SELECT seq FROM known WHERE state < 2)"
    )
    ledger.write("UPDATE host SET next_at = 4e9, pause = 90.0, strains = 2 WHERE number = 2")
    ledger.write("REPLACE INTO alike (host, level, pages, yields_till) VALUES (1, 6, 7, 100000)")
    ledger.commit()


@pytest.fixture(scope="module")
def place(postgres, folder):
    """The same crawl in PostgreSQL."""
    name = f"readers_{time.monotonic_ns()}"
    PostgresLedger(postgres.url(), schema=name).close()
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"SET search_path TO {name}")
        copy_crawl(folder / "crawl.sqlite", connection)
    return postgres.url(), name


@contextmanager
def in_postgres(folder, place):
    """The crawl as it is read from PostgreSQL."""
    reader = PostgresReader(*place)
    current.show_current(reader)
    home = CrawlFolder(folder)
    with Archive(home, settings_of(home), reader) as archive:
        yield archive


@pytest.fixture
def both(folder, place):
    """The crawl in SQLite, and in PostgreSQL."""
    with Archive.open(folder) as one, in_postgres(folder, place) as other:
        yield one, other


def plain(answer, yes=str):  # noqa: PLR0911 - a kind of value each
    """An answer as nested lists. Floats are rounded, since sums may be made in another order; `yes` tells TRUE from 1, or does not."""
    match answer:
        case bool():
            return yes(answer)
        case float():
            return float(f"{answer:.12g}")
        case str() if answer.startswith("[["):  # evidence: both write as many digits as they see fit
            return plain(json.loads(answer), yes)
        case int() | str() | bytes() | None:
            return answer
        case dict():
            return {key: plain(value, yes) for key, value in answer.items()}
        case set() | frozenset():
            return sorted(plain(each, yes) for each in answer)
    if hasattr(answer, "keys"):
        return {key: plain(answer[key], yes) for key in answer.keys()}  # noqa: SIM118 - a row is no mapping
    if hasattr(answer, "__iter__"):
        return [plain(each, yes) for each in answer]
    if type(answer).__module__.startswith("thresher"):
        told = ((name, getattr(answer, name)) for name in _names(answer))
        return {name: plain(value, yes) for name, value in told if not callable(value)}
    return repr(answer)


def _names(answer):
    return getattr(answer, "__dataclass_fields__", None) or vars(answer)


def urls(read):
    return [url for (url,) in read("SELECT url FROM visit ORDER BY number").fetchall()]


def waiting_urls(read):
    return sorted(each.url for each in outlook.next_up(read, outlook.FrontierOptions(), 2e9, 40))


def numbers(read):
    return [number for (number,) in read("SELECT number FROM visit ORDER BY number").fetchall()]


def each_url(call):
    return lambda read: [call(read, url) for url in (*urls(read), *waiting_urls(read), "http://nowhere.example/")]


def each_number(call):
    return lambda read: [call(read, number) for number in numbers(read)]


def pages(read):
    return [number for (number,) in read("SELECT number FROM visit WHERE outcome = 'page' ORDER BY number").fetchall()]


FILTERS = [
    PageFilter(),
    PageFilter(relevant=True),
    PageFilter(relevant=False),
    PageFilter(outcome="page"),
    PageFilter(outcome="no page"),
    PageFilter(outcome="http-404"),
    PageFilter(host="example"),
    PageFilter(host="www.a-very-long-host-name-that-nobody-has.example"),
    PageFilter(language="en"),
    PageFilter(language="EN"),
    *(PageFilter(hand=hand) for hand in ("any", "relevant", "not relevant", "none")),
    PageFilter(text="IRIS"),
    PageFilter(text="ärger"),
    PageFilter(text="100%_?:x\0"),
    PageFilter(among=[1, 2, 5, 900]),
    PageFilter(relevant=True, outcome="page", text="i", hand="none"),
]
OPTIONS = outlook.FrontierOptions(delay=2.0)
QUESTIONS = {
    "newest_visit": visits.newest_visit,
    "visit_row": each_url(visits.visit_row),
    "numbered_row": each_number(visits.numbered_row),
    "every_visit": visits.every_visit,
    "pages_after": lambda read: visits.pages_after(read, 5, 20),
    "pages_after without copies": lambda read: visits.pages_after(read, 0, 500, copies=False),
    "count_pages": lambda read: [visits.count_pages(read, copies=copies) for copies in (True, False)],
    "best_pages": lambda read: visits.best_pages(read, 50),
    "links_backwards": visits.links_backwards,
    "kept_pages": visits.kept_pages,
    "candidate_of": each_number(visits.candidate_of),
    "origin_of": each_url(visits.origin_of),
    "first_of_cluster": each_number(visits.first_of_cluster),
    "is_visit": lambda read: [visits.is_visit(read, 1, url_hash(urls(read)[0]), 5.0), visits.is_visit(read, 1, 1, 1.0)],
    "first_troubles": visits.first_troubles,
    "counts": totals.counts,
    "shells": totals.shells,
    "harvest_beyond": lambda read: [totals.harvest_beyond(read, depth) for depth in range(6)],
    "seconds_under_way": totals.seconds_under_way,
    "mean_relevance": totals.mean_relevance,
    "tally": lambda read: totals.tally(read, 20),
    "outcomes": lambda read: list(totals.outcomes(read).items()),
    "errors": totals.errors,
    "refused_types": totals.refused_types,
    "harvest_curve": lambda read: [totals.harvest_curve(read, points) for points in (1, 7, 100, 1000)],
    "harvest_of_fetches": totals.harvest_of_fetches,
    "evidence_of_pages": lambda read: [list(totals.evidence_of_pages(read, every)) for every in (1, 3)],
    "moment_of": each_number(glances.moment_of),
    "glances_after": lambda read: glances.glances_after(read, 0, 1000),
    "evidence_after": lambda read: glances.evidence_after(read, 3, 1000),
    "latest_pages": lambda read: glances.latest_pages(read, 30),
    "visits_numbered": lambda read: glances.visits_numbered(read, [3, 1, 70, 9999]),
    "visits_of_urls": lambda read: glances.visits_of_urls(read, urls(read)[::3]),
    "labels": labels.labels,
    "label_of": each_url(labels.label_of),
    "harvest_correction": labels.harvest_correction,
    "is_page": each_url(labels.is_page),
    "looks_at": each_number(looks.looks_at),
    "looks_by_visit": looks.looks_by_visit,
    "last_look": each_number(lambda read, number: looks.last_look(read, number, None)),
    "count_changed_after": lambda read: [looks.count_changed_after(read, look) for look in (0, 10, 1000)],
    "current_row": each_number(current.current_row),
    "current_page": each_url(current.current_page),
    "pages_nearest": lambda read: current.pages_nearest(read, 0.4),
    "count_unlabelled": current.count_unlabelled,
    "changed_after": lambda read: current.changed_after(read, 0, 50),
    "by_hand": current.by_hand,
    "rounds": rejudgements.rounds,
    "judgements_of": lambda read: [rejudgements.judgements_of(read, number) for number in pages(read)],
    "count_changed": lambda read: [
        pending_round.count_changed(read, number, relevant=relevant) for number in (1, 2) for relevant in (True, False)
    ],
    "changed_pages": lambda read: [
        pending_round.changed_pages(read, 2, 50, relevant=relevant) for relevant in (True, False)
    ],
    "harvest_of_round": lambda read: [pending_round.harvest_of_round(read, number) for number in (1, 2)],
    "sample_of_links": lambda read: [overview.sample_of_links(read, most) for most in (7, 1000)],
    "fetches_of": lambda read: overview.fetches_of(read, urls(read)),
    "span_of_visits": overview.span_of_visits,
    "hosts_found": lambda read: overview.hosts_found(read, 50),
    "hosts_named": lambda read: sorted(
        overview.hosts_named(read, {each.host for each in overview.hosts_found(read, 3)})
    ),
    "best_of_hosts": lambda read: sorted(
        overview.best_of_hosts(read, [each.host for each in overview.hosts_found(read, 5)], 3)
    ),
    "page_rights": lambda read: overview.page_rights(read)._replace(licences={}),
    "licences": lambda read: [name.replace("\0", "\ufffd") for name in overview.page_rights(read).licences],
    "visit_order": lambda read: [
        list(page_list.visit_order(read, wanted, sort, descending=descending).numbers)
        for wanted in FILTERS
        for sort in SORTS
        for descending in (True, False)
    ],
    "listed_rows": lambda read: page_list.listed_rows(read, [5, 2, *numbers(read)]),
    "languages": lambda read: list(page_list.languages(read).items()),
    "visited_links": lambda read: page_list.visited_links(read, [*urls(read), "http://nowhere.example/"]),
    "copies_of": each_number(lambda read, number: page_list.copies_of(read, number, 5)),
    "recall_all": lambda read: states.recall_all(read, "s"),
    "recall": lambda read: [states.recall(read, "stopped"), states.recall(read, "nothing")],
    "pause_of": pause_of,
    "answers_after": lambda read: [carried_out.answers_after(read, after) for after in (-1, 2, 50)],
    "last_of": lambda read: [carried_out.last_of(read, inbox) for inbox in ("an inbox", "another")],
    "warc_paths": lambda read: sorted(warc_paths(read, Path("warc")).items()),
    "waiting": reading.waiting,
    "place_of": each_url(lambda read, url: reading.place_of(read, url, {"quota": 4})),
    "is_known": each_url(reading.is_known),
    "states_of": lambda read: reading.states_of(read, [*urls(read), *waiting_urls(read), "http://nowhere.example/"]),
    "host_names": lambda read: sorted(reading.host_names(read)),
    "hosts_that_lost_turns": lambda read: reading.hosts_that_lost_turns(read, 5),
    "urls_of_host": lambda read: [
        sorted(reading.urls_of_host(read, host)) for host in sorted(reading.host_names(read))
    ],
    "rests": lambda read: outlook.rests(read, OPTIONS, 2e9),
    "next_up": lambda read: outlook.next_up(read, OPTIONS, 2e9, 40),
    "queues": lambda read: outlook.queues(read, OPTIONS),
    "scores": outlook.scores,
    "settled_of_host": lambda read: [
        outlook.settled_of_host(read, host, 5, skip) for host in sorted(reading.host_names(read)) for skip in (0, 3)
    ],
}


NOTHING = {"first_troubles", "refused_types", "pause_of"}
"""Questions to which this crawl has no answer."""


WHOLE_ROWS = {
    "visit_row", "numbered_row", "every_visit", "pages_after", "pages_after without copies", "current_row", "current_page",
    "pages_nearest", "changed_after", "listed_rows", "glances_after",
}  # fmt: skip
"""Rows that are handed on as they are have 1 in SQLite where they have TRUE in PostgreSQL."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_to_the_tables_has_one_answer(both, name):
    yes = int if name in WHOLE_ROWS else str
    one, other = (plain(QUESTIONS[name](archive.read), yes) for archive in both)
    assert other == one
    assert name in NOTHING or one not in ([], {}, None), "nothing was compared"


def test_the_crawl_has_something_of_everything(both):
    archive, _ = both
    found = {each.found for some in looks.looks_by_visit(archive.read).values() for each in some}
    assert {"same", "changed", "gone"} <= found
    count = totals.counts(archive.read)
    (near,) = archive.read("SELECT count(near) FROM main.visit").fetchone()
    assert min(count.duplicates, near, count.relevant) > 0
    assert any(row["judged"] for row in current.changed_after(archive.read, 0, 500))
    assert {len(labels.labels(archive.read)), len(rejudgements.rounds(archive.read))} == {100, 1}


def test_seeds_and_what_they_link_to_are_met_in_the_same_order(both):
    """PostgreSQL forgets where a url was found first, once a better link led to it: some are then not near the seeds any more."""
    one, other = (reading.near_the_seeds(archive.read, 500) for archive in both)
    assert other == [each for each in one if each in other]
    assert len(other) > len(one) / 2


def test_a_selection_is_the_same(folder, place):
    for choice in (Choice(), Choice(relevant=True), Choice(min_relevance=0.5, duplicates=True), Choice(since=1.9e9)):
        with Archive.open(folder) as one, in_postgres(folder, place) as other:
            told = []
            for archive in (one, other):
                selection = choice.select(archive)
                rows = [(row, selection.twins(row)) for row in selection.rows()]
                told.append(plain([selection.size(), len(selection), rows], int))
            assert told[1] == told[0]


def figures(archive):
    made = RunningFigures()
    made.take_in_all(archive)
    return made


def seen(archive):
    made = topic_now.RunningSightings()
    while not made.take_in(archive):
        pass
    return made


RESULTS = {
    "crawl_figures": show.crawl_figures,
    "best": lambda archive: show.best(archive, 30),
    "hand_figures": show.hand_figures,
    "harvest_picture": show.harvest_picture,
    "seed_fates": crawl_seeds.seed_fates,
    "relevant_by_root": crawl_seeds.relevant_by_root,
    "link_tree": link_tree.link_tree,
    "sightings": sightings.sightings,
    "figures_of": scores.figures_of,
    "examples_of": scores.examples_of,
    "report_facts": lambda archive: replace(report_facts(archive), breadth_first=None, made=0.0),
    "due_pages": lambda archive: due_pages(archive, DueChoice(), Intervals(), 2.1e9),
    "pages_of_host": lambda archive: [
        found_tree.pages_of_host(archive, host) for host in sorted(reading.host_names(archive.read))
    ],
    "led_to": lambda archive: [found_tree.led_to(archive, url) for url in urls(archive.read)[:20]],
    "page_detail": lambda archive: [page_detail.page_detail(archive, number) for number in numbers(archive.read)[:30]],
    "page_way": lambda archive: [page_detail.page_way(archive, number) for number in numbers(archive.read)[:30]],
    "page_copies": lambda archive: [page_detail.page_copies(archive, number) for number in numbers(archive.read)[:30]],
    "listed": lambda archive: page_grid.listed(archive, page_grid.first_question(archive)),
    "grid_rows": lambda archive: page_grid.grid_rows(archive, numbers(archive.read)),
    "grid_choices": page_grid.grid_choices,
    "topic_now": lambda archive: topic_now.topic_now(archive, seen(archive)),
    "learnt_now": topic_now.learnt_now,
    "troubles": lambda archive: trouble.troubles(archive, figures(archive)),
    "now_of": lambda archive: now_of(archive, figures(archive), 2e9),
    "outlook": lambda archive: waiting.outlook(archive, 2e9),
    "why_next": lambda archive: waiting.why_next(archive, 2e9),
    "spread_of_scores": waiting.spread_of_scores,
    "why": lambda archive: [
        why(archive, url)
        for url in (*urls(archive.read)[3:9], *waiting_urls(archive.read)[:2], "http://nowhere.example/")
    ],
    "stopped": Archive.stopped,
    "budget": lambda archive: archive.budget,
    "frontier_options": lambda archive: frontier_options(archive.settings),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_the_same(both, name, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 2e9)
    one, other = (plain(RESULTS[name](archive)) for archive in both)
    assert other == one
