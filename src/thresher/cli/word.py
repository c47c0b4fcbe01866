"""From a word to a topic: show what it can mean, ask which is meant, and tell what the crawl will look for."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from thresher.cli.topic import draw_senses
from thresher.errors import BadInput
from thresher.topic.making import Meaning, chosen_meanings, meanings
from thresher.topic.ontologies import KNOWN, open_ontology
from thresher.topic.ontology import Ontology
from thresher.topic.topic import Topic

NO_SENSE = "none"
"""`--sense none`: the plain word, whatever it means."""
_SHOWN = 12


def settle_sense(word: str, knowledge: Mapping[str, Any]) -> dict[str, Any]:
    """The knowledge table with the meaning that is meant; asks, if the word has several and somebody is there to answer."""
    senses = [str(each) for each in knowledge.get("senses", ())]
    rest = {key: value for key, value in knowledge.items() if key != "senses"}
    if senses == [NO_SENSE]:
        return rest
    found = meanings(word, _ontologies(knowledge))
    if not found:
        return rest
    chosen = chosen_meanings(word, found, senses) if senses else _asked(word, found)
    return {**rest, "senses": [each.concept.id for each in chosen]} if chosen else rest


def _ontologies(knowledge: Mapping[str, Any]) -> list[Ontology]:
    names = knowledge.get("ontologies") or [each.name for each in KNOWN if each.find()]
    return [open_ontology(name) for name in names]


def _asked(word: str, found: Sequence[Meaning]) -> Sequence[Meaning]:
    if len(found) == 1:
        return found
    console = Console(highlight=False, stderr=True)
    draw_senses(found, word, console)
    if not sys.stdin.isatty():
        raise BadInput(
            f"{word!r} has {len(found)} senses: choose with --sense NUMBER, or --sense {NO_SENSE} for the plain word"
        )
    while True:
        answer = click.prompt(f"Which one? 1–{len(found)}, several with commas, or {NO_SENSE}", err=True).strip()
        if answer == NO_SENSE:
            return []
        try:
            return chosen_meanings(word, found, [each.strip() for each in answer.split(",")])
        except BadInput:
            console.print(f"[yellow]{escape(answer)}[/] is none of them.")


def tell_concepts(concepts: Topic) -> None:
    """The concepts around a topic in a line or two."""
    console = Console(highlight=False, stderr=True)
    by_tier: dict[str, list[str]] = {}
    for term in concepts.terms:
        by_tier.setdefault(term.tier, []).append(term.label)
    told = []
    for tier, labels in by_tier.items():
        more = f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
        told.append(f"[dim]{tier}[/] {escape(', '.join(labels[:_SHOWN]))}{more}")
    console.print("Looking for " + "; ".join(told))
