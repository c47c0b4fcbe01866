"""What a crawl is about: words and phrases, each with a weight, its relation to the topic, and where it came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words

Tier = Literal["exact", "synonym", "broader", "context"]
TIERS: tuple[Tier, ...] = ("exact", "synonym", "broader", "context")
"""From the strongest relation to the weakest: the phrase itself, its other names, more general concepts, siblings and children."""


class Term(NamedTuple):
    """One name that shows that a text is about the topic."""

    label: str
    weight: float
    tier: Tier = "exact"
    language: str = "en"
    concept: str = ""
    """The id of the concept it names."""
    source: str = ""
    """The ontology, file or examples it came from."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A name for people, and the terms that judges and strategies look for."""

    name: str
    terms: tuple[Term, ...]
    notes: tuple[str, ...] = ()
    """What the user should know: a phrase that no ontology has, siblings left out because they are too many."""
    phrases: Mapping[str, float] = field(default_factory=dict)
    """What was typed, with weights: words that belong together are one phrase. If nobody said, each label is one."""
    labels: Mapping[str, float] = field(init=False)
    """The terms' labels in lower case, with their weights."""

    def __post_init__(self) -> None:
        labels: dict[str, float] = {}
        for term in self.terms:
            if not isinstance(term, Term):
                raise BadInput(f"the terms of the topic {self.name!r:.100} are thresher.Term, not {term!r:.100}")
            key = term.label.lower()
            labels[key] = max(term.weight, labels.get(key, 0.0))
        object.__setattr__(self, "labels", MappingProxyType(labels))
        object.__setattr__(self, "phrases", MappingProxyType(dict(self.phrases or labels)))

    @classmethod
    def of(cls, text: str) -> "Topic":
        """A topic from plain words, each of weight 1; stop words are left out. Commas part phrases.

        >>> dict(Topic.of("the iris of the eye").labels)
        {'iris': 1.0, 'eye': 1.0}
        >>> list(Topic.of("the iris of the eye, pupil").phrases)
        ['iris eye', 'pupil']
        """
        labels = dict.fromkeys(word for word in words(text) if word not in STOP_WORDS)
        if not labels:
            raise BadInput(f"the topic {text!r} has no word to look for: give at least one, such as --topic 'iris eye'")
        return cls(text, tuple(Term(label, 1.0, source="words") for label in labels), phrases=phrases(text))


def check_topic(topic: Topic) -> None:
    """It is an error if a topic, or a term of it, is not what its fields promise: somebody may have made it by hand."""
    if not isinstance(topic.name, str):
        raise BadInput(f"the name of the topic is {topic.name!r:.100}, but must be text")
    for term in topic.terms:
        if not isinstance(term.label, str):
            raise BadInput(f"the label {term.label!r:.100} of the topic {topic.name!r} must be text")
        if not isinstance(term.weight, int | float) or not 0 < term.weight < inf:
            raise BadInput(f"the weight of {term.label!r:.100} is {term.weight!r:.100}, but must be above 0")
        if term.tier not in TIERS:
            raise BadInput(
                f"the tier of {term.label!r:.100} is {term.tier!r:.100}, but must be one of {', '.join(TIERS)}"
            )


def topic_table(topic: Topic) -> dict[str, Any]:
    """A topic as values that a crawl file can hold; `topic_from` makes it again."""
    return {
        "terms": [list(term) for term in topic.terms],
        "notes": list(topic.notes),
        "phrases": [[phrase, weight] for phrase, weight in topic.phrases.items()],
    }


def topic_from(name: str, table: Mapping[str, Any]) -> Topic:
    """The topic of that name that a table holds."""
    try:
        terms = tuple(Term(*each) for each in table["terms"])
        return Topic(name, terms, tuple(table.get("notes", ())), dict(table.get("phrases", ())))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"[knowledge]: given_topic is not a topic that was made in Python ({error})") from error


LONGEST_PHRASE = 3
"""Words without stop words. More of them are taken for a list of keywords: nobody writes so many in one breath."""


def phrases(text: str) -> dict[str, float]:
    """What stands between commas, without stop words, each of weight 1; more than three words are one each.

    >>> list(phrases("regular expression, regex")), list(phrases("course homework lecture exam"))
    (['regular expression', 'regex'], ['course', 'homework', 'lecture', 'exam'])
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        said = list(dict.fromkeys(word for word in words(part) if word not in STOP_WORDS))
        found |= dict.fromkeys([" ".join(said)] if len(said) <= LONGEST_PHRASE else said, 1.0)
    found.pop("", None)
    return found


def strongest(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Each label once, in its strongest tier; in one tier the heavier wins, then the first. The result is sorted by tier."""
    best: dict[str, Term] = {}
    for term in terms:
        key = " ".join(words(term.label))
        known = best.get(key)
        if key and (known is None or _strength(term) > _strength(known)):
            best[key] = term
    return tuple(sorted(best.values(), key=lambda term: TIERS.index(term.tier)))


def _strength(term: Term) -> tuple[int, float]:
    return -TIERS.index(term.tier), term.weight
