"""Judge by hand: a desk at which a person answers, and where the answers go."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from thresher.disk.crawl_home import Place, home_of
from thresher.model import Url
from thresher.ports import Judge
from thresher.results.archive import Archive, settings_of
from thresher.results.label.keeper import LabelKeeper, label_keeper
from thresher.results.label.questions import PageQuestions, Question, usual_threshold
from thresher.results.label.scores import HandFigures, configured_judge, figures_of
from thresher.store.current import count_unlabelled
from thresher.store.labels import HandLabel, label_of


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
        self._questions = PageQuestions(archive, usual_threshold(archive, judge))
        self._answers: list[_Answer] = []
        """What was said at this desk, oldest first."""
        self._shown: set[Url] = set()
        """Pages whose answer was taken back: the person has seen the judge's verdict."""

    def left(self) -> int:
        """How many pages nobody was asked about in their present version."""
        return count_unlabelled(self._archive.read)

    def questions(self, count: int) -> Iterator[Question]:
        """Up to so many pages that nobody was asked about in their present version, those nearest to the threshold first."""
        return self._questions.several(count)

    def question(self, url: str) -> Question:
        """One page in its present version, even if it was asked about before."""
        return self._questions.of(url)

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
def open_desk(path: Place, clock: Callable[[], float] = time.time) -> Iterator[Desk]:
    """A desk to label a crawl's pages at. A crawl that runs hears of each label at once; otherwise the folder is locked meanwhile."""
    folder = home_of(path)
    settings = settings_of(folder)
    # The keeper first: the archive looks only once whether there is a table of labels.
    with label_keeper(folder) as keeper, Archive.open(path) as archive:
        yield Desk(archive, keeper, configured_judge(settings), clock)
