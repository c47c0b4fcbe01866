"""Serve a recorded web over real HTTP on loopback, all its hosts behind one address as a proxy, for any crawler.

    async with serve_recording(Recording.open(path)) as server:
        ...                       # http_proxy=http://127.0.0.1:{server.port} wget -r http://foldoc.org/

Clients that take no proxy are told apart by their Host header. There is no TLS: a page recorded under https is
found under http where nothing was recorded there.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from thresher.lab.webs.http_server import Server
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.serve import listen, running
from thresher.lab.webs.web import Answer
from thresher.model import Response
from thresher.urls import canonical

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

    def page(self, host: str, path: str) -> Answer | None:
        """The recorded answer of a host; a port that was not recorded may be that of this server."""
        for name in dict.fromkeys((host, host.rpartition(":")[0] or host)):
            for scheme in ("http", "https"):
                url = canonical(f"{scheme}://{name}{path}")
                if url is not None and (response := self._recording.read(url)) is not None:
                    return _answer(response)
        return None


def _answer(response: Response) -> Answer:
    kept = [pair for pair in response.headers if pair[0].lower() not in _OF_THE_WIRE | _ENCODED]
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in kept)
    return Answer(response.body, response.status, response.header("content-type") or "", headers)
