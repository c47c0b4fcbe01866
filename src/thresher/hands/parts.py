"""What a hand is made of."""

from typing import NamedTuple

from thresher.ports import Fetcher, Judge, Parser


class HandParts(NamedTuple):
    """What a hand fetches, parses and judges with."""

    fetcher: Fetcher
    parser: Parser
    judge: Judge | None
    """None if the brain judges, because the judge is an object of the user's own."""
