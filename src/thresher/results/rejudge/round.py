"""A round of judging anew: every kept page from the WARC files, in batches; then what would change; then, if wanted, in force.

A classifier that was learnt from the crawl may put the pages in order. It ranks better than the judge that it learnt from, but how many
pages are relevant it cannot know. So only its order is taken: the page in its n-th place gets the relevance that the judge gave the page in
its own n-th place, and as many pages are relevant as by the judge.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from thresher.classify.crawl_learner import LearntWords, WordCommonness, chosen_examples, learnt_from
from thresher.disk.crawl_home import Place, home_of
from thresher.disk.found_rows import Row
from thresher.errors import FolderLocked
from thresher.judge.by_hand import by_hand as taught_by_hand
from thresher.model import Page
from thresher.ports import Judge
from thresher.results.archive import Archive, settings_of
from thresher.results.label.scores import configured_judge, examples_of
from thresher.results.rejudge.plan import JudgingPlan, planned
from thresher.settings import Settings
from thresher.store.current import by_hand, changed_after, current_row
from thresher.store.duplicates import fingerprint
from thresher.store.labels import labels
from thresher.store.looks import count_changed_after
from thresher.store.pending_round import BaseJudgement, NewJudgement, PageVersion, PendingRound, pending_round
from thresher.store.rejudgements import judge_words
from thresher.store.visits import count_pages, numbered_row, pages_after

_BATCH = 100
"""Pages in one transaction: a kill loses at most so many judgements."""


class JudgeWish(NamedTuple):
    """How pages are to be judged anew; what is not named is as in the crawl."""

    judge: Mapping[str, Any] | None = None
    """A judge's table, as a crawl file has it."""
    threshold: float | None = None
    learn: bool = False
    """Whether a classifier learnt from the crawl puts the pages in order."""

    def applied(self, settings: Settings) -> Settings:
        """The settings of the crawl with the judge that is wished for."""
        for change in (self.judge, None if self.threshold is None else {"threshold": self.threshold}):
            settings = settings.with_changes({"judge": change} if change else {}, "the command line")
        return settings


class Rejudging:
    """A round under way; the folder is locked meanwhile."""

    def __init__(self, archive: Archive, pending: PendingRound, settings: Settings, *, learn: bool) -> None:
        self._archive, self._pending, self._settings, self._learn = archive, pending, settings, learn

    def behind(self) -> int:
        """How many pages are still to be judged."""
        done, read = self._pending.latest(), self._archive.read
        return count_pages(read, after=done.visit) + count_changed_after(read, done.look)

    def steps(self) -> int:
        """How many pages are still to be read: to be judged, and once more by the classifier if one learns."""
        behind = self.behind()
        return behind + self._learn * (behind + self._pending.count(learnt=None if behind else False))

    def judge(self, took: Callable[[int], object] = lambda _: None) -> None:
        """Judge what is still to be judged; `took` is called with the number of pages of each batch."""
        if self.behind():
            self._pending.forget_learnt()
            # Labels teach the judge as they do when the crawl goes on.
            judge = taught_by_hand(configured_judge(self._settings), examples_of(self._archive))
            words = WordCommonness(self._pending.words()) if self._learn else None
            for rows in self._batches():
                self._take(rows, judge, words)
                took(len(rows))
        if self._learn:
            _put_in_learnt_order(self._archive, self._pending, took)
        self._pending.find_twins()

    def _batches(self) -> Iterator[list[Row]]:
        """The pages as they were kept first, then the versions that later looks saw."""
        last, look = self._pending.latest()
        while rows := pages_after(self._archive.read, last, _BATCH):
            yield rows
            last = rows[-1]["number"]
        while rows := changed_after(self._archive.read, look, _BATCH):
            yield rows
            look = rows[-1]["version"]

    def _take(self, rows: list[Row], judge: Judge, words: WordCommonness | None) -> None:
        batch = []
        for row in rows:
            visit = self._archive.visit_of(row)
            if visit.page is None:  # its record is lost: it keeps the judgement that it has
                continue
            said = judge.judge(visit.page)
            # Which pages will be relevant is not known before the classifier has put them in order.
            mark = fingerprint(replace(visit, judgement=None if words else said))
            batch.append(NewJudgement(_version(row), said, mark))
            if words is not None:
                words.add(visit.page)
        self._pending.add(batch, words.saved() if words else None)

    def plan(self) -> JudgingPlan:
        """What would change."""
        return planned(self._archive, self._pending.number, judge_words(self._settings.judge, learn=self._learn))

    def put_in_force(self, now: float) -> None:
        """From now on these judgements hold."""
        self._pending.put_in_force(now)


@contextmanager
def open_rejudging(path: Place, wish: JudgeWish, clock: Callable[[], float] = time.time) -> Iterator[Rejudging]:
    """A round of judging a crawl's pages anew, while nothing crawls into its folder; one that was interrupted goes on."""
    folder = home_of(path)
    settings = wish.applied(settings_of(folder))
    if folder.in_use():
        raise FolderLocked(f"{path} is being crawled into: judge its pages anew when the crawl has stopped")
    # Before anything is written: a judge that cannot be made is an error of the command line.
    configured_judge(settings)
    with folder, Archive.open(path) as archive, folder.tables() as ledger:
        said = labels(archive.read)
        pending = pending_round(ledger, settings.judge, said, clock(), learn=wish.learn)
        yield Rejudging(archive, pending, settings, learn=wish.learn)


def _version(row: Row) -> PageVersion:
    """Which version a row of `entry` or of `current` is of."""
    return PageVersion(row["number"], (row["version"] or 0) if "version" in row.keys() else 0)  # noqa: SIM118 - a row is no mapping


# ── learning from the crawl ──


def _put_in_learnt_order(archive: Archive, pending: PendingRound, took: Callable[[int], object]) -> None:
    """Learn from what the judge said of all pages, and rank them by it; `took` is called with the number of pages of each batch.

    What is learnt depends only on what was judged, so after a kill the rest of the pages is ranked by the same words.
    """
    words, last = _learnt(archive, pending), PageVersion(0)
    while versions := pending.unlearnt(last, _BATCH):
        last = versions[-1]
        pages = {version: _page(archive, version) for version in versions}
        pending.put_learnt({each: words.probability(page) if page else 0.0 for each, page in pages.items()})
        took(len(pages))
    pending.rank()


def _learnt(archive: Archive, pending: PendingRound) -> LearntWords:
    bases = pending.bases()
    labels = _labels(archive, bases)
    examples = chosen_examples([each.relevance for each in bases], [each.relevant for each in bases], labels)
    pages = [(each, _page(archive, bases[each.place].version)) for each in examples]
    return learnt_from([(each, page) for each, page in pages if page is not None], WordCommonness(pending.words()))


def _labels(archive: Archive, bases: list[BaseJudgement]) -> dict[int, bool]:
    """What a person said, by the place of the page in the list."""
    places = {each.version: place for place, each in enumerate(bases)}
    said = {
        places.get(PageVersion(each.number, current_row(archive.read, each.number)["version"] or 0)): each.relevant
        for each in by_hand(archive.read)
    }
    return {place: relevant for place, relevant in said.items() if place is not None}


def _page(archive: Archive, version: PageVersion) -> Page | None:
    """A version of a page; None if its record is lost, or a later look has seen another since."""
    if not version.look:
        return archive.visit_of(numbered_row(archive.read, version.visit)).page
    row = current_row(archive.read, version.visit)
    return archive.visit_of(row).page if row["version"] == version.look else None
