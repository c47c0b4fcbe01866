"""Which names of the topic were found: on how many relevant pages each, only on other pages, or on none."""

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from thresher.errors import ThresherError
from thresher.judge.combine import CombineJudge
from thresher.knowledge import Knowledge, needs
from thresher.plugins import construct
from thresher.results.archive import Archive
from thresher.store.totals import evidence_of_pages
from thresher.topic.topic import TIERS

_SOUGHT = {"terms": "topic", "meaning": "topic", "concepts": "concepts"}
"""What each judge that looks for names needs to know; the other judges weigh words that nobody chose."""
_VERDICTS = {"judge", "class"}
"""Values of `where` in evidence that name no place on a page."""


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

    def tiers(self) -> dict[str, dict[str, int]]:
        """What was found, by its tier in the topic; names without a tier come under an empty one."""
        found: dict[str, dict[str, int]] = {tier: {} for tier in (*TIERS, "")}
        for what, count in self.pages.items():
            name, tier = _named(what)
            found[tier][name] = count
        return {tier: names for tier, names in found.items() if names}


def sightings(archive: Archive) -> Sightings:
    """The evidence of all judgements, added up."""
    sought = {judge: _sought(archive, judge) for judge in _judges(archive.settings.judge) if judge in _SOUGHT}
    if not sought:
        return Sightings(_weighed(archive), names=False)
    relevant, others = _counted(archive, {*sought.get("terms", ()), *sought.get("meaning", ())})
    here, there = ({_named(what)[0] for what in some} for some in (relevant, others))
    missing = [label for label in dict.fromkeys(each for some in sought.values() for each in some) if label not in here]
    elsewhere = tuple(label for label in missing if label in there)
    pages = dict(sorted(relevant.items(), key=lambda each: (-each[1], each[0])))
    return Sightings(pages, elsewhere, tuple(label for label in missing if label not in there))


def _judges(table: Mapping[str, Any]) -> Iterator[str]:
    """The names of the judges, those among them that a combined judge is made of."""
    yield table["name"]
    if table["name"] == "combine":
        usual = inspect.signature(CombineJudge).parameters["judges"].default
        for each in table.get("judges", usual):
            yield from _judges({"name": each} if isinstance(each, str) else each)


def _counted(archive: Archive, words: set[str]) -> tuple[Counter[str], Counter[str]]:
    """On how many relevant and other pages each name is; words that nobody looked for, as a sense has them, are left out."""
    relevant, others = Counter[str](), Counter[str]()
    for fresh, evidence in evidence_of_pages(archive.read):
        found = {what for what, _ in _on_the_page(evidence) if what in words or _named(what)[1]}
        (relevant if fresh else others).update(found)
    return relevant, others


def _weighed(archive: Archive) -> dict[str, int]:
    """On how many relevant pages each word is, those first that weighed most in all."""
    pages, weights = Counter[str](), dict[str, float]()
    for _, evidence in evidence_of_pages(archive.read, harvest_only=True):
        found = _on_the_page(evidence)
        pages.update({what for what, _ in found})
        for what, amount in found:
            weights[what] = weights.get(what, 0.0) + amount
    return {what: pages[what] for what in sorted(pages, key=lambda what: (-weights[what], what))}


def _on_the_page(evidence: list[tuple[str, str, float]]) -> list[tuple[str, float]]:
    return [(what, amount) for what, where, amount in evidence if where not in _VERDICTS]


def _named(what: str) -> tuple[str, str]:
    """A name and its tier, which evidence of concepts has behind it: `eyeball (synonym)`."""
    name, _, tier = what.removesuffix(")").rpartition(" (")
    return (name, tier) if tier in TIERS else (what, "")


def _sought(archive: Archive, judge: str) -> list[str]:
    settings = archive.settings
    try:
        given = needs(settings.topic, construct(Knowledge, settings.knowledge, "[knowledge]"))
        topic = given[_SOUGHT[judge]].make()
    except ThresherError:
        return []  # the ontology was there when it crawled, and is not here
    return list(dict.fromkeys([*topic.phrases, *topic.labels]))
