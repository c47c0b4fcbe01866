"""How much a crawl may fetch, what it has fetched so far, and when to stop."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from thresher.errors import BadInput
from thresher.model import Kept, Response, Visit


class Stop(NamedTuple):
    """Why a crawl ended: a name for programs and a sentence for people."""

    reason: str
    message: str


@dataclass(slots=True)
class Tally:
    """What a crawl has fetched so far, across restarts."""

    visits: int = 0
    """Urls settled, whatever came of them."""
    fetched: int = 0
    """Of these, urls for which a request went out."""
    relevant: int = 0
    """Of these, pages on topic; duplicates count once."""
    bytes: int = 0
    recent: deque[bool] = field(default_factory=deque)
    """Of the latest fetched urls: was it a relevant page?"""
    recently: int = 0
    """How many of them were: kept as a number because it is asked before every claim."""

    @property
    def harvest(self) -> float:
        """Harvest rate: relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0

    def count(self, visit: Visit, kept: Kept) -> None:
        """Take in one settled visit."""
        self.visits += 1
        if not visit.asked:
            return
        relevant = visit.judgement is not None and visit.judgement.relevant and kept.fresh
        self.fetched += 1
        self.relevant += relevant
        self._note(relevant=relevant)
        if isinstance(visit.fetched, Response):
            self.bytes += len(visit.fetched.raw)

    def look_anew(self) -> None:
        """Forget which of the latest fetches were relevant: a harvest that dried up gets another chance."""
        self.recent.clear()
        self.recently = 0

    def _note(self, *, relevant: bool) -> None:
        if len(self.recent) == self.recent.maxlen:
            self.recently -= self.recent[0]
        self.recent.append(relevant)
        self.recently += relevant


@dataclass(slots=True)
class SharedTally(Tally):
    """What several workers have fetched so far. Nobody counts his own visits: all are counted where all are kept."""

    def count(self, visit: Visit, kept: Kept) -> None:
        """It is counted when all visits are."""

    def take_in(self, totals: tuple[int, int, int, int], fresh: Iterable[bool]) -> None:
        """How many visits, fetches, relevant pages and bytes there are by now; of the fetches since the last time which were relevant."""
        self.visits, self.fetched, self.relevant, self.bytes = totals
        for relevant in fresh:
            self._note(relevant=relevant)


@dataclass(frozen=True, slots=True)
class Budget:
    """When a crawl ends. If nothing is set: when nothing is left to fetch, or when the harvest dries up."""

    pages: int | None = None
    """Urls fetched, failures included."""
    relevant: int | None = None
    """Relevant pages found."""
    bytes: int | None = None
    """Bytes received."""
    minutes: float | None = None
    """Minutes of this run."""
    dry_window: int = 1000
    """How many of the latest fetches tell whether the harvest has dried up."""
    dry_share: float = 0.01
    """The harvest has dried up when less than this share of the latest fetches was relevant. 0 switches this off."""

    when_spent: Literal["stop", "pause"] = "stop"
    """What a crawl does then: `pause` waits for more budget, or for the order to go on."""

    def __post_init__(self) -> None:
        for key in ("pages", "relevant", "bytes", "dry_window"):
            if (value := getattr(self, key)) is not None and value < 1:
                raise BadInput(f"[budget]: {key} is {value}, but must be at least 1")
        if self.minutes is not None and not self.minutes > 0:
            raise BadInput(f"[budget]: minutes is {self.minutes}, but must be more than 0")
        if not 0 <= self.dry_share <= 1:
            raise BadInput(f"[budget]: dry_share is {self.dry_share}, but must be from 0 to 1")

    def raised(self, key: Literal["pages", "relevant", "bytes", "minutes"], amount: float) -> "Budget":
        """This budget with more of something that it limits."""
        limit = getattr(self, key) + amount
        changed: dict[str, Any] = {key: limit if key == "minutes" else int(limit)}
        return replace(self, **changed)

    def tally(self, tally: Tally) -> Tally:
        """Bind a tally to this budget: it remembers no more than the dry window."""
        tally.recent = deque(tally.recent, maxlen=self.dry_window)
        tally.recently = sum(tally.recent)
        return tally

    def spent(self, tally: Tally, seconds: float) -> Stop | None:
        """Why no more may be fetched; None while there is budget left."""
        if self.pages is not None and tally.fetched >= self.pages:
            fetched = (
                "the one page of the budget is" if self.pages == 1 else f"all {self.pages:,} pages of the budget are"
            )
            return Stop("pages", f"{fetched} fetched")
        if self.relevant is not None and tally.relevant >= self.relevant:
            return Stop("relevant", f"{tally.relevant:,} relevant pages are found")
        if self.bytes is not None and tally.bytes >= self.bytes:
            return Stop("bytes", f"{tally.bytes:,} bytes are received")
        if self.minutes is not None and seconds >= self.minutes * 60:
            return Stop("time", f"{self.minutes:g} minutes are over")
        return self._dry(tally)

    def _dry(self, tally: Tally) -> Stop | None:
        if len(tally.recent) < self.dry_window or tally.recently >= self.dry_share * self.dry_window:
            return None
        return Stop(
            "dry", f"the harvest dried up: {tally.recently} of the last {self.dry_window:,} pages were relevant"
        )
