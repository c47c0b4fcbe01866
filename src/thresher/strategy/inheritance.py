"""What a visited page passes on to the pages it links to: a few numbers, the same for all its links, saved a page at a time."""

from collections.abc import Mapping
from struct import Struct

from thresher.model import Url, Visit
from thresher.urls import url_hash


class Inheritance:
    """Numbers by page, looked up when one of its links is visited. A url without a known parent gets the numbers of a seed.

    A url that several pages link to inherits from one of them, the parent of its candidate: under the merge `max` the page that gave it
    the highest priority.
    """

    def __init__(self, form: str, *seed: float) -> None:
        self._form = Struct(form)
        self._seed = seed
        # Packed as they are saved: a third of the memory of tuples.
        self._pages: dict[int, bytes] = {}
        self._changed: dict[str, bytes] = {}

    def of(self, visit: Visit) -> tuple[float, ...]:
        """What the visited url inherited."""
        parent = visit.claim.candidate.parent
        packed = self._pages.get(url_hash(parent)) if parent is not None else None
        return self._seed if packed is None else self._form.unpack(packed)

    def note(self, page: Url, *numbers: float) -> None:
        """Note what a page passes on."""
        number = url_hash(page)
        self._pages[number] = self._changed[f"{number:x}"] = self._form.pack(*numbers)

    def save(self) -> Mapping[str, bytes]:
        """What was noted since the last time."""
        changed, self._changed = self._changed, {}
        return changed

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back what was saved."""
        self._pages = {int(name, 16): part for name, part in parts.items()}
