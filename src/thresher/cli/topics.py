"""Several topics one after the other, each in a folder of its own; topics may be appended to the list while it runs."""

import itertools
import re
import sqlite3
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.budget import Stop
from thresher.cli.word import is_for
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, ThresherError
from thresher.results.archive import Archive
from thresher.settings import read_crawl_file
from thresher.store.reading import counts

FAILED = "failed"
"""How a topic ends that cannot be crawled for."""
INTERRUPTED = "interrupted"
_UNFINISHED = {"", INTERRUPTED}


class Line(NamedTuple):
    """A topic of the list, and which senses of it are meant."""

    topic: str
    senses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.topic} | {', '.join(self.senses)}" if self.senses else self.topic


class Row(NamedTuple):
    """How a topic went: a line of the summary."""

    ended: str
    folder: Path | None = None
    """None if it cannot be told which one is the topic's."""


Crawling = Callable[[Line, CrawlFolder], Stop]
"""Crawls for a topic into a folder."""


def read_topics(path: Path) -> list[Line]:
    """A topic a line, with its sense behind `|` if it has several: `iris | iris.n.02`. Behind # stand notes."""
    try:
        rows = [re.split(r"(?:^|\s)#", line)[0].strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: no list of topics can be read there: {error}") from error
    lines = [_line(*row.split("|", 1)) for row in rows if row]
    return list(dict.fromkeys(lines))


def _line(topic: str, senses: str = "") -> Line:
    return Line(topic.strip(), tuple(each.strip() for each in senses.split(",") if each.strip()))


def crawl_each(path: Path, into: Path, one: Crawling, budget: Mapping[str, Any], console: Console) -> list[str]:
    """Crawl for every topic that is not done yet, until the list has no more; how each ended."""
    done: dict[Line, Row] = {}
    lines = read_topics(path)
    if not lines:
        raise BadInput(f"{path} names no topic: write one a line")
    while line := next((each for each in lines if each not in done), None):
        done[line] = _crawled(line, into, one, budget, console)
        if done[line].ended == INTERRUPTED:
            break
        lines = _read_again(path, lines, console)
    console.rule("all topics", align="left")
    console.print(_summary(done))
    return [row.ended for row in done.values()]


def _crawled(line: Line, into: Path, one: Crawling, budget: Mapping[str, Any], console: Console) -> Row:
    """How the topic ended, now or in an earlier run. One that cannot be crawled for does not keep the others from it."""
    place = None
    try:
        folder = folder_of(line, into)
        place = folder.path
        ended = _ended(folder, budget)
        if ended in _UNFINISHED:
            console.rule(escape(str(line)), align="left")
            ended = one(line, folder).reason
    except KeyboardInterrupt:  # before the crawl itself has begun, which sees to it
        ended = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the rest of a night's list is worth more than one topic's mistake, whosever it is
        console.print(f"[red]{escape(str(line))}[/]: {escape(_told(error))}", soft_wrap=True)
        ended = FAILED
    return Row(ended, place if place and CrawlFolder(place).exists else None)


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


def folder_of(line: Line, into: Path) -> CrawlFolder:
    """Where the topic is crawled for in these senses: the folder that was, wherever the line stood then, or else a new one.

    A folder has the name of its topic. Where another crawl has it, the senses are added, and where that is not enough, a number:
    `iris`, `iris-2` for `iris | 2`, `c` and `c_2` for `c++` and `c#`.
    """
    names = [slug(line.topic), slug(" ".join((line.topic, *line.senses)))]
    for path in sorted(into.glob(f"{names[0]}*/crawl.toml")):
        if _is_of(line, path, sure=path.parent.name in names):
            return CrawlFolder(path.parent)
    more = (f"{names[1]}_{number}" for number in itertools.count(2))
    return next(folder for name in itertools.chain(names, more) if not (folder := CrawlFolder(into / name)).exists)


def _is_of(line: Line, settings: Path, *, sure: bool) -> bool:
    """Whether a crawl is the line's; a crawl file that cannot be read is a mistake in a folder that is surely its own."""
    try:
        return is_for(read_crawl_file(settings), line.topic, line.senses)
    except BadInput:
        if sure:
            raise
        return False


def slug(topic: str) -> str:
    """The name of a topic's folder."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in topic.lower()).split())[:80] or "crawl"


def _ended(folder: CrawlFolder, budget: Mapping[str, Any]) -> str:
    """How the topic's crawl ended; nothing if it has not, or is to go on with another budget."""
    if not folder.exists or not folder.database.exists():
        return ""
    if not budget.items() <= read_crawl_file(folder.settings).get("budget", {}).items():
        return ""
    with Archive.open(folder.path) as archive:
        return archive.stopped()[0] or ""


def _summary(done: Mapping[Line, Row]) -> Table:
    table = Table("topic", box=None, header_style="bold", pad_edge=False)
    for name in ("fetched", "relevant", "harvest"):
        table.add_column(name, justify="right")
    table.add_column("stopped")
    table.add_column("folder", overflow="fold")
    for line, (ended, folder) in done.items():
        table.add_row(escape(str(line)), *_figures(folder), escape(ended), escape(str(folder or "–")))
    return table


def _figures(folder: Path | None) -> tuple[str, str, str]:
    nothing = ("–", "–", "–")
    if folder is None:
        return nothing
    try:
        with Archive.open(folder) as archive:
            figures = counts(archive.read)
    except (ThresherError, sqlite3.Error):
        return nothing
    return f"{figures.fetched:,}", f"{figures.relevant:,}", f"{figures.harvest:.1%}"
