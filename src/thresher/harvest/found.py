"""Which names of the topic the relevant pages have, how many pages each, and which no page has."""

import json
from collections import Counter
from typing import NamedTuple

from thresher.errors import ThresherError
from thresher.harvest.archive import Archive
from thresher.knowledge import Knowledge, needs
from thresher.plugins import construct
from thresher.topic.topic import TIERS

_EVIDENCE = "SELECT fresh, evidence FROM visit WHERE evidence IS NOT NULL"
_SOUGHT = {"terms": "topic", "concepts": "concepts"}
"""What each judge looks for, of those that look for names; the others weigh words that nobody chose."""


class Sightings(NamedTuple):
    """What the judge found."""

    pages: dict[str, int]
    """On how many relevant pages each thing was found, most first."""
    elsewhere: tuple[str, ...] = ()
    """Names of the topic that are on other pages only."""
    never: tuple[str, ...] = ()
    """Names of the topic that no page has."""

    def tiers(self) -> dict[str, dict[str, int]]:
        """What was found by its relation to the topic; what has none comes under no name."""
        found: dict[str, dict[str, int]] = {tier: {} for tier in (*TIERS, "")}
        for what, count in self.pages.items():
            name, tier = _named(what)
            found[tier][name] = count
        return {tier: names for tier, names in found.items() if names}


def sightings(archive: Archive) -> Sightings:
    """The evidence of all judgements, added up."""
    relevant, others = Counter[str](), Counter[str]()
    for fresh, evidence in archive.read(_EVIDENCE):
        (relevant if fresh else others).update({what for what, where, _ in json.loads(evidence) if where != "judge"})
    here, there = ({_named(what)[0] for what in some} for some in (relevant, others))
    missing = [label for label in _sought(archive) if label not in here]
    elsewhere = tuple(label for label in missing if label in there)
    pages = dict(sorted(relevant.items(), key=lambda each: (-each[1], each[0])))
    return Sightings(pages, elsewhere, tuple(label for label in missing if label not in there))


def _named(what: str) -> tuple[str, str]:
    """A name and its tier, which evidence of concepts has behind it: `eyeball (synonym)`."""
    name, _, tier = what.removesuffix(")").rpartition(" (")
    return (name, tier) if tier in TIERS else (what, "")


def _sought(archive: Archive) -> list[str]:
    settings = archive.settings
    need = _SOUGHT.get(settings.judge["name"])
    if need is None:
        return []
    try:
        given = needs(settings.topic, construct(Knowledge, settings.knowledge, "[knowledge]"))
        return list(given[need].make().labels)
    except ThresherError:
        return []  # the ontology was there when it crawled, and is not here
