"""`thresher senses`, `thresher topic`, `thresher ontology`: what words mean, and what a crawl for them would look for."""

import json
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.errors import BadInput
from thresher.topic.concepts import Concept
from thresher.topic.making import PROFILES, make_topic
from thresher.topic.ontologies import KNOWN, open_ontology
from thresher.topic.ontology import Ontology
from thresher.topic.topic import Topic

_ONTOLOGY = click.option(
    "--ontology",
    "ontologies",
    multiple=True,
    metavar="NAME-OR-FILE",
    help="Where to look: wordnet, mondo, or a file or folder (OBO, MeSH XML, SKOS/OWL, UMLS RRF, TOML, CSV). Default: all installed.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="For programs.")


@click.command()
@click.argument("phrase", nargs=-1, required=True)
@_ONTOLOGY
@_JSON
def senses(phrase: Sequence[str], ontologies: Sequence[str], *, as_json: bool) -> None:
    """What a word or phrase can mean: numbered senses with glosses, synonyms and counts.

    \b
    thresher senses iris
    thresher senses breast carcinoma --ontology mondo
    """
    words = " ".join(phrase)
    found = [(ontology, ontology.concepts(words)) for ontology in opened(ontologies)]
    if not any(concepts for _, concepts in found):
        raise BadInput(f"no sense of {words!r} in {', '.join(ontology.name for ontology, _ in found)}")
    if as_json:
        click.echo(
            json.dumps([_as_json(one, each, n) for one, many in found for n, each in enumerate(many, 1)], indent=2)
        )
        return
    for ontology, concepts in found:
        _draw_senses(ontology, concepts, words)


@click.command()
@click.argument("phrase", nargs=-1, required=True)
@_ONTOLOGY
@click.option(
    "--sense", "chosen", multiple=True, metavar="NUMBER-OR-ID", help="Which meaning; may be given several times."
)
@click.option(
    "--profile",
    type=click.Choice(sorted(PROFILES)),
    default="design",
    show_default=True,
    help="The weights of the tiers.",
)
@_JSON
def topic(
    phrase: Sequence[str], ontologies: Sequence[str], chosen: Sequence[str], profile: str, *, as_json: bool
) -> None:
    """The concepts around a phrase: their tiers, weights, and where each came from.

    \b
    thresher topic breast carcinoma --ontology mondo
    thresher topic iris --sense iris.n.02
    """
    made = make_topic([" ".join(phrase)], opened(ontologies), chosen, PROFILES[profile])
    if as_json:
        click.echo(
            json.dumps({"name": made.name, "terms": [t._asdict() for t in made.terms], "notes": made.notes}, indent=2)
        )
    else:
        draw_topic(made, Console(highlight=False))


@click.command()
@_JSON
def ontology(*, as_json: bool) -> None:
    """Which ontologies are installed and readable, and how to get the rest.

    \b
    thresher ontology
    """
    rows = [(known, known.where()) for known in KNOWN]
    if as_json:
        click.echo(
            json.dumps(
                [{"name": known.name, "installed": where is not None, "get": known.how} for known, where in rows],
                indent=2,
            )
        )
        return
    table = Table("name", "state", "what", box=None, header_style="bold", pad_edge=False)
    for known, where in rows:
        state = f"[green]ready[/], {len(known.open()):,} concepts" if where else f"not installed: {escape(known.how)}"
        table.add_row(known.name, state, known.what)
    console = Console(highlight=False)
    console.print(table)
    console.print(
        "\nAny file or folder will do too, as --ontology PATH: OBO, MeSH descriptor XML, SKOS, OWL or RDFS, a UMLS release in RRF,"
    )
    console.print("a WordNet folder, or a table of your own in TOML or CSV. See docs/ontologies.md.")


def opened(names: Sequence[str]) -> list[Ontology]:
    """The ontologies that were named, or all that are installed."""
    wanted = names or [known.name for known in KNOWN if known.where() is not None]
    if not wanted:
        raise BadInput(f"no ontology is installed: {KNOWN[0].how}, or name a file with --ontology PATH")
    return [open_ontology(name) for name in wanted]


def _as_json(where: Ontology, concept: Concept, number: int) -> dict[str, Any]:
    return {
        "ontology": where.name,
        "number": number,
        "id": concept.id,
        "labels": [label.text for label in concept.labels],
        "gloss": concept.gloss,
        "kind": concept.kind,
    }


def _draw_senses(where: Ontology, concepts: Sequence[Concept], words: str) -> None:
    console = Console(highlight=False)
    console.print(
        f"[bold]{escape(words)}[/] in {where.name}: {len(concepts) or 'no'} sense{'s' * (len(concepts) != 1)}"
    )
    table = Table.grid(padding=(0, 2))
    for number, concept in enumerate(concepts, 1):
        count = next((label.count for label in concept.labels if label.text.lower() == words.lower()), 0)
        others = ", ".join(label.text for label in concept.labels if label.text.lower() != words.lower())
        gloss = escape(concept.gloss) + (f" [dim](also {escape(others)})[/]" if others else "")
        table.add_row(str(number), escape(concept.id), f"×{count}" if count else "", gloss)
    console.print(table)


def draw_topic(made: Topic, console: Console) -> None:
    """For people."""
    table = Table("tier", "weight", "label", "from", box=None, header_style="bold", pad_edge=False)
    for term in made.terms:
        source = f"{term.source} {term.concept}".strip()
        language = "" if term.language == "en" else f" [dim]({term.language})[/]"
        table.add_row(term.tier, f"{term.weight:g}", escape(term.label) + language, f"[dim]{escape(source)}[/]")
    console.print(table)
    for note in made.notes:
        console.print(f"[yellow]note[/] {escape(note)}")
