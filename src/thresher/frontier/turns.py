"""Hosts whose pages look alike lose turns: a calendar without end must not eat the budget of a crawl.

Each url that settles is a turn. After a page that looks like others its host lets a number of turns pass to other hosts: none at
first, then one, two, four and so on, the more of its pages look alike, up to `alike_turns`. It yields only to hosts that could be
asked now, or that are waited for anyway (`spread`); where it is alone it loses nothing. So its urls come late, but they come. A page
that looks different halves the count: after two or three of them the host is as any other.

The count of turns is that of all settled urls, which the file has. So a crawl that goes on makes the choices it would have made.
"""

from collections.abc import Iterator
from heapq import heappop, heappush

from thresher.frontier.host_entry import HostEntry
from thresher.model import FIRST as PUT_FIRST
from thresher.model import Outcome

FIRST = 4
"""From so many on a host loses turns. An honest site may have a few pages that look alike."""


class Turns:
    """Who lets others go first, and for how long."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turn = 0
        self._ends: list[tuple[int, int]] = []
        """When hosts cease to yield: the turn, and the host's number. No host is in it longer than the most turns."""

    def restore(self, entry: HostEntry) -> None:
        """Count the turns of a host that was kept."""
        self._turn += entry.settled

    def yields(self, entry: HostEntry) -> bool:
        """Whether the host lets others go first now. A url that a person put first waits for nobody."""
        return entry.yields_till > self._turn and (entry.head is None or entry.head[0] > -PUT_FIRST)

    def ended(self) -> Iterator[int]:
        """A url settled, which is a turn. Gives the numbers of the hosts that have let enough of them pass."""
        self._turn += 1
        while self._ends and self._ends[0][0] <= self._turn:
            yield heappop(self._ends)[1]

    def regard(self, entry: HostEntry, outcome: Outcome) -> bool:
        """Learn from an outcome how alike the host's pages are; True if it loses turns for the first time."""
        if outcome.alike is not None:
            self._count(entry, alike=outcome.alike)
        if not outcome.tried:
            return False
        before, lost = entry.yields_till, self._lost(entry)
        if before or lost:
            entry.yields_till = self._turn + lost
            self.wait(entry)
        return not before and lost > 0

    def wait(self, entry: HostEntry) -> None:
        """Note when a host that yields will cease to."""
        if entry.yields_till > self._turn:
            heappush(self._ends, (entry.yields_till, entry.number))

    def _lost(self, entry: HostEntry) -> int:
        over = entry.alike - FIRST
        return min(1 << over, self._most) if over >= 0 else 0

    def _count(self, entry: HostEntry, *, alike: bool) -> None:
        # No more than the most turns take, so that a few different pages are enough to recover.
        highest = FIRST + self._most.bit_length()
        entry.alike = min(entry.alike + 1, highest) if alike else entry.alike // 2
        entry.alike_pages += alike
