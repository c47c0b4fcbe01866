"""When a part of somebody's own making does what it must not: which part it was, and what it did. Watchers that fail are no end."""

import asyncio
import logging
from collections.abc import Sequence
from inspect import isawaitable
from math import isfinite
from operator import itemgetter
from typing import Any

from thresher.errors import BadInput
from thresher.events import Event, Watcher, WatcherFailed
from thresher.model import Candidate, Evidence, Judgement, Link, Page, Visit

_PRIORITY = itemgetter(1)
_log = logging.getLogger(__name__)


def part_name(part: object) -> str:
    """The name of a function, or of an object's class."""
    return str(getattr(part, "__qualname__", type(part).__qualname__))


async def awaited_judgement(judge: object, said: object, page: Page) -> Judgement:
    """What a judge that waits says; it is an error if a judge says anything but a judgement."""
    if isawaitable(said):
        said = await _answer(judge, said, page)
    return sound_judgement(judge, said, page)


async def _answer(judge: object, said: Any, page: Page) -> object:
    try:
        return await said
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Nobody cancelled the crawl: the worker must not end without a word.
        raise BadInput(f"the judge {part_name(judge)} was cancelled at {page.url}") from error


def plainly_sound(said: Judgement) -> bool:
    """Whether a judgement is sound at first sight, as nearly all are."""
    return type(said.relevance) is float and 0.0 <= said.relevance <= 1.0 and type(said.relevant) is bool


def sound_judgement(judge: object, said: object, page: Page) -> Judgement:
    """A judgement in Python's own numbers, which are all that can be kept: a model may say NumPy's."""
    if not isinstance(said, Judgement):
        raise BadInput(
            f"the judge {part_name(judge)} said {said!r:.100} of {page.url}, but must return a thresher.Judgement"
        )
    try:
        relevance = float(said.relevance)
        evidence = tuple(Evidence(str(what), str(where), float(amount)) for what, where, amount in said.evidence)
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"the judge {part_name(judge)} said {said!r:.200} of {page.url}, but must give a number as relevance, and"
            " thresher.Evidence as evidence"
        ) from error
    if not 0.0 <= relevance <= 1.0:
        raise BadInput(
            f"the judge {part_name(judge)} gave {page.url} the relevance {relevance}, but must give one from 0 to 1"
        )
    return Judgement(relevance, bool(said.relevant), evidence)


def wrong_scores(strategy: object, visit: Visit, links: Sequence[Link], scores: object) -> BadInput:
    """The error of a strategy whose scores are fewer or more than the links, or no list."""
    gave = f"{len(scores)} scores" if hasattr(scores, "__len__") else f"{scores!r:.100}"
    return BadInput(
        f"the strategy {part_name(strategy)} was given {len(links)} links of {visit.url} and gave {gave}:"
        " score() must return one float for each link, in their order"
    )


def all_finite(found: Sequence[Candidate]) -> bool:
    """Whether all priorities are finite, in one sum; a sum that overflows says no although they are."""
    try:
        return isfinite(sum(map(_PRIORITY, found)))
    except (TypeError, OverflowError):
        return False


def check_priorities(strategy: object, visit: Visit, found: Sequence[Candidate]) -> None:
    """It is an error if a priority is not a finite number. Told before anything of the visit is kept."""
    for candidate in found:
        try:
            sound = isfinite(candidate.priority)
        except (TypeError, OverflowError):
            sound = False
        if not sound:
            raise BadInput(
                f"the strategy {part_name(strategy)} gave {candidate.url}, a link of {visit.url}, the score"
                f" {candidate.priority!r:.100}, but must give a finite number, or thresher.DROP to leave the link out"
            )


class Watchers(list[Watcher]):
    """All who watch a crawl."""

    def __init__(self, watchers: Sequence[Watcher] = ()) -> None:
        super().__init__(watchers)
        self._failing = set[int]()

    def tell(self, event: Event) -> None:
        """Tell each what happened. One that fails does not end the crawl, and is called again at the next event."""
        for watcher in self:
            try:
                watcher(event)
            except Exception as error:  # noqa: BLE001 - a watcher may be anybody's
                self._report(watcher, error)

    def _report(self, watcher: Watcher, error: Exception) -> None:
        """Log it, and tell the others, once: a watcher that fails at one page may fail at each."""
        if id(watcher) in self._failing:
            return
        self._failing.add(id(watcher))
        name, why = part_name(watcher), f"{type(error).__name__}: {error}"
        _log.error("the watcher %s failed, and the crawl goes on: %s", name, why, exc_info=error)
        self.tell(WatcherFailed(name, why))
