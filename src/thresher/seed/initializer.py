"""Seeds from search engines: several are asked for the topic, and what more than one of them names comes first.

Paper: Kumar and Vig 2010, §III.A, the Seed Initializer. Lokman (Kayışoğlu 2005) starts from the first 15 results. Seeds all have the one
priority `model.SEED`, and the frontier lends equals oldest first: so the order in which they are handed over is the order of their classes.
"""

import asyncio
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from thresher.errors import BadInput, Missing, NoAnswer, ThresherError
from thresher.language import words
from thresher.model import Url
from thresher.online.engines import (
    BACKENDS,
    TIMEOUT,
    USER_AGENT,
    Brave,
    Ddgs,
    Engine,
    Google,
    Searxng,
    Wikipedia,
    metasearch,
)
from thresher.online.engines import brave as brave_api
from thresher.online.engines import google as google_api
from thresher.online.engines import wikipedia as wikipedia_api
from thresher.seed.standing import FoundSeed, classed
from thresher.seed.untrusted_urls import spells_private
from thresher.topic import Topic

ENGINES = ("wikipedia", "ddgs", "searxng", "brave", "google")
LIMIT = 15
MOST_QUERIES = 4
_SYNONYMS = 2
_MOST = 100
_LONGEST = 120.0
_INSTALL = "install engines that want no key with pip install 'thresher[search]', "


@dataclass(frozen=True, slots=True)
class Search:
    """The `[search]` table: who is asked for seeds where none are given."""

    engines: Sequence[str] = ()
    """`wikipedia`, `ddgs` (four engines without a key), `ddgs:mojeek` (one of them), `searxng`, `brave`, `google`; all that can be asked
    if none is named."""
    limit: int = LIMIT
    """Results a query and engine."""
    timeout: float = TIMEOUT
    """Seconds that an engine may take to answer."""
    wikipedia: str = wikipedia_api.BASE
    """The API of the Wikipedia to ask, such as `https://de.wikipedia.org/w/api.php`."""
    searxng: str = ""
    """The address of a SearXNG, such as `http://127.0.0.1:8888`."""
    brave_key: str = field(default="", repr=False)
    """The key for Brave; by default what BRAVE_API_KEY holds."""
    google_key: str = field(default="", repr=False)
    """The key for Google; by default what GOOGLE_API_KEY holds."""
    google_cx: str = ""
    """The id of a Programmable Search Engine; by default what GOOGLE_CX holds."""

    def __post_init__(self) -> None:
        for name in self.engines:
            if name not in ENGINES and not name.startswith("ddgs:"):
                raise BadInput(f"[search]: engines has {name!r}, but there are: {', '.join(ENGINES)}, ddgs:BACKEND")
        if not 1 <= self.limit <= _MOST:
            raise BadInput(f"[search]: limit is {self.limit}, but must be from 1 to {_MOST}")
        if not 0 < self.timeout <= _LONGEST:
            raise BadInput(f"[search]: timeout is {self.timeout}, but must be more than 0 and at most {_LONGEST:g}")

    def open_engines(self, user_agent: str = USER_AGENT) -> list[Engine]:
        """The engines that are named, or all that can be asked; if each that is named lacks something, an error says what.

        One that lacks something beside others that do not fails when it is asked, so that it is named and skipped as any that fails.
        """
        names = dict.fromkeys(self.engines or [name for name in ENGINES if self._can_ask(name)])
        engines = [engine for name in names for engine in self._opened(name, user_agent)]
        lacking = [engine.error for engine in engines if isinstance(engine, _Lacking)]
        if lacking and len(lacking) == len(engines):
            raise Missing("\n".join(map(str, lacking)))
        return engines

    def _opened(self, name: str, user_agent: str) -> list[Engine]:
        try:
            return self._open(name, user_agent)
        except Missing as error:
            return [_Lacking(name, error)]

    def _can_ask(self, name: str) -> bool:
        has = {
            "ddgs": metasearch.installed(),
            "searxng": bool(self.searxng),
            "brave": bool(self.brave_key or os.environ.get(brave_api.KEY)),
            "google": all((self.google_key or os.environ.get(google_api.KEY), self._cx)),
        }
        return has.get(name, True)

    @property
    def _cx(self) -> str:
        return self.google_cx or os.environ.get(google_api.ENGINE, "")

    def _open(self, name: str, user_agent: str) -> list[Engine]:
        match name:
            case "wikipedia":
                return [Wikipedia(self.wikipedia, user_agent=user_agent, timeout=self.timeout)]
            case "searxng" if not self.searxng:
                raise Missing("searxng: wants an address: --set search.searxng=http://127.0.0.1:8888, for instance")
            case "searxng":
                return [Searxng(self.searxng, user_agent=user_agent, timeout=self.timeout)]
            case "brave":
                return [Brave(self.brave_key, user_agent=user_agent, timeout=self.timeout)]
            case "google":
                return [Google(self.google_key, self._cx, user_agent=user_agent, timeout=self.timeout)]
        backends = [name.removeprefix("ddgs:")] if name != "ddgs" else BACKENDS
        return [Ddgs(backend, timeout=self.timeout) for backend in backends]


class _Lacking(NamedTuple):
    """An engine without what it needs: a key, an address, a library."""

    name: str
    error: Missing

    async def search(self, query: str, limit: int) -> list[str]:  # noqa: ARG002 - the same whatever is asked
        """Fail, saying what it lacks."""
        raise self.error


class Found(NamedTuple):
    """What the engines named, the surest first, and which of them failed."""

    seeds: tuple[FoundSeed, ...]
    asked: tuple[str, ...]
    """The names of all engines."""
    failed: Mapping[str, str]
    """By the engine's name, what went wrong with it: it may have answered other queries."""

    @property
    def urls(self) -> list[Url]:
        """The seeds for a crawl, in order."""
        return [seed.url for seed in self.seeds]


class _Answers(NamedTuple):
    """What one engine gave, a list a query; empty where it failed."""

    lists: list[list[str]]
    failure: str = ""


def queries_for(text: str, concepts: Topic | None = None) -> list[str]:
    """What to ask engines for a topic: its phrases and, where its sense is known, two other names of it.

    A sense without another name is asked for together with what is broader, as the bare word would bring its other senses too:
    `iris` and `iris membrane`.
    """
    phrases = [phrase for part in text.split(",") if (phrase := " ".join(part.split()))]
    more = _of_sense(phrases, concepts) if concepts and phrases else []
    return _distinct([*phrases, *more])[:MOST_QUERIES]


async def find_seeds(
    queries: Sequence[str],
    engines: Sequence[Engine],
    limit: int = LIMIT,
    *,
    pause: float = 1.0,
    allow_private: bool = False,
) -> Found:
    """Seeds that the engines name for the queries, the surest first.

    Args:
        queries: what to look for, the most telling first; see `queries_for`.
        engines: all are asked at the same time, each for one query after the other.
        limit: so many results a query and engine.
        pause: seconds between two queries to an engine: Brave's free plan allows one a second.
        allow_private: whether a url that spells out a private address may be a seed. As seeds open such an address to the crawl, whoever
            writes a search engine's index must not be able to.
    """
    if not engines:
        raise NoAnswer(f"no search engine to ask: {_instead()}")
    answers = await asyncio.gather(*(_asked(engine, queries, limit, pause) for engine in engines))
    failed = {engine.name: each.failure for engine, each in zip(engines, answers, strict=True) if each.failure}
    lists = {engine.name: _woven(each.lists) for engine, each in zip(engines, answers, strict=True)}
    seeds = [seed for seed in classed(lists) if allow_private or not spells_private(seed.url)]
    if not seeds:
        raise NoAnswer(_nothing(queries, engines, failed))
    ranked = tuple(seed._replace(rank=(seed.rank - 1) // len(queries) + 1) for seed in seeds)
    return Found(ranked, tuple(engine.name for engine in engines), failed)


def _of_sense(phrases: Sequence[str], concepts: Topic) -> list[str]:
    known = set(map(_key, phrases))
    synonyms = [term.label for term in concepts.terms if term.tier == "synonym" and _key(term.label) not in known]
    broader = [f"{phrases[0]} {term.label}" for term in concepts.terms if term.tier == "broader"]
    return _distinct(synonyms)[:_SYNONYMS] or broader[:1]


def _distinct(texts: Iterable[str]) -> list[str]:
    """Each set of words once, as it was first written."""
    first: dict[frozenset[str], str] = {}
    for text in texts:
        first.setdefault(_key(text), text)
    return list(first.values())


def _key(text: str) -> frozenset[str]:
    """What an engine looks at: `enuresis, nocturnal` asks nothing that `nocturnal enuresis` does not."""
    return frozenset(words(text))


async def _asked(engine: Engine, queries: Sequence[str], limit: int, pause: float) -> _Answers:
    lists: list[list[str]] = []
    for number, query in enumerate(queries):
        if number:
            await asyncio.sleep(pause)
        try:
            lists.append(await engine.search(query, limit))
        except ThresherError as error:
            # Not asked again: who is at its limit should be left alone.
            return _Answers(lists + [[]] * (len(queries) - len(lists)), str(error).removeprefix(f"{engine.name}: "))
    return _Answers(lists)


def _woven(lists: Sequence[Sequence[str]]) -> list[str]:
    """The first of each list, then the second of each …, with a gap where a list has no more, so that a place still tells the rank."""
    return [url for row in zip_longest(*lists, fillvalue="") for url in row]


def _nothing(queries: Sequence[str], engines: Sequence[Engine], failed: Mapping[str, str]) -> str:
    named = " or ".join(map(repr, queries))
    each = "".join(f"\n  {engine.name}: {failed.get(engine.name, 'found nothing')}" for engine in engines)
    return f"no search engine gave a seed for {named}; {_instead()}:{each}"


def _instead() -> str:
    install = "" if metasearch.installed() else _INSTALL
    return f"give seeds yourself with --seed URL or --seeds FILE, {install}or run a SearXNG and name it with --set search.searxng=URL"
