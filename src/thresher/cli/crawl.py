"""`thresher crawl`: crawl for a topic, or continue a crawl."""

import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.budget import Stop
from thresher.cli import NO_ANSWER
from thresher.cli.crawl_options import ledger_of, place_options, put, read_source
from thresher.cli.declared import crawl_command as declared
from thresher.cli.dialogue import ListDialogue, TerminalDialogue
from thresher.cli.event_lines import event_writers
from thresher.cli.running import CrawlEnd, run_to_its_end
from thresher.cli.terminal import Terminal
from thresher.disk.crawl_home import Home, Place, home_of
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.loading import INTERRUPTED
from thresher.start import folder_name, prepare
from thresher.topic_list import FAILED, NO_PAGE, TopicEnd, TopicLine, crawl_each
from thresher.topic_list import INTERRUPTED as STOPPED


@declared.crawl.work
def crawl(  # noqa: PLR0913 - an option each
    *,
    source: Sequence[str],
    topic_list: Path | None,
    seed: Sequence[str],
    seed_lists: Sequence[str],
    search: bool,
    into: Path | None,
    ledger: str | None,
    log: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Prepare one crawl, or one for each topic of a list, and run it to its end."""
    console = Terminal(stderr=True, highlight=False, quiet=quiet)
    writers = click.get_current_context().with_resource(event_writers(log, as_json=as_json))
    run = partial(run_to_its_end, quiet=quiet or as_json, writers=writers)
    if topic_list is not None:
        ledger = None if _from_environment("ledger") else ledger
        _refuse_beside_a_list(source, options, ledger)
        for_all: dict[str, Any] = {}
        place_options(for_all, seed, seed_lists, options)
        sys.exit(_several(topic_list, into, for_all, console, run, search=search))
    wanted, where, place, word = read_source(" ".join(source), options["topic"], into)
    place_options(wanted, seed, seed_lists, options, where)
    folder = place or Path(folder_name(str(wanted.get("topic", "crawl"))))
    # What the environment says holds for all crawls of a session, a folder or an address that is named for this one.
    named = _from_environment("ledger") and place is not None and home_of(place).exists
    home = home_of(folder) if ledger is None or named else _in_database(ledger, folder, wanted)
    complete = prepare(wanted, home, TerminalDialogue(console), by_sense=word, search=search, where=where)
    sys.exit(run(home, complete, where).exit_code)


def _from_environment(option: str) -> bool:
    return click.get_current_context().get_parameter_source(option) is ParameterSource.ENVIRONMENT


def _in_database(ledger: str, folder: Place, wanted: dict[str, Any]) -> Home:
    """The crawl at that address. Its WARC files are written into the folder that a crawl without a database would have."""
    home = home_of(ledger_of(ledger))
    if not home.exists and "place" not in wanted.get("store", {}):
        put(wanted, "store.place", str(Path(str(folder)).absolute() / "warc"))
    return home


def _refuse_beside_a_list(source: Sequence[str], options: Mapping[str, Any], ledger: str | None) -> None:
    if source or options["topic"]:
        raise BadInput(
            f"--topics names a file of all topics: write {' '.join(source) or options['topic']!r} into that file"
        )
    if ledger is not None:
        raise BadInput("--ledger keeps one crawl: crawl each topic of the list by itself, with a ?schema= of its own")
    if options["sense"]:
        raise BadInput("--sense belongs to one topic: write it into the file of --topics, after the topic: iris | 2")


def _several(  # noqa: PLR0913 - what a list of topics needs
    path: Path,
    into: Path | None,
    for_all: Mapping[str, Any],
    console: Console,
    run: Callable[[CrawlFolder, dict[str, Any], str], CrawlEnd],
    *,
    search: bool,
) -> int:
    dialogue = ListDialogue(console)

    def one(line: TopicLine, folder: CrawlFolder) -> Stop:
        console.rule(escape(str(line)), align="left")
        wanted: dict[str, Any] = {**deepcopy(for_all), "topic": line.topic}
        if line.senses:
            put(wanted, "knowledge.senses", list(line.senses))
        complete = prepare(wanted, folder, dialogue, by_sense=True, search=search)
        end = run(folder, complete, str(path))
        return Stop(NO_PAGE, end.no_page) if end.exit_code == NO_ANSWER else end.stop

    done = crawl_each(path, into or Path(path.stem), one, for_all.get("budget", {}), dialogue)
    console.rule("all topics", align="left")
    console.print(_summary(done))
    ends = {each.reason for each in done.values()}
    return INTERRUPTED if STOPPED in ends else 1 if ends & {FAILED, NO_PAGE} else 0


def _summary(done: Mapping[TopicLine, TopicEnd]) -> Table:
    table = Table("topic", box=None, header_style="bold", pad_edge=False)
    for name in ("fetched", "relevant", "harvest"):
        table.add_column(name, justify="right")
    table.add_column("stopped")
    table.add_column("folder", overflow="fold")
    for line, end in done.items():
        counts = end.counts()
        figures = (
            (f"{counts.fetched:,}", f"{counts.relevant:,}", f"{counts.harvest:.1%}") if counts else ("–", "–", "–")
        )
        table.add_row(escape(str(line)), *figures, escape(end.reason), escape(str(end.folder or "–")))
    return table
