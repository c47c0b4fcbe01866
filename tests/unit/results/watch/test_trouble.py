"""What went wrong in a crawl."""

import sqlite3
from contextlib import closing

import pytest
from tests.unit.results.watch.busy_web import crawl

from thresher.model import SEED
from thresher.results.archive import Archive
from thresher.results.watch.running_figures import RunningFigures
from thresher.results.watch.trouble import meaning_of, troubles


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("busy") / "crawl", budget={"pages": 330, "dry_share": 0.0})


@pytest.fixture(scope="module")
def found(folder):
    return seen(folder)


def seen(folder):
    figures = RunningFigures()
    with Archive.open(folder) as archive:
        figures.take_in(archive)
        return troubles(archive, figures)


def test_kinds_come_with_what_they_mean_and_where(found):
    kinds = {kind.outcome: kind for kind in found.kinds}
    assert {"http-404", "http-403", "content-type", "robots"} <= kinds.keys()
    assert kinds["http-404"].means == "the page is not there (404)"
    assert ".example " in kinds["http-404"].where
    assert kinds["robots"].on_purpose
    assert not kinds["http-404"].on_purpose
    assert [kind.times for kind in found.kinds] == sorted((kind.times for kind in found.kinds), reverse=True)


def test_what_was_left_out_on_purpose_is_no_error(found):
    assert found.left_out == sum(kind.times for kind in found.kinds if kind.outcome == "robots") > 0
    assert found.errors == sum(kind.times for kind in found.kinds) - found.left_out


def test_retries_that_helped_are_no_errors(found):
    assert "http-503" not in {kind.outcome for kind in found.kinds}
    assert found.retries == found.came_later > 0
    assert found.lost == 0
    assert found.retries_told == (
        f"Something was tried again {found.retries} times: {found.came_later} came at a later try, 0 did not."
    )


def test_promising_pages_that_were_lost_come_first(found):
    priorities = [page.priority for page in found.promising]
    assert priorities == sorted(priorities, reverse=True)
    assert len(priorities) == 25
    assert {page.outcome for page in found.promising} <= {"http-404", "http-403", "content-type"}


def test_hosts_come_with_their_worst_outcome(folder, found):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as database:
        wrong = dict(
            database.execute("SELECT host, count(*) FROM visit WHERE outcome NOT IN ('page', 'redirect') GROUP BY host")
        )
    assert {host.host: host.troubles for host in found.hosts if host.troubles} == wrong
    assert all(host.most for host in found.hosts if host.troubles)


def test_pages_that_took_too_much_are_named(tmp_path):
    path = crawl(tmp_path / "crawl", budget={"pages": 20, "dry_share": 0.0}, fetch={"max_bytes": 3000})
    lost = seen(path).given_up
    assert lost
    assert {page.outcome for page in lost} == {"too-large"}
    assert {page.means for page in lost} == {meaning_of("too-large")}
    assert [page.number for page in lost] == sorted((page.number for page in lost), reverse=True)


def test_a_seed_that_is_lost_is_the_most_promising_of_all(tmp_path):
    page = seen(crawl(tmp_path / "crawl", fetch={"max_bytes": 100})).promising[0]
    assert (page.found_on, page.priority, page.outcome) == (None, SEED, "too-large")
