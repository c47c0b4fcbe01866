"""A page is fetched for a trial, through the parts that a crawl fetches with: the resolver, the proxy, robots.txt, the connection, TLS.

Each stage is told apart, so that one sees which of them fails.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from thresher.doctor.findings import Finding, broken, good, missing
from thresher.errors import BadInput
from thresher.fetch.http import HttpFetcher
from thresher.fetch.proxies import read_proxies
from thresher.fetchers import polite_fetcher, reach_proxy
from thresher.model import Failed, Fetched, Later, Refused, Response, Url
from thresher.outcomes import redirect_target
from thresher.parse.html import HtmlParser
from thresher.settings import Manners, Settings
from thresher.urls import canonical, host_of, is_address

_FETCH = "Test fetch"
_PATIENCE = 10.0
"""Seconds for a name to be looked up; and the longest pause after robots.txt that is waited for."""
_TITLE = "A page of the doctor's"
_PAGE = f"<!doctype html><title>{_TITLE}</title><p>If you read this, a page can be fetched.".encode()
_ANSWERS = {b"/robots.txt": (b"text/plain", b"User-agent: *\nAllow: /\n"), b"/": (b"text/html", _PAGE)}
_TOLD = {
    "dns": "the name cannot be looked up",
    "tls": "no secure connection (TLS)",
    "timeout": "no answer in time",
    "connection-refused": "nothing listens there",
    "unreachable": "the machine cannot be reached",
    "reset": "the connection was cut",
    "proxy": "the proxy did not let it through",
}
_STAGES = {"dns": "DNS", "tls": "TLS", "proxy": "proxy"}


def trial(
    url: str | None = None, *, proxy: str | None = None, allow_private: bool = False, pause: float = 1.0
) -> list[Finding]:
    """Fetch a url of the user's; or, if none is given, a page that is served here on loopback.

    The server gets a pause, in seconds, between robots.txt and the page.
    """
    if url is None:
        return asyncio.run(_on_loopback())
    wanted = canonical(url)
    if wanted is None:
        raise BadInput(f"--fetch: {url!r} is not a web address such as https://example.org/page")
    return asyncio.run(_on_the_web(wanted, proxy, Manners(delay=pause, allow_private=allow_private)))


# ── on loopback ──


async def _on_loopback() -> list[Finding]:
    """One line: that the fetcher and the parser work does not need more."""
    try:
        async with _served() as url:
            _, fetched = await _fetched(Settings(seeds=(url,)), Manners(delay=0.0))
    except OSError as error:
        return [broken(_FETCH, "loopback", f"no server can be started on 127.0.0.1: {error.strerror or error}")]
    if not isinstance(fetched, Response) or HtmlParser().parse(fetched).title != _TITLE:
        return [broken(_FETCH, "loopback", f"a page served on this machine did not come: {_said(fetched)}")]
    return [good(_FETCH, "loopback", f"{url}: {_said(fetched)}")]


@asynccontextmanager
async def _served() -> AsyncIterator[Url]:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    async with server:
        yield Url(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    # Anybody on this machine may connect, and send what they like.
    with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        asked = await reader.readuntil(b"\r\n\r\n")
        kind, body = _ANSWERS[b"/robots.txt" if b" /robots.txt " in asked else b"/"]
        head = b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
        writer.write(head % (kind, len(body)) + body)
        await writer.drain()
    writer.close()


# ── a url of the user's ──


async def _on_the_web(url: Url, proxy: str | None, manners: Manners) -> list[Finding]:
    settings = Settings(seeds=(url,), fetch={"proxy": proxy} if proxy else {})
    way = await (_proxy(settings) if proxy else _name(url))
    if way.state == "broken":
        return [way]
    robots, fetched = await _fetched(settings, manners)
    found = [way, *_about_connection(url, robots), *_about_robots(robots, fetched)]
    return found if any(each.state != "good" for each in found) else [*found, _about_page(fetched)]


async def _proxy(settings: Settings) -> Finding:
    (proxy,) = read_proxies(settings.fetch["proxy"], None)  # refuses what is no address of a proxy
    try:
        await reach_proxy(settings)
    except BadInput as error:
        return broken(_FETCH, "proxy", str(error))
    looks_up = "; it looks up names" if proxy.looks_up else ""
    return good(_FETCH, "proxy", f"{proxy.place[0]} answers{looks_up}")


async def _name(url: Url) -> Finding:
    """Where the name of the host leads."""
    host = host_of(url)
    if is_address(host):
        return good(_FETCH, "DNS", f"not needed: {host} is an address")
    name = host.partition(":")[0]
    try:
        loop = asyncio.get_running_loop()
        found = await asyncio.wait_for(loop.getaddrinfo(name, None, type=socket.SOCK_STREAM), _PATIENCE)
    except TimeoutError:
        return broken(_FETCH, "DNS", f"{name}: no answer in {_PATIENCE:g} s", "is there a network?")
    except (OSError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or str(error)
        return broken(_FETCH, "DNS", f"{name}: {said}", "is there a network, and is the name spelt right?")
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    return good(_FETCH, "DNS", f"{name} is {', '.join(addresses[:3])}{' …' * (len(addresses) > 3)}")


def _about_connection(url: Url, robots: Fetched | None) -> list[Finding]:
    """robots.txt is the first that is asked for: what fails there is the connection's fault, not the file's."""
    if isinstance(robots, Failed):
        return [broken(_FETCH, _STAGES.get(robots.why, "connection"), _said(robots))]
    if isinstance(robots, Response) and url.startswith("https:"):
        return [good(_FETCH, "TLS", "the certificate is valid")]
    return []


def _about_robots(robots: Fetched | None, fetched: Fetched) -> list[Finding]:
    if not isinstance(robots, Response):
        return []
    said = f"{robots.status}"
    match fetched:
        case Refused(why="robots"):
            return [missing(_FETCH, "robots.txt", f"{said}, and does not allow this page: a crawl leaves it out")]
        case Later(why="robots-asked", seconds=seconds):
            said = f"{said}, and asks for {seconds or 0.0:,.0f} s between two requests"
            return [missing(_FETCH, "robots.txt", f"{said}: the page was not asked for")]
        case Later():
            return [broken(_FETCH, "robots.txt", f"{said}: as long as it cannot be had, a crawl fetches nothing there")]
        case _:
            return [good(_FETCH, "robots.txt", f"{said}, and allows this page")]


def _about_page(fetched: Fetched) -> Finding:
    match fetched:
        case Response(status=status) if status < 400:
            target = redirect_target(fetched)
            return good(_FETCH, "page", _said(fetched) + (f"; it redirects to {target}" if target else ""))
        case Refused(why="private-address"):
            return missing(_FETCH, "page", _said(fetched), "--allow-private")
        case Refused(why="content-type"):
            return missing(_FETCH, "page", f"{fetched.detail}: a crawl does not read that")
        case Failed():
            return broken(_FETCH, "page", _said(fetched))
        case _:
            return missing(_FETCH, "page", _said(fetched))


def _said(fetched: Fetched) -> str:
    if isinstance(fetched, Response):
        return f"{fetched.status}, {len(fetched.body):,} bytes in {1000 * fetched.elapsed:,.0f} ms"
    told = _TOLD.get(fetched.why, fetched.why)
    detail = getattr(fetched, "detail", "")
    return f"{told} ({detail})" if detail else told


# ── the fetcher of a crawl ──


class _Overheard:
    """Another fetcher; what came last is remembered."""

    def __init__(self, inner: HttpFetcher) -> None:
        self._inner = inner
        self.last: Fetched | None = None

    async def fetch(self, url: Url) -> Fetched:
        """Fetch, and remember."""
        self.last = await self._inner.fetch(url)
        return self.last

    async def close(self) -> None:
        """Close the other."""
        await self._inner.close()


async def _fetched(settings: Settings, manners: Manners) -> tuple[Fetched | None, Fetched]:
    """What came of robots.txt, and of the page."""
    overheard: list[_Overheard] = []

    def overhear(robots: HttpFetcher) -> _Overheard:
        overheard.append(_Overheard(robots))
        return overheard[0]

    fetcher = polite_fetcher(settings, manners, around_robots=overhear)
    try:
        fetched = await fetcher.fetch(settings.seeds[0])
        if isinstance(fetched, Later) and fetched.why == "robots-asked" and (fetched.seconds or 0.0) <= _PATIENCE:
            await asyncio.sleep(fetched.seconds or 0.0)
            fetched = await fetcher.fetch(settings.seeds[0])
    finally:
        await fetcher.close()
    return overheard[0].last, fetched
