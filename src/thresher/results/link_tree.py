"""The link tree of a crawl: from the seeds, the links that led to the most relevant pages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.plain_text import short_title
from thresher.store.visits import links_backwards


@dataclass(slots=True)
class TreeNode:
    """A page, and the pages it led to."""

    url: Url
    parent: Url | None
    anchor: str
    title: str
    relevance: float
    relevant: bool
    children: list["TreeNode"] = field(default_factory=list)
    cut: int = 0
    """Relevant pages below it that are not shown."""

    def relevant_pages(self) -> int:
        """How many are shown from here on."""
        return self.relevant + sum(child.relevant_pages() for child in self.children)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        names = ("url", "anchor", "title", "relevance", "relevant", "cut")
        return {**{name: getattr(self, name) for name in names}, "children": [each.as_json() for each in self.children]}


def link_tree(archive: Archive, most: int = 30) -> list[TreeNode]:
    """The trees of the seeds that led to relevant pages; `most` is how many of the best of these are shown."""
    nodes = {node.url: node for node in _leading(archive)}
    kept = _ways(
        nodes, sorted((node for node in nodes.values() if node.relevant), key=lambda node: -node.relevance)[:most]
    )
    for node in nodes.values():
        # The nearest page above that is shown says how many are not.
        if node.url not in kept and node.relevant and (shown := _above(nodes, kept, node)) is not None:
            shown.cut += 1
    roots = list[TreeNode]()
    for url in reversed(nodes):
        if url in kept:
            node = nodes[url]
            (nodes[node.parent].children if node.parent in kept and node.parent else roots).append(node)
    return roots


def _leading(archive: Archive) -> Iterator[TreeNode]:
    """Relevant pages and all pages on the way to them, latest first: a page is always visited before those it led to."""
    wanted = set[Url]()
    for page in links_backwards(archive.read):
        if page.fresh or page.url in wanted:
            wanted.discard(page.url)
            if page.parent:
                wanted.add(page.parent)
            yield TreeNode(*page._replace(title=short_title(page.title)))


def _ways(nodes: dict[Url, TreeNode], ends: Iterable[TreeNode]) -> set[Url]:
    """The pages, and all that led to them."""
    kept = set[Url]()
    for end in ends:
        node: TreeNode | None = end
        while node is not None and node.url not in kept:
            kept.add(node.url)
            node = nodes.get(node.parent) if node.parent else None
    return kept


def _above(nodes: dict[Url, TreeNode], kept: set[Url], node: TreeNode) -> TreeNode | None:
    parent = nodes.get(node.parent) if node.parent else None
    while parent is not None and parent.url not in kept:
        parent = nodes.get(parent.parent) if parent.parent else None
    return parent
