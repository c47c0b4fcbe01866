"""`thresher compare`: two crawls side by side."""

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from thresher.chart import write_picture
from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.plot import plot, plot_width
from thresher.cli.terminal import Terminal, patience
from thresher.disk.crawl_home import Place
from thresher.results.crawl_comparison import ComparedCrawl, CrawlComparison, compare_crawls
from thresher.results.plain_text import one_line, short_line
from thresher.results.report.comparison_page import comparison_picture, write_comparison
from thresher.results.report.report_file import check_place

_PIPED = 240
_MOST_PAGES = 8


@declared.compare.work
def compare(  # noqa: PLR0913 - an option each
    first: Place, second: Place, *, picture: Path | None, out: Path | None, force: bool, as_json: bool
) -> None:
    """Compare the crawls, and draw, print or write what came of it."""
    console = Terminal(highlight=False)
    if not console.is_terminal:
        console.width = _PIPED  # the reader wants whole urls
    if out is not None:
        check_place(out, force=force)
    with patience("comparing the crawls"):
        found = compare_crawls(first, second)
    if picture is not None:
        write_picture(comparison_picture(found), picture)
    if out is not None:
        write_comparison(found, out, force=force)
    if as_json:
        echo_json(found.as_json())
        return
    if picture is None and out is None:
        draw(found, console)
    for what, path in (("The curves are drawn in", picture), ("The comparison is", out)):
        if path is not None:
            console.print(f"{what} [bold]{escape(str(path))}[/].", soft_wrap=True)


def draw(found: CrawlComparison, console: Console) -> None:
    """For people."""
    table = _table("", found.first.name, found.second.name)
    for row in found.rows():
        table.add_row(*map(escape, row))
    console.print(table)
    console.print(Text(f"\n{found.told()}"), soft_wrap=True)
    _draw_curves(found, console)
    for crawl, other in ((found.first, found.second), (found.second, found.first)):
        _draw_exclusive(crawl, other, console)
    _draw_hosts(found, console)


def _table(first: str, *others: str) -> Table:
    table = Table(first, *map(escape, others), box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _draw_curves(found: CrawlComparison, console: Console) -> None:
    """Both over the same axis: the shorter crawl ends where it ended."""
    longest = max(found.first.counts.fetched, found.second.counts.fetched)
    if min(len(found.first.curve), len(found.second.curve)) < 2:
        return
    width = plot_width(console.width)
    names = f"█ {found.first.name}, • {found.second.name}"
    console.print(Text(f"\nHarvest rate over the pages fetched: {names}", "bold"), soft_wrap=True)
    curves = {crawl.name: _rates(crawl, longest, width) for crawl in (found.first, found.second)}
    console.print("\n".join(plot(curves, width)))
    console.print(f"       1{longest:>{width - 1},}")


def _rates(crawl: ComparedCrawl, longest: int, width: int) -> list[float]:
    """The harvest rate for each column that the crawl reaches."""
    rates, place = [], 0
    for column in range(1, width + 1):
        at = column * longest / width
        while place < len(crawl.curve) - 1 and crawl.curve[place][0] < at:
            place += 1
        fetched, relevant = crawl.curve[place]
        if at > crawl.counts.fetched + longest / width:
            break
        rates.append(relevant / fetched)
    return rates


def _draw_exclusive(crawl: ComparedCrawl, other: ComparedCrawl, console: Console) -> None:
    if not crawl.exclusive:
        return
    pages = f"{crawl.harvest.only:,} relevant page{'s' * (crawl.harvest.only != 1)}"
    console.print(Text(f"\nOnly in {crawl.name}: {pages}, the best first", "bold"), soft_wrap=True)
    for page, known in crawl.exclusive[:_MOST_PAGES]:
        line = Text.assemble(
            (f"{page.relevance:.2f}", "green"),
            f"  {short_line(page.title, 48)}  ",
            (f"{other.name} knows its url, and did not keep it  " if known else "", "yellow"),
            (one_line(page.url), "dim"),
        )
        console.print(line, no_wrap=True, overflow="ellipsis")


def _draw_hosts(found: CrawlComparison, console: Console) -> None:
    console.print("\nRelevant pages of those fetched, by host", style="bold")
    table = _table("host", found.first.name, found.second.name)
    for pair in found.hosts:
        table.add_row(*map(escape, pair.row()))
    console.print(table)
