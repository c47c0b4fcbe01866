"""Which of several ontologies knows a topic best."""

import pytest

from thresher.errors import Missing
from thresher.knowledge import Knowledge, needs
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.table import Ontology
from thresher.topic.ontology_choice import best_ontology


def concept(identity, *names, broader=()):
    return Concept(identity, tuple(map(ConceptLabel, names)), broader=broader)


EYES = Ontology.of(
    "eyes",
    [concept("eye", "eye"), concept("iris", "iris", "rainbow membrane", broader=("eye",)), concept("lens", "lens")],
)
FLOWERS = Ontology.of("flowers", [concept("F:1", "iris"), concept("F:2", "garden")])


def best(*phrases, senses=()):
    return [each.name for each in best_ontology(phrases, [FLOWERS, EYES], senses)]


def test_it_knows_most_of_the_phrases():
    assert best("iris", "garden") == ["flowers"]
    assert best("iris", "lens") == ["eyes"]


def test_of_those_it_has_most_names_around_them():
    assert best("iris") == ["eyes"]


def test_a_sense_that_was_chosen_decides_first():
    assert best("iris", senses=["F:1"]) == ["flowers"]


def test_none_is_chosen_if_none_knows_the_topic():
    assert best("quagga") == []


def test_two_of_the_same_name_are_told_apart():
    namesake = Ontology.of("flowers", [concept("V:1", "vase")])
    assert best_ontology(["iris"], [FLOWERS, namesake]) == [FLOWERS]


def test_a_crawl_uses_all_or_the_best(tmp_path):
    (tmp_path / "eyes.csv").write_text("label,relation\niris,exact\nrainbow membrane,synonym\nring,synonym\n")
    (tmp_path / "flowers.csv").write_text("label,relation\niris,exact\ngarden,broader\n")
    files = [str(tmp_path / "eyes.csv"), str(tmp_path / "flowers.csv")]
    labels = {
        how: {term.label for term in needs("iris", Knowledge(ontologies=files, choose=how))["concepts"].make().terms}
        for how in ("all", "best")
    }
    assert labels["all"] == {"iris", "rainbow membrane", "ring", "garden"}
    assert labels["best"] == {"iris", "rainbow membrane", "ring"}
    with pytest.raises(Missing, match="'quagga' is not in eyes, flowers"):
        needs("quagga", Knowledge(ontologies=files, choose="best"))["concepts"].make()
