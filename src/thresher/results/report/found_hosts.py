"""How pages were found, as a tree of hosts: below each host its best pages, and the hosts to which its pages led first.

Only the best hosts and pages are in it, and whatever lies on the way to them from the seeds. The way is followed link by link, so that a
crawl of a million pages takes no more memory than one of a thousand.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.store.glances import ShownVisit, visits_numbered, visits_of_urls
from thresher.store.overview import HostFound, best_of_hosts, hosts_named

_OF_ALL, _LEAST_EACH, _MOST_EACH = 150, 5, 30
"""Best pages in all; of each host at least and at most."""
_LONGEST_WAY = 60
"""Links that are followed back from a page."""
_MOST_NODES = 1_500
_DEEPEST = 7
"""Steps within one host that are drawn inside each other; what lies deeper stands beside them."""


@dataclass(slots=True, eq=False)
class FoundPageNode:
    """A page, and those of its host that were found on it."""

    visit: ShownVisit
    best: bool
    """Whether it is one of the best; the others are on the way to some."""
    children: list["FoundPageNode"] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class FoundHostNode:
    """A host, its pages, and the hosts that were found on it."""

    figures: HostFound
    way: ShownVisit | None
    """The first known page of it, which names the link that led here; None for the host of a seed."""
    found_on: Url | None
    pages: list[FoundPageNode] = field(default_factory=list)
    hosts: list["FoundHostNode"] = field(default_factory=list)

    def relevant_below(self) -> int:
        """Relevant pages of it and of all hosts below."""
        return self.figures.relevant + sum(each.relevant_below() for each in self.hosts)

    def hosts_below(self) -> int:
        """How many hosts are drawn below it."""
        return sum(1 + each.hosts_below() for each in self.hosts)


def found_hosts(archive: Archive, best: Iterable[HostFound]) -> list[FoundHostNode]:
    """The trees of the hosts of the seeds, those first below which most was found."""
    chosen = [each for each in best if each.relevant] or list(best)[:1]
    each = max(_LEAST_EACH, min(_MOST_EACH, _OF_ALL // max(1, len(chosen))))
    ends = set(best_of_hosts(archive.read, [host.host for host in chosen], each))
    visits = _ways(archive, [*(host.first for host in chosen), *sorted(ends)])
    hosts = _host_nodes(archive, visits)
    for node in _page_trees(visits, ends):
        hosts[node.visit.host].pages.append(node)
    return _grown(hosts)


def _ways(archive: Archive, numbers: Iterable[int]) -> dict[Url, ShownVisit]:
    """The visits of these numbers, and those on the way to them."""
    found: dict[Url, ShownVisit] = {}
    for end in visits_numbered(archive.read, numbers):
        step: ShownVisit | None = end
        for _ in range(_LONGEST_WAY):
            if step is None or step.url in found or len(found) >= _MOST_NODES:
                break
            found[step.url] = step
            before = next(iter(visits_of_urls(archive.read, [step.parent])), None) if step.parent else None
            # A page is always found on one that was visited before it; anything else is no way.
            step = before if before and before.number < step.number else None
    return found


def _host_nodes(archive: Archive, visits: dict[Url, ShownVisit]) -> dict[str, FoundHostNode]:
    """A node for each host, with its first known page, in the order of these."""
    first: dict[str, ShownVisit] = {}
    for visit in sorted(visits.values(), key=lambda each: each.number):
        first.setdefault(visit.host, visit)
    figures = {each.host: each for each in hosts_named(archive.read, first)}
    nothing = {host: HostFound(host, 0, 0, visit.number) for host, visit in first.items()}
    return {
        host: FoundHostNode(figures.get(host, nothing[host]), *_led(visit, visits)) for host, visit in first.items()
    }


def _led(visit: ShownVisit, visits: dict[Url, ShownVisit]) -> tuple[ShownVisit | None, Url | None]:
    """The first page of a host, and the page of another host on which it was found."""
    before = visits.get(visit.parent) if visit.parent else None
    return (visit, before.url) if before and before.host != visit.host else (None, None)


def _page_trees(visits: dict[Url, ShownVisit], ends: set[int]) -> list[FoundPageNode]:
    """The pages of each host below each other, as they were found; the trees of all hosts."""
    nodes = {url: FoundPageNode(visit, visit.number in ends) for url, visit in visits.items()}
    depths: dict[Url, int] = defaultdict(int)
    roots = []
    for node in sorted(nodes.values(), key=lambda each: each.visit.number):
        above = nodes.get(node.visit.parent) if node.visit.parent else None
        if above is None or above.visit.host != node.visit.host or above.visit.number >= node.visit.number:
            roots.append(node)
            continue
        while depths[above.visit.url] >= _DEEPEST and above.visit.parent in nodes:
            above = nodes[above.visit.parent]
        depths[node.visit.url] = depths[above.visit.url] + 1
        above.children.append(node)
    return roots


def _grown(hosts: dict[str, FoundHostNode]) -> list[FoundHostNode]:
    """Each host below the one that it was found on. That one has an earlier first page, so the trees have roots."""
    roots: list[FoundHostNode] = []
    of_url = {page.visit.url: host for host in hosts.values() for page in _all_pages(host.pages)}
    for node in hosts.values():
        above = of_url.get(node.found_on) if node.found_on else None
        (roots if above is None else above.hosts).append(node)
    for node in hosts.values():
        node.hosts.sort(key=lambda each: -each.relevant_below())
    return sorted(roots, key=lambda each: -each.relevant_below())


def _all_pages(pages: Iterable[FoundPageNode]) -> Iterable[FoundPageNode]:
    waiting = list(pages)
    while waiting:
        page = waiting.pop()
        yield page
        waiting.extend(page.children)
