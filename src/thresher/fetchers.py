"""Settings → what fetches pages, what parses them, and which urls belong to the crawl.

Fetchers wrap fetchers: HTTP, around it what reads documents, around that robots.txt, and around all a browser, if one is wanted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import replace

from thresher import plugins
from thresher.browser import BrowserOptions
from thresher.documents.document_fetcher import DocumentFetcher, DocumentOptions, DocumentReader
from thresher.documents.kinds import DOCUMENT_TYPES, installed
from thresher.endings import unread
from thresher.errors import BadInput
from thresher.fetch.http import HTML_TYPES, HttpFetcher, WithHeaders
from thresher.fetch.proxies import Proxy, read_proxies
from thresher.install_hint import install_hint
from thresher.list_forms import FEED_TYPES
from thresher.listed_links import LinkOptions
from thresher.model import Fetched, Host, Refused, Url
from thresher.parse.html import HtmlParser
from thresher.polite.addresses import AddressGuard
from thresher.polite.host_locks import Guests
from thresher.polite.robots import CAP, PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.ports import Fetcher
from thresher.settings import Manners, Settings
from thresher.urls import host_of, is_address

_PROXY_PATIENCE = 10.0
LEFT_OUT = "left out by order"
"""Why urls of a host are refused that a person left out while the crawl ran."""
LIST_ENDINGS = (*FEED_TYPES, "application/xml")
"""The content types of feeds and sitemaps that an ending may promise."""


def link_options(settings: Settings) -> LinkOptions:
    """Which links are read that no person can click."""
    options: LinkOptions = plugins.construct(LinkOptions, settings.links, "[links]")
    return options


def page_parser(settings: Settings) -> HtmlParser:
    """What reads the pages of the crawl."""
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    return HtmlParser(hidden=link_options(settings).hidden, respect_tdm=manners.respect_tdm)


def scope_rules(settings: Settings, more: Sequence[str] = ()) -> ScopeRules:
    """Which urls belong to the crawl; unless it says otherwise, what promises no content type that is read, or of `more`, does not."""
    types = _types(settings)
    lists = LIST_ENDINGS if link_options(settings).hidden else ()
    table = {"deny_endings": sorted(unread([*types, *lists, *more] if types else ())), **settings.scope}
    rules: ScopeRules = plugins.construct(ScopeRules, table, "[scope]")
    return rules


def browser_options(settings: Settings) -> BrowserOptions:
    """When a browser renders pages, and what it may take."""
    options: BrowserOptions = plugins.construct(BrowserOptions, settings.browser, "[browser]")
    return options


def page_fetcher(
    settings: Settings,
    manners: Manners,
    around: Callable[[HttpFetcher], Fetcher] = lambda pages: pages,
    left: Container[Host] = (),
    guests: Guests | None = None,
) -> Fetcher:
    """The polite fetcher; with a browser around it, if the settings want one. Of hosts that are `left`, browsers get nothing either."""
    options = browser_options(settings)
    if options.when == "never":
        return polite_fetcher(settings, manners, around, guests=guests)
    from thresher.browser.answers import Answers  # noqa: PLC0415 - needs an extra
    from thresher.browser.fetcher import BrowserFetcher  # noqa: PLC0415

    over_http: list[HttpFetcher] = []

    def noted(pages: HttpFetcher) -> Fetcher:
        over_http.append(pages)
        return around(pages)

    polite = polite_fetcher(settings, manners, noted, guests=guests)
    ask = _asking_beside(settings, manners, polite, over_http[0], left)
    answers = Answers(ask, options.keep << 20)
    return BrowserFetcher(
        polite, answers, HtmlParser(), options, program=options.program, user_agent=manners.user_agent
    )


def _asking_beside(
    settings: Settings, manners: Manners, polite: PoliteFetcher, pages: HttpFetcher, left: Container[Host]
) -> Callable[[Url, Mapping[str, str]], Awaitable[Fetched]]:
    """What fetches for pages that a browser shows: scripts and data of any content type, as politely as pages."""
    table = {**settings.fetch, "types": ()}
    # It shares the connections of the pages, and with them the guard of addresses.
    given = {"user_agent": manners.user_agent, "guard": pages.guard, "connections": settings.workers, "beside": pages}
    # A page chooses what is asked here, of any host: what the user may send to some is not sent in its name.
    parts: HttpFetcher = plugins.construct(HttpFetcher, table, "[fetch]", **given, anonymous=True)
    # What the user keeps out is not asked for either; what is merely not in scope may be, since scripts come from anywhere.
    denied = {key: value for key, value in settings.scope.items() if key.startswith("deny_")}
    scope: ScopeRules = plugins.construct(ScopeRules, {**denied, "deny_endings": ()}, "[scope]")

    async def ask(url: Url, headers: Mapping[str, str]) -> Fetched:
        if why := scope.refusal(url, 0):
            return Refused("scope", why)
        if host_of(url) in left:
            return Refused("scope", LEFT_OUT)
        return await polite.fetch_beside(url, WithHeaders(parts, headers))

    return ask


def _types(settings: Settings) -> Sequence[str]:
    """The content types that are read; all if none is named."""
    documents = DOCUMENT_TYPES if _documents(settings).read else ()
    named: Sequence[str] = settings.fetch.get("types", (*HTML_TYPES, *documents))
    return named


def document_options(settings: Settings) -> DocumentOptions:
    """How documents are read. `read` is None if nobody says whether, and they cannot be read here."""
    options = _documents(settings)
    if options.read and not installed():
        raise BadInput(
            f"[documents]: read is true, but what reads documents is not installed: {install_hint('documents')}"
        )
    return options


def _documents(settings: Settings) -> DocumentOptions:
    options: DocumentOptions = plugins.construct(DocumentOptions, settings.documents, "[documents]")
    return replace(options, read=True) if options.read is None and installed() else options


def polite_fetcher(
    settings: Settings,
    manners: Manners,
    around: Callable[[HttpFetcher], Fetcher] = lambda pages: pages,
    around_robots: Callable[[HttpFetcher], Fetcher] = lambda robots: robots,
    guests: Guests | None = None,
) -> PoliteFetcher:
    """HTTP, wrapped in robots.txt, with the address guard at every connection.

    `around` wraps what fetches the pages, and `around_robots` what fetches robots.txt. `guests` is where turns of hosts come from, if
    other processes ask the same hosts.
    """
    # Only a seed that spells an address counts: a name could be made to point anywhere, and seeds may come from a search engine.
    spelt: set[Host] = {host for url in settings.seeds if is_address(host := host_of(url))}
    guard = AddressGuard(allow_private=manners.allow_private, hosts=spelt)
    given = {
        "user_agent": manners.user_agent,
        "guard": guard,
        "connections": settings.workers,
        "resolver": None,
        "anonymous": False,
    }
    links, documents = link_options(settings), document_options(settings)
    larger = dict.fromkeys(DOCUMENT_TYPES if documents.read else (), documents.max_bytes)
    table = {**settings.fetch, "types": _types(settings)}
    pages = plugins.construct(HttpFetcher, table, "[fetch]", **given, beside=None, lists=links.hidden, larger=larger)
    # A robots.txt comes as any content type, and of a huge one the beginning is read.
    for_robots = {**settings.fetch, "types": (), "max_bytes": CAP, "cut": True}
    robots = plugins.construct(HttpFetcher, for_robots, "[fetch]", **given, beside=pages)
    readable = DocumentFetcher(around(pages), DocumentReader(documents) if documents.read else None)
    told = links.hidden and links.sitemaps
    return PoliteFetcher(
        readable, around_robots(robots), pause=manners.delay, obey=manners.robots, sitemaps=told, guests=guests
    )


async def reach_proxy(settings: Settings) -> list[str]:
    """Check that the proxies can be reached: without them, the web would look as if no host answered.

    If only some can be reached, the others are returned, each with the reason.
    """
    proxies = read_proxies(settings.fetch.get("proxy"), settings.fetch.get("proxies"))
    said = await asyncio.gather(*map(_trouble_with, proxies))
    troubles = [trouble for trouble in said if trouble]
    if troubles and len(troubles) == len(proxies):
        raise BadInput("; ".join(troubles))
    return troubles


async def _trouble_with(proxy: Proxy) -> str:
    """Why a proxy cannot be reached; empty if it can."""
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(*proxy.place), _PROXY_PATIENCE)
    except (OSError, TimeoutError) as error:
        why = getattr(error, "strerror", None) or "it does not answer"
        return f"the proxy {proxy.shown} cannot be reached: {why}"
    writer.close()
    return ""
