"""What is known of a host."""

from dataclasses import dataclass

from thresher.model import Host

Key = tuple[float, int]
"""The order of urls: (-priority, age). The smallest is visited first."""
ReadyKey = tuple[bool, Key]
"""The order of hosts: those that let others go first come last, and then the best url counts."""


@dataclass(slots=True, eq=False)
class HostEntry:
    """A host in the calendar."""

    number: int
    name: Host
    next_at: float = 0.0
    """No request before this time."""
    delay: float = 0.0
    """The crawl-delay that the host asked for."""
    pause: float = 0.0
    """The gap that its strain makes us leave: doubled at each strain, halved at each success."""
    strains: int = 0
    """Strained outcomes in a row."""
    fetched: int = 0
    """Urls that were fetched, or given up after tries: what the quota counts."""
    settled: int = 0
    waiting: int = 0
    in_flight: int = 0
    head: Key | None = None
    """The best waiting url."""
    ready_key: ReadyKey | None = None
    """The key under which the host stands among the ready ones."""
    rests_till: float | None = None
    """The time under which it stands among the resting ones."""
    lent: tuple[int, float] | None = None
    """The last url lent and the old `next_at`; None after any url returns."""
    alike: int = 0
    """How alike its pages are: one more for each page that looks like others, half for each that does not."""
    alike_pages: int = 0
    """Pages that looked like others."""
    yields_till: int = 0
    """The turn until which it lets other hosts go first; 0 if it never did."""
