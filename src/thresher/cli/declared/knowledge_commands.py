"""`thresher senses`, `topic`, `ontology`, `strategies` and `doctor`: what they take."""

import click

from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import NamedChoice, described


@described("topic")
@click.argument("phrase", nargs=-1, required=True)
@shared.ONTOLOGY
@shared.JSON
def senses() -> None:
    """Show what a word or phrase can mean: numbered senses with glosses, synonyms and counts.

    \b
    thresher senses iris
    thresher senses breast carcinoma --ontology mondo
    """


@described("topic")
@click.argument("phrase", nargs=-1, required=True)
@shared.ONTOLOGY
@shared.SENSE
@shared.option(
    "--profile",
    type=NamedChoice(["design", "requirements"]),
    default="design",
    show_default=True,
    help="The weights of the tiers.",
)
@shared.TERMS
@shared.JSON
def topic() -> None:
    """Show the concepts around a phrase: their tiers, weights, and where each came from.

    \b
    thresher topic breast carcinoma --ontology mondo
    thresher topic iris --sense iris.n.02
    thresher topic computer science --terms importance.toml
    """


@described("topic")
@shared.JSON
def ontology() -> None:
    """List the ontologies that are installed, and how to get the rest.

    \b
    thresher ontology
    """


@described("strategies")
@shared.option(
    "--judges", "kind", flag_value="judge", help="List the judges instead, which decide whether a page is on topic."
)
@shared.JSON
def strategies() -> None:
    """List the strategies: which to start with, what each does, what it needs, and the paper it is from.

    \b
    thresher strategies
    thresher strategies --judges
    """


@described("doctor")
@shared.option(
    "--fetch", "url", metavar="URL", help="Fetch this page for a trial, instead of one that is served on this machine."
)
@shared.REACH
@shared.JSON
def doctor() -> None:
    """Say what is installed, what is missing and how to get it, and whether a page can be fetched here.

    Looks at Thresher, Python and SQLite, at extras, ontologies, search engines, dictionaries and browsers, at the disk and the limit of
    open files, and fetches a page: one that it serves itself on this machine, or with --fetch one of yours; then DNS or the proxy,
    robots.txt, TLS and the page are told apart. Without --fetch nothing leaves the machine. The exit code is 1 if something is broken;
    what is optional may be missing.

    \b
    thresher doctor
    thresher doctor --fetch https://en.wikipedia.org/wiki/Iris
    thresher doctor --json | jq '.findings[] | select(.state != "good")'
    """
