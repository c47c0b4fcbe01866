"""For tests of frontiers: links, and what is lent of them."""

from collections.abc import Callable
from typing import Any

from thresher.model import Candidate, Claim, Outcome, Url
from thresher.ports import Frontier

PAGE = Outcome("page")
AGAIN = Outcome("timeout", final=False)
STRAIN = Outcome("http-503", final=False, strain=True)
UNASKED = Outcome("robots", tried=False, rest=0.0)

Open = Callable[..., Frontier]
"""A new frontier with these options; with the keyword `again` the same one, after a commit and a crash."""


def url(name: str, host: str = "a.example") -> Url:
    """A url on a host."""
    return Url(f"https://{host}/{name}")


def link(name: str, priority: float = 1.0, host: str = "a.example", **more: Any) -> Candidate:
    """A link to a url on a host."""
    return Candidate(url(name, host), priority, **more)


async def claimed(frontier: Frontier, now: float, limit: int = 1) -> list[str]:
    """The last part of the urls that are lent."""
    return [claim.url.rpartition("/")[2] for claim in await frontier.claim(limit, now)]


async def one(frontier: Frontier, now: float) -> Claim:
    """The one claim that must be possible now."""
    [claim] = await frontier.claim(1, now)
    return claim


async def drained(frontier: Frontier, now: float = 0.0) -> list[str]:
    """The urls in the order in which they are lent and settled, without delays."""
    order = []
    while claims := await frontier.claim(1, now):
        order.append(claims[0].url.rpartition("/")[2])
        await frontier.settle(claims[0], PAGE, [], now)
    return order


def due_at(frontier: Frontier) -> float:
    """When the next claim could succeed; it must be some time."""
    due = frontier.due()
    assert due is not None
    return due
