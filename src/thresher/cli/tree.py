"""The link tree of a crawl's relevant pages, drawn for people."""

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from thresher.results.link_tree import Node
from thresher.results.plain_text import one_line, shorten


def draw_tree(roots: list[Node], console: Console) -> None:
    """The links that led to relevant pages, for people."""
    if not roots:
        console.print("No relevant page yet.")
    for root in roots:
        drawn = Tree(_leaf(root), guide_style="dim")
        _grow(drawn, root)
        console.print(drawn)


def _grow(tree: Tree, node: Node) -> None:
    for child in sorted(node.children, key=lambda each: (-each.relevant_pages(), -each.relevance)):
        _grow(tree.add(_leaf(child)), child)
    if node.cut:
        tree.add(Text(f"{node.cut:,} more relevant", "dim italic"))


def _leaf(node: Node) -> Text:
    """`0.69  Eye  “eye”  http://…`, on one line."""
    anchor, title = one_line(node.anchor), one_line(node.title)
    return Text.assemble(
        (f"{node.relevance:.2f}", "green" if node.relevant else "dim"),
        "  ",
        (shorten(title, 44) or node.url, "bold" if node.relevant else ""),
        (f"  “{shorten(anchor, 36)}”" if anchor and not title.startswith(anchor) else "", "italic"),
        (f"  {node.url}" if title else "", "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )
