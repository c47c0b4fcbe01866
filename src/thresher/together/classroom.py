"""What the strategies of several workers learn from each other.

Each has a number, and a state of its own in the store. What one learns from a visit it writes down as a lesson, in the turn of the visit.
The others take it in a second later; their new state, and how far they have heard, are one transaction. A worker that joins begins with
the state of the one that has heard most.

Of strategies that need one view of all pages only one learns, and moves what waits: whoever holds a lock of the server. The others tell it
what they see. All have the number 0, and only the learner has a state.
"""

import time
from collections.abc import Callable, Mapping

from thresher.errors import LedgerLost
from thresher.one_learner import TeamStrategy
from thresher.ports import Steered, Strategy
from thresher.store.lesson_book import Enrolment, LessonBook

_AT_ONCE = 200
"""Lessons that are taken in before the worker goes on crawling."""
_BEAT, _AWAY = 30.0, 600.0
"""Every so many seconds it is noted how far one has heard, also where there was nothing new, and what all have heard is forgotten. After
so many without a note nothing is kept for him."""


def enrol(book: LessonBook, strategy: Strategy) -> Enrolment:
    """Join with what the one that has heard most knows."""
    return book.enrol() if strategy.sharing == "lessons" else book.enrol_one_learner()


class Classroom:
    """The strategy of one worker, and those of the others."""

    def __init__(
        self,
        book: LessonBook,
        strategy: Strategy,
        enrolled: Enrolment,
        made_anew: Callable[[], Strategy],
        recall: Callable[[], Mapping[str, bytes]],
    ) -> None:
        """Take the strategy, how it was enrolled, another that has seen nothing, and what finds the state that a learner has left."""
        self._book, self._strategy, self._enrolled = book, strategy, enrolled
        self._made_anew, self._recall = made_anew, recall
        self._heard, self._due = enrolled.heard, 0.0
        self._begins = True
        self._connection = 0
        self.elects()

    def teach(self) -> None:
        """Write down what the strategy learnt from the visit that was kept just now."""
        if self._strategy.sharing != "nothing" and (lesson := self._strategy.lesson()):
            self._book.add(self._enrolled.number, lesson)

    async def attend(self, crawl: Steered) -> None:
        """Learn what others learnt since the last time."""
        if self._strategy.sharing == "nothing" or not self.elects():
            return
        beat = time.monotonic() >= self._due
        while True:
            visits, lessons = self._book.since(self._heard, _AT_ONCE)
            if not lessons and not beat:
                return
            self._heard = lessons[-1].visit if len(lessons) == _AT_ONCE else visits
            self._book.note_heard(self._enrolled.number, self._heard)
            await crawl.learn_from_others(
                [each.said for each in lessons if not self._enrolled.knows(each.visit, each.learner)]
            )
            if len(lessons) < _AT_ONCE:
                break
        if beat:
            self._due = time.monotonic() + _BEAT
            self._book.forget(_AWAY)

    def elects(self) -> bool:
        """Whether this worker learns: where there is one learner, only if it is that one."""
        team = self._strategy
        if not isinstance(team, TeamStrategy):
            return True
        if team.elected and self._connection == self._book.connections:
            return True
        try:
            won = self._book.elect()
        except LedgerLost:
            return False
        self._connection = self._book.connections
        if not won:
            team.elected = False  # the lock went with the connection, and another has it now
        elif not team.elected:
            self._become_learner(team)
        self._begins = False
        return won

    def _become_learner(self, team: TeamStrategy) -> None:
        self._heard, visits = self._book.one_learner()
        strategy = team.strategy
        if not self._begins:  # the loop itself loads the state with which a crawl begins
            strategy = self._made_anew()
            strategy.load(self._recall())
        team.elect(strategy, visits)
