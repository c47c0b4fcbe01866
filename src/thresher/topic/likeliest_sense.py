"""Which meaning of a word is meant if nobody can be asked. What decides, in this order:

1. the other words that were given: the meaning whose surroundings share most words with them (after Lesk 1986);
2. nouns before verbs and adjectives, as topics are things;
3. how often the word was seen with each meaning in tagged text, where somebody counted (WordNet);
4. what other ontologies say of the word: the meaning whose surroundings share most words, two at least, with those of a meaning there,
   since what a medical ontology knows too is more often meant than what only a dictionary knows;
5. the order of the meanings, the most usual first.

The surroundings of a meaning are the words of its definition and its names, and of those one step above and below it. Meanings of other
ontologies that are nearer to the one chosen than to any of its rivals are taken for the same thing, and are chosen with it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from thresher.language import STOP_WORDS, stems, words
from thresher.topic.sense_choice import Meaning

_MOST_BELOW = 50
# One word in common is chance: the iris of the garden shares one with IRIS, a syndrome.
_FEWEST_SHARED = 2


class LikeliestSense(NamedTuple):
    """The meaning that is probably meant."""

    meanings: Sequence[Meaning]
    """The meaning itself, and the same thing in other ontologies."""
    why: str
    """What decided, to be put behind the meaning in a sentence."""


def likeliest(phrase: str, found: Sequence[Meaning], beside: Iterable[str] = ()) -> LikeliestSense:
    """The meaning of a phrase that is probably meant, of several; `beside` are texts that were given with it."""
    own = _stems([phrase])
    around = {each.number: surroundings(each) - own for each in found}
    said = _stems(beside) - own
    near = {each.number: len(said & around[each.number]) for each in found}
    seen = {each.number: _seen(phrase, each) for each in found}
    elsewhere = {each.number: _shared_elsewhere(each, found, around) for each in found}
    best = max(found, key=lambda each: (near[each.number], *_usual(each, seen), elsewhere[each.number], -each.number))
    number, where = best.number, best.ontology.name
    why = (
        "nearest to the other words given" if _decides(near, number)
        else f"most frequent in {where}" if _decides(seen, number)
        else "nearest to what other ontologies say of it" if _decides(elsewhere, number)
        else f"the first in {where}"
    )  # fmt: skip
    words_only = [each for each in found if not _only_letters(phrase, each)]
    return LikeliestSense((best, *_same_thing(best, words_only, around)), why)


def spoken_of(text: str, found: Sequence[Meaning]) -> list[Meaning]:
    """The meanings that speak of all these words: in their names and definitions; if none does, in what is around them."""
    said = _stems([text])
    own = {each.number: _stems([each.concept.gloss, *(label.text for label in each.concept.labels)]) for each in found}
    near = [each for each in found if said and said <= own[each.number]]
    return near or [each for each in found if said and said <= surroundings(each)]


def surroundings(meaning: Meaning) -> frozenset[str]:
    """The stems of the words of a meaning's gloss and names, and of those one step above and below it."""
    ontology, concept = meaning.ontology, meaning.concept
    below = islice(ontology.narrower(concept.id), _MOST_BELOW)
    near = [concept, *(ontology[each] for each in (*concept.broader, *below))]
    return _stems(text for each in near for text in (each.gloss, *(label.text for label in each.labels)))


def _stems(texts: Iterable[str]) -> frozenset[str]:
    said = [word for word in words(" ".join(texts)) if word not in STOP_WORDS]
    return frozenset(stems(said))


def _seen(phrase: str, meaning: Meaning) -> int:
    return sum(label.count for label in meaning.concept.labels if label.text.lower() == phrase.lower())


def _only_letters(phrase: str, meaning: Meaning) -> bool:
    """Whether the phrase is but an abbreviation of it: COLD is a lung disease, and no cold."""
    names = [label.text for label in meaning.concept.labels if label.text.lower() == phrase.lower()]
    return bool(names) and not phrase.isupper() and all(map(str.isupper, names))


def _usual(meaning: Meaning, seen: Mapping[int, int]) -> tuple[bool, int]:
    return meaning.concept.kind in {"noun", ""}, seen[meaning.number]


def _decides(values: Mapping[int, int], number: int) -> bool:
    return values[number] > 0 and any(value < values[number] for value in values.values())


Around = Mapping[int, frozenset[str]]


def _shared_elsewhere(meaning: Meaning, found: Sequence[Meaning], around: Around) -> int:
    """How many words the surroundings share with the nearest meaning of another ontology."""
    most = max(_shared(meaning, _of_others(meaning, found), around), default=0)
    return most if most >= _FEWEST_SHARED else 0


def _shared(meaning: Meaning, others: Collection[Meaning], around: Around) -> list[int]:
    return [len(around[meaning.number] & around[each.number]) for each in others]


def _of_others(meaning: Meaning, found: Sequence[Meaning]) -> list[Meaning]:
    return [each for each in found if each.ontology.name != meaning.ontology.name]


def _same_thing(best: Meaning, found: Sequence[Meaning], around: Around) -> list[Meaning]:
    """In each other ontology the meaning nearest to the best one, if it is nearer to that than to any of its rivals."""
    rivals = [each for each in found if each.ontology.name == best.ontology.name and each is not best]
    nearest: dict[str, tuple[int, Meaning]] = {}
    for other in _of_others(best, found):
        shared, *against = _shared(other, [best, *rivals], around)
        known = nearest.get(other.ontology.name, (_FEWEST_SHARED - 1, other))
        if shared > max(against, default=0) and shared > known[0]:
            nearest[other.ontology.name] = shared, other
    return [other for _, other in nearest.values()]
