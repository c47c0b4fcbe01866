"""Settings → a CrawlLoop: the parts that the settings name are made and put together."""

import contextlib
import json
import os
import shutil
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Sequence
from inspect import isawaitable, iscoroutinefunction
from typing import NamedTuple, cast

from thresher import plugins
from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Home, home_of, place_of
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger_address import LedgerAddress
from thresher.documents.kinds import DOCUMENT_TYPES
from thresher.documents.unread import UnreadDocuments, taken_up
from thresher.events import HandReplaced, Watcher
from thresher.fetchers import (
    browser_options,
    document_options,
    link_options,
    page_fetcher,
    page_parser,
    polite_fetcher,
    scope_rules,
)
from thresher.hands import HandLost, HandOptions, HandParts, HostPlaces, Setup, Team, shared_memory
from thresher.judge.by_hand import AwaitedHandJudge, by_hand
from thresher.knowledge import Knowledge, needs, part
from thresher.model import Host, LabelledPage, Url
from thresher.orders.lasting import LEFT, left_hosts, settled_budget, without
from thresher.orders.obey import InboxOrders
from thresher.orders.workplace import workplace
from thresher.own_parts import awaited_judgement
from thresher.parse.html import HtmlParser
from thresher.polite.host_locks import Guests
from thresher.ports import AsyncJudge, Fetcher, Judge, Parser, Scope, Strategy
from thresher.seed.search_settings import Search
from thresher.settings import Manners, Settings
from thresher.store.labels import labelled
from thresher.store.states import recall
from thresher.store.visits import open_catalogue
from thresher.warc.record_files import record_files


class OwnParts(NamedTuple):
    """Parts of somebody's own making, taken as they are instead of those that the settings name."""

    strategy: Strategy | None = None
    judge: Judge | AsyncJudge | None = None
    """It judges in the process of the crawl; hands fetch and read pages for it."""
    watchers: Sequence[Watcher] = ()
    joins: bool = False
    """Whether it joins a crawl that others began: then the settings that are kept are left as they are."""


@contextlib.asynccontextmanager
async def assembled(home: Home, settings: Settings, own: OwnParts | None = None) -> AsyncIterator[CrawlLoop]:
    """The parts that the settings name, put together. A folder is locked meanwhile, and everything is kept when this ends."""
    own = own or OwnParts()
    given = needs(settings.topic, plugins.construct(Knowledge, settings.knowledge, "[knowledge]"))
    budget = plugins.construct(Budget, settings.budget, "[budget]")
    links = link_options(settings)
    manners = plugins.construct(Manners, settings.polite, "[polite]")
    scope: Scope = scope_rules(settings)
    strategy = own.strategy or part("strategy", settings.strategy, given)
    judge = own.judge or part("judge", settings.judge, given)
    async with contextlib.AsyncExitStack() as stack:
        if isinstance(home, CrawlFolder) and not home.path.exists():
            stack.callback(_unmake, home)
        place = stack.enter_context(workplace(home, settings))
        store, calendar = place.store, {"delay": manners.delay, "per_host": manners.per_host}
        frontier = place.make_frontier(merge=strategy.merge, **calendar)
        made: list[CrawlLoop] = []  # the crawl comes last; a hand may be lost before

        def told(url: Url | None, why: str) -> None:
            for each in made:
                each.tell(HandReplaced(url, why))

        readers = await _readers(
            stack, home, settings, judge, told, own=own.judge is not None or iscoroutinefunction(judge.judge)
        )

        async def learn() -> None:
            crawl.judge = await readers.learnt()

        documents = document_options(settings)
        scope = without(scope, left_hosts(store.recall(LEFT)))
        # Last, when every part has taken its keys: a mistake must not be what the crawl goes on with.
        if not own.joins:
            home.write_settings(settings.as_toml())
        crawl = CrawlLoop(
            frontier=frontier,
            fetcher=readers.fetcher,
            parser=readers.parser,
            scope=scope,
            judge=readers.judge,
            strategy=strategy,
            store=store,
            budget=settled_budget(budget, store),
            seeds=settings.seeds,
            labels=place.labels(),
            workers=settings.workers,
            watchers=own.watchers,
            links=links,
            orders=InboxOrders(place.inbox, place.tables, place.labelled_page, budget, learn),
        )
        made.append(crawl)
        if not isinstance(home, CrawlFolder):
            from thresher.together.in_step import join_fellows  # noqa: PLC0415 - psycopg is an extra

            anew = lambda: part("strategy", settings.strategy, given)  # noqa: E731 - made when it is needed
            join_fellows(crawl, place, budget, learn, anew)
        if documents.read:
            await frontier.add(taken_up(store))
        elif documents.read is None:
            crawl.watchers.append(UnreadDocuments(store, scope_rules(settings, DOCUMENT_TYPES)))
        yield crawl


class _Readers(NamedTuple):
    fetcher: Fetcher
    parser: Parser
    judge: Judge | AsyncJudge
    learnt: Callable[[], Awaitable[Judge | AsyncJudge]]
    """The judge with the labels that are kept by now."""


async def _readers(  # noqa: PLR0913 - all that meets here
    stack: contextlib.AsyncExitStack,
    folder: Home,
    settings: Settings,
    judge: Judge | AsyncJudge,
    told: HandLost,
    *,
    own: bool,
) -> _Readers:
    """What fetches, parses and judges: hands, or this process itself, where judges of somebody's own and those that wait always are."""
    options: HandOptions = plugins.construct(HandOptions, settings.hands, "[hands]")

    left = set(left_in(folder))

    async def here() -> Judge | AsyncJudge:
        left.update(left_in(folder))
        return await _heeding(judge, labels_of(folder))

    if not options.count:
        fetcher = _fetcher(folder, settings, left)
        stack.push_async_callback(fetcher.close)
        return _Readers(fetcher, page_parser(settings), await here(), here)
    places = _places(stack, folder, options.count)
    said = {"settings": settings.as_toml(whole=True), "home": _written(folder), "judges": not own, "places": places}
    setup = Setup(f"{__name__}:{hand_parts.__name__}", json.dumps(said), places)
    # Made when it is needed: nearly always the hands judge.
    team = Team(setup, options, told, lambda: (page_parser(settings), by_hand(cast("Judge", judge), labels_of(folder))))
    await team.open()
    stack.push_async_callback(team.close)

    async def elsewhere() -> Judge:
        team.learn()
        return team

    async def both() -> Judge | AsyncJudge:
        team.learn()
        return await here()

    return _Readers(team, team, await here(), both) if own else _Readers(team, team, team, elsewhere)


def _places(stack: contextlib.AsyncExitStack, home: Home, hands: int) -> tuple[int, ...]:
    """Memory in which several hands keep apart who asks a host; none for one hand, nor where a ledger gives all turns."""
    if hands == 1 or isinstance(home.path, LedgerAddress):
        return ()
    memory = shared_memory(hands)
    stack.callback(os.close, memory)
    return (memory,)


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
    folder = home_of(place_of(said["home"]))
    left = set(left_in(folder))
    fetcher, parser = _fetcher(folder, settings, left, said["places"]), page_parser(settings)
    if not said["judges"]:
        return HandParts(fetcher, parser, None, lambda: left.update(left_in(folder)))
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    judge: Judge = part("judge", settings.judge, needs(settings.topic, known))

    def learnt() -> Judge:
        left.update(left_in(folder))
        return by_hand(judge, labels_of(folder))

    return HandParts(fetcher, parser, learnt(), learnt)


def _fetcher(home: Home, settings: Settings, left: Container[Host], places: Sequence[int] = ()) -> Fetcher:
    manners: Manners = plugins.construct(Manners, settings.polite, "[polite]")
    return page_fetcher(settings, manners, left=left, guests=_guests(home, places))


def _guests(home: Home, places: Sequence[int]) -> Guests | None:
    """Where turns of hosts come from for requests that the frontier does not know of, if others work on the same crawl."""
    if not isinstance(home.path, LedgerAddress):
        return HostPlaces(*places) if places else None
    from thresher.frontier.guest_turns import LedgerGuests  # noqa: PLC0415 - psycopg is an extra

    return LedgerGuests(home.path)


def _written(home: Home) -> str:
    """A home as another process of this crawl reads it; it goes through a socket that nobody else sees."""
    return home.path.whole if isinstance(home.path, LedgerAddress) else str(home.path.absolute())


def left_in(home: Home) -> list[Host]:
    """The hosts that were left out by order so far."""
    with contextlib.closing(open_catalogue(home)) as catalogue:
        return left_hosts(recall(catalogue.execute, LEFT))


def labels_of(home: Home) -> list[LabelledPage]:
    """The pages that a person has judged so far, as they were then."""
    parser = HtmlParser()
    with contextlib.closing(open_catalogue(home)) as catalogue:
        said = labelled(catalogue.execute, lambda: record_files(home, catalogue.execute))
        return [LabelledPage(parser.parse(answer), relevant) for answer, relevant in said]


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
    polite_fetcher(settings, manners)  # [fetch], [links] and [documents]
    options = browser_options(settings)
    if options.when != "never":
        options.program  # noqa: B018 - it says what is missing
    scope_rules(settings)
