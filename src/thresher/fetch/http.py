"""Pages over HTTP/1.1: one url in, one answer out, and nothing that a server does ever raises."""

import asyncio
import math
import re
import time
from collections.abc import Callable, Collection, Mapping

from aiohttp import ClientTimeout
from aiohttp.abc import AbstractResolver

from thresher.errors import BadInput
from thresher.fetch.body import LOOK, Body, declared_type, seen_type
from thresher.fetch.connect import DIAL, Connections, Dial, Guard, NameResolver, bad_port
from thresher.fetch.descriptors import none_left
from thresher.fetch.failures import Spoiled, failure
from thresher.fetch.question import AnswerHead, Questions
from thresher.list_forms import LIST_TYPES, form_of
from thresher.model import Fetched, Headers, Host, Later, Refused, Response, Url
from thresher.urls import canonical, host_of, is_address

HTML_TYPES = ("text/html", "application/xhtml+xml")
_UNTIL_ROOM = 1.0
"""Seconds that a host rests where no file could be opened for its url."""
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class HttpFetcher:
    """Fetches over HTTP/1.1 with connections kept alive. One `fetch` is at most one request.

    With a proxy, names are resolved by the proxy: then the guard sees only addresses that are written in the url.
    """

    def __init__(  # noqa: PLR0913 - they are the keys of the crawl file's [fetch] table
        self,
        *,
        user_agent: str = "thresher",
        connect: float = 10.0,
        read: float = 15.0,
        total: float = 30.0,
        max_bytes: int = 5 << 20,
        max_ratio: float = 200.0,
        max_header_bytes: int = 64 << 10,
        types: Collection[str] = HTML_TYPES,
        cut: bool = False,
        lists: bool = False,
        proxy: str | None = None,
        headers: Mapping[str, str] | None = None,
        resolve: Mapping[str, str] | None = None,
        connections: int = 100,
        guard: Guard | None = None,
        resolver: AbstractResolver | None = None,
        beside: "HttpFetcher | None" = None,
    ) -> None:
        """Set how pages are fetched.

        Args:
            user_agent: who we say we are.
            connect: seconds until a connection must be made, including the look-up of the name.
            read: seconds that a server may be silent.
            total: seconds that one request may take in all.
            max_bytes: the most that a body may have, as received and unpacked.
            max_ratio: a body larger than 1 MiB whose unpacked bytes are more than this many times the received ones is a bomb.
            max_header_bytes: the most that a head may have, and each line of it.
            types: the content types to read; all if empty.
            cut: keep the first `max_bytes` of a larger body, rather than give it up.
            lists: read feeds and sitemaps too, whatever content type they come as; of a larger one the beginning.
            proxy: the url of an HTTP proxy.
            headers: more headers to send.
            resolve: addresses of hosts that are not to be looked up.
            connections: the most connections at a time.
            guard: asked before each connection whether the host may lead to that address.
            resolver: looks up names, instead of the system.
            beside: another fetcher, whose connections it shares.
        """
        _check_numbers(
            {"connect": connect, "read": read, "total": total, "max_ratio": max_ratio},
            {"max_bytes": max_bytes, "max_header_bytes": max_header_bytes, "connections": connections},
        )
        _check_proxy(proxy)
        self._timeout = ClientTimeout(total=total, connect=connect, sock_connect=connect, sock_read=read)
        self._max_bytes, self._max_ratio, self._max_header_bytes = max_bytes, max_ratio, max_header_bytes
        self._types = frozenset(types)
        self._cut, self._lists = cut, lists
        self._proxy = proxy
        self._headers = _request_headers(user_agent, types, headers or {})
        _check_headers(self._headers)
        self._head = _lines(self._headers)
        self._guard = guard
        self._shares = beside is not None
        names = resolver or NameResolver(dict(resolve or {}))
        self.connections: Connections = (
            beside.connections if beside else Connections(names, None if proxy else guard, connections)
        )
        self._questions = Questions(self._timeout, proxy, max_header_bytes)

    async def fetch(self, url: Url, more: Mapping[str, str] | None = None) -> Fetched:
        """Get one url, once, optionally with more headers; redirects are answers and are not followed."""
        host = host_of(url)
        if (refused := bad_port(host)) is not None:
            return refused
        self.connections.open()
        if self._proxy and (refused := self._written_address(host)):
            return refused
        DIAL.set(dial := Dial(host))
        try:
            async with self.connections.turn:
                return await self._ask(url, dial, more or {})
        except Exception as error:  # noqa: BLE001 - whatever the web makes the client raise becomes a value
            if none_left(error):
                self.connections.make_room()
                return Later("no-files", _UNTIL_ROOM)
            if dial.refused and not dial.opened:
                return Refused("private-address", f"{dial.host} leads to {dial.refused}")
            return failure(error, kept=not dial.opened)

    async def close(self) -> None:
        """Close the connections."""
        self._questions.forget()
        if not self._shares:
            await self.connections.close()

    async def _ask(self, url: Url, dial: Dial, more: Mapping[str, str]) -> Fetched:
        at, begun = time.time(), time.perf_counter()
        request = self._request(url, dial.host, more)
        async with asyncio.timeout(self._timeout.total):
            answer = await self._questions.ask(self.connections.open(), url, request)
            try:
                body = await self._read(answer)
            finally:
                answer.close()
        if not isinstance(body, Body):
            return body
        return Response(
            url=url,
            status=answer.status,
            headers=answer.raw_headers,
            body=body.unpacked,
            raw=body.raw,
            request=request,
            at=at,
            elapsed=time.perf_counter() - begun,
            address=answer.peer,
        )

    async def _read(self, answer: AnswerHead) -> Body | Refused:
        page = 200 <= answer.status < 300
        kind = declared_type(answer.headers.get("Content-Type", ""))
        wanted = not (page and kind) or self._wanted(kind)
        listed = not wanted and self._lists and kind in LIST_TYPES
        if not wanted and not listed:
            return _of_type(kind)
        self._check_head(answer, cut=self._cut or listed)
        body = Body(answer.headers.get("Content-Encoding", ""), cap=self._max_bytes, ratio=self._max_ratio, strict=page)
        look = self._look_for(kind, page=page, listed=listed)
        try:
            return await self._fill(body, answer, look)
        except Spoiled as spoiled:
            if self._cut and spoiled.why in {"too-large", "bomb"}:
                return body
            if listed and look is not None and spoiled.why == "too-large":
                return look(body.unpacked) or body
            raise

    def _look_for(self, kind: str, *, page: bool, listed: bool) -> Callable[[bytes], Refused | None] | None:
        """What tells from its first bytes whether a body is to be read on; None if its head says enough."""
        if listed:
            return lambda start: None if form_of(start) else _of_type(kind)
        return self._unwanted if page and not kind else None

    async def _fill(
        self, body: Body, answer: AnswerHead, look: Callable[[bytes], Refused | None] | None
    ) -> Body | Refused:
        while chunk := await answer.content.readany():
            body.feed(chunk)
            if look is not None and len(start := body.unpacked) >= LOOK:
                if (refused := look(start)) is not None:
                    return refused
                look = None
        body.end()
        return (look(body.unpacked) if look is not None else None) or body

    def _unwanted(self, start: bytes) -> Refused | None:
        """The refusal of a body that does not look like a content type that is wanted; an empty one may be any."""
        kind = seen_type(start)
        if not start or self._wanted(kind):
            return None
        return Refused("content-type", f"undeclared, looks like {kind}", asked=True)

    def _wanted(self, kind: str) -> bool:
        return not self._types or kind in self._types

    def _check_head(self, answer: AnswerHead, *, cut: bool) -> None:
        if answer.status < 200:
            raise Spoiled("bad-http", f"status {answer.status} where an answer was due")
        if _size(answer.raw_headers) > self._max_header_bytes:
            raise Spoiled("headers-too-large", f"more than {self._max_header_bytes} bytes")
        if not cut and answer.content_length > self._max_bytes:
            raise Spoiled("too-large", f"announces {answer.content_length} bytes")

    def _request(self, url: Url, host: str, more: Mapping[str, str]) -> bytes:
        target = url if self._proxy and url.startswith("http:") else url[url.index("/", 8) :]
        lines = _lines({**self._headers, **more}) if more else self._head
        return f"GET {target} HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n".encode()

    def _written_address(self, host: Host) -> Refused | None:
        """Refuse a host that is a private address, or this machine's own name. Behind a proxy we do no look-up, so check here."""
        address = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        if is_address(host) and self._guard is not None and not self._guard(host, address):
            return Refused("private-address", f"{host} is {address}")
        return None


def _of_type(kind: str) -> Refused:
    # Escaped: it is shown in a terminal and kept in SQLite, which takes no bytes that are not UTF-8.
    return Refused("content-type", kind.encode("unicode_escape").decode()[:100], asked=True)


def _request_headers(user_agent: str, types: Collection[str], more: Mapping[str, str]) -> dict[str, str]:
    accept = ", ".join([*types, "*/*;q=0.1"]) if types else "*/*"
    return {"User-Agent": user_agent, "Accept": accept, "Accept-Encoding": "gzip, deflate, br, zstd", **more}


def _lines(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items())


def _check_numbers(above_zero: Mapping[str, float], whole: Mapping[str, int]) -> None:
    for key, value in above_zero.items():
        if not 0 < value < math.inf:
            raise BadInput(f"[fetch]: {key} is {value}, but must be more than 0 and finite")
    for key, value in whole.items():
        if value < 1:
            raise BadInput(f"[fetch]: {key} is {value}, but must be at least 1")


def _check_proxy(proxy: str | None) -> None:
    # The browsers' rules alone would take `http:nonsense` for a host.
    if proxy and not (proxy.lower().startswith(("http://", "https://")) and canonical(proxy)):
        raise BadInput(
            f"[fetch]: proxy is {proxy!r}, but must be the url of an HTTP proxy, such as http://127.0.0.1:3128"
        )


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise BadInput(f"[fetch]: headers has {name!r}, but the name of a header must be letters, digits and '-'")
        if _CONTROL.search(value):
            raise BadInput(f"[fetch]: the header {name} is {value!r}, but must not have line breaks or other controls")


def _size(headers: Headers) -> int:
    return sum([len(name) + len(value) + 4 for name, value in headers])
