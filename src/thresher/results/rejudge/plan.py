"""What a round of judging anew would change, before it is in force."""

from typing import Any, NamedTuple

from thresher.results.archive import Archive
from thresher.results.plain_text import short_title
from thresher.store.labels import labels
from thresher.store.pending_round import ChangedPage, changed_pages, count_changed, harvest_of_round
from thresher.store.rejudgements import judge_words
from thresher.store.totals import counts

_SHOWN = 5
"""Examples of each kind."""


class JudgingPlan(NamedTuple):
    """What a round would change."""

    judge: str
    """Its judge, in words."""
    before: str
    """The judge whose judgements hold now."""
    pages: int
    """Pages that were kept."""
    labels: int
    """Pages whose label counts instead, as before."""
    harvest_before: int
    """Relevant pages that repeat no other, by the judgements in force."""
    harvest_after: int
    becoming: int
    """How many pages become relevant."""
    ceasing: int
    """How many are no longer relevant."""
    examples_becoming: list[ChangedPage]
    examples_ceasing: list[ChangedPage]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        examples = {
            name: [{**each._asdict(), "title": short_title(each.title)} for each in found]
            for name, found in (("becoming", self.examples_becoming), ("ceasing", self.examples_ceasing))
        }
        named = {key: value for key, value in self._asdict().items() if not key.startswith("examples")}
        return {**named, "examples": examples}


def planned(archive: Archive, number: int, judge: str) -> JudgingPlan:
    """What the round of that number, by that judge, would change."""
    read, now, before = archive.read, archive.judged, counts(archive.read)
    return JudgingPlan(
        judge,
        str(now) if now else judge_words(archive.settings.judge),
        before.pages,
        sum(label.relevant is not None for label in labels(read)),
        before.relevant,
        harvest_of_round(read, number),
        count_changed(read, number, relevant=True),
        count_changed(read, number, relevant=False),
        changed_pages(read, number, _SHOWN, relevant=True),
        changed_pages(read, number, _SHOWN, relevant=False),
    )
