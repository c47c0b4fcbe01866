"""How pages were found, as a tree that is opened a step at a time: hosts that led to other hosts, pages that led to other pages.

A host belongs under the host whose page led to it first. Its pages are listed with the help of the frontier, in which urls of a host stand
together; what a page led to is looked up link by link. So no step reads all visits, however many there are.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from thresher.frontier.outlook import settled_of_host
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.plain_text import short_line
from thresher.results.watch.now import shown_title
from thresher.results.watch.running_figures import HostTally, RunningFigures
from thresher.store.glances import ShownVisit, visits_of_urls

AT_ONCE = 25
_MOST_LINKS = 4000
_MOST_HOPS = 10


class HostNode(NamedTuple):
    """A host, and what was found from it."""

    host: str
    """As the catalogue has it: to ask for more."""
    fetched: int
    relevant: int
    leads_to: int
    """Hosts that were found from its pages."""

    @property
    def harvest(self) -> float:
        """Relevant ÷ fetched, of the host itself."""
        return self.relevant / self.fetched if self.fetched else 0.0

    @property
    def name(self) -> str:
        """The host, safe to show."""
        return short_line(self.host)


class PageNode(NamedTuple):
    """A page, or what came in place of one."""

    number: int
    address: Url
    """The whole url: to ask for more."""
    title: str
    """Safe to show, and cut if it is long."""
    outcome: str
    relevance: float | None
    copy: bool
    """Whether it repeats another page, so that it does not count."""


class HostStep(NamedTuple):
    """Some hosts of one branch."""

    nodes: tuple[HostNode, ...]
    more: int
    """How many come after them."""


class PageStep(NamedTuple):
    """Some pages of one branch."""

    nodes: tuple[PageNode, ...]
    more: bool
    """Whether others come after them."""


class FoundTree:
    """The hosts of a crawl, each under the one that led to it."""

    def __init__(self, figures: RunningFigures) -> None:
        hosts = figures.hosts
        self._hosts = dict(hosts)
        self._children: defaultdict[str | None, list[str]] = defaultdict(list)
        self._below = {host: tally.relevant for host, tally in hosts.items()}
        """Relevant pages on a host and on all hosts that were found from it, however far."""
        # A host is met after the one that led to it, so the last ones are added up first.
        for host, tally in reversed(hosts.items()):
            above = self._above(host, tally)
            self._children[above].append(host)
            if above is not None:
                self._below[above] += self._below[host]

    def _above(self, host: str, tally: HostTally) -> str | None:
        return tally.found_from if tally.found_from in self._hosts and tally.found_from != host else None

    def step(self, host: str | None = None, skip: int = 0, most: int = AT_ONCE) -> HostStep:
        """Hosts that were found from a host, those first that led to most; without one, the hosts of the seeds."""
        children = sorted(self._children.get(host, ()), key=lambda each: (-self._below[each], each))
        chosen = children[skip : skip + most]
        return HostStep(tuple(map(self._node, chosen)), max(0, len(children) - skip - most))

    def best(self, most: int = AT_ONCE) -> list[HostNode]:
        """The hosts with the most relevant pages."""
        found = sorted(self._hosts, key=lambda each: (-self._hosts[each].relevant, self._hosts[each].fetched, each))
        return [self._node(each) for each in found[:most]]

    def _node(self, host: str) -> HostNode:
        tally = self._hosts[host]
        return HostNode(host, tally.fetched, tally.relevant, len(self._children.get(host, ())))


def pages_of_host(archive: Archive, host: str, skip: int = 0, most: int = AT_ONCE) -> PageStep:
    """Visits of a host, in the order in which their urls were found."""
    urls = settled_of_host(archive.read, host, most + 1, skip)
    return PageStep(_nodes(visits_of_urls(archive.read, urls[:most])), len(urls) > most)


def led_to(archive: Archive, page: Url, skip: int = 0, most: int = AT_ONCE) -> PageStep:
    """Visits that a page led to, the most relevant first; none if its bytes are lost."""
    visit = archive.visit(page)
    if visit is None or visit.page is None:
        return PageStep((), more=False)
    targets = dict.fromkeys(link.target for link in visit.page.links)
    if visit.page.refresh is not None:
        targets[visit.page.refresh] = None
    found = _arrived(archive, list(targets)[:_MOST_LINKS], page)
    found.sort(key=lambda each: (-(each.relevance or 0.0), each.number))
    return PageStep(_nodes(found[skip : skip + most]), len(found) > skip + most)


def _arrived(archive: Archive, targets: list[Url], page: Url) -> list[ShownVisit]:
    """The visits that these links of a page ended in: a link may have led there through redirects."""
    found, wanted = dict[int, ShownVisit](), targets
    for _ in range(_MOST_HOPS):
        visits = [each for each in visits_of_urls(archive.read, wanted) if each.parent == page]
        found |= {each.number: each for each in visits if each.outcome != "redirect"}
        wanted = [each.final_url for each in visits if each.outcome == "redirect" and each.final_url]
        if not wanted:
            break
    return list(found.values())


def _nodes(visits: Iterable[ShownVisit]) -> tuple[PageNode, ...]:
    return tuple(_page_node(each) for each in visits)


def _page_node(visit: ShownVisit) -> PageNode:
    return PageNode(
        visit.number,
        visit.url,
        shown_title(visit),
        visit.outcome,
        visit.relevance if visit.outcome == "page" else None,
        visit.relevant and not visit.fresh,
    )
