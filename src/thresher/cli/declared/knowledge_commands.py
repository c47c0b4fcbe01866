"""`thresher senses`, `topic`, `ontology` and `strategies`: what they take."""

from pathlib import Path

import click

from thresher.cli import completion
from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import described

_ONTOLOGY = click.option(
    "--ontology",
    "ontologies",
    multiple=True,
    metavar="NAME-OR-FILE",
    help="Where to look: wordnet, mondo, hpo, umls, or a file or folder (OBO, MeSH, SKOS, OWL, RRF, TOML, CSV). Default: all installed.",
    shell_complete=completion.ontologies,
)


@described("topic")
@click.argument("phrase", nargs=-1, required=True)
@_ONTOLOGY
@shared.JSON
def senses() -> None:
    """Show what a word or phrase can mean: numbered senses with glosses, synonyms and counts.

    \b
    thresher senses iris
    thresher senses breast carcinoma --ontology mondo
    """


@described("topic")
@click.argument("phrase", nargs=-1, required=True)
@_ONTOLOGY
@click.option(
    "--sense",
    "chosen",
    multiple=True,
    metavar="NUMBER-OR-ID",
    help="Which meaning; may be given several times.",
    shell_complete=completion.senses,
)
@click.option(
    "--profile",
    type=click.Choice(["design", "requirements"]),
    default="design",
    show_default=True,
    help="The weights of the tiers.",
)
@click.option(
    "--terms",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own table, TOML or CSV: label, relation, weight, language.",
)
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
@click.option(
    "--judges", "kind", flag_value="judge", help="List the judges instead, which decide whether a page is on topic."
)
@shared.JSON
def strategies() -> None:
    """List the strategies: which to start with, what each does, what it needs, and the paper it is from.

    \b
    thresher strategies
    thresher strategies --judges
    """
