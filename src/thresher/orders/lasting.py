"""What orders change for good, as a crawl remembers it: hosts that are left out, budget that was given, labels that were replaced.

All are small states in the store, beside the visits, so that they are kept with the order that made them and hold after a restart.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from thresher.budget import Budget
from thresher.errors import DamagedState
from thresher.fetchers import LEFT_OUT
from thresher.model import Host, Link, Url
from thresher.orders.order import BUDGET_KEYS, BudgetKey
from thresher.ports import Scope, Store
from thresher.store.labels import HandLabel
from thresher.urls import host_of

LEFT, MORE = "orders/left", "orders/more"
_BEFORE = "orders/label-before/"
"""With the url of a page: the label that it had before its last one, so that the last one can be taken back."""


@contextmanager
def _sound(what: str) -> Iterator[None]:
    """Say what is damaged, where it makes no sense."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedState(f"what it remembers of {what} is damaged") from error


class ScopeWithout:
    """A scope without the hosts that a person left out."""

    def __init__(self, scope: Scope, left: Collection[Host]) -> None:
        self.scope, self.left = scope, frozenset(left)

    def refusal(self, url: Url, depth: int) -> str | None:
        """The rule that keeps the url out, in words; None if it is in scope."""
        return LEFT_OUT if host_of(url) in self.left else self.scope.refusal(url, depth)

    def within(self, links: Sequence[Link], depth: int) -> list[Link]:
        """The links of a page that are in scope."""
        return [link for link in self.scope.within(links, depth) if host_of(link.target) not in self.left]


def without(scope: Scope, left: Collection[Host]) -> Scope:
    """The scope without these hosts; the scope itself if there are none, since it is asked about every link."""
    inner = scope.scope if isinstance(scope, ScopeWithout) else scope
    return ScopeWithout(inner, left) if left else inner


def left_hosts(said: bytes | None) -> list[Host]:
    """The hosts that are left out, as they were remembered."""
    with _sound("hosts that are left out"):
        return [Host(host) for host in (said or b"").decode().split()]


def remember_left(store: Store, hosts: Collection[Host]) -> None:
    """Remember which hosts are left out."""
    store.remember(LEFT, "\n".join(hosts).encode())


def budget_given(configured: Budget, said: bytes | None) -> Budget:
    """The configured budget with what was given later, as it was remembered. Where another limit is configured since, that one counts."""
    with _sound("budget that was given later"):
        return replace(configured, **{key: limit for key, (_, limit) in _holding(configured, said).items()})


def settled_budget(configured: Budget, store: Store) -> Budget:
    """The same for a crawl that begins: what does not count any more is forgotten, so that it never comes back."""
    said = store.recall(MORE)
    budget = budget_given(configured, said)
    if said and len(holds := _holding(configured, said)) < len(json.loads(said)):
        store.remember(MORE, json.dumps(holds).encode() if holds else b"")
    return budget


def _holding(configured: Budget, said: bytes | None) -> dict[str, Any]:
    """The limits that were raised, each with the one from which, where that one is still configured."""
    given: dict[str, Any] = json.loads(said or b"{}")
    return {key: (base, limit) for key, (base, limit) in given.items() if getattr(configured, key) == base}


def remember_more(store: Store, key: BudgetKey, configured: Budget, raised: Budget) -> None:
    """Remember that a limit was raised, and from which: what counts later is whether that one is still configured."""
    assert key in BUDGET_KEYS
    given = json.loads(store.recall(MORE) or b"{}")
    given[key] = getattr(configured, key), getattr(raised, key)
    store.remember(MORE, json.dumps(given).encode())


def remember_before(store: Store, url: Url, label: HandLabel | None) -> None:
    """Remember the label that is about to be replaced; None if there is none."""
    store.remember(_BEFORE + url, b"" if label is None else json.dumps([label.relevant, label.at]).encode())


def label_before(store: Store, url: Url) -> HandLabel | None:
    """The label before the last one; None if there was none."""
    said = store.recall(_BEFORE + url)
    with _sound("labels that were replaced"):
        return HandLabel(url, *json.loads(said)) if said else None


def forget_before(store: Store, url: Url) -> None:
    """The last label was taken back: there is none before it any more."""
    store.remember(_BEFORE + url, b"")
