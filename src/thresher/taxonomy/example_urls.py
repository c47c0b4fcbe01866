"""Which urls stand for which class: small leaves are merged upward, and of each class so many urls are drawn.

Paper: Altıngövde and Ulusoy 2004, "Experimental setup": "we moved the URLs found at a leaf node to its parent node only if the number of
URLs was less than a predefined threshold (set to 150 for these experiments), and then we removed the leaf. Next, we used only the leaves".

1. All urls are counted where they stand in the tree.
2. From the deepest level upward, a leaf with fewer than `least` urls gives them to its parent and is gone. A parent that has lost all its
   children is a leaf too. What stands at the top stays, as there is nothing to merge it with.
3. Leaves are classes. A node above others is a class of its own if it has `least` urls itself; with `only_leaves`, as in the paper, it
   is none.
4. Of each class the `most` urls with the lowest hashes are drawn. A url that stands in several classes belongs to the first.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from thresher.classify.class_tree import SEPARATOR
from thresher.errors import BadInput
from thresher.model import Url
from thresher.taxonomy.classed_urls import ClassedUrl, Source
from thresher.urls import url_hash

MOST_NODES = 2_000_000
"""Classes that a source may name: twice as many as ODP had."""


class ExampleOptions(NamedTuple):
    """How classes and their examples are chosen."""

    least: int = 20
    """A leaf with fewer urls is merged upward. The paper has 150."""
    most: int = 150
    """The most urls of a class that are fetched."""
    under: Sequence[str] = ()
    """Only classes at these paths and below them; all if there are none."""
    only_leaves: bool = False
    """Whether urls above the leaves are left out, as in the paper."""


class ExampleUrls(NamedTuple):
    """The urls that were drawn, by class, and what became of the others."""

    classes: dict[str, list[Url]]
    listed: int
    """Urls that the source has."""
    merged: int
    """Leaves that were merged into their parents."""
    left_out: int
    """Urls that stand above the leaves and belong to no class."""


def drawn(source: Source, options: ExampleOptions) -> ExampleUrls:
    """The classes of a source, each with its urls; the source is read twice."""
    counts = _counted(_under(source(), options.under))
    homes, merged = merged_upward(counts, options)
    samples: defaultdict[str, _Sample] = defaultdict(lambda: _Sample(options.most))
    for label, url in _under(source(), options.under):
        if home := homes[label]:
            samples[home].add(url)
    classes = _each_once({label: samples[label].urls() for label in sorted(samples)})
    if len(classes) < 2:
        raise BadInput(f"{_few(list(classes), counts, options)}; a taxonomy needs at least two classes to tell apart")
    left_out = sum(count for label, count in counts.items() if not homes[label])
    return ExampleUrls(classes, counts.total(), merged, left_out)


def _few(classes: list[str], counts: Counter[str], options: ExampleOptions) -> str:
    under = f" under {', '.join(options.under)}" if options.under else ""
    if not counts:
        return f"no url with a class was found{under}"
    left = f"only the class {classes[0]!r}" if classes else "no class"
    return f"of {len(counts):,} classes with {counts.total():,} urls{under}, {left} is left at --least {options.least}"


def _under(classed: Iterable[ClassedUrl], paths: Sequence[str]) -> Iterator[ClassedUrl]:
    beginnings = tuple(f"{path}{SEPARATOR}" for path in paths)
    return (each for each in classed if not paths or each.label in paths or each.label.startswith(beginnings))


def _counted(classed: Iterable[ClassedUrl]) -> Counter[str]:
    counts = Counter[str]()
    for label, _ in classed:
        counts[label] += 1
        if len(counts) > MOST_NODES:
            raise BadInput(f"more than {MOST_NODES:,} classes; choose some with --under PATH")
    return counts


def merged_upward(counts: Mapping[str, int], options: ExampleOptions) -> tuple[dict[str, str], int]:
    """The class that the urls of each node belong to, empty where they belong to none; and how many leaves were merged."""
    urls, children = Counter(counts), Counter[str]()
    nodes = _with_those_above(counts, options.under)
    children.update(above for node in nodes if (above := _above(node)) in nodes)
    moved: dict[str, str] = {}
    for node in sorted(nodes, key=lambda each: each.count(SEPARATOR), reverse=True):
        above = _above(node)
        if not children[node] and urls[node] < options.least and above in nodes:
            urls[above] += urls[node]
            children[above] -= 1
            moved[node] = above
    own = {node for node in nodes if node not in moved and _is_class(urls[node], children[node], options)}
    # What lies above comes first, so that where its urls went is known.
    homes: dict[str, str] = {}
    for node in sorted(nodes, key=lambda each: each.count(SEPARATOR)):
        homes[node] = homes[moved[node]] if node in moved else node if node in own else ""
    return homes, len(moved)


def _is_class(urls: int, children: int, options: ExampleOptions) -> bool:
    return urls > 0 if not children else urls >= options.least and not options.only_leaves


def _with_those_above(counts: Iterable[str], under: Sequence[str]) -> dict[str, None]:
    """All nodes, up to the top or to the paths that were chosen."""
    tops = set(under)
    nodes: dict[str, None] = {}
    for label in counts:
        while label and label not in nodes:
            nodes[label] = None
            label = "" if label in tops else _above(label)  # noqa: PLW2901 - one step up
    return nodes


def _above(node: str) -> str:
    return node.rpartition(SEPARATOR)[0]


class _Sample:
    """The urls with the lowest hashes, so many at most: the same ones in whatever order they come."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[int, Url]] = []
        """The highest hash first: hashes are negative here."""
        self._known: set[Url] = set()

    def add(self, url: Url) -> None:
        entry = (-url_hash(url), url)
        if url in self._known or (len(self._heap) == self._most and entry < self._heap[0]):
            return
        self._known.add(url)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        else:
            self._known.discard(heapq.heappushpop(self._heap, entry)[1])

    def urls(self) -> list[Url]:
        return [url for _, url in sorted(self._heap, reverse=True)]


def _each_once(classes: Mapping[str, list[Url]]) -> dict[str, list[Url]]:
    """A page belongs to one class: a url in several is left in the first."""
    homes: dict[Url, str] = {}
    for label, urls in classes.items():
        for url in urls:
            homes.setdefault(url, label)
    own = {label: [url for url in urls if homes[url] == label] for label, urls in classes.items()}
    return {label: urls for label, urls in own.items() if urls}
