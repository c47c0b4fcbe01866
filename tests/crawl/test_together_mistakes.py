"""Whatever is wrong with the PostgreSQL of a crawl is one sentence and exit code 2, and never shows a password."""

import http.server
import threading
from contextlib import contextmanager

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
import psycopg
from tests.crawl.in_process import thresher
from tests.crawl.irises import served
from tests.crawl.local import crawl_file

from thresher.disk.postgres_ledger import FORMAT
from thresher.lab.webs.generated import generate

SECRET = "hunter2-hunter2"
CRAWL = ("crawl", "iris, eye, pupil", "--quiet", "--delay", "0", "--pages", "5", "--allow-private")


@pytest.fixture
def admin(postgres):
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        yield connection


@pytest.fixture
def refused(monkeypatch, capsys, postgres, tmp_path):
    """The one sentence of a command that is refused."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        done = thresher(monkeypatch, capsys, *arguments)
        assert (done.code, done.err.count("\n")) == (2, 1), done
        assert "Traceback" not in done.err
        for secret in (SECRET, postgres.password):
            assert secret not in done.out + done.err
        return done.err

    return run


@pytest.fixture
def both(refused):
    """The same sentence of whoever begins a crawl and of whoever joins one."""

    def run(address):
        said = {refused(*CRAWL, "--seed", "http://127.0.0.1:8080/", "--ledger", address), refused("work", address)}
        assert len(said) == 1, said
        return said.pop()

    return run


@pytest.fixture
def crawled(postgres, schema, monkeypatch, capsys, tmp_path):
    """The address of a crawl that has five pages."""
    monkeypatch.chdir(tmp_path)
    address = f"{postgres.url()}?schema={schema}"
    web = generate(size=20, hosts=2, seed=1)
    with served(web) as server:
        file = crawl_file(tmp_path / "crawl.toml", web, server.port, budget={"pages": 5})
        done = thresher(monkeypatch, capsys, "crawl", file, "--quiet", "--ledger", address, "--log", tmp_path / "log")
    assert done.code == 0, done
    assert postgres.password not in (tmp_path / "log").read_text() + done.out + done.err
    return address


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """It may end after its test, and what it says would be heard in another."""


@contextmanager
def web_server():
    """One that waits for no caller when it ends: a connection that is not closed would hold it for ever."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_wrong_password(both, postgres):
    assert "password authentication failed" in both(postgres.url(password=SECRET))


def test_no_server(both):
    assert "Connection refused" in both(f"postgresql://me:{SECRET}@127.0.0.1:1/crawls")


def test_no_database_of_that_name(both, postgres):
    assert 'database "nothing" does not exist' in both(postgres.url("nothing"))


@pytest.mark.slow
def test_a_server_of_another_kind(refused):
    """A web server waits for more, and so it is waited for: ten seconds."""
    with web_server() as port:
        assert f"127.0.0.1:{port}" in refused("work", f"postgresql://me:{SECRET}@127.0.0.1:{port}/crawls")


@pytest.mark.parametrize("table", ["t", "ledger"])
def test_a_schema_of_another_program(refused, postgres, schema, admin, table):
    admin.execute(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.{table} (theirs text)")
    address = f"{postgres.url()}?schema={schema}"
    assert "something else is kept under that name" in refused(
        *CRAWL, "--seed", "http://127.0.0.1:8080/", "--ledger", address
    )
    for command in ("work", "show", "report", "crawl"):
        assert "holds no crawl" in refused(command, address), command
    assert admin.execute("SELECT count(*) FROM pg_tables WHERE schemaname = %s", (schema,)).fetchone() == (1,)


def test_a_newer_format(both, crawled, admin, schema):
    admin.execute(f"UPDATE {schema}.ledger SET format = {FORMAT + 1}")
    assert f"has format {FORMAT + 1}, this Thresher reads up to {FORMAT}" in both(crawled)


@pytest.fixture
def poor(admin):
    """A user who may log in, and no more."""
    admin.execute(f"CREATE ROLE poor LOGIN PASSWORD '{SECRET}'")
    yield "poor"
    admin.execute("DROP OWNED BY poor; DROP ROLE poor")


def test_a_user_who_may_make_nothing(refused, postgres, schema, poor):
    address = f"{postgres.url(user=poor, password=SECRET)}?schema={schema}"
    said = refused(*CRAWL, "--seed", "http://127.0.0.1:8080/", "--ledger", address)
    assert "user poor lacks a right: permission denied for database" in said


def test_a_user_who_may_only_read(both, postgres, crawled, admin, schema, poor, monkeypatch, capsys):
    admin.execute(f"GRANT USAGE ON SCHEMA {schema} TO poor; GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO poor")
    address = f"{postgres.url(user=poor, password=SECRET)}?schema={schema}"
    assert "user poor lacks a right: permission denied for" in both(address)
    shown = thresher(monkeypatch, capsys, "show", address)
    assert (shown.code, shown.err) == (0, "")


def test_a_server_that_can_only_be_read(both, postgres, crawled, admin, schema, poor):
    admin.execute("ALTER ROLE poor SUPERUSER; ALTER ROLE poor SET default_transaction_read_only = on")
    said = both(f"{postgres.url(user=poor, password=SECRET)}?schema={schema}")
    assert "it can only be read (a replica?), and a crawl must write" in said


@pytest.mark.parametrize(
    "address",
    [f"postgresql://u:{SECRET}@[::1/x", f"postgresql://u:{SECRET}%zz@h/x", f"postgres://u:{SECRET}@/x?nonsense=1"],
)
def test_an_address_that_cannot_be_read(both, address):
    assert "the address of PostgreSQL cannot be read" in both(address)


@pytest.mark.parametrize("name", ["Iris", "a b", "pg_x", "x" * 64, "", "a;b", "ü", "1a"])
def test_a_name_that_is_none(both, postgres, name):
    assert "is no name for a crawl in PostgreSQL" in both(f"{postgres.url()}?schema={name}")


def test_two_names(both, postgres):
    assert "names 2 crawls by schema=: name one" in both(f"{postgres.url()}?schema=a&schema=b")


def test_a_crawl_for_another_topic(refused, crawled):
    said = refused("crawl", "trains", "--seed", "http://127.0.0.1:8080/", "--ledger", crawled)
    assert "is a crawl with topic 'iris, eye, pupil', not 'trains': choose another ?schema=" in said


def test_work_on_an_address_without_a_crawl(refused, postgres, schema, admin):
    assert "holds no crawl" in refused("work", f"{postgres.url()}?schema={schema}")
    admin.execute(f"CREATE SCHEMA {schema}")
    assert "holds no crawl" in refused("work", f"{postgres.url()}?schema={schema}")


def test_work_on_a_folder(refused, tmp_path):
    assert "is no address of PostgreSQL" in refused("work", tmp_path)


@pytest.mark.parametrize("place", ["/proc/nowhere", "/etc/passwd"])
def test_a_place_that_cannot_be_written_to(refused, crawled, place):
    assert f"cannot write pages into {place}" in refused("work", crawled, "--warcs", place)


def test_no_password_is_kept(crawled, admin, postgres, schema, tmp_path):
    tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,)).fetchall()
    kept = "\n".join(
        repr(admin.execute(f"SELECT {table}::text FROM {schema}.{table}").fetchall()) for (table,) in tables
    )
    [(settings,)] = admin.execute(f"SELECT settings FROM {schema}.ledger").fetchall()
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "iris" in settings
    assert postgres.password not in kept + settings
    assert postgres.password.encode() not in written


def test_a_crawl_whose_pages_cannot_be_kept_anywhere_is_not_begun(refused, admin, postgres, schema, tmp_path):
    (tmp_path / "a-file").write_text("no folder")
    begun = (*CRAWL, "--seed", "http://127.0.0.1:8080/", "--ledger", f"{postgres.url()}?schema={schema}")
    assert "a-file" in refused(*begun, "--warcs", tmp_path / "a-file" / "warc")
    assert admin.execute("SELECT to_regnamespace(%s)", (schema,)).fetchall() == [(None,)]


def test_where_no_crawl_can_be_made_no_folder_is(refused, postgres, tmp_path):
    begun = (*CRAWL, "--seed", "http://127.0.0.1:8080/", "--warcs", tmp_path / "warc")
    refused(*begun, "--ledger", postgres.url().replace(postgres.password, SECRET))
    assert not (tmp_path / "warc").exists()
