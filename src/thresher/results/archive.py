"""A crawl folder opened to be read: its settings, its catalogue, and the pages as they came, parsed again from the WARC files.

>>> with Archive.open(Path("iris-eye")) as archive:
...     archive.visit(url).page.title

A crawl may run meanwhile: nothing is written, and each question sees what was committed by then.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.budget import Budget
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_sqlite import blaming_damage
from thresher.errors import BadInput, did_you_mean
from thresher.fetchers import page_parser
from thresher.model import LISTS, PAGE, Response, Url, Visit
from thresher.orders.lasting import MORE, budget_given
from thresher.orders.state import pause_of
from thresher.plugins import construct
from thresher.settings import Settings, read_crawl_file
from thresher.store.current import show_current
from thresher.store.rejudgements import judge_words, round_in_force
from thresher.store.rows import visit_of
from thresher.store.states import recall
from thresher.store.visits import open_catalogue, visit_row
from thresher.warc.files import warc_paths
from thresher.warc.reader import Playback

_READ = {PAGE, *LISTS}


class Archive:
    """What one crawl kept."""

    def __init__(self, folder: CrawlFolder, settings: Settings, catalogue: sqlite3.Connection) -> None:
        self.folder, self.settings = folder, settings
        self.read = catalogue.execute
        """The way to read that the functions of `store` and `frontier.reading` take."""
        self.judged = round_in_force(self.read)
        """The round that judged the pages anew, if one is in force."""
        self._catalogue = catalogue
        self._files: dict[int, Path] = {}
        self._playback = Playback(self._files)
        self._parser = page_parser(settings)

    @classmethod
    def open(cls, path: Path) -> "Archive":
        """The archive of a crawl folder."""
        folder = CrawlFolder(path)
        settings, catalogue = settings_of(folder), open_catalogue(folder.database)
        with blaming_damage(folder.database):
            show_current(catalogue)
        return cls(folder, settings, catalogue)

    def __enter__(self) -> Self:
        self._open = ExitStack()
        self._open.enter_context(blaming_damage(self.folder.database))
        self._open.callback(self._catalogue.close)
        self._open.enter_context(self._playback)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def visit(self, url: Url) -> Visit | None:
        """What came of a url, with its page if one came; None if it was not visited."""
        row = visit_row(self.read, url)
        return None if row is None else self.visit_of(row)

    def visit_of(self, row: sqlite3.Row, *, holding: bytes = b"") -> Visit:
        """The visit of a row of the view `entry` or `current`; if its record is lost, the visit counts as failed.

        A page whose bytes do not contain `holding` is not parsed, which saves most of the time.
        """
        if row["file"] is not None and row["file"] not in self._files:
            self._files.update(self.warc_files())
        visit = visit_of(row, self._playback)
        if visit.outcome.name not in _READ or not isinstance(visit.fetched, Response):
            return visit
        if holding not in visit.fetched.body and visit.fetched.rendition is None:
            return visit
        return replace(visit, page=self._parser.parse(visit.fetched))

    @property
    def budget(self) -> Budget:
        """The budget that counts: what is configured, with what was given later by order."""
        configured: Budget = construct(Budget, self.settings.budget, "[budget]")
        return budget_given(configured, recall(self.read, MORE))

    def judged_by(self, row: sqlite3.Row) -> str:
        """The judge, in words, whose judgement a row of the view `current` has."""
        return str(self.judged) if self.judged and row["judged"] else judge_words(self.settings.judge)

    def stopped(self) -> tuple[str | None, str]:
        """Why the crawl ended, as a name and a sentence; no name if it runs, was killed, or ended by an error."""
        reason, _, message = (recall(self.read, "stopped") or b"").decode(errors="replace").partition("\n")
        pause = pause_of(self.read)
        if self.folder.in_use():
            return None, f"It is paused: {pause.why}; {pause.way_out(self.folder.path)}" if pause else "It is running"
        message = message or "It was killed: run the same command to continue"
        if pause is not None and not pause.spent:
            message += f"; it will be paused then: {pause.way_out(self.folder.path)}"
        return reason or None, message

    def warc_files(self) -> Mapping[int, Path]:
        """The WARC files by number."""
        return warc_paths(self.read, self.folder.warc)


def settings_of(folder: CrawlFolder) -> Settings:
    """The settings that a crawl folder goes on with."""
    if not folder.exists:
        raise BadInput(f"{folder.path} {_fault(folder)}")
    settings = Settings().with_changes(read_crawl_file(folder.settings), str(folder.settings))
    if not settings.topic:
        raise BadInput(f"{folder.settings} names no topic: it is not what a crawl has written")
    return settings


def _fault(folder: CrawlFolder) -> str:
    """Why the path is not a crawl folder."""
    if folder.path.is_dir():
        return f"is not the folder of a crawl: it has no {folder.settings.name}"
    if folder.path.exists():
        return "is a file: name the folder of a crawl"
    return f"is not there{_near(folder)}: name the folder of a crawl"


def _near(folder: CrawlFolder) -> str:
    """A crawl beside it with a similar name, in brackets: `(did you mean 'iris'?)`."""
    beside = [each.parent for each in folder.path.parent.glob(f"*/{folder.settings.name}")]
    return did_you_mean(folder.path.name, [each.name for each in beside], {each.name: str(each) for each in beside})
