"""A crawl for Python: started from a topic, then run or iterated over."""

import contextlib
import logging
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

from thresher import plugins
from thresher.assembly import OwnParts, assembled
from thresher.budget import Stop, Tally
from thresher.crawl import CrawlLoop
from thresher.dialogue import NO_SENSE, Dialogue
from thresher.disk.crawl_home import Home, Place, absolute, home_of
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import BadInput, FolderLocked, did_you_mean
from thresher.events import Watcher
from thresher.fetchers import reach_proxy
from thresher.ports import AsyncJudge, Judge, Strategy
from thresher.python.crawl_thread import CrawlThread, VisitStream, let_end
from thresher.python.harvest import Harvest
from thresher.results.steer import Told
from thresher.seed.named_urls import seed_urls
from thresher.seed.sources import seeds_from
from thresher.settings import Settings, settle_settings
from thresher.start import folder_name, prepare, reach_of
from thresher.store.rejudgements import judge_names
from thresher.topic.topic import Topic, check_topic, topic_table

_WHERE = "Crawl.start"
_log = logging.getLogger(__name__)
_crawled: dict[int, Place] = {}
"""The folder that each strategy of the caller's own crawled into last, by its id: then it knows already what it saved there."""


class Crawl:
    """A crawl for a topic, ready to run. Nothing is written or locked before it runs; made by `Crawl.start`."""

    def __init__(self, home: Home, settings: Settings, own: OwnParts) -> None:
        self.folder, self.settings = home.path, settings
        self._place, self._own = home, own
        self._run: CrawlThread | None = None
        self._beginning = threading.Lock()

    @classmethod
    def start(  # noqa: PLR0913 - what is most often said of a crawl; the tables of a crawl file say the rest
        cls,
        topic: str | Topic,
        *,
        sense: str | int | Sequence[str | int] | None = None,
        seeds: str | Path | Iterable[str | Path] = (),
        pages: int | None = None,
        contact: str | None = None,
        strategy: str | Mapping[str, Any] | Strategy | None = None,
        judge: str | Mapping[str, Any] | Judge | AsyncJudge | None = None,
        ask_engines: bool = False,
        into: str | Path | None = None,
        ledger: str | None = None,
        watchers: Sequence[Watcher] = (),
        **tables: Any,
    ) -> "Crawl":
        """Prepare a crawl: its sense is looked up and its seeds are found. In a folder that holds a crawl, that crawl goes on.

        Args:
            topic: what to look for, in words; or a `Topic`, which is taken as it is.
            sense: which sense of the word: its number, its id, words that its definition has, such as `"eye"`, or `"none"` for the
                plain word. Without it the likeliest is taken.
            seeds: where to start: urls, and `Path`s of files that list some. Without seeds, search engines are asked.
            pages: how many pages to fetch.
            contact: a mail address or web page of the person responsible; part of the user agent.
            strategy: which links next: a name, a table with a name and keys, or an object.
            judge: is a page on topic: a name, a table, or an object with `judge(page)`, which may be asynchronous.
            ask_engines: whether search engines are asked although there are seeds. The table `search` says which.
            into: the folder of the crawl; by default the name of the topic.
            ledger: keeps the crawl in PostgreSQL, where others may work on it too: `"postgresql://me@db/crawls?schema=iris"`. Its WARC
                files are in the folder, or at the `place` of the table `store`.
            watchers: functions that are told each event. They are called in the thread of the crawl.
            tables: the keys and tables of a crawl file: `workers=4`, `budget={"minutes": 10}`, `polite={"delay": 2}` …
        """
        _check_keywords(cls.start, tables)
        _check_watchers(watchers)
        wanted = _wanted(topic, sense, {"budget": {"pages": pages}, "polite": {"contact": contact}}, tables)
        own = OwnParts(strategy if isinstance(strategy, Strategy) else None, _own_judge(judge), watchers)
        named = {"strategy": (strategy, own.strategy), "judge": (judge, own.judge)}
        wanted |= {
            kind: _table(kind, given) for kind, (given, mine) in named.items() if given is not None and mine is None
        }
        wanted["seeds"] = _seeds(_listed("seeds", seeds, str | Path, "a url or a Path"), wanted)
        folder = Path(into if into is not None else folder_name(str(wanted["topic"])))
        home = CrawlFolder(folder) if ledger is None else _in_database(ledger, folder, wanted)
        let_end(home.path)
        if ledger is None and home.in_use():
            raise FolderLocked(
                f"{folder} is being crawled into: wait until that crawl has stopped, or choose another into="
            )
        mine = [kind for kind, (_, part) in named.items() if part is not None]
        complete = prepare(wanted, home, _Notices(), by_sense=True, search=ask_engines, own=mine, where=_WHERE)
        complete |= {kind: {"name": type(named[kind][1]).__qualname__} for kind in mine}
        return cls(home, settle_settings(home, complete, _WHERE), own)

    def run(self) -> Stop:
        """Crawl to the end, and say why it ended. Ctrl-C ends it once the pages under way are kept.

        It works where an event loop runs already, as in a notebook; in asynchronous code of your own, which must not wait here, use
        `async for`, or `await asyncio.to_thread(crawl.run)`.
        """
        before = self._before()
        if before is not None:
            before.exception()
        return self._begin(handed_over=False).wait()

    def __aiter__(self) -> VisitStream:
        """Crawl, and give each visit once it is kept. The crawl waits for whoever iterates, and stops when they stop."""
        self._before()  # a crawl that runs is told now, not at the first visit
        return VisitStream(lambda: self._begin(handed_over=True), self._before)

    def stop(self) -> None:
        """End the crawl once the pages under way are kept. It may be called from any thread, and from a watcher."""
        if self._run is not None:
            self._run.stop()

    def tell(self, *order: str | float) -> Told:
        """Give it an order while it runs, from another thread: `tell("pause")`, `tell("pages", "+500")`; see `Harvest.tell`."""
        return self.harvest.tell(*order)

    @property
    def tally(self) -> Tally:
        """What was fetched so far, in this run and before."""
        running = self._run and self._run.crawl
        return running.tally if running else Tally()

    @property
    def harvest(self) -> Harvest:
        """What it has found so far."""
        return Harvest(self.folder)

    def __repr__(self) -> str:
        senses = ", ".join(self.settings.knowledge.get("senses", ()))
        sense = f" ({senses})" if senses else ""
        parts = f"{self.settings.strategy['name']}, judged by {judge_names(self.settings.judge)}"
        seeds = len(self.settings.seeds)
        under_way = self._run is not None and not self._run.ended.done()
        state = "running" if under_way else "stopped" if self._place.exists else "not begun"
        return f"<Crawl for {self.settings.topic!r}{sense} into {str(self.folder)!r}: {parts}; {seeds} seed{'s' * (seeds != 1)}; {state}>"

    def _before(self) -> "Future[Stop] | None":
        """The end of the run before this one, if it is stopping; it is an error if it is not."""
        if self._run is None or self._run.ended.done():
            return None
        if not self._run.left:
            raise BadInput(f"the crawl into {self.folder} is running: stop() ends it")
        return self._run.ended

    def _begin(self, *, handed_over: bool) -> CrawlThread:
        with self._beginning:  # of two threads that call run() at once, one is told
            if self._before() is not None:
                raise BadInput(f"the crawl into {self.folder} is running: stop() ends it")
            self._run = CrawlThread(self.folder, self._opened, handed_over=handed_over)
            return self._run

    @contextlib.asynccontextmanager
    async def _opened(self) -> AsyncIterator[CrawlLoop]:
        await reach_proxy(self.settings)
        async with assembled(self._place, self.settings, self._own) as loop:
            own, here = self._own.strategy, absolute(self.folder)
            loop.warm = own is not None and _crawled.get(id(own)) == here
            try:
                yield loop
            finally:
                if own is not None and id(own) not in _crawled:
                    weakref.finalize(own, _crawled.pop, id(own), None)
                if own is not None:
                    _crawled[id(own)] = here


def _in_database(ledger: str, folder: Path, wanted: dict[str, Any]) -> Home:
    """The crawl at that address. Its WARC files are written into the folder that a crawl without a database would have."""
    address = LedgerAddress.of(ledger) if isinstance(ledger, str) else None
    if address is None:
        raise BadInput(
            f"{_WHERE}: ledger is no address of PostgreSQL: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
        )
    home = home_of(address)
    if not home.exists:
        wanted["store"] = {"place": str(folder.absolute() / "warc"), **_table_of(wanted, "store")}
    return home


class _Notices(Dialogue):
    """Asks nobody; what the user should know is a warning in the log, which Python prints unless told otherwise."""

    another_sense = f"sense=NUMBER, ID or WORDS chooses another, sense={NO_SENSE!r} the plain word"

    def notice(self, sentence: str) -> None:
        _log.warning(sentence)


def _wanted(
    topic: str | Topic, sense: Any, short: Mapping[str, Mapping[str, Any]], tables: Mapping[str, Any]
) -> dict[str, Any]:
    """The tables of a crawl file, with what was given shortly put in its place."""
    if not isinstance(topic, str | Topic):
        raise BadInput(f"topic is {topic!r:.100}, but must be text or a thresher.Topic")
    wanted = {key: dict(value) if isinstance(value, Mapping) else value for key, value in tables.items()}
    for table, keys in short.items():
        given = {key: value for key, value in keys.items() if value is not None}
        if given:
            wanted[table] = {**_table_of(wanted, table), **given}
    knowledge = _table_of(wanted, "knowledge")
    if isinstance(topic, Topic):
        if sense is not None:
            raise BadInput("a Topic says itself what is meant: leave out sense=")
        check_topic(topic)
        plain = topic == Topic.of(topic.name)
        wanted["knowledge"] = {
            **knowledge,
            **({"senses": [NO_SENSE]} if plain else {"given_topic": topic_table(topic)}),
        }
    elif sense is not None:
        wanted["knowledge"] = {
            **knowledge,
            "senses": [str(each) for each in _listed("sense", sense, str | int, "a number or text")],
        }
    return {**wanted, "topic": topic.name if isinstance(topic, Topic) else topic}


def _table_of(wanted: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The table of that name; it is an error if it is none."""
    found = wanted.get(name, {})
    if not isinstance(found, Mapping):
        raise BadInput(f"{_WHERE}: {name} is a table, not {found!r:.100}")
    return found


def _listed(name: str, value: Any, one: Any, in_words: str) -> Iterable[Any]:
    """One, or several of them."""
    if isinstance(value, one):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, bytes | Mapping):
        raise BadInput(f"{_WHERE}: {name} is {value!r:.100}, but must be {in_words}, or a list of them")
    return value


def _check_keywords(start: Callable[..., Any], tables: Mapping[str, Any]) -> None:
    """It is an error if a keyword is neither one of `start` nor a table of a crawl file."""
    known = list(dict.fromkeys([*list(plugins.parameters(start))[:-1], *Settings.__slots__]))
    for key in tables:
        if key not in known:
            raise BadInput(
                f"{_WHERE} has no keyword {key!r}{did_you_mean(key, known)}; its keywords: {', '.join(known)}"
            )


def _check_watchers(watchers: Any) -> None:
    each = watchers if isinstance(watchers, Sequence) else [None]
    if not all(callable(one) and not iscoroutinefunction(one) for one in each):
        raise BadInput(f"{_WHERE}: watchers is {watchers!r:.100}, but must be a list of functions, none of them async")


def _own_judge(judge: Any) -> Judge | AsyncJudge | None:
    if judge is None or isinstance(judge, str | Mapping):
        return None
    if isinstance(judge, type) or not callable(getattr(judge, "judge", None)):
        raise BadInput(f"judge is {judge!r:.100}, but must be a name, a table, or an object with judge(page)")
    made: Judge | AsyncJudge = judge
    return made


def _table(kind: str, given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        return {"name": given}
    if not isinstance(given, Mapping):
        raise BadInput(
            f"{kind} is {given!r:.100}, but must be a name, a table, or an object of thresher.{kind.title()}"
        )
    return dict(given)


def _seeds(given: Iterable[str | Path], wanted: Mapping[str, Any]) -> list[Any]:
    """Urls as they are, and those that files list."""
    reach = reach_of(wanted)
    return seed_urls(
        url for each in given for url in (seeds_from(str(each), reach) if isinstance(each, Path) else [each])
    )
