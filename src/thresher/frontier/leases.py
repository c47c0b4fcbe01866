"""Which urls are lent, and until when."""

from collections import OrderedDict
from collections.abc import Iterator

from thresher.model import Claim


class Leases:
    """The claims that are held, oldest first.

    All leases are of one length, so the oldest expires first: no heap is needed, and each step costs O(1).
    """

    def __init__(self) -> None:
        self._held: OrderedDict[int, Claim] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def lend(self, claim: Claim) -> None:
        """Write down a new claim."""
        self._held[claim.number] = claim

    def holds(self, claim: Claim) -> bool:
        """Whether the claim is the one that is held for its url."""
        return self._held.get(claim.number) == claim

    def end(self, claim: Claim) -> bool:
        """End a claim; False if it is no longer held."""
        if not self.holds(claim):
            return False
        del self._held[claim.number]
        return True

    def expired(self, now: float) -> Iterator[Claim]:
        """Take out the claims whose time is over."""
        while self._held and next(iter(self._held.values())).expires <= now:
            yield self._held.popitem(last=False)[1]

    def all(self) -> Iterator[Claim]:
        """Take out every claim."""
        while self._held:
            yield self._held.popitem(last=False)[1]

    def next_expiry(self) -> float | None:
        """When the next claim expires."""
        return next(iter(self._held.values())).expires if self._held else None
