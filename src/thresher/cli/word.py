"""From a word to a crawl: what it can mean and which is meant, how to look for that, and where to start."""

import asyncio
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from thresher import plugins
from thresher.cli.topic import draw_senses
from thresher.config import Manners
from thresher.errors import BadInput, Missing
from thresher.knowledge import Knowledge, needs
from thresher.model import Url
from thresher.seed.initializer import Found, Search, find_seeds, queries_for
from thresher.topic.making import Meaning, chosen_meanings, meanings
from thresher.topic.ontologies import KNOWN, open_ontology
from thresher.topic.topic import Topic

NO_SENSE = "none"
"""`--sense none`: the plain word, whatever it means."""
_SHOWN = 8
_CONCEPTS: dict[str, Any] = {"name": "concepts"}
# Measured on seven topics of a recorded web, 300 fetches each, with nothing but the word and its sense: for the word with two labelled
# meanings lin had an area under the curve of .54 and .31, best-first .35 and .06; over all, lokman and best-first were even (.15).
_SEVERAL = {"strategy": {"name": "lin", "profile": "robust"}, "judge": _CONCEPTS}
_ONE = {"strategy": {"name": "lokman", "profile": "robust"}, "judge": _CONCEPTS}


def settle_word(wanted: dict[str, Any], console: Console) -> None:
    """Put in what the topic means, and a strategy and a judge that make use of it where none were named."""
    word, knowledge = str(wanted["topic"]), dict(wanted.get("knowledge", {}))
    senses = [str(each) for each in knowledge.pop("senses", ())]
    found = [] if senses == [NO_SENSE] else meanings(word, _ontologies(knowledge))
    chosen = _chosen(word, found, senses, console)
    if chosen:
        knowledge["senses"] = [each.concept.id for each in chosen]
        for key, table in (_SEVERAL if len(found) > 1 else _ONE).items():
            wanted.setdefault(key, dict(table))
    if knowledge:
        wanted["knowledge"] = knowledge


def _ontologies(knowledge: Mapping[str, Any]) -> list[Any]:
    names = knowledge.get("ontologies") or [each.name for each in KNOWN if each.find()]
    return [open_ontology(name) for name in names]


def _chosen(word: str, found: Sequence[Meaning], senses: Sequence[str], console: Console) -> Sequence[Meaning]:
    if senses and found:
        return chosen_meanings(word, found, senses)
    if len(found) < 2:
        return found
    draw_senses(found, word, console)
    if not sys.stdin.isatty():
        raise BadInput(
            f"{word!r} has {len(found)} senses: choose with --sense NUMBER, or --sense {NO_SENSE} for the plain word"
        )
    return _asked(word, found, console)


def _asked(word: str, found: Sequence[Meaning], console: Console) -> Sequence[Meaning]:
    while True:
        answer = click.prompt(f"Which one? 1–{len(found)}, several with commas, or {NO_SENSE}", err=True).strip()
        if answer == NO_SENSE:
            return []
        try:
            return chosen_meanings(word, found, [each.strip() for each in answer.split(",")])
        except BadInput:
            console.print(f"{escape(answer)} is none of them.")


def seeds_for(wanted: Mapping[str, Any], console: Console) -> list[Url]:
    """Seeds from search engines, the surest first; says who was asked, and who failed."""
    search: Search = plugins.construct(Search, wanted.get("search", {}), "[search]")
    manners: Manners = plugins.construct(Manners, wanted.get("polite", {}), "[polite]")
    engines = search.open_engines(manners.user_agent)
    concepts = _concepts(wanted)
    if concepts is not None:
        _tell_concepts(concepts, console)
    queries = queries_for(str(wanted["topic"]), concepts)
    with console.status(f"asking {', '.join(engine.name for engine in engines)}"):
        found = asyncio.run(find_seeds(queries, engines, search.limit, allow_private=manners.allow_private))
    _tell_seeds(found, queries, console)
    return found.urls


def _concepts(wanted: Mapping[str, Any]) -> Topic | None:
    known = plugins.construct(Knowledge, wanted.get("knowledge", {}), "[knowledge]")
    if not known.senses:
        return None
    try:
        concepts: Topic = needs(str(wanted["topic"]), known)["concepts"].make()
    except Missing:
        return None
    return concepts


def _tell_concepts(concepts: Topic, console: Console) -> None:
    by_tier: dict[str, list[str]] = {}
    for term in concepts.terms:
        by_tier.setdefault(term.tier, []).append(term.label)
    told = []
    for tier, labels in by_tier.items():
        more = f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
        told.append(f"[dim]{tier}[/] {escape(', '.join(labels[:_SHOWN]))}{more}")
    console.print("Looking for " + "; ".join(told))


def _tell_seeds(found: Found, queries: Sequence[str], console: Console) -> None:
    for engine, why in found.failed.items():
        console.print(f"[yellow]{escape(engine)}[/] did not answer: {escape(why)}")
    counts = Counter(seed.standing for seed in found.seeds)
    classes = ", ".join(f"{count} {standing}" for standing, count in counts.items())
    asked = " and ".join(escape(repr(query)) for query in queries)
    console.print(f"{len(found.seeds)} seeds for {asked} ({classes}), the surest: {escape(found.urls[0])}")
