"""The values an ontology is made of: concepts and their labels."""

from typing import Literal, NamedTuple

LabelKind = Literal["preferred", "exact", "narrow", "broad", "related"]
"""How well a label names its concept: `preferred` and `exact` mean the same thing, the others only about the same."""


class ConceptLabel(NamedTuple):
    """A name of a concept."""

    text: str
    """As it is written: `Nocturnal enuresis`. Looked up by its words, whatever their case and whatever stands between them."""
    language: str = "en"
    kind: LabelKind = "exact"
    rank: int = 0
    """The place of this meaning among all meanings of the word, from 0: WordNet's order of senses."""
    count: int = 0  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a label
    """How often the word was seen with this meaning in tagged text; 0 where nobody counted."""


class Concept(NamedTuple):
    """A meaning with all its names."""

    id: str
    """Unique within its ontology: `iris.n.02`, `MONDO:0005148`, `C0270327`, an IRI."""
    labels: tuple[ConceptLabel, ...]
    """The preferred one first."""
    gloss: str = ""
    broader: tuple[str, ...] = ()
    """Ids of the concepts one step more general."""
    related: tuple[str, ...] = ()
    kind: str = ""
    """`noun`, `verb`, `adjective`; a semantic type; empty where there is only one kind."""
    derived: tuple[str, ...] = ()
    """Words of another kind that mean nothing but this: *vasectomize* for *vasectomy*. The concept is not found by them."""

    @property
    def label(self) -> str:
        """The preferred name."""
        return self.labels[0].text if self.labels else self.id
