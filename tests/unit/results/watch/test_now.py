"""How far a crawl is."""

import time
from contextlib import asynccontextmanager
from math import inf

import pytest
from tests.assembling import opened
from tests.unit.results.watch.busy_web import TOPIC, BusyWeb, crawl, served, settings

from thresher.disk.folder import CrawlFolder
from thresher.frontier.outlook import RestingHost
from thresher.results.archive import Archive
from thresher.results.plain_text import LONGEST_TITLE
from thresher.results.report.report_facts import report_facts
from thresher.results.report.report_file import report_page
from thresher.results.steer import told
from thresher.results.watch.now import now_of, rest_in_words
from thresher.results.watch.running_figures import RunningFigures


def now(folder, moment=None):
    figures = RunningFigures()
    with Archive.open(folder) as archive:
        while not figures.take_in(archive):
            pass
        return now_of(archive, figures, moment or time.time())


@pytest.fixture(scope="module")
def stopped(busy):
    return now(busy)


@asynccontextmanager
async def seen_while_it_runs(path, **tables):
    """What is seen of a crawl when its fiftieth page was kept, while it holds the folder."""
    web, seen = BusyWeb(), []
    async with served(web) as server:
        keys = settings(web, server.port, **tables)
        async with opened(path, TOPIC, [next(web.web.urls())], **keys) as crawling:

            async def look(visit):
                if visit.number == 50:
                    crawling.store.tables.commit()
                    seen.append(now(path))
                    crawling.stop()

            crawling.shown = look
            await crawling.run()
    yield seen[0]


def test_a_crawl_that_ended_says_why_and_how_far_it_came(stopped):
    assert (stopped.state.name, stopped.state.why) == ("stopped", "all 150 pages of the budget are fetched")
    assert (stopped.fetched, stopped.counted, stopped.ends) == (150, 1.0, "")
    assert 0 < stopped.relevant < stopped.pages < 150
    assert stopped.harvest == stopped.relevant / 150
    assert stopped.curve[-1][:2] == (150, stopped.relevant)
    assert stopped.waiting > 0
    assert stopped.pace > 0


def test_budget_that_was_given_later_counts(tmp_path):
    folder = crawl(tmp_path / "crawl")
    told(CrawlFolder(folder), ["pages", "+500"])
    found = now(folder)
    assert [(line.key, line.used, line.most) for line in found.budget if line.key == "pages"] == [("pages", 150, 650)]
    with Archive.open(folder) as archive:
        assert "650 pages" in report_page(report_facts(archive))


def test_the_harvest_dries_up_over_as_many_fetches_as_the_budget_says(tmp_path):
    found = now(crawl(tmp_path / "crawl", budget={"pages": 150, "dry_window": 40, "dry_share": 0.0001}))
    assert "of the latest 40 fetches" in found.dry
    assert found.dry.endswith("of 40.")


def test_the_budget_says_what_was_used(stopped):
    (line,) = stopped.budget
    assert (line.key, line.used, line.most, line.seconds) == ("pages", 150, 150, 0.0)


def test_the_latest_pages_come_with_the_reason_that_counted_most(tmp_path):
    latest = now(crawl(tmp_path / "crawl", budget={"pages": 30, "dry_share": 0.0})).latest
    assert len(latest) == 12
    assert [page.number for page in latest] == sorted((page.number for page in latest), reverse=True)
    reasons = [page.reason for page in latest if page.relevant]
    assert reasons
    assert all(reason.endswith(("(text)", "(title)", "(headings)")) for reason in reasons)
    assert all(" and " not in reason for reason in reasons)


def test_no_text_of_the_web_is_long_or_turns_its_reader_around(tmp_path):
    class Hostile(BusyWeb):
        def page(self, host, path):
            answer = self.web.page(host, path)
            if answer is None or path == "/robots.txt":
                return answer
            title = "\u202e\x1b[31m<script>" + "long " * 50_000
            return answer._replace(body=answer.body.replace(b"<title>", f"<title>{title}".encode(), 1))

    seen = now(crawl(tmp_path / "crawl", Hostile(), budget={"pages": 5, "dry_share": 0.0}))
    assert seen.latest
    for page in seen.latest:
        assert page.title.isprintable()
        assert len(page.title) <= LONGEST_TITLE
        assert page.title.startswith("[31m<script>long")


async def test_a_running_crawl_says_what_ends_first(tmp_path):
    budget = {"pages": 60, "relevant": 5000, "minutes": 90.0}
    async with seen_while_it_runs(tmp_path / "crawl", budget=budget) as seen:
        assert seen.state.name == "running"
        assert [line.key for line in seen.budget] == ["pages", "relevant", "minutes"]
        assert seen.ends.startswith("The budget of 60 pages ends first, in about ")
        assert 0 < seen.budget[2].used < 1.5
        assert seen.dry.startswith(f"{seen.relevant} of the latest {seen.fetched} fetches were relevant; it would stop")


async def test_without_a_budget_it_says_that_there_is_none(tmp_path):
    async with seen_while_it_runs(tmp_path / "crawl", budget={}) as seen:
        assert seen.ends == "No budget is set: it ends when nothing is left to fetch, or when the harvest dries up."


async def test_hosts_that_rest_because_of_bad_answers_are_named(tmp_path):
    async with seen_while_it_runs(tmp_path / "crawl", frontier={"backoff": 300.0}) as seen:
        assert seen.resting_counts["back-off"] == len(seen.resting) > 0
        assert all(host.why.startswith("backs off for 5 minutes after 1 bad answer") for host in seen.resting)
        assert all(0 < host.until - time.time() <= 300 for host in seen.resting)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("closed", "gave no good answer 8 times in a row; left alone until the crawl is run again"),
        ("crawl-delay", "its robots.txt asks for 30 s between two requests"),
        ("delay", "the usual pause of 30 s between two requests"),
    ],
)
def test_why_a_host_rests_is_told_in_words(why, words):
    assert rest_in_words(RestingHost("a.example", why, inf, 30.0, 8, 1)) == words
