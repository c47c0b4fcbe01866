"""The web of a task, opened: its pages for everybody, its labels for those who measure.

Pages are parsed once and kept (`ParseCache`), and links are followed even where a page says `nofollow` (`NofollowIgnoringParser`).
"""

import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, wraps
from types import TracebackType
from typing import Any, Self

from thresher.errors import BadInput
from thresher.lab.run.task import Task, WebSource
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.link_graph import links_of
from thresher.lab.webs.page_labels import PageLabels, read_labels
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.web_pages import Pages, WebPages, denying
from thresher.model import Page, Response, Url
from thresher.parse.html import HtmlParser
from thresher.plugins import construct
from thresher.ports import Parser
from thresher.urls import canonical

_LINK_BYTES = 300
"""A link in memory: its tuple and its url."""


class NofollowIgnoringParser:
    """Reads pages like `HtmlParser`, but follows their links even if the page or its `X-Robots-Tag` says `nofollow`.

    No server is asked, so the wish protects nobody, and the figures of other people ignore it too. Of the 5,462 pages of the schools'
    Wikipedia 425 say so.
    """

    def __init__(self) -> None:
        # No subclass of it: compiled classes allow none. Hidden links are not followed: published figures are without them.
        self._parser = HtmlParser(hidden=False)

    def __repr__(self) -> str:
        return f"NofollowIgnoringParser({self._parser!r})"

    def parse(self, response: Response) -> Page:
        """Read one response."""
        page = self._parser.parse(response)
        return page if page.follow else replace(page, follow=True)


class ParseCache:
    """A parser that keeps the pages it has read, by url, up to about so many bytes: most of what a run costs is reading pages.

    It also keeps what each reading cost, so that a later run can be charged for it.
    """

    def __init__(self, parser: Parser, most_bytes: int = 256_000_000) -> None:
        self._parser = parser
        self._room = most_bytes
        self._read: dict[Url, tuple[Page, float]] = {}
        self.spared = 0.0
        """CPU seconds that reading all these pages again would have taken."""

    def parse(self, response: Response) -> Page:
        """Read one response, or find it read."""
        known = self._read.get(response.url)
        if known is not None:
            self.spared += known[1]
            return known[0]
        start = time.process_time()
        page = self._parser.parse(response)
        if (size := _size(page)) <= self._room:
            self._room -= size
            self._read[response.url] = page, time.process_time() - start
        return page


def _size(page: Page) -> int:
    texts = (page.text, page.main)
    return sum(len(text) * (1 if text.isascii() else 2) for text in texts) + _LINK_BYTES * len(page.links)


class TaskWeb:
    """The web that a task file names. Whoever makes it closes it; it opens its files when they are first needed."""

    def __init__(self, source: WebSource) -> None:
        self.source = source
        self._denied = denying(source.deny)
        self._links_parser = NofollowIgnoringParser()
        self.parser = ParseCache(self._links_parser)
        """How the crawls of the lab, and all that is known before them, read pages."""
        self._targets: dict[tuple[str, ...], frozenset[Url]] = {}
        self._close: Callable[[], object] = lambda: None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close its files. If it is asked again, it opens them again."""
        self._close()
        self.__dict__.pop("pages", None)

    @cached_property
    def pages(self) -> Pages:
        """The answers of the web."""
        if self.source.generated:
            return WebPages(self._generated)
        with _placed(f"{self.source.place}, warc"):
            recording = Recording.open(self.source.paths, deny=self.source.deny)
        # One that nobody closed is closed when nobody needs it any more.
        self._close = weakref.finalize(self, recording.close)
        return recording

    @cached_property
    def labels(self) -> PageLabels:
        """What its pages are about."""
        if self.source.generated:
            return PageLabels({url: [self._generated.topic_of(url) or ""] for url in self._urls()})
        with _placed(f"{self.source.place}, labels"):
            return read_labels(self.source.folder / self.source.labels)

    @cached_property
    def _generated(self) -> GeneratedWeb:
        where = f"{self.source.place}, [generated]"

        @wraps(generate)
        def placed(**shape: Any) -> GeneratedWeb:
            with _placed(where):
                return generate(**shape)

        web: GeneratedWeb = construct(placed, self.source.generated, where)
        return web

    def targets(self, task: Task) -> frozenset[Url]:
        """The pages that count as found: those with a relevant label that the web has and that may be fetched."""
        wanted = tuple(task.relevant)
        if wanted not in self._targets:
            self._check_labels(task)
            self._targets[wanted] = frozenset(url for url in self.labels.having(wanted) if self.has(url))
        return self._targets[wanted]

    def _check_labels(self, task: Task) -> None:
        for label in task.relevant:
            if label not in self.labels.known:
                known = sorted(self.labels.known)
                listed = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
                raise BadInput(f"{task.place}: no page has the label {label!r}; the labels: {listed}")

    def distances(self, task: Task) -> dict[Url, int]:
        """Links from each page to the nearest that counts. It tells the labels: for the upper bound only."""
        targets = self.targets(task)
        if isinstance(self.pages, Recording):
            return links_of(self.pages, self._links_parser).distances(targets)
        return distances_to(self._links(), targets)

    def page(self, url: Url) -> Page | None:
        """A page of the web, parsed; None if there is none."""
        response = self._there(url)
        return self.parser.parse(response) if response else None

    def has(self, url: Url) -> bool:
        """Whether the web has such a page, and it may be fetched."""
        return self._there(url) is not None

    def absent(self, urls: Iterable[Url]) -> list[Url]:
        """Those of the urls where a crawl finds nothing: they are not in the web, may not be fetched, or were gone even then."""
        return [url for url in urls if (answer := self._answer(url)) is None or answer.status >= 400]

    def labelled(self) -> Iterator[tuple[Url, frozenset[str]]]:
        """All pages that have a label, in the order of their urls."""
        return ((url, self.labels[url]) for url in sorted(self.labels) if self.labels[url])

    def _answer(self, url: Url) -> Response | None:
        return None if self._denied(url) else self.pages.read(url)

    def _there(self, url: Url) -> Response | None:
        response = self._answer(url)
        return response if response is not None and response.status == 200 else None

    def _urls(self) -> Iterator[Url]:
        return (url for text in self._generated.urls() if (url := canonical(text)) is not None)

    def _links(self) -> Iterator[tuple[Url, Url]]:
        """Every link of a generated web: the page it is on, and where it leads."""
        for url in self._urls():
            if (page := self.page(url)) is not None:
                yield from ((url, link.target) for link in page.links)


@contextmanager
def _placed(where: str) -> Iterator[None]:
    """Say of a mistake where it stands in the task file."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from error


def distances_to(links: Iterable[tuple[Url, Url]], targets: Iterable[Url]) -> dict[Url, int]:
    """Links from each page to the nearest target, by a walk against the links that starts at all targets at once."""
    sources: dict[Url, list[Url]] = {}
    for source, target in links:
        sources.setdefault(target, []).append(source)
    far = dict.fromkeys(targets, 0)
    waiting = deque(far)
    while waiting:
        url = waiting.popleft()
        for source in sources.get(url, ()):
            if source not in far:
                far[source] = far[url] + 1
                waiting.append(source)
    return far
