"""How far a crawl's harvest goes beyond its seeds, and how long it took."""

import sqlite3

import pytest

from thresher.store import totals


def table_of(*rows):
    """The columns that these figures need: depth, fresh, when the visit was made, and when its request went out."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE visit (number INTEGER PRIMARY KEY, asked, depth, fresh, at, sent)")
    base.executemany("INSERT INTO visit (asked, depth, fresh, at, sent) VALUES (?, ?, ?, ?, ?)", rows)
    return base.execute


def test_the_harvest_beyond_a_depth_leaves_out_what_is_nearer_to_the_seeds():
    read = table_of((1, 0, 1, 10, 9), (1, 1, 1, 11, 10), (1, 1, 0, 12, 11), (1, 2, 0, 13, 12), (0, 2, 0, 14, None))
    assert totals.harvest_beyond(read, 0) == pytest.approx(2 / 4)
    assert totals.harvest_beyond(read, 1) == pytest.approx(1 / 3)
    assert totals.harvest_beyond(read, 2) == 0.0
    assert totals.harvest_beyond(read, 3) is None


def test_the_time_under_way_is_that_from_visit_to_visit_without_the_breaks_between_runs():
    read = table_of((1, 0, 0, 12, 10), (1, 1, 0, 15, 14), (1, 1, 0, 100_015, 100_014), (1, 1, 0, 100_016, 100_015))
    assert totals.seconds_under_way(read) == 2 + 3 + 1


def test_a_crawl_that_asked_for_nothing_took_no_time():
    assert totals.seconds_under_way(table_of((0, 0, 0, 12, None))) == 0
