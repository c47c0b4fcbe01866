"""Which meaning of a word is meant: what a phrase can mean, and which of its meanings were chosen.

`meanings` numbers all that a phrase can mean, as `thresher senses` shows it. `chosen_meanings` picks those that the user chose with
`--sense`, by number or id; a phrase with several meanings and no choice is `Ambiguous`. `word_sense` gives the judge `sense` and the
strategy `lin` what they need: all senses of the word, and which of them are wanted. `sense_scoring.py` then tells which of the senses a
text speaks of. The dialogue that asks a person for the sense is in `cli/`; where nobody can be asked, `likeliest_sense.py` chooses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thresher.errors import BadInput, Missing, NotChosen
from thresher.ontology.concept import Concept
from thresher.ontology.table import Ontology


class Meaning(NamedTuple):
    """One thing that a phrase can mean."""

    number: int
    """Counted from 1 through all ontologies; the user may choose by it."""
    ontology: Ontology
    concept: Concept


class Ambiguous(NotChosen):
    """A phrase that means several things: the user must say which."""

    def __init__(self, phrase: str, meanings: Sequence[Meaning], beside: Sequence[str] = ()) -> None:
        self.phrase, self.meanings, self.beside = phrase, meanings, beside
        super().__init__(
            f"{phrase!r} has several meanings; choose with --sense NUMBER or --sense ID:{listed_meanings(meanings)}"
        )


def listed_meanings(found: Sequence[Meaning]) -> str:
    """A line for each meaning, for an error: its number, its id and its gloss."""
    return "".join(f"\n  {number}  {each.id}  {each.gloss}" for number, _, each in found)


def meanings(phrase: str, ontologies: Sequence[Ontology]) -> list[Meaning]:
    """All that the phrase can mean, ontology by ontology, in the order of their senses."""
    found = [(each, concept) for each in ontologies for concept in sorted(each.concepts(phrase), key=_nouns_first)]
    return [Meaning(number, *each) for number, each in enumerate(found, 1)]


def _nouns_first(concept: Concept) -> int:
    """Nouns first, as in dictionaries; each kind keeps the order of its senses."""
    return _KINDS.index(concept.kind) if concept.kind in _KINDS else 0


_KINDS = ("noun", "verb", "adjective", "adverb")


def chosen_meanings(
    phrase: str, found: Sequence[Meaning], senses: Sequence[str], beside: Sequence[str] = ()
) -> Sequence[Meaning]:
    """The meanings that the user chose, by number or id; all of them where the phrase means one thing.

    `beside` are texts that were given with it, for whoever has to choose.
    """
    if senses and found:
        chosen = [each for each in found if str(each.number) in senses or each.concept.id in senses]
        if not chosen:
            raise BadInput(
                f"no meaning of {phrase!r} has the number or id {', '.join(senses)}: see thresher senses {phrase}"
            )
        return chosen
    # The same thing in two ontologies is one meaning; two things in one ontology are two.
    if len(found) > len({each.ontology.name for each in found}):
        raise Ambiguous(phrase, found, beside)
    return found


@dataclass(frozen=True, slots=True)
class WordSense:
    """All senses of a word, and which of them are wanted."""

    ontology: Ontology
    word: str
    senses: tuple[str, ...]
    """The ids of all its senses of one part of speech, the most usual first."""
    wanted: frozenset[int]
    """Which of them are wanted, counted from 0."""


def word_sense(word: str, ontologies: Sequence[Ontology], senses: Sequence[str]) -> WordSense:
    """The senses of a word, as `thresher senses` numbers and names them, and the wanted ones among them."""
    found = meanings(word, ontologies)
    if not found:
        names = ", ".join(each.name for each in ontologies) or "no ontology"
        raise Missing(
            f"a word that an ontology knows: {word!r} is not in {names}; give another word or another --ontology"
        )
    if not senses:
        raise Missing(f"a sense of {word!r}: choose one with --sense NUMBER-OR-ID, shown by: thresher senses {word}")
    return _among(word, found, chosen_meanings(word, found, senses))


def _among(word: str, found: Sequence[Meaning], chosen: Sequence[Meaning]) -> WordSense:
    first = chosen[0]
    rivals = [
        each.concept.id for each in found if each.ontology is first.ontology and each.concept.kind == first.concept.kind
    ]
    wanted = frozenset(rivals.index(each.concept.id) for each in chosen if each.concept.id in rivals)
    return WordSense(first.ontology, word, tuple(rivals), wanted)
