"""Who links to whom in a recorded web, and how far each page is from a goal: what no crawler knows, for bounds and for figures."""

import inspect
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_128_hexdigest

from thresher import parse, urls
from thresher.disk.caches import derived_places, write_derived
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.replay import passed
from thresher.lab.webs.web_pages import denying
from thresher.model import Response, Url
from thresher.ontology.packed_arrays import Strings
from thresher.outcomes import redirect_target
from thresher.ports import Parser
from thresher.urls import url_hash

SUFFIX = ".links.npz"
_REDIRECTS = {301, 302, 303, 307, 308}
Numbers = NDArray[np.int32]


class LinkGraph:
    """Recorded urls and the recorded urls that they link to, as numbers in two arrays; what is denied leads nowhere."""

    def __init__(self, recording: Recording, starts: NDArray[np.int64], targets: Numbers, redirects: Numbers) -> None:
        self._recording = recording
        self._starts, self._targets = starts, targets
        self._redirects = redirects
        """For each url the number of the one that it redirects to, or -1."""

    def __len__(self) -> int:
        """How many links there are between recorded urls."""
        return len(self._targets)

    def links(self, url: Url) -> list[Url]:
        """Where a page links to, in the order of the page; empty for what is no page, or not recorded."""
        number = self._names.number(url)
        if number is None or self._denied[number]:
            return []
        row = self._targets[self._starts[number] : self._starts[number + 1]]
        return [self._names[target] for target in row.tolist() if not self._denied[target]]

    def distances(self, targets: Iterable[Url]) -> dict[Url, int]:
        """Links from each url to the nearest target; a redirect costs none. Urls from which none can be reached are absent."""
        steps = np.full(len(self._names), -1, np.int32)
        numbers = {number for url in targets if (number := self._names.number(url)) is not None}
        reached = np.array(sorted(numbers), np.int32)
        step = 0
        while len(reached := reached[(steps[reached] < 0) & ~self._denied[reached]]):
            steps[reached] = step
            # Redirects to what was just reached are as near as that; only when there are no more of them comes the next step.
            passing = _rows(*self._redirecting, reached)
            while len(passing := passing[(steps[passing] < 0) & ~self._denied[passing]]):
                steps[passing] = step
                reached = np.concatenate((reached, passing))
                passing = _rows(*self._redirecting, passing)
            reached = np.unique(_rows(*self._linking, reached))
            step += 1
        return {self._names[number]: int(steps[number]) for number in np.flatnonzero(steps >= 0).tolist()}

    @cached_property
    def _names(self) -> "_Names":
        return _Names(self._recording)

    @cached_property
    def _denied(self) -> NDArray[np.bool_]:
        denied = denying(self._recording.deny)
        return np.array([denied(url) is not None for url in self._names], np.bool_)

    @cached_property
    def _linking(self) -> tuple[NDArray[np.int64], Numbers]:
        """Who links to each url."""
        sources = np.repeat(np.arange(len(self._names), dtype=np.int32), np.diff(self._starts))
        return _turned(len(self._names), sources, self._targets)

    @cached_property
    def _redirecting(self) -> tuple[NDArray[np.int64], Numbers]:
        """Who redirects to each url."""
        sources = np.flatnonzero(self._redirects >= 0).astype(np.int32)
        return _turned(len(self._names), sources, self._redirects[sources])


def links_of(recording: Recording, parser: Parser) -> LinkGraph:
    """The links of all recorded pages, as this parser sees them; parsed once, and kept beside the index."""
    key = _key(recording, parser)
    wanted = derived_places(recording.beside, SUFFIX)
    for path in wanted:
        if (kept := _kept(path, key)) is not None:
            return LinkGraph(recording, *kept)
    arrays = _parsed(recording.whole(), parser)
    write_derived(wanted, partial(_save, key=key, arrays=arrays))
    return LinkGraph(recording, *arrays)


Arrays = tuple[NDArray[np.int64], Numbers, Numbers]
"""Where each url's links start, the links, and the redirects."""


def _parsed(recording: Recording, parser: Parser) -> Arrays:
    names = _Names(recording)
    targets, starts, redirects = array("i"), array("q", [0]), array("i")
    for url in names:
        response = recording.read(url)
        found = names.numbers(_targets(response, parser)) if response else []
        leads = bool(found) and response is not None and response.status in _REDIRECTS
        redirects.append(found[0] if leads else -1)
        targets.extend([] if leads else found)
        starts.append(len(targets))
    return np.array(starts, np.int64), np.array(targets, np.int32), np.array(redirects, np.int32)


def _targets(response: Response, parser: Parser) -> list[Url]:
    """Where the loop would go from here."""
    if response.status in _REDIRECTS:
        target = redirect_target(response)
        return [target] if target else []
    if not 200 <= response.status < 300 or passed(response) is not response:
        return []
    page = parser.parse(response)
    refresh = [page.refresh] if page.refresh else []
    return [link.target for link in page.links if page.follow] + refresh


def _key(recording: Recording, parser: Parser) -> str:
    """A digest of all that the links depend on: the recording, the parser as it describes itself, and the code that reads them.

    A parser without a description of its own is described by its address, so that its links are never found again.
    """
    rooms = {Path(inspect.getfile(type(parser))).parent, Path(parse.__file__).parent}
    beside = {code for room in rooms for code in room.glob("*.py")}
    # The sources, also where a compiled file lies beside them.
    codes = sorted({*beside, Path(urls.__file__).with_name("urls.py"), Path(__file__)})
    said = f"{recording.index.stamp()} {type(parser).__qualname__} {parser!r}"
    return xxh3_128_hexdigest(said.encode() + b"".join(code.read_bytes() for code in codes))


def _save(path: Path, key: str, arrays: Arrays) -> None:
    starts, targets, redirects = arrays
    np.savez(path, key=np.array(key), starts=starts, targets=targets, redirects=redirects)


def _kept(path: Path, key: str) -> Arrays | None:
    with suppress(OSError, ValueError, KeyError, BadZipFile), np.load(path, allow_pickle=False) as kept:
        if str(kept["key"]) == key:
            return kept["starts"], kept["targets"], kept["redirects"]
    return None


class _Names:
    """The urls of a recording by number, and back by their hashes."""

    def __init__(self, recording: Recording) -> None:
        self._urls = Strings.of(recording.whole().urls())
        hashes = np.array([url_hash(Url(url)) for url in self._urls], np.int64)
        self._order = np.argsort(hashes).astype(np.int32)
        self._hashes = hashes[self._order]

    def __len__(self) -> int:
        return len(self._urls)

    def __getitem__(self, number: int) -> Url:
        return Url(self._urls[number])

    def __iter__(self) -> Iterator[Url]:
        return map(Url, self._urls)

    def numbers(self, wanted: Sequence[Url]) -> list[int]:
        """The numbers of those urls that are recorded.

        By hash alone: of a hundred million links in a web of five million pages the chance that one goes wrong is 1 : 30,000.
        """
        if not wanted or not len(self._hashes):
            return []
        hashes = np.array([url_hash(url) for url in wanted], np.int64)
        where = np.minimum(self._hashes.searchsorted(hashes), len(self._hashes) - 1)
        numbers: list[int] = self._order[where[self._hashes[where] == hashes]].tolist()
        return numbers

    def number(self, url: Url) -> int | None:
        """The number of a url; None if it is not recorded."""
        return next(iter(self.numbers([url])), None)


def _turned(count: int, sources: Numbers, targets: Numbers) -> tuple[NDArray[np.int64], Numbers]:
    """For each target its sources, as rows."""
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(targets, minlength=count), out=starts[1:])
    return starts, sources[np.argsort(targets, kind="stable")]


def _rows(starts: NDArray[np.int64], values: Numbers, wanted: Numbers) -> Numbers:
    """The rows of these numbers, end to end."""
    lengths = starts[wanted + 1] - starts[wanted]
    ends = np.cumsum(lengths)
    among = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts[wanted] - ends + lengths, lengths)
    rows: Numbers = values[among]
    return rows
