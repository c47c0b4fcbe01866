"""How pages were found, as a tree that is opened a step at a time: hosts that led to hosts, pages that led to pages."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from nicegui import ui

from thresher.errors import ThresherError
from thresher.model import Url
from thresher.results.watch.found_tree import HostNode, PageNode, led_to, pages_of_host
from thresher.view.frame import OpenCrawl
from thresher.view.parts import trouble
from thresher.view.watching import watched

Filled = Callable[[], Awaitable[None]]


def draw_key() -> None:
    """What the shades mean."""
    with ui.element("div").classes("key"):
        for share, words in ((0.0, "not relevant"), (0.5, "half"), (1.0, "all relevant")):
            with ui.element("span"):
                _shade(share)
                ui.label(words)
        with ui.element("span"):
            _shade(None)
            ui.label("no page")


def _shade(share: float | None) -> None:
    """A small square, the darker the more relevant; hatched where there is no page."""
    square = ui.element("span").classes("shade" if share is not None else "shade none").props('aria-hidden="true"')
    if share is not None:
        square.style(f"--share: {share:.2f}")


class HostTree:
    """Nested lists. What is below a line is asked for when somebody opens it."""

    def __init__(self, crawl: OpenCrawl) -> None:
        """Draw it, without a line yet."""
        self._crawl, self._watched = crawl, watched(crawl.home)
        self._begun = False
        self._root = ui.element("ul").classes("tree")

    async def begin(self) -> None:
        """Draw the first line, if that was not done yet."""
        if not self._begun:
            with self._root:
                await self._add_hosts(None, 0)
            self._begun = bool(self._root.default_slot.children)

    async def _add_hosts(self, host: str | None, skip: int) -> None:
        tree = await self._crawl.ask(self._watched.tree)
        step = tree.step(host, skip)
        for node in step.nodes:
            self._draw_host(node)
        if step.more:
            _more_button(f"{step.more:,} more hosts", partial(self._add_hosts, host, skip + len(step.nodes)))

    def _draw_host(self, node: HostNode) -> None:
        leads = f", led to {node.leads_to:,} host{'s' * (node.leads_to != 1)}" if node.leads_to else ""
        with _opening(f"Open {node.name}", partial(self._open_host, node)):
            _shade(node.harvest if node.fetched else None)
            ui.label(node.name).classes("tree-name")
            ui.label(f"{node.relevant:,} of {node.fetched:,} relevant{leads}").classes("tree-note")

    async def _open_host(self, node: HostNode) -> None:
        with ui.element("li"), ui.element("ul").classes("flat"):
            await self._add_pages_of(node.host, 0)
        if node.leads_to:
            await self._add_hosts(node.host, 0)

    async def _add_pages_of(self, host: str, skip: int) -> None:
        step = await self._crawl.ask(pages_of_host, host, skip)
        self._draw_pages(step.nodes)
        if step.more:
            _more_button(f"More pages of {host}", partial(self._add_pages_of, host, skip + len(step.nodes)))

    async def _add_led_to(self, url: Url, skip: int) -> None:
        step = await self._crawl.ask(led_to, url, skip)
        self._draw_pages(step.nodes)
        if step.more:
            _more_button("More pages", partial(self._add_led_to, url, skip + len(step.nodes)))
        elif not skip and not step.nodes:
            with ui.element("li"):
                ui.label("It led to no other page.").classes("soft")

    def _draw_pages(self, nodes: Sequence[PageNode]) -> None:
        for node in nodes:
            opens = partial(self._add_led_to, node.address, 0) if node.outcome == "page" else None
            with _opening(f"What {node.title} led to", opens):
                _shade(node.relevance)
                with ui.element("span").classes("tree-page"):
                    ui.link(node.title, self._crawl.address("page", node.number)).classes("cell-link")
                ui.label(_page_note(node)).classes("tree-note")


def _page_note(node: PageNode) -> str:
    if node.relevance is None:
        return node.outcome
    return f"{node.relevance:.2f}{' · a copy' * node.copy}"


@contextmanager
def _opening(name: str, fill: Filled | None) -> Iterator[None]:
    """A line of the tree, with a button that opens what is below it, if there is something."""
    with ui.element("li"):
        with ui.element("div").classes("tree-line"):
            button = _arrow(name) if fill else ui.element("span").classes("tree-open")
            yield
        if fill:
            branch = ui.element("ul")
            branch.set_visibility(False)
            button.on("click", partial(_toggle, button, branch, fill))


def _arrow(name: str) -> ui.element:
    button = ui.element("button").classes("tree-open")
    button.props["type"], button.props["aria-label"], button.props["aria-expanded"] = "button", name, "false"
    with button:
        ui.label("▸").classes("arrow").props('aria-hidden="true"')
    return button


async def _toggle(button: ui.element, branch: ui.element, fill: Filled) -> None:
    opened = button.props["aria-expanded"] == "false"
    button.props["aria-expanded"] = "true" if opened else "false"
    button.update()
    branch.set_visibility(opened)
    if opened and not branch.default_slot.children:
        with branch:
            await _filled(fill)


async def _filled(fill: Filled) -> None:
    try:
        await fill()
    except ThresherError as error:
        with ui.element("li"):
            trouble(str(error))


def _more_button(words: str, fill: Filled) -> None:
    """A button that puts more lines in its own place."""
    with ui.element("li") as place:
        button = ui.element("button").classes("tree-more").props('type="button"')
        with button:
            ui.label(words)
    branch = place.parent_slot

    async def more() -> None:
        place.delete()
        if branch is not None:
            with branch:
                await _filled(fill)

    button.on("click", more)
