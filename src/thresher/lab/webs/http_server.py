"""As much HTTP/1.1 as a loopback server needs: requests in, remembered answers out, a line in a log for each."""

import asyncio
import os
import time
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple, cast

from isal import igzip

from thresher.lab.webs.web_pages import Web, WebAnswer

HEAD_LIMIT = 65_536
CLIENT_GONE = 499
"""Stands where no status was sent."""
_NO_TUNNEL = b"This web has no TLS, so there is nothing to tunnel to: ask for http:// instead of https://.\n"
_PHRASES = {status.value: status.phrase for status in HTTPStatus}
_WITHOUT_BODY = {204, 304}


class Answered(NamedTuple):
    """One line of the access log."""

    asked: float
    """When the request had come in whole, in seconds since 1970."""
    at: float
    """When the answer was handed to the kernel."""
    status: int
    host: str
    path: str

    def __str__(self) -> str:
        return f"{self.asked:.6f} {self.at:.6f} {self.status} {self.host} {self.path}"

    @classmethod
    def parse(cls, line: str) -> "Answered":
        """Read back a line of a log file."""
        asked, at, status, host, path = line.rstrip("\n").split(" ", 4)
        return cls(float(asked), float(at), int(status), host, path)


class Request(NamedTuple):
    """What we need to know of a request."""

    method: str
    host: str
    path: str
    gzip: bool
    last: bool
    """Whether the connection ends with it."""


class Server:
    """Answers for a web, remembered once they are made, and a log of them."""

    def __init__(self, web: Web, *, delay: float = 0.0, log: Path | None = None, room: int = 10_000) -> None:
        self.web = web
        self.delay = delay
        self.port = 0
        self.log: list[Answered] = []
        """What was answered, in order; empty if the log goes to a file."""
        self.abandoned: list[Answered] = []
        """Requests whose client was gone before the answer, and when that was seen."""
        self.room = room
        """How many answers are remembered at most."""
        self._known: dict[tuple[str, str, bool], tuple[int, bytes]] = {}
        self._file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) if log else None

    def answer(self, request: Request) -> tuple[int, bytes]:
        """The status and the whole answer as it goes over the wire."""
        if request.method == "CONNECT":
            return 501, wire(WebAnswer(_NO_TUNNEL, 501, "text/plain"), gzip=False)
        if request.method not in {"GET", "HEAD"}:
            return 405, wire(WebAnswer(b"only GET and HEAD\n", 405, "text/plain"), gzip=False)
        status, whole = self._remembered(request.host, request.path, gzip=request.gzip)
        return status, whole if request.method == "GET" else whole[: whole.index(b"\r\n\r\n") + 4]

    def remember(self, host: str, path: str, status: int, whole: bytes, *, gzip: bool = True) -> None:
        """Have an answer ready."""
        self._known[host, path, gzip] = status, whole

    def note(self, answered: Answered) -> None:
        """Write a line into the log. A line in a file is one write, so that it is whole whatever happens next."""
        if self._file is None:
            self.log.append(answered)
        else:
            os.write(self._file, f"{answered}\n".encode())

    def close(self) -> None:
        """Close the log file."""
        if self._file is not None:
            os.close(self._file)

    def _remembered(self, host: str, path: str, *, gzip: bool) -> tuple[int, bytes]:
        known = self._known.get((host, path, gzip))
        if known is None:
            answer = self.web.page(host, path) or WebAnswer(
                b"<!doctype html><title>Not found</title><p>No such page.", 404
            )
            known = answer.status, wire(answer, gzip=gzip)
            if len(self._known) < self.room:
                self._known[host, path, gzip] = known
        return known


def wire(answer: WebAnswer, *, gzip: bool) -> bytes:
    """An answer as bytes, head and body."""
    # Without the time of day in its head: the same page has the same bytes, whenever it is asked for.
    body = igzip.compress(answer.body, 2, mtime=0) if gzip else answer.body
    headers = [("Content-Type", answer.kind)] if answer.kind else []
    if answer.status not in _WITHOUT_BODY:
        headers += [("Content-Length", str(len(body))), ("Vary", "Accept-Encoding")]
        headers += [("Content-Encoding", "gzip")] * gzip
    lines = "".join(f"{name}: {value}\r\n" for name, value in (*headers, *answer.headers))
    head = f"HTTP/1.1 {answer.status} {_PHRASES.get(answer.status, '')}\r\n{lines}\r\n".encode("latin-1")
    return head if answer.status in _WITHOUT_BODY else head + body


def read_request(head: bytes) -> Request | None:
    """Read a request's head; None if it is none. Searching the bytes takes 3 µs, a dict of all headers 9."""
    first, _, rest = head.decode("latin-1").partition("\r\n")
    parts = first.split(" ")
    if len(parts) != 3:
        return None
    method, target, version = parts
    headers = "\r\n" + rest.lower() + "\r\n"
    host, path = _field(headers, "host"), target
    if not target.startswith("/"):
        host, path = _absolute(target)
    wishes = _field(headers, "connection")
    last = "close" in wishes or (version == "HTTP/1.0" and "keep-alive" not in wishes)
    return Request(method, host, path, gzip="gzip" in _field(headers, "accept-encoding"), last=last)


def _field(headers: str, name: str) -> str:
    start = headers.find(f"\r\n{name}:")
    return "" if start < 0 else headers[start + len(name) + 3 : headers.index("\r\n", start + 2)].strip()


def _absolute(target: str) -> tuple[str, str]:
    """As a proxy is asked: `GET http://host/path`."""
    host, slash, path = target.partition("://")[2].partition("/")
    return host.lower(), slash + path or "/"


class Connection(asyncio.Protocol):
    """One keep-alive connection. Pipelined requests are answered in order."""

    def __init__(self, server: Server, open_now: "set[Connection]") -> None:
        self.server = server
        self.transport: asyncio.Transport | None = None
        self._open_now = open_now
        self._received = b""
        self._busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._open_now.add(self)
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, _: Exception | None) -> None:
        """End."""
        self.transport = None
        self._open_now.discard(self)

    def abort(self) -> None:
        """Cut the connection off."""
        if self.transport:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request, or several requests."""
        self._received += data
        if not self._busy:
            self._serve()

    def _serve(self) -> None:
        while self.transport and not self._busy:
            head, blank, rest = self._received.partition(b"\r\n\r\n")
            if not blank:
                self._refuse_if(len(head) > HEAD_LIMIT)
                return
            self._received = rest
            request = read_request(head)
            self._refuse_if(request is None)
            if request:
                self._take(request, time.time())

    def _take(self, request: Request, asked: float) -> None:
        if not self.server.delay:
            self._give(request, asked)
            return
        self._busy = True
        asyncio.get_running_loop().call_later(self.server.delay, self._give_late, request, asked)

    def _give_late(self, request: Request, asked: float) -> None:
        self._busy = False
        self._give(request, asked)
        self._serve()

    def _give(self, request: Request, asked: float) -> None:
        if self.transport is None or self.transport.is_closing():
            self.server.abandoned.append(Answered(asked, time.time(), CLIENT_GONE, request.host, request.path))
            return
        status, whole = self.server.answer(request)
        given = time.time()  # before: whoever gets the answer may be faster than the rest of this line
        self.transport.write(whole)
        self.server.note(Answered(asked, given, status, request.host, request.path))
        if request.last or request.method not in {"GET", "HEAD"}:
            self._received = b""
            self.transport.close()

    def _refuse_if(self, bad: bool) -> None:  # noqa: FBT001 - reads as a sentence
        if bad and self.transport:
            self.transport.write(wire(WebAnswer(b"", 400, "text/plain"), gzip=False))
            self._received = b""
            self.transport.close()
