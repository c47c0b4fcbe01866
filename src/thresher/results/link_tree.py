"""The link tree of a crawl's relevant pages: from the seeds, only the branches that lead to one, cut to the best of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from thresher.model import Url
from thresher.results.archive import Archive

_UPWARDS = """
    SELECT url, parent, anchor, coalesce(title, '') AS title, coalesce(relevance, 0.0) AS relevance, fresh FROM visit
    WHERE outcome = 'page' ORDER BY number DESC
"""


@dataclass(slots=True)
class Node:
    """A page, and the pages it led to."""

    url: Url
    parent: Url | None
    anchor: str
    title: str
    relevance: float
    relevant: bool
    children: list["Node"] = field(default_factory=list)
    cut: int = 0
    """Relevant pages below it that are not shown."""

    def relevant_pages(self) -> int:
        """How many there are from here on, cut ones not among them."""
        return self.relevant + sum(child.relevant_pages() for child in self.children)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        names = ("url", "anchor", "title", "relevance", "relevant", "cut")
        return {**{name: getattr(self, name) for name in names}, "children": [each.as_json() for each in self.children]}


def link_tree(archive: Archive, most: int = 30) -> list[Node]:
    """The trees of the seeds that led to something, with so many of the best relevant pages."""
    nodes = {node.url: node for node in _leading(archive)}
    kept = _ways(
        nodes, sorted((node for node in nodes.values() if node.relevant), key=lambda node: -node.relevance)[:most]
    )
    for node in nodes.values():
        # The nearest page above that is shown says how many are not.
        if node.url not in kept and node.relevant and (shown := _above(nodes, kept, node)) is not None:
            shown.cut += 1
    roots = list[Node]()
    for url in reversed(nodes):
        if url in kept:
            node = nodes[url]
            (nodes[node.parent].children if node.parent in kept and node.parent else roots).append(node)
    return roots


def _leading(archive: Archive) -> Iterator[Node]:
    """Relevant pages and all pages on the way to them, latest first: a page is always visited before those it led to."""
    wanted = set[Url]()
    for row in archive.rows(_UPWARDS):
        if row["fresh"] or row["url"] in wanted:
            wanted.discard(row["url"])
            if row["parent"]:
                wanted.add(row["parent"])
            plain = ("url", "parent", "anchor", "title", "relevance")
            yield Node(**{name: row[name] for name in plain}, relevant=bool(row["fresh"]))


def _ways(nodes: dict[Url, Node], ends: Iterable[Node]) -> set[Url]:
    """The pages, and all that led to them."""
    kept = set[Url]()
    for end in ends:
        node: Node | None = end
        while node is not None and node.url not in kept:
            kept.add(node.url)
            node = nodes.get(node.parent) if node.parent else None
    return kept


def _above(nodes: dict[Url, Node], kept: set[Url], node: Node) -> Node | None:
    parent = nodes.get(node.parent) if node.parent else None
    while parent is not None and parent.url not in kept:
        parent = nodes.get(parent.parent) if parent.parent else None
    return parent
