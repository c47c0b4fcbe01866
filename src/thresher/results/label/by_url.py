"""Labels by url, for programs: read, set and taken back without being asked. The judge need not be known here, nor any ontology read."""

import time
from collections.abc import Iterator, MutableMapping

from thresher.disk.crawl_home import Place, home_of
from thresher.errors import BadInput
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.label.keeper import label_keeper
from thresher.store.current import current_page
from thresher.store.labels import HandLabel, label_of, labels
from thresher.urls import canonical


def label_page(path: Place, url: str, relevant: bool | None) -> None:  # noqa: FBT001 - yes, no, or skipped
    """Keep what a person says of a page as it is now. It replaces what they said of it before."""
    if relevant is not None and not isinstance(relevant, bool):
        raise BadInput(
            f"the label of {url} is {relevant!r}, but must be True, False, or None for a page that is skipped"
        )
    wanted = canonical(url)
    with Archive.open(path) as archive:
        if wanted is None or current_page(archive.read, wanted) is None:
            raise BadInput(f"{url} is not a page of {path}: only pages that the crawl has kept can be labelled")
    with label_keeper(home_of(path)) as keeper:
        keeper.put(HandLabel(wanted, relevant, time.time()))


def take_back(path: Place, url: str) -> bool:
    """Forget what a person said of a page, as if nobody had been asked; False if nobody was."""
    wanted = canonical(url) or Url(url)
    found = False
    while _has_label(path, wanted):  # the one before the last may come back
        found = True
        with label_keeper(home_of(path)) as keeper:
            keeper.take_back(wanted, None)
    return found


def _has_label(path: Place, url: Url) -> bool:
    with Archive.open(path) as archive:
        return label_of(archive.read, url) is not None


class Labels(MutableMapping[str, bool | None]):
    """The labels of a crawl. Setting one is kept at once; a crawl that runs hears of it at once."""

    def __init__(self, folder: Place) -> None:
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
