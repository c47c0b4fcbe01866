"""Judge by hand: which pages to ask a person about, what to show of them, and where the answers go."""

import math
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.judge.by_hand import Scored, calibrated
from thresher.model import Evidence, Page, Url
from thresher.ports import Judge
from thresher.results.archive import Archive, settings_of
from thresher.results.label.keeper import LabelKeeper, label_keeper
from thresher.results.label.scores import HandFigures, configured_judge, figures_of
from thresher.results.plain_text import one_line, paragraphs, short_title
from thresher.results.sightings import TopicWordsSought
from thresher.settings import Settings
from thresher.store.current import by_hand, count_unlabelled, current_page, pages_nearest
from thresher.store.labels import HandLabel, label_of, labels
from thresher.store.rejudgements import JudgingRound
from thresher.urls import canonical

_LENGTH = 300
_BEFORE = 80
"""Characters of a snippet, and how many of them come before the strongest word."""
_PART = 1200
"""Characters of a part of the text: about fifteen lines of a terminal."""
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
    text: str = ""
    """All of its text, each line safe to be shown."""
    missing: tuple[str, ...] = ()
    """Words of the topic that the judge looked for and did not find."""

    def parts(self) -> list[str]:
        """The text from its beginning, in parts that fit on a screen, each cut at a blank."""
        return _cut(self.text)


class Agreement(NamedTuple):
    """How often a person and the judge said the same, where the person did not know yet what the judge says."""

    agreed: int
    of: int
    again: int
    """Pages that were answered a second time, when the verdict had been shown: they do not count."""

    def __str__(self) -> str:
        """In a sentence or two; empty if there is nothing to compare."""
        pages = f"{self.of:,} page{'s' * (self.of != 1)}"
        said = f"You agree with the judge on {self.agreed:,} of {pages}." if self.of else ""
        left_out = f"{self.again:,} that you answered again {'is' if self.again == 1 else 'are'} left out."
        return f"{said} {left_out}".strip() if self.again else said


class _Answer(NamedTuple):
    url: Url
    relevant: bool | None
    judged: bool
    """What the judge said."""
    before: HandLabel | None
    """The label that it replaced."""


class Desk:
    """Where a person labels the pages of one crawl. It may be running."""

    def __init__(self, archive: Archive, keeper: LabelKeeper, judge: Judge, clock: Callable[[], float]) -> None:
        self._archive, self._keeper, self._judge, self._clock = archive, keeper, judge, clock
        self._in_force = judge if archive.judged is None else _judge_of(archive.judged, archive.settings)
        self._sought = TopicWordsSought(archive)
        self._answers: list[_Answer] = []
        """What was said at this desk, oldest first."""
        self._shown: set[Url] = set()
        """Pages whose answer was taken back: the person has seen the judge's verdict."""

    def left(self) -> int:
        """How many pages nobody was asked about in their present version."""
        return count_unlabelled(self._archive.read)

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
            paragraphs(page.main or page.text),
            self._sought.missing(judgement),
        )

    def answer(self, question: Question, relevant: bool | None) -> None:  # noqa: FBT001 - yes, no, or skipped
        """Keep what the person said, at once."""
        before = label_of(self._archive.read, question.url)
        self._keeper.put(HandLabel(question.url, relevant, self._clock()))
        self._answers.append(_Answer(question.url, relevant, question.relevant, before))

    def undo(self) -> Question | None:
        """Take back the last answer that was given at this desk, at once, and ask about its page again; None if there is none.

        A label that the page had before comes back.
        """
        if not self._answers:
            return None
        last = self._answers.pop()
        self._keeper.take_back(last.url, last.before)
        self._shown.add(last.url)
        return self.question(last.url)

    def agreement(self) -> Agreement:
        """How often the person and the judge said the same at this desk."""
        said = [each for each in self._answers if each.relevant is not None]
        blind = [each for each in said if each.url not in self._shown]
        return Agreement(sum(each.relevant == each.judged for each in blind), len(blind), len(said) - len(blind))

    def figures(self) -> HandFigures | None:
        """How well the judge agrees with all labels so far."""
        return figures_of(self._archive, self._judge)


@contextmanager
def open_desk(path: Path, clock: Callable[[], float] = time.time) -> Iterator[Desk]:
    """A desk to label a crawl's pages at. A crawl that runs hears of each label at once; otherwise the folder is locked meanwhile."""
    folder = CrawlFolder(path)
    settings = settings_of(folder)
    # The keeper first: the archive looks only once whether there is a table of labels.
    with label_keeper(folder) as keeper, Archive.open(path) as archive:
        yield Desk(archive, keeper, configured_judge(settings), clock)


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
    best = sorted(
        (each for each in evidence if each.where == "text" and each.amount > 0), key=lambda each: -each.amount
    )
    places = [lowered.find(each.what.partition(" (")[0].lower()) for each in best]
    start = max(0, next((place for place in places if place >= 0), 0) - _BEFORE)
    # From the beginning of a word on.
    start = text.find(" ", start) + 1 if start else 0
    end = start + _LENGTH
    if end < len(text) and (blank := text.rfind(" ", start, end + 1)) > start:
        end = blank  # to the end of a word
    return f"{'… ' * bool(start)}{text[start:end].rstrip()}{' …' * (end < len(text))}"


def _cut(text: str) -> list[str]:
    parts, start = list[str](), 0
    while start < len(text):
        end = start + _PART
        if end < len(text):
            # At the last blank or line end; a word longer than a part is cut anywhere.
            end = 1 + max(text.rfind(" ", start, end), text.rfind("\n", start, end)) or end
        parts.append(text[start:end].strip())
        start = end
    return parts
