"""What an export wrote, in figures."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from thresher.results.export.records import Record
from thresher.store.rejudgements import JudgingRound
from thresher.store.totals import Counts

ARCHIVES = frozenset({"warc", "wacz"})
"""Forms that have the pages as they came."""


class LabelCounts(NamedTuple):
    """What persons said of the pages of a crawl, in figures."""

    relevant: int
    """Pages labelled relevant in their present version."""
    others: int
    taught: bool
    """Whether all labels, those of earlier versions too, are enough for a classifier."""


@dataclass(slots=True)
class ExportSummary:
    """What an export wrote, in figures. Memory grows with the number of hosts only."""

    out: Path
    form: str
    file: str
    """The name of the file with the pages."""
    counts: Counts
    """Of the whole crawl."""
    choice: str
    """What was asked for, in words."""
    command: str
    """The command that makes the same export."""
    forbidden: int
    """Urls that robots.txt did not allow."""
    left_out: int
    """Pages left out because they repeat others."""
    keeps_duplicates: bool
    labels: LabelCounts
    """Of the whole crawl."""
    judged: JudgingRound | None = None
    """The round that judged the pages anew, if one is in force."""
    made: float = field(default_factory=time.time)
    pages: int = 0
    lost: int = 0
    """Pages whose records cannot be read."""
    labelled: int = 0
    """Pages here that a person labelled."""
    noindex: int = 0
    reserved: int = 0
    """Pages here that reserve text and data mining."""
    reserved_out: int = 0
    """Pages left out because they do."""
    licensed: int = 0
    """Pages here that name a licence."""
    characters: int = 0
    first: float = float("inf")
    """When the earliest page was fetched."""
    last: float = 0.0
    hosts: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)
    """How many texts our own parser made, by the reason; those of trafilatura have an empty reason."""
    seconds: float = 0.0

    def add(self, record: Record, why: str) -> None:
        """Count one page."""
        at = record["fetched"].timestamp()
        self.first, self.last = min(self.first, at), max(self.last, at)
        self.pages += 1
        self.labelled += bool(record["label"])
        self.noindex += record["noindex"]
        self.reserved += bool(record["reserved"])
        self.licensed += bool(record["license"])
        self.characters += len(record.get("text", ""))
        self.hosts[record["host"]] += 1
        self.why[why] += 1

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "out": str(self.out),
            "to": self.form,
            "pages": self.pages,
            "hosts": len(self.hosts),
            "left_out_as_duplicates": self.left_out,
            "lost": self.lost,
            "labelled": self.labelled,
            "noindex": self.noindex,
            "reserved": self.reserved,
            "left_out_as_reserved": self.reserved_out,
            "characters": self.characters,
            "text_by_trafilatura": self.why[""] if self.form not in ARCHIVES else 0,
            "text_by_thresher": {why: count for why, count in sorted(self.why.items()) if why},
            "seconds": round(self.seconds, 3),
        }
