"""What a worker and PostgreSQL say to each other of links and claims: columns of links in, rows of claims out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from thresher.disk.postgres_arrays import bigints, floats, integers, texts
from thresher.frontier.anchors import escaped, unescaped
from thresher.frontier.base import follows, merged, shortened
from thresher.frontier.keys import key_of
from thresher.model import Candidate, Claim, Host, Merge, Url
from thresher.urls import host_of

THE_PAGE = ""
"""In the place of a parent: the page that is being settled. It takes 12 bytes instead of a url."""


@dataclass
class HostNames:
    """The hosts that a statement speaks of. Each link says only at which place its host stands."""

    names: list[Host] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._places = {name: place for place, name in enumerate(self.names, 1)}

    def place_of(self, url: Url) -> int:
        """The place of a url's host, from 1."""
        name = host_of(url)
        place = self._places.get(name)
        if place is None:
            self.names.append(name)
            place = self._places[name] = len(self.names)
        return place


class WantedLink(NamedTuple):
    """All that one batch of links says of a url."""

    candidate: Candidate
    addends: Sequence[float] = ()
    """Under `sum`, the priorities of several links in their order: so the sum is rounded as it is where links come one at a time."""


def link_columns(hosts: HostNames, links: Mapping[int, WantedLink], page: Url | None) -> tuple[Any, ...]:
    """Links as columns for the functions of the server, by the keys of their urls."""
    kept = [wanted.candidate for wanted in links.values()]
    return (
        integers([hosts.place_of(link.url) for link in kept]),
        bigints(list(links)),
        floats([link.priority for link in kept]),
        integers([link.depth for link in kept]),
        texts([THE_PAGE if link.parent == page and page is not None else link.parent for link in kept]),
        texts([escaped(shortened(link.anchor)) or None for link in kept]),
        texts(["\n".join(link.chain) if link.chain else None for link in kept]),
        texts([link.url for link in kept]),
        texts([f"{{{','.join(map(repr, each.addends))}}}" if each.addends else None for each in links.values()]),
    )


def priority_columns(hosts: HostNames, wanted: Mapping[Url, float]) -> tuple[Any, ...]:
    """New priorities of waiting urls as columns. Of urls that share a key the last counts."""
    by_key = {key_of(url): (hosts.place_of(url), priority) for url, priority in wanted.items()}
    return (
        integers([place for place, _ in by_key.values()]),
        bigints(list(by_key)),
        floats([priority for _, priority in by_key.values()]),
    )


def settle_columns(
    claim: Claim, links: Mapping[int, WantedLink], wanted: Mapping[Url, float], *, final: bool
) -> tuple[Any, ...]:
    """What a page gave, as columns: its host first, then how many of the hosts may be new, links, and new priorities."""
    hosts = HostNames([claim.host])
    found = link_columns(hosts, links, claim.url if final else None)
    made = len(hosts.names)
    moved = priority_columns(hosts, wanted)
    return texts(hosts.names), made, *found, *moved


def claim_of(row: Sequence[Any], later: float) -> Claim:
    """A claim from its row, with its time by the clock of the worker, which is so much later than the server's."""
    seq, expires, url, priority, depth, parent, anchor, chain, tries = row
    told = depth, parent, unescaped(anchor) if anchor else "", tuple(chain.split("\n")) if chain else ()
    return Claim(Candidate(Url(url), priority, *told), host_of(Url(url)), seq, expires + later, tries)


def folded(maybe: Iterable[tuple[int, Candidate]], merge: Merge) -> dict[int, WantedLink]:
    """What all links of a batch say together of each url, in the order in which the urls come first."""
    wanted: dict[int, WantedLink] = {}
    for key, link in maybe:
        if (met := wanted.get(key)) is None:
            wanted[key] = WantedLink(link)
        elif merge == "sum":
            addends = (*(met.addends or (met.candidate.priority,)), link.priority)
            total = merged(merge, met.candidate.priority, link.priority)
            wanted[key] = WantedLink(met.candidate._replace(priority=total), addends)
        elif follows(merge, met.candidate.priority, link.priority):
            wanted[key] = WantedLink(link._replace(priority=merged(merge, met.candidate.priority, link.priority)))
    return wanted
