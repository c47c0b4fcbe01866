"""A crawl in figures."""

import pytest

from thresher.store import totals
from thresher.store.overview import hosts_found


def test_the_figures_count_duplicates_once(read):
    counts = totals.counts(read)
    assert counts == totals.Counts(visits=8, fetched=7, pages=4, relevant=1, duplicates=1, near=1, bytes=17, hosts=1)
    assert counts.harvest == pytest.approx(1 / 7)


def test_errors_are_counted_by_kind(read):
    assert totals.errors(read) == {"http-404": 1, "robots": 1, "timeout": 1}
    assert totals.outcomes(read)["page"] == 4


def test_hosts_come_with_their_harvest(read):
    assert hosts_found(read, 20) == [("host.test", 7, 1, 1)]


def test_the_curve_is_the_running_share_of_relevant_pages(read):
    curve = totals.harvest_curve(read, points=100)
    assert [fetched for fetched, _ in curve] == [1, 2, 3, 4, 5, 6, 7]
    assert curve[0] == (1, 1.0)
    assert curve[-1] == (7, pytest.approx(1 / 7))


def test_the_curve_has_no_more_points_than_asked_for(read):
    curve = totals.harvest_curve(read, points=3)
    assert len(curve) == 3
    assert curve[-1] == (7, pytest.approx(1 / 7))


def test_every_fetch_counts_as_harvest_or_not(read):
    assert totals.harvest_of_fetches(read) == [True] + [False] * 6


def test_the_evidence_of_pages_comes_with_whether_they_are_harvest(read):
    found = list(totals.evidence_of_pages(read))
    assert [fresh for fresh, _ in found] == [True, False, False, False]
    assert found[0][1] == [["shark", "title", 0.5]]
