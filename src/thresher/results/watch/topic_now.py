"""The topic as a crawl has met it: its names with their weights and the pages each was found on, and what the strategy has learnt.

What the apprentice learns of words it keeps as numbers, from which no word can be read back. So the words of some kept pages are looked
up in it: those that the judge liked best, and some that it did not like.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thresher.language import STOP_WORDS, words
from thresher.results.archive import Archive
from thresher.results.plain_text import short_line
from thresher.results.sightings import SightingCounter, Sightings, topic_of
from thresher.results.watch.signs import in_words
from thresher.results.why.reasons import Reasons
from thresher.store.glances import evidence_after, latest_pages, moment_of
from thresher.store.rejudgements import judge_words
from thresher.store.visits import best_pages
from thresher.strategy.apprentice import Apprentice
from thresher.topic.topic import Tier, Topic

MOST_NAMES = 300
MOST_WORDS = 18
_AT_ONCE = 5000
_PAGES_READ = 15
_LETTERS_READ = 20_000
_LEAST_LETTERS = 3
_ENOUGH_PAGES = 2


class NameNow(NamedTuple):
    """A name of the topic, safe to show."""

    label: str
    tier: Tier
    weight: float
    pages: int
    """Relevant pages that it was found on."""
    elsewhere: bool
    """Whether it was found on other pages only."""


class WordNow(NamedTuple):
    """A word that the judge or the strategy goes by."""

    word: str
    pages: int
    """On how many pages it counted; of what the strategy has learnt, on how many of those that were looked through."""
    odds: float = 0.0


class WeightNow(NamedTuple):
    """How much a sign counts by which the strategy tells good links."""

    feature: str
    means: str
    """In words."""
    began: float
    now: float


class LearntNow(NamedTuple):
    """What the strategy has learnt."""

    visits: int
    weights: tuple[WeightNow, ...]
    """Those first that changed most."""
    speak_for: tuple[WordNow, ...]
    speak_against: tuple[WordNow, ...]
    read: int
    """Pages that were looked through for words."""


class TopicNow(NamedTuple):
    """The topic as the crawl has met it."""

    topic: str
    judge: str
    strategy: str
    names: tuple[NameNow, ...]
    more: int
    """Names that are not listed."""
    found: tuple[WordNow, ...]
    """Words that spoke for relevant pages, if the judge looks for no names."""
    against: tuple[WordNow, ...]
    """Words that spoke against pages."""


class RunningSightings:
    """What the judge found, counted once, a stretch at a time, as `RunningFigures` counts visits."""

    def __init__(self) -> None:
        self._counter: SightingCounter | None = None
        self._number = 0
        self._latest: tuple[int, float] | None = None
        self._round: int | None = None

    def take_in(self, archive: Archive, most: int = _AT_ONCE) -> bool:
        """Take in the evidence of the next pages; True if that of all is counted."""
        round_now = archive.judged.number if archive.judged else None
        anew = round_now != self._round or (self._number and moment_of(archive.read, self._number) != self._latest)
        if self._counter is None or anew:
            self._counter, self._number, self._round = SightingCounter(archive), 0, round_now
        rows = evidence_after(archive.read, self._number, most)
        for number, fresh, evidence in rows:
            self._number = number
            self._counter.add(evidence, fresh=fresh)
        self._latest = moment_of(archive.read, self._number)
        return len(rows) < most

    def so_far(self) -> Sightings:
        """What was found."""
        return self._counter.sightings() if self._counter else Sightings({})


def topic_now(archive: Archive, seen: RunningSightings) -> TopicNow:
    """The topic with what was found of it so far."""
    found = seen.so_far()
    topic = topic_of(archive, "concepts") or topic_of(archive, "topic")
    names = _names(topic, found) if topic and found.names else []
    return TopicNow(
        short_line(archive.settings.topic),
        short_line(str(archive.judged) if archive.judged else judge_words(archive.settings.judge)),
        archive.settings.strategy["name"],
        tuple(names[:MOST_NAMES]),
        max(0, len(names) - MOST_NAMES),
        () if found.names else _words(found.pages.items()),
        _words(found.against.items()),
    )


def _names(topic: Topic, found: Sightings) -> list[NameNow]:
    """All names, those first that were found on most pages, then the weightiest."""
    pages = Counter[str]()
    for of_tier in found.tiers().values():
        for label, count in of_tier.items():
            pages[label.lower()] += count
    elsewhere = {label.lower() for label in found.elsewhere}
    names = [
        NameNow(
            short_line(term.label),
            term.tier,
            term.weight,
            pages[key := term.label.lower()],
            key in elsewhere,
        )
        for term in {term.label.lower(): term for term in reversed(topic.terms)}.values()
    ]
    return sorted(names, key=lambda name: (-name.pages, -name.weight, name.label))


def _words(counted: Iterable[tuple[str, int]]) -> tuple[WordNow, ...]:
    return tuple(WordNow(short_line(word), count) for word, count in list(counted)[:MOST_WORDS])


def learnt_now(archive: Archive) -> LearntNow | None:
    """What the strategy has learnt; None if it does not learn. It reads some pages, which takes a second: do not ask it each second."""
    strategy = Reasons(archive).strategy
    if not isinstance(strategy, Apprentice):
        return None
    counted, read = _words_of_pages(archive)
    learnt = strategy.learnt(counted)
    told = [WordNow(short_line(word), counted[word], odds) for word, odds in learnt.words.items()]
    # Odds have a limit, which many words reach: of equals, those on more pages.
    told.sort(key=lambda each: (-abs(each.odds), -each.pages, each.word))
    weights = [WeightNow(name, in_words(name), *pair) for name, pair in learnt.weights.items()]
    return LearntNow(
        learnt.visits,
        tuple(sorted(weights, key=lambda each: -abs(each.now - each.began))),
        tuple(each for each in told if each.odds > 0)[:MOST_WORDS],
        tuple(each for each in told if each.odds < 0)[:MOST_WORDS],
        read,
    )


def _words_of_pages(archive: Archive) -> tuple[Counter[str], int]:
    """On how many of the pages that are read each word is; words of a single page say little, so that they are left out."""
    counted, read = Counter[str](), 0
    for text in _texts(archive):
        read += 1
        here = {word for word in words(text[:_LETTERS_READ]) if len(word) >= _LEAST_LETTERS and not word.isdigit()}
        counted.update(here - STOP_WORDS)
    least = min(_ENOUGH_PAGES, read)
    return Counter({word: count for word, count in counted.items() if count >= least}), read


def _texts(archive: Archive) -> Iterator[str]:
    """The texts of the best pages, and of the latest that are not relevant."""
    best = [page.url for page in best_pages(archive.read, _PAGES_READ)]
    others = [each.url for each in latest_pages(archive.read, 20 * _PAGES_READ) if not each.relevant][:_PAGES_READ]
    for url in dict.fromkeys([*best, *others]):
        visit = archive.visit(url)
        if visit is not None and visit.page is not None:
            yield f"{visit.page.title}\n{visit.page.main or visit.page.text}"
