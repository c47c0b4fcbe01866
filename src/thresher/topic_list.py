"""A list of topics, each crawled for in a folder of its own: what its lines say, which folder is whose, and what is done already."""

import itertools
import re
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from thresher.budget import Stop
from thresher.dialogue import Dialogue
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, ThresherError
from thresher.results.archive import Archive
from thresher.results.no_page import SILENT
from thresher.settings import read_crawl_file
from thresher.start import folder_name
from thresher.store.totals import Counts, counts
from thresher.which_sense import is_for

FAILED = "failed"
"""How a topic ends that cannot be crawled for."""
NO_PAGE = "no page"
"""How a topic ends whose crawl got no page."""
INTERRUPTED = "interrupted"
_UNFINISHED = {"", INTERRUPTED, SILENT}


class TopicLine(NamedTuple):
    """A topic of the list, and which senses of it are meant."""

    topic: str
    senses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.topic} | {', '.join(self.senses)}" if self.senses else self.topic


class TopicEnd(NamedTuple):
    """How the crawl for a topic ended."""

    reason: str
    folder: Path | None = None
    """None if it is not known which folder is the topic's."""

    def counts(self) -> Counts | None:
        """What the crawl has found; None if nothing can be read of it."""
        if self.folder is None:
            return None
        try:
            with Archive.open(self.folder) as archive:
                return counts(archive.read)
        except ThresherError:
            return None


CrawlTopic = Callable[[TopicLine, CrawlFolder], Stop]
"""Crawls for a topic into a folder."""


def crawl_each(
    path: Path, into: Path, one: CrawlTopic, budget: Mapping[str, Any], dialogue: Dialogue
) -> dict[TopicLine, TopicEnd]:
    """Crawl for every topic that is not done yet, until the list has no more. Topics may be appended while it runs."""
    done: dict[TopicLine, TopicEnd] = {}
    lines = read_topics(path)
    if not lines:
        raise BadInput(f"{path} names no topic: write one on each line")
    while line := next((each for each in lines if each not in done), None):
        done[line] = _crawled(line, into, one, budget, dialogue)
        if done[line].reason == INTERRUPTED:
            break
        lines = _read_again(path, lines, dialogue)
    return done


def _crawled(line: TopicLine, into: Path, one: CrawlTopic, budget: Mapping[str, Any], dialogue: Dialogue) -> TopicEnd:
    """How the topic ended, now or in an earlier run. A topic that cannot be crawled for does not hold up the others."""
    place = None
    try:
        folder = folder_of(line, into)
        place = folder.path
        reason = _end_before(folder, budget)
        if reason in _UNFINISHED:
            reason = one(line, folder).reason
    except KeyboardInterrupt:  # before the crawl itself has begun, which handles it
        reason = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the rest of a night's list is worth more than the mistake in one topic
        dialogue.failed(str(line), _told(error))
        reason = FAILED
    return TopicEnd(reason, place if place and CrawlFolder(place).exists else None)


def _told(error: Exception) -> str:
    if isinstance(error, ThresherError):
        return str(error)
    *_, place = traceback.extract_tb(error.__traceback__)
    return f"a fault of Thresher: {type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def _read_again(path: Path, before: list[TopicLine], dialogue: Dialogue) -> list[TopicLine]:
    """The list as it is now; as it was if somebody is just writing it, or took it away."""
    try:
        return read_topics(path)
    except BadInput as error:
        dialogue.notice(f"{error}; going on with the list as it was")
        return before


def read_topics(path: Path) -> list[TopicLine]:
    """A topic a line, with its sense behind `|` if it has several: `iris | iris.n.02`. Behind # stand notes."""
    try:
        rows = [re.split(r"(?:^|\s)#", line)[0].strip() for line in path.read_text("utf-8").splitlines()]
    except OSError as error:
        raise BadInput(f"{path} cannot be read as a list of topics: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} cannot be read as a list of topics: it is not UTF-8") from error
    lines = [_line(*row.split("|", 1)) for row in rows if row]
    return list(dict.fromkeys(lines))


def _line(topic: str, senses: str = "") -> TopicLine:
    return TopicLine(topic.strip(), tuple(each.strip() for each in senses.split(",") if each.strip()))


def folder_of(line: TopicLine, into: Path) -> CrawlFolder:
    """Where the topic is crawled for in these senses: the folder that was, wherever the line stood then, or else a new one.

    A folder has the name of its topic. Where another crawl has it, the senses are added, and where that is not enough, a number:
    `iris`, `iris-2` for `iris | 2`, `c` and `c_2` for `c++` and `c#`.
    """
    names = [folder_name(line.topic), folder_name(" ".join((line.topic, *line.senses)))]
    for path in sorted(into.glob(f"{names[0]}*/crawl.toml")):
        if _is_of(line, path, sure=path.parent.name in names):
            return CrawlFolder(path.parent)
    more = (f"{names[1]}_{number}" for number in itertools.count(2))
    return next(folder for name in itertools.chain(names, more) if not (folder := CrawlFolder(into / name)).exists)


def _is_of(line: TopicLine, settings: Path, *, sure: bool) -> bool:
    """Whether a crawl is the line's; a crawl file that cannot be read is a mistake in a folder that is surely its own."""
    try:
        return is_for(read_crawl_file(settings), line.topic, line.senses)
    except BadInput:
        if sure:
            raise
        return False


def _end_before(folder: CrawlFolder, budget: Mapping[str, Any]) -> str:
    """How the topic's crawl ended; nothing if it has not, got no page, or is to go on with another budget."""
    if not folder.exists or not folder.database.exists():
        return ""
    if not budget.items() <= read_crawl_file(folder.settings).get("budget", {}).items():
        return ""
    with Archive.open(folder.path) as archive:
        return (archive.stopped()[0] or "") if counts(archive.read).pages else ""
