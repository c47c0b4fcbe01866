import traceback

import pytest

from thresher.disk.found_rows import by_name, columns_of, has_table
from thresher.errors import BadInput, LedgerError, LedgerLost, LedgerVersion

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from thresher.disk import postgres_reader as module  # noqa: E402
from thresher.disk.postgres_ledger import FORMAT, PostgresLedger  # noqa: E402
from thresher.disk.postgres_reader import PostgresReader  # noqa: E402

SECRET = "hunter2-hunter2"
OPEN = "SELECT count(*) FROM pg_cursors WHERE is_holdable"


@pytest.fixture
def reader(postgres, schema):
    PostgresLedger(postgres.url(), schema=schema).close()
    with PostgresReader(postgres.url(), schema) as reader:
        yield reader


def refusal(kind, *arguments):
    """The one sentence with which a crawl is refused."""
    with pytest.raises(kind) as caught:
        PostgresReader(*arguments)
    assert "\n" not in str(caught.value)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    return str(caught.value)


def test_a_crawl_that_is_not_there_is_not_made(reader, postgres, schema, admin):
    told = refusal(BadInput, postgres.url(), f"{schema}_other")
    assert f"crawl {schema}_other is not there: that database has " in told
    assert not admin.execute("SELECT to_regnamespace(%s)", (f"{schema}_other",)).fetchone()[0]


def test_a_database_without_crawls_says_so(postgres, admin, schema):
    admin.execute(f"CREATE DATABASE {schema}")
    assert refusal(BadInput, postgres.url(schema), "iris").endswith("there is no crawl in that database")
    admin.execute(f"DROP DATABASE {schema} WITH (FORCE)")


def test_a_newer_format_is_refused(reader, postgres, schema, admin):
    admin.execute(f"UPDATE {schema}.ledger SET format = %s", (FORMAT + 1,))
    assert f"has format {FORMAT + 1}, this Thresher reads up to {FORMAT}" in refusal(
        LedgerVersion, postgres.url(), schema
    )


def test_a_wrong_password_is_not_shown(reader, postgres, schema):
    assert "password authentication failed" in refusal(LedgerError, postgres.url(password=SECRET), schema)


def test_without_rights_the_server_is_quoted(reader, postgres, schema, admin):
    admin.execute(f"CREATE ROLE {schema} LOGIN PASSWORD 'secret'")
    told = refusal(LedgerError, postgres.url(user=schema, password="secret"), schema)
    assert f"user {schema} lacks a right: permission denied for schema {schema}" in told
    admin.execute(f"DROP ROLE {schema}")


def test_rows_are_known_by_place_and_by_name(reader):
    row = by_name(reader.execute("SELECT 1 AS a, 'x' AS b, 2 AS a")).fetchone()
    one, two, three = row
    assert (one, two, three, row[0], row["a"], row["b"], row.keys(), len(row)) == (1, "x", 2, 1, 1, "x", ["a", "b"], 3)


def test_values_have_the_types_that_sqlite_gives(reader):
    sql = "SELECT ?, ?, ?, ?, ?, sum(5::bigint), avg(3), sum(0.5::float8), ?"
    row = reader.execute(sql, (1, 0.1, "é\0", b"\0\xff", None, True)).fetchone()
    assert list(row) == [1, 0.1, "é\ufffd", b"\0\xff", None, 5, 3.0, 0.5, True]
    assert [type(each) for each in row] == [int, float, str, bytes, type(None), int, float, float, bool]


def test_percents_and_strings_are_not_taken_for_values(reader):
    assert reader.execute("SELECT 7 % 4, '100% ?:x'").fetchone() == (3, "100% ?:x")
    assert reader.execute("SELECT 7 % ?1, '100%', ?1", (4,)).fetchone() == (3, "100%", 4)
    assert reader.execute("SELECT :a || :b", {"a": "x", "b": "y", "more": 1}).fetchone() == ("xy",)


def test_tables_and_columns_are_asked_for_as_of_sqlite(reader):
    assert has_table(reader.execute, "visit")
    assert not has_table(reader.execute, "known")
    assert columns_of(reader.execute, "warc")[:3] == ["id", "name", "size"]


def test_main_is_the_table_behind_a_view_of_its_name(reader):
    reader.execute("CREATE TEMP VIEW state AS SELECT 'view' AS name")
    assert reader.execute("SELECT name FROM state").fetchall() == [("view",)]
    assert reader.execute("SELECT name FROM main.state").fetchall() == []
    assert reader.execute("SELECT name FROM temp.state").fetchall() == [("view",)]


def test_a_long_answer_comes_in_portions_and_others_may_be_asked_in_between(reader, monkeypatch):
    monkeypatch.setattr(module, "_PORTION", 10)
    some = reader.execute("SELECT n FROM generate_series(1, ?) AS n", (95,))
    found = [(number, *reader.execute("SELECT ? * 2", (number,)).fetchone()) for (number,) in some]
    assert found == [(number, number * 2) for number in range(1, 96)]
    assert reader.execute(OPEN).fetchone() == (0,)


def test_memory_does_not_hold_a_long_answer(reader):
    begun = reader.execute("SELECT repeat('x', 1000) FROM generate_series(1, 300000)")
    rows = iter(begun)
    assert len(next(rows)[0]) == 1000
    assert reader.execute(OPEN).fetchone() == (1,)
    rows.close()
    assert reader.execute(OPEN).fetchone() == (0,)


def test_no_transaction_stays_open(reader, admin):
    rows = iter(reader.execute("SELECT n FROM generate_series(1, 10000) AS n"))
    next(rows)
    (state,) = admin.execute(
        "SELECT state FROM pg_stat_activity WHERE pid = %s", reader.execute("SELECT pg_backend_pid()").fetchone()
    ).fetchone()
    assert state == "idle"
    rows.close()


def test_a_question_that_makes_no_sense_is_one_sentence(reader, schema):
    with pytest.raises(LedgerError, match=r'crawl .* cannot be used: column "nonsense" does not exist') as caught:
        reader.execute("SELECT nonsense").fetchall()
    assert "\n" not in str(caught.value)


def test_a_lost_connection_is_one_sentence(reader, admin):
    admin.execute("SELECT pg_terminate_backend(%s)", reader.execute("SELECT pg_backend_pid()").fetchone())
    with pytest.raises(LedgerLost, match="does not answer"):
        reader.execute("SELECT 1").fetchone()
    with pytest.raises(LedgerLost):
        list(reader.execute("SELECT 1"))
