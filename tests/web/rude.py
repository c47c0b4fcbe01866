"""A web server that does everything wrong, on a random port of 127.0.0.1.

    async with RudeWeb() as web:
        await fetcher.fetch(web.url + "gzip-bomb")
        assert web.log[-1].path == "/gzip-bomb"

What it does, and what a fetcher should call it, stands in `rudeness.RUDENESSES`. The start page links to all of it.
"""

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple, Self

from .rudeness import RUDENESSES, Exchange, page

CAPPED_ROBOTS = b"User-agent: *\nDisallow: /forbidden\n" + b"".join(
    b"Disallow: /filler/%d\n" % n for n in range(210_000)
)
# Whoever reads all of it stops here; RFC 9309 lets a crawler stop after 500 KiB.
CAPPED_ROBOTS += b"Disallow: /\n"


class Asked(NamedTuple):
    """One request as the server saw it."""

    path: str
    head: bytes
    at: float


class RudeWeb:
    """The server. `robots` is the content of its robots.txt, `beat` the seconds between two bytes of a trickle."""

    def __init__(self, *, robots: bytes = CAPPED_ROBOTS, beat: float = 1.0) -> None:
        self.robots = robots
        self.beat = beat
        self.log: list[Asked] = []
        self.intruders: list[Asked] = []
        """Requests to the port that nobody may be led to."""
        self.host = ""
        self.secret_host = ""
        self._servers: list[asyncio.Server] = []
        self._talks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://{self.host}/"

    @property
    def urls(self) -> list[str]:
        return [self.url + path[1:] for path in RUDENESSES]

    async def start(self) -> Self:
        self.host = await self._listen(self.log)
        self.secret_host = await self._listen(self.intruders)
        return self

    async def stop(self) -> None:
        for server in self._servers:
            server.close()
        for talk in list(self._talks):
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        for server in self._servers:
            await server.wait_closed()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _listen(self, log: list[Asked]) -> str:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            talk = asyncio.ensure_future(self._talk(reader, writer, log))
            self._talks.add(talk)
            talk.add_done_callback(self._talks.discard)
            await asyncio.wait([talk])

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        self._servers.append(server)
        return f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, log: list[Asked]) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode()
                log.append(Asked(path, head, time.time()))
                await self._answer(Exchange(self, path, head, writer))
                await writer.drain()
                if writer.is_closing():
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, exchange: Exchange) -> None:
        name = "/" + exchange.path[1:].partition("?")[0].partition("/")[0]
        if exchange.path == "/robots.txt":
            exchange.answer(self.robots, kind="text/plain")
        elif name == "/":
            links = "".join(f'<p><a href="{path}">{path[1:]}</a></p>' for path in RUDENESSES)
            exchange.answer(page("A rude web", links))
        elif name in RUDENESSES:
            await RUDENESSES[name].behave(exchange)
        else:
            exchange.answer(page("Not here"), status="404 Not Found")


async def _stay() -> None:
    async with RudeWeb() as web:
        print(web.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_stay())
