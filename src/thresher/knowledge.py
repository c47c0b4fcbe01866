"""What is known of a topic beyond its words, made when a judge or a strategy asks for it by the name of a parameter.

A part that takes a `sense` or a `taxonomy` gets one; where none was given, the error says how to give it.
"""

import inspect
import logging
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from thresher import plugins
from thresher import strategy as strategies
from thresher.classify.learnt_folder import LearntFolder
from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy, class_text, read_folder
from thresher.errors import BadInput, Missing
from thresher.judge.transcribed import TranscribedJudge
from thresher.language.dictionaries.installed import find_dictionary
from thresher.language.sentence_transcriptor import SentenceTranscriptor, named_translator
from thresher.language.transcriptor import How, Transcriptor
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import Response, Url
from thresher.online import umls_topics
from thresher.ontology.known_ontologies import KNOWN, open_ontology
from thresher.ontology.readers.term_table import terms as read_terms
from thresher.ontology.table import Ontology
from thresher.parse.html import HtmlParser
from thresher.plugins import Need, build, names, parameters
from thresher.ports import Judge
from thresher.topic import Topic
from thresher.topic.build_topic import PROFILES, importance, make_topic, own_importance, own_terms
from thresher.topic.ontology_choice import best_ontology
from thresher.topic.sense_choice import WordSense, word_sense
from thresher.topic.topic import Term, topic_from

Told = Callable[[str], None]
"""Who is told in a sentence what a service answered."""
_log = logging.getLogger(__name__)

NEEDS: Mapping[str, str] = {
    "topic": "topic words",
    "concepts": "an ontology",
    "importance": "an importance table",
    "sense": "a word sense",
    "taxonomy": "a taxonomy",
    "transcriptor": "a dictionary",
    "examples": "example pages",
    "distances": "labels",
    "judge_of": "other judges",
}
"""What a judge or a strategy can ask for, by the name of its parameter, and what that is called."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The `[knowledge]` table: where to learn more about the topic than its words."""

    ontologies: Sequence[str] = ()
    """Names (`wordnet`, `mondo`, `hpo`, `umls`), files or folders; all that are installed if none is named."""
    choose: Literal["all", "best"] = "all"
    """With `best`, of several ontologies only the one that knows the topic best is used."""
    senses: Sequence[str] = ()
    """Which meanings of the topic are meant, by number or id."""
    weights: Literal["design", "requirements"] = "design"
    """How much a concept counts, by its tier: 15, 12, 8, 5 or 15, 12, 5, 3."""
    terms: str = ""
    """A table of your own, TOML or CSV: label, relation, weight, language."""
    taxonomy: str = ""
    """A folder that `thresher taxonomy learn` made; or of example pages, one folder for each class; or a saved classifier (.npz)."""
    targets: Sequence[str] = ()
    """The classes of the taxonomy that are sought, or paths above them; by default those marked in a learnt taxonomy."""
    rules: str = ""
    """Interclass rules: a TOML file."""
    languages: Sequence[str] = ()
    """Other languages than English that pages may be in, such as `hi`: their words are looked up in a dictionary."""
    transcribe: How = "add"
    """Whether what they mean is added to the words of a page, or takes their place, as in Kumar and Vig 2010 (`replace`)."""
    translator: str = ""
    """A model of your own that translates sentences, as `module:name`; it takes the place of dictionaries."""
    like: Sequence[str] = ()
    """Pages such as are looked for, 5 to 20: web addresses or files."""
    examples: Sequence[str] = ()
    """What these pages say, shortly. It is read once, when the crawl begins, and kept, so that the judge stays the same."""
    given_topic: Mapping[str, Any] = field(default_factory=dict)
    """A topic that was made in Python, kept whole: its terms and its phrases. Then nothing is looked up."""


def anchored(table: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """The table with the paths in it made absolute, so that a crawl can be continued from any folder."""
    known = {each.name for each in KNOWN}

    def whole(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [whole(each) for each in value]
        path = isinstance(value, str) and value and value not in known and "://" not in value
        return str((base / value).resolve()) if path else value

    return {key: whole(value) if key in _PATHS else value for key, value in table.items()}


_PATHS = {"ontologies", "terms", "taxonomy", "rules", "like"}


def needs(text: str, known: Knowledge) -> dict[str, Need]:
    """All that a part can ask for about a topic."""
    phrases = [phrase for part in text.split(",") if (phrase := part.strip())]
    ontologies = cache(lambda: _relevant_ontologies(phrases, known))
    concepts = cache(lambda: _concepts(phrases, ontologies(), known))
    given = topic_from(text, known.given_topic) if known.given_topic else None
    makers: dict[str, Callable[[], Any]] = {
        "topic": lambda: given or Topic.of(text),
        "concepts": (lambda: given) if given else concepts,
        "importance": lambda: _importance(given or concepts(), ontologies(), known),
        "sense": lambda: _sense(phrases, ontologies(), known),
        "taxonomy": lambda: _taxonomy(known),
        "transcriptor": lambda: _transcriptor(known),
        "examples": lambda: _examples(known),
        "distances": _distances,
    }
    return on_demand(makers)


def opened_ontologies(names: Sequence[str], phrases: Sequence[str], told: Told = _log.info) -> list[Ontology]:
    """The ontologies that are named, or all that are installed; it is an error if there are none."""
    opened = installed_ontologies(names, phrases, told)
    if not opened:
        raise BadInput(f"no ontology is installed: {KNOWN[0].how}, or name a file with --ontology PATH")
    return opened


def installed_ontologies(names: Sequence[str], phrases: Sequence[str], told: Told = _log.info) -> list[Ontology]:
    """The ontologies that are named, or all that are installed; maybe none.

    One that is asked over the network has only what it knows about the phrases; what it answered is told.
    """
    wanted = names or [each.name for each in KNOWN if each.find()]
    return [umls_topics.umls_for(phrases, told) if is_asked(name) else open_ontology(name) for name in wanted]


def is_asked(name: str) -> bool:
    """Whether an ontology of that name is asked over the network: UMLS, where no release of it is on this machine."""
    return name == umls_topics.NAME and not any(each.find() for each in KNOWN if each.name == name)


def can_be_opened(name: str) -> bool:
    """Whether the ontology of that name is on this machine, or can be asked."""
    there = any(each.find() for each in KNOWN if each.name == name)
    return there or (is_asked(name) and umls_topics.can_be_asked())


def _relevant_ontologies(phrases: Sequence[str], known: Knowledge) -> list[Ontology]:
    """Those that are named or installed; of these the best one for the topic, if only one is wanted and any knows it."""
    opened = installed_ontologies(known.ontologies, phrases)
    return opened if known.choose == "all" else best_ontology(phrases, opened, known.senses) or opened


def on_demand(makers: Mapping[str, Callable[[], Any]]) -> dict[str, Need]:
    """What a part can ask for, each made once, when it is first asked for; and judges, for a judge that is made of others."""
    given = {name: Need(cache(make)) for name, make in makers.items()}
    given["judge_of"] = Need(lambda: lambda table: part("judge", table, given))
    return given


def part(kind: str, table: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    """The strategy or judge that a table names, with its keys and what it needs of what is given."""
    made = build(kind, table["name"], {key: value for key, value in table.items() if key != "name"}, **given)
    return _reading_other_languages(made, given) if kind == "judge" else made


def _reading_other_languages(judge: Judge, given: Mapping[str, Any]) -> Judge:
    """The judge behind the transcriptor, if there is one; a judge that asks for it, or is made of other judges, sees to it itself."""
    asked = parameters(type(judge)).keys() & {"transcriptor", "judge_of"}
    if "transcriptor" not in given or asked:
        return judge
    try:
        return TranscribedJudge(judge, given["transcriptor"].make())
    except Missing:
        return judge


def asks_for_meaning(kind: str, table: Mapping[str, Any]) -> bool:
    """Whether a strategy or judge, or one that it is made of, cannot be made without knowing what the topic means."""
    wanted = parameters(plugins.find(kind, table["name"]))
    if any(key in wanted and wanted[key].default is inspect.Parameter.empty for key in _MEANINGS):
        return True
    inner = table.get("judges", wanted["judges"].default) if "judge_of" in wanted and "judges" in wanted else ()
    return any(asks_for_meaning("judge", {"name": each} if isinstance(each, str) else each) for each in inner)


def takes_meaning(strategy: Mapping[str, Any], judge: Mapping[str, Any]) -> bool:
    """Whether one of the two can make use of what the topic means, or is made of others that may."""
    parts = plugins.find("strategy", strategy["name"]), plugins.find("judge", judge["name"])
    return any(not {*_MEANINGS, "judge_of"}.isdisjoint(parameters(each)) for each in parts)


_MEANINGS = ("concepts", "importance", "sense")


def _own(known: Knowledge) -> list[Term]:
    path = Path(known.terms)
    return list(own_terms(read_terms(path), path.name, PROFILES[known.weights])) if known.terms else []


def _concepts(phrases: Sequence[str], ontologies: Sequence[Ontology], known: Knowledge) -> Topic:
    own = _own(known)
    if not ontologies and not own:
        raise Missing(f"an ontology or a table of terms: {KNOWN[0].how}, or give --ontology FILE or --terms FILE")
    made = make_topic(phrases, ontologies, known.senses, PROFILES[known.weights], own=own)
    if len(made.terms) == len(phrases):
        searched = ", ".join(each.name for each in ontologies)
        raise Missing(
            f"a topic that an ontology knows: {', '.join(phrases)!r} is not in {searched}; give another --ontology, or your own names with"
            " --terms FILE"
        )
    return made


def _importance(concepts: Topic, ontologies: Sequence[Ontology], known: Knowledge) -> Mapping[str, float]:
    return own_importance(read_terms(Path(known.terms))) if known.terms else importance(concepts, ontologies)


def _sense(phrases: Sequence[str], ontologies: Sequence[Ontology], known: Knowledge) -> WordSense:
    return word_sense(phrases[0], ontologies, known.senses)


def _taxonomy(known: Knowledge) -> Taxonomy:
    if not known.taxonomy:
        raise Missing(
            "a taxonomy: give --taxonomy FOLDER, with example pages in one folder for each class or learnt by thresher taxonomy learn,"
            " and --target CLASS"
        )
    path, learnt = Path(known.taxonomy), LearntFolder(Path(known.taxonomy))
    rules = InterclassRules.load(Path(known.rules)) if known.rules else None
    if learnt.exists:
        return Taxonomy(learnt.classifier(), tuple(known.targets), rules if known.rules else learnt.rules() or None)
    if learnt.begun:
        raise BadInput(f"{path}: this taxonomy is not learnt yet; run its thresher taxonomy learn again")
    classifier = Classifier.load(path) if path.suffix == ".npz" else Classifier.of(read_folder(path, _words_of_html))
    return Taxonomy(classifier, tuple(known.targets), rules)


def _words_of_html(body: bytes) -> str:
    kind = ((b"content-type", b"text/html"),)
    return class_text(HtmlParser().parse(Response(Url("http://example.invalid/"), 200, kind, body, body)))


def _transcriptor(known: Knowledge) -> Transcriptor:
    if not known.languages:
        raise Missing("the languages that pages may be in: give --language hi, for example")
    if known.translator:
        return SentenceTranscriptor(named_translator(known.translator), known.languages, how=known.transcribe)
    for code in known.languages:
        if find_dictionary(code, "en") is None:
            raise BadInput(f"no dictionary from {code!r} to English is installed: see docs/guides/languages.md")
    return WordTranscriptor.installed(tuple(known.languages), how=known.transcribe)


def _examples(known: Knowledge) -> Sequence[str]:
    if known.like and not known.examples:
        raise BadInput(
            "knowledge.like names pages that were not read: start with thresher crawl, or give their texts as knowledge.examples"
        )
    if not known.examples:
        raise Missing("example pages: give --like URL-OR-FILE several times")
    return known.examples


def _distances() -> Mapping[Url, int]:
    raise Missing("labels of a recorded web: it works only in the lab")


_MEASURED = Path(strategies.__file__).with_name("measured.toml")


class PartDescription(NamedTuple):
    """A strategy or judge, described for people who choose one."""

    name: str
    what: str
    needs: tuple[str, ...]
    paper: str
    keys: tuple[str, ...]
    auc: Mapping[str, float] = MappingProxyType({})
    """Its mean AUC in the lab, by how it is spelt there; empty if it was not measured."""
    sharing: str = ""
    """What workers of one crawl tell each other: nothing, lessons, or all to one learner; empty for a judge."""


def described(kind: str) -> Iterator[PartDescription]:
    """All installed parts of a kind; one that cannot be loaded says why."""
    for name in names(kind):
        try:
            part = plugins.find(kind, name)
        except Exception as error:  # noqa: BLE001 - somebody else's part may raise anything when it is imported
            yield PartDescription(name, f"cannot be loaded: {error}", (), "", ())
            continue
        yield _described(name, part)


def _described(name: str, part: object) -> PartDescription:
    assert callable(part)
    wanted = parameters(part)
    asked = [
        NEEDS[key] + ("" if each.default is inspect.Parameter.empty else " (optional)")
        for key, each in wanted.items()
        if key in NEEDS
    ]
    # Needs that are part of another need, and so have no parameter of their own.
    asked += filter(None, [getattr(part, "also_needs", "")])
    keys = tuple(key for key in wanted if key not in NEEDS)
    auc = _measured(name) if part.__module__.startswith("thresher.strategy.") else {}
    sharing = getattr(part, "sharing", "")
    return PartDescription(name, _first_sentence(part), tuple(asked), _paper(part), keys, auc, sharing)


def _measured(name: str) -> dict[str, float]:
    means: dict[str, float] = tomllib.loads(_MEASURED.read_text("utf-8"))["mean_auc"]
    return {spelt: auc for spelt, auc in means.items() if spelt.partition(":")[0] == name}


def _first_sentence(part: object) -> str:
    text = " ".join((inspect.getdoc(part) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def _paper(part: object) -> str:
    """The paper that the part's module names: the authors and the year after `Paper:`."""
    module = inspect.getmodule(part)
    found = re.search(r"^Paper: (.+?\d{4})", inspect.getdoc(module) or "", re.MULTILINE) if module else None
    return found[1].strip() if found else ""
