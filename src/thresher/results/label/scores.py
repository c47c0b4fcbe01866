"""How good the judge is by the labels of a person, before it heard of them and after; and the harvest with them in place."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thresher import plugins
from thresher.judge.by_hand import Example, HandJudge
from thresher.knowledge import Knowledge, needs, part
from thresher.parse.html import HtmlParser
from thresher.ports import Judge
from thresher.results.archive import Archive
from thresher.settings import Settings
from thresher.store.labels import labelled, labels
from thresher.store.reading import Read, counts


class Figures(NamedTuple):
    """A judge held against labels; 0 where nothing can be said."""

    precision: float
    recall: float
    f1: float


class HandFigures(NamedTuple):
    """What labels by hand say of a crawl and of its judge."""

    labels: int
    relevant: int
    """Of these, labelled relevant."""
    skipped: int
    threshold_before: float
    threshold_after: float
    taught: bool
    """Whether there are labels enough for a classifier of their own."""
    before: Figures
    """The configured judge on the labelled pages."""
    after: Figures
    """The judge that a crawl goes on with, on the same pages, each while its own label is held back."""
    harvest_before: float
    """Harvest rate by the judgements made while crawling."""
    harvest_after: float
    """The same with the labels in the place of judgements, where there are any."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**self._asdict(), "before": self.before._asdict(), "after": self.after._asdict()}


def hand_figures(folder: Path) -> HandFigures | None:
    """The figures of a crawl folder; None if no page in it was labelled. A crawl may run meanwhile."""
    with Archive.open(folder) as archive:
        return figures_of(archive)


def figures_of(archive: Archive, judge: Judge | None = None) -> HandFigures | None:
    """The figures of an archive; the configured judge is made if none is given, which may take seconds."""
    examples = examples_of(archive)
    if not examples:
        return None
    base = judge or configured_judge(archive.settings)
    hand = HandJudge(base, examples)
    truth = [example.relevant for example in examples]
    harvest_before, harvest_after = _harvests(archive.read)
    return HandFigures(
        labels=len(examples),
        relevant=sum(truth),
        skipped=sum(label.relevant is None for label in labels(archive.read)),
        threshold_before=hand.configured,
        threshold_after=hand.threshold,
        taught=hand.taught,
        before=held_against(truth, (base.judge(example.page).relevant for example in examples)),
        after=held_against(truth, hand.held_out()),
        harvest_before=harvest_before,
        harvest_after=harvest_after,
    )


def examples_of(archive: Archive) -> list[Example]:
    """The labelled pages as they were labelled, parsed again."""
    parser = HtmlParser()
    return [Example(parser.parse(answer), said) for answer, said in labelled(archive.read, archive.folder.warc)]


def configured_judge(settings: Settings) -> Judge:
    """The judge that the settings name, without what a person has said since."""
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    judge: Judge = part("judge", settings.judge, needs(settings.topic, known))
    return judge


def held_against(truth: Sequence[bool], verdicts: Iterable[bool]) -> Figures:
    """Precision, recall and F1 of verdicts."""
    pairs = list(zip(truth, verdicts, strict=True))
    right = sum(is_so and said for is_so, said in pairs)
    chosen, wanted = sum(said for _, said in pairs), sum(truth)
    return Figures(
        right / chosen if chosen else 0.0,
        right / wanted if wanted else 0.0,
        2 * right / (chosen + wanted) if right else 0.0,
    )


# What was said of a later version of a page says nothing of what the crawl found.
_CORRECTIONS = """
    SELECT coalesce(sum(label.relevant - visit.fresh), 0) FROM label JOIN visit ON visit.url = label.url
    WHERE label.relevant IS NOT NULL AND outcome = 'page' AND duplicate_of IS NULL AND near IS NULL
        AND NOT EXISTS (SELECT 1 FROM revisit WHERE visit = visit.number AND found = 'changed' AND revisit.at <= label.at)
"""


def _harvests(read: Read) -> tuple[float, float]:
    found = counts(read)
    corrected = found.relevant + read(_CORRECTIONS).fetchone()[0]
    return found.harvest, corrected / found.fetched if found.fetched else 0.0
