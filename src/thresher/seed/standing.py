"""Seeds that search engines found, the surest first: *high* if several engines know them, *medium* if one names them again, *low* else.

Paper: Kumar and Vig 2010, §III.A, the Seed Initializer, which asks three engines. It does not say in which order the seeds of a class come:
here by their best rank, then by the order of the engines.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from thresher.model import Url
from thresher.urls import canonical

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


def classed(lists: Mapping[str, Sequence[str]]) -> list[FoundSeed]:
    """The urls of several ranked lists, each once, the surest first; what cannot be crawled is left out.

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
