"""A store that forgets everything when the process ends: for the lab and for tests."""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import replace

from thresher.budget import Tally
from thresher.model import Kept, Outcome, Response, Url, Visit
from thresher.store.duplicates import Fingerprint, content_hash, fingerprint, is_rendered
from thresher.store.lookalikes import Lookalikes


class States:
    """Named states in a dictionary, for a store that forgets."""

    def __init__(self) -> None:
        self._state: dict[str, bytes] = {}

    def remember(self, name: str, value: bytes) -> None:
        """Keep a small named state; an empty one is forgotten."""
        if value:
            self._state[name] = value
        else:
            self._state.pop(name, None)

    def recall(self, name: str) -> bytes | None:
        """What was remembered under that name."""
        return self._state.get(name)

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """What was remembered under all names that begin so, by the rest of the name."""
        found = {name: value for name, value in self._state.items() if name.startswith(beginning)}
        return {name.removeprefix(beginning): value for name, value in found.items()}


class MemoryStore(States):
    """Visits in a list, with the same rules for duplicates as the catalogue."""

    def __init__(self, *, bodies: bool = True) -> None:
        super().__init__()
        self.kept: list[Kept] = []
        """What `keep` answered, in order."""
        self._bodies = bodies
        self._visits: list[Visit] = []
        self._first: dict[tuple[bytes, int], Url] = {}
        self._bands: defaultdict[int, list[tuple[int, int, Url]]] = defaultdict(list)
        self._lookalikes = Lookalikes()
        self._tally = Tally()

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit."""
        kept = self._compare(visit)
        self._visits.append(self._lean(visit))
        self.kept.append(kept)
        self._tally.count(visit, kept)
        return kept

    def visits(self) -> Iterator[Visit]:
        """Everything kept, in the order of the visits."""
        yield from self._visits[:]

    def tally(self, window: int) -> Tally:
        """What was fetched so far, and of the latest so many fetches which were relevant."""
        recent = deque(self._tally.recent, maxlen=window)
        return replace(self._tally, recent=recent, recently=sum(recent))

    def close(self) -> None:
        """Nothing is open."""

    def _compare(self, visit: Visit) -> Kept:
        response = visit.fetched
        if not isinstance(response, Response):
            return Kept()
        if response.raw:
            key = (content_hash(response), response.status)
            if key in self._first and not is_rendered(response):
                return Kept(duplicate_of=self._first[key])
            self._first.setdefault(key, visit.url)
        mark = fingerprint(visit)
        near = self._near(mark, visit) if mark else None
        alike = visit.page is not None and self._lookalikes.regard(visit.page)
        return Kept(near=near, alike=alike and near is None)

    def _near(self, mark: Fingerprint, visit: Visit) -> Url | None:
        alike = [each for key in mark.bands for each in self._bands[key] if mark.is_near(each[1])]
        if alike:
            return min(alike)[2]
        for key in mark.bands:
            self._bands[key].append((visit.number, mark.simhash, visit.url))
        return None

    def _lean(self, visit: Visit) -> Visit:
        """The visit without its page, as the catalogue returns it, and without the body if bodies are not wanted."""
        fetched = visit.fetched
        if not self._bodies and isinstance(fetched, Response):
            fetched = replace(fetched, body=b"", raw=b"")
        return replace(visit, fetched=fetched, outcome=Outcome(visit.outcome.name), page=None)
