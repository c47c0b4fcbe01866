"""Fetch the few files that seeds are read from with the crawl's own manners: robots.txt first, pauses, and no private addresses."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from types import TracebackType
from typing import Any, Self

from thresher import plugins
from thresher.errors import NoAnswer
from thresher.fetch import HttpFetcher
from thresher.model import Failed, Fetched, Host, Later, Refused, Response, Url
from thresher.outcomes import HOPS, redirect_target
from thresher.parse.xml_lists import MOST_BYTES
from thresher.polite.addresses import AddressGuard
from thresher.polite.robots import CAP, PoliteFetcher
from thresher.urls import host_of, is_address

LONGEST_WAIT = 60.0
"""The most seconds to wait for a host's turn."""
_TRIES = 3
_WAY = {"proxy", "proxies", "cookies", "hosts"}


@dataclass(frozen=True, slots=True)
class DownloadOptions:
    """How files with seeds are fetched."""

    user_agent: str = f"Thresher/{version('thresher')}"
    delay: float = 1.0
    """Seconds between two requests to a host, unless its robots.txt asks for more."""
    way: Mapping[str, Any] = field(default_factory=dict)
    """The keys of `[fetch]` that say by which way and with which login: see `way_of`."""
    allow_private: bool = False
    """Whether private addresses may be fetched, and be seeds."""


def way_of(fetch: Any) -> dict[str, Any]:
    """Of a `[fetch]` table what counts for a file with seeds too: proxies, cookies and logins."""
    return {key: value for key, value in fetch.items() if key in _WAY} if isinstance(fetch, Mapping) else {}


class PoliteDownload:
    """Fetches one file after the other. Use it in `async with`."""

    def __init__(self, reach: DownloadOptions, start: Url | None = None) -> None:
        """If the start spells out a private address, that host may be fetched from, since the user named it."""
        spelt = {host_of(start)} if start and is_address(host_of(start)) else set[Host]()
        self.open_to = None if reach.allow_private else frozenset(spelt)
        guard = AddressGuard(allow_private=reach.allow_private, hosts=spelt)
        given = {"user_agent": reach.user_agent, "guard": guard, "types": ()}
        fetcher = partial(plugins.construct, HttpFetcher, reach.way, "[fetch]", **given)
        files = fetcher(max_bytes=MOST_BYTES)
        self._robots = fetcher(max_bytes=CAP, cut=True, beside=files)
        self._fetcher = PoliteFetcher(files, self._robots, pause=reach.delay)
        self._delays: defaultdict[Host, float] = defaultdict(lambda: reach.delay)
        self._turn: dict[Host, float] = {}
        """When a host may be asked again, by the loop's clock."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._fetcher.close()

    async def content(self, url: Url) -> tuple[Url, bytes]:
        """Where the file was after redirects, and its bytes; `NoAnswer` says why it cannot be had."""
        where = url
        for _ in range(HOPS):
            response = self._answer(url, await self._patiently(where))
            if 200 <= response.status < 300:
                return where, response.body
            target = redirect_target(response) if 300 <= response.status < 400 else None
            if target is None:
                raise NoAnswer(f"{url}: status {response.status}")
            where = target
        raise NoAnswer(f"{url}: more than {HOPS} redirects")

    def _answer(self, url: Url, fetched: Fetched) -> Response:
        match fetched:
            case Response():
                return fetched
            case Refused(why="robots", detail=detail):
                raise NoAnswer(f"{url}: {detail} does not allow it")
            case Refused(why=why, detail=detail) | Failed(why=why, detail=detail):
                raise NoAnswer(f"{url}: {why}{f' ({detail})' if detail else ''}")
            case Later(why=why, seconds=seconds):
                raise NoAnswer(f"{url}: {why}; to be asked again in {seconds:.0f} s")

    async def _patiently(self, url: Url) -> Fetched:
        for _ in range(_TRIES):
            fetched = await self._in_turn(url)
            if not isinstance(fetched, Later) or fetched.strain or (fetched.seconds or 0.0) > LONGEST_WAIT:
                break
            await asyncio.sleep(fetched.seconds or 0.0)
        return fetched

    async def _in_turn(self, url: Url) -> Fetched:
        host, now = host_of(url), asyncio.get_running_loop().time
        await asyncio.sleep(self._turn.get(host, 0.0) - now())
        # robots.txt itself may always be fetched, whatever it says.
        fetched = await (self._robots if url.split("/", 3)[3] == "robots.txt" else self._fetcher).fetch(url)
        if isinstance(fetched, Later):
            self._delays[host] = min(max(self._delays[host], fetched.delay or 0.0), LONGEST_WAIT)
        else:
            self._turn[host] = now() + self._delays[host]
        return fetched
