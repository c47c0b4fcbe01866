"""Reading a catalogue."""

from contextlib import closing

import pytest

from thresher.disk.ledger import Ledger
from thresher.errors import FolderError
from thresher.model import Evidence, Failed, Judgement, Refused, Url
from thresher.store import catalogue, totals, visits
from thresher.store.catalogue import Catalogue
from thresher.store.rows import judgement_of
from thresher.testing.store_contract import PARENT, answered, keep_all, prose, visited


@pytest.fixture
async def read(tmp_path):
    ledger = Ledger(tmp_path / "crawl.sqlite")
    store = Catalogue(ledger, tmp_path / "warc")
    await keep_all(
        store,
        answered(1, prose(1), raw=b"one"),
        answered(2, prose(2), raw=b"two", relevant=False),
        answered(3, prose(1), raw=b"one"),
        answered(4, prose(1) + " end", raw=b"four"),
        visited(5, Failed("timeout"), "timeout"),
        visited(6, Refused("robots"), "robots"),
        answered(7, "", status=404, raw=b"gone"),
        answered(8, "", status=302, raw=b""),
    )
    ledger.commit()
    with closing(visits.open_catalogue(tmp_path / "crawl.sqlite")) as connection:
        yield connection.execute
    store.close()
    ledger.close()


def test_the_figures_count_duplicates_once(read):
    counts = totals.counts(read)
    assert counts == totals.Counts(visits=8, fetched=7, pages=4, relevant=1, duplicates=1, near=1, bytes=17, hosts=1)
    assert counts.harvest == pytest.approx(1 / 7)


def test_errors_are_counted_by_kind(read):
    assert totals.errors(read) == {"http-404": 1, "robots": 1, "timeout": 1}
    assert totals.outcomes(read)["page"] == 4


def test_hosts_come_with_their_harvest(read):
    assert totals.hosts(read) == [("host.test", 7, 1)]


def test_the_curve_is_the_running_share_of_relevant_pages(read):
    curve = totals.harvest_curve(read, points=100)
    assert [fetched for fetched, _ in curve] == [1, 2, 3, 4, 5, 6, 7]
    assert curve[0] == (1, 1.0)
    assert curve[-1] == (7, pytest.approx(1 / 7))


def test_the_curve_has_no_more_points_than_asked_for(read):
    curve = totals.harvest_curve(read, points=3)
    assert len(curve) == 3
    assert curve[-1] == (7, pytest.approx(1 / 7))


def test_the_best_pages_leave_out_duplicates(read):
    assert [entry.url for entry in visits.best_pages(read)] == ["http://host.test/1"]


def test_a_url_is_found_with_why_it_was_fetched_and_judged(read):
    row = visits.visit_row(read, Url("http://host.test/1"))
    assert row is not None
    assert (row["parent"], row["anchor"], row["depth"], row["priority"]) == (PARENT, "an anchor", 2, 0.5)
    assert judgement_of(row) == Judgement(0.75, True, (Evidence("shark", "title", 0.5),))
    assert (row["status"], row["title"], row["language"]) == (200, "1", "en")


def test_twins_are_named_by_url(read):
    assert visits.visit_row(read, Url("http://host.test/3"))["first_url"] == "http://host.test/1"
    assert visits.visit_row(read, Url("http://host.test/4"))["near_url"] == "http://host.test/1"


def test_a_url_that_was_not_visited_has_no_row(read):
    assert visits.visit_row(read, Url("http://host.test/99")) is None


@pytest.mark.parametrize(
    "sql",
    [
        visits._BY_URL.replace("?", "1"),
        catalogue._SAME.replace("?", "200"),
        catalogue._ALIKE.replace("?", "1"),
        visits._BEST.replace("?", "10"),
    ],
)
def test_no_look_up_scans_or_sorts_the_table(read, sql):
    plan = " | ".join(row[3] for row in read(f"EXPLAIN QUERY PLAN {sql}"))
    assert "TEMP B-TREE" not in plan
    assert "SCAN visit USING INDEX visit_best" in plan or "SCAN" not in plan


def test_what_is_no_catalogue_is_a_clear_error(tmp_path):
    with pytest.raises(FolderError, match=r"nothing\.sqlite"):
        visits.open_catalogue(tmp_path / "nothing.sqlite")
    (tmp_path / "text.sqlite").write_text("hello" * 1000)
    with pytest.raises(FolderError, match=r"text\.sqlite"):
        visits.open_catalogue(tmp_path / "text.sqlite")
