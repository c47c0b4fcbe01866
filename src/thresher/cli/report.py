"""`thresher report`: a crawl as one page of HTML."""

from pathlib import Path

from rich.markup import escape

from thresher.cli.declared import result_commands as declared
from thresher.cli.terminal import Terminal, patience
from thresher.disk.crawl_home import Place
from thresher.results.report.report_file import write_report


@declared.report.work
def report(folder: Place, *, out: Path | None, force: bool) -> None:
    """Write the report, and say where it is."""
    console = Terminal(highlight=False)
    with patience("reading the crawl, and what is known of its topic"):
        place = write_report(folder, out, force=force)
    size = place.stat().st_size / 1e3
    console.print(
        f"The report is [bold]{escape(str(place))}[/], {size:,.0f} kB: it needs nothing else.", soft_wrap=True
    )
