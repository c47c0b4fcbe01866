"""Which sense of a topic is meant: by number, id or words, by the dialogue, or the likeliest; and what follows for strategy and judge.

A word with a known sense gets the strategy and the judge that make use of it, unless the user named others.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from thresher.dialogue import NO_SENSE, Dialogue
from thresher.errors import BadInput
from thresher.knowledge import asks_for_meaning, installed_ontologies, opened_ontologies, takes_meaning
from thresher.ontology.known_ontologies import KNOWN
from thresher.settings import Settings
from thresher.topic.likeliest_sense import likeliest, spoken_of
from thresher.topic.sense_choice import Ambiguous, Meaning, chosen_meanings, listed_meanings, meanings

# Measured on seven topics of a recorded web, 300 fetches each, with nothing but the word and its sense, from good seeds: for the word with
# two labelled meanings lin had an area under the curve of .54 and .31, apprentice .26 and .26, lokman .30 and .07, best-first .35 and .06.
# For the five words with one meaning, from good seeds and from far ones, apprentice had a mean of .24, lokman .14, lin .09.
# And on the web of the demo, 360 pages of which 40 are on the eye's iris: concepts alone call 92 pages relevant, all 40 among them;
# together with the sense of the word they call 44 so. Both are scores: the mean was measured with them, and not with probabilities.
_FOR_SEVERAL_SENSES: Mapping[str, Mapping[str, Any]] = {
    "strategy": {"name": "lin", "profile": "robust"},
    "judge": {
        "name": "combine",
        "judges": [{"name": "concepts", "raw": True}, "sense"],
        "how": "mean",
        "threshold": 0.5,
    },
}
_FOR_ONE_SENSE: Mapping[str, Mapping[str, Any]] = {
    "strategy": {"name": "apprentice"},
    "judge": {"name": "concepts"},
}


def is_for(kept: Mapping[str, Any], topic: str, senses: Sequence[str]) -> bool:
    """Whether a crawl with these settings is for that topic in these senses.

    If no senses are given: whether it is what this topic means without `--sense`.
    """
    knowledge = kept.get("knowledge", {})
    known, names = knowledge.get("senses", []), knowledge.get("ontologies", ())
    if kept.get("topic") != topic or not (senses or known):
        return kept.get("topic") == topic
    try:
        return set(_ids(topic, names, list(senses), known) if senses else _usual_sense(topic, names)) == set(known)
    except BadInput:  # no such sense, or its ontology is no longer installed
        return False


def meanings_named(word: str, found: Sequence[Meaning], senses: Sequence[str]) -> Sequence[Meaning]:
    """The meanings that numbers, ids or words such as `eye` name; each of them must name one."""
    if senses == [NO_SENSE]:
        return []
    if not found:
        raise BadInput(f"no meaning of {word!r} has the number or id {', '.join(senses)}: no ontology knows it")
    chosen = {each.number: each for sense in senses for each in _named(word, found, sense)}
    return list(chosen.values())


def _named(word: str, found: Sequence[Meaning], sense: str) -> Sequence[Meaning]:
    """The meaning that a number, an id or words name; in several ontologies the same thing."""
    exactly = [each for each in found if sense in {str(each.number), each.concept.id}]
    if exactly:
        return exactly
    spoken = [] if sense.isdigit() else spoken_of(sense, found)
    if not spoken:
        raise BadInput(
            f"no meaning of {word!r} has the number or id {sense or repr(sense)}, or speaks of it; it can mean:{listed_meanings(found)}"
        )
    if _ambiguous(word, spoken):
        raise BadInput(
            f"{len(spoken)} meanings of {word!r} speak of {sense!r}; choose one by its number or id:{listed_meanings(spoken)}"
        )
    return spoken


def with_sense(wanted: dict[str, Any], settings: Settings, dialogue: Dialogue) -> dict[str, Any]:
    """Add what the topic means, and a strategy and a judge that use it if none were named."""
    word, knowledge = str(wanted["topic"]), dict(wanted.get("knowledge", {}))
    if knowledge.get("given_topic"):
        return _with_defaults(wanted, _FOR_ONE_SENSE)
    if _says_nothing(wanted, settings):
        return wanted
    if len(_phrases(word)) > 1:
        return _with_senses_of_phrases(wanted, settings, dialogue)
    senses = [str(each) for each in knowledge.pop("senses", ())]
    found = (
        []
        if senses == [NO_SENSE]
        else _found(word, knowledge.get("ontologies", ()), dialogue, sense_given=bool(senses))
    )
    ambiguous = _ambiguous(word, found)
    if ambiguous and knowledge.get("terms") and not senses:
        dialogue.notice(f"{word!r} has {len(found)} meanings: your table of terms says which is meant")
        found, ambiguous = [], None
    default_meanings = dialogue.choose(ambiguous) if ambiguous and not senses else found
    chosen = meanings_named(word, found, senses) if senses else default_meanings
    if chosen:
        knowledge["senses"] = [each.concept.id for each in chosen]
    elif (ambiguous or senses) and not knowledge.get("terms") and _need_meaning(settings):
        raise _plain_word_refused(word)
    complete = {**wanted, "knowledge": knowledge}
    if chosen or (knowledge.get("terms") and not senses):
        return _with_defaults(complete, _FOR_SEVERAL_SENSES if ambiguous else _FOR_ONE_SENSE)
    return complete


def with_needed_senses(wanted: dict[str, Any], settings: Settings, dialogue: Dialogue) -> dict[str, Any]:
    """Add what the phrases of a topic mean, if strategy or judge cannot do without it and somebody has to choose."""
    needed = _need_meaning(settings) and not settings.knowledge.get("terms")
    return _with_chosen_senses(wanted, settings, dialogue) if needed else wanted


def _with_senses_of_phrases(wanted: dict[str, Any], settings: Settings, dialogue: Dialogue) -> dict[str, Any]:
    """The same for several phrases: what they mean counts if it is needed, or if the user says where to look."""
    knowledge = dict(wanted.get("knowledge", {}))
    if knowledge.get("senses") == [NO_SENSE] and not _need_meaning(settings):
        del knowledge["senses"]
        return {**wanted, "knowledge": knowledge}
    if knowledge.get("terms"):
        return _with_defaults(wanted, _FOR_ONE_SENSE)
    if not (knowledge.get("ontologies") or knowledge.get("senses") or _need_meaning(settings)):
        return wanted
    complete = _with_chosen_senses(wanted, settings, dialogue)
    if complete.get("knowledge", {}).get("senses"):
        return _with_defaults(complete, _FOR_ONE_SENSE)
    dialogue.notice(f"{settings.topic!r}: none of these phrases is in the ontologies; looking for the plain words")
    return complete


def _says_nothing(wanted: Mapping[str, Any], settings: Settings) -> bool:
    """Whether it does not matter what the topic means: strategy and judge were named and ask nothing of it, and seeds are given."""
    named = all(isinstance(part := wanted.get(kind, {}), str) or "name" in part for kind in ("strategy", "judge"))
    given = any(settings.knowledge.get(key) for key in ("senses", "ontologies", "terms"))
    return named and not given and bool(wanted.get("seeds")) and not takes_meaning(settings.strategy, settings.judge)


def _phrases(topic: str) -> list[str]:
    return list(filter(None, map(str.strip, topic.split(","))))


def _need_meaning(settings: Settings) -> bool:
    return asks_for_meaning("strategy", settings.strategy) or asks_for_meaning("judge", settings.judge)


def _with_chosen_senses(wanted: dict[str, Any], settings: Settings, dialogue: Dialogue) -> dict[str, Any]:
    """Add the senses of the phrases of a topic: those that were named, or that the dialogue chooses."""
    knowledge, phrases = dict(wanted.get("knowledge", {})), _phrases(settings.topic)
    if NO_SENSE in (given := knowledge.get("senses", ())):
        raise _plain_word_refused(settings.topic)
    if given and len(phrases) != 1:
        return wanted
    with dialogue.busy("reading ontologies"):
        opened = installed_ontologies(knowledge.get("ontologies", ()), phrases, dialogue.notice)
        found = {each: meanings(each, opened) for each in phrases}
    # Kept by id: numbers change with the ontologies that are installed.
    chosen = meanings_named(phrases[0], found[phrases[0]], given) if given else _meant(found, dialogue)
    senses = [each.concept.id for each in chosen]
    return {**wanted, "knowledge": {**knowledge, "senses": senses}} if senses else wanted


def _meant(found: Mapping[str, Sequence[Meaning]], dialogue: Dialogue) -> list[Meaning]:
    """The meanings of phrases: the dialogue chooses for those that have several."""
    chosen: list[Meaning] = []
    for phrase, known in found.items():
        unclear = _ambiguous(phrase, known, [other for other in found if other != phrase])
        meant = dialogue.choose(unclear) if unclear else known
        if unclear and not meant:
            raise _plain_word_refused(phrase)
        chosen += meant
    return chosen


def _plain_word_refused(phrase: str) -> BadInput:
    return BadInput(
        f"--sense {NO_SENSE} is for the plain word, but strategy or judge must know what {phrase!r} means: choose one of its senses, as"
        " thresher senses lists them, or another strategy and judge"
    )


def _with_defaults(wanted: dict[str, Any], defaults: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What the user named stays; keys without a name, such as a threshold, join the default."""
    tables = {}
    for key, table in defaults.items():
        given = wanted.get(key, {})
        if isinstance(given, dict) and "name" not in given:
            tables[key] = {**table, **given}
    return {**wanted, **tables}


def with_kept_sense(wanted: dict[str, Any], kept: Settings) -> dict[str, Any]:
    """The sense of a crawl that is continued may be given by number: it becomes the id that was kept."""
    knowledge = dict(wanted.get("knowledge", {}))
    if knowledge.get("senses") is None:
        return wanted
    names, known = knowledge.get("ontologies") or kept.knowledge.get("ontologies", ()), kept.knowledge.get("senses", [])
    knowledge["senses"] = _ids(kept.topic, names, knowledge["senses"], known)
    if set(knowledge["senses"]) == set(known):
        del knowledge["senses"]
    return {**wanted, "knowledge": knowledge}


def _usual_sense(word: str, names: Sequence[str]) -> Sequence[str]:
    """The ids that a word stands for if nobody says which."""
    found = meanings(word, installed_ontologies(names, [word]))
    return [each.concept.id for each in (likeliest(word, found).meanings if _ambiguous(word, found) else found)]


def _ids(word: str, names: Sequence[str], senses: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    """The ids of senses; those that are known already need no ontology."""
    if senses == [NO_SENSE]:
        return []
    if set(senses) == set(known):
        return known
    found = meanings(word, installed_ontologies(names, [word]))
    return [each.concept.id for each in meanings_named(word, found, senses)]


def _found(word: str, names: Sequence[str], dialogue: Dialogue, *, sense_given: bool) -> list[Meaning]:
    """What the word can mean. If no ontology has it, the user is told; if the user named a sense, it is an error."""
    with dialogue.busy("reading ontologies"):
        opening = opened_ontologies if sense_given else installed_ontologies
        ontologies = opening(names, [word], dialogue.notice)
        found = meanings(word, ontologies)
    if not found and not sense_given:
        known = ", ".join(each.name for each in ontologies)
        why = f"{word!r} is not in {known}" if known else f"No ontology is installed ({KNOWN[0].how})"
        dialogue.notice(f"{why}: looking for the plain word")
    return found


def _ambiguous(word: str, found: Sequence[Meaning], beside: Sequence[str] = ()) -> Ambiguous | None:
    try:
        chosen_meanings(word, found, (), beside)
    except Ambiguous as which:
        return which
    return None
