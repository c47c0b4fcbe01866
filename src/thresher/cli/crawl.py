"""`thresher crawl`: crawl for a topic, or go on with a crawl."""

import asyncio
import errno
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from thresher import plugins
from thresher.budget import Stop
from thresher.cli import INTERRUPTED, completion
from thresher.cli.engines import seeds_for
from thresher.cli.running import fast_loop, run
from thresher.cli.source import read_source
from thresher.cli.topics import FAILED, Line, crawl_each, slug
from thresher.cli.values import toml_value
from thresher.cli.word import Choose, ask, leave_open, same_sense, settle_word, tell_concepts
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, DiskFull, FolderError, NoAnswer
from thresher.knowledge import Knowledge
from thresher.model import Url
from thresher.ontology.readers.installed import check_named
from thresher.seed.files import seed_urls
from thresher.seed.polite_download import Reach
from thresher.seed.sources import seeds_from
from thresher.settings import Manners, Settings, read_crawl_file, settle_settings
from thresher.urls import host_of, is_address

_OURS = {"crawl.lock", "crawl.new", "crawl.sqlite", "crawl.sqlite-wal", "crawl.sqlite-shm", "warc"}
_SEVERAL_SENSES = re.compile(r"[\w.]+(?:\s*,\s*[\w.]+)+")

# Where each option stands in a crawl file.
_PLACES = {
    "topic": "topic",
    "workers": "workers",
    "strategy": "strategy.name",
    "judge": "judge.name",
    "threshold": "judge.threshold",
    "ontology": "knowledge.ontologies",
    "sense": "knowledge.senses",
    "terms": "knowledge.terms",
    "taxonomy": "knowledge.taxonomy",
    "target": "knowledge.targets",
    "rules": "knowledge.rules",
    "language": "knowledge.languages",
    "pages": "budget.pages",
    "relevant": "budget.relevant",
    "minutes": "budget.minutes",
    "delay": "polite.delay",
    "contact": "polite.contact",
    "allow_private": "polite.allow_private",
    "depth": "scope.depth",
    "domain": "scope.domains",
    "proxy": "fetch.proxy",
}


@click.command()
@click.argument("source", nargs=-1, metavar="[WORD… | CRAWL.TOML | DIR]", shell_complete=completion.crawls)
@click.option("--topic", help="What to look for, in words.")
@click.option(
    "--topics",
    "topic_list",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A topic a line: each is crawled for, one after the other, in a folder of its own.",
)
@click.option("--seed", "seed", multiple=True, metavar="URL", help="Where to start; may be given several times.")
@click.option(
    "--seeds",
    "seed_lists",
    multiple=True,
    metavar="FILE-OR-URL",
    help="Urls from a list (one a line), a sitemap, robots.txt, a feed, bookmarks or a WARC; - reads standard input. May be given"
    " several times.",
)
@click.option("--search", is_flag=True, help="Ask search engines too; without seeds they are asked anyway.")
@click.option(
    "--strategy",
    metavar="NAME",
    help="Which links next: thresher strategies lists all (default: best-first; for a sense, lin or lokman).",
    shell_complete=completion.parts("strategy"),
)
@click.option(
    "--judge",
    metavar="NAME",
    help="Is a page on topic: terms (default; for a sense, concepts and sense together), concepts, classifier, sense, combine.",
    shell_complete=completion.parts("judge"),
)
@click.option("--threshold", type=float, help="Relevance from which on a page is relevant, 0 to 1.")
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
    help="Which meaning of the topic, as thresher senses WORD numbers them; none is the plain word.",
    shell_complete=completion.senses,
)
@click.option("--terms", metavar="FILE", help="A table of terms of your own: TOML or CSV.")
@click.option("--taxonomy", metavar="DIR", help="Example pages, a folder a class.")
@click.option("--target", multiple=True, metavar="CLASS", help="A class of the taxonomy that is sought.")
@click.option("--rules", metavar="FILE", help="Interclass rules, a TOML file.")
@click.option("--language", multiple=True, metavar="CODE", help="Another language that pages may be in, such as hi.")
@click.option("--pages", type=click.IntRange(min=1), help="Stop after so many pages.")
@click.option("--relevant", type=click.IntRange(min=1), help="Stop after so many relevant pages.")
@click.option("--minutes", type=float, help="Stop after so many minutes.")
@click.option("--delay", type=float, help="Seconds between two requests to a host (default 1).")
@click.option("--workers", type=click.IntRange(1, 1000), help="Pages under way at a time (default 16).")
@click.option("--contact", metavar="MAIL-OR-URL", help="Who answers for the crawl; stands in the user agent.")
@click.option("--domain", multiple=True, help="Stay on this domain; may be given several times.")
@click.option("--depth", type=int, help="Follow at most so many links from a seed.")
@click.option("--proxy", metavar="URL", help="Fetch through an HTTP proxy.")
@click.option("--allow-private", is_flag=True, default=None, help="Fetch private and loopback addresses too.")
@click.option(
    "--set", "extra", multiple=True, metavar="TABLE.KEY=VALUE", help="Any key of a crawl file: --set budget.dry_share=0"
)
@click.option(
    "--into", type=click.Path(path_type=Path), metavar="DIR", help="The crawl folder (default: named after the topic)."
)
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
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
    """Crawl for a topic. Run it again on the same folder and it goes on.

    A word is enough: its senses are shown and asked about, and search engines are asked where to start.

    \b
    thresher crawl iris --pages 500 --contact you@example.org
    thresher crawl iris --sense 2        the second of its senses, without asking
    thresher crawl --topic "iris eye" --seed https://example.org/ --pages 500 --contact you@example.org
    thresher crawl crawl.toml
    thresher crawl iris-eye              go on with the crawl in that folder
    thresher crawl --topics list.txt     several topics, one after the other
    """
    console = Console(stderr=True, highlight=False, quiet=quiet)
    if topic_list is not None:
        _refuse_beside_a_list(source, options)
        shared: dict[str, Any] = {}
        place_options(shared, seed, seed_lists, options)
        sys.exit(_several(topic_list, into, shared, console, search=search))
    wanted, where, into, word = read_source(" ".join(source), into)
    place_options(wanted, seed, seed_lists, options)
    folder = CrawlFolder(into or Path(slug(str(wanted.get("topic", "crawl")))))
    _begin(wanted, folder, console, ask if word else None, search=search)
    stop = run_to_its_end(folder, wanted, where, quiet=quiet)
    sys.exit(INTERRUPTED if stop.reason == "interrupted" else 0)


def _begin(
    wanted: dict[str, Any], folder: CrawlFolder, console: Console, choose: Choose | None, *, search: bool
) -> None:
    """What a crawl is told once: which sense is meant, if a word was all that was given, and where to start."""
    _check_names(wanted, "the command line")
    if folder.exists:
        kept = _check_names(read_crawl_file(folder.settings), str(folder.settings))
        same_sense(wanted, kept.topic, kept.knowledge)
        return
    _check_empty(folder.path)
    if not str(wanted.get("topic", "")).strip():
        raise BadInput(
            "no topic: say what to look for, as in thresher crawl iris or --topic 'iris eye', or name a crawl file or folder"
        )
    if choose:
        settle_word(wanted, console, choose)
    own = wanted.get("seeds", [])
    if choose or search or not own:
        concepts = tell_concepts(wanted, console)
    if search or not own:
        try:
            wanted["seeds"] = list(dict.fromkeys((*own, *seeds_for(wanted, concepts, console))))
        except NoAnswer as error:
            if not own:
                raise
            console.print(f"{error}\nStarting from your own seeds.", markup=False)


def _check_empty(path: Path) -> None:
    """A crawl does not spill into a folder of other things; what a start that failed has left is none."""
    others = [each.name for each in path.iterdir() if each.name not in _OURS] if path.is_dir() else []
    if others:
        raise BadInput(
            f"{path.absolute()} is not empty ({others[0]} lies in it) and holds no crawl: choose another --into"
        )


def _check_names(wanted: Mapping[str, Any], where: str) -> Settings:
    """A slip is told before anything is asked, of a person or of a search engine."""
    settings = Settings().with_changes({key: wanted[key] for key in wanted if key != "seeds"}, where)
    plugins.find("strategy", settings.strategy["name"])
    plugins.find("judge", settings.judge["name"])
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    for name in known.ontologies:
        check_named(name)
    return settings


def _refuse_beside_a_list(source: Sequence[str], options: Mapping[str, Any]) -> None:
    if source or options["topic"]:
        raise BadInput(f"--topics names all topics: write {' '.join(source) or options['topic']!r} into its list")
    if options["sense"]:
        raise BadInput("--sense is of one topic: write it into the list of --topics, behind the topic: iris | 2")


def _several(path: Path, into: Path | None, shared: Mapping[str, Any], console: Console, *, search: bool) -> int:
    def one(line: Line, folder: CrawlFolder) -> Stop:
        wanted: dict[str, Any] = {**deepcopy(shared), "topic": line.topic}
        if line.senses:
            _put(wanted, "knowledge.senses", list(line.senses))
        _begin(wanted, folder, console, leave_open, search=search)
        return run_to_its_end(folder, wanted, str(path), quiet=console.quiet)

    ends = crawl_each(path, into or Path(path.stem), one, shared.get("budget", {}), console)
    if "interrupted" in ends:
        return INTERRUPTED
    return 1 if FAILED in ends else 0


def run_to_its_end(folder: CrawlFolder, wanted: dict[str, Any], where: str, *, quiet: bool) -> Stop:
    """Crawl into a folder in front of a person, by the settings wanted and those that are there."""
    settings = settle_settings(folder, wanted, where)
    if not quiet:
        _warn_without_contact(settings)
    try:
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            return runner.run(run(folder, settings, quiet=quiet))
    except OSError as error:
        # From anywhere else than the ledger and the WARC files, which speak for themselves.
        known = DiskFull if error.errno == errno.ENOSPC else FolderError
        raise known(f"cannot crawl into {folder.path}: {error.strerror or error}") from error


def _seeds_of(names: Sequence[str], options: Mapping[str, Any]) -> list[Url]:
    """What files and web addresses list, one after the other, fetched with the manners of the crawl itself."""
    given = {key: value for key in ("contact", "delay", "allow_private") if (value := options.get(key)) is not None}
    manners = Manners(**given)
    reach = Reach(manners.user_agent, manners.delay, options.get("proxy"), manners.allow_private)
    return [url for name in names for url in seeds_from(name, reach, _tell)]


def _tell(text: str) -> None:
    if not click.get_current_context().params.get("quiet"):
        click.echo(f"thresher: {text}", err=True)


def place_options(
    wanted: dict[str, Any], seed: Sequence[str], seed_lists: Sequence[str], options: Mapping[str, Any]
) -> None:
    """Put the seeds and the options where a crawl file has them."""
    if seed or seed_lists:
        wanted["seeds"] = seed_urls([*seed, *_seeds_of(seed_lists, options)])
    elif isinstance(wanted.get("seeds"), list):
        wanted["seeds"] = seed_urls(wanted["seeds"])
    options = {**options, "sense": tuple(_senses(options.get("sense", ())))}
    for name, place in _PLACES.items():
        value = options.get(name)
        if value is not None and value != ():
            _put(wanted, place, list(value) if isinstance(value, tuple) else value)
    for pair in options.get("extra", ()):
        place, equals, value = pair.partition("=")
        if not equals:
            raise BadInput(f"--set {pair!r} is not of the form TABLE.KEY=VALUE")
        _put(wanted, place, toml_value(value))


def _senses(given: Iterable[str]) -> Iterator[str]:
    """`--sense 2,3` is two of them, as where one is asked."""
    for each in given:
        yield from re.split(r"\s*,\s*", each.strip()) if _SEVERAL_SENSES.fullmatch(each.strip()) else [each]


def _put(wanted: dict[str, Any], place: str, value: Any) -> None:
    *tables, key = place.split(".")
    for table in tables:
        inner = wanted.setdefault(table, {})
        if isinstance(inner, str):  # strategy = "best-first", the short form of a table
            inner = wanted[table] = {"name": inner}
        if not isinstance(inner, dict):
            raise BadInput(f"{place}: {table} is {inner!r}, but must be a table")
        wanted = inner
    wanted[key] = value


def _warn_without_contact(settings: Settings) -> None:
    if not settings.polite.get("contact") and not all(is_address(host_of(url)) for url in settings.seeds):
        click.echo("thresher: no --contact given: hosts cannot reach you if the crawl troubles them", err=True)
