"""`thresher taxonomy`: what its commands take."""

from pathlib import Path

import click

from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import HelpfulGroup, WholeNumber, described

_LEARN = "What to learn from"


@click.group(cls=HelpfulGroup)
def taxonomy() -> None:
    """Learn a taxonomy (a classifier and interclass rules) from classes with urls; browse it and mark targets."""


@described("taxonomy", group=taxonomy)
@click.argument("source", type=click.Path(path_type=Path), metavar="SOURCE")
@shared.option("--under", section=_LEARN, multiple=True, metavar="PATH", help="Only classes at this path and below it.")
@shared.option(
    "--least",
    section=_LEARN,
    type=WholeNumber(min=1),
    default=20,
    show_default=True,
    help="Leaves with fewer urls are merged into the class above them (150 in the paper).",
)
@shared.option(
    "--most",
    section=_LEARN,
    type=WholeNumber(min=1),
    default=150,
    show_default=True,
    help="The most urls of a class that are fetched.",
)
@shared.option(
    "--only-leaves", section=_LEARN, is_flag=True, help="Leave out urls that stand above the leaves, as the paper does."
)
@shared.option(
    "--linked",
    section=_LEARN,
    type=WholeNumber(min=0),
    default=150,
    show_default=True,
    help="How many links of the examples of a class are followed, to learn the rules from.",
)
@shared.option(
    "--links-of",
    section=_LEARN,
    multiple=True,
    metavar="PATH",
    help="Follow the links of classes at this path and below it only.",
)
@shared.EXCLUDES
@shared.QUOTA
@shared.BUDGET
@shared.MANNERS
@shared.into_option(required=True)
@shared.RUNNING
def learn() -> None:
    """Learn a classifier and interclass rules from classes with urls. Run it again on the same folder to continue.

    SOURCE is a table (CSV with the columns class and url), a folder of lists of urls (Science/Physics.txt), bookmarks as browsers export
    them, or an RDF dump of the Open Directory. A class is a path: Science/Physics.

    The example pages are fetched as politely as in a crawl (train-0), then a sample of the pages that they link to (train-1).

    \b
    thresher taxonomy learn classes.csv --into science --contact you@example.org
    thresher taxonomy learn content.rdf.u8 --into physics --under Science/Physics
    thresher crawl physics --taxonomy science --target Science/Physics \\
        --judge classifier --strategy interclass-rules --seed https://example.org/
    """


@described("taxonomy", group=taxonomy, renamed={"--depth": "--levels"})
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("path", default="")
@shared.option("--levels", type=WholeNumber(min=1), default=3, show_default=True, help="How many levels are shown.")
@shared.option(
    "--mark", multiple=True, metavar="PATH", help="Look for this class, or all below it, in crawls from now on."
)
@shared.option("--unmark", multiple=True, metavar="PATH", help="Do not look for it any longer.")
@shared.option("--pick", is_flag=True, help="Browse the tree at the terminal and mark targets there.")
@shared.JSON
def show() -> None:
    """Show the classes of a learnt taxonomy as a tree, with the pages that each was learnt from; mark the targets of crawls.

    With a PATH: the tree below it, and the classes whose pages lead there by the rules.

    \b
    thresher taxonomy show science
    thresher taxonomy show science Science/Physics --levels 1
    thresher taxonomy show science --mark Science/Physics
    thresher taxonomy show science --pick
    """
