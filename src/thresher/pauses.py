"""Why a crawl is paused and since when, as it remembers it: a pause outlives the process."""

import json
from datetime import UTC, datetime
from typing import NamedTuple

from thresher.errors import DamagedState

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
        if not said:
            return None
        try:
            why, since, spent = json.loads(said)
            return cls(str(why), _moment(since), str(spent))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise DamagedState("what it remembers of its pause is damaged") from error


def _moment(since: float) -> float:
    datetime.fromtimestamp(since, UTC)  # raises what is no moment
    return float(since)
