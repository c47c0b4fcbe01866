"""Judge by hand: which pages to ask a person about, what to show of them, and where the answers go."""

import math
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput, FolderLocked
from thresher.judge.by_hand import Scored, calibrated
from thresher.model import Evidence, Page, Url
from thresher.ports import Judge
from thresher.results.archive import Archive, settings_of
from thresher.results.label.scores import HandFigures, configured_judge, figures_of
from thresher.results.plain_text import one_line, short_title
from thresher.settings import Settings
from thresher.store.current import by_hand, current_page, pages_nearest
from thresher.store.labels import HandLabel, labels, make_labels, put_label
from thresher.store.rejudgements import JudgingRound
from thresher.urls import canonical

_LENGTH = 300
_BEFORE = 80
"""Characters of a snippet, and how many of them come before the strongest word."""
_HALF = 0.5


class Question(NamedTuple):
    """A page to be judged by a person."""

    url: Url
    title: str
    snippet: str
    relevance: float
    relevant: bool
    """What the judge said of it."""
    evidence: tuple[Evidence, ...]
    gone: float | None = None
    """When it was found to be gone, if it is."""


class Desk:
    """Where a person labels the pages of one crawl; the folder is locked meanwhile."""

    def __init__(self, archive: Archive, ledger: Ledger, judge: Judge, clock: Callable[[], float]) -> None:
        self._archive, self._ledger, self._judge, self._clock = archive, ledger, judge, clock
        self._in_force = judge if archive.judged is None else _judge_of(archive.judged, archive.settings)

    def questions(self, count: int) -> Iterator[Question]:
        """Up to so many pages that nobody was asked about in their present version, those nearest to the threshold first.

        The threshold moves with each answer. Copies and pages that are gone are left out.
        """
        asked = {label.url: label.at for label in labels(self._archive.read)}
        for _ in range(count):
            question = self._nearest(asked)
            if question is None:
                return
            asked[question.url] = math.inf
            yield question

    def _nearest(self, asked: Mapping[Url, float]) -> Question | None:
        for row in pages_nearest(self._archive.read, self._threshold()):
            if not _was_asked(row, asked) and (question := self._question(row)) is not None:
                return question
        return None

    def _threshold(self) -> float:
        """The threshold by the labels so far. If it were fixed, the person might be asked about pages of one kind only."""
        said = [each for each in by_hand(self._archive.read) if each.relevance is not None]
        scored = [Scored(each.relevance or 0.0, each.relevant) for each in said]
        return calibrated(scored, getattr(self._in_force, "threshold", _HALF))

    def question(self, url: str) -> Question:
        """One page in its present version, even if it was asked about before."""
        wanted = canonical(url)
        row = current_page(self._archive.read, wanted) if wanted else None
        found = self._question(row) if row else None
        if found is None:
            raise BadInput(f"{url} is not a page of {self._archive.folder.path}: thresher show lists what is there")
        return found

    def _question(self, row: sqlite3.Row) -> Question | None:
        visit = self._archive.visit_of(row)
        page, judgement = visit.page, visit.judgement
        if page is None or judgement is None:
            return None
        return Question(
            visit.url,
            short_title(one_line(page.title)),
            _snippet(page, judgement.evidence),
            judgement.relevance,
            judgement.relevant,
            judgement.evidence,
            row["gone"],
        )

    def answer(self, question: Question, relevant: bool | None) -> None:  # noqa: FBT001 - yes, no, or skipped
        """Keep what the person said, at once."""
        put_label(self._ledger, HandLabel(question.url, relevant, self._clock()))

    def figures(self) -> HandFigures | None:
        """How well the judge agrees with all labels so far."""
        return figures_of(self._archive, self._judge)


@contextmanager
def open_desk(path: Path, clock: Callable[[], float] = time.time) -> Iterator[Desk]:
    """A desk to label a crawl's pages at, while nothing crawls into its folder."""
    folder = CrawlFolder(path)
    settings = settings_of(folder)
    if folder.in_use():
        raise FolderLocked(f"{path} is being crawled into: label its pages when the crawl has stopped")
    with folder, closing(Ledger(folder.database)) as ledger:
        # Before the archive is opened: it looks only once whether there is a table of labels.
        make_labels(ledger)
        with Archive.open(path) as archive:
            yield Desk(archive, ledger, configured_judge(settings), clock)


def _judge_of(judged: JudgingRound, settings: Settings) -> Judge:
    """The judge whose relevances the pages have: its threshold is another than that of the crawl's."""
    return configured_judge(replace(settings, judge=dict(judged.judge)))


def _was_asked(row: sqlite3.Row, asked: Mapping[Url, float]) -> bool:
    """Whether somebody was asked about this version of a page."""
    return row["url"] in asked and (row["version"] is None or asked[row["url"]] >= row["at"])


def _snippet(page: Page, evidence: tuple[Evidence, ...]) -> str:
    """The text around the strongest evidence; the beginning of the text if there is none."""
    text = one_line(page.main or page.text)
    lowered = text.lower()
    best = sorted((each for each in evidence if each.where == "text"), key=lambda each: -each.amount)
    places = [lowered.find(each.what.partition(" (")[0].lower()) for each in best]
    start = max(0, next((place for place in places if place >= 0), 0) - _BEFORE)
    # From the beginning of a word on.
    start = text.find(" ", start) + 1 if start else 0
    end = start + _LENGTH
    return f"{'… ' * bool(start)}{text[start:end].rstrip()}{' …' * (end < len(text))}"
