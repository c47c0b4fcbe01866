"""Labels, looks, rounds of judging anew and answers to orders are written into SQLite and into PostgreSQL by the same words."""

from contextlib import closing
from pathlib import Path

import pytest

from thresher.disk.guarded_sqlite import read_only
from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema as schema_of
from thresher.model import Candidate, Claim, Evidence, Host, Judgement, Outcome, Page, Response, Url, Visit
from thresher.orders.carried_out import Answer, answers_after, last_of, make_carried_out, put_answer
from thresher.store.current import show_current
from thresher.store.duplicates import Fingerprint
from thresher.store.labels import HandLabel, label_of, labels, make_labels, put_label, take_back_label
from thresher.store.looks import LastSeen, LookResult, last_look, looks_at, make_looks, write_look
from thresher.store.pending_round import (
    NewJudgement,
    PageVersion,
    changed_pages,
    count_changed,
    harvest_of_round,
    pending_round,
)
from thresher.store.rejudgements import judgements_of, round_in_force, show_rejudged
from thresher.store.totals import counts
from thresher.urls import url_hash
from thresher.warc.format import Place

URLS = [Url(f"http://a.example/{number}") for number in range(1, 7)]
VISIT = """
    INSERT INTO visit (number, claim, url_hash, at, priority, relevance, bytes, depth, tries, asked, relevant, kind, outcome, host, url,
                       anchor, file, status)
    VALUES (?, 1, ?, 5.0, 0.5, 0.5, 9, 1, 0, TRUE, TRUE, 'response', 'page', 'a.example', ?, 'words', 1, 200)
"""


@pytest.fixture
def in_sqlite(tmp_path):
    with closing(Ledger(tmp_path / "crawl.sqlite")) as ledger:
        ledger.script(schema_of("store"))
        yield ledger


@pytest.fixture
def in_postgres(postgres, schema):
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
    from thresher.disk.postgres_tables import PostgresWriter  # noqa: PLC0415

    PostgresLedger(postgres.url(), schema=schema).close()
    with closing(PostgresWriter(postgres.url(), schema)) as tables:
        yield tables


@pytest.fixture(params=["in_sqlite", "in_postgres"])
def tables(request):
    tables = request.getfixturevalue(request.param)
    tables.write_many(VISIT, [(number, url_hash(url), url) for number, url in enumerate(URLS, 1)])
    tables.commit()
    return tables


@pytest.fixture
def fresh_reader(tables):
    """Opens what was committed, as another process would."""
    opened = []

    def again():
        if isinstance(tables, Ledger):
            opened.append(read_only(Path(tables.path)))
        else:
            from thresher.disk.postgres_reader import PostgresReader  # noqa: PLC0415 - psycopg is an extra

            opened.append(PostgresReader(tables.place.url, tables.place.schema))
        return opened[-1]

    yield again
    for each in opened:
        each.close()


def test_a_label_replaces_an_earlier_one_and_is_taken_back(tables, fresh_reader):
    first, second = HandLabel(URLS[0], True, 1.0), HandLabel(URLS[0], None, 2.0)
    put_label(tables, first)
    put_label(tables, HandLabel(URLS[1], False, 1.5))
    put_label(tables, second)
    assert labels(fresh_reader().execute) == [HandLabel(URLS[1], False, 1.5), second]
    take_back_label(tables, URLS[0], first)
    take_back_label(tables, URLS[1], None)
    assert labels(fresh_reader().execute) == [first]
    assert label_of(tables.read, URLS[0]).relevant is True
    make_labels(tables)  # it is there already


def look(found, at, judgement=None):
    answer = Response(URLS[0], 200, (), b"", b"bytes", at=at)
    claim = Claim(Candidate(URLS[0], 0.5), Host("a.example"), 1, 0.0)
    page = Page(URLS[0], title="A title", language="en")
    visit = Visit(claim, 1, at, answer, Outcome("page"), page, judgement)
    known = LastSeen(1, claim.candidate, None, None, b"old", b"look", 5.0)
    return LookResult(visit, known, found, b"newlook", b"digest", Place(1, 2, 3, 4))


def test_looks_are_kept_in_their_order(tables, fresh_reader):
    make_looks(tables)
    make_looks(tables)
    write_look(tables, look("same", 10.0), 0)
    write_look(tables, look("changed", 20.0, Judgement(0.8, True, (Evidence("iris", "title", 1.0),))), 3)
    tables.commit()
    reader = fresh_reader()
    assert [(each.at, each.found, each.relevant, each.relevance) for each in looks_at(reader.execute, 1)] == [
        (10.0, "same", None, None),
        (20.0, "changed", True, 0.8),
    ]
    seen = last_look(reader.execute, 1, Candidate(URLS[0], 0.5))
    assert (seen.content_hash, seen.look, seen.body_at) == (b"digest", b"newlook", 20.0)


def judged(number, relevance, relevant, mark=None):
    said = Judgement(relevance, relevant, (Evidence("iris", "text", relevance),))
    return NewJudgement(PageVersion(number), said, mark and Fingerprint.of(mark))


def test_a_round_is_made_in_batches_and_put_in_force(tables, fresh_reader):
    judge = {"name": "terms", "threshold": 0.4}
    make_labels(tables)
    make_looks(tables)
    round_ = pending_round(tables, judge, [], 100.0, learn=True)
    batch = [judged(1, 0.9, True, 1), judged(2, 0.8, True, 3), judged(3, 0.7, True, -1), judged(4, 0.1, False)]
    round_.add(batch, b"words")
    again = pending_round(tables, judge, [], 100.0, learn=True)
    assert (again.number, again.words(), again.latest()) == (round_.number, b"words", PageVersion(4, 0))
    again.add([judged(4, 0.2, False), judged(5, 0.3, False)], b"more words")
    assert [each.relevance for each in again.bases()] == [0.9, 0.8, 0.7, 0.2, 0.3]
    assert (again.count(), again.count(learnt=True), again.count(learnt=False)) == (5, 0, 5)
    left = again.unlearnt(PageVersion(0), 3)
    assert left == [PageVersion(1), PageVersion(2), PageVersion(3)]
    again.put_learnt(dict(zip([*left, PageVersion(4), PageVersion(5)], [0.1, 0.5, 0.6, 0.9, 0.2], strict=True)))
    again.rank()
    again.find_twins()
    again.find_twins()  # as after a kill
    assert harvest_of_round(tables.read, again.number) == 3
    reader = fresh_reader()
    show_current(reader)
    assert [count_changed(reader.execute, again.number, relevant=each) for each in (True, False)] == [0, 2]
    assert [each.url for each in changed_pages(reader.execute, again.number, 9, relevant=False)] == [URLS[0], URLS[4]]
    assert round_in_force(reader.execute) is None
    again.put_in_force(200.0)
    reader = fresh_reader()
    assert show_rejudged(reader).number == again.number
    assert counts(reader.execute).relevant == 4  # the last has the judgement of the crawl
    own, anew = judgements_of(reader.execute, 4)
    assert (own.round, own.judgement.relevance, anew.judgement.relevance) == (None, 0.5, 0.9)
    assert [each.what for each in anew.judgement.evidence] == ["iris", "learnt from the crawl"]


def test_a_round_that_does_something_else_takes_the_place_of_an_unfinished_one(tables):
    first = pending_round(tables, {"name": "terms"}, [], 1.0, learn=False)
    first.add([judged(1, 0.9, True)], None)
    other = pending_round(tables, {"name": "terms", "threshold": 0.9}, [], 2.0, learn=False)
    assert (other.latest(), other.count(), other.words()) == (PageVersion(0, 0), 0, None)
    assert tables.read("SELECT count(*) FROM rejudging").fetchone()[0] == 1


def test_twins_of_pages_are_found(tables):
    round_ = pending_round(tables, {"name": "terms"}, [], 1.0, learn=False)
    round_.add([judged(1, 0.9, True, 0b1), judged(2, 0.9, True, 0b11), judged(3, 0.9, True, -1)], None)
    round_.find_twins()
    near = tables.read("SELECT visit, near FROM rejudgement ORDER BY visit").fetchall()
    assert [tuple(each) for each in near] == [(1, None), (2, 1), (3, None)]


def test_answers_to_orders_are_kept_and_the_oldest_forgotten(tables, monkeypatch):
    monkeypatch.setattr("thresher.orders.carried_out._MOST", 3)
    make_carried_out(tables)
    for number in range(6):
        put_answer(tables, "inbox", Answer(number, 1.0, "under way", 0, done=False))
        put_answer(tables, "inbox", Answer(number, 2.0, "done", number))
    tables.commit()
    assert answers_after(tables.read, 3) == [Answer(4, 2.0, "done", 4), Answer(5, 2.0, "done", 5)]
    assert tables.read("SELECT count(*) FROM carried_out").fetchone()[0] == 4
    assert (last_of(tables.read, "inbox"), last_of(tables.read, "another")) == (5, 0)
