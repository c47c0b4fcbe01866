"""`thresher crawl`: crawl for a topic, or continue a crawl."""

import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.budget import Stop
from thresher.cli import completion
from thresher.cli import crawl_options as shared
from thresher.cli.crawl_options import place_options, put, read_source
from thresher.cli.dialogue import ListDialogue, TerminalDialogue
from thresher.cli.running import run_to_its_end
from thresher.cli.shared_options import part_option
from thresher.cli.terminal import Terminal
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.loading import INTERRUPTED
from thresher.start import folder_name, prepare
from thresher.topic_list import FAILED, TopicEnd, TopicLine, crawl_each
from thresher.topic_list import INTERRUPTED as STOPPED


@click.command()
@click.argument("source", nargs=-1, metavar="[WORD… | CRAWL.TOML | DIR]", shell_complete=completion.crawls)
@click.option("--topic", help="What to look for, in words.")
@click.option(
    "--topics",
    "topic_list",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file with one topic on each line; each is crawled in a folder of its own, one after the other.",
)
@shared.SEED
@shared.SEED_LISTS
@click.option("--search", is_flag=True, help="Also ask search engines for seeds; without seeds they are always asked.")
@part_option(
    "strategy",
    "How to choose the next link; thresher strategies lists all (default: apprentice; lin if one of several senses is meant).",
)
@part_option(
    "judge",
    "How to decide whether a page is on topic: terms, meaning, concepts, classifier, sense or combine (default: terms; if a sense is"
    " known, concepts, together with sense if the word has several).",
)
@click.option("--threshold", type=float, help="Minimum relevance for a page to count, 0 to 1.")
@click.option(
    "--ontology",
    multiple=True,
    metavar="NAME-OR-FILE",
    help="Where concepts come from (default: all installed).",
    shell_complete=completion.ontologies,
)
@click.option(
    "--sense",
    multiple=True,
    metavar="NUMBER-OR-ID",
    help="Which meaning of the topic, as thresher senses WORD shows them; none for the plain word.",
    shell_complete=completion.senses,
)
@click.option("--terms", metavar="FILE", help="Your own table of terms: TOML or CSV.")
@click.option(
    "--taxonomy",
    metavar="DIR",
    help="What thresher taxonomy learn made; or example pages, in one folder for each class.",
)
@click.option(
    "--target",
    multiple=True,
    metavar="CLASS",
    help="A class of the taxonomy to look for, or a path above several (default: those marked in a learnt taxonomy).",
)
@click.option("--rules", metavar="FILE", help="Interclass rules, a TOML file.")
@click.option("--language", multiple=True, metavar="CODE", help="Another language that pages may be in, such as hi.")
@click.option(
    "--like",
    multiple=True,
    metavar="URL-OR-FILE",
    help="A page such as you look for, for the judge meaning; give 5 to 20 of them.",
)
@shared.PAGES
@click.option("--relevant", type=click.IntRange(min=1), help="Stop after this many relevant pages.")
@shared.MINUTES
@shared.DELAY
@shared.WORKERS
@shared.HANDS
@shared.CONTACT
@shared.DOMAIN
@shared.DEPTH
@shared.PROXY
@shared.ALLOW_PRIVATE
@shared.EXTRA
@click.option(
    "--into", type=click.Path(path_type=Path), metavar="DIR", help="The crawl folder (default: named after the topic)."
)
@shared.QUIET
def crawl(  # noqa: PLR0913 - an option each
    *,
    source: Sequence[str],
    topic_list: Path | None,
    seed: Sequence[str],
    seed_lists: Sequence[str],
    search: bool,
    into: Path | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Crawl for a topic. Run it again on the same folder to continue.

    A word is enough: you are asked which of its senses you mean, and search engines are asked where to start.

    \b
    thresher crawl iris --pages 500 --contact you@example.org
    thresher crawl iris --sense 2        the second of its senses, without asking
    thresher crawl --topic "iris eye" --seed https://example.org/ --pages 500 --contact you@example.org
    thresher crawl crawl.toml
    thresher crawl iris-eye              continue the crawl in that folder
    thresher crawl --topics list.txt     several topics, one after the other
    """
    console = Terminal(stderr=True, highlight=False, quiet=quiet)
    if topic_list is not None:
        _refuse_beside_a_list(source, options)
        for_all: dict[str, Any] = {}
        place_options(for_all, seed, seed_lists, options)
        sys.exit(_several(topic_list, into, for_all, console, search=search))
    wanted, where, into, word = read_source(" ".join(source), into)
    place_options(wanted, seed, seed_lists, options)
    folder = CrawlFolder(into or Path(folder_name(str(wanted.get("topic", "crawl")))))
    complete = prepare(wanted, folder, TerminalDialogue(console), by_sense=word, search=search)
    stop = run_to_its_end(folder, complete, where, quiet=quiet)
    sys.exit(INTERRUPTED if stop.reason == STOPPED else 0)


def _refuse_beside_a_list(source: Sequence[str], options: Mapping[str, Any]) -> None:
    if source or options["topic"]:
        raise BadInput(
            f"--topics names a file of all topics: write {' '.join(source) or options['topic']!r} into that file"
        )
    if options["sense"]:
        raise BadInput("--sense belongs to one topic: write it into the file of --topics, after the topic: iris | 2")


def _several(path: Path, into: Path | None, for_all: Mapping[str, Any], console: Console, *, search: bool) -> int:
    dialogue = ListDialogue(console)

    def one(line: TopicLine, folder: CrawlFolder) -> Stop:
        console.rule(escape(str(line)), align="left")
        wanted: dict[str, Any] = {**deepcopy(for_all), "topic": line.topic}
        if line.senses:
            put(wanted, "knowledge.senses", list(line.senses))
        complete = prepare(wanted, folder, dialogue, by_sense=True, search=search)
        return run_to_its_end(folder, complete, str(path), quiet=console.quiet)

    done = crawl_each(path, into or Path(path.stem), one, for_all.get("budget", {}), dialogue)
    console.rule("all topics", align="left")
    console.print(_summary(done))
    ends = {each.reason for each in done.values()}
    return INTERRUPTED if STOPPED in ends else 1 if FAILED in ends else 0


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
