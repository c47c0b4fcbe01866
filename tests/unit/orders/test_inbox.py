"""The inbox: many write into it at once, and nothing is lost, doubled or put in another order."""

import os
import subprocess
import sys
import time
from contextlib import closing

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, FolderError
from thresher.orders import inbox
from thresher.orders.inbox import answers, give, inbox_path
from thresher.orders.inbox_reader import InboxReader
from thresher.orders.order import (
    First,
    GoOn,
    Label,
    Leave,
    More,
    Pause,
    StopCrawl,
    TakeBack,
    from_bytes,
    leave,
    to_bytes,
    web_url,
)
from thresher.orders.words import order_of

HOSTS = st.sampled_from(["example.org", "a.example:8080", "127.0.0.1:9", "xn--bcher-kva.example"])
URLS = st.builds(lambda host, path: web_url(f"http://{host}/{path}"), HOSTS, st.text(max_size=50))
ORDERS = st.one_of(
    st.sampled_from([Pause(), GoOn(), StopCrawl()]),
    st.builds(More, st.sampled_from(["pages", "relevant", "bytes"]), st.integers(1, 10**12)),
    st.builds(More, st.just("minutes"), st.floats(0.01, 1e6)),
    st.builds(Leave, HOSTS),
    st.builds(First, URLS),
    st.builds(Label, URLS, st.sampled_from([True, False, None])),
    st.builds(TakeBack, URLS),
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "crawl.toml").write_text('topic = "iris"\n')
    return CrawlFolder(tmp_path)


def waiting(folder, after=0):
    look = InboxReader(inbox_path(folder)).look({name_of_inbox(folder): after})
    return [(number, from_bytes(said)) for number, said in look.given]


def name_of_inbox(folder):
    with closing(inbox.sqlite3.connect(inbox_path(folder))) as connection:
        return connection.execute("SELECT name FROM inbox").fetchone()[0]


@given(ORDERS)
def test_an_order_comes_back_as_it_was_given(order):
    assert from_bytes(to_bytes(order)) == order


@given(
    st.binary(max_size=200) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr).map(str.encode)
)
def test_what_is_no_order_is_an_error_and_nothing_worse(said):
    with pytest.raises(BadInput):
        from_bytes(said)


@given(st.lists(ORDERS, min_size=1, max_size=10), st.data())
@settings(max_examples=20, deadline=None)
def test_orders_are_read_once_and_in_order_from_wherever_one_stopped(tmp_path_factory, orders, data):
    path = tmp_path_factory.mktemp("crawl")
    (path / "crawl.toml").write_text("")
    folder = CrawlFolder(path)
    numbers = [give(folder, order) for order in orders]
    assert numbers == sorted(set(numbers))
    assert waiting(folder) == list(zip(numbers, orders, strict=True))
    done = data.draw(st.integers(0, len(orders)))
    assert waiting(folder, numbers[done - 1] if done else 0) == list(zip(numbers, orders, strict=True))[done:]


GIVING = """
import sys
from pathlib import Path
from thresher.disk.folder import CrawlFolder
from thresher.orders.inbox import give
from thresher.orders.order import More
for number in range(25):
    give(CrawlFolder(Path(sys.argv[1])), More("pages", int(sys.argv[2]) * 100 + number + 1))
"""


def test_several_processes_give_orders_at_once_and_none_is_lost(folder):
    writers = [subprocess.Popen([sys.executable, "-c", GIVING, folder.path, str(each)]) for each in range(4)]
    assert [each.wait(60) for each in writers] == [0] * 4
    reader, name, seen = InboxReader(inbox_path(folder)), name_of_inbox(folder), []
    while given := reader.look({name: seen[-1][0] if seen else 0}).given:
        seen += given
    amounts = [from_bytes(said).amount for _, said in seen]
    assert sorted(amounts) == sorted(writer * 100 + number + 1 for writer in range(4) for number in range(25))
    for writer in range(4):
        own = [amount for amount in amounts if (amount - 1) // 100 == writer]
        assert own == sorted(own), "what one process gave is in its order"


def test_a_change_is_seen_by_a_stat_and_without_one_nothing_is_read(folder):
    reader = InboxReader(inbox_path(folder))
    assert not reader.changed(), "there is no inbox yet"
    give(folder, Pause())
    assert reader.changed()
    old = time.time() - 10
    os.utime(inbox_path(folder), (old, old))
    assert reader.changed()
    assert not reader.changed()
    assert not reader.changed()
    give(folder, GoOn())
    assert reader.changed()
    assert reader.changed(), "a moment after a change another one may have the same time"


def test_a_writer_that_is_at_work_makes_nobody_wait(folder):
    give(folder, Pause())
    with closing(inbox.sqlite3.connect(inbox_path(folder), isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        reader = InboxReader(inbox_path(folder))
        assert reader.look({}) is None
        assert time.monotonic() - start < 1
        writer.execute("ROLLBACK")
    assert len(reader.look({name_of_inbox(folder): 0}).given) == 1


def test_a_full_inbox_forgets_only_what_was_carried_out(folder, monkeypatch):
    monkeypatch.setattr(inbox, "_MOST", 3)
    with closing(inbox.sqlite3.connect(folder.database)) as catalogue:
        catalogue.executescript("CREATE TABLE carried_out (inbox, number, at, sentence, moved, done)")
    numbers = [give(folder, Pause()) for _ in range(3)]
    with pytest.raises(BadInput, match=r"3 orders wait in .*orders.sqlite already"):
        give(folder, GoOn())
    with closing(inbox.sqlite3.connect(folder.database)) as catalogue, catalogue:
        done = name_of_inbox(folder), numbers[1], 0.0, "", 0, 1
        catalogue.execute("INSERT INTO carried_out VALUES (?, ?, ?, ?, ?, ?)", done)
    last = give(folder, GoOn())
    assert [number for number, _ in waiting(folder)] == [*numbers[1:], last]


def test_numbers_go_on_although_the_clock_is_set_back(folder, monkeypatch):
    first = give(folder, Pause())
    monkeypatch.setattr(inbox.time, "time_ns", lambda: 0)
    assert [give(folder, GoOn()), give(folder, StopCrawl())] == [first + 1, first + 2]


def test_an_inbox_whose_numbers_make_no_sense_is_told_of_and_what_makes_sense_is_read(folder):
    number = give(folder, Pause())
    with closing(inbox.sqlite3.connect(inbox_path(folder))) as connection, connection:
        connection.execute("INSERT INTO given (number, said) VALUES (?, ?)", (2**63 - 1, to_bytes(StopCrawl())))
    with pytest.raises(FolderError, match="its numbers make no sense; if it is damaged, remove it"):
        give(folder, GoOn())
    assert waiting(folder) == [(number, Pause())]


def test_a_folder_without_a_crawl_takes_no_orders(tmp_path):
    with pytest.raises(BadInput, match=r"it has no crawl.toml"):
        give(CrawlFolder(tmp_path), Pause())
    assert not any(tmp_path.iterdir())
    assert answers(CrawlFolder(tmp_path)) == []


def test_a_damaged_inbox_is_told_to_whoever_gives_an_order(folder):
    inbox_path(folder).write_bytes(b"no database" * 100)
    with pytest.raises(FolderError, match=r"orders.sqlite: file is not a database; if it is damaged, remove it"):
        give(folder, Pause())


def test_an_order_that_is_too_long_is_refused(folder):
    with pytest.raises(BadInput, match="the order takes"):
        give(folder, First(web_url("http://a.example/" + "x" * 9000)))


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("pause", Pause()),
        ("go-on", GoOn()),
        ("go on", GoOn()),
        ("stop", StopCrawl()),
        ("pages +500", More("pages", 500)),
        ("bytes +1,000_000", More("bytes", 1_000_000)),
        ("minutes +2.5", More("minutes", 2.5)),
        ("leave Example.ORG", Leave("example.org")),
        ("leave https://example.org:8443/some/page", Leave("example.org:8443")),
        ("first http://a.example", First("http://a.example/")),
        ("label http://a.example yes", Label("http://a.example/", relevant=True)),
        ("label http://a.example skip", Label("http://a.example/", relevant=None)),
        ("take-back http://a.example", TakeBack("http://a.example/")),
    ],
)
def test_orders_as_they_are_typed(words, order):
    assert order_of(words.split()) == order


@pytest.mark.parametrize("host", ["", "*", "a b", "a/b\\", "user@host", "..", "javascript:alert(1)"])
def test_what_is_no_host_cannot_be_left(host):
    with pytest.raises(BadInput, match=r"is not a host such as example\.org"):
        leave(host)


def test_an_inbox_that_is_removed_while_it_is_looked_at_has_no_orders(folder):
    give(folder, Pause())
    reader = InboxReader(inbox_path(folder))
    assert reader.changed()
    inbox_path(folder).unlink()
    assert reader.look({}) is None
    assert not reader.changed()


def test_no_order_gets_a_number_that_the_crawl_would_not_read(folder):
    give(folder, Pause())
    with closing(inbox.sqlite3.connect(inbox_path(folder))) as connection, connection:
        connection.execute("UPDATE given SET number = ?", (inbox.HIGHEST - 1,))
    with pytest.raises(FolderError, match="its numbers make no sense"):
        give(folder, GoOn())


def test_an_inbox_that_never_ends_is_told_of(folder, monkeypatch):
    monkeypatch.setattr(inbox, "_PATIENCE", 0.5)
    with closing(inbox.sqlite3.connect(inbox_path(folder))) as connection, connection:
        connection.execute("CREATE TABLE inbox (name TEXT)")
        connection.execute(
            "CREATE VIEW given AS WITH RECURSIVE each(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM each)"
            " SELECT number, x'00' AS said FROM each"
        )
    with pytest.raises(FolderError, match="no order can be put into"):
        give(folder, Pause())
