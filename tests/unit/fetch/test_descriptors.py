"""Open files are our own state: connections fit below the limit, and where there is no room no url is lost."""

import asyncio
import os
import resource
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.unit.fetch.test_exchange import ASKED, scripted

from thresher.fetch import HttpFetcher
from thresher.fetch.exchange import KeptOpen
from thresher.model import Later, Url


def shared(soft, hard, wanted):
    """What a process with these limits of open files gives itself, and its limit afterwards."""
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from thresher.fetch.descriptors import share\n"
        f"print(*share({wanted}), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return tuple(map(int, done.stdout.split()))


def test_the_limit_is_raised_as_far_as_connections_need_it():
    under_way, kept, limit = shared(256, 4096, 16)
    assert (under_way, kept) == (16, 1024)
    assert 1024 + 2 * 16 + 64 < limit < 1300


@pytest.mark.parametrize(
    ("hard", "wanted", "under_way", "most"),
    [
        (1024, 16, 16, 1024 - 2 * 16 - 64),
        (1024, 64, 64, 1024 - 2 * 64 - 64),
        (128, 16, 16, 128 - 2 * 16 - 32),
        (64, 500, 24, 2),
    ],
)
def test_connections_fit_below_a_limit_that_cannot_be_raised(hard, wanted, under_way, most):
    found, kept, limit = shared(hard, hard, wanted)
    assert limit == hard
    assert under_way - 10 < found <= under_way
    assert most - 12 <= kept <= most


def test_one_request_at_a_time_is_always_allowed():
    assert shared(8, 8, 16)[0] == 1


class Exchange:
    def __init__(self):
        self.closed = False

    def hang_up(self):
        self.closed = True


def test_for_a_new_connection_the_least_recently_used_is_closed():
    kept = KeptOpen(2)
    first, second, third = Exchange(), Exchange(), Exchange()
    kept.add(first)
    kept.add(second)
    kept.discard(first)
    kept.add(first)
    kept.add(third)
    assert [each.closed for each in (first, second, third)] == [False, True, False]
    kept.close_all()
    assert (first.closed, third.closed, len(kept)) == (True, True, 0)


@contextmanager
def no_files_left():
    """No descriptor can be opened inside; those that are open stay usable."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(path.name) for path in Path("/proc/self/fd").iterdir()) + 1
    taken = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    try:
        while True:
            try:
                taken.append(os.dup(0))
            except OSError:
                break
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in taken:
            os.close(descriptor)


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
@pytest.mark.parametrize("place", ["http://127.0.0.2:{port}/", "http://localhost:{port}/"], ids=["address", "name"])
async def test_where_no_file_can_be_opened_the_url_waits_and_is_not_blamed(place):
    async with scripted([[ASKED]] * 3) as (server, _):
        fetcher = HttpFetcher()
        await fetcher.fetch(Url(server.url))
        with no_files_left():
            without = await fetcher.fetch(Url(place.format(port=server.url.rsplit(":", 1)[1].strip("/"))))
        with_room = await fetcher.fetch(Url(server.url))
        await fetcher.close()
    assert without == Later("no-files", 1.0)
    assert with_room.status == 200


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
async def test_idle_connections_make_room_for_the_one_that_is_needed():
    async with scripted([[ASKED]]) as (server, _):
        fetcher = HttpFetcher()
        await fetcher.fetch(Url(server.url))
        with no_files_left():
            assert isinstance(await fetcher.fetch(Url(server.url.replace("127.0.0.1", "127.0.0.2"))), Later)
            await asyncio.sleep(0.05)
            held = len(fetcher.connections._kept)
        await fetcher.close()
    assert held == 0


async def test_no_more_connections_are_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("thresher.fetch.connect.share", lambda wanted: (wanted, 3))
    listener = await asyncio.start_server(_polite, "0.0.0.0", 0)
    port = listener.sockets[0].getsockname()[1]
    fetcher = HttpFetcher()
    for number in range(1, 20):
        response = await fetcher.fetch(Url(f"http://127.0.0.{number}:{port}/"))
        assert response.status == 200
    await asyncio.sleep(0.05)
    held = [each for kept in fetcher.connections.open()._conns.values() for each, _ in kept if each.is_connected()]
    again = [await fetcher.fetch(Url(f"http://127.0.0.{number}:{port}/")) for number in (17, 18, 19)]
    await fetcher.close()
    listener.close()
    assert len(held) == 3
    assert [response.body for response in again] == [b"2"] * 3, "the three that were used last are used again"


async def _polite(reader, writer):
    """Answers with how many questions came on this connection."""
    asked = 0
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            asked += 1
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\n%d" % asked)
    except (OSError, asyncio.IncompleteReadError):
        writer.close()
