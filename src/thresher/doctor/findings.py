"""What the doctor finds: a line each."""

from typing import Any, Literal, NamedTuple

State = Literal["good", "missing", "broken"]


class Finding(NamedTuple):
    """One thing that was looked at."""

    group: str
    name: str
    state: State
    said: str
    how: str = ""
    """How to get what is missing, or to mend what is broken."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return self._asdict()


def good(group: str, name: str, said: str) -> Finding:
    """It is there, and works."""
    return Finding(group, name, "good", said)


def missing(group: str, name: str, said: str, how: str = "") -> Finding:
    """It is not there, and a crawl can do without."""
    return Finding(group, name, "missing", said, how)


def broken(group: str, name: str, said: str, how: str = "") -> Finding:
    """A crawl cannot work so."""
    return Finding(group, name, "broken", said, how)
