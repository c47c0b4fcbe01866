"""Which meaning of a word is taken where nobody can be asked."""

import pytest

from thresher.errors import BadInput
from thresher.knowledge import installed_ontologies
from thresher.language.extras import extra
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.known_ontologies import KNOWN
from thresher.ontology.table import Ontology
from thresher.topic.likeliest_sense import likeliest
from thresher.topic.sense_choice import meanings
from thresher.which_sense import meanings_named

needs_stems = pytest.mark.skipif(extra("Stemmer") is None, reason="PyStemmer is not installed")


def ontology(name, *concepts):
    return Ontology.of(name, concepts)


def concept(identity, *labels, gloss="", kind="noun", broader=()):
    return Concept(identity, tuple(labels), gloss, kind=kind, broader=broader)


def label(text, rank=0, count=0):
    return ConceptLabel(text, rank=rank, count=count)


PLANT = concept("plant", label("plant"))
FLOWER = concept("iris.1", label("iris"), gloss="a garden flower", broader=("plant",))
EYE = concept("iris.2", label("iris", 1), gloss="the coloured ring around the pupil")
DICTIONARY = ontology("dictionary", PLANT, FLOWER, EYE)
MEDICINE = ontology("medicine", concept("M:1", label("iris"), gloss="The ring around the pupil of the eye."))
SYNDROME = ontology(
    "disorders", concept("D:1", label("IRIS"), gloss="A garden of disorders, with a flower of symptoms.")
)


def chosen(found, *beside):
    said = likeliest("iris", found, beside)
    return [each.concept.id for each in said.meanings], said.why


def test_other_words_decide_first():
    found = meanings("iris", [DICTIONARY])
    assert chosen(found, "pupil") == (["iris.2"], "nearest to the other words given")
    assert chosen(found, "plant") == (["iris.1"], "nearest to the other words given")


def test_then_what_was_seen_most_often():
    seen = ontology("counted", concept("a", label("iris", count=2)), concept("b", label("iris", 1, count=5)))
    assert chosen(meanings("iris", [seen])) == (["b"], "most frequent in counted")


def test_then_what_another_ontology_knows_too_which_is_chosen_with_it():
    found = meanings("iris", [DICTIONARY, MEDICINE])
    assert chosen(found) == (["iris.2", "M:1"], "nearest to what other ontologies say of it")


def test_then_the_first():
    assert chosen(meanings("iris", [DICTIONARY])) == (["iris.1"], "the first in dictionary")


def test_nouns_come_before_what_was_seen_more_often():
    found = ontology("kinds", concept("n", label("iris")), concept("v", label("iris", 1, count=9), kind="verb"))
    assert chosen(meanings("iris", [found]))[0] == ["n"]


def test_an_abbreviation_is_not_the_same_thing():
    assert chosen(meanings("iris", [DICTIONARY, SYNDROME]), "garden")[0] == ["iris.1"]


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("sunburn", ["sunburn.n.02", "MONDO:0005326"]),
        ("lupus", ["lupus.n.01", "MONDO:0007915"]),
        ("squash", ["squash.n.01"]),
    ],
)
def test_topics_of_the_thesis_are_taken_as_diseases(word, ids):
    known = {each.name for each in KNOWN if each.find()}
    if not {"wordnet", "mondo"} <= known:
        pytest.skip("WordNet or MONDO is not installed")
    found = meanings(word, installed_ontologies(["wordnet", "mondo"], [word]))
    assert [each.concept.id for each in likeliest(word, found).meanings] == ids


@pytest.mark.parametrize(
    ("word", "said", "meant"),
    [
        ("iris", "eye", "iris.n.02"),
        pytest.param("iris", "Eyes", "iris.n.02", marks=needs_stems),
        ("iris", "bright flowers", "iris.n.01"),
        ("iris", "iridaceous plant", "iris.n.01"),  # not in its own definition, but in that of what it is a kind of
        ("mercury", "planet", "mercury.n.03"),
        ("mercury", "messenger of Jupiter", "mercury.n.02"),
    ],
)
def test_a_sense_is_found_by_words_of_its_definition_or_around_it(wordnet, word, said, meant):
    assert [each.concept.id for each in meanings_named(word, meanings(word, [wordnet]), [said])] == [meant]


@pytest.mark.parametrize("said", ["zebra", "9", "", "the of", "eye zebra"])
def test_words_that_no_sense_speaks_of_are_an_error_that_lists_the_senses(wordnet, said):
    with pytest.raises(
        BadInput, match=r"no meaning of 'iris' has the number or id .*it can mean:(?s:.*)2  iris.n.02  muscular"
    ):
        meanings_named("iris", meanings("iris", [wordnet]), [said])


def test_words_that_several_senses_speak_of_are_an_error_that_lists_these(wordnet):
    with pytest.raises(
        BadInput, match=r"2 meanings of 'iris' speak of 'diaphragm'(?s:.*)iris.n.02(?s:.*)iris.n.03"
    ) as told:
        meanings_named("iris", meanings("iris", [wordnet]), ["diaphragm"])
    assert "iris.n.01" not in str(told.value)
