"""What a site's robots.txt allows, asked before its first page and once a day (RFC 9309)."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from protego import Protego

from thresher.clock import Clock, SystemClock
from thresher.model import Failed, Fetched, Host, Later, Refused, Response, Url
from thresher.outcomes import redirect_target, retry_after
from thresher.polite.host_locks import Guests, HostLocks
from thresher.polite.robots_groups import group_for
from thresher.ports import Fetcher
from thresher.urls import host_of, join_all

CAP = 500 * 1024
"""How much of a robots.txt is read; RFC 9309 asks for at least this. The robots fetcher should cut there."""
LONGEST_DELAY = 300.0
"""A longer crawl-delay counts as this one: with an hour between two pages a crawl would never end."""

_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REMEMBERED_BYTES = 64 << 20
_LARGE = 32 * 1024
_SHORT_RULE = 100
_LONGEST_OUTAGE = 3600.0
_MOST_SITEMAPS = 10
_ANYONE = "*"
"""Whom Protego is asked for: the rules it is handed are ours already."""


class PoliteFetcher:
    """Asks robots.txt first and hands on what it allows.

    `robots` fetches the robots.txt files and must take any content type; the pages come from `inner`.
    """

    def __init__(  # noqa: PLR0913 - the last six are keys of the crawl file's [polite] table
        self,
        inner: Fetcher,
        robots: Fetcher,
        *,
        clock: Clock | None = None,
        pause: float = 0.0,
        obey: bool = True,
        agent: str = "thresher",
        keep: float = 86_400.0,
        again: float = 10.0,
        remember: int = 10_000,
        sitemaps: bool = False,
        guests: Guests | None = None,
    ) -> None:
        """Set how robots.txt is asked for.

        Args:
            inner: fetches the pages.
            robots: fetches the robots.txt files.
            clock: what time it is.
            pause: seconds between two requests to a host, and between robots.txt and the first page.
            obey: False for those who crawl their own site and need not ask.
            agent: the name under which robots.txt files may give rules for us.
            keep: seconds until a robots.txt is asked for again.
            again: seconds until it is asked for again if the server could not answer; doubled each time. At 10 a host
                that eight failures close is closed after 21 minutes.
            remember: the most sites whose rules are held in memory.
            guests: where turns of hosts come from, if other processes ask the same hosts.
            sitemaps: whether the first ten sitemaps that a robots.txt names are told with `Later`, when it was just read.
        """
        self._inner, self._robots = inner, robots
        self._clock = clock or SystemClock()
        self._pause, self._obey, self._agent = pause, obey, agent
        self._keep, self._again, self._remember, self._sitemaps = keep, again, remember, sitemaps
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        self._bytes = 0
        self._guests = guests
        self._locks = HostLocks(self._clock, remember, guests)

    async def fetch(self, url: Url) -> Fetched:
        """Get one url if its site's robots.txt allows it, or say what it needs first."""
        if not self._obey:
            return await self._inner.fetch(url)
        name = _name(url)
        site = self._site(name)
        if site.untold:
            return self._tell(name, site)
        if self._clock.now() >= site.expires and (first := await self._learn(name, site)) is not None:
            return first
        if site.said.rules is not None and not site.said.rules.can_fetch(url, _ANYONE):
            return Refused("robots", f"{name}/robots.txt")
        return await self._locks[host_of(url)].ask(self._inner, url, self._shared_pause(name))

    async def fetch_beside(self, url: Url, fetcher: Fetcher) -> Fetched:
        """Get what a page asks for while it is shown. The frontier does not know of it, so it waits until its host has had its pause.

        It obeys robots.txt as a page does, and says `Later` only where a robots.txt cannot be had.
        """
        name = _name(url)
        site = self._site(name)
        if self._obey and self._clock.now() >= site.expires:
            first = await self._learn(name, site, guest=True)
            if first is not None and self._clock.now() >= site.expires:
                return first
        if site.said.rules is not None and not site.said.rules.can_fetch(url, _ANYONE):
            return Refused("robots", f"{name}/robots.txt")
        pause = max(self._pause, self._host_delay(name))
        return await self._locks[host_of(url)].ask_as_guest(fetcher, url, pause)

    async def close(self) -> None:
        """Close the connections."""
        if self._guests is not None:
            self._guests.close()
        await self._robots.close()
        await self._inner.close()

    def _site(self, name: str) -> "_Site":
        site = self._sites.get(name)
        if site is None:
            site = self._sites[name] = _Site()
            self._forget()
        self._sites.move_to_end(name)
        return site

    def _forget(self) -> None:
        while len(self._sites) > self._remember or (self._bytes > _REMEMBERED_BYTES and len(self._sites) > 1):
            _, oldest = self._sites.popitem(last=False)
            self._bytes -= oldest.said.size

    def _tell(self, name: str, site: "_Site") -> Later:
        """The crawl-delay and the sitemaps that were learnt while a page was shown, to whoever wants the first page there."""
        site.untold = False
        wait, found = max(site.opens - self._clock.now(), 0.0), self._told_sitemaps(name, site)
        return Later("robots-asked", wait, delay=self._host_delay(name), sitemaps=found)

    async def _learn(self, name: str, site: "_Site", *, guest: bool = False) -> Later | Refused | Failed | None:
        """Ask for robots.txt. What is returned is the answer for whoever wanted a page; None means that it may be fetched at once."""
        # Two who need the same file at the same moment ask once.
        async with site.lock:
            now = self._clock.now()
            if now < site.expires:
                return self._rest(name, site, now)
            if now < site.down_until:
                return site.outage or Later("robots-unavailable", site.down_until - now)
            before = site.said.delay
            answer = await self._take(name, site, await self._ask(name, guest=guest))
            site.untold = guest and (site.said.delay != before or bool(self._told_sitemaps(name, site)))
            return answer

    async def _ask(self, name: str, *, guest: bool) -> "Fetched | _Site | None":
        """The site's robots.txt, through up to five redirects; None if they lead nowhere."""
        url = Url(name + "/robots.txt")
        home = host_of(url)
        lock = self._locks[home]
        if guest:
            fetched = await lock.ask_as_guest(self._robots, url, self._pause)
        else:
            fetched = await lock.ask(self._robots, url, self._shared_pause(name))
        for _ in range(_HOPS):
            if not isinstance(fetched, Response) or fetched.status not in _REDIRECTS:
                return fetched
            target = redirect_target(fetched)
            if target is None:
                return None
            if (known := self._known(target)) is not None:
                return known
            fetched = await self._hop(target, home)
        return None if isinstance(fetched, Response) and fetched.status in _REDIRECTS else fetched

    async def _hop(self, url: Url, home: Host) -> Fetched:
        """Follow a redirect. A redirect to another host is an extra request there: take its lock and keep its pause."""
        host = host_of(url)
        if host == home:
            await self._clock.sleep(self._pause)
            return await self._locks[host].ask(self._robots, url, self._shared_pause(_name(url)))
        site = self._sites.get(_name(url))
        pause = max(self._pause, site.said.delay or 0.0) if site else self._pause
        return await self._locks[host].ask_as_guest(self._robots, url, pause)

    def _known(self, url: Url) -> "_Site | None":
        """The site whose robots.txt this is, if we have it."""
        name = _name(url)
        site = self._sites.get(name) if url == f"{name}/robots.txt" else None
        return site if site is not None and self._clock.now() < site.expires else None

    async def _take(
        self, name: str, site: "_Site", fetched: "Fetched | _Site | None"
    ) -> Later | Refused | Failed | None:
        before = site.said.delay
        match fetched:
            case _Site():
                self._hold(name, site, fetched.said)
            case Refused(asked=False) | Later():
                return fetched
            case Response(status=status) if 200 <= status < 300:
                self._hold(name, site, await _read(_capped(fetched.body), self._agent))
            case Response(status=429) | Failed():
                return self._down(site, fetched)
            case Response(status=status) if status >= 500:
                return self._down(site, fetched)
            case _:
                self._hold(name, site, _NOTHING_SAID)
        site.failures, site.outage = 0, None
        now = self._clock.now()
        site.expires = now + self._keep
        site.opens = now + max(self._pause, site.said.delay or 0.0)
        if site.said.delay and self._guests is not None:
            self._guests.rest(host_of(Url(name)), self._shared_pause(name))
        found = self._told_sitemaps(name, site)
        return self._rest(name, site, now, changed=site.said.delay != before, sitemaps=found)

    def _told_sitemaps(self, name: str, site: "_Site") -> tuple[Url, ...]:
        return _sitemaps(name, site.said.sitemaps) if self._sitemaps else ()

    def _hold(self, name: str, site: "_Site", said: "_Said") -> None:
        """Remember it, and forget the sites of longest ago if that is too much. What two sites share counts twice."""
        if self._sites.get(name) is site:
            self._bytes += said.size - site.said.size
        site.said = said
        self._forget()

    def _rest(
        self, name: str, site: "_Site", now: float, *, changed: bool = False, sitemaps: tuple[Url, ...] = ()
    ) -> Later | None:
        """What whoever wanted a page must wait for after robots.txt; None if nothing. News are told even without a wait."""
        if site.opens > now or changed or sitemaps:
            wait = max(site.opens - now, 0.0)
            return Later("robots-asked", wait, delay=self._host_delay(name), sitemaps=sitemaps)
        return None

    def _host_delay(self, name: str) -> float:
        """The crawl-delay of a host, 0 without one. http and https have a robots.txt each but are one host: the longer delay counts."""
        address = name.partition("://")[2]
        sites = (self._sites.get(f"{scheme}://{address}") for scheme in ("http", "https"))
        return max((site.said.delay or 0.0 for site in sites if site is not None), default=0.0)

    def _shared_pause(self, name: str) -> float:
        """For how long guests of other processes must keep away after a request to a host; 0 where there are none."""
        return 0.0 if self._guests is None else max(self._pause, self._host_delay(name))

    def _down(self, site: "_Site", fetched: Response | Failed) -> Later | Failed | None:
        """The server could not say what it allows: for now nothing is allowed, unless it said so before."""
        # A thousand doublings fit in no float.
        wait = min(self._again * 2 ** min(site.failures, 32), _LONGEST_OUTAGE)
        now = self._clock.now()
        if isinstance(fetched, Response):
            wait = max(wait, min(retry_after(fetched, now) or 0.0, self._keep))
        site.failures += 1
        site.down_until = now + wait
        if site.expires:
            site.expires = site.down_until
            return None
        # A name that does not exist and an invalid certificate hold for the pages too, so they are told as such.
        if isinstance(fetched, Failed) and not fetched.retry and fetched.why in {"dns", "tls"}:
            site.outage = fetched
            return fetched
        why = fetched.why if isinstance(fetched, Failed) else f"http-{fetched.status}"
        return Later("robots-unavailable", wait, strain=True, detail=why)


class _Said(NamedTuple):
    """What a robots.txt says to us."""

    rules: Protego | None = None
    """None: all is allowed."""
    delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    size: int = 0
    """About how many bytes it holds."""


_NOTHING_SAID = _Said()


class _Site:
    """What we know of the robots.txt of one scheme, host and port."""

    __slots__ = ("down_until", "expires", "failures", "lock", "opens", "outage", "said", "untold")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.said = _NOTHING_SAID
        self.expires = 0.0
        self.opens = 0.0
        """When the first page may be asked for after robots.txt was."""
        self.failures = 0
        self.down_until = 0.0
        self.outage: Failed | None = None
        self.untold = False
        """Whether a crawl-delay or sitemaps were learnt that the crawl was not told of."""


def _name(url: Url) -> str:
    """Scheme, host and port: what one robots.txt is valid for."""
    return url[: url.index("/", 8)]


def _sitemaps(name: str, texts: Sequence[str]) -> tuple[Url, ...]:
    found = join_all(Url(f"{name}/robots.txt"), texts[:_MOST_SITEMAPS])
    return tuple(dict.fromkeys(url for url in found if url is not None))


def _capped(body: bytes) -> bytes:
    """The part that is read. A line that was cut through goes: `Disallow: /x` must not become `Disallow: /`."""
    return body if len(body) < CAP else body[:CAP].rpartition(b"\n")[0]


async def _read(body: bytes, agent: str) -> _Said:
    # The worst 500 KiB take half a second, in a thread, so that the other hosts do not wait for it.
    return await asyncio.to_thread(_said, body, agent) if len(body) > _LARGE else _said(body, agent)


def _said(body: bytes, agent: str) -> _Said:
    """What concerns us. Protego, which matches urls, is handed that and nothing else."""
    group = group_for(agent, body.decode("utf-8-sig", errors="replace"))
    rules = Protego.parse(group.rules) if group.rules else None
    size = sum(map(_weight, group.rules.splitlines())) + 2 * sum(map(len, group.sitemaps))
    return _Said(rules, _delay(rules) if rules else None, group.sitemaps, size)


def _weight(rule: str) -> int:
    """About how many bytes Protego makes of a rule, as measured; `$` in a rule means that it holds two, or four."""
    # What is not ASCII is percent-encoded, three characters for each of its bytes, and what is long may be full of signs that are too.
    length = len(rule) if rule.isascii() and len(rule) <= _SHORT_RULE else 3 * len(rule.encode())
    if "$" in rule:
        return 1500 + 16 * length
    return (700 if "*" in rule else 270) + 4 * length


def _delay(rules: Protego) -> float | None:
    """The seconds between two pages that a robots.txt asks for, as a delay or as a rate."""
    asked = [] if (delay := rules.crawl_delay(_ANYONE)) is None else [delay]
    if rate := rules.request_rate(_ANYONE):
        # Compared as integers first: a silly number of seconds fits in no float.
        endless = rate.seconds // rate.requests >= LONGEST_DELAY
        asked.append(LONGEST_DELAY if endless else rate.seconds / rate.requests)
    return min(max(asked), LONGEST_DELAY) if asked else None
