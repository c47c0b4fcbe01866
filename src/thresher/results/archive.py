"""A crawl opened to be read: its settings, its catalogue, and the pages as they came, parsed again from the WARC files.

>>> with Archive.open(Path("iris-eye")) as archive:
...     archive.visit(url).page.title

A crawl may run meanwhile: nothing is written, and each question sees what was committed by then.
"""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.budget import Budget
from thresher.disk.crawl_home import Home, Place, home_of
from thresher.disk.found_rows import Readable, Row
from thresher.errors import BadInput
from thresher.fetchers import page_parser
from thresher.model import LISTS, PAGE, Response, Url, Visit
from thresher.orders.lasting import MORE, budget_given
from thresher.orders.state import pause_of
from thresher.plugins import construct
from thresher.settings import Settings, kept_tables
from thresher.store.current import show_current
from thresher.store.rejudgements import judge_words, round_in_force
from thresher.store.rows import visit_of
from thresher.store.states import recall
from thresher.store.visits import open_catalogue, visit_row
from thresher.warc.reader import Playback, RecordFile, RecordFiles
from thresher.warc.record_files import record_files

_READ = {PAGE, *LISTS}


class Archive:
    """What one crawl kept."""

    def __init__(self, folder: Home, settings: Settings, catalogue: Readable) -> None:
        self.folder, self.settings = folder, settings
        self.read = catalogue.execute
        """The way to read that the functions of `store` and `frontier.reading` take."""
        self.judged = round_in_force(self.read)
        """The round that judged the pages anew, if one is in force."""
        self._catalogue = catalogue
        self._files: dict[int, Path | RecordFile] = {}
        self._playback = Playback(self._files)
        self._parser = page_parser(settings)

    @classmethod
    def open(cls, place: Place) -> "Archive":
        """The archive of a crawl: in a folder, or in a database."""
        return cls.of(home_of(place))

    @classmethod
    def of(cls, home: Home) -> "Archive":
        """The archive of a crawl whose place is known already."""
        settings, catalogue = settings_of(home), open_catalogue(home)
        try:
            with home.blaming_damage():
                show_current(catalogue)
            return cls(home, settings, catalogue)
        except BaseException:
            catalogue.close()
            raise

    def __enter__(self) -> Self:
        self._open = ExitStack()
        self._open.enter_context(self.folder.blaming_damage())
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

    def visit_of(self, row: Row, *, holding: bytes = b"") -> Visit:
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

    def judged_by(self, row: Row) -> str:
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

    def warc_files(self) -> RecordFiles:
        """The WARC files by number."""
        return record_files(self.folder, self.read)


def settings_of(home: Home) -> Settings:
    """The settings that a crawl goes on with."""
    if not home.exists:
        raise BadInput(f"{home.path} {home.fault}")
    settings = Settings().with_changes(kept_tables(home), home.settings_name)
    if not settings.topic:
        raise BadInput(f"{home.settings_name} names no topic: it is not what a crawl has written")
    return settings
