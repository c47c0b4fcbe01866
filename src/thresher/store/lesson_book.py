"""Lessons that the strategies of several workers have for each other, and how far each of them has heard."""

from collections.abc import Sequence
from typing import NamedTuple

from thresher.disk.postgres_ledger import PostgresLedger, patiently

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
_LEARNER = "SELECT heard, visits FROM learner, totals WHERE number = 0"


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


class ToldLesson(NamedTuple):
    """What somebody learnt from a visit."""

    visit: int
    learner: int
    said: bytes


class LessonBook:
    """The lessons of one crawl in PostgreSQL."""

    def __init__(self, ledger: PostgresLedger) -> None:
        self._ledger = ledger

    @property
    def connections(self) -> int:
        """How often it was connected: a lock lasts as long as a connection."""
        return self._ledger.connections

    def enrol(self) -> Enrolment:
        """Join with what the one that has heard most knows."""
        [row] = patiently(lambda: self._ledger.safely(_ENROL))
        return Enrolment(*row)

    def enrol_one_learner(self) -> Enrolment:
        """Join where only one learns: all have the number 0."""
        patiently(lambda: self._ledger.safely(_ONE_LEARNER))
        return Enrolment()

    def add(self, learner: int, said: bytes) -> None:
        """Write a lesson down with the turn of the visit that was kept just now."""
        self._ledger.write_last(_TEACH, (learner, said))

    def since(self, heard: int, most: int) -> tuple[int, Sequence[ToldLesson]]:
        """How many visits there are, and the first lessons after that visit."""
        (visits, *_), *found = self._ledger.read(_LESSONS, (heard, most))
        return visits, [ToldLesson(visit, learner, bytes(said)) for visit, learner, said in found]

    def note_heard(self, learner: int, heard: int) -> None:
        """Note with the turn how far somebody has heard."""
        self._ledger.write(_HEARD, (heard, learner))

    def forget(self, away: float) -> None:
        """Forget what all have heard. Nothing is kept for those who have not been seen for so many seconds."""
        self._ledger.safely(_FORGET, (away,))

    def elect(self) -> bool:
        """Whether this worker is the one that learns for all, from now on and as long as its connection lasts."""
        return bool(self._ledger.read(_ELECT)[0][0])

    def one_learner(self) -> tuple[int, int]:
        """How far the last one has heard that learnt for all, and how many visits there are."""
        [(heard, visits)] = self._ledger.read(_LEARNER)
        return heard, visits
