"""Which meaning of a task's phrase is meant: the one it names, or the one whose surroundings share most words with the task's keywords."""

from collections.abc import Sequence

from thresher.errors import BadInput
from thresher.lab.run.task import Task
from thresher.language import STOP_WORDS, words
from thresher.ontology.table import Ontology
from thresher.topic.sense_choice import Meaning, meanings


def meant(task: Task, ontologies: Sequence[Ontology]) -> list[str]:
    """The id of the meaning, as a user would choose it; none if no ontology knows the phrase."""
    found = meanings(task.topic, ontologies)
    if task.sense:
        return [_named(task, found)]
    # The phrase itself is in the surroundings of all its meanings.
    said = frozenset(words(task.keywords)) - STOP_WORDS - frozenset(words(task.topic))
    # Of equals the first, which is the most usual.
    best = max(found, key=lambda each: len(said & _surroundings(each)), default=None)
    return [best.concept.id] if best else []


def _named(task: Task, found: Sequence[Meaning]) -> str:
    for each in found:
        if task.sense in {str(each.number), each.concept.id} or each.concept.gloss.startswith(task.sense):
            return each.concept.id
    listed = "".join(f"\n  {each.number}  {each.concept.id}  {each.concept.gloss}" for each in found)
    raise BadInput(
        f"{task.place}: no meaning of {task.topic!r} has the number, id or gloss {task.sense!r}; "
        f"the meanings:{listed or ' none, as no ontology of the task knows the phrase'}"
    )


def _surroundings(meaning: Meaning) -> frozenset[str]:
    """The words of a meaning's gloss and names, and of those one step above and below it (after Lesk 1986)."""
    ontology, concept = meaning.ontology, meaning.concept
    near = [concept, *(ontology[each] for each in (*concept.broader, *ontology.narrower(concept.id)))]
    texts = [text for each in near for text in (each.gloss, *(label.text for label in each.labels))]
    return frozenset(words(" ".join(texts)))
