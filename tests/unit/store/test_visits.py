"""Visits, read from a catalogue."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from thresher.disk.folder import CrawlFolder
from thresher.errors import FolderError
from thresher.model import Evidence, Judgement, Url
from thresher.store import catalogue, visits
from thresher.store.current import current_row, show_current
from thresher.store.rows import facts_of, judgement_of
from thresher.testing.store_contract import PARENT, answered, keep_all, prose


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
        catalogue.SAME.replace("?", "200"),
        catalogue._ALIKE.replace("?", "1"),
        visits._BEST.replace("?", "10"),
    ],
)
def test_no_look_up_scans_or_sorts_the_table(read, sql):
    plan = " | ".join(row[3] for row in read(f"EXPLAIN QUERY PLAN {sql}"))
    assert "TEMP B-TREE" not in plan
    assert "SCAN visit USING INDEX visit_best" in plan or "SCAN" not in plan


def test_what_is_no_catalogue_is_a_clear_error(tmp_path):
    folder = CrawlFolder(tmp_path)
    with pytest.raises(FolderError, match=r"crawl\.sqlite"):
        visits.open_catalogue(folder)
    folder.database.write_text("hello" * 1000)
    with pytest.raises(FolderError, match=r"crawl\.sqlite"):
        visits.open_catalogue(folder)


def test_pages_are_counted_and_come_in_order_with_their_copies_or_without(read):
    assert [row["number"] for row in visits.pages_after(read, 0, 10)] == [1, 2, 3, 4]
    assert [row["number"] for row in visits.pages_after(read, 1, 2, copies=False)] == [2, 4]
    assert (visits.count_pages(read), visits.count_pages(read, copies=False)) == (4, 3)
    assert visits.count_pages(read, after=2) == 2


def test_kept_pages_say_which_of_them_are_copies(read):
    assert [(page.number, page.relevant, page.copy) for page in visits.kept_pages(read)] == [
        (1, True, False),
        (2, False, False),
        (3, True, True),
        (4, True, True),
    ]


def test_links_come_from_the_latest_page_to_the_first(read):
    pages = list(visits.links_backwards(read))
    assert [page.url for page in pages] == [f"http://host.test/{number}" for number in (4, 3, 2, 1)]
    assert [page.fresh for page in pages] == [False, False, False, True]


def test_a_page_knows_where_it_was_found(read):
    assert visits.origin_of(read, Url("http://host.test/1")) == (1, PARENT, "an anchor")
    assert visits.origin_of(read, Url("http://host.test/5")) is None
    assert visits.candidate_of(read, 1).parent == PARENT


def test_a_near_duplicate_belongs_to_the_first_of_its_cluster(read):
    assert [visits.first_of_cluster(read, number) for number in (1, 2, 4)] == [1, 2, 1]


def test_a_visit_of_another_crawl_is_told_by_its_url_or_its_time(read):
    row = visits.numbered_row(read, 2)
    assert visits.is_visit(read, 2, row["url_hash"], row["at"])
    assert not visits.is_visit(read, 2, row["url_hash"], row["at"] + 1)
    assert not visits.is_visit(read, 3, row["url_hash"], row["at"])


def test_troubles_are_told_only_where_no_page_came(read):
    assert visits.first_troubles(read) == []


async def test_what_else_is_known_of_a_page_is_kept(folder):
    visit = answered(1, prose(1))
    told = replace(visit, page=replace(visit.page, facts=(("author", "Ada"), ("licence", "CC BY"))))
    with folder.opened() as (store, ledger):
        await keep_all(store, told, answered(2, prose(2)))
        rows = list(visits.every_visit(ledger.read))
    assert [facts_of(row) for row in rows] == [{"author": "Ada", "licence": "CC BY"}, {}]


async def test_a_folder_from_before_there_were_facts_is_read_and_goes_on(folder):
    with folder.opened() as (store, _):
        await store.keep(answered(1, prose(1)))
    with closing(sqlite3.connect(folder.path / "crawl.sqlite")) as old:
        old.execute("ALTER TABLE visit DROP COLUMN facts")
    with closing(visits.open_catalogue(CrawlFolder(folder.path))) as reader:
        show_current(reader)
        assert facts_of(current_row(reader.execute, 1)) == {}
    visit = answered(2, prose(2))
    with folder.opened() as (store, ledger):
        await store.keep(replace(visit, page=replace(visit.page, facts=(("author", "Ada"),))))
        assert [facts_of(row) for row in visits.every_visit(ledger.read)] == [{}, {"author": "Ada"}]
