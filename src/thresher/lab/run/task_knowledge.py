"""What the strategies and judges of a task may know: the user's words, a meaning, concepts, a taxonomy. Never the labels.

Every strategy gets the same words. The meaning is the one that the task names, or the one whose surroundings share most words with the
task's keywords. The taxonomy is learnt from example pages, as a user would give them (`task_taxonomy.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput, Missing
from thresher.knowledge import can_be_opened, installed_ontologies, on_demand
from thresher.lab.run.task import Task
from thresher.lab.run.task_taxonomy import learnt_taxonomy, outlined_taxonomy
from thresher.lab.run.task_web import TaskWeb
from thresher.language import STOP_WORDS, words
from thresher.language.transcriptor import Transcriptor
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import Url
from thresher.ontology.known_ontologies import KNOWN, open_ontology
from thresher.ontology.table import Ontology
from thresher.plugins import Need
from thresher.topic import Topic
from thresher.topic.build_topic import PROFILES, importance, make_topic
from thresher.topic.sense_choice import Meaning, meanings, word_sense
from thresher.topic.topic import Term, phrases


def needs(task: Task, web: TaskWeb) -> dict[str, Need]:
    """All that a part can ask for about a task."""
    return _needs(task, lambda: learnt_taxonomy(task, web), lambda: web.distances(task))


def sketched(task: Task, web: TaskWeb) -> dict[str, Need]:
    """As `needs`, but what takes seconds to learn is only outlined: enough to see whether a part can be made at all."""
    return _needs(task, lambda: outlined_taxonomy(task, web), dict)


def _needs(task: Task, taxonomy: Callable[[], Taxonomy], distances: Callable[[], Mapping[Url, int]]) -> dict[str, Need]:
    ontologies = cache(lambda: [_ontology(name, task) for name in task.ontologies])
    concepts = cache(lambda: _concepts(task, ontologies()))
    makers: dict[str, Callable[[], Any]] = {
        "topic": lambda: _topic(task),
        "concepts": concepts,
        "importance": lambda: importance(concepts(), ontologies()),
        "sense": lambda: word_sense(task.topic, ontologies(), meant(task, ontologies())),
        "taxonomy": taxonomy,
        "transcriptor": lambda: _transcriptor(task),
        "distances": distances,
    }
    return on_demand(makers)


def _ontology(name: str, task: Task) -> Ontology:
    named = next((each for each in KNOWN if each.name == name), None)
    if named is None:
        return _opened(name, task)
    if not can_be_opened(name):
        raise Missing(f"the ontology {name!r}: {named.how}")
    return installed_ontologies([name], [task.topic])[0]


def _opened(name: str, task: Task) -> Ontology:
    try:
        return open_ontology(str(task.web.folder / name))
    except BadInput as error:
        raise BadInput(f"{task.place}, ontologies: {error}") from error


def _topic(task: Task) -> Topic:
    """The user's words, each of weight 1, under the name of the phrase."""
    return Topic(
        task.topic,
        tuple(Term(word, 1.0, source="task") for word in _keywords(task)),
        phrases={**phrases(task.topic), **dict.fromkeys(_beside_the_phrase(task), 1.0)},
    )


def _beside_the_phrase(task: Task) -> list[str]:
    # Keywords often begin with the phrase itself; a word of it that stands alone among them is meant alone.
    return [word for word in words(_without(task.keywords, task.topic)) if word not in STOP_WORDS]


def _without(text: str, phrase: str) -> str:
    return f" {' '.join(words(text))} ".replace(f" {' '.join(words(phrase))} ", " ", 1)


def _keywords(task: Task) -> list[str]:
    return list(dict.fromkeys(word for word in words(f"{task.topic} {task.keywords}") if word not in STOP_WORDS))


def _concepts(task: Task, ontologies: Sequence[Ontology]) -> Topic:
    weights = PROFILES["design"]
    # The phrase is a name as a whole, as in a live crawl: on a health site "health" does not mean "mental health".
    names = dict.fromkeys([task.topic, *_beside_the_phrase(task)])
    own = [Term(name, weights.exact, "exact", source="task") for name in names]
    return make_topic([task.topic], ontologies, meant(task, ontologies), weights, own=own)


def _transcriptor(task: Task) -> Transcriptor:
    if not task.languages:
        raise Missing('languages: name them in the task, such as languages = ["hi"]')
    return WordTranscriptor.installed(tuple(task.languages))


# ── which meaning of the phrase ──


def meant(task: Task, ontologies: Sequence[Ontology]) -> list[str]:
    """The ids of the meanings, as a user would choose them; none if no ontology knows the phrase."""
    found = meanings(task.topic, ontologies)
    if task.sense:
        return [_named(task, each, found) for each in ([task.sense] if isinstance(task.sense, str) else task.sense)]
    # The phrase itself is in the surroundings of all its meanings.
    said = frozenset(words(task.keywords)) - STOP_WORDS - frozenset(words(task.topic))
    # Of equals the first, which is the most usual.
    best = max(found, key=lambda each: len(said & _surroundings(each)), default=None)
    return [best.concept.id] if best else []


def _named(task: Task, sense: str, found: Sequence[Meaning]) -> str:
    for each in found:
        if sense in {str(each.number), each.concept.id} or each.concept.gloss.startswith(sense):
            return each.concept.id
    listed = "".join(f"\n  {each.number}  {each.concept.id}  {each.concept.gloss}" for each in found)
    raise BadInput(
        f"{task.place}: no meaning of {task.topic!r} has the number, id or gloss {sense!r}; "
        f"the meanings:{listed or ' none, as no ontology of the task knows the phrase'}"
    )


def _surroundings(meaning: Meaning) -> frozenset[str]:
    """The words of a meaning's gloss and names, and of those one step above and below it (after Lesk 1986)."""
    ontology, concept = meaning.ontology, meaning.concept
    near = [concept, *(ontology[each] for each in (*concept.broader, *ontology.narrower(concept.id)))]
    texts = [text for each in near for text in (each.gloss, *(label.text for label in each.labels))]
    return frozenset(words(" ".join(texts)))
