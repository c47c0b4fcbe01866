"""The map of a report: hosts below the hosts on which they were found, to be opened step by step, with their best pages."""

from collections.abc import Sequence

from thresher.results.report.found_hosts import FoundHostNode, FoundPageNode
from thresher.results.report.html_pieces import (
    Html,
    element,
    joined,
    listed,
    opened,
    relevance_mark,
    section,
    strange,
    web_link,
)

_MOST_OPEN = 3
"""So few hosts of seeds stand open from the beginning; all others can be opened."""


def found_map(tree: Sequence[FoundHostNode]) -> Html:
    """How pages were found."""
    if not tree:
        return section("map", "How they were found", element("p", "No page was fetched yet."))
    told = (
        "Each line is a host, below the host whose page led to it first. Open it to see its best pages, below the pages that linked to "
        "them, and the hosts that were found from there. The colour and the number of a page say how relevant it is; grey pages are not "
        "relevant themselves, but lie on the way to one that is."
    )
    return section(
        "map",
        "How they were found",
        element("p", told),
        listed([_host(host, already=len(tree) <= _MOST_OPEN) for host in tree], kind="tree"),
    )


def _host(node: FoundHostNode, *, already: bool = False) -> Html:
    figures = node.figures
    below = node.hosts_below()
    hosts = f", {below:,} host{'s' * (below != 1)} found from here" if below else ""
    line = joined(
        element("strong", strange(figures.host)),
        element("span", f" {figures.relevant:,} relevant of {figures.fetched:,} fetched{hosts}", kind="quiet"),
    )
    pages = [listed(map(_page, node.pages), kind="pages")] if node.pages else []
    others = [listed([_host(each) for each in node.hosts], kind="tree")] if node.hosts else []
    return opened(line, *_way(node), *pages, *others, already=already)


def _way(node: FoundHostNode) -> list[Html]:
    if node.way is None or not node.found_on:
        return [element("p", "Here the crawl began.", kind="quiet")]
    anchor = joined(" through “", strange(node.way.anchor, 80), "”") if node.way.anchor.strip() else Html("")
    return [element("p", "Found on ", web_link(node.found_on), anchor, ".", kind="quiet")]


def _page(node: FoundPageNode) -> Html:
    visit = node.visit
    line = joined(
        relevance_mark(visit.relevance, relevant=visit.fresh),
        " ",
        web_link(visit.url, visit.title),
        element("span", " “", strange(visit.anchor, 60), "”", kind="quiet")
        if _tells_more(visit.anchor, visit.title)
        else "",
    )
    return joined(line, "\n", listed(map(_page, node.children), kind="pages")) if node.children else line


def _tells_more(anchor: str, title: str) -> bool:
    """Whether the words of a link say what the title does not."""
    said = anchor.strip()[:200].lower()
    return bool(said) and said not in title[:2000].lower()
