"""Judge a page by the topic's own words: how many of them it uses, how often, where, and whether those of a phrase stand together.

What the user typed is cut into phrases at its commas. A word or a phrase that occurs tf times, weighed by where it stands, is worth

    sat(tf) = tf / (tf + k1 · (1 − b + b · words / 500))          title 4, headings 3, the first 150 words 1.5, the rest of the text 1

and a phrase of the words w1 … wk

    all = (Π sat(wi))^(1/k)
    u = max(.3 · sat(together) + .5 · all + .2 · Σ sat(wi) / k,  .9 · all)

so that a page where only one of two words occurs, however often, has at most a tenth of what it could have. *Together* means in any order
with at most two other words among them. A page that uses all the words often is about them even where they never stand together: people
type *iris eye* too. Of all phrases with their weights,

    x = Σ w·u / sqrt(Σ w)          raw = x / (1 + x)

The more words are typed, the more a page should have of them, but not in proportion: divided by the root, the same x means about the same
for one word and for eight. Forms of one word are one word (`topic/word_places.py`). Relevance is the calibrated probability of `raw`
(`calibration.py`).

The constants were chosen on twelve topics of 6,700 pages of software documentation (337 of them judged by title and headings), and on half
of the subjects of three recorded webs, from whose pages the lines that name their own subject were taken out: with these left in, a page is
found by its label. Around the values above all are flat: k1 from 3 to 6, b from .3 to .5, headings from 2 to 6 move the mean average
precision by less than .01; k1 of 1.2 and b of .75, as usual, cost .02 to .06 on the documentation.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from thresher.errors import BadInput
from thresher.judge.calibration import curve
from thresher.language import words
from thresher.model import Evidence, Judgement, Page
from thresher.topic import Topic
from thresher.topic.matching import Matcher
from thresher.topic.word_places import FoundWords, TopicWords, WordPlace, together

_TITLE, _HEADING, _EARLY, _TEXT = 4.0, 3.0, 1.5, 1.0
_EARLY_WORDS = 150
_K1, _B, _AVERAGE_WORDS = 4.0, 0.4, 500.0
_TOGETHER, _ALL, _ANY = 0.3, 0.5, 0.2
# On ten topics of the documentation web .9 moves the mean average precision from .680 to .685, and 1.0 calls a fifth more pages relevant,
# less than half of them rightly.
_APART = 0.9
_POWER = 0.5
# Words that no topic has, so that no phrase reaches from one heading into the next.
_BETWEEN_HEADINGS = " 0 0 0 0 "


class _Phrase(NamedTuple):
    name: str
    weight: float
    words: frozenset[int]


class _Zone(NamedTuple):
    """A part of a page, and what an occurrence there counts."""

    name: str
    found: FoundWords
    counts: Mapping[int, int]
    """How often each word occurs."""
    weight: float
    early: float


class _Near(NamedTuple):
    """The words of a phrase together, in one zone."""

    zone: str
    times: int
    worth: float


Times = Mapping[int, float]
"""How often each word occurs, weighed by where."""


class TermsJudge:
    """Relevance by the topic's words and phrases (`mode="bm25"`) or by the cosine of term frequencies (`mode="cosine"`).

    Menus and footers do not count: the text is the page's main text. `raw = true` gives the score as it is, instead of a
    probability, as `cosine` always does.
    """

    def __init__(
        self,
        topic: Topic,
        threshold: float = 0.5,
        mode: Literal["bm25", "cosine"] = "bm25",
        *,
        raw: bool = False,
    ) -> None:
        if mode not in {"bm25", "cosine"}:
            raise BadInput(f"judge 'terms' has no mode {mode!r}; its modes: bm25, cosine")
        if not 0 <= threshold <= 1:
            raise BadInput(f"judge 'terms': threshold is {threshold}, but must be from 0 to 1")
        self.threshold = threshold
        self._score = _ByPhrases(topic).score if mode == "bm25" else _ByCosine(topic).score
        # No curve makes a cosine a probability: of webs that it was not fitted on, 24 % of the pages judged .5 or more were relevant.
        self._curve = curve("terms") if mode == "bm25" and not raw else None

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        raw, evidence = self._score(page)
        relevance = self._curve(raw) if self._curve and raw else raw
        return Judgement(relevance, relevance >= self.threshold, evidence)


class _ByPhrases:
    def __init__(self, topic: Topic) -> None:
        self._words = TopicWords(word for phrase in topic.phrases for word in words(phrase))
        self._phrases = [
            _Phrase(phrase, weight, frozenset(map(self._words.number, said)))
            for phrase, weight in topic.phrases.items()
            if (said := words(phrase))
        ]
        self._norm = sum(each.weight for each in self._phrases) ** _POWER

    def score(self, page: Page) -> tuple[float, tuple[Evidence, ...]]:
        # The text comes last: the numbers of its words are remembered for whoever asks next.
        zones = [
            self._zone("title", page.title, page, _TITLE),
            self._zone("heading", _BETWEEN_HEADINGS.join(page.headings), page, _HEADING),
            self._zone("text", page.main, page, _TEXT, _EARLY),
        ]
        if not any(each.found.places for each in zones):
            return 0.0, ()
        damp = _K1 * (1 - _B + _B * zones[-1].found.length / _AVERAGE_WORDS)
        times = _times(zones)
        near = {each: _near(zones, each.words) for each in self._phrases if len(each.words) > 1}
        x = (
            math.fsum(each.weight * _worth(each, times, near.get(each, ()), damp) for each in self._phrases)
            / self._norm
        )
        return x / (1 + x), self._evidence(zones, near)

    def _zone(self, name: str, text: str, page: Page, weight: float, early: float | None = None) -> _Zone:
        found = self._words.find(text, page.language or "en")
        counts = _counts(found.places)
        return _Zone(name, found, counts, weight, weight if early is None else early)

    def _evidence(self, zones: Sequence[_Zone], near: Mapping[_Phrase, Sequence[_Near]]) -> tuple[Evidence, ...]:
        found = [Evidence(phrase.name, each.zone, each.times) for phrase, places in near.items() for each in places]
        for zone in zones:
            found += [Evidence(self._words.words[word], zone.name, count) for word, count in zone.counts.items()]
        return tuple(found)


def _counts(places: Sequence[WordPlace]) -> Mapping[int, int]:
    return Counter([word for _, word in places]) if places else {}


def _times(zones: Sequence[_Zone]) -> Times:
    times: dict[int, float] = {}
    for _, found, counts, weight, early in zones:
        for word, count in counts.items():
            times[word] = times.get(word, 0.0) + count * weight
        if early != weight:
            for word, count in _counts(found.places[: bisect_left(found.places, (_EARLY_WORDS,))]).items():
                times[word] += count * (early - weight)
    return times


def _near(zones: Sequence[_Zone], wanted: frozenset[int]) -> list[_Near]:
    """In which zones these words stand together, and what that counts there."""
    near = []
    for name, found, _, weight, early in zones:
        if len(found.places) > 1 and (places := together(found.places, wanted)):
            near.append(_Near(name, len(places), sum([early if at < _EARLY_WORDS else weight for at in places])))
    return near


def _worth(phrase: _Phrase, times: Times, near: Sequence[_Near], damp: float) -> float:
    shares = [count / (count + damp) for count in (times.get(word, 0.0) for word in phrase.words)]
    if len(shares) == 1:
        return shares[0]
    close, many = sum([each.worth for each in near]), len(shares)
    every = math.prod(shares) ** (1 / many)
    return max(_TOGETHER * close / (close + damp) + _ALL * every + _ANY * sum(shares) / many, _APART * every)


class _ByCosine:
    """One vector: the words of the text, and the labels with what title and headings add to them."""

    def __init__(self, topic: Topic) -> None:
        self._labels = topic.labels
        self._matcher = Matcher(topic.labels)
        self._norm = sum(weight * weight for weight in topic.labels.values())

    def score(self, page: Page) -> tuple[float, tuple[Evidence, ...]]:
        zones = {
            "title": (self._matcher.count(page.title), _TITLE),
            "heading": (self._matcher.count("\n".join(page.headings)), _HEADING),
            "text": (self._matcher.count(page.main), _TEXT),
        }
        hits = Counter[str]()
        for counts, weight in zones.values():
            for label, count in counts.items():
                hits[label] += count * weight  # type: ignore[assignment]  # typed for ints; these are floats
        if not hits:
            return 0.0, ()
        bag = Counter(words(page.main)) | hits
        shared = sum(weight * hits[label] for label, weight in self._labels.items())
        cosine = min(1.0, shared / math.sqrt(self._norm * sum(count * count for count in bag.values())))
        return cosine, tuple(
            Evidence(label, zone, count) for zone, (counts, _) in zones.items() for label, count in counts.items()
        )
