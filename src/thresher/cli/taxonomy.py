"""`thresher taxonomy learn` makes a taxonomy of classes with urls; `thresher taxonomy show` browses it and marks targets."""

import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from thresher.classify.class_tree import SEPARATOR, ClassTree
from thresher.classify.learnt_folder import ClassSize, LearntFolder
from thresher.classify.link_rules import RuleScores
from thresher.cli.crawl_options import place_options
from thresher.cli.declared import taxonomy_commands as declared
from thresher.cli.event_lines import EventLines, event_writers
from thresher.cli.minute import Minute
from thresher.cli.plain_output import echo_json, say
from thresher.cli.progress import NoDisplay, say_at, while_there_is_a_terminal
from thresher.cli.running import CrawlEnd, in_a_loop, run_watched
from thresher.cli.stopping import goes_on
from thresher.cli.target_picker import TargetPicker, size_of
from thresher.cli.terminal import Terminal
from thresher.crawl import CrawlLoop
from thresher.events import Event, PageVisited
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.taxonomy.classed_urls import class_path
from thresher.taxonomy.example_crawl import DEPTH, fetched_before, fetching, training_settings
from thresher.taxonomy.example_urls import ExampleOptions
from thresher.taxonomy.learning import Learning, LearningReport
from thresher.taxonomy.training_folder import DrawReport, LearningOptions, TrainingFolder

_DRAW_EVERY = 0.25
_MOST_LEADING = 10


# ── learn ──


@declared.learn.work
def learn(  # noqa: PLR0913 - an option each
    *,
    source: Path,
    into: Path,
    under: Sequence[str],
    least: int,
    most: int,
    only_leaves: bool,
    linked: int,
    links_of: Sequence[str],
    log: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Draw the examples, fetch them and what they link to, and learn."""
    paths = [class_path(path.split(SEPARATOR)) for path in under]
    chosen = ExampleOptions(least, most, paths, only_leaves)
    writers = click.get_current_context().with_resource(event_writers(log, as_json=as_json))
    wish = LearningOptions(source, chosen, linked, links_of, bool(options["allow_private"]))
    folder = TrainingFolder(into, wish)
    console = Terminal(stderr=True, highlight=False, quiet=quiet)
    with goes_on(lambda: "no page was asked for in this run"), console.status(f"reading {escape(str(source))}"):
        report, classes = folder.draw(), folder.examples()
    _say_drawn(report, console)
    wanted: dict[str, Any] = {}
    place_options(wanted, (), (), options)
    end = _fetch(folder, classes, wanted, writers, quiet=quiet or as_json)
    if end.stop.reason == "interrupted":
        say("stopped; the pages so far are kept; run the same command to continue")
    if end.exit_code:
        sys.exit(end.exit_code)
    _say_learnt(_learn(folder, console), folder, console)


def _say_drawn(report: DrawReport | None, console: Console) -> None:
    if report is None:
        return
    console.print(
        f"{report.classes:,} classes with {report.urls:,} of {report.listed:,} urls; {report.merged:,} small leaves merged upward"
    )
    if report.left_out:
        console.print(f"{report.left_out:,} urls stand above the leaves and belong to no class: left out")


def _fetch(
    folder: TrainingFolder,
    classes: Mapping[str, Sequence[Url]],
    wanted: Mapping[str, Any],
    writers: Sequence[EventLines],
    *,
    quiet: bool,
) -> CrawlEnd:
    settings = training_settings(folder, classes, wanted)
    display = _display(fetched_before(folder), quiet=quiet)

    async def work() -> CrawlEnd:
        _, end = await run_watched(
            folder.pages, fetching(folder, classes, settings), settings, display, writers, quiet=quiet
        )
        return end

    return in_a_loop(work(), folder.pages)


def _learn(folder: TrainingFolder, console: Console) -> LearningReport:
    columns = (TextColumn("learning"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        goes_on(lambda: "the pages are kept, and learning begins again") as interrupts,
        Archive.open(folder.pages.path) as archive,
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        learning = Learning(folder, archive)
        task = bar.add_task("", total=learning.steps())

        def told(pages: int) -> None:
            interrupts.check()
            bar.advance(task, pages)

        return learning.run(told)


def _say_learnt(report: LearningReport, folder: TrainingFolder, console: Console) -> None:
    console.print(
        f"Learnt {len(report.sizes):,} classes from {report.examples:,} example pages (train-0), and {report.rules:,} rules from "
        f"{report.linked:,} pages that they link to (train-1).",
        soft_wrap=True,
    )
    if report.lost:
        console.print(f"No example page came of: {', '.join(report.lost)}", markup=False, soft_wrap=True)
    console.print(f"Next: thresher taxonomy show {shlex.quote(str(folder.path))}", markup=False, soft_wrap=True)


class FetchDisplay:
    """How many pages of train-0 and train-1 there are: a bar in a terminal, a line a minute elsewhere."""

    def __init__(self, before: Mapping[int, int], bar: Progress) -> None:
        self._pages = Counter(before)
        self._bar, self._task = bar, bar.add_task("", total=None, words="")
        self._shown = time.monotonic()

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        self._crawl, self._minute = crawl, Minute(crawl)
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Count a page, and now and then show how many there are."""
        if isinstance(event, PageVisited) and event.visit.page is not None:
            self._pages[event.visit.claim.candidate.depth] += 1
        self.tick()

    def tick(self) -> None:
        """Show how far it is, if it is time to."""
        words = f"train-0 {self._pages[0]:,} pages, train-1 {self._pages[DEPTH]:,}"
        if not self._bar.disable:
            self._draw(words)
        elif self._minute.over():
            figures = self._minute.figures()
            line = f"{words}; {figures['fetched']:,} urls fetched, {figures['waiting']:,} waiting, {figures['rate']} a second"
            say_at(self._crawl.clock.now(), line, self._bar.console)

    def _draw(self, words: str) -> None:
        """How much there is to fetch grows with the links that are found."""
        if time.monotonic() - self._shown < _DRAW_EVERY:
            return
        self._shown = time.monotonic()
        done, waiting = self._crawl.tally.visits, self._crawl.frontier.census().waiting
        with while_there_is_a_terminal():
            self._bar.update(self._task, completed=done, total=done + waiting, words=words, refresh=True)


@contextmanager
def _display(before: Mapping[int, int], *, quiet: bool) -> Iterator[FetchDisplay | NoDisplay]:
    console = Terminal(stderr=True)
    columns = (TextColumn("fetching"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[words]}"))
    drawn = console.is_terminal and not quiet
    bar = Progress(*columns, console=console, transient=True, auto_refresh=False, disable=not drawn)
    bar.start()
    try:
        yield NoDisplay() if quiet else FetchDisplay(before, bar)
    finally:
        with while_there_is_a_terminal():
            bar.stop()


# ── show ──


@declared.show.work
def show(  # noqa: PLR0913 - an option each
    folder: Path, path: str, *, levels: int, mark: Sequence[str], unmark: Sequence[str], pick: bool, as_json: bool
) -> None:
    """Mark what is to be marked, and draw or print the tree."""
    learnt = LearntFolder(folder)
    sizes = learnt.sizes()
    tree = ClassTree(sizes)
    here = tree.named(path) if path else ""
    targets = _marked(learnt, tree, mark, unmark)
    if pick:
        targets = learnt.mark(TargetPicker(sizes, targets, Terminal(stderr=True, highlight=False)).pick())
    if as_json:
        echo_json({"targets": targets, "classes": [_as_json(each, tree, sizes) for each in _nodes(here, tree)]})
        return
    console = Terminal(highlight=False)
    console.print(_drawn(here, tree, sizes, targets, levels))
    if here:
        _say_what_leads(here, learnt, tree, console)
    marked = ", ".join(targets) or "none; mark some with --mark PATH or --pick"
    console.print(f"Marked as targets: {marked}", markup=False, soft_wrap=True)


def _marked(learnt: LearntFolder, tree: ClassTree, mark: Sequence[str], unmark: Sequence[str]) -> list[str]:
    before = learnt.targets()
    if not mark and not unmark:
        return before
    gone = set(map(tree.named, unmark))
    return learnt.mark(each for each in (*before, *mark) if tree.named(each) not in gone)


def _nodes(here: str, tree: ClassTree) -> list[str]:
    return [here] if here else tree.children()


def _drawn(here: str, tree: ClassTree, sizes: Mapping[str, ClassSize], targets: Sequence[str], depth: int) -> Table:
    table = Table("class", "examples", "linked", "", box=None, header_style="bold", pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = "right"
    waiting = [(0, each) for each in reversed(_nodes(here, tree))]
    while waiting:
        level, path = waiting.pop()
        size, below = size_of(path, tree, sizes), tree.children(path)
        name = escape(path if not level else path.rpartition(SEPARATOR)[2])
        hidden = f" [dim]({len(below)} below)[/]" if below and level + 1 >= depth else ""
        mark = "[green]● target[/]" if path in targets else ""
        table.add_row(f"{'  ' * level}{name}{hidden}", f"{size.examples:,}", f"{size.linked:,}", mark)
        if level + 1 < depth:
            waiting += [(level + 1, each) for each in reversed(below)]
    return table


def _say_what_leads(here: str, learnt: LearntFolder, tree: ClassTree, console: Console) -> None:
    scores = RuleScores(learnt.rules(), tree.classes(here))
    worth = {label: score for label in tree.classes() if (score := scores.of_class(label)) is not None}
    console.print("\nPages of these classes lead there, by the rules:" if worth else "\nNo rule leads there.")
    for label in sorted(worth, key=worth.__getitem__, reverse=True)[:_MOST_LEADING]:
        console.print(f"  {worth[label]:.2f}  {scores.best_path(label)}", markup=False, soft_wrap=True)


def _as_json(path: str, tree: ClassTree, sizes: Mapping[str, ClassSize]) -> dict[str, Any]:
    size = size_of(path, tree, sizes)
    below = [_as_json(each, tree, sizes) for each in tree.children(path)]
    return {"path": path, **size._asdict(), "below": below}
