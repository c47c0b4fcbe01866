"""Two crawls on one page of HTML, and their curves in one picture."""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from time import time

from thresher.results.crawl_comparison import ComparedCrawl, CrawlComparison, ExclusivePage
from thresher.results.plain_text import day
from thresher.results.report.charts import HarvestLine, both_widths, harvest_chart
from thresher.results.report.html_pieces import (
    HeadCell,
    Html,
    element,
    framed_page,
    grid,
    joined,
    listed,
    relevance_mark,
    section,
    strange,
    stylesheet,
    text,
    web_link,
)
from thresher.results.report.report_file import MARK, write_page

_TITLE = "Relevant pages found, over the pages fetched"


def comparison_picture(found: CrawlComparison) -> str:
    """The curves of both crawls, as SVG."""
    return harvest_chart(_TITLE, _lines(found))


def write_comparison(found: CrawlComparison, place: Path, *, force: bool = False) -> None:
    """Write the comparison as a page of HTML."""
    write_page(place, comparison_page(found), force=force)


def comparison_page(found: CrawlComparison) -> str:
    """Both crawls on one page."""
    names = (found.first.name, found.second.name)
    made = f"Two focused crawls, compared on {day(time())} by Thresher {version('thresher')}."
    title = joined(strange(names[0], 60), " and ", strange(names[1], 60))
    head = joined(element("p", "Two crawls", kind="kicker"), element("h1", title), element("p", made, kind="quiet"))
    lead = element("p", strange(found.told(), 600), kind="lead")
    parts = (_figures(found), _curves(found), *_exclusives(found), _hosts(found))
    body = f"<header>\n{head}\n</header>\n<main>\n{lead}\n" + "\n".join(parts) + "\n</main>"
    return framed_page(f"{names[0]} and {names[1]} – two crawls", stylesheet(), body, MARK)


def _lines(found: CrawlComparison) -> list[HarvestLine]:
    return [HarvestLine(crawl.name, crawl.curve or [(0, 0.0)]) for crawl in (found.first, found.second)]


def _heads(first: str, found: CrawlComparison) -> tuple[HeadCell, ...]:
    return HeadCell(first), HeadCell(found.first.name, number=True), HeadCell(found.second.name, number=True)


def _figures(found: CrawlComparison) -> Html:
    rows = [(name, text(one, 60), text(two, 60)) for name, one, two in found.rows()]
    return section("figures", "Figures", grid("The figures of both crawls", _heads("figure", found), rows))


def _curves(found: CrawlComparison) -> Html:
    keys = [
        element("span", strange(line.name, 60), kind=f"key {kind}")
        for line, kind in zip(_lines(found), ("one", "two"), strict=True)
    ]
    figure = joined(both_widths(_TITLE, _lines(found)), element("figcaption", keys[0], " ", keys[1]))
    return section("harvest", "Harvest", element("figure", figure))


def _exclusives(found: CrawlComparison) -> Iterator[Html]:
    for anchor, crawl, other in (("first", found.first, found.second), ("second", found.second, found.first)):
        told = (
            f"Of its {crawl.counts.relevant:,} relevant pages, {crawl.harvest.only:,} are not in the other crawl: "
            "it has no page of the same url, bytes or text."
        )
        best = (
            listed([_exclusive(each, other) for each in crawl.exclusive], "ol", "best") if crawl.exclusive else Html("")
        )
        yield section(anchor, f"Only in {crawl.name}", element("p", told), best)


def _exclusive(each: ExclusivePage, other: ComparedCrawl) -> Html:
    known = (
        element("span", " ", strange(other.name, 40), " knows its url, and did not keep it", kind="quiet")
        if each.known
        else ""
    )
    return joined(
        relevance_mark(each.page.relevance, relevant=True), " ", web_link(each.page.url, each.page.title), known
    )


def _hosts(found: CrawlComparison) -> Html:
    rows = [(strange(host, 60), one, two) for host, one, two in (pair.row() for pair in found.hosts)]
    return section("hosts", "Hosts", grid("Relevant pages of those fetched, by host", _heads("host", found), rows))
