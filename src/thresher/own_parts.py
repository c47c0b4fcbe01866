"""When a part of somebody's own making does what it must not: which part it was, and what it did. Watchers that fail are no end."""

import logging
from collections.abc import Sequence
from inspect import isawaitable

from thresher.errors import BadInput
from thresher.events import Event, Watcher, WatcherFailed
from thresher.model import Judgement, Link, Page, Visit

_log = logging.getLogger(__name__)


def part_name(part: object) -> str:
    """The name of a function, or of an object's class."""
    return str(getattr(part, "__qualname__", type(part).__qualname__))


async def awaited_judgement(judge: object, said: object, page: Page) -> Judgement:
    """What a judge that waits says; it is an error if a judge says anything but a judgement."""
    if isawaitable(said):
        said = await said
    if not isinstance(said, Judgement):
        raise BadInput(
            f"the judge {part_name(judge)} said {said!r:.100} of {page.url}, but must return a thresher.Judgement"
        )
    return said


def wrong_length(strategy: object, visit: Visit, links: Sequence[Link], scores: Sequence[float]) -> BadInput:
    """The error of a strategy whose scores are fewer or more than the links."""
    return BadInput(
        f"the strategy {part_name(strategy)} was given {len(links)} links of {visit.url} and gave {len(scores)} scores:"
        " score() must return one float for each link, in their order"
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
