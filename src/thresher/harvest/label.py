"""Judge by hand: which pages to ask a person about, what to show of them, and where the answers go."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from thresher.errors import BadInput, FolderLocked
from thresher.folder import CrawlFolder
from thresher.harvest.archive import Archive
from thresher.harvest.hand_figures import HandFigures, configured_judge, figures_of
from thresher.harvest.snippets import one_line
from thresher.judge.by_hand import Scored, calibrated
from thresher.ledger import Ledger
from thresher.model import Evidence, Page, Url, Visit
from thresher.ports import Judge
from thresher.store.labels import Label, labels, put_label
from thresher.urls import canonical

_LENGTH = 300
_BEFORE = 80
"""Characters of a snippet, and of these before the word that speaks most for the page."""
_NEAREST = """
    SELECT * FROM entry
    WHERE outcome = 'page' AND relevance IS NOT NULL AND duplicate_of IS NULL AND near IS NULL AND file IS NOT NULL
    ORDER BY abs(relevance - ?), number
"""
_HALF = 0.5


class Question(NamedTuple):
    """A page to be judged by a person."""

    url: Url
    title: str
    snippet: str
    relevance: float
    relevant: bool
    """What the judge said while crawling."""
    evidence: tuple[Evidence, ...]


class Desk:
    """Where a person labels the pages of one crawl; the folder is locked meanwhile."""

    def __init__(self, archive: Archive, ledger: Ledger, judge: Judge, clock: Callable[[], float]) -> None:
        self._archive, self._ledger, self._judge, self._clock = archive, ledger, judge, clock

    def questions(self, count: int) -> Iterator[Question]:
        """Up to so many pages that nobody was asked about, each the nearest to where the threshold is by then; copies are left out."""
        asked = {label.url for label in labels(self._archive.read)}
        for _ in range(count):
            question = self._nearest(asked)
            if question is None:
                return
            asked.add(question.url)
            yield question

    def _nearest(self, asked: set[Url]) -> Question | None:
        for row in self._archive.rows(_NEAREST, self._threshold()):
            if row["url"] not in asked and (question := _question(self._archive.visit_of(row))) is not None:
                return question
        return None

    def _threshold(self) -> float:
        """Where the labels so far would have it. Were it fixed, one could be asked about pages of one kind alone, time and again."""
        said = {label.url: label.relevant for label in labels(self._archive.read) if label.relevant is not None}
        found = [self._archive.row(url) for url in said]
        scored = [Scored(row["relevance"], said[row["url"]]) for row in found if row and row["relevance"] is not None]
        return calibrated(scored, getattr(self._judge, "threshold", _HALF))

    def question(self, url: str) -> Question:
        """That one page, whether it was asked about or not."""
        wanted = canonical(url)
        visit = self._archive.visit(wanted) if wanted else None
        found = _question(visit) if visit else None
        if found is None:
            raise BadInput(f"{url} is not a page of {self._archive.folder.path}: thresher show lists what is there")
        return found

    def answer(self, question: Question, relevant: bool | None) -> None:  # noqa: FBT001 - yes, no, or skipped
        """Keep what the person said, at once."""
        put_label(self._ledger, Label(question.url, relevant, self._clock()))

    def figures(self) -> HandFigures | None:
        """How the judge does by all labels so far."""
        return figures_of(self._archive, self._judge)


@contextmanager
def open_desk(path: Path, clock: Callable[[], float] = time.time) -> Iterator[Desk]:
    """A desk to label a crawl's pages at, while nothing crawls into its folder."""
    folder = CrawlFolder(path)
    with Archive.open(path) as archive:
        if folder.in_use():
            raise FolderLocked(f"{path} is being crawled into: label its pages when the crawl has stopped")
        with folder, closing(Ledger(folder.database)) as ledger:
            yield Desk(archive, ledger, configured_judge(archive.settings), clock)


def _question(visit: Visit) -> Question | None:
    page, judgement = visit.page, visit.judgement
    if page is None or judgement is None:
        return None
    return Question(
        visit.url,
        one_line(page.title),
        _snippet(page, judgement.evidence),
        judgement.relevance,
        judgement.relevant,
        judgement.evidence,
    )


def _snippet(page: Page, evidence: tuple[Evidence, ...]) -> str:
    """The text around the word that speaks most for the page; its beginning if there is none."""
    text = one_line(page.main or page.text)
    lowered = text.lower()
    best = sorted((each for each in evidence if each.where == "text"), key=lambda each: -each.amount)
    places = [lowered.find(each.what.partition(" (")[0].lower()) for each in best]
    start = max(0, next((place for place in places if place >= 0), 0) - _BEFORE)
    # From the beginning of a word on.
    start = text.find(" ", start) + 1 if start else 0
    end = start + _LENGTH
    return f"{'… ' * bool(start)}{text[start:end].rstrip()}{' …' * (end < len(text))}"
