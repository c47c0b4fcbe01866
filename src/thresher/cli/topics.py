"""Several topics one after the other, each in a folder of its own; topics may be appended to the list while it runs."""

import re
import sqlite3
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.budget import Stop
from thresher.config import read_crawl_file
from thresher.errors import BadInput, ThresherError
from thresher.folder import CrawlFolder
from thresher.harvest.archive import Archive
from thresher.store.reading import counts

FAILED = "failed"
"""How a topic ends that cannot be crawled for."""
INTERRUPTED = "interrupted"
_UNFINISHED = {"", INTERRUPTED}


class Line(NamedTuple):
    """A topic of the list, and which senses of it are meant."""

    topic: str
    senses: tuple[str, ...] = ()


Crawling = Callable[[Line, CrawlFolder], Stop]
"""Crawls for a topic into a folder."""


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


def crawl_each(path: Path, into: Path, one: Crawling, budget: Mapping[str, Any], console: Console) -> list[str]:
    """Crawl for every topic that is not done yet, until the list has no more; how each ended."""
    done: dict[str, str] = {}
    lines = read_topics(path)
    if not lines:
        raise BadInput(f"{path} names no topic: write one a line")
    while line := next((each for each in lines if each.topic not in done), None):
        folder = CrawlFolder(into / slug(line.topic))
        done[line.topic] = ended = _crawled(line, folder, one, budget, console)
        if ended == INTERRUPTED:
            break
        lines = _read_again(path, lines, console)
    console.rule("all topics", align="left")
    console.print(_summary(done, into))
    return list(done.values())


def _crawled(line: Line, folder: CrawlFolder, one: Crawling, budget: Mapping[str, Any], console: Console) -> str:
    """How the topic ended, now or in an earlier run. One that cannot be crawled for does not keep the others from it."""
    try:
        ended = _ended(line, folder, budget)
        if ended in _UNFINISHED:
            console.rule(escape(line.topic), align="left")
            ended = str(one(line, folder).reason)
    except KeyboardInterrupt:  # before the crawl itself has begun, which sees to it
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the rest of a night's list is worth more than one topic's mistake, whosever it is
        console.print(f"[red]{escape(line.topic)}[/]: {escape(_told(error))}", soft_wrap=True)
        return FAILED
    return ended


def _told(error: Exception) -> str:
    if isinstance(error, ThresherError):
        return str(error)
    *_, place = traceback.extract_tb(error.__traceback__)
    return f"a fault of Thresher: {type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def _read_again(path: Path, before: list[Line], console: Console) -> list[Line]:
    """The list as it is now; as it was if somebody is just writing it, or took it away."""
    try:
        return read_topics(path)
    except BadInput as error:
        console.print(f"{error}; going on with the list as it was", markup=False, soft_wrap=True)
        return before


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
    try:
        with Archive.open(path) as archive:
            figures = counts(archive.read)
    except (ThresherError, sqlite3.Error):
        return iter(("–", "–", "–"))
    return iter((f"{figures.fetched:,}", f"{figures.relevant:,}", f"{figures.harvest:.1%}"))
