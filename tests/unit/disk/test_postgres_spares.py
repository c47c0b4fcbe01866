"""Connections to a crawl that are used again."""

import time

import pytest

from thresher.disk.crawl_home import place_of
from thresher.errors import LedgerError
from thresher.results.archive import Archive
from thresher.store.rejudgements import round_in_force

pytest.importorskip("psycopg")
PROCESS = "SELECT pg_backend_pid()"


@pytest.fixture
def home(postgres, schema):
    """A crawl that has just been begun."""
    from thresher.disk.postgres_home import PostgresHome  # noqa: PLC0415 - psycopg is an extra
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415

    PostgresLedger(postgres.url(), schema=schema).close()
    made = PostgresHome(place_of(f"{postgres.url()}?schema={schema}"), spares=True)
    made.write_settings('topic = "iris"\n')
    yield made
    made._spares.close()


def process(reader):
    return reader.execute(PROCESS).fetchone()[0]


def asked(home):
    """The process of the server that answers a question."""
    reader = home.catalogue()
    try:
        return process(reader)
    finally:
        reader.close()


def test_a_connection_is_used_again_and_two_who_ask_at_once_have_one_each(home):
    first, second = home.catalogue(), home.catalogue()
    numbers = {process(first), process(second)}
    assert len(numbers) == 2
    first.close()
    second.close()
    assert {asked(home) for _ in range(5)} <= numbers


def test_a_reader_that_is_closed_twice_gives_its_connection_back_once(home):
    reader = home.catalogue()
    reader.close()
    reader.close()
    one, other = home.catalogue(), home.catalogue()
    assert process(one) != process(other)
    one.close()
    other.close()


def test_no_more_than_four_wait_and_after_a_while_none(home, monkeypatch):
    monkeypatch.setattr("thresher.disk.postgres_spares._IDLE", 0.3)
    fresh = type(home)(home.path, spares=True)
    readers = [fresh.catalogue() for _ in range(7)]
    for each in readers:
        each.close()
    assert len(fresh._spares._waiting) == 4
    time.sleep(1.0)
    assert fresh._spares._waiting == []
    assert fresh.exists
    fresh._spares.close()


def test_what_one_reader_made_is_not_there_for_the_next(home):
    reader = home.catalogue()
    number = process(reader)
    reader.execute("CREATE TEMP TABLE chosen (number bigint)")
    reader.close()
    again = home.catalogue()
    assert process(again) == number
    assert again.execute("SELECT to_regclass('pg_temp.chosen')").fetchone()[0] is None
    again.close()


def test_the_view_of_pages_as_they_are_today_is_made_once_and_anew_after_a_round(home):
    def view(archive):
        return archive.read("SELECT CAST(to_regclass('pg_temp.current') AS oid)").fetchone()[0]

    seen = []
    for _ in range(3):
        with Archive.of(home) as archive:
            seen.append(view(archive))
    assert len(set(seen)) == 1
    with home.tables() as tables:
        tables.write(
            "INSERT INTO rejudging (begun, done, judge, learn, labels) VALUES (1, 2, '{\"name\": \"terms\"}', FALSE, '')"
        )
    with Archive.of(home) as archive:
        assert round_in_force(archive.read) is not None
        assert view(archive) not in seen


def test_a_connection_that_was_cut_is_replaced(home, postgres):
    import psycopg  # noqa: PLC0415 - an extra

    number = asked(home)
    with psycopg.connect(postgres.url(), autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(%s)", (number,))
    assert asked(home) != number


def test_a_server_that_is_away_is_asked_by_one_at_a_time(home, monkeypatch):
    tried = []

    def refused(*_, **__):
        tried.append(1)
        raise OSError("Connection refused")

    home._spares.close()
    monkeypatch.setattr("psycopg.connect", refused)
    said = set()
    for _ in range(5):
        with pytest.raises(LedgerError) as error:
            home.exists  # noqa: B018 - it asks
        said.add(str(error.value))
    assert len(said) == len(tried) == 1


def test_who_works_is_told(home):
    assert home.at_work() == []
    assert not home.in_use()
