"""Settings → a CrawlLoop: the parts that the settings name are made and put together."""

import asyncio
import contextlib
import json
import shutil
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from inspect import isawaitable, iscoroutinefunction
from pathlib import Path
from typing import NamedTuple, cast

from thresher import plugins
from thresher.browser import BrowserOptions
from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_sqlite import blaming_damage
from thresher.disk.ledger import Ledger
from thresher.documents.document_fetcher import DocumentFetcher, DocumentOptions, DocumentReader
from thresher.documents.kinds import DOCUMENT_TYPES, installed
from thresher.documents.unread import UnreadDocuments, taken_up
from thresher.endings import unread
from thresher.errors import BadInput
from thresher.events import HandReplaced, Watcher
from thresher.fetch.http import HTML_TYPES, HttpFetcher, WithHeaders
from thresher.fetch.proxies import Proxy, read_proxies
from thresher.frontier import SqliteFrontier
from thresher.hands import HandLost, HandOptions, HandParts, Setup, Team
from thresher.install_hint import install_hint
from thresher.judge.by_hand import AwaitedHandJudge, by_hand
from thresher.knowledge import Knowledge, needs, part
from thresher.list_forms import FEED_TYPES
from thresher.listed_links import LinkOptions
from thresher.model import Fetched, Host, LabelledPage, Refused, Url
from thresher.own_parts import awaited_judgement
from thresher.parse.html import HtmlParser
from thresher.polite.addresses import AddressGuard
from thresher.polite.robots import CAP, PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.ports import AsyncJudge, Fetcher, Judge, Parser, Strategy
from thresher.seed.search_settings import Search
from thresher.settings import Manners, Settings
from thresher.store.catalogue import Catalogue
from thresher.store.labels import labelled
from thresher.store.visits import open_catalogue
from thresher.urls import host_of, is_address

_PROXY_PATIENCE = 10.0
LIST_ENDINGS = (*FEED_TYPES, "application/xml")
"""The content types of feeds and sitemaps that an ending may promise."""


class OwnParts(NamedTuple):
    """Parts of somebody's own making, taken as they are instead of those that the settings name."""

    strategy: Strategy | None = None
    judge: Judge | AsyncJudge | None = None
    """It judges in the process of the crawl; hands fetch and read pages for it."""
    watchers: Sequence[Watcher] = ()


@contextlib.asynccontextmanager
async def assembled(folder: CrawlFolder, settings: Settings, own: OwnParts | None = None) -> AsyncIterator[CrawlLoop]:
    """The parts that the settings name, put together. The folder is locked meanwhile, and everything is kept when this ends."""
    own = own or OwnParts()
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    given = needs(settings.topic, known)
    budget = plugins.construct(Budget, settings.budget, "[budget]")
    links = link_options(settings)
    manners = plugins.construct(Manners, settings.polite, "[polite]")
    scope = scope_rules(settings)
    strategy = own.strategy or part("strategy", settings.strategy, given)
    judge = own.judge or part("judge", settings.judge, given)
    async with contextlib.AsyncExitStack() as stack:
        if not folder.path.exists():
            stack.callback(_unmake, folder)
        stack.enter_context(folder)
        stack.enter_context(blaming_damage(folder.database))
        ledger = Ledger(folder.database)
        stack.callback(ledger.close)
        store = plugins.construct(Catalogue, settings.store, "[store]", ledger=ledger, warc_folder=folder.warc)
        stack.callback(store.close)
        calendar = {"merge": strategy.merge, "delay": manners.delay, "per_host": manners.per_host}
        frontier = plugins.construct(SqliteFrontier, settings.frontier, "[frontier]", ledger=ledger, **calendar)
        told: HandLost = lambda *lost: crawl.tell(HandReplaced(*lost))  # noqa: E731 - the crawl comes last
        fetcher, parser, judge = await _readers(
            stack, folder, settings, judge, told, own=own.judge is not None or iscoroutinefunction(judge.judge)
        )
        documents = document_options(settings)
        # Last, when every part has taken its keys: a mistake must not be what the folder goes on with.
        folder.write_settings(settings.as_toml())
        crawl = CrawlLoop(
            frontier=frontier,
            fetcher=fetcher,
            parser=parser,
            scope=scope,
            judge=judge,
            strategy=strategy,
            store=store,
            budget=budget,
            seeds=settings.seeds,
            labels=labels_of(folder),
            workers=settings.workers,
            watchers=own.watchers,
            links=links,
        )
        if documents.read:
            await frontier.add(taken_up(store))
        elif documents.read is None:
            crawl.watchers.append(UnreadDocuments(store, scope_rules(settings, DOCUMENT_TYPES)))
        yield crawl


async def _readers(  # noqa: PLR0913 - all that meets here
    stack: contextlib.AsyncExitStack,
    folder: CrawlFolder,
    settings: Settings,
    judge: Judge | AsyncJudge,
    told: HandLost,
    *,
    own: bool,
) -> tuple[Fetcher, Parser, Judge | AsyncJudge]:
    """What fetches, parses and judges: hands, or this process itself, where judges of somebody's own and those that wait always are."""
    options: HandOptions = plugins.construct(HandOptions, settings.hands, "[hands]")
    if not options.count:
        fetcher = _fetcher(settings)
        stack.push_async_callback(fetcher.close)
        return fetcher, page_parser(settings), await _heeding(judge, labels_of(folder))
    said = {"settings": settings.as_toml(whole=True), "folder": str(folder.path.absolute()), "judges": not own}
    setup = Setup(f"{__name__}:{hand_parts.__name__}", json.dumps(said))
    # Made when it is needed: nearly always the hands judge.
    team = Team(setup, options, told, lambda: (page_parser(settings), by_hand(cast("Judge", judge), labels_of(folder))))
    await team.open()
    stack.push_async_callback(team.close)
    return team, team, await _heeding(judge, labels_of(folder)) if own else team


async def _heeding(judge: Judge | AsyncJudge, labels: Sequence[LabelledPage]) -> Judge | AsyncJudge:
    """The judge with what a person has said of pages so far."""
    if not labels or not isawaitable(first := judge.judge(labels[0].page)):
        return by_hand(cast("Judge", judge), labels)
    waits = cast("AsyncJudge", judge)
    said = [await awaited_judgement(judge, first, labels[0].page), *[await waits.judge(page) for page, _ in labels[1:]]]
    return AwaitedHandJudge(waits, labels, said)


def hand_parts(text: str) -> HandParts:
    """What a hand fetches, parses and judges with; called in the hand's own process."""
    said = json.loads(text)
    settings = Settings().with_changes(tomllib.loads(said["settings"]), "the settings of the crawl")
    if not said["judges"]:
        return HandParts(_fetcher(settings), page_parser(settings), None)
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    judge: Judge = part("judge", settings.judge, needs(settings.topic, known))
    labels = labels_of(CrawlFolder(Path(said["folder"])))
    return HandParts(_fetcher(settings), page_parser(settings), by_hand(judge, labels))


def _fetcher(settings: Settings) -> Fetcher:
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    return page_fetcher(settings, manners)


def labels_of(folder: CrawlFolder) -> list[LabelledPage]:
    """The pages that a person has judged so far, as they were then."""
    parser = HtmlParser()
    with contextlib.closing(open_catalogue(folder.database)) as catalogue:
        return [LabelledPage(parser.parse(r), relevant) for r, relevant in labelled(catalogue.execute, folder.warc)]


def _unmake(folder: CrawlFolder) -> None:
    """Of a crawl that could not begin nothing is left behind."""
    if not folder.exists:
        shutil.rmtree(folder.path, ignore_errors=True)


def check_tables(settings: Settings) -> None:
    """Raise what is wrong with the tables whose parts cost nothing to make; the others are told when they are put together."""
    plugins.construct(Budget, settings.budget, "[budget]")
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    plugins.construct(HandOptions, settings.hands, "[hands]")
    plugins.construct(Search, settings.search, "[search]")
    polite_fetcher(settings, manners)
    link_options(settings)
    document_options(settings)
    options = browser_options(settings)
    if options.when != "never":
        options.program  # noqa: B018 - it says what is missing
    scope_rules(settings)


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
    settings: Settings, manners: Manners, around: Callable[[HttpFetcher], Fetcher] = lambda pages: pages
) -> Fetcher:
    """The polite fetcher; with a browser around it, if the settings want one."""
    options = browser_options(settings)
    if options.when == "never":
        return polite_fetcher(settings, manners, around)
    from thresher.browser.answers import Answers  # noqa: PLC0415 - needs an extra
    from thresher.browser.fetcher import BrowserFetcher  # noqa: PLC0415

    over_http: list[HttpFetcher] = []

    def noted(pages: HttpFetcher) -> Fetcher:
        over_http.append(pages)
        return around(pages)

    polite = polite_fetcher(settings, manners, noted)
    ask = _asking_beside(settings, manners, polite, over_http[0])
    answers = Answers(ask, options.keep << 20)
    return BrowserFetcher(
        polite, answers, HtmlParser(), options, program=options.program, user_agent=manners.user_agent
    )


def _asking_beside(
    settings: Settings, manners: Manners, polite: PoliteFetcher, pages: HttpFetcher
) -> Callable[[Url, Mapping[str, str]], Awaitable[Fetched]]:
    """What fetches for pages that a browser shows: scripts and data of any content type, as politely as pages."""
    table = {**settings.fetch, "types": ()}
    # It shares the connections of the pages, and with them the guard of addresses.
    given = {"user_agent": manners.user_agent, "guard": pages.guard, "connections": settings.workers, "beside": pages}
    parts: HttpFetcher = plugins.construct(HttpFetcher, table, "[fetch]", **given)
    # What the user keeps out is not asked for either; what is merely not in scope may be, since scripts come from anywhere.
    denied = {key: value for key, value in settings.scope.items() if key.startswith("deny_")}
    scope: ScopeRules = plugins.construct(ScopeRules, {**denied, "deny_endings": ()}, "[scope]")

    async def ask(url: Url, headers: Mapping[str, str]) -> Fetched:
        if why := scope.refusal(url, 0):
            return Refused("scope", why)
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
) -> PoliteFetcher:
    """HTTP, wrapped in robots.txt, with the address guard at every connection.

    `around` wraps what fetches the pages, and `around_robots` what fetches robots.txt.
    """
    # Only a seed that spells an address counts: a name could be made to point anywhere, and seeds may come from a search engine.
    spelt: set[Host] = {host for url in settings.seeds if is_address(host := host_of(url))}
    guard = AddressGuard(allow_private=manners.allow_private, hosts=spelt)
    given = {"user_agent": manners.user_agent, "guard": guard, "connections": settings.workers, "resolver": None}
    links, documents = link_options(settings), document_options(settings)
    larger = dict.fromkeys(DOCUMENT_TYPES if documents.read else (), documents.max_bytes)
    table = {**settings.fetch, "types": _types(settings)}
    pages = plugins.construct(HttpFetcher, table, "[fetch]", **given, beside=None, lists=links.hidden, larger=larger)
    # A robots.txt comes as any content type, and of a huge one the beginning is read.
    for_robots = {**settings.fetch, "types": (), "max_bytes": CAP, "cut": True}
    robots = plugins.construct(HttpFetcher, for_robots, "[fetch]", **given, beside=pages)
    readable = DocumentFetcher(around(pages), DocumentReader(documents) if documents.read else None)
    told = links.hidden and links.sitemaps
    return PoliteFetcher(readable, around_robots(robots), pause=manners.delay, obey=manners.robots, sitemaps=told)


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
