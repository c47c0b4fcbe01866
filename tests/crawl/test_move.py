"""A crawl that moves from its folder into PostgreSQL, and back: nothing is lost, and it goes on as it would have gone on."""

import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
import tomli_w
from tests.crawl.irises import served
from tests.crawl.local import kill, start

from thresher.disk.folder import CrawlFolder
from thresher.lab.webs.generated import generate

psycopg = pytest.importorskip("psycopg")
PAGES, MORE = 100, 180
LABELLED = 5


def thresher(*arguments, code=0, typed=""):
    """Run a command as a process; returns what it printed."""
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, timeout=300, check=False, text=True, input=typed)
    assert run.returncode == code, run.stderr + run.stdout
    assert "Traceback" not in run.stderr
    return run.stdout + run.stderr


@pytest.fixture(scope="module")
def web():
    made = generate(size=600, hosts=30, seed=3)
    with served(made) as server:
        yield made, server.port


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    """A crawl of a hundred pages, with labels and a host that was left."""
    made, port = web
    folder = tmp_path_factory.mktemp("crawled")
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [next(made.urls(port))],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "workers": 1,
        "hands": {"count": 0},
        "polite": {"delay": 0, "allow_private": True},
        "budget": {"dry_share": 0.0, "pages": PAGES},
        "fetch": {"resolve": dict.fromkeys(made.atlas.hosts, "127.0.0.1")},
    }
    file = folder / "crawl.toml"
    file.write_text(tomli_w.dumps(settings), "utf-8")
    thresher("crawl", file, "--quiet")
    thresher("label", folder / "crawl", "--limit", LABELLED, typed="y\nn\n" * LABELLED)
    thresher("rejudge", folder / "crawl", "--threshold", "0.2", "--yes")
    thresher("revisit", folder / "crawl", "--now", "--limit", LABELLED, "--quiet")
    thresher("tell", folder / "crawl", "leave", made.atlas.hosts[-1])
    return folder / "crawl"


@pytest.fixture
def folder(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "folder")


@pytest.fixture
def address(postgres, schema):
    return f"{postgres.url()}&schema={schema}" if "?" in postgres.url() else f"{postgres.url()}?schema={schema}"


def rows(folder, sql):
    with closing(sqlite3.connect(f"file:{folder}/crawl.sqlite?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def visited(folder):
    return [url for (url,) in rows(folder, "SELECT url FROM visit WHERE asked ORDER BY number")]


def test_a_crawl_that_moved_goes_on_as_it_would_have_gone_on(crawled, folder, address, tmp_path):
    assert len(visited(folder)) == PAGES
    said = thresher("move", folder, address)
    assert "tables are the same" in said
    assert visited(folder) == visited(crawled)
    stayed = shutil.copytree(crawled, tmp_path / "stayed")
    thresher("crawl", stayed, "--pages", MORE, "--quiet")
    thresher("crawl", "--ledger", address, "--pages", MORE, "--quiet")
    assert "tables are the same" in thresher("move", address, tmp_path / "back")
    expected = visited(stayed)
    assert len(expected) == MORE
    assert visited(tmp_path / "back") == expected
    thresher("crawl", stayed, "--pages", 2 * MORE, "--quiet")
    thresher("crawl", tmp_path / "back", "--pages", 2 * MORE, "--quiet")
    assert visited(tmp_path / "back") == visited(stayed)
    assert len(visited(stayed)) > MORE


TABLES = {
    "visit": "number",
    "band": "key, number",
    "look": "host",
    "state": "name",
    "label": "url",
    "revisit": "number",
    "rejudging": "number",
    "rejudgement": "round, visit, look",
    "carried_out": "inbox, number",
    "warc": "id",
    "host": "number",
    "alike": "host",
    "known": "key",
    "origin": "seq",
}


def test_there_and_back_every_row_is_as_it_was(crawled, folder, address, tmp_path):
    thresher("move", folder, address)
    thresher("move", address, tmp_path / "back")
    for table, order in TABLES.items():
        asked = f"SELECT * FROM {table} ORDER BY {order}"
        before, after = rows(crawled, asked), rows(tmp_path / "back", asked)
        assert before or table == "alike"
        if table == "origin":  # of a url with a better link, where it was found first is not moved
            better = {seq for (seq,) in rows(crawled, "SELECT seq FROM new_origin")}
            before, after = (
                [(row[0], row[-1]) if row[0] in better else row for row in each] for each in (before, after)
            )
        assert after == before, table
    files = sorted(path.name for path in (crawled / "warc").glob("*.gz"))
    assert files
    for name in files:
        assert (tmp_path / "back" / "warc" / name).read_bytes() == (crawled / "warc" / name).read_bytes()
    before, after = ((path / "crawl.toml").read_text() for path in (crawled, tmp_path / "back"))
    assert after == before


def test_what_is_exported_is_the_same_on_both_sides(folder, address, tmp_path):
    thresher("move", folder, address)
    for place, file in ((folder, "ours"), (address, "theirs")):
        thresher("export", place, "--to", "jsonl", "--duplicates", "--out", tmp_path / f"{file}.jsonl")
    assert (tmp_path / "theirs.jsonl").read_bytes() == (tmp_path / "ours.jsonl").read_bytes()
    assert (tmp_path / "ours.jsonl").read_bytes().count(b"\n") > PAGES / 2


def test_files_are_copied_where_they_are_wanted(folder, address, tmp_path):
    said = thresher("move", folder, address, "--warcs", tmp_path / "files")
    assert f"The WARC files lie in {tmp_path / 'files'}." in said
    shutil.rmtree(folder)
    assert "relevant" in thresher("show", address)
    thresher("crawl", "--ledger", address, "--pages", PAGES + 20, "--quiet")
    thresher("move", address, tmp_path / "back")
    names = {name for (name,) in rows(tmp_path / "back", "SELECT name FROM warc")}
    assert len(names) == 2
    assert {path.name for path in (tmp_path / "back" / "warc").glob("*.gz")} == names
    url = visited(tmp_path / "back")[-1]
    assert "lost" not in thresher("why", tmp_path / "back", url)
    assert len(visited(tmp_path / "back")) == PAGES + 20


def test_files_are_copied_into_a_store_and_back(crawled, folder, address, tmp_path, s3):
    store = f"s3://{s3.bucket}/moved"
    said = thresher("move", folder, address, "--warcs", store)
    assert f"The WARC files lie in {store}." in said
    files = {path.name: path.read_bytes() for path in (crawled / "warc").glob("*.gz")}
    assert {name: body for name, body in s3.objects("moved").items() if name in files} == files
    shutil.rmtree(folder)
    thresher("export", address, "--to", "jsonl", "--out", tmp_path / "from-the-store.jsonl")
    thresher("export", crawled, "--to", "jsonl", "--out", tmp_path / "from-the-folder.jsonl")
    assert (tmp_path / "from-the-store.jsonl").read_bytes() == (tmp_path / "from-the-folder.jsonl").read_bytes()
    assert "tables are the same" in thresher("move", address, tmp_path / "back")
    assert {path.name: path.read_bytes() for path in (tmp_path / "back" / "warc").glob("*.gz")} == files


def test_a_store_with_another_file_of_that_name_is_not_written_to(folder, address, s3):
    [name, *_] = [path.name for path in (folder / "warc").glob("*.gz")]
    s3.put(f"taken/{name}", b"of somebody else")
    said = thresher("move", folder, address, "--warcs", f"s3://{s3.bucket}/taken", code=2)
    assert f"s3://{s3.bucket}/taken has another file called {name}: choose another --warcs" in said
    assert s3.objects("taken")[name] == b"of somebody else"


def test_one_sentence_says_what_cannot_be_moved(folder, address, tmp_path):
    assert "move goes from a folder into a database" in thresher("move", folder, tmp_path / "copy", code=2)
    assert "move goes from a folder into a database" in thresher("move", address, f"{address}_2", code=2)
    assert "is not there" in thresher("move", tmp_path / "none", address, code=2)
    assert "holds no crawl" in thresher("move", address, tmp_path / "copy", code=2)
    thresher("move", folder, address)
    assert "is there already: name another crawl by ?schema=NAME" in thresher("move", folder, address, code=2)
    assert "is there already: name a folder that is not" in thresher("move", address, folder, code=2)
    assert "--warcs is for a move into a database" in thresher("move", address, tmp_path / "c", "--warcs", "x", code=2)


def ask(address, sql, *values):
    """Ask the server itself, in the schema of the crawl."""
    url, _, schema = address.partition("?schema=")
    with psycopg.connect(url, autocommit=True, options=f"-c search_path={schema}") as connection:
        cursor = connection.execute(sql, values or None)
        return cursor.fetchall() if cursor.description else []


def test_half_of_a_crawl_is_refused_by_all_and_the_same_move_begins_anew(folder, address, tmp_path):
    thresher("move", folder, address)
    whence = f"{socket.gethostname()}:{folder}"
    ask(address, "UPDATE ledger SET moving = %s", whence)
    ask(address, "DELETE FROM url WHERE state = 0")
    for command in (["show"], ["why", "http://a.example/"], ["work"], ["export", "--to", "csv"], ["tell", "pause"]):
        name, *rest = command
        said = thresher(name, address, *rest, code=2)
        assert "is an unfinished copy of" in said
        assert "run the same thresher move again" in said
    assert "is an unfinished copy of" in thresher(
        "crawl", "iris", "--ledger", address, "--into", tmp_path / "iris", "--seed", "http://a.example/", code=2
    )
    assert "is an unfinished copy of" in thresher("move", address, tmp_path / "back", code=2)
    other = shutil.copytree(folder, tmp_path / "other")
    assert "is there already" in thresher("move", other, address, code=2)
    assert "tables are the same" in thresher("move", folder, address)
    assert "relevant" in thresher("show", address)


def test_half_of_a_folder_is_refused_by_all_and_the_same_move_begins_anew(folder, address, tmp_path):
    thresher("move", folder, address)
    back = tmp_path / "back"
    thresher("move", address, back)
    (back / "unfinished-move").write_text(f"postgresql://somewhere\n{ask(address, 'SELECT crawl FROM ledger')[0][0]}\n")
    for command in (["show"], ["why", "http://a.example/"], ["crawl"], ["export", "--to", "csv"], ["tell", "pause"]):
        name, *rest = command
        assert "is an unfinished copy of postgresql://somewhere" in thresher(name, back, *rest, code=2)
    assert "of another crawl" in thresher("move", address, back, code=2)
    shown = address.replace(address.split("//")[1].split("@")[0], "thresher")
    (back / "unfinished-move").write_text(f"{shown}\n{ask(address, 'SELECT crawl FROM ledger')[0][0]}\n")
    assert "tables are the same" in thresher("move", address, back)
    assert visited(back) == visited(folder)


def stands(address):
    """Whether a copy is under way, complete, or not begun."""
    try:
        [(moving,)] = ask(address, "SELECT moving FROM ledger")
    except psycopg.Error:
        return "not begun"
    return "under way" if moving else "complete"


def test_a_move_that_is_killed_leaves_the_source_as_it_was(folder, address):
    before = rows(folder, "SELECT * FROM known")
    for pause in (0.0, 0.03, 0.1, 0.3):
        process = start("move", folder, address)
        while stands(address) == "not begun" and process.poll() is None:
            time.sleep(0.01)
        time.sleep(pause)
        kill(process)
        assert thresher("show", folder)
        if stands(address) == "complete":  # a fast machine
            break
        assert "unfinished copy" in thresher("show", address, code=2)
    if stands(address) != "complete":
        assert "tables are the same" in thresher("move", folder, address)
    assert rows(folder, "SELECT * FROM known") == before
    assert ask(address, "SELECT count(*) FROM url") == [(len(before),)]


def test_nothing_is_moved_while_somebody_works_on_it(folder, address, tmp_path):
    with CrawlFolder(folder):
        assert "is in use by another thresher" in thresher("move", folder, address, code=2)
    thresher("move", folder, address)
    url, _, schema = address.partition("?schema=")
    with closing(psycopg.connect(url, autocommit=True)) as worker:
        worker.execute("SELECT pg_advisory_lock_shared(hashtext('thresher workers'), hashtext(%s))", (schema,))
        assert "is in use by workers: stop them first" in thresher("move", address, tmp_path / "back", code=2)
    assert not (tmp_path / "back").exists()


def test_what_workers_learnt_last_is_learnt_in_the_folder(folder, address, tmp_path):
    thresher("move", folder, address)
    thresher("crawl", "--ledger", address, "--pages", PAGES + 20, "--quiet")
    [(lessons,)] = ask(address, "SELECT count(*) FROM lesson")
    assert lessons
    known = ask(address, "SELECT number FROM learner ORDER BY heard DESC, number DESC LIMIT 1")
    # As if another worker had learnt them, and been killed.
    ask(address, "UPDATE lesson SET learner = 999")
    ask(address, "UPDATE learner SET heard = 0")
    before = dict(ask(address, "SELECT name, value FROM state WHERE name ^@ %s", f"learner/{known[0][0]}/strategy/"))
    said = thresher("move", address, tmp_path / "back")
    assert f"The strategy has then learnt {lessons} last lessons of the workers." in said
    after = dict(rows(tmp_path / "back", "SELECT name, value FROM state WHERE name LIKE 'strategy/%'"))
    assert after != {name.partition("/")[2].partition("/")[2]: value for name, value in before.items()}
    thresher("crawl", tmp_path / "back", "--pages", PAGES + 40, "--quiet")
    assert len(visited(tmp_path / "back")) == PAGES + 40


def test_a_folder_that_is_named_is_meant_whatever_the_environment_says(folder, monkeypatch):
    monkeypatch.setenv("THRESHER_LEDGER", "postgresql://nobody@127.0.0.1:1/nothing")
    thresher("crawl", folder, "--pages", PAGES + 5, "--quiet")
    assert len(visited(folder)) == PAGES + 5
    assert "does not answer" in thresher("work", code=2) or "cannot be used" in thresher("work", code=2)
