"""Which url of a host is the next? The best waiting urls of each host, in order, in the crawl's SQLite file.

Of each host exactly those waiting urls are listed whose key is no larger than a bound; without a bound, all of them. Most
urls that are found come after the bound: they cost nothing here, and the list stays small enough to be held in the cache
of SQLite. When a list runs empty it is filled again from all known urls of its host, which stand together in the file.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from thresher.disk.ledger import Ledger
from thresher.frontier.host_entry import HostEntry, Key
from thresher.frontier.keys import first_key, last_key

_ALL = "SELECT host, worth, seq FROM best_waiting ORDER BY host, worth, seq"
_FIRST = "SELECT worth, seq FROM best_waiting WHERE host = ? ORDER BY worth, seq LIMIT 1"
_NTH = "SELECT worth, seq FROM best_waiting WHERE host = ? ORDER BY worth, seq LIMIT 1 OFFSET ?"
_LIST = "INSERT INTO best_waiting (host, worth, seq) VALUES (?, ?, ?)"
_UNLIST = "DELETE FROM best_waiting WHERE host = ? AND worth = ? AND seq = ?"
_CUT = "DELETE FROM best_waiting WHERE host = ? AND (worth, seq) > (?, ?)"
_BEST_KNOWN = """
    SELECT -priority, seq FROM known WHERE key BETWEEN ? AND ? AND host = ? AND state = 0
    ORDER BY priority DESC, seq LIMIT ?"""
_FEWEST = 32
_SHARE = 32
"""A list begins with one in so many of its host's known urls: to fill it reads them all, so each url that is taken
from it pays for so many."""


class BestWaiting:
    """A list of the best waiting urls for each host."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._listed = Counter[int]()
        """How many urls of a host are listed."""
        self._bounds: dict[int, Key] = {}
        """The bound of each host that has one."""

    def load(self) -> dict[int, Key]:
        """Read the lists from the file; returns the first of each host."""
        heads = {}
        for host, rows in groupby(self._ledger.read(_ALL), itemgetter(0)):
            keys = [(worth, seq) for _, worth, seq in rows]
            # What waits beyond the last one is not known here. A bound that is too low is right too.
            heads[host], self._bounds[host], self._listed[host] = keys[0], keys[-1], len(keys)
        return heads

    def add(self, urls: Iterable[tuple[HostEntry, Key]]) -> None:
        """These urls wait now. Call it after they were written as known."""
        listed = self._listed
        near = self._within_bounds(urls)
        if not near:
            return
        self._ledger.write_many(_LIST, sorted((entry.number, *key) for entry, key in near))
        for entry, _ in near:
            listed[entry.number] += 1
        for entry in {entry.number: entry for entry, _ in near}.values():
            if listed[entry.number] > 2 * _most(entry):
                self._cut(entry)

    def remove(self, urls: Iterable[tuple[HostEntry, Key]]) -> None:
        """These urls wait no more."""
        listed = self._listed
        near = self._within_bounds(urls)
        if not near:
            return
        self._ledger.write_many(_UNLIST, [(entry.number, *key) for entry, key in near])
        for entry, _ in near:
            listed[entry.number] -= 1

    def forget(self, entry: HostEntry) -> None:
        """No url of the host waits any more."""
        self._ledger.write("DELETE FROM best_waiting WHERE host = ?", (entry.number,))
        self._listed.pop(entry.number, None)
        self._bounds.pop(entry.number, None)

    def _within_bounds(self, urls: Iterable[tuple[HostEntry, Key]]) -> list[tuple[HostEntry, Key]]:
        bound_of = self._bounds.get
        return [(entry, key) for entry, key in urls if (bound := bound_of(entry.number)) is None or key <= bound]

    def first(self, entry: HostEntry) -> Key:
        """The best waiting url of a host where some wait."""
        if not self._listed[entry.number]:
            self._fill(entry)
        worth, seq = self._ledger.read(_FIRST, (entry.number,)).fetchone()
        return worth, seq

    def _cut(self, entry: HostEntry) -> None:
        """Of a list that grew too long the better half stays."""
        most = _most(entry)
        worth, seq = self._ledger.read(_NTH, (entry.number, most - 1)).fetchone()
        self._ledger.write(_CUT, (entry.number, worth, seq))
        self._bounds[entry.number], self._listed[entry.number] = (worth, seq), most

    def _fill(self, entry: HostEntry) -> None:
        most = _most(entry)
        keys = self._ledger.read(
            _BEST_KNOWN, (first_key(entry.name), last_key(entry.name), entry.number, most)
        ).fetchall()
        self._ledger.write_many(_LIST, [(entry.number, *key) for key in keys])
        self._listed[entry.number] = len(keys)
        if len(keys) < most:
            self._bounds.pop(entry.number, None)
        else:
            self._bounds[entry.number] = keys[-1]


def _most(entry: HostEntry) -> int:
    return max(_FEWEST, (entry.waiting + entry.settled) // _SHARE)
