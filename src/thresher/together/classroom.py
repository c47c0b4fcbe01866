"""What the strategies of several workers learn from each other.

Each has a number, and a state of its own in the store. What one learns from a visit it writes down as a lesson, in the turn of the visit.
The others take it in a second later; their new state, and how far they have heard, are one transaction. A worker that joins begins with
the state of the one that has heard most.

Of strategies that need one view of all pages only one learns, and moves what waits: whoever holds a lock of the server. The others tell it
what they see. All have the number 0, and only the learner has a state.
"""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from thresher.disk.postgres_ledger import PostgresLedger
from thresher.errors import LedgerLost
from thresher.one_learner import TeamStrategy
from thresher.ports import Steered, Strategy

_AT_ONCE = 200
"""Lessons that are taken in before the worker goes on crawling."""
_BEAT, _AWAY = 30.0, 600.0
"""Every so many seconds it is noted how far one has heard, and after so many without that nothing is kept for him."""
_ENROL = "SELECT mine, heard, of, until FROM enrol()"
_ONE_LEARNER = """
    INSERT INTO learner (number, heard, beat) OVERRIDING SYSTEM VALUE VALUES (0, 0, time_of(NULL)) ON CONFLICT DO NOTHING
"""
# How far the visits go, and the lessons up to there, at one moment.
_LESSONS = """
    SELECT visits, NULL::bigint, NULL::bytea FROM totals
    UNION ALL (SELECT visit, learner, said FROM lesson WHERE visit > %s ORDER BY visit LIMIT %s)
"""
_HEARD = "UPDATE learner SET heard = %s, beat = time_of(NULL) WHERE number = %s"
_TEACH = "INSERT INTO lesson (visit, learner, said) SELECT visits, %s, %s FROM totals"
_FORGET = "DELETE FROM lesson WHERE visit <= (SELECT min(heard) FROM learner WHERE beat > time_of(NULL) - %s)"
_ELECT = "SELECT pg_try_advisory_lock(hashtext('thresher learner'), hashtext(current_schema()))"
_HEARD_BY_ALL = "SELECT heard FROM learner WHERE number = 0"


class Enrolment(NamedTuple):
    """A strategy among those of other workers."""

    number: int = 0
    heard: int = 0
    """It knows all lessons up to this visit,"""
    of: int | None = None
    """and those of the one that it was copied from"""
    until: int = 0
    """up to this visit."""

    def knows(self, visit: int, learner: int) -> bool:
        """Whether it needs no more to be told what was learnt from a visit."""
        return self.number != 0 and (learner == self.number or (learner == self.of and visit <= self.until))


def enrol(ledger: PostgresLedger, strategy: Strategy) -> Enrolment:
    """Join with what the one that has heard most knows."""
    if strategy.sharing == "lessons":
        [row] = ledger.safely(_ENROL)
        return Enrolment(*row)
    ledger.safely(_ONE_LEARNER)
    return Enrolment()


class Classroom:
    """The strategy of one worker, and those of the others."""

    def __init__(
        self,
        ledger: PostgresLedger,
        strategy: Strategy,
        enrolled: Enrolment,
        made_anew: Callable[[], Strategy],
        recall: Callable[[], Mapping[str, bytes]],
    ) -> None:
        """Take the strategy, how it was enrolled, another that has seen nothing, and what finds the state that a learner has left."""
        self._ledger, self._strategy, self._enrolled = ledger, strategy, enrolled
        self._made_anew, self._recall = made_anew, recall
        self._heard, self._due = enrolled.heard, 0.0
        self._begins = True
        self._connection = 0
        self.elects()

    def teach(self) -> None:
        """Write down what the strategy learnt from the visit that was kept just now."""
        if self._strategy.sharing != "nothing" and (lesson := self._strategy.lesson()):
            self._ledger.write_last(_TEACH, (self._enrolled.number, lesson))

    async def attend(self, crawl: Steered) -> None:
        """Learn what others learnt since the last time."""
        if self._strategy.sharing == "nothing" or not self.elects():
            return
        while True:
            (visits, *_), *lessons = self._ledger.read(_LESSONS, (self._heard, _AT_ONCE))
            if not lessons and time.monotonic() < self._due:
                return
            self._heard = lessons[-1][0] if len(lessons) == _AT_ONCE else visits
            self._due = time.monotonic() + _BEAT
            said = [bytes(said) for visit, by, said in lessons if not self._enrolled.knows(visit, by)]
            self._ledger.write(_HEARD, (self._heard, self._enrolled.number))
            await crawl.learn_from_others(said)
            if len(lessons) < _AT_ONCE:
                break
        self._ledger.safely(_FORGET, (_AWAY,))

    def elects(self) -> bool:
        """Whether this worker learns: where there is one learner, only if it is that one."""
        team = self._strategy
        if not isinstance(team, TeamStrategy):
            return True
        if team.elected and self._connection == self._ledger.connections:
            return True
        try:
            [(won,)] = self._ledger.read(_ELECT)
        except LedgerLost:
            return False
        self._connection = self._ledger.connections
        if not won:
            team.elected = False  # the lock went with the connection, and another has it now
        elif not team.elected:
            self._become_learner(team)
        self._begins = False
        return bool(won)

    def _become_learner(self, team: TeamStrategy) -> None:
        [(self._heard,)] = self._ledger.read(_HEARD_BY_ALL)
        [(visits,)] = self._ledger.read("SELECT visits FROM totals")
        strategy = team.strategy
        if not self._begins:  # the loop itself loads the state with which a crawl begins
            strategy = self._made_anew()
            strategy.load(self._recall())
        team.elect(strategy, visits)
