"""How good the judge is by the labels of a person: as configured, and after it learnt from them; and the harvest rate both ways."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from thresher import plugins
from thresher.disk.crawl_home import Place
from thresher.disk.found_rows import Read
from thresher.judge.by_hand import LEAST_LABELS, LEAST_OF_EACH, HandJudge
from thresher.knowledge import Knowledge, needs, part
from thresher.model import LabelledPage
from thresher.parse.html import HtmlParser
from thresher.ports import Judge
from thresher.results.archive import Archive
from thresher.settings import Settings
from thresher.store.labels import harvest_correction, labelled, labels
from thresher.store.totals import counts


class JudgeScores(NamedTuple):
    """How well a judge agrees with labels; 0 where nothing can be said."""

    precision: float
    recall: float
    f1: float


class HandFigures(NamedTuple):
    """What labels say about a crawl and its judge."""

    labels: int
    relevant: int
    """Of these, labelled relevant."""
    skipped: int
    threshold_before: float
    threshold_after: float
    taught: bool
    """Whether there are enough labels to teach a classifier."""
    before: JudgeScores
    """The configured judge on the labelled pages."""
    after: JudgeScores
    """The judge that a crawl goes on with, on the same pages; each page is judged without its own label."""
    harvest_before: float
    """Harvest rate by the judgements in force."""
    harvest_after: float
    """The same, with labels instead of judgements where there are any."""

    def outlook(self) -> str:
        """What the labels have taught, or how many more it takes."""
        if self.taught:
            return "Your labels have taught a classifier; its relevance and the judge's are averaged."
        few = min(self.relevant, self.labels - self.relevant)
        needed = f"A classifier is taught from {LEAST_LABELS} labels on, {LEAST_OF_EACH} of each kind"
        return f"{needed}; there are {self.labels}, {few} of the rarer kind."

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**self._asdict(), "before": self.before._asdict(), "after": self.after._asdict()}


def labels_as_json(folder: Place) -> dict[str, Any]:
    """All labels of a crawl folder and their figures, for programs."""
    with Archive.open(folder) as archive:
        said = [each._asdict() for each in labels(archive.read)]
    figures = hand_figures(folder)
    return {"labels": said, "figures": figures and figures.as_json()}


def hand_figures(folder: Place) -> HandFigures | None:
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


def examples_of(archive: Archive) -> list[LabelledPage]:
    """The labelled pages as they were labelled, parsed again."""
    parser = HtmlParser()
    return [LabelledPage(parser.parse(answer), said) for answer, said in labelled(archive.read, archive.warc_files)]


def configured_judge(settings: Settings) -> Judge:
    """The judge that the settings name, without what it has learnt from labels."""
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    judge: Judge = part("judge", settings.judge, needs(settings.topic, known))
    return judge


def held_against(truth: Sequence[bool], verdicts: Iterable[bool]) -> JudgeScores:
    """Precision, recall and F1 of verdicts."""
    pairs = list(zip(truth, verdicts, strict=True))
    right = sum(is_so and said for is_so, said in pairs)
    chosen, wanted = sum(said for _, said in pairs), sum(truth)
    return JudgeScores(
        right / chosen if chosen else 0.0,
        right / wanted if wanted else 0.0,
        2 * right / (chosen + wanted) if right else 0.0,
    )


def _harvests(read: Read) -> tuple[float, float]:
    found = counts(read)
    corrected = found.relevant + harvest_correction(read)
    return found.harvest, corrected / found.fetched if found.fetched else 0.0
