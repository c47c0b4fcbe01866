"""Seeds from search engines: several are asked for the topic, and what more than one of them names comes first.

A seed is *high* if several engines name it, *medium* if one engine names it more than once, *low* otherwise.

Paper: Kumar and Vig 2010, §III.A, the Seed Initializer, which asks three engines. It does not say in which order the seeds of a class come:
here by their best rank, then by the order of the engines. Lokman (Kayışoğlu 2005) starts from the first 15 results. Seeds all have the one
priority `model.SEED`, and the frontier lends equals oldest first: so the order in which they are handed over is the order of their classes.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple, get_args

from thresher.errors import NoAnswer, ThresherError
from thresher.install_hint import install_hint
from thresher.language import words
from thresher.model import Url
from thresher.online.engines import Engine, metasearch
from thresher.seed.named_urls import spells_private
from thresher.seed.search_settings import LIMIT
from thresher.topic import Topic
from thresher.urls import canonical

MOST_QUERIES = 4
_SYNONYMS = 2

Standing = Literal["high", "medium", "low"]
STANDINGS: tuple[Standing, ...] = get_args(Standing)


class Mention(NamedTuple):
    """A place in an engine's list; mentions sort by rank, then by the order of the engines."""

    rank: int
    place: int
    """The engine's place among the engines, from 0."""
    engine: str


class FoundSeed(NamedTuple):
    """A url that engines named, and how much speaks for it."""

    url: Url
    standing: Standing
    rank: int
    """The best place that an engine gave it, from 1."""
    engines: tuple[str, ...]
    """Who named it, in the order of the engines."""


class EngineSeeds(NamedTuple):
    """The seeds that engines named, the surest first, and which engines failed."""

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
) -> EngineSeeds:
    """Seeds that the engines name for the queries, the surest first.

    Args:
        queries: what to look for, the most telling first; see `queries_for`.
        engines: all are asked at the same time, each for one query after the other.
        limit: the most results for each query and engine.
        pause: seconds between two queries to an engine: Brave's free plan allows one a second.
        allow_private: whether a url that spells out a private address may be a seed. As seeds open such an address to the crawl, whoever
            writes a search engine's index must not be able to.
    """
    if not engines:
        raise NoAnswer(f"no search engine to ask: {_instead()}")
    answers = await asyncio.gather(*(_asked(engine, queries, limit, pause) for engine in engines))
    failed = {engine.name: each.failure for engine, each in zip(engines, answers, strict=True) if each.failure}
    lists = {engine.name: _interleaved(each.lists) for engine, each in zip(engines, answers, strict=True)}
    seeds = [seed for seed in classed(lists) if allow_private or not spells_private(seed.url)]
    if not seeds:
        raise NoAnswer(_nothing(queries, engines, failed))
    ranked = tuple(seed._replace(rank=(seed.rank - 1) // len(queries) + 1) for seed in seeds)
    return EngineSeeds(ranked, tuple(engine.name for engine in engines), failed)


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
    """The words that an engine looks at: `enuresis, nocturnal` asks for the same as `nocturnal enuresis`."""
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


def _interleaved(lists: Sequence[Sequence[str]]) -> list[str]:
    """The first of each list, then the second of each …, with a gap where a list has no more, so that a place still tells the rank."""
    return [url for row in zip_longest(*lists, fillvalue="") for url in row]


def _nothing(queries: Sequence[str], engines: Sequence[Engine], failed: Mapping[str, str]) -> str:
    named = " or ".join(map(repr, queries))
    each = "".join(f"\n  {engine.name}: {failed.get(engine.name, 'found nothing')}" for engine in engines)
    return f"no search engine gave a seed for {named}; {_instead()}:{each}"


def _instead() -> str:
    install = "" if metasearch.installed() else f"install engines that want no key with {install_hint('search')}, "
    return f"give seeds yourself with --seed URL or --seeds FILE, {install}or run a SearXNG and name it with --set search.searxng=URL"


def classed(lists: Mapping[str, Sequence[str]]) -> list[FoundSeed]:
    """The urls of several ranked lists, each once, the surest first; urls that cannot be crawled are left out.

    >>> classed({"one": ["http://a/", "http://b/"], "other": ["http://b"]})[0]
    FoundSeed(url='http://b/', standing='high', rank=1, engines=('one', 'other'))
    """
    found = [(min(mentions), _seed(url, mentions)) for url, mentions in _mentions(lists).items()]
    found.sort(key=lambda each: (STANDINGS.index(each[1].standing), each[0]))
    return [seed for _, seed in found]


def _mentions(lists: Mapping[str, Sequence[str]]) -> dict[Url, list[Mention]]:
    mentions: dict[Url, list[Mention]] = {}
    for place, (engine, texts) in enumerate(lists.items()):
        for rank, text in enumerate(texts, 1):
            if (url := canonical(text)) is not None:
                mentions.setdefault(url, []).append(Mention(rank, place, engine))
    return mentions


def _seed(url: Url, mentions: Sequence[Mention]) -> FoundSeed:
    engines = tuple(dict.fromkeys(mention.engine for mention in mentions))
    return FoundSeed(url, _standing(len(engines), len(mentions)), min(mentions).rank, engines)


def _standing(engines: int, mentions: int) -> Standing:
    if engines > 1:
        return "high"
    return "medium" if mentions > 1 else "low"
