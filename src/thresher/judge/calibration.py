"""From the score of a judge to a probability: of the pages judged .7, about seven in ten should be relevant.

    relevance = σ(slope · ln(raw / (1 − raw)) + offset)

This is Platt's curve over the log-odds of a score from 0 to 1. It keeps the order of pages, and has two numbers a judge, so that a handful
of webs is enough to fit it. `calibration.toml` has those that ship, and says what they were fitted on; `thresher lab calibrate` fits
others. docs/reference/judges.md has the figures of what the curves do on webs they were not fitted on.
"""

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from thresher.errors import BadInput

SHIPPED = Path(__file__).with_name("calibration.toml")
_WITHOUT_CURVE = {"cosine", "paper"}
"""Modes of judges whose relevance is a score."""


class Curve(NamedTuple):
    """A rising curve from 0 to 1.

    >>> Curve(1.0, 0.0)(0.3), Curve(2.0, 1.0)(0.0), Curve(2.0, 1.0)(1.0)
    (0.3, 0.0, 1.0)
    """

    slope: float
    offset: float

    def __call__(self, raw: float) -> float:
        """The probability that belongs to a score."""
        if not 0.0 < raw < 1.0:
            return raw
        # Odds instead of their logarithm: one power, and no exponential that could overflow.
        odds = (raw / (1 - raw)) ** self.slope * math.exp(self.offset)
        return odds / (1 + odds) if odds < math.inf else 1.0


@cache
def curve(judge: str) -> Curve:
    """The curve that ships for a judge."""
    table = _read(SHIPPED)["curve"][judge]
    return Curve(table["slope"], table["offset"])


def is_calibrated(judge: Mapping[str, Any]) -> bool:
    """Whether the relevance of a judge, as its table in a crawl file has it, is a probability."""
    plain = judge.get("mode") not in _WITHOUT_CURVE and not judge.get("raw", False)
    return plain and judge["name"] in _read(SHIPPED)["curve"]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: not a table of calibration curves: {error}") from error
