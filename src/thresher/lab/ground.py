"""The web of a task, opened: its pages for everybody, its labels for those who measure."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from thresher.errors import BadInput
from thresher.lab.generated import GeneratedWeb, generate
from thresher.lab.labels import Labels, read_labels
from thresher.lab.links import links_of
from thresher.lab.recording import Recording
from thresher.lab.replay import Pages, WebPages
from thresher.lab.task import Ground, Task
from thresher.model import Page, Response, Url
from thresher.parse.html import HtmlParser
from thresher.plugins import construct
from thresher.urls import canonical


class OpenGround:
    """What a task file names, read once."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._parser = HtmlParser()

    @cached_property
    def pages(self) -> Pages:
        """The answers of the web."""
        if self.ground.generated:
            return WebPages(self._web)
        return Recording.open(self.ground.paths, deny=self.ground.deny)

    @cached_property
    def labels(self) -> Labels:
        """What its pages are about."""
        if self.ground.generated:
            every = (canonical(url) for url in self._web.urls())
            return Labels({url: [self._web.topic_of(url) or ""] for url in every if url})
        return read_labels(self.ground.folder / self.ground.labels)

    @cached_property
    def _web(self) -> GeneratedWeb:
        web: GeneratedWeb = construct(generate, self.ground.generated, f"{self.ground.name}, [generated]")
        return web

    def targets(self, task: Task) -> frozenset[Url]:
        """The pages that count as found: those with a relevant label that the web has and that may be fetched."""
        for label in task.relevant:
            if label not in self.labels.known():
                raise BadInput(f"task {task.full_name}: no page has the label {label!r}")
        return frozenset(url for url in self.labels.having(task.relevant) if self._there(url))

    def distances(self, task: Task) -> dict[Url, int]:
        """Links from each page to the nearest that counts. It tells the labels: for the upper bound only."""
        if not isinstance(self.pages, Recording):
            raise BadInput(f"task {task.full_name}: the upper bound needs a recorded web")
        return links_of(self.pages, self._parser).distances(self.targets(task))

    def page(self, url: Url) -> Page | None:
        """A page of the web, parsed; None if there is none."""
        response = self._there(url)
        return self._parser.parse(response) if response else None

    def _there(self, url: Url) -> Response | None:
        response: Response | None = self.pages.read(url)
        return response if response is not None and response.status == 200 else None

    def labelled(self) -> Iterator[tuple[Url, frozenset[str]]]:
        """All pages that have a label, in the order of their urls."""
        return ((url, self.labels[url]) for url in sorted(self.labels) if self.labels[url])

    def close(self) -> None:
        """Let go of the files."""
        pages: Any = self.pages
        if isinstance(pages, Recording):
            pages.close()
