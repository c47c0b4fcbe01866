"""Arguments and options that several commands have. An option of one name means the same in all of them."""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import click

from thresher.cli import completion
from thresher.cli.declared.command_types import CrawlPlace, NamedChoice, Number, ScopeEntry, SectionOption, WholeNumber

_Command = TypeVar("_Command", bound=Callable[..., Any])


def option(*names: str, section: str = "Options", **settings: Any) -> Callable[[_Command], _Command]:
    """An option, in a section of the help."""
    return click.option(*names, cls=SectionOption, section=section, **settings)


def together(*options: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    """Several options as one decorator; in the help they stand in this order."""
    return lambda command: reduce(lambda made, each: each(made), reversed(options), command)


# ── arguments ──

FOLDER = click.argument("folder", type=CrawlPlace(), metavar="DIR", shell_complete=completion.folders)
TASKS = click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TASKS.toml…")

# ── what to look for, and where to start ──

WHAT = "What to look for"
ONTOLOGY = option(
    "--ontology",
    "ontologies",
    section=WHAT,
    multiple=True,
    metavar="NAME-OR-FILE",
    help="Where words are looked up: wordnet, mondo, hpo, umls, or a file or folder (OBO, MeSH, SKOS, OWL, RRF, TOML, CSV). Without it:"
    " all that are installed.",
    shell_complete=completion.ontologies,
)
SENSE = option(
    "--sense",
    section=WHAT,
    multiple=True,
    metavar="SENSE",
    help="Which meaning: its number or id, as thresher senses WORD shows them, or words of its definition, such as eye; none for the"
    " plain word.",
    shell_complete=completion.senses,
)
TERMS = option(
    "--terms",
    section=WHAT,
    type=click.Path(),
    metavar="FILE",
    help="Your own table of terms, TOML or CSV: label, relation, weight, language.",
)
START = "Where to start"
SEEDS = together(
    option("--seed", "seed", section=START, multiple=True, metavar="URL", help="A page to start from."),
    option(
        "--seeds",
        "seed_lists",
        section=START,
        multiple=True,
        metavar="FILE-OR-URL",
        help="Urls from a list (one on each line), a sitemap, robots.txt, a feed, bookmarks or a WARC; - reads standard input.",
    ),
)

# ── how to choose ──

CHOICE = "How to choose"
THRESHOLD = option("--threshold", section=CHOICE, type=Number(), help="Minimum relevance for a page to count, 0 to 1.")
_PARTS = {
    "strategy": "How to choose the next link: a name that thresher strategies lists.",
    "judge": "How to decide whether a page is on topic: a name that thresher strategies --judges lists.",
}


def part_option(
    kind: str, default: str, *, several: str = "", section: str = "Options"
) -> Callable[[_Command], _Command]:
    """`--strategy` or `--judge`, with its keys; as often as one likes if the command gets them by the name `several`.

    The default is told, and the command acts on it.
    """
    return option(
        f"--{kind}",
        several or kind,
        section=section,
        multiple=bool(several),
        metavar="NAME[:KEY=VALUE,…]",
        show_default=default,
        help=_PARTS[kind],
        shell_complete=completion.parts(kind),
    )


def baseline_option(kind: str, default: str) -> Callable[[_Command], _Command]:
    """`--baseline`: a strategy, or a judge."""
    return option(
        "--baseline",
        default=default,
        show_default=True,
        metavar="NAME[:KEY=VALUE,…]",
        help="What the others are compared with; it runs too.",
        shell_complete=completion.parts(kind),
    )


# ── which urls belong to a crawl ──

_WHERE = "Where it may go"


def _entry(name: str, key: str, metavar: str, told: str) -> Callable[[_Command], _Command]:
    return option(name, section=_WHERE, multiple=True, type=ScopeEntry(key), metavar=metavar, help=told)


EXCLUDES = together(
    _entry("--exclude", "deny_patterns", "PATTERN", "Stay away from urls in which this regular expression is found."),
    _entry("--exclude-domain", "deny_domains", "NAME", "Stay away from this domain and all below it."),
    _entry("--exclude-host", "deny_hosts", "NAME", "Stay away from this host."),
    _entry("--exclude-prefix", "deny_prefixes", "URL", "Stay away from urls that begin with this."),
)
QUOTA = option("--quota", section=_WHERE, type=WholeNumber(min=1), help="Fetch at most this many urls of a host.")
SCOPE = together(
    _entry("--domain", "domains", "NAME", "Stay on this domain and all below it: example.org is also www.example.org."),
    _entry("--host", "hosts", "NAME", "Stay on this host."),
    _entry("--prefix", "prefixes", "URL", "Stay with urls that begin with this, such as https://example.org/docs/."),
    _entry("--include", "patterns", "PATTERN", "Stay with urls in which this regular expression is found."),
    EXCLUDES,
    option(
        "--depth",
        section=_WHERE,
        type=WholeNumber(min=0),
        help="Follow at most this many links from a seed.",
    ),
    QUOTA,
)

# ── when to stop, how to behave, how to run ──

_STOP, POLITE, RUN = "When to stop", "Manners", "How it runs"


def pages_option(
    default: int | None = None, least: int = 1, section: str = "Options"
) -> Callable[[_Command], _Command]:
    """`--pages`: how long a crawl is."""
    return option(
        "--pages",
        section=section,
        type=WholeNumber(min=least),
        default=default,
        show_default=default is not None,
        help="Stop a crawl after this many pages.",
    )


BUDGET = together(
    pages_option(section=_STOP),
    option("--minutes", section=_STOP, type=Number(), help="Stop a crawl after this many minutes."),
)
RELEVANT_PAGES = option(
    "--relevant-pages",
    section=_STOP,
    type=WholeNumber(min=1),
    help="Stop a crawl after this many relevant pages.",
)
WHEN_SPENT = option(
    "--when-spent",
    section=_STOP,
    type=NamedChoice(["stop", "pause"]),
    help="Stop when the budget is spent (default), or pause until thresher tell gives more.",
)
REACH = together(
    option("--proxy", section=POLITE, metavar="URL", help="Fetch through a proxy: HTTP or SOCKS."),
    option(
        "--allow-private",
        section=POLITE,
        is_flag=True,
        default=None,
        help="Fetch private and loopback addresses too.",
    ),
)
COOKIES = option(
    "--cookies",
    section=POLITE,
    metavar="FILE",
    help="Send the cookies of this file, in Netscape's format; session: keep those that servers set.",
)
MANNERS = together(
    option(
        "--contact",
        section=POLITE,
        metavar="MAIL-OR-URL",
        help="Who is responsible for the crawl; part of the user agent.",
    ),
    option("--delay", section=POLITE, type=Number(), help="Seconds between two requests to a host.", show_default="1"),
    REACH,
)


def respect_tdm_option(section: str = "Options") -> Callable[[_Command], _Command]:
    """`--respect-tdm`: what reserves text and data mining is left alone."""
    return option(
        "--respect-tdm",
        section=section,
        is_flag=True,
        default=None,
        help="Leave out pages that reserve text and data mining (noai, tdm-reservation).",
    )


LOG = option(
    "--log",
    section=RUN,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Append a line for each event to this file: visits, back-offs, waits, the stop.",
)
LEDGER = "THRESHER_LEDGER"
"""The variable that has the address of a crawl in PostgreSQL, for those who start workers: a command line can be read by others."""
WARC = option(
    "--warcs",
    "warc_place",
    section=RUN,
    metavar="DIR-OR-S3-URL",
    help="Where WARC files of a crawl in PostgreSQL are written: a folder, or s3://bucket/prefix.",
)
JSON = option("--json", "as_json", section=RUN, is_flag=True, help="Print JSON, for programs.")
QUIET = option("--quiet", section=RUN, is_flag=True, help="Print nothing but errors.")
RUNNING = together(
    option(
        "--workers",
        section=RUN,
        type=WholeNumber(1, 1000),
        show_default="16",
        help="Pages to work on at the same time.",
    ),
    option(
        "--hands",
        section=RUN,
        type=WholeNumber(0, 64),
        show_default="1",
        help="Processes that fetch and read pages; with 0 the crawl's own process does it.",
    ),
    option(
        "--browser",
        section=RUN,
        type=click.Choice(["never", "auto", "always"]),
        show_default="never",
        help="Render pages in Chromium: those that are empty without scripts (auto), or all.",
    ),
    option(
        "--set",
        "extra",
        section=RUN,
        multiple=True,
        metavar="TABLE.KEY=VALUE",
        help="Any key of a crawl file, such as budget.dry_share=0.",
    ),
    LOG,
    JSON,
    QUIET,
)

# ── what comes out ──


def into_option(default: str = "", *, told: str = "", required: bool = False) -> Callable[[_Command], _Command]:
    """`--into`: the folder that is made, or continued. Its default, or how it is named."""
    # Not `default=None`: click would take that for a value, and ask for none.
    usual = {"required": True} if required else {"default": Path(default) if default else None}
    return option(
        "--into",
        section=RUN,
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        **usual,
        show_default=told or bool(default),
        help="The folder to make, or to continue in.",
    )


def out_option(default: str = "", *, told: str = "") -> Callable[[_Command], _Command]:
    """`--out`: the file that is written. Its default, or how it is named."""
    return option(
        "-o",
        "--out",
        section=RUN,
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        default=Path(default) if default else None,
        show_default=told or bool(default),
        help="The file to write.",
    )


PLOT = option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the harvest curve: FILE.svg or FILE.png.",
)
FORCE = option("--force", is_flag=True, help="Replace what an earlier run wrote.")


def limit_option(dest: str = "limit", default: int | None = None) -> Callable[[_Command], _Command]:
    """`--limit`: of what a crawl kept, so much and no more."""
    return option(
        "--limit",
        dest,
        type=WholeNumber(min=1),
        default=default,
        show_default=default is not None,
        help="At most this many pages.",
    )


def jobs_option(default: int | None = None, *, told: str = "") -> Callable[[_Command], _Command]:
    """`--jobs`: processes."""
    return option(
        "--jobs",
        type=WholeNumber(min=1),
        default=default,
        show_default=told or True,
        help="How many processes work at the same time.",
    )


RELEVANT = option("--relevant", is_flag=True, help="Only relevant pages, by the judge or by your labels.")
ONLY = option("--task", "only", multiple=True, metavar="NAME", help="Only this task.")

# ── what listens on this machine ──

_LAST_PORT = 65535
PORT = option(
    "--port", type=WholeNumber(0, _LAST_PORT), default=0, help="The port to listen on (default: any that is free)."
)
