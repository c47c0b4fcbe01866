"""A crawl over more hosts than there are files to open: no url is lost for want of a connection."""

import asyncio
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

PAGE = b"<!doctype html><title>Iris</title><p>The iris of the eye."
HOSTS, LIMIT = 600, 160


class Keeper:
    """A server that keeps every connection open."""

    def __init__(self):
        self.connections = 0

    async def talk(self, reader, writer):
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                robots = head.startswith(b"GET /robots.txt ")
                kind, body = (b"text/plain", b"") if robots else (b"text/html", PAGE)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body)
                )
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def start_with_few_files(*arguments):
    limited = f'ulimit -n {LIMIT}; exec "$@"'
    command = ["sh", "-c", limited, "sh", sys.executable, "-m", "thresher", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def descriptors(process):
    try:
        return len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
    except OSError:
        return 0


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.0/8 is this machine only on Linux, and /proc is counted")
@pytest.mark.parametrize("hands", [0, pytest.param(1, marks=pytest.mark.slow)])
async def test_no_url_is_lost_where_hosts_are_more_than_open_files(tmp_path, hands):
    keeper = Keeper()
    server = await asyncio.start_server(keeper.talk, "0.0.0.0", 0)
    port = server.sockets[0].getsockname()[1]
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("".join(f"http://127.0.{n // 250}.{n % 250 + 1}:{port}/\n" for n in range(HOSTS)))
    manners = ("--delay", 0, "--workers", 32, "--hands", hands, "--allow-private", "--quiet")
    process = start_with_few_files(
        "crawl", "--topic", "iris eye", "--seeds", seeds, "--into", tmp_path / "crawl", *manners
    )
    most = 0
    while process.poll() is None:
        most = max(most, descriptors(process))
        await asyncio.sleep(0.02)
    said = process.communicate()[1].decode()
    server.close()
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite")) as catalogue:
        outcomes = Counter(outcome for (outcome,) in catalogue.execute("SELECT outcome FROM visit"))
    assert (process.returncode, said) == (0, "")
    assert outcomes == {"page": HOSTS}
    assert most < LIMIT
    assert hands or most > LIMIT // 3, "it was measured"
    assert keeper.connections < 1.5 * HOSTS, "robots.txt and page come over one connection"
