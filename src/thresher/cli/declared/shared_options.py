"""Arguments and options that several commands have. An option of one name means the same in all of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from thresher.cli import completion

_Command = TypeVar("_Command", bound=Callable[..., Any])

SEED = click.option("--seed", "seed", multiple=True, metavar="URL", help="Where to start; may be given several times.")
SEED_LISTS = click.option(
    "--seeds",
    "seed_lists",
    multiple=True,
    metavar="FILE-OR-URL",
    help="Urls from a list (one on each line), a sitemap, robots.txt, a feed, bookmarks or a WARC; - reads standard input. May be given"
    " several times.",
)
PAGES = click.option("--pages", type=click.IntRange(min=1), help="Stop after this many pages.")
MINUTES = click.option("--minutes", type=float, help="Stop after this many minutes.")
DELAY = click.option("--delay", type=float, help="Seconds between two requests to a host (default 1).")
WORKERS = click.option(
    "--workers", type=click.IntRange(1, 1000), help="Pages to work on at the same time (default 16)."
)
HANDS = click.option(
    "--hands",
    type=click.IntRange(0, 64),
    help="Processes that fetch and read pages (default 1); with 0 the crawl's own process does it.",
)
CONTACT = click.option(
    "--contact", metavar="MAIL-OR-URL", help="Who is responsible for the crawl; part of the user agent."
)
DOMAIN = click.option("--domain", multiple=True, help="Stay on this domain; may be given several times.")
DEPTH = click.option("--depth", type=int, help="Follow at most this many links from a seed.")
PROXY = click.option("--proxy", metavar="URL", help="Fetch through an HTTP proxy.")
ALLOW_PRIVATE = click.option(
    "--allow-private", is_flag=True, default=None, help="Fetch private and loopback addresses too."
)
EXTRA = click.option(
    "--set", "extra", multiple=True, metavar="TABLE.KEY=VALUE", help="Any key of a crawl file: --set budget.dry_share=0"
)
LOG = click.option(
    "--log",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Append a line for each event to this file: visits, back-offs, waits, the stop.",
)
EVENTS = click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON, for programs.")
QUIET = click.option("--quiet", is_flag=True, help="Print nothing but errors.")
JSON = click.option("--json", "as_json", is_flag=True, help="For programs.")

FOLDER = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR", shell_complete=completion.folders)
TASKS = click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TASKS.toml…")
ONLY = click.option("--task", "only", multiple=True, metavar="NAME", help="Only this task; may be given several times.")


def part_option(kind: str, told: str) -> Callable[[_Command], _Command]:
    """`--strategy` or `--judge`: one part, with its keys."""
    return click.option(f"--{kind}", metavar="NAME[:KEY=VALUE,…]", help=told, shell_complete=completion.parts(kind))


def parts_option(kind: str, several: str, told: str, default: Sequence[str] = ()) -> Callable[[_Command], _Command]:
    """`--strategy` or `--judge`, as often as one likes; the command gets them by the name `several`."""
    return click.option(
        f"--{kind}",
        several,
        multiple=True,
        default=default,
        show_default=bool(default),
        metavar="NAME[:KEY=VALUE,…]",
        help=told,
        shell_complete=completion.parts(kind),
    )


def out_option(name: str, told: str, *, folder: bool = True) -> Callable[[_Command], _Command]:
    """`--out`: the folder or the file that is written, and its name if none is given."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=folder),
        default=Path(name),
        show_default=True,
        metavar="DIR" if folder else "FILE",
        help=told,
    )
