"""`thresher show`: what a crawl has found so far."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.cells import set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from thresher.chart import Axes, Ink, Line, line_chart, write_picture
from thresher.cli import completion
from thresher.cli.patience import patience
from thresher.cli.plot import plot, plot_width
from thresher.cli.tree import draw_tree
from thresher.disk.folder import CrawlFolder
from thresher.errors import ThresherError
from thresher.frontier.reading import waiting
from thresher.results.archive import Archive
from thresher.results.best import Best, best
from thresher.results.label.scores import HandFigures, figures_of
from thresher.results.link_tree import link_tree
from thresher.results.plain_text import day, one_line, shorten
from thresher.results.sightings import Sightings, sightings
from thresher.settings import Settings
from thresher.store import reading
from thresher.store.reading import Counts, HostFigures

_WINDOW = 100
"""Fetches that the thin line of the picture looks back."""
_PIPED = 240
_MOST_NAMES, _MOST_WORDS = 24, 8
"""Names of the topic on the screen, and words of a judge that looks for none; --json has all."""


class Findings(NamedTuple):
    """All that `show` says of a crawl."""

    folder: Path
    settings: Settings
    counts: Counts
    errors: dict[str, int]
    waiting: int
    reason: str | None
    message: str
    curve: list[tuple[int, float]]
    best: list[Best]
    hosts: list[HostFigures]
    sightings: Sightings
    by_hand: HandFigures | None
    """None if no page was labelled."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        counts = self.counts
        return {
            "topic": self.settings.topic,
            "strategy": self.settings.strategy["name"],
            "judge": self.settings.judge["name"],
            "fetched": counts.fetched,
            "relevant": counts.relevant,
            "harvest": counts.harvest,
            "errors": self.errors,
            "waiting": self.waiting,
            "stopped": self.reason,
            "message": self.message,
            "pages": counts.pages,
            "duplicates": counts.duplicates,
            "near_duplicates": counts.near,
            "bytes": counts.bytes,
            "hosts": counts.hosts,
            "curve": self.curve,
            "best": [page.as_json() for page in self.best],
            "best_hosts": [figures._asdict() for figures in self.hosts],
            "found": self.sightings.pages,
            "found_elsewhere": self.sightings.elsewhere,
            "never_found": self.sightings.never,
            "by_hand": self.by_hand and self.by_hand.as_json(),
        }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR", shell_complete=completion.folders)
@click.option(
    "--tree", is_flag=True, help="Show the links that led to the best relevant pages instead, from the seeds."
)
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the harvest curve: FILE.svg or FILE.png.",
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(folder: Path, *, tree: bool, picture: Path | None, as_json: bool) -> None:
    """What a crawl has found: pages, harvest and its curve, hosts, the topic's words, errors, and why it stopped.

    It may be asked while the crawl runs.

    \b
    thresher show iris-eye
    thresher show iris-eye --tree
    thresher show iris-eye --plot harvest.svg
    thresher show iris-eye --json | jq .harvest
    """
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _PIPED  # whoever reads it wants whole urls
    with Archive.open(folder) as archive:
        if picture is not None:
            write_picture(_picture(archive), picture)
        if tree:
            roots = link_tree(archive)
            if as_json:
                click.echo(json.dumps([root.as_json() for root in roots], indent=2, ensure_ascii=False))
            else:
                draw_tree(roots, console)
            return
        # An ontology may have to be read to know what is missing, and pages to hold the judge against labels.
        with patience("reading the crawl, and what is known of its topic"):
            findings = _findings(archive)
    if as_json:
        click.echo(json.dumps(findings.as_json(), indent=2, ensure_ascii=False))
    elif picture is None:
        draw(findings, console)
    else:
        console.print(f"The harvest curve is drawn in [bold]{escape(str(picture))}[/].", soft_wrap=True)


def findings_of(folder: CrawlFolder) -> Findings:
    """Read a crawl folder; the crawl may be running meanwhile."""
    with Archive.open(folder.path) as archive:
        return _findings(archive)


def _findings(archive: Archive) -> Findings:
    read = archive.read
    reason, message = archive.stopped()
    return Findings(
        archive.folder.path,
        archive.settings,
        reading.counts(read),
        reading.errors(read),
        waiting(read),
        reason,
        message,
        reading.harvest_curve(read),
        best(archive, 10),
        reading.hosts(read, 8),
        sightings(archive),
        _by_hand(archive),
    )


def _by_hand(archive: Archive) -> HandFigures | None:
    try:
        return figures_of(archive)
    except ThresherError:
        return None  # the judge could be made when it crawled, and cannot be here


def _picture(archive: Archive) -> str:
    """The harvest rate over the pages fetched: so far, and over the latest hundred."""
    fresh = [bool(each) for (each,) in archive.read("SELECT fresh FROM visit WHERE asked ORDER BY number")]
    so_far, latest, relevant = list[float](), list[float](), 0
    for place, each in enumerate(fresh, 1):
        relevant += each
        so_far.append(relevant / place)
        latest.append(sum(fresh[max(0, place - _WINDOW) : place]) / min(place, _WINDOW))
    # The first few shares jump between nothing and all, and would press the rest flat.
    skipped = len(fresh) // 50
    axes = Axes(f"Harvest of {archive.settings.topic}", "pages fetched", "harvest rate", first=skipped + 1)
    lines = [
        Line("so far", so_far[skipped:], ink=Ink("#2f7fb8", width=2.0, strong=True)),
        Line(f"of the latest {_WINDOW}", latest[skipped:], ink=Ink("#c06a1f", dash="5 3", strong=True)),
    ]
    return line_chart(axes, lines)


def draw(findings: Findings, console: Console) -> None:
    """For people."""
    counts, settings = findings.counts, findings.settings
    console.print(f"[bold]{escape(settings.topic)}[/]  {settings.strategy['name']}, judged by {settings.judge['name']}")
    console.print(
        f"{counts.fetched:,} fetched, [bold green]{counts.relevant:,} relevant[/], harvest [bold]{counts.harvest:.1%}[/]; "
        f"{findings.waiting:,} urls waiting; {counts.hosts:,} hosts; {counts.bytes / 1e6:,.1f} MB received"
    )
    if counts.duplicates or counts.near:
        console.print(f"{counts.duplicates:,} exact and {counts.near:,} near duplicates, not counted as harvest")
    if (by_hand := findings.by_hand) is not None:
        said = f"By your {by_hand.labels:,} label{'s' * (by_hand.labels != 1)}, {by_hand.relevant:,} of them relevant: "
        figures = f"F1 of the judge {by_hand.before.f1:.2f}, with your labels {by_hand.after.f1:.2f}"
        console.print(f"{said}harvest [bold]{by_hand.harvest_after:.1%}[/]; {figures}")
    if len(findings.curve) > 1:
        console.print("\nHarvest rate over the pages fetched", style="bold")
        width = plot_width(console.width)
        console.print("\n".join(plot({"harvest": [share for _, share in findings.curve]}, width)))
        console.print(f"       1{findings.curve[-1][0]:>{width - 1},}")
    _draw_best(findings.best, console)
    _draw_sightings(findings.sightings, console)
    _draw_hosts(findings.hosts, console)
    if findings.errors:
        console.print("\nErrors: " + ", ".join(f"{name} {count:,}" for name, count in findings.errors.items()))
    console.print(f"\n{'Stopped: ' if findings.reason else ''}{findings.message}.")


def _draw_best(pages: list[Best], console: Console) -> None:
    if not pages:
        return
    console.print("\nBest pages", style="bold")
    room = min(48, console.width // 3, max(len(one_line(page.entry.title)) for page in pages))
    for page in pages:
        entry, since = page.entry, _since(page)
        title = set_cell_size(shorten(one_line(entry.title), room), room)
        line = Text.assemble(
            (f"{entry.relevance:.2f}", "dim" if page.gone or not page.relevant else "green"),
            f"  {title}  ",
            (f"{since}  " if since else "", "yellow"),
            (entry.url, "dim"),
        )
        console.print(line, no_wrap=True, overflow="ellipsis")


def _since(page: Best) -> str:
    """What became of it: `gone since 2026-02-01`, `changed since, now 0.12`."""
    if page.gone:
        return f"gone since {day(page.gone)}"
    if page.changed is None:
        return ""
    return f"changed since, now {page.relevance:.2f}{'' if page.relevant else ', not relevant'}"


def _draw_sightings(seen: Sightings, console: Console) -> None:
    """What of the topic stands on the relevant pages, tier by tier, and what does not."""
    if not seen.pages:
        return
    console.print("\nFound on so many relevant pages", style="bold")
    table = Table.grid(padding=(0, 2))
    # A judge that looks for no names weighs every word there is: a few of them say enough.
    words, most = ("words", _MOST_NAMES) if seen.names else ("weightiest words", _MOST_WORDS)
    for tier, names in seen.tiers().items():
        listed = [Text.assemble(name, (f" {count:,}", "green")) for name, count in names.items()]
        table.add_row(Text(tier or words, "dim"), _names(listed, most))
    for label, missing in (("elsewhere only", seen.elsewhere), ("never found", seen.never)):
        if missing:
            table.add_row(Text(label, "dim"), _names([Text(name) for name in missing]))
    console.print(table)


def _names(names: list[Text], most: int = _MOST_NAMES) -> Text:
    more = len(names) - most
    return Text(", ").join(names[:most]) + Text(f" and {more:,} more" if more > 0 else "", "dim")


def _draw_hosts(hosts: list[HostFigures], console: Console) -> None:
    if len(hosts) < 2:
        return
    table = Table("host", "fetched", "relevant", "harvest", box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for host, fetched, relevant in hosts:
        table.add_row(escape(host), f"{fetched:,}", f"{relevant:,}", f"{relevant / fetched:.0%}")
    console.print()
    console.print(table)
