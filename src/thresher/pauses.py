"""Why a crawl is paused and since when, as it remembers it: a pause outlives the process."""

import json
from typing import NamedTuple

PAUSED = "paused"
"""The name under which a crawl remembers its pause."""

_MORE = {"pages": "pages +500", "relevant": "relevant +50", "bytes": "bytes +100000000", "time": "minutes +30"}
"""What gives more of what is spent."""


class Paused(NamedTuple):
    """A pause."""

    why: str
    """In a sentence, for people."""
    since: float
    """In seconds since 1970."""
    spent: str = ""
    """What of the budget is spent: `pages`, `relevant`, `bytes`, `time` or `dry`; empty if a person paused it."""

    def way_out(self, folder: object = "DIR") -> str:
        """The command that ends the pause."""
        order = _MORE.get(self.spent)
        return f"thresher tell {folder} {order}" if order else f"thresher tell {folder} go-on"

    def to_bytes(self) -> bytes:
        """The pause as a store remembers it."""
        return json.dumps(self).encode()

    @classmethod
    def from_bytes(cls, said: bytes | None) -> "Paused | None":
        """The pause that was remembered, if there is one."""
        return cls(*json.loads(said)) if said else None
