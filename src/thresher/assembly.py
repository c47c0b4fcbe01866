"""Settings → a CrawlLoop: the parts that the settings name are made and put together."""

import asyncio
import contextlib
import json
import shutil
import tomllib
from collections.abc import AsyncIterator, Callable, Sequence
from inspect import isawaitable, iscoroutinefunction
from pathlib import Path
from typing import NamedTuple, cast
from urllib.parse import urlsplit

from thresher import plugins
from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_sqlite import blaming_damage
from thresher.disk.ledger import Ledger
from thresher.endings import unread
from thresher.errors import BadInput
from thresher.events import HandReplaced, Watcher
from thresher.fetch.http import HTML_TYPES, HttpFetcher
from thresher.frontier import SqliteFrontier
from thresher.hands import HandLost, HandOptions, HandParts, Setup, Team
from thresher.judge.by_hand import AwaitedHandJudge, by_hand
from thresher.knowledge import Knowledge, needs, part
from thresher.model import Host, LabelledPage
from thresher.own_parts import awaited_judgement
from thresher.parse.html import HtmlParser
from thresher.polite.addresses import AddressGuard
from thresher.polite.robots import CAP, PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.ports import AsyncJudge, Fetcher, Judge, Parser, Strategy
from thresher.settings import Manners, Settings
from thresher.store.catalogue import Catalogue
from thresher.store.labels import labelled
from thresher.store.visits import open_catalogue
from thresher.urls import host_of, is_address

_PROXY_PATIENCE = 10.0


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
        )
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
        return fetcher, _parser(settings), await _heeding(judge, labels_of(folder))
    said = {"settings": settings.as_toml(), "folder": str(folder.path.absolute()), "judges": not own}
    setup = Setup(f"{__name__}:{hand_parts.__name__}", json.dumps(said))
    # Made when it is needed: nearly always the hands judge.
    team = Team(setup, options, told, lambda: (_parser(settings), by_hand(cast("Judge", judge), labels_of(folder))))
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
        return HandParts(_fetcher(settings), _parser(settings), None)
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    judge: Judge = part("judge", settings.judge, needs(settings.topic, known))
    return HandParts(
        _fetcher(settings), _parser(settings), by_hand(judge, labels_of(CrawlFolder(Path(said["folder"]))))
    )


def _fetcher(settings: Settings) -> PoliteFetcher:
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    return polite_fetcher(settings, manners)


def _parser(settings: Settings) -> HtmlParser:
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    return HtmlParser(respect_tdm=manners.respect_tdm)


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
    plugins.construct(Manners, settings.polite, "[polite]")
    plugins.construct(HandOptions, settings.hands, "[hands]")
    scope_rules(settings)


def scope_rules(settings: Settings) -> ScopeRules:
    """Which urls belong to the crawl; unless it says otherwise, what promises no content type that is read does not."""
    table = {"deny_endings": sorted(unread(settings.fetch.get("types", HTML_TYPES))), **settings.scope}
    rules: ScopeRules = plugins.construct(ScopeRules, table, "[scope]")
    return rules


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
    given = {"user_agent": manners.user_agent, "guard": guard, "connections": settings.workers}
    pages = plugins.construct(HttpFetcher, settings.fetch, "[fetch]", **given)
    # A robots.txt comes as any content type, and of a huge one the beginning is read.
    for_robots = {**settings.fetch, "types": (), "max_bytes": CAP, "cut": True}
    robots = plugins.construct(HttpFetcher, for_robots, "[fetch]", **given, beside=pages)
    return PoliteFetcher(around(pages), around_robots(robots), pause=manners.delay, obey=manners.robots)


async def reach_proxy(settings: Settings) -> None:
    """Check that the proxy can be reached: without it, the web would look as if no host answered."""
    proxy = settings.fetch.get("proxy")
    if not proxy:
        return
    host, port = _place_of(proxy)
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), _PROXY_PATIENCE)
    except (OSError, TimeoutError) as error:
        raise BadInput(
            f"the proxy {proxy} cannot be reached: {getattr(error, 'strerror', None) or 'it does not answer'}"
        ) from error
    writer.close()


def _place_of(proxy: str) -> tuple[str, int]:
    """Host and port of a proxy."""
    try:
        place = urlsplit(proxy)
        port = place.port or (443 if place.scheme == "https" else 80)
    except ValueError:  # a port that is none, or brackets that are not closed
        place, port = urlsplit(""), 0
    if place.scheme not in {"http", "https"} or not place.hostname:
        raise BadInput(f"the proxy {proxy!r} is not a web address such as http://127.0.0.1:8080")
    return place.hostname, port
