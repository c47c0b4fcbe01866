import concurrent.futures
import subprocess
import sys
import time
import traceback

import pytest

from thresher.errors import BadInput, DiskFull, LedgerError, LedgerLost, LedgerVersion

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from thresher.disk import guarded_postgres  # noqa: E402
from thresher.disk import postgres_ledger as module  # noqa: E402
from thresher.disk.postgres_ledger import FORMAT, PostgresLedger  # noqa: E402

SECRET = "hunter2-hunter2"


def shown(error):
    """All that anybody may ever see of an error."""
    return "".join(traceback.format_exception(error))


def refusal(kind, *arguments, **options):
    """The one sentence with which a ledger is refused."""
    with pytest.raises(kind) as caught:
        PostgresLedger(*arguments, **options)
    assert "\n" not in str(caught.value)
    assert SECRET not in shown(caught.value)
    return str(caught.value)


def test_crawls_in_one_database_do_not_see_each_other(ledger, postgres, schema):
    other = PostgresLedger(postgres.url(), schema=f"{schema}_other")
    ledger.read("INSERT INTO host (name) VALUES ('a.example')")
    assert other.read("SELECT name FROM host") == []
    other.close()
    again = PostgresLedger(postgres.url(), schema=schema)
    assert again.read("SELECT name FROM host") == [("a.example",)]
    again.close()


def test_workers_that_come_at_once_make_one_schema(postgres, schema):
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        ledgers = list(pool.map(lambda _: PostgresLedger(postgres.url(), schema=schema), range(6)))
    assert [each.read("SELECT format FROM ledger") for each in ledgers] == [[(FORMAT,)]] * 6
    for each in ledgers:
        each.close()


@pytest.mark.parametrize(("durability", "synchronous"), [("fast", "off"), ("safe", "on")])
def test_durability_is_when_a_commit_answers(postgres, schema, durability, synchronous):
    ledger = PostgresLedger(postgres.url(), schema=schema, durability=durability)
    assert ledger.read("SHOW synchronous_commit") == [(synchronous,)]
    assert ledger.read("SHOW idle_in_transaction_session_timeout") == [("10s",)]
    ledger.close()


# ── what is refused ──


def test_a_wrong_password_is_told_without_it(postgres, schema):
    assert 'password authentication failed for user "thresher"' in refusal(
        LedgerError, postgres.url(password=SECRET), schema=schema
    )


def test_no_server_is_told_with_its_place(schema):
    said = refusal(LedgerError, f"postgresql://me:{SECRET}@127.0.0.1:1/crawls", schema=schema)
    assert said == f"PostgreSQL at 127.0.0.1:1, database crawls, crawl {schema} cannot be used: Connection refused"


def test_a_database_that_is_not_there_is_told(postgres, schema):
    assert 'database "nowhere" does not exist' in refusal(LedgerError, postgres.url("nowhere"), schema=schema)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql//me:{SECRET}@127.0.0.1/x",
        f"postgresql://me:{SECRET} x@127.0.0.1/x",
        f"postgresql://me:{SECRET}%zz@127.0.0.1/x",
        f"postgresql://me:{SECRET}@127.0.0.1/x?shcema=y",
        f"password={SECRET} =",
    ],
)
def test_an_address_that_makes_no_sense_is_not_repeated(url):
    assert "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE" in refusal(BadInput, url)


@pytest.mark.parametrize("name", ["", "Iris", "iris'", 'a"b', "a b", "1a", "a" * 64, "pg_catalog", "ирис"])
def test_a_name_that_is_none_is_refused(postgres, name):
    assert "is no name for a crawl in PostgreSQL" in refusal(BadInput, postgres.url(), schema=name)


def test_a_durability_that_is_none_is_refused(postgres):
    assert "durability is 'slow', but must be fast or safe" in refusal(BadInput, postgres.url(), durability="slow")


def test_a_server_that_is_too_old_is_told(postgres, schema, monkeypatch):
    monkeypatch.setattr(guarded_postgres, "OLDEST", 99)
    assert "but must be 99 or newer" in refusal(LedgerVersion, postgres.url(), schema=schema)


def test_a_database_that_is_not_in_utf8_is_told(postgres, schema, admin):
    admin.execute(f"CREATE DATABASE {schema} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    assert "the database is in LATIN1, but must be in UTF8" in refusal(LedgerError, postgres.url(schema), schema=schema)


def test_a_newer_format_is_left_as_it_is(ledger, postgres, schema):
    ledger.read("UPDATE ledger SET format = 99")
    assert f"has format 99, this Thresher reads up to {FORMAT}" in refusal(LedgerVersion, postgres.url(), schema=schema)
    assert ledger.read("SELECT format FROM ledger") == [(99,)]


def test_a_user_without_rights_is_told_which_one_is_missing(ledger, postgres, schema, admin):
    admin.execute(f"CREATE ROLE {schema}_guest LOGIN PASSWORD '{SECRET}'")
    url = postgres.url(user=f"{schema}_guest", password=SECRET)
    assert "lacks a right: permission denied for database postgres" in refusal(LedgerError, url, schema=f"{schema}_new")
    assert "lacks a right: permission denied for" in refusal(LedgerError, url, schema=schema)


def test_a_server_that_can_only_be_read_is_told(postgres, schema, admin):
    admin.execute(f"CREATE ROLE {schema}_reader LOGIN SUPERUSER PASSWORD '{SECRET}'")
    admin.execute(f"ALTER ROLE {schema}_reader SET default_transaction_read_only = on")
    said = refusal(LedgerError, postgres.url(user=f"{schema}_reader", password=SECRET), schema=schema)
    assert said.endswith("cannot be used: it can only be read (a replica?), and a crawl must write")


@pytest.mark.parametrize("table", ["host", "ledger"])
def test_a_schema_of_somebody_else_is_left_alone(postgres, schema, admin, table):
    admin.execute(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.{table} (theirs text)")
    assert "something else is kept under that name" in refusal(LedgerError, postgres.url(), schema=schema)
    assert admin.execute(f"SELECT * FROM {schema}.{table}").fetchall() == []


def test_a_full_disk_is_told_as_such(ledger):
    with pytest.raises(DiskFull, match="no room left on the server's disk"):
        ledger.turn("DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$")


def test_without_psycopg_it_is_said_how_to_get_it():
    code = "import sys; sys.modules['psycopg'] = None\nimport thresher.frontier\nimport thresher.frontier.postgres"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Missing: a crawl in PostgreSQL needs psycopg" in run.stderr.splitlines()[-1]
    assert "pip install" in run.stderr.splitlines()[-1]


# ── formats ──


def test_an_older_format_is_brought_up_to_ours_in_one_transaction(ledger, postgres, schema, monkeypatch):
    steps = {"two": "ALTER TABLE host ADD COLUMN colour text", "three": "SELECT 1 / 0"}
    made = module.schema_of
    monkeypatch.setattr(module, "schema_of", lambda name: steps.get(name) or made(name))
    monkeypatch.setattr(module, "_MIGRATIONS", {FORMAT: "two", FORMAT + 1: "three"})
    monkeypatch.setattr(module, "FORMAT", FORMAT + 2)
    assert "division by zero" in refusal(LedgerError, postgres.url(), schema=schema)
    assert ledger.read("SELECT format FROM ledger") == [(FORMAT,)]
    monkeypatch.setattr(module, "FORMAT", FORMAT + 1)
    again = PostgresLedger(postgres.url(), schema=schema)
    assert again.read("SELECT format, (SELECT count(colour) FROM host) FROM ledger") == [(FORMAT + 1, 0)]
    again.close()


# ── turns ──


def test_a_turn_is_kept_as_a_whole(ledger, admin, schema):
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("a.example",))
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("b.example",))
    assert ledger.read("SELECT name FROM host") == []
    assert ledger.turn("SELECT count(*) FROM host") == [(2,)]
    assert admin.execute(f"SELECT count(*) FROM {schema}.host").fetchall() == [(2,)]
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("c.example",))
    ledger.turn("SELECT")
    assert ledger.read("SELECT count(*) FROM host") == [(3,)]


def test_a_turn_that_is_refused_or_fails_keeps_nothing(ledger):
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("a.example",))
    assert ledger.turn("DO $$ BEGIN RAISE EXCEPTION 'too late' USING ERRCODE = 'TH001'; END $$") is None
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("a.example",))
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("a.example",))
    with pytest.raises(LedgerError, match="duplicate key"):
        ledger.turn("SELECT 1")
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("b.example",))
    ledger.forget_turn()
    assert ledger.turn("SELECT count(*) FROM host") == [(0,)], "and the next turn is not burdened with it"


def test_a_turn_whose_connection_was_cut_can_be_sent_again(ledger, admin):
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("a.example",))
    [(pid,)] = ledger.read("SELECT pg_backend_pid()")
    admin.execute("SELECT pg_terminate_backend(%s)", (pid,))
    while admin.execute("SELECT FROM pg_stat_activity WHERE pid = %s", (pid,)).fetchall():
        time.sleep(0.01)
    writes = ledger.take()
    with pytest.raises(LedgerLost, match="does not answer"):
        ledger.turn("SELECT 1", (), writes)
    ledger.write("INSERT INTO host (name) VALUES (%s)", ("b.example",))
    assert ledger.turn("SELECT count(*) FROM host", (), writes) == [(1,)], "and only what it wrote itself"


def test_a_worker_that_falls_silent_in_a_transaction_holds_nobody_up(ledger, postgres, schema):
    ledger.read("INSERT INTO host (name) VALUES ('a.example')")
    silent = PostgresLedger(postgres.url(), schema=schema)
    silent.read("SET idle_in_transaction_session_timeout = '200ms'")
    silent.read("BEGIN")
    silent.read("SELECT FROM host FOR UPDATE")
    ledger.read("UPDATE host SET delay = 1")
    with pytest.raises(LedgerLost):
        silent.read("COMMIT")
    silent.close()
