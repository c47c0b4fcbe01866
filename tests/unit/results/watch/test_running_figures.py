"""Figures that are counted once, a stretch at a time."""

import sqlite3
from contextlib import closing
from itertools import pairwise

import pytest
from tests.unit.results.watch.busy_web import crawl

from thresher.results.archive import Archive
from thresher.results.watch.running_figures import CurvePoint, GrowingCurve, RunningFigures
from thresher.store.overview import hosts_found
from thresher.store.totals import counts, errors, seconds_under_way


def all_taken_in(archive, most=37):
    figures, steps = RunningFigures(), 1
    while not figures.take_in(archive, most):
        steps += 1
    return figures, steps


def test_they_are_those_that_are_counted_in_one_pass(archive):
    figures, steps = all_taken_in(archive)
    counted = counts(archive.read)
    assert steps > 1
    assert (figures.visits, figures.fetched, figures.relevant) == (counted.visits, counted.fetched, counted.relevant)
    assert (figures.pages, figures.bytes) == (counted.pages, counted.bytes)
    assert figures.harvest == counted.harvest
    assert figures.seconds == pytest.approx(seconds_under_way(archive.read), abs=0.1)
    assert {kind: sum(each.values()) for kind, each in figures.trouble.kinds.items()} == errors(archive.read)
    told = {name: (tally.fetched, tally.relevant) for name, tally in figures.hosts.items() if tally.fetched}
    assert told == {each.host: (each.fetched, each.relevant) for each in hosts_found(archive.read, 1000)}


def test_what_is_there_already_is_not_read_again(archive):
    figures, _ = all_taken_in(archive)
    before = figures.curve.points()
    assert figures.take_in(archive)
    assert figures.curve.points() == before
    assert figures.fetched == counts(archive.read).fetched


def test_another_crawl_in_the_same_folder_is_counted_from_its_beginning(archive, tmp_path):
    figures, _ = all_taken_in(archive)
    with Archive.open(crawl(tmp_path / "other", budget={"pages": 20, "dry_share": 0.0})) as other:
        assert figures.take_in(other)
        assert figures.fetched == counts(other.read).fetched < 25


def test_a_crawl_that_goes_on_is_taken_in_from_where_it_was(tmp_path):
    path = crawl(tmp_path / "crawl", budget={"pages": 20, "dry_share": 0.0})
    with Archive.open(path) as archive:
        figures, _ = all_taken_in(archive)
    half = figures.visits
    crawl(path, budget={"pages": 60, "dry_share": 0.0})
    with Archive.open(path) as archive:
        assert figures.take_in(archive)
        assert figures.visits > half
        assert figures.fetched == counts(archive.read).fetched == 60


def test_a_curve_has_few_points_however_long_the_crawl_is():
    curve = GrowingCurve(most=100)
    for fetched in range(1, 100_001):
        curve.add(fetched, fetched // 4, fetched / 10)
    points = curve.points()
    assert 50 <= len(points) <= 101
    assert points[-1] == CurvePoint(100_000, 25_000, 10_000.0)
    assert all(one.fetched < other.fetched for one, other in pairwise(points))
    assert all(point.relevant == point.fetched // 4 for point in points)


def test_the_pace_is_that_of_the_latest_minute(archive):
    figures, _ = all_taken_in(archive)
    with closing(sqlite3.connect(archive.folder.database)) as database:
        (end,) = database.execute("SELECT max(at) FROM visit").fetchone()
    assert figures.pace(end) > 1.0
    assert figures.pace(end + 3600) == 0.0
    assert figures.mean_pace == pytest.approx(figures.fetched / figures.seconds)
