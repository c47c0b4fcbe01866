"""`thresher senses`, `thresher topic`, `thresher ontology`: what words mean, and what a crawl for them would look for."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.cli.declared import knowledge_commands as declared
from thresher.cli.dialogue import draw_senses
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.errors import BadInput
from thresher.knowledge import can_be_opened, is_asked, opened_ontologies
from thresher.language import words as words_of
from thresher.ontology.known_ontologies import KNOWN, KnownOntology
from thresher.ontology.readers.term_table import terms as read_terms
from thresher.topic.build_topic import PROFILES, make_topic, own_terms
from thresher.topic.sense_choice import Meaning, meanings
from thresher.topic.topic import Topic
from thresher.which_sense import meanings_named


@declared.senses.work
def senses(phrase: Sequence[str], ontologies: Sequence[str], *, as_json: bool) -> None:
    """Look the phrase up, and draw or print its senses."""
    words = " ".join(phrase)
    where = opened_ontologies(ontologies, [words], _tell)
    found = meanings(words, where)
    if not found:
        raise BadInput(f"{words!r} is not in {', '.join(each.name for each in where)}")
    if as_json:
        echo_json([_as_json(each) for each in found])
    else:
        draw_senses(found, words, Terminal(highlight=False))


@declared.topic.work
def topic(  # noqa: PLR0913 - an option each
    phrase: Sequence[str],
    ontologies: Sequence[str],
    sense: Sequence[str],
    profile: str,
    terms: str | None,
    *,
    as_json: bool,
) -> None:
    """Make the topic, and draw or print its terms."""
    if not words_of(" ".join(phrase)):
        raise BadInput(f"{' '.join(phrase)!r} is not a topic: say what to look for, as in thresher topic iris")
    weights = PROFILES[profile]
    table = Path(terms or "")
    own = list(own_terms(read_terms(table), table.name, weights)) if terms else []
    # The user's own table is enough; ontologies are read if they are named, or if there is no table.
    words = " ".join(phrase)
    known = opened_ontologies(ontologies, [words], _tell) if ontologies or not terms else []
    found = meanings(words, known) if sense else []
    chosen = [each.concept.id for each in meanings_named(words, found, list(sense))] if found else sense
    made = make_topic([words], known, chosen, weights, own=own)
    if as_json:
        click.echo(
            json.dumps({"name": made.name, "terms": [t._asdict() for t in made.terms], "notes": made.notes}, indent=2)
        )
    else:
        _draw(made, Terminal(highlight=False))


@declared.ontology.work
def ontology(*, as_json: bool) -> None:
    """Say which ontologies are there."""
    if as_json:
        rows = [
            {"name": known.name, "installed": known.find() is not None, "get": known.how}
            | ({"asked": can_be_opened(known.name)} if is_asked(known.name) else {})
            for known in KNOWN
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    table = Table("name", "state", "what", box=None, header_style="bold", pad_edge=False)
    for known in KNOWN:
        table.add_row(known.name, _state(known), known.what)
    console = Terminal(highlight=False)
    console.print(table)
    console.print(
        "\nYou can also name any file or folder with --ontology PATH: OBO, MeSH descriptor XML, SKOS, OWL or RDFS, a UMLS release in RRF,"
    )
    console.print("a WordNet folder, or a table of your own in TOML or CSV. See docs/guides/ontologies.md.")


def _state(known: KnownOntology) -> str:
    if known.find():
        return f"[green]ready[/], {len(known.open()):,} concepts"
    if can_be_opened(known.name):
        return "[green]ready[/] when it is named: a service is asked, with your key"
    return f"not installed: {escape(known.how)}"


def _tell(sentence: str) -> None:
    """Beside the output, which may be read by a program."""
    click.echo(sentence, err=True)


def _as_json(meaning: Meaning) -> dict[str, Any]:
    number, where, concept = meaning
    return {
        "number": number,
        "id": concept.id,
        "ontology": where.name,
        "kind": concept.kind,
        "gloss": concept.gloss,
        "labels": [label._asdict() for label in concept.labels],
    }


def _draw(made: Topic, console: Console) -> None:
    """For people."""
    table = Table("tier", "weight", "label", "from", box=None, header_style="bold", pad_edge=False)
    for term in made.terms:
        source = f"{term.source} {term.concept}".strip()
        language = "" if term.language == "en" else f" [dim]({term.language})[/]"
        table.add_row(term.tier, f"{term.weight:g}", escape(term.label) + language, f"[dim]{escape(source)}[/]")
    console.print(table)
    for note in made.notes:
        console.print(f"[yellow]note[/] {escape(note)}")
