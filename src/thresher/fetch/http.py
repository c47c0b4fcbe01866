"""Pages over HTTP/1.1: one url in, one answer out, and nothing that a server does ever raises."""

import asyncio
import math
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aiohttp import ClientTimeout
from aiohttp.abc import AbstractResolver

from thresher.endings import PROMISES, ending_of
from thresher.errors import BadInput
from thresher.fetch.body import LOOK, VAGUE_TYPES, Body, declared_type, seen_type
from thresher.fetch.connect import DIAL, Connections, Dial, Guard, NameResolver, bad_port
from thresher.fetch.descriptors import none_left
from thresher.fetch.failures import Spoiled, failure, lost_proxy
from thresher.fetch.private import SECRET_HEADERS, Private, private
from thresher.fetch.proxies import PASSED_OVER, Proxies, Proxy, read_proxies
from thresher.fetch.question import AnswerHead, Questions
from thresher.fetch.secure_hosts import SecureHosts
from thresher.list_forms import LIST_TYPES, form_of
from thresher.model import Failed, Fetched, Headers, Host, Later, Refused, Response, Url
from thresher.online.keys import names_a_secret
from thresher.urls import host_of, is_address

HTML_TYPES = ("text/html", "application/xhtml+xml")
_UNTIL_ROOM = 1.0
"""Seconds that a host rests where no file could be opened for its url."""
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class HttpFetcher:
    """Fetches over HTTP/1.1 with connections kept alive. One `fetch` is at most one request.

    With a proxy, names are resolved by the proxy: then the guard sees only addresses that are written in the url. With `socks5://` and
    `socks4://` they are resolved here, and the guard sees every address.
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
        larger: Mapping[str, int] | None = None,
        cut: bool = False,
        lists: bool = False,
        proxy: str | None = None,
        proxies: str | Sequence[str] | None = None,
        headers: Mapping[str, str] | None = None,
        hosts: Mapping[str, Mapping[str, Any]] | None = None,
        cookies: str | None = None,
        resolve: Mapping[str, str] | None = None,
        connections: int = 100,
        guard: Guard | None = None,
        resolver: AbstractResolver | None = None,
        beside: "HttpFetcher | None" = None,
        anonymous: bool = False,
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
            larger: content types of which a body may have more than `max_bytes`, and how much. They are read, and not asked for: where a
                server has both, a page is better than a document.
            cut: keep the first `max_bytes` of a larger body, rather than give it up.
            lists: read feeds and sitemaps too, whatever content type they come as; of a larger one the beginning.
            proxy: the url of a proxy, or `env:NAME`.
            proxies: several of them; a host always goes by the same one.
            headers: more headers to send to all hosts.
            hosts: headers and logins for some hosts alone, by host.
            cookies: a file of cookies to send, or `session`: those that servers set are kept while it crawls.
            resolve: addresses of hosts that are not to be looked up.
            connections: the most connections at a time.
            guard: asked before each connection whether the host may lead to that address.
            resolver: looks up names, instead of the system.
            beside: another fetcher, whose connections it shares, and what it sends to some hosts alone.
            anonymous: send no cookies and no logins.
        """
        _check_numbers(
            {"connect": connect, "read": read, "total": total, "max_ratio": max_ratio},
            {"max_bytes": max_bytes, "max_header_bytes": max_header_bytes, "connections": connections},
        )
        self._proxies: Proxies = beside._proxies if beside else Proxies(read_proxies(proxy, proxies))  # noqa: SLF001 - one of us
        self._timeout = ClientTimeout(total=total, connect=connect, sock_connect=connect, sock_read=read)
        self._max_bytes, self._max_ratio, self._max_header_bytes = max_bytes, max_ratio, max_header_bytes
        self._types = frozenset(types)
        self._larger = dict(larger or {})
        self._cut, self._lists = cut, lists
        self._headers = _request_headers(
            user_agent, [each for each in types if each not in self._larger], headers or {}
        )
        _check_headers(self._headers)
        _check_public(headers or {})
        self._head = _lines(self._headers)
        self.guard = guard
        self._shares = beside is not None
        names = resolver or NameResolver(dict(resolve or {}))
        self.connections: Connections = (
            beside.connections if beside else Connections(names, guard, connections, proxied=bool(self._proxies))
        )
        shared = (
            beside._private if beside else private(hosts, cookies, proxied=bool(self._proxies))  # noqa: SLF001
        )
        self._private: Private | None = None if anonymous else shared
        self._secure: SecureHosts = beside._secure if beside else SecureHosts()  # noqa: SLF001
        self._questions = Questions(self._timeout, max_header_bytes)

    async def fetch(self, url: Url, more: Mapping[str, str] | None = None) -> Fetched:
        """Get one url, once, optionally with more headers; redirects are answers and are not followed."""
        host = host_of(url)
        if (unasked := bad_port(host) or self._secure.redirect(url, host)) is not None:
            return unasked
        self.connections.open()
        proxy = self._proxies.of(host)
        if proxy is not None and (refused := self._written_address(host)):
            return refused
        DIAL.set(dial := Dial(host))
        try:
            async with self.connections.turn:
                return await self._ask(url, dial, more or {}, proxy)
        except Exception as error:  # noqa: BLE001 - whatever the web makes the client raise becomes a value
            if none_left(error):
                self.connections.make_room()
                return Later("no-files", _UNTIL_ROOM)
            if dial.refused and not dial.opened:
                return Refused("private-address", f"{dial.host} leads to {dial.refused}")
            failed = failure(error, kept=not dial.opened)
            return self._without(proxy, failed) if proxy is not None and lost_proxy(error) else failed

    def _without(self, proxy: Proxy, failed: Failed) -> Failed | Later:
        """A proxy is lost. The url loses no try if another proxy may still live: it goes by that one next."""
        detail = f"{proxy.shown}: {failed.detail}"
        if not self._proxies.lost(proxy):
            return replace(failed, detail=detail)
        return Later("proxy", 0.0, strain=True, detail=f"{detail}; it is passed over for {PASSED_OVER:.0f} s")

    async def close(self) -> None:
        """Close the connections."""
        self._questions.forget()
        if not self._shares:
            await self.connections.close()

    async def _ask(self, url: Url, dial: Dial, more: Mapping[str, str], proxy: Proxy | None) -> Fetched:
        at, begun = time.time(), time.perf_counter()
        by = None if proxy is None or proxy.socks else proxy.url
        request = sent = self._request(url, dial.host, more, whole=by is not None and url.startswith("http:"))
        if self._private is not None:
            sent, request = self._with_private(url, dial.host, request)
        async with asyncio.timeout(self._timeout.total):
            answer = await self._questions.ask(self.connections.open(proxy), url, sent, by)
            try:
                headers = self._heeded(url, dial.host, answer)
                body = await self._read(answer, url)
            finally:
                answer.close()
        if not isinstance(body, Body):
            return body
        return Response(
            url=url,
            status=answer.status,
            headers=headers,
            body=body.unpacked,
            raw=body.raw,
            request=request,
            at=at,
            elapsed=time.perf_counter() - begun,
            address=answer.peer,
        )

    def _with_private(self, url: Url, host: Host, request: bytes) -> tuple[bytes, bytes]:
        """The request with what this host alone is sent: as it goes out, and as it is kept."""
        assert self._private is not None
        sent, kept = self._private.lines(url, host)
        head = request[:-2]
        return head + sent.encode("utf-8", "surrogateescape") + b"\r\n", head + kept.encode() + b"\r\n"

    def _heeded(self, url: Url, host: Host, answer: AnswerHead) -> Headers:
        """The headers of an answer as they are kept, once what they ask of us is noted."""
        if url.startswith("https:") and (said := answer.headers.get("Strict-Transport-Security")) is not None:
            self._secure.note(host, said)
        return answer.raw_headers if self._private is None else self._private.taken(url, host, answer.raw_headers)

    async def _read(self, answer: AnswerHead, url: Url) -> Body | Refused:
        page = 200 <= answer.status < 300
        kind = declared_type(answer.headers.get("Content-Type", ""))
        wanted = bool(kind) and self._wanted(kind)
        vague = page and not wanted and (not kind or (bool(self._larger) and kind in VAGUE_TYPES))
        listed = page and not wanted and self._lists and kind in LIST_TYPES
        if page and not (wanted or vague or listed):
            return _of_type(kind)
        most = self._most(PROMISES.get(ending_of(url), "") if vague else kind) if self._larger else self._max_bytes
        self._check_head(answer, most, cut=self._cut or listed)
        body = Body(answer.headers.get("Content-Encoding", ""), cap=most, ratio=self._max_ratio, strict=page)
        look = self._look_for(kind, vague=vague, listed=listed)
        try:
            return await self._fill(body, answer, look)
        except Spoiled as spoiled:
            if self._cut and spoiled.why in {"too-large", "bomb"}:
                return body
            if listed and look is not None and spoiled.why == "too-large":
                return look(body.unpacked) or body
            raise

    def _most(self, kind: str) -> int:
        """How many bytes a body of that content type may have."""
        return max(self._max_bytes, self._larger.get(kind, 0))

    def _look_for(self, kind: str, *, vague: bool, listed: bool) -> Callable[[bytes], Refused | None] | None:
        """What tells from its first bytes whether a body is to be read on; None if its head says enough."""
        if not vague and not listed:
            return None

        def refusal(start: bytes) -> Refused | None:
            if listed and form_of(start):
                return None
            return self._unwanted(start, kind or "undeclared") if vague else _of_type(kind)

        return refusal

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

    def _unwanted(self, start: bytes, declared: str) -> Refused | None:
        """The refusal of a body that does not look like a content type that is wanted; an empty one may be any.

        What is declared as a download is no page, but may be a document.
        """
        kind = seen_type(start)
        if not start or (self._wanted(kind) and (declared == "undeclared" or kind in self._larger)):
            return None
        return Refused("content-type", f"{declared}, looks like {kind}", asked=True)

    def _wanted(self, kind: str) -> bool:
        return not self._types or kind in self._types

    def _check_head(self, answer: AnswerHead, most: int, *, cut: bool) -> None:
        if answer.status < 200:
            raise Spoiled("bad-http", f"status {answer.status} where an answer was due")
        if _size(answer.raw_headers) > self._max_header_bytes:
            raise Spoiled("headers-too-large", f"more than {self._max_header_bytes} bytes")
        if not cut and answer.content_length > most:
            raise Spoiled("too-large", f"announces {answer.content_length} bytes")

    def _request(self, url: Url, host: str, more: Mapping[str, str], *, whole: bool) -> bytes:
        target = url if whole else url[url.index("/", 8) :]
        lines = _lines({**self._headers, **more}) if more else self._head
        return f"GET {target} HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n".encode()

    def _written_address(self, host: Host) -> Refused | None:
        """Refuse a host that is a private address, or this machine's own name. Behind a proxy we do no look-up, so check here."""
        address = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        if is_address(host) and self.guard is not None and not self.guard(host, address):
            return Refused("private-address", f"{host} is {address}")
        return None


class WithHeaders:
    """A fetcher that sends more headers with each request."""

    def __init__(self, inner: HttpFetcher, headers: Mapping[str, str]) -> None:
        self._inner, self._headers = inner, headers

    async def fetch(self, url: Url) -> Fetched:
        """Get one url with these headers."""
        return await self._inner.fetch(url, self._headers)

    async def close(self) -> None:
        """The other fetcher is closed by whoever made it."""


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


def _check_public(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if name.lower() in SECRET_HEADERS or names_a_secret(value):
            raise BadInput(
                f"[fetch]: the header {name} holds a secret, which must not go to all hosts: put it under [fetch.hosts], or use cookies"
            )


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise BadInput(f"[fetch]: headers has {name!r}, but the name of a header must be letters, digits and '-'")
        if _CONTROL.search(value):
            raise BadInput(f"[fetch]: the header {name} is {value!r}, but must not have line breaks or other controls")


def _size(headers: Headers) -> int:
    return sum([len(name) + len(value) + 4 for name, value in headers])
