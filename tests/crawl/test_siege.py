"""A well-behaved host beside hostile ones, in one crawl: whatever they send, its pages are asked for on time."""

import asyncio
import itertools
import time
from contextlib import asynccontextmanager

import pytest
import tomli_w
from tests.crawl.local import archived, bodies, finish, shown, start

DELAY = 0.2
PAGES = 40
AGENTS = 4_000
LATE, LATE_PAGES = "127.0.0.5", 10
CROWD = [f"127.0.1.{number}" for number in range(1, 121)]
"""Many hosts of one page, whose connections stay open."""
FILES = 128
"""How many files the crawl may have open: fewer than there are hosts."""
FOREIGN = b"an answer to nothing"


def robots_of_a_thousand_agents():
    agents = "".join(f"User-agent: a{number}\n" for number in range(AGENTS))
    return (agents + "".join(f"Disallow: /{number}\n" for number in range(AGENTS))).encode()


def page(inside):
    return b"<html><head><title>Iris</title></head><body>" + inside + b"</body></html>"


def message(body, kind):
    return b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, len(body)) + body


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
    """Hosts on loopback addresses: one good, one with hostile pages, one with a hostile robots.txt, one that says more than it was asked,
    and many with a single page.
    """

    def __init__(self, *, harmless):
        self.harmless = harmless
        self.asked = []
        self.unasked = 0

    async def answer(self, reader, writer):
        own = writer.get_extra_info("sockname")[0]
        answered = False
        try:
            while (
                head := await self.question(reader, writer, late=answered and own == LATE and not self.harmless)
            ).startswith(b"GET "):
                writer.write(message(*self.content(own, head.split(b" ", 2)[1].decode())))
                await writer.drain()
                answered = True
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def question(self, reader, writer, *, late):
        """The head of the next question; a late host sends another answer if there is none after half of the crawl's delay."""
        asking = asyncio.ensure_future(reader.readuntil(b"\r\n\r\n"))
        if late:
            await asyncio.wait([asking], timeout=DELAY / 2)
        if late and not asking.done():
            self.unasked += 1
            writer.write(message(page(FOREIGN), b"text/html"))
        return await asking

    def content(self, own, path):
        if path == "/robots.txt":
            return self.robots(own), b"text/plain"
        if own == "127.0.0.2":
            self.asked.append(time.monotonic())
            return chain(path, PAGES), b"text/html"
        if own in {LATE, *CROWD}:
            return chain(path, LATE_PAGES if own == LATE else 0), b"text/html"
        if path == "/":
            here = [*HOSTILE, *HEADERS]
            return page(links(*here, *(f"http://{each}:{self.port}/" for each in CROWD))), b"text/html"
        return self.hostile(path)

    def robots(self, own):
        return b"" if self.harmless or own != "127.0.0.4" else robots_of_a_thousand_agents()

    def hostile(self, path):
        if self.harmless:
            return page(b"iris"), b"text/html"
        return HOSTILE.get(path, page(b"iris")), HEADERS.get(path, b"text/html")


def chain(path, length):
    """A page with a link to the next, up to so many."""
    number = int(path[1:] or 0)
    return page(links(*([f"/{number + 1}"] if number < length else [])))


def links(*targets):
    return b"<p>iris eye</p>" + b"".join(b"<a href='%s'>iris eye</a>" % each.encode() for each in targets)


@asynccontextmanager
async def hosts(*, harmless):
    made = Hosts(harmless=harmless)
    first = await asyncio.start_server(made.answer, "127.0.0.2", 0)
    made.port = first.sockets[0].getsockname()[1]
    others = await asyncio.start_server(made.answer, ["127.0.0.3", "127.0.0.4", LATE, *CROWD], made.port)
    try:
        yield made
    finally:
        first.close()
        others.close()


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
async def test_no_page_of_another_host_delays_a_host_by_more_than_a_second(tmp_path, hands):
    """Where the machine itself is busy, the same crawl among harmless hosts tells what that adds."""
    late = []
    for number in range(3):
        gap = await longest_gap(tmp_path / f"{number}", hands)
        late.append(gap - DELAY)
        if late[-1] >= 1.0:
            late[-1] = gap - await longest_gap(tmp_path / f"{number}-harmless", hands, harmless=True)
        if late[-1] < 1.0:
            break
    print(f"delayed by {late}")
    assert min(late) < 1.0


async def longest_gap(folder, hands, *, harmless=False):
    """The longest time between two requests to the good host, in a crawl that loses nothing and takes nothing for what it is not."""
    folder.mkdir()
    async with hosts(harmless=harmless) as served:
        settings = {
            "topic": "iris eye",
            "seeds": [f"http://127.0.0.{number}:{served.port}/" for number in (2, 3, 4, 5)],
            "into": "crawl",
            "hands": {"count": hands},
            "polite": {"delay": DELAY, "allow_private": True},
            "budget": {"pages": 1_000, "dry_share": 0.0},
        }
        (folder / "crawl.toml").write_text(tomli_w.dumps(settings))
        crawl = start("crawl", folder / "crawl.toml", "--quiet", files=FILES)
        assert await asyncio.to_thread(finish, crawl) == 0
    assert shown(folder / "crawl")["errors"] == {}
    assert len(served.asked) == PAGES + 1
    hostile = 2 * (1 + len(HOSTILE) + len(HEADERS))  # the host with the hostile robots.txt has the same pages
    assert len(set(archived(folder / "crawl"))) == PAGES + 1 + LATE_PAGES + 1 + hostile + len(CROWD)
    assert harmless or served.unasked > 0
    assert not any(FOREIGN in body for body in bodies(folder / "crawl"))
    return max(later - earlier for earlier, later in itertools.pairwise(served.asked))
