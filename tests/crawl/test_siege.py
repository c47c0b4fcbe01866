"""A well-behaved host beside hostile ones, in one crawl: whatever they send, its pages are asked for on time."""

import asyncio
import itertools
import time
from contextlib import asynccontextmanager

import pytest
import tomli_w
from tests.crawl.local import finish, shown, start

DELAY = 0.2
PAGES = 40
AGENTS = 4_000


def robots_of_a_thousand_agents():
    agents = "".join(f"User-agent: a{number}\n" for number in range(AGENTS))
    return (agents + "".join(f"Disallow: /{number}\n" for number in range(AGENTS))).encode()


def page(inside):
    return b"<html><head><title>Iris</title></head><body>" + inside + b"</body></html>"


HOSTILE = {
    "/charset": b"<meta " * 100 + b"charset=" + b" " * 3442 + b";",
    "/open-tags": b"<x" * 100_000,
    "/half-tags": b"<p>" + b"<b " * 1000 + (b"a" * 30_000 + b"<") * 33,
    "/half-tags-large": b"<p>" + b"<b " * 1000 + (b"a" * 30_000 + b"<") * 140,
    "/classes": page(b"".join(b'<div class="c%d %s">iris</div>' % (number, b"x" * 4000) for number in range(1000))),
    "/nested": page(b"<div>" * 60_000 + b"iris"),
    "/fonts": page(b"<b x1>" * 4000 + b"<p>iris" * 4000),
    "/attributes": page(b"<a " + b"".join(b"a%d=1 " % number for number in range(40_000)) + b">iris</a>"),
}
HEADERS = {"/header": b"text/html; charset=" + b" " * 16_000 + b";"}


class Hosts:
    """Three hosts on loopback addresses: one good, one with hostile pages, one with a hostile robots.txt."""

    def __init__(self):
        self.asked = []

    async def answer(self, reader, writer):
        own = writer.get_extra_info("sockname")[0]
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")).startswith(b"GET "):
                path = head.split(b" ", 2)[1].decode()
                body, kind = self.content(own, path)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, len(body)) + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    def content(self, own, path):
        if path == "/robots.txt":
            return (robots_of_a_thousand_agents() if own == "127.0.0.4" else b""), b"text/plain"
        if own == "127.0.0.2":
            self.asked.append(time.monotonic())
            number = int(path[1:] or 0)
            return page(b"<p>iris eye</p><a href='/%d'>iris</a>" % (number + 1)), b"text/html"
        if path == "/":
            links = b"".join(b"<a href='%s'>iris eye</a>" % each.encode() for each in [*HOSTILE, *HEADERS])
            return page(b"<p>iris eye</p>" + links), b"text/html"
        return HOSTILE.get(path, page(b"iris")), HEADERS.get(path, b"text/html")


@asynccontextmanager
async def hosts():
    made = Hosts()
    first = await asyncio.start_server(made.answer, "127.0.0.2", 0)
    port = first.sockets[0].getsockname()[1]
    others = [await asyncio.start_server(made.answer, f"127.0.0.{number}", port) for number in (3, 4)]
    try:
        yield made, port
    finally:
        for server in (first, *others):
            server.close()


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
async def test_no_page_of_another_host_delays_a_host_by_more_than_a_second(tmp_path, hands):
    longest = []
    # A page that holds up the crawl does so every time; other work on this machine does not.
    while len(longest) < 3 and min(longest, default=9.0) >= DELAY + 1.0:
        longest.append(await longest_gap(tmp_path / str(len(longest)), hands))
    print(f"longest gaps: {longest}")
    assert min(longest) < DELAY + 1.0


async def longest_gap(folder, hands):
    """The longest time between two requests to the good host."""
    folder.mkdir()
    async with hosts() as (served, port):
        settings = {
            "topic": "iris eye",
            "seeds": [f"http://127.0.0.{number}:{port}/" for number in (2, 3, 4)],
            "into": "crawl",
            "hands": {"count": hands},
            "polite": {"delay": DELAY, "allow_private": True},
            "budget": {"pages": PAGES + len(HOSTILE) + len(HEADERS) + 2, "dry_share": 0.0},
        }
        (folder / "crawl.toml").write_text(tomli_w.dumps(settings))
        assert await asyncio.to_thread(finish, start("crawl", folder / "crawl.toml", "--quiet")) == 0
    assert len(served.asked) > PAGES / 2
    assert shown(folder / "crawl")["errors"] == {}
    return max(later - earlier for earlier, later in itertools.pairwise(served.asked))
