"""Where labels go: into the crawl's file while nothing crawls, and through its orders while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from thresher.disk.crawl_home import Home
from thresher.disk.tables import Tables
from thresher.errors import FolderError, FolderLocked
from thresher.model import Url
from thresher.orders.order import Label, Order, TakeBack
from thresher.results.archive import settings_of
from thresher.results.steer import answer_to, tell
from thresher.store.labels import HandLabel, make_labels, put_label, take_back_label

_PATIENCE = 30.0
"""Seconds that somebody who labels waits for a busy crawl."""


class LabelKeeper(Protocol):
    """Keeps labels, each at once."""

    def put(self, label: HandLabel) -> None:
        """Keep a label; it replaces an earlier label of the same url."""

    def take_back(self, url: Url, before: HandLabel | None) -> None:
        """Undo a label: the one before comes back, or none if there was none."""


class _InFile:
    """Writes into the file of a crawl that does not run."""

    def __init__(self, ledger: Tables) -> None:
        self._ledger = ledger

    def put(self, label: HandLabel) -> None:
        put_label(self._ledger, label)

    def take_back(self, url: Url, before: HandLabel | None) -> None:
        take_back_label(self._ledger, url, before)


class _ByOrder:
    """Lets the crawl that runs write them; then its judge and its strategy hear of them at once."""

    def __init__(self, folder: Home) -> None:
        self._folder = folder

    def put(self, label: HandLabel) -> None:
        self._carried_out(Label(label.url, label.relevant))

    def take_back(self, url: Url, before: HandLabel | None) -> None:
        self._carried_out(TakeBack(url))
        if before is not None:
            self.put(before)

    def _carried_out(self, order: Order) -> None:
        answer = answer_to(self._folder, tell(self._folder, order), _PATIENCE)
        if answer is None:
            raise FolderLocked(f"{self._folder.path} is in use, and the label waits until it is free")
        if not answer.done:
            raise FolderError(answer.sentence)


@contextmanager
def label_keeper(folder: Home) -> Iterator[LabelKeeper]:
    """What keeps the labels of a crawl now. A folder in which nothing crawls is locked meanwhile."""
    settings_of(folder)
    if folder.in_use():
        yield _ByOrder(folder)
        return
    with folder, folder.tables() as ledger:
        make_labels(ledger)
        yield _InFile(ledger)
