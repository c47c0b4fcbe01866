"""Several topics one after the other, each in a folder of its own; topics may be appended to the list while it runs."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.config import read_crawl_file
from thresher.errors import BadInput, ThresherError
from thresher.folder import CrawlFolder
from thresher.harvest.archive import Archive
from thresher.store.reading import counts

FAILED = "failed"
"""How a topic ends that cannot be crawled for."""
_UNFINISHED = {"", "interrupted"}


class Line(NamedTuple):
    """A topic of the list, and which senses of it are meant."""

    topic: str
    senses: tuple[str, ...] = ()


def read_topics(path: Path) -> list[Line]:
    """A topic a line, with its sense behind `|` if it has several: `iris | iris.n.02`. Behind # stand notes."""
    try:
        rows = [re.split(r"(?:^|\s)#", line)[0].strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: no list of topics can be read there: {error}") from error
    lines = [_line(*row.split("|", 1)) for row in rows if row]
    return list({line.topic: line for line in lines}.values())


def _line(topic: str, senses: str = "") -> Line:
    return Line(topic.strip(), tuple(each.strip() for each in senses.split(",") if each.strip()))


def crawl_each(
    path: Path, into: Path, one: Callable[[Line, CrawlFolder], Any], budget: Mapping[str, Any], console: Console
) -> list[str]:
    """Crawl for every topic that is not done yet, until the list has no more; how each ended."""
    done: dict[str, str] = {}
    if not read_topics(path):
        raise BadInput(f"{path} names no topic: write one a line")
    while line := next((each for each in read_topics(path) if each.topic not in done), None):
        folder = CrawlFolder(into / slug(line.topic))
        ended = _ended(line, folder, budget)
        if ended in _UNFINISHED:
            console.rule(escape(line.topic), align="left")
            ended = _crawled(line, folder, one, console)
        done[line.topic] = ended
        if ended == "interrupted":
            break
    console.rule("all topics", align="left")
    console.print(_summary(done, into))
    return list(done.values())


def _crawled(line: Line, folder: CrawlFolder, one: Callable[[Line, CrawlFolder], Any], console: Console) -> str:
    try:
        return str(one(line, folder).reason)
    except ThresherError as error:
        # One topic that cannot be crawled does not keep the others from it.
        console.print(f"[red]{escape(line.topic)}[/]: {escape(str(error))}", soft_wrap=True)
        return FAILED


def slug(topic: str) -> str:
    """The name of a topic's folder."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in topic.lower()).split())[:80] or "crawl"


def _ended(line: Line, folder: CrawlFolder, budget: Mapping[str, Any]) -> str:
    """How the topic's crawl ended; nothing if it has not, or is to go on with another budget, or is another topic's."""
    if not folder.exists or not folder.database.exists():
        return ""
    kept = read_crawl_file(folder.settings)
    if kept.get("topic") != line.topic or not budget.items() <= kept.get("budget", {}).items():
        return ""
    with Archive.open(folder.path) as archive:
        return archive.stopped()[0] or ""


def _summary(done: dict[str, str], into: Path) -> Table:
    table = Table("topic", box=None, header_style="bold", pad_edge=False)
    for name in ("fetched", "relevant", "harvest"):
        table.add_column(name, justify="right")
    table.add_column("stopped")
    for topic, stopped in done.items():
        table.add_row(escape(topic), *_figures(into / slug(topic)), escape(stopped))
    return table


def _figures(path: Path) -> Iterator[str]:
    if not CrawlFolder(path).database.exists():
        return iter(("–", "–", "–"))
    with Archive.open(path) as archive:
        figures = counts(archive.read)
    return iter((f"{figures.fetched:,}", f"{figures.relevant:,}", f"{figures.harvest:.1%}"))
