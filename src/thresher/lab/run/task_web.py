"""The web of a task, opened: its pages for everybody, its labels for those who measure."""

import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any

from thresher.errors import BadInput
from thresher.lab.run.ignore_robots_meta import HeedlessParser
from thresher.lab.run.parse_cache import ReadOnce
from thresher.lab.run.task import Ground, Task
from thresher.lab.webs.deny import denying
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.link_graph import links_of
from thresher.lab.webs.page_labels import Labels, read_labels
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.replay import Pages, WebPages
from thresher.model import Page, Response, Url
from thresher.plugins import construct
from thresher.urls import canonical


class OpenGround:
    """What a task file names, read once. Its files are closed when nobody needs it any more."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._denied = denying(ground.deny)
        # Nobody's server is asked, so a page's wish not to be followed protects no one; and the counts of others ignore it too.
        self._heedless = HeedlessParser()
        self.parser = ReadOnce(self._heedless)
        """How the crawls of the lab, and all that is known before them, read pages."""
        self._targets: dict[tuple[str, ...], frozenset[Url]] = {}

    @cached_property
    def pages(self) -> Pages:
        """The answers of the web."""
        if self.ground.generated:
            return WebPages(self._web)
        with _placed(f"{self.ground.place}, warc"):
            recording = Recording.open(self.ground.paths, deny=self.ground.deny)
        weakref.finalize(self, recording.close)
        return recording

    @cached_property
    def labels(self) -> Labels:
        """What its pages are about."""
        if self.ground.generated:
            return Labels({url: [self._web.topic_of(url) or ""] for url in self._urls()})
        with _placed(f"{self.ground.place}, labels"):
            return read_labels(self.ground.folder / self.ground.labels)

    @cached_property
    def _web(self) -> GeneratedWeb:
        where = f"{self.ground.place}, [generated]"

        @wraps(generate)
        def placed(**shape: Any) -> GeneratedWeb:
            with _placed(where):
                return generate(**shape)

        web: GeneratedWeb = construct(placed, self.ground.generated, where)
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
            return links_of(self.pages, self._heedless).distances(targets)
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
        return (url for text in self._web.urls() if (url := canonical(text)) is not None)

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
