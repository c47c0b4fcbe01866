"""What a running crawl tells in lines, one for each event: `--log FILE` for people and grep, `--json` for programs.

Both are watchers that write the same records (`event_records.py`), with the time first, and the figures of the crawl once a minute.
"""

import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from thresher.cli.minute import Minute
from thresher.cli.plain_output import json_text, say
from thresher.crawl import CrawlLoop
from thresher.errors import BadInput
from thresher.event_records import Record, record_of
from thresher.events import CrawlStarted, CrawlStopped, CrawlWaits, Event, PageVisited

_SEPARATORS = (",", ":")


class EventLines(ABC):
    """A watcher that writes a line for each event. How a line looks and where it goes is the subclasses' part."""

    def __init__(self) -> None:
        self.about: Record = {}
        """What is told of the crawl when it starts: its topic and folder."""

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        self._crawl, self._minute, self._wait_ends = crawl, Minute(crawl), float("-inf")
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Write what happened."""
        if isinstance(event, CrawlStarted):
            self._minute.begin()
        if not self._told_already(event):
            self._write(self._stamped(record_of(event) | self._beside(event)))
        self.tick()

    def tick(self) -> None:
        """Write the figures, once a minute."""
        if self._minute.over():
            self._write(self._stamped({"event": "progress", **self._minute.figures()}))

    def close(self) -> None:  # noqa: B027 - most have nothing to raise
        """Nothing more will be written. Raises what ended the writing, if that ends the command too."""

    def _told_already(self, event: Event) -> bool:
        """Each worker that finds nothing to do says so: the first one is enough."""
        if isinstance(event, PageVisited):
            self._wait_ends = float("-inf")
        if not isinstance(event, CrawlWaits):
            return False
        now = self._crawl.clock.now()
        told = now < self._wait_ends
        self._wait_ends = self._wait_ends if told else now + event.seconds
        return told

    def _beside(self, event: Event) -> Record:
        """What the event itself does not know."""
        if isinstance(event, CrawlStarted):
            return self.about
        if not isinstance(event, CrawlStopped):
            return {}
        tally = self._crawl.tally
        return {"fetched": tally.fetched, "relevant": tally.relevant, "harvest": round(tally.harvest, 4)}

    def _stamped(self, record: Record) -> Record:
        now = datetime.fromtimestamp(self._crawl.clock.now(), UTC)
        return {"at": f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03}Z", **record}

    @abstractmethod
    def _write(self, record: Record) -> None:
        """Write one record as a line."""


class JsonLines(EventLines):
    """JSON on standard output, flushed line by line. When its reader is gone, the crawl stops as after one Ctrl-C."""

    def __init__(self) -> None:
        super().__init__()
        self._error: OSError | None = None

    def _write(self, record: Record) -> None:
        if self._error is not None:
            return
        try:
            sys.stdout.write(json_text(record, separators=_SEPARATORS) + "\n")
            sys.stdout.flush()
        except OSError as error:
            self._error = error
            self._crawl.stop("interrupted", "the events cannot be written any more; run the same command to continue")

    def close(self) -> None:
        """Raise what ended the writing: the command ends as any other whose output cannot be written."""
        if self._error is not None:
            raise self._error


class LogFile(EventLines):
    """A file that lines are appended to. A disk that fills up is told once, and does not end the crawl."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        _check_is_log(path)
        try:
            self._new = not path.exists()
            # Unbuffered: what is not written now would be tried again, and fail again, when the file is closed.
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise BadInput(f"--log {path} cannot be written: {error.strerror}") from error
        self._lost, self._torn = 0, False

    def close(self) -> None:
        """Close the file; an empty one that we made goes."""
        self._file.close()
        if self._new and self._path.is_file() and not self._path.stat().st_size:
            self._path.unlink()

    def _write(self, record: Record) -> None:
        gap = log_line({"at": record["at"], "event": "gap", "lines": self._lost}) if self._lost else ""
        try:
            self._append(("\n" * self._torn + gap + log_line(record)).encode("utf-8", "replace"))
        except OSError as error:
            if not self._lost:
                say(f"the log {self._path} cannot be written: {error.strerror}; the crawl goes on without it")
            self._lost += 1
        else:
            self._lost = 0

    def _append(self, lines: bytes) -> None:
        """Write lines whole, and note if a full disk took only a part."""
        while lines:
            lines = lines[self._file.write(lines) :]
            self._torn = bool(lines)


def _check_is_log(path: Path) -> None:
    """Append to no file that is something else: a name in the wrong place must not spoil a crawl."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return
        with path.open("rb") as file:
            start = file.read(25)
    except OSError:
        return  # it is not there, or cannot be read: opening it will say so
    if start and not (start[:4].isdigit() and start[4:5] == b"-" and start.endswith(b"Z ")):
        raise BadInput(f"--log {path} is a file that is no log of a crawl: name another, or a new one")


def log_line(record: Record) -> str:
    """The time, the event and its values on one line; what is empty is left out.

    >>> log_line({"at": "2026-01-31T12:00:00.000Z", "event": "visit", "url": "https://example.org/", "title": "An eye", "parent": None})
    '2026-01-31T12:00:00.000Z visit url=https://example.org/ title="An eye"\\n'
    """
    at, event, *rest = record.items()
    values = "".join(f" {key}={_value(value)}" for key, value in rest if value is not None and value != "")
    return f"{at[1]} {event[1]}{values}\n"


def _value(value: Any) -> str:
    """The value as JSON has it, without quotes where it needs none."""
    text = json_text(value)
    plain = isinstance(value, str) and len(text) == len(value) + 2 and " " not in value and value[0] not in '"{['
    return text[1:-1] if plain else text


@contextmanager
def event_writers(log: Path | None, *, as_json: bool) -> Iterator[list[EventLines]]:
    """What `--log` and `--json` ask for. Opened before the crawl begins, so that a mistake is told first."""
    writers: list[EventLines] = [LogFile(log)] if log is not None else []
    writers += [JsonLines()] if as_json else []
    try:
        yield writers
    finally:
        for each in writers:
            each.close()
