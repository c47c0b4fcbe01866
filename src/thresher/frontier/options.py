"""The options of a frontier: the keys of the `[frontier]` table, which are the keywords of both frontiers."""

from dataclasses import dataclass
from typing import Literal

from thresher.errors import BadInput
from thresher.model import Merge

MERGES: tuple[Merge, ...] = ("max", "sum", "first", "last")


@dataclass(kw_only=True, eq=False)
class FrontierOptions:
    """How urls are lent, and how hosts are treated."""

    merge: Merge = "max"
    """Which priority a waiting url gets when another link to it is found; the strategy chooses."""
    cap: int | None = None
    """The most urls that may wait."""
    evict: Literal["lowest", "newest"] = "lowest"
    """Which urls are forgotten beyond the cap: those with the lowest priority (of equals the newest), or the newest."""
    lease: float = 600.0
    """Seconds until a claim that nobody settled is offered again."""
    delay: float = 1.0
    """Seconds between the end of a request to a host and the start of the next."""
    per_host: int = 1
    """The most requests to a host at a time."""
    spread: int = 8
    """A url waits while at least this many busy hosts have better urls; with 0 it never waits.

    Without it politeness would undo the order: every idle host would get its turn, whatever its urls are worth.
    """
    quota: int | None = None
    """The most urls of a host that are fetched."""
    backoff: float = 2.0
    """Seconds of rest after a host's first sign of strain; doubled at each further sign, halved at each success."""
    backoff_most: float = 300.0
    """The longest such rest."""
    give_up: int = 8
    """After this many strained outcomes in a row a host is closed, until the crawl is opened again."""
    rest_most: float = 86_400.0
    """The longest rest or crawl-delay that a host can ask for."""
    alike_turns: int = 64
    """The most turns that a host loses before its next url, if its pages look alike; with 0 it loses none."""

    def __post_init__(self) -> None:
        if self.merge not in MERGES:
            raise BadInput(f"frontier: there is no merge {self.merge!r}; choose from {', '.join(MERGES)}")
        if self.evict not in {"lowest", "newest"}:
            raise BadInput(f"frontier: evict is {self.evict!r}, but must be lowest or newest")
        for key, least in _LEAST.items():
            value = getattr(self, key)
            if value is not None and not value >= least:
                raise BadInput(f"frontier: {key} is {value}, but must be at least {least}")
        if not self.lease > 0:
            raise BadInput(f"frontier: lease is {self.lease}, but must be above 0")


_LEAST = {
    "cap": 1,
    "delay": 0,
    "per_host": 1,
    "spread": 0,
    "quota": 1,
    "backoff": 0,
    "backoff_most": 0,
    "give_up": 1,
    "rest_most": 0,
    "alike_turns": 0,
}
