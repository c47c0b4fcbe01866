"""What each page of a web is really about, as its editors say. For those who measure, not for those who crawl."""

import gzip
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from thresher.errors import BadInput
from thresher.model import Url
from thresher.urls import canonical


class PageLabels(Mapping[Url, frozenset[str]]):
    """The labels of each url. Only `lab` makes them, and no part of a crawl is ever given them."""

    def __init__(self, labels: Mapping[Url, Collection[str]]) -> None:
        self._labels = {url: frozenset(each) for url, each in labels.items()}

    def __getitem__(self, url: Url) -> frozenset[str]:
        return self._labels[url]

    def __iter__(self) -> Iterator[Url]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def having(self, wanted: Iterable[str]) -> frozenset[Url]:
        """The urls with any of these labels."""
        sought = frozenset(wanted)
        return frozenset(url for url, own in self._labels.items() if own & sought)

    @cached_property
    def known(self) -> frozenset[str]:
        """All labels there are."""
        return frozenset[str]().union(*self._labels.values())


def read_labels(path: Path) -> PageLabels:
    """A file with a url and its labels a line, a tab between them and `|` between labels; `.gz` is unpacked."""
    labels: dict[Url, set[str]] = {}
    for number, line in enumerate(_lines(path), 1):
        text, _, named = line.rstrip("\n").partition("\t")
        if not text.strip():
            continue
        url = canonical(text)
        if url is None:
            raise BadInput(f"{path}, line {number}: {text[:200]!r} is not a url")
        labels.setdefault(url, set()).update(name for each in named.split("|") if (name := each.strip()))
    return PageLabels(labels)


def _lines(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{path}: labels cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, EOFError, zlib.error) as error:
        raise BadInput(f"{path}: not a file of labels: {error}") from error
