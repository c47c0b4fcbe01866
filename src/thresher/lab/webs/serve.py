"""Serve a web over real HTTP on loopback, all its hosts on one port, told apart by Host header or absolute request.

    async with serve(generate(size=300)) as server:
        ...                       # GET / from 127.0.0.1:{server.port} with Host: eyeclinic.example:{server.port}
    server.log                    # what was answered, and when

    async with serve_recording(Recording.open(path)) as server:
        ...                       # http_proxy=http://127.0.0.1:{server.port} wget -r http://foldoc.org/

A recorded web is a proxy for any crawler; a client that takes no proxy sends the Host header. There is no TLS: a page recorded under https
is found under http where nothing was recorded there. `python -m thresher.lab.webs.serve --help` serves a generated web from a shell.
"""

import argparse
import asyncio
import errno
import json
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import uvloop

from thresher.errors import BadInput, ThresherError
from thresher.lab.webs.atlas import loopback_hosts
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.http_server import Connection, Server, wire
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.web_pages import Web, WebAnswer
from thresher.model import Response
from thresher.urls import canonical

BACKLOG = 1024
PORTS_TRIED = 20
LAST_PORT = 65_535
PAGES_A_JOB = 1_000


@asynccontextmanager
async def serve(
    web: Web, addresses: Sequence[str] = ("127.0.0.1",), port: int = 0, *, delay: float = 0.0, log: Path | None = None
) -> AsyncIterator[Server]:
    """Serve a web until the block ends; each answer waits for the delay. The log goes to a file if one is named."""
    server = Server(web, delay=delay, log=log)
    async with running(server, listen(addresses, port)):
        yield server


@asynccontextmanager
async def running(server: Server, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """WebAnswer on these sockets until the block ends."""
    server.port = sockets[0].getsockname()[1]
    open_now: set[Connection] = set()

    def connection() -> Connection:
        return Connection(server, open_now)

    loop = asyncio.get_running_loop()
    listeners = [await loop.create_server(connection, sock=sock) for sock in sockets]
    try:
        yield
    finally:
        for listener in listeners:
            listener.close()
        for left in list(open_now):
            left.abort()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*(listener.wait_closed() for listener in listeners)), 2)
        # An aborted connection says goodbye in the next turn of the event loop.
        await asyncio.sleep(0)
        server.close()


def listen(addresses: Sequence[str] = ("127.0.0.1",), port: int = 0) -> list[socket.socket]:
    """One socket an address, all on the same port: if none is given, one that is free on all of them."""
    if not 0 <= port <= LAST_PORT:
        raise BadInput(f"there is no port {port}: choose one from 1 to {LAST_PORT}, or 0 for any that is free")
    for _ in range(1 if port else PORTS_TRIED):
        with suppress(_PortTakenError):
            return _bound(addresses, port)
    taken = f"port {port} is taken" if port else f"no port is free on all of {addresses[0]} … {addresses[-1]}"
    raise BadInput(f"{taken}: choose another, or 0 for any that is free")


class _PortTakenError(Exception):
    pass


def _bound(addresses: Sequence[str], port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    try:
        for address in addresses:
            sockets.append(socket.create_server((address, port), backlog=BACKLOG))
            port = sockets[0].getsockname()[1]
    except OSError as error:
        for made in sockets:
            made.close()
        if error.errno == errno.EADDRINUSE:
            raise _PortTakenError from error
        raise BadInput(f"cannot listen: {error.strerror}") from error
    return sockets


def warm(server: Server, web: GeneratedWeb, port: int, processes: int) -> None:
    """Have all pages ready, gzipped, before anybody asks."""
    urls = list(web.urls(port))  # also fills the atlas, which the workers then inherit
    server.room = max(server.room, 2 * len(urls))
    jobs = [urls[start : start + PAGES_A_JOB] for start in range(0, len(urls), PAGES_A_JOB)]
    with ProcessPoolExecutor(processes) as pool:
        for written in pool.map(partial(_written, web), jobs):
            for host, path, status, whole in written:
                server.remember(host, path, status, whole)


def _written(web: Web, urls: Sequence[str]) -> list[tuple[str, str, int, bytes]]:
    written = []
    for url in urls:
        parts = urlsplit(url)
        answer = web.page(parts.netloc, parts.path)
        assert answer is not None, url
        written.append((parts.netloc, parts.path, answer.status, wire(answer, gzip=True)))
    return written


# ── a recorded web ──

_OF_THE_WIRE = {b"connection", b"keep-alive", b"proxy-connection", b"upgrade", b"trailer"}
"""Headers that were about the connection of then."""
_ENCODED = {b"content-type", b"content-length", b"content-encoding", b"transfer-encoding"}
"""Headers that the server writes itself: content is sent unpacked, or packed as the client wants it."""


@asynccontextmanager
async def serve_recording(
    recording: Recording,
    port: int = 0,
    *,
    addresses: Sequence[str] = ("127.0.0.1",),
    delay: float = 0.0,
    log: Path | None = None,
) -> AsyncIterator[Server]:
    """Serve a recording until the block ends; each answer waits for the delay. The log goes to a file if one is named."""
    # Nothing is remembered: reading a page takes a tenth of a millisecond, and a recording may be larger than memory.
    server = Server(RecordedWeb(recording), delay=delay, log=log, room=0)
    async with running(server, listen(addresses, port)):
        yield server


class RecordedWeb:
    """A recording by host and path."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def page(self, host: str, path: str) -> WebAnswer | None:
        """The recorded answer of a host; a port that was not recorded may be that of this server."""
        for name in dict.fromkeys((host, host.rpartition(":")[0] or host)):
            for scheme in ("http", "https"):
                url = canonical(f"{scheme}://{name}{path}")
                if url is not None and (response := self._recording.read(url)) is not None:
                    return _answer(response)
        return None


def _answer(response: Response) -> WebAnswer:
    kept = [pair for pair in response.headers if pair[0].lower() not in _OF_THE_WIRE | _ENCODED]
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in kept)
    return WebAnswer(response.body, response.status, response.header("content-type") or "", headers)


# ── from a shell ──

_SHAPE = ("links", "words", "locality", "honesty", "seed", "crawl_delay", "dressed")


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a generated web until interrupted; the first line printed is JSON with its port and its first url."""
    options = _parser().parse_args(arguments)
    with _last_words():
        hosts = loopback_hosts(options.hosts) if options.loopback else options.hosts
        web = generate(options.size, hosts, **{name: getattr(options, name) for name in _SHAPE})
        server = Server(web, delay=options.delay, log=options.log)
        sockets = listen(web.atlas.hosts if options.loopback else ("127.0.0.1",), options.port)
    port = sockets[0].getsockname()[1]
    if options.warm:
        warm(server, web, port, options.warm)
    uvloop.run(
        _until_stopped(server, sockets, json.dumps({"port": port, "start": web.url(0, port), "pages": options.size}))
    )


def serve_until_stopped(web: Web, port: int) -> None:
    """Serve a web until interrupted, for a script that does nothing else; where it stands is printed first."""
    with _last_words():
        sockets = listen(port=port)
    uvloop.run(_until_stopped(Server(web), sockets, f"http://127.0.0.1:{sockets[0].getsockname()[1]}"))


@contextmanager
def _last_words() -> Iterator[None]:
    """What the user can mend is one sentence and exit code 2, as with `thresher`."""
    try:
        yield
    except (ThresherError, OSError) as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)  # noqa: T201 - a script's last words
        sys.exit(2)


async def _until_stopped(server: Server, sockets: Sequence[socket.socket], ready: str) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with running(server, sockets):
        print(ready, flush=True)  # noqa: T201 - the one line that a parent process reads
        await stopped.wait()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("thresher.lab.webs.serve", description="Serve a generated web on loopback.")
    parser.add_argument("--size", type=int, default=360, help="pages (%(default)s)")
    parser.add_argument("--hosts", type=int, default=12, help="hosts (%(default)s)")
    parser.add_argument("--loopback", action="store_true", help="hosts are 127.0.0.1, 127.0.0.2 … instead of names")
    parser.add_argument("--links", type=int, default=18, help="links a page (%(default)s)")
    parser.add_argument("--words", type=int, default=220, help="words a page (%(default)s)")
    parser.add_argument(
        "--locality", type=float, default=0.7, help="share of links that stay on the topic (%(default)s)"
    )
    parser.add_argument(
        "--honesty", type=float, default=0.75, help="share of anchors that say what is behind them (%(default)s)"
    )
    parser.add_argument(
        "--dressed", action="store_true", help="pages in the markup of today: wrappers, classes, scripts"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, another web (%(default)s)")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one (%(default)s)")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer (%(default)s)")
    parser.add_argument("--crawl-delay", type=float, help="what some robots.txt ask for")
    parser.add_argument(
        "--log", type=Path, help="append a line an answer to this file: asked, answered, status, host, path"
    )
    parser.add_argument("--warm", type=int, default=0, metavar="N", help="make all pages beforehand with N processes")
    return parser


if __name__ == "__main__":
    main()
