"""`thresher show`: what a crawl has found so far."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.cli.plot import plot
from thresher.config import Settings, read_crawl_file
from thresher.errors import BadInput
from thresher.folder import CrawlFolder
from thresher.frontier.reading import waiting
from thresher.store import reading
from thresher.store.reading import Counts, Entry, HostFigures


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
    best: list[Entry]
    hosts: list[HostFigures]

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
            "best": [{"url": entry.url, "title": entry.title, "relevance": entry.relevance} for entry in self.best],
        }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(folder: Path, *, as_json: bool) -> None:
    """What a crawl has found: pages, harvest and its curve, hosts, errors, and why it stopped.

    It may be asked while the crawl runs.

    \b
    thresher show iris-eye
    thresher show iris-eye --json | jq .harvest
    """
    findings = findings_of(CrawlFolder(folder))
    if as_json:
        click.echo(json.dumps(findings.as_json(), indent=2, ensure_ascii=False))
    else:
        draw(findings, Console(highlight=False))


def findings_of(folder: CrawlFolder) -> Findings:
    """Read a crawl folder; the crawl may be running meanwhile."""
    if not folder.exists:
        raise BadInput(f"{folder.path} is not the folder of a crawl: it has no {folder.settings.name}")
    settings = Settings().with_changes(read_crawl_file(folder.settings), str(folder.settings))
    with closing(reading.open_catalogue(folder.database)) as connection:
        read = connection.execute
        reason, message = _stopped(read, running=folder.in_use())
        return Findings(
            folder.path,
            settings,
            reading.counts(read),
            reading.errors(read),
            waiting(read),
            reason,
            message,
            reading.harvest_curve(read),
            reading.best_pages(read, 10),
            reading.hosts(read, 8),
        )


def _stopped(read: reading.Read, *, running: bool) -> tuple[str | None, str]:
    row = read("SELECT value FROM state WHERE name = 'stopped'").fetchone()
    reason, _, message = bytes(row[0]).decode().partition("\n") if row else ("", "", "")
    if running:
        return None, "It is running"
    return (reason, message) if reason else (None, "It was killed: run the same command to go on")


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
    if len(findings.curve) > 1:
        console.print("\nHarvest rate over the pages fetched", style="bold")
        console.print("\n".join(plot({"harvest": [share for _, share in findings.curve]})))
        console.print(f"       1{findings.curve[-1][0]:>63,}")
    _draw_best(findings.best, console)
    _draw_hosts(findings.hosts, console)
    if findings.errors:
        console.print("\nErrors: " + ", ".join(f"{name} {count:,}" for name, count in findings.errors.items()))
    console.print(f"\n{'Stopped: ' if findings.reason else ''}{findings.message}.")


def _draw_best(best: list[Entry], console: Console) -> None:
    if not best:
        return
    console.print("\nBest pages", style="bold")
    table = Table.grid(padding=(0, 2))
    for entry in best:
        table.add_row(f"{entry.relevance:.2f}", escape(entry.title[:48]), f"[dim]{escape(entry.url)}[/]")
    console.print(table, no_wrap=True, overflow="ellipsis", crop=False)


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
