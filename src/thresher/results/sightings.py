"""Which names of the topic were found: on how many relevant pages each, only on other pages, or on none; and what spoke against pages."""

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from thresher.errors import ThresherError
from thresher.judge.combine import CombineJudge
from thresher.knowledge import Knowledge, needs
from thresher.language import words
from thresher.model import Judgement
from thresher.plugins import construct
from thresher.results.archive import Archive
from thresher.results.plain_text import VERDICTS
from thresher.store.totals import evidence_of_pages
from thresher.topic.topic import TIERS, Topic
from thresher.topic.word_places import TopicWords

_SOUGHT = {"terms": "topic", "meaning": "topic", "concepts": "concepts"}
"""What each judge that looks for names needs to know; the other judges weigh words that nobody chose."""


class Sightings(NamedTuple):
    """What the judge found."""

    pages: dict[str, int]
    """On how many relevant pages each name was found, most first. For a judge that looks for no names: each word, the weightiest first."""
    elsewhere: tuple[str, ...] = ()
    """Names of the topic that are on other pages only."""
    never: tuple[str, ...] = ()
    """Names of the topic that no page has."""
    names: bool = True
    """Whether these are names that were looked for."""
    against: Mapping[str, int] = MappingProxyType({})
    """On how many pages, relevant or not, each word spoke against the topic, the weightiest first."""

    def tiers(self) -> dict[str, dict[str, int]]:
        """What was found, by its tier in the topic; names without a tier come under an empty one."""
        found: dict[str, dict[str, int]] = {tier: {} for tier in (*TIERS, "")}
        for what, count in self.pages.items():
            name, tier = _named(what)
            found[tier][name] = count
        return {tier: names for tier, names in found.items() if names}


class SightingCounter:
    """Counts what the judge found, page by page."""

    def __init__(self, archive: Archive) -> None:
        names = [table["name"] for table in _judges(archive.settings.judge)]
        self._sought = {judge: _sought(archive, judge) for judge in names if judge in _SOUGHT}
        self._words = {*self._sought.get("terms", ()), *self._sought.get("meaning", ())}
        self._relevant, self._others = Counter[str](), Counter[str]()
        self._for_it, self._against = _WordTally(), _WordTally()

    def add(self, evidence: list[tuple[str, str, float]], *, fresh: bool) -> None:
        """Take in the evidence of a page that counted as harvest, or not."""
        found = [(what, amount) for what, where, amount in evidence if where not in VERDICTS]
        self._against.add([each for each in found if each[1] < 0])
        if self._sought:
            # Words that nobody looked for, as a sense has them, count only if they spoke against.
            (self._relevant if fresh else self._others).update(
                {what for what, _ in found if what in self._words or _named(what)[1]}
            )
        elif fresh:
            self._for_it.add([each for each in found if each[1] > 0])

    def sightings(self) -> Sightings:
        """What was found so far."""
        against = self._against.ranked()
        if not self._sought:
            return Sightings(self._for_it.ranked(), names=False, against=against)
        here, there = ({_named(what)[0] for what in some} for some in (self._relevant, self._others))
        sought = dict.fromkeys(each for some in self._sought.values() for each in some)
        missing = [label for label in sought if label not in here]
        elsewhere = tuple(label for label in missing if label in there)
        pages = dict(sorted(self._relevant.items(), key=lambda each: (-each[1], each[0])))
        return Sightings(pages, elsewhere, tuple(label for label in missing if label not in there), against=against)


def sightings(archive: Archive, every: int = 1) -> Sightings:
    """The evidence of all judgements, added up; or that of every so manieth page, which is enough for an overview of a long crawl."""
    counter = SightingCounter(archive)
    for fresh, evidence in evidence_of_pages(archive.read, every):
        counter.add(evidence, fresh=fresh)
    return counter.sightings()


class TopicWordsSought:
    """The words of the topic that the judge in force looks for one by one, to say which of them a page lacks."""

    def __init__(self, archive: Archive) -> None:
        judge = archive.judged.judge if archive.judged else archive.settings.judge
        topic = topic_of(archive, "topic") if any(_goes_by_words(table) for table in _judges(judge)) else None
        self._words = TopicWords(word for phrase in topic.phrases for word in words(phrase)) if topic else None

    def missing(self, judgement: Judgement | None) -> tuple[str, ...]:
        """Those that are not on a page; none if the judge looks for no words, or found nothing at all."""
        if self._words is None or judgement is None or not judgement.evidence:
            return ()
        found = {each.what for each in judgement.evidence}
        return tuple(word for word in self._words.words if word not in found)


def _goes_by_words(table: Mapping[str, Any]) -> bool:
    return table["name"] == "meaning" or (table["name"] == "terms" and table.get("mode") != "cosine")


def _judges(table: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The tables of the judges, those among them that a combined judge is made of."""
    yield table
    if table["name"] == "combine":
        usual = inspect.signature(CombineJudge).parameters["judges"].default
        for each in table.get("judges", usual):
            yield from _judges({"name": each} if isinstance(each, str) else each)


class _WordTally:
    """On how many pages each word was found, and how much it weighed there in all."""

    def __init__(self) -> None:
        self._pages, self._weights = Counter[str](), dict[str, float]()

    def add(self, found: list[tuple[str, float]]) -> None:
        """Count the words of a page."""
        self._pages.update({what for what, _ in found})
        for what, amount in found:
            self._weights[what] = self._weights.get(what, 0.0) + abs(amount)

    def ranked(self) -> dict[str, int]:
        """The pages of each word, those first that weighed most."""
        ranked = sorted(self._pages, key=lambda what: (-self._weights[what], what))
        return {what: self._pages[what] for what in ranked}


def _named(what: str) -> tuple[str, str]:
    """A name and its tier, which evidence of concepts has behind it: `eyeball (synonym)`."""
    name, _, tier = what.removesuffix(")").rpartition(" (")
    return (name, tier) if tier in TIERS else (what, "")


def _sought(archive: Archive, judge: str) -> list[str]:
    topic = topic_of(archive, _SOUGHT[judge])
    return list(dict.fromkeys([*topic.phrases, *topic.labels])) if topic else []


def topic_of(archive: Archive, need: str) -> Topic | None:
    """The topic as a judge knows it; None if the ontology was there when it crawled, and is not here."""
    settings = archive.settings
    try:
        topic: Topic = needs(settings.topic, construct(Knowledge, settings.knowledge, "[knowledge]"))[need].make()
    except ThresherError:
        return None
    return topic
