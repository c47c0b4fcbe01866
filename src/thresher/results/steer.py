"""Steer a crawl: give an order, have it carried out where no crawl runs, and wait for the answer."""

import contextlib
import time
from collections.abc import Sequence
from typing import NamedTuple

from thresher.disk.crawl_home import Home
from thresher.errors import BadInput, FolderLocked
from thresher.orders.carried_out import PENDING, Answer
from thresher.orders.inbox import answers, give
from thresher.orders.order import Order
from thresher.orders.stopped import carry_out_waiting
from thresher.orders.words import order_of
from thresher.results.archive import settings_of

_LOOK_EVERY = 0.05


def tell(folder: Home, order: Order) -> int:
    """Give an order: its number. Where no crawl runs it is carried out at once, under the lock of the folder, by the same code."""
    settings_of(folder)
    answers(folder)  # a file that cannot be read is told of before anything is written
    number = give(folder, order)
    _help(folder)
    return number


def answer_to(folder: Home, number: int, patience: float = 5.0) -> Answer | None:
    """What came of an order; None if it is not carried out within so many seconds, and waits."""
    end = time.monotonic() + patience
    while True:
        found = next((each for each in answers(folder, number - 1) if each.number == number), None)
        # Several workers see an order that is half carried out: it may take more than one transaction.
        if time.monotonic() >= end or (found is not None and found.sentence != PENDING):
            return found
        time.sleep(_LOOK_EVERY)
        _help(folder)


class Told(NamedTuple):
    """What came of an order."""

    sentence: str
    moved: int
    """How many waiting urls changed place."""
    waits: bool
    """True if the crawl is too busy to answer now: it carries the order out as soon as it can."""


def told(folder: Home, words: Sequence[str | float]) -> Told:
    """Give the order that these words say, and wait for what comes of it. One that is refused is an error."""
    order = order_of([f"+{word}" if isinstance(word, int | float) else word for word in words])
    answer = answer_to(folder, tell(folder, order))
    if answer is None:
        return Told("The order waits: the crawl is busy and carries it out as soon as it can", 0, waits=True)
    if not answer.done:
        raise BadInput(answer.sentence)
    return Told(answer.sentence, answer.moved, waits=False)


def _help(folder: Home) -> None:
    """Carry out what waits, unless a process holds the folder: a crawl does it itself, and others end soon."""
    if not folder.in_use():
        with contextlib.suppress(FolderLocked):
            carry_out_waiting(folder, settings_of(folder))
