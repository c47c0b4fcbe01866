"""From a word to a crawl: what it can mean and which is meant, and how to look for that."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from thresher import plugins
from thresher.cli.topic import draw_senses, opened
from thresher.errors import BadInput, Missing
from thresher.knowledge import Knowledge, needs
from thresher.ontology.readers import KNOWN
from thresher.ontology.table import Ontology
from thresher.topic.build_topic import Ambiguous, Meaning, chosen_meanings, meanings
from thresher.topic.topic import Topic

NO_SENSE = "none"
"""`--sense none`: the plain word, whatever it means."""
Choose = Callable[[Ambiguous, Console], Sequence[Meaning]]
"""Which meanings of a word are meant; none of them is the plain word."""
_SHOWN = 6
_TIERS = {"synonym": "also", "broader": "a kind of", "context": "near"}
_CONCEPTS: dict[str, Any] = {"name": "concepts"}
# Measured on seven topics of a recorded web, 300 fetches each, with nothing but the word and its sense: for the word with two labelled
# meanings lin had an area under the curve of .54 and .31, best-first .35 and .06; over all, lokman and best-first were even (.15).
# And on the web of the demo, 360 pages of which 40 are on the eye's iris: concepts alone call 92 pages relevant, all 40 among them;
# together with the sense of the word they call 44 so.
_BOTH: dict[str, Any] = {"name": "combine", "judges": ["concepts", "sense"], "how": "mean", "threshold": 0.5}
_SEVERAL = {"strategy": {"name": "lin", "profile": "robust"}, "judge": _BOTH}
_ONE = {"strategy": {"name": "lokman", "profile": "robust"}, "judge": _CONCEPTS}


def ask(which: Ambiguous, console: Console) -> Sequence[Meaning]:
    """Show the meanings and ask, until the answer is one of them; where nobody can answer, an error lists them."""
    if console.quiet or not sys.stdin.isatty():
        raise BadInput(f"{which}\n  {NO_SENSE}  the plain word, whatever it means")
    draw_senses(which.meanings, which.phrase, console)
    question = f"Which one? 1–{len(which.meanings)}, several with commas, or {NO_SENSE} for the plain word"
    while True:
        answer = [each.strip() for each in click.prompt(question, err=True).split(",")]
        try:
            return _named(which.phrase, which.meanings, answer)
        except BadInput:
            console.print(f"{', '.join(answer)!r} is none of them.", markup=False)


def leave_open(which: Ambiguous, console: Console) -> Sequence[Meaning]:
    """Where nobody sits to be asked, the plain word."""
    console.print(
        f"{which.phrase!r} has {len(which.meanings)} senses and the list does not say which is meant, as in "
        f"{which.phrase} | {which.meanings[0].concept.id}: looking for the plain word",
        markup=False,
        soft_wrap=True,
    )
    return []


def settle_word(wanted: dict[str, Any], console: Console, choose: Choose = ask) -> None:
    """Put in what the topic means, and a strategy and a judge that make use of it where none were named."""
    word, knowledge = str(wanted["topic"]), dict(wanted.get("knowledge", {}))
    senses = [str(each) for each in knowledge.pop("senses", ())]
    found = [] if senses == [NO_SENSE] else _found(word, knowledge.get("ontologies", ()), console, sure=bool(senses))
    which = _ambiguous(word, found)
    unsaid = choose(which, console) if which and not senses else found
    chosen = _named(word, found, senses) if senses else unsaid
    if chosen:
        knowledge["senses"] = [each.concept.id for each in chosen]
    if chosen or (knowledge.get("terms") and not senses):
        _make_use(wanted, _SEVERAL if which else _ONE)
    wanted["knowledge"] = knowledge


def same_sense(wanted: Mapping[str, Any], topic: str, kept: Mapping[str, Any]) -> None:
    """A crawl that goes on may have its sense named by number again: put in the id that its knowledge was kept with."""
    knowledge = wanted.get("knowledge", {})
    if knowledge.get("senses") is None:
        return
    names, known = knowledge.get("ontologies") or kept.get("ontologies", ()), kept.get("senses", [])
    knowledge["senses"] = _ids(topic, names, knowledge["senses"], known)
    if set(knowledge["senses"]) == set(known):
        del knowledge["senses"]


def is_for(kept: Mapping[str, Any], topic: str, senses: Sequence[str]) -> bool:
    """Whether a crawl with those settings is one for a topic in these senses; in none, if it was left open which."""
    knowledge = kept.get("knowledge", {})
    known, names = knowledge.get("senses", []), knowledge.get("ontologies", ())
    if kept.get("topic") != topic or not (senses or known):
        return kept.get("topic") == topic
    try:
        return set(_ids(topic, names, list(senses), known) if senses else _only(topic, names)) == set(known)
    except BadInput:  # no such sense, or nobody left who knows it
        return False


def _only(word: str, names: Sequence[str]) -> Sequence[str]:
    """The ids that a word stands for if nobody says which; none if there is a choice."""
    found = meanings(word, _ontologies(names))
    return [] if _ambiguous(word, found) else [each.concept.id for each in found]


def _ids(word: str, names: Sequence[str], senses: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    """The ids of senses; those that are `known` need no ontology to be looked up in."""
    if senses == [NO_SENSE]:
        return []
    if set(senses) == set(known):
        return known
    return [each.concept.id for each in _named(word, meanings(word, _ontologies(names)), senses)]


def _found(word: str, names: Sequence[str], console: Console, *, sure: bool) -> list[Meaning]:
    """What the word can mean. If nobody knows it, that is said; if it surely has a sense, that is an error."""
    with console.status("reading ontologies"):
        ontologies = opened(names) if sure else _ontologies(names)
        found = meanings(word, ontologies)
    if not found and not sure:
        known = ", ".join(each.name for each in ontologies)
        why = f"{word!r} is not in {known}" if known else f"No ontology is installed ({KNOWN[0].how})"
        console.print(f"{why}: looking for the plain word", markup=False, soft_wrap=True)
    return found


def _ontologies(names: Sequence[str]) -> list[Ontology]:
    return opened(names) if names or any(each.find() for each in KNOWN) else []


def _ambiguous(word: str, found: Sequence[Meaning]) -> Ambiguous | None:
    try:
        chosen_meanings(word, found, ())
    except Ambiguous as which:
        return which
    return None


def _named(word: str, found: Sequence[Meaning], senses: Sequence[str]) -> Sequence[Meaning]:
    """The meanings by number or id; each of the names must be one's."""
    if senses == [NO_SENSE]:
        return []
    chosen = {each.number: each for sense in senses for each in chosen_meanings(word, found, [sense])}
    return list(chosen.values())


def _make_use(wanted: dict[str, Any], defaults: Mapping[str, Mapping[str, Any]]) -> None:
    """What the user named stays; keys without a name, such as a threshold, join the default."""
    for key, table in defaults.items():
        given = wanted.get(key, {})
        if isinstance(given, dict) and "name" not in given:
            wanted[key] = {**table, **given}


def tell_concepts(wanted: Mapping[str, Any], console: Console) -> Topic | None:
    """Say in a line or two what is looked for; None if nothing but the topic's words."""
    known = plugins.construct(Knowledge, wanted.get("knowledge", {}), "[knowledge]")
    if not (known.senses or known.terms):
        return None
    try:
        concepts: Topic = needs(str(wanted["topic"]), known)["concepts"].make()
    except (Missing, Ambiguous):
        return None
    told = [f"Looking for {escape(concepts.name)}"]
    for tier, name in _TIERS.items():
        labels = [term.label for term in concepts.terms if term.tier == tier and term.label != concepts.name]
        more = f" and {len(labels) - _SHOWN:,} more" if len(labels) > _SHOWN else ""
        told += [f"[dim]{name}[/] {escape(', '.join(labels[:_SHOWN]))}{more}"] * bool(labels)
    console.print("; ".join(told), soft_wrap=True)
    return concepts
