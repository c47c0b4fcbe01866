"""A mini ontology to check on paper. Counts are powers of two, so information is a whole number of bits.

    thing 64 · 0 bits
    ├── living 32 · 1
    │   ├── animal 16 · 2          8 of its own
    │   │   ├── dog 4 · 4
    │   │   └── cat 4 · 4
    │   └── plant 16 · 2           8 of its own
    │       └── flower 8 · 3       4 of its own
    │           ├── iris.plant 2 · 5
    │           ├── rose 2 · 5
    │           └── orchid 0 · ∞   also below decoration
    └── object 32 · 1              16 of its own
        ├── organ 16 · 2           8 of its own
        │   ├── eye 4 · 4
        │   └── iris.eye 4 · 4
        └── decoration 0 · ∞

Lin(dog, cat) = 2·2 / (4 + 4) = 1/2; Lin(iris.plant, rose) = 2·3 / (5 + 5) = 3/5; Lin(iris.plant, dog) = 2·1 / (5 + 4) = 2/9.
"""

from hypothesis import strategies as st

from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.table import Ontology

CONCEPTS = (
    Concept("thing", (ConceptLabel("thing"),)),
    Concept("living", (ConceptLabel("living thing"),), broader=("thing",)),
    Concept("animal", (ConceptLabel("animal", count=8),), broader=("living",)),
    Concept(
        "dog", (ConceptLabel("dog", kind="preferred", count=3), ConceptLabel("hound", count=1)), broader=("animal",)
    ),
    Concept("cat", (ConceptLabel("cat", count=4), ConceptLabel("Katze", "de")), broader=("animal",)),
    Concept("plant", (ConceptLabel("plant", count=8),), broader=("living",)),
    Concept("flower", (ConceptLabel("flower", count=4), ConceptLabel("फूल", "hi")), broader=("plant",)),
    Concept("iris.plant", (ConceptLabel("iris", count=2),), "a plant with sword-shaped leaves", ("flower",)),
    Concept("rose", (ConceptLabel("rose", count=2),), broader=("flower",)),
    Concept("orchid", (ConceptLabel("orchid"),), broader=("flower", "decoration")),
    Concept("object", (ConceptLabel("object", count=16),), broader=("thing",)),
    Concept("organ", (ConceptLabel("organ", count=8),), broader=("object",)),
    Concept("eye", (ConceptLabel("eye", count=4), ConceptLabel("oculus")), broader=("organ",), related=("iris.eye",)),
    Concept("iris.eye", (ConceptLabel("Iris", rank=1, count=4),), "the coloured part of the eye", ("organ",), ("eye",)),
    Concept("decoration", (ConceptLabel("decoration"),), broader=("object",)),
)


def mini() -> Ontology:
    return Ontology.of("mini", CONCEPTS)


@st.composite
def ontologies(draw, most=9):
    """Any hierarchy without circles: a concept's parents are among those before it."""
    many = draw(st.integers(1, most))
    concepts = []
    for number in range(many):
        parents = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set()
        label = ConceptLabel(
            draw(st.text(max_size=8)), draw(st.sampled_from(["en", "de"])), count=draw(st.integers(0, 5))
        )
        concepts.append(Concept(f"c{number}", (label,), broader=tuple(f"c{parent}" for parent in sorted(parents))))
    return Ontology.of("random", draw(st.permutations(concepts)))
