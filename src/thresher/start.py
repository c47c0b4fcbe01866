"""How a crawl starts: a word → its sense → seeds → the settings of a crawl, for the command line and for Python alike.

`prepare` takes what is wanted, in the form of a crawl file, and completes it:

1. The names of strategy, judge and ontologies are checked before anybody is asked anything.
2. A folder that holds a crawl goes on: the sense may be given again, for example by number instead of id.
3. The sense of a word is looked up in the ontologies. If there are several and none was named, the dialogue chooses: it asks, or
   takes the likeliest one and says so. The same holds for the phrases of a topic if strategy or judge need to know what they mean.
4. A word with a known sense gets the strategy and the judge that make use of it, unless the user named others.
5. Example pages are read, and their texts kept in the settings; the judge is then `meaning` unless the user named another that reads them.
6. A learnt taxonomy without a target gets those that were marked in it, or those that the dialogue chooses.
7. Seeds come from the user, from search engines, or from both.

Messages and questions go through a `Dialogue`, so that nothing here knows whether a person sits at a terminal.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from thresher import plugins
from thresher.classify.learnt_folder import ClassSize, LearntFolder
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, Missing, NoAnswer
from thresher.knowledge import Knowledge, asks_for_meaning, installed_ontologies, needs, opened_ontologies
from thresher.model import Url
from thresher.ontology.known_ontologies import KNOWN, check_named
from thresher.seed.example_pages import example_texts
from thresher.seed.polite_download import DownloadOptions
from thresher.seed.search_seeds import EngineSeeds, find_seeds, queries_for
from thresher.seed.search_settings import Search
from thresher.settings import Manners, Settings, read_crawl_file
from thresher.topic.likeliest_sense import likeliest
from thresher.topic.sense_choice import Ambiguous, Meaning, chosen_meanings, meanings
from thresher.topic.topic import Topic

NO_SENSE = "none"
"""As a sense: the plain word, whatever it means."""

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
_ANOTHER_OF_SEVERAL = "--sense ID, given once for each phrase of the topic, chooses others"
_log = logging.getLogger(__name__)


class Dialogue:
    """Messages and questions while a crawl is prepared. This class asks nobody: it logs, and takes a word in its likeliest sense."""

    another_sense = f"--sense NUMBER-OR-ID chooses another, --sense {NO_SENSE} the plain word"
    """How a user names the sense that is meant."""

    def choose(self, which: Ambiguous) -> Sequence[Meaning]:
        """Which meanings of a word are meant; none of them means the plain word."""
        found = likeliest(which.phrase, which.meanings, which.beside)
        concept = found.meanings[0].concept
        same = "".join(f", {each.concept.id}" for each in found.meanings[1:])
        another = _ANOTHER_OF_SEVERAL if which.beside else self.another_sense
        self.notice(
            f"{which.phrase!r} has {len(which.meanings)} senses; taken as {concept.id}{same}: {concept.gloss or concept.label}"
            f" ({found.why}). {another}"
        )
        return found.meanings

    def choose_targets(self, sizes: Mapping[str, ClassSize]) -> Sequence[str]:  # noqa: ARG002 - for those who ask
        """Which classes of a taxonomy are sought; none if nobody can say."""
        return ()

    def notice(self, sentence: str) -> None:
        """Tell something that the user should know."""
        _log.info(sentence)

    def failed(self, what: str, why: str) -> None:
        """Tell what could not be done."""
        _log.warning("%s: %s", what, why)

    def busy(self, what: str) -> AbstractContextManager[object]:  # noqa: ARG002 - for those who show it
        """Show what takes a moment."""
        return nullcontext()

    def concepts_known(self, concepts: Topic) -> None:
        """Tell what is looked for."""

    def seeds_found(self, found: EngineSeeds, queries: Sequence[str]) -> None:
        """Tell what the search engines gave."""


def prepare(
    wanted: Mapping[str, Any], folder: CrawlFolder, dialogue: Dialogue, *, by_sense: bool, search: bool
) -> dict[str, Any]:
    """What is wanted of a crawl, complete: the sense of its topic and its seeds included.

    Args:
        wanted: the tables of a crawl file, as far as they are known.
        folder: where the crawl goes; if it holds one, that crawl goes on.
        dialogue: who is told and asked.
        by_sense: whether the topic's meaning is looked up, as for a plain word.
        search: whether search engines are asked although there are seeds.
    """
    complete = _with_judge_of_examples(dict(wanted))
    _check_names(complete, "the command line")
    if folder.exists:
        kept = _check_names(read_crawl_file(folder.settings), str(folder.settings))
        return _with_kept_sense(complete, kept)
    folder.check_empty()
    if not str(complete.get("topic", "")).strip():
        raise BadInput(
            "no topic: say what to look for, as in thresher crawl iris or --topic 'iris eye', or name a crawl file or folder"
        )
    complete = _with_targets(_with_examples(complete, dialogue), dialogue)
    complete = _with_sense(complete, dialogue) if by_sense else _with_needed_senses(complete, dialogue)
    return _with_seeds(complete, dialogue, by_sense=by_sense, search=search)


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
    """The meanings that numbers or ids name; each of them must name one."""
    if senses == [NO_SENSE]:
        return []
    if not found:
        raise BadInput(f"no meaning of {word!r} has the number or id {', '.join(senses)}: no ontology knows it")
    chosen = {each.number: each for sense in senses for each in chosen_meanings(word, found, [sense])}
    return list(chosen.values())


def _check_names(wanted: Mapping[str, Any], where: str) -> Settings:
    """Settings without seeds, their names checked: a typing error is reported before a person or a search engine is asked anything."""
    settings = Settings().with_changes({key: wanted[key] for key in wanted if key != "seeds"}, where)
    plugins.find("strategy", settings.strategy["name"])
    plugins.find("judge", settings.judge["name"])
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    for name in known.ontologies:
        check_named(name)
    return settings


def _with_judge_of_examples(wanted: dict[str, Any]) -> dict[str, Any]:
    """If there are example pages and no judge was named, the one that reads them."""
    judge = wanted.get("judge", {})
    if not _named_examples(wanted) or isinstance(judge, str) or "name" in judge:
        return wanted
    return {**wanted, "judge": {"name": "meaning", **judge}}


def _named_examples(wanted: Mapping[str, Any]) -> Sequence[str]:
    knowledge = wanted.get("knowledge", {})
    found: Sequence[str] = knowledge.get("like", ()) if isinstance(knowledge, Mapping) else ()
    return found


def _with_examples(wanted: dict[str, Any], dialogue: Dialogue) -> dict[str, Any]:
    """Add what the example pages say."""
    names = _named_examples(wanted)
    if not names:
        return wanted
    _check_judge_reads_examples(_check_names(wanted, "the command line").judge["name"])
    manners: Manners = plugins.construct(Manners, wanted.get("polite", {}), "[polite]")
    proxy = wanted.get("fetch", {}).get("proxy")
    reach = DownloadOptions(manners.user_agent, manners.delay, proxy, manners.allow_private)
    with dialogue.busy(f"reading {len(names)} example pages"):
        texts = example_texts(names, reach)
    return {**wanted, "knowledge": {**wanted["knowledge"], "examples": texts}}


def _check_judge_reads_examples(name: str) -> None:
    readers = [each for each in plugins.names("judge") if _reads_examples(each)]
    if name not in readers:
        raise BadInput(
            f"--like is for a judge that reads example pages ({', '.join(readers)}), but the judge is {name}"
        )


def _reads_examples(judge: str) -> bool:
    """Whether a judge asks for examples, or is made of others that may."""
    return not {"examples", "judge_of"}.isdisjoint(plugins.parameters(plugins.find("judge", judge)))


def _with_targets(wanted: dict[str, Any], dialogue: Dialogue) -> dict[str, Any]:
    """Add the targets of a learnt taxonomy. They stay those of the crawl, whatever is marked later."""
    knowledge = wanted.get("knowledge", {})
    learnt = LearntFolder(Path(knowledge.get("taxonomy", "")))
    if knowledge.get("targets") or not knowledge.get("taxonomy") or not learnt.exists:
        return wanted
    targets = learnt.targets() or list(dialogue.choose_targets(learnt.sizes()))
    if targets:
        dialogue.notice(f"Looking for the classes {', '.join(targets)}")
    return {**wanted, "knowledge": {**knowledge, "targets": targets}}


def _with_sense(wanted: dict[str, Any], dialogue: Dialogue) -> dict[str, Any]:
    """Add what the topic means, and a strategy and a judge that use it if none were named."""
    word, knowledge = str(wanted["topic"]), dict(wanted.get("knowledge", {}))
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
    complete = {**wanted, "knowledge": knowledge}
    if chosen or (knowledge.get("terms") and not senses):
        return _with_defaults(complete, _FOR_SEVERAL_SENSES if ambiguous else _FOR_ONE_SENSE)
    return complete


def _with_needed_senses(wanted: dict[str, Any], dialogue: Dialogue) -> dict[str, Any]:
    """Add what the phrases of a topic mean, if strategy or judge cannot do without it and somebody has to choose."""
    knowledge, settings = dict(wanted.get("knowledge", {})), _check_names(wanted, "the command line")
    asked = asks_for_meaning("strategy", settings.strategy) or asks_for_meaning("judge", settings.judge)
    if not asked or knowledge.get("terms"):
        return wanted
    if NO_SENSE in (given := knowledge.get("senses", ())):
        raise _plain_word_refused(settings.topic)
    phrases = list(filter(None, map(str.strip, settings.topic.split(","))))
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


def _with_kept_sense(wanted: dict[str, Any], kept: Settings) -> dict[str, Any]:
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


def _with_seeds(wanted: dict[str, Any], dialogue: Dialogue, *, by_sense: bool, search: bool) -> dict[str, Any]:
    """The user's own seeds first, then those that search engines find if they are asked."""
    own = wanted.get("seeds", [])
    ask_engines = search or not own
    concepts = _concepts(wanted) if by_sense or ask_engines else None
    if concepts is not None:
        dialogue.concepts_known(concepts)
    if not ask_engines:
        return wanted
    try:
        found = _searched(wanted, concepts, dialogue)
    except NoAnswer as error:
        if not own:
            raise
        dialogue.notice(f"{error}\nStarting from your own seeds.")
        return wanted
    return {**wanted, "seeds": list(dict.fromkeys((*own, *found)))}


def _concepts(wanted: Mapping[str, Any]) -> Topic | None:
    """The topic with all that is known around it; None if only its words are known."""
    known = plugins.construct(Knowledge, wanted.get("knowledge", {}), "[knowledge]")
    if not (known.senses or known.terms):
        return None
    try:
        concepts: Topic = needs(str(wanted["topic"]), known)["concepts"].make()
    except (Missing, Ambiguous):
        return None
    return concepts


def _searched(wanted: Mapping[str, Any], concepts: Topic | None, dialogue: Dialogue) -> list[Url]:
    """Seeds that search engines give for a topic, the surest first."""
    search: Search = plugins.construct(Search, wanted.get("search", {}), "[search]")
    manners: Manners = plugins.construct(Manners, wanted.get("polite", {}), "[polite]")
    engines = search.open_engines(manners.user_agent)
    queries = queries_for(str(wanted["topic"]), concepts)
    with dialogue.busy(f"asking {', '.join(engine.name for engine in engines)}"):
        found = asyncio.run(find_seeds(queries, engines, search.limit, allow_private=manners.allow_private))
    dialogue.seeds_found(found, queries)
    return found.urls
