"""What a visited page passes on to the pages it links to: a few numbers, the same for all its links, saved a page at a time."""

from collections.abc import Mapping, Sequence
from math import isfinite
from struct import Struct

from thresher.lessons import check
from thresher.model import Url, Visit
from thresher.urls import url_hash

_NUMBER = Struct("<q")


class Inheritance:
    """Numbers by page, looked up when one of its links is visited. A url without a known parent gets the numbers of a seed.

    A url that several pages link to inherits from one of them, the parent of its candidate: under the merge `max` the page that gave it
    the highest priority. Where workers share a crawl, so does a url that is visited before another worker has told of its parent.
    """

    def __init__(self, form: str, *seed: float) -> None:
        self._form = Struct(form)
        self._seed = seed
        # Packed as they are saved: a third of the memory of tuples.
        self._pages: dict[int, bytes] = {}
        self._changed: dict[str, bytes] = {}
        self._lesson = b""

    def of(self, visit: Visit) -> tuple[float, ...]:
        """What the visited url inherited."""
        parent = visit.claim.candidate.parent
        packed = self._pages.get(url_hash(parent)) if parent is not None else None
        return self._seed if packed is None else self._form.unpack(packed)

    def note(self, page: Url, *numbers: float) -> None:
        """Note what a page passes on."""
        number, value = url_hash(page), self._form.pack(*numbers)
        self._pages[number] = self._changed[f"{number:x}"] = value
        self._lesson = _NUMBER.pack(number) + value

    def lesson(self) -> bytes:
        """What was noted since the last time, for other workers."""
        lesson, self._lesson = self._lesson, b""
        return lesson

    def take_in(self, lessons: Sequence[bytes]) -> None:
        """Note what others noted."""
        for lesson in lessons:
            check(len(lesson) == _NUMBER.size + self._form.size, f"it has {len(lesson)} bytes")
            check(all(map(isfinite, self._form.unpack_from(lesson, _NUMBER.size))), "a number of it is not finite")
        for lesson in lessons:
            (number,), value = _NUMBER.unpack_from(lesson), lesson[_NUMBER.size :]
            self._pages[number] = self._changed[f"{number:x}"] = value

    def save(self) -> Mapping[str, bytes]:
        """What was noted since the last time."""
        changed, self._changed = self._changed, {}
        return changed

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back what was saved."""
        self._pages = {int(name, 16): part for name, part in parts.items()}
