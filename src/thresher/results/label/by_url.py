"""Labels by url, for programs: read, set and taken back without being asked. The judge need not be known here, nor any ontology read."""

import time
from collections.abc import Iterator, MutableMapping
from contextlib import closing, contextmanager
from pathlib import Path

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput, FolderLocked
from thresher.model import Url
from thresher.results.archive import Archive, settings_of
from thresher.store.current import current_page
from thresher.store.labels import HandLabel, label_of, labels, put_label, take_back_label
from thresher.urls import canonical


def label_page(path: Path, url: str, relevant: bool | None) -> None:  # noqa: FBT001 - yes, no, or skipped
    """Keep what a person says of a page as it is now. It replaces what they said of it before."""
    if relevant is not None and not isinstance(relevant, bool):
        raise BadInput(
            f"the label of {url} is {relevant!r}, but must be True, False, or None for a page that is skipped"
        )
    wanted = canonical(url)
    with Archive.open(path) as archive:
        if wanted is None or current_page(archive.read, wanted) is None:
            raise BadInput(f"{url} is not a page of {path}: only pages that the crawl has kept can be labelled")
    with _locked(path) as ledger:
        put_label(ledger, HandLabel(wanted, relevant, time.time()))


def take_back(path: Path, url: str) -> bool:
    """Forget what a person said of a page, as if nobody had been asked; False if nobody was."""
    wanted = canonical(url) or Url(url)
    with Archive.open(path) as archive:
        if label_of(archive.read, wanted) is None:
            return False
    with _locked(path) as ledger:
        take_back_label(ledger, wanted, None)
    return True


@contextmanager
def _locked(path: Path) -> Iterator[Ledger]:
    folder = CrawlFolder(path)
    settings_of(folder)
    if folder.in_use():
        raise FolderLocked(f"{path} is being crawled into: label its pages when the crawl has stopped")
    with folder, closing(Ledger(folder.database)) as ledger:
        yield ledger


class Labels(MutableMapping[str, bool | None]):
    """The labels of a crawl. Setting one is kept at once, and takes the folder for a moment: not while the crawl runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getitem__(self, url: str) -> bool | None:
        with Archive.open(self._folder) as archive:
            found = label_of(archive.read, canonical(url) or Url(url))
        if found is None:
            raise KeyError(url)
        return found.relevant

    def __setitem__(self, url: str, relevant: bool | None) -> None:
        label_page(self._folder, url, relevant)

    def __delitem__(self, url: str) -> None:
        if not take_back(self._folder, url):
            raise KeyError(url)

    def __iter__(self) -> Iterator[str]:
        return iter([each.url for each in self._all()])

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        said = [each.relevant for each in self._all()]
        return f"<{len(said)} labels: {said.count(True)} relevant, {said.count(False)} not, {said.count(None)} skipped>"

    def _all(self) -> list[HandLabel]:
        with Archive.open(self._folder) as archive:
            return labels(archive.read)
