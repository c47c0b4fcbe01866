import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.lab.papers.text_oracle import TextOracle, definitions_of, terms
from thresher.language.extras import extra
from thresher.ontology import places
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.known_ontologies import open_ontology
from thresher.ontology.readers import wordnet as reader
from thresher.ontology.table import Ontology

IRIS = Ontology.of(
    "irises",
    [
        Concept("organ", (ConceptLabel("organ"),), "a part of a body"),
        Concept("plant", (ConceptLabel("plant"),), "a living thing that grows"),
        Concept(
            "iris.eye",
            (ConceptLabel("iris"),),
            'muscular diaphragm of the eye; it has a pupil; "her irises were green"',
            ("organ",),
        ),
        Concept("iris.plant", (ConceptLabel("iris"),), "plant with sword leaves", ("plant",)),
        Concept("bearded", (ConceptLabel("bearded iris"),), "iris with hairs on the petals", ("iris.plant",)),
        Concept("nameless", (ConceptLabel("nameless iris"),), "", ("iris.plant",)),
    ],
)
prose = st.lists(st.sampled_from(["iris", "eye", "pupil", "petal", "sword", "garden", "the", "of"]), max_size=30).map(
    " ".join
)


def test_definitions_are_those_of_the_sense_and_its_children_without_examples():
    assert definitions_of(IRIS, ["iris.plant"]) == ["plant with sword leaves", "iris with hairs on the petals"]
    assert definitions_of(IRIS, ["iris.eye"]) == ["muscular diaphragm of the eye; it has a pupil"]


def test_a_sense_that_is_not_there_is_named():
    with pytest.raises(BadInput, match=r"irises has no concept 'iris\.n\.09'"):
        definitions_of(IRIS, ["iris.n.09"])


def test_the_cosine_is_that_of_term_frequencies_without_stop_words():
    oracle = TextOracle(["the pupil of the eye", "an eye"], ["iris"])
    # Oracle: pupil 1, eye 2. Page: eye 1, garden 1.
    assert oracle.relevance("An eye for the garden") == pytest.approx(2 / math.sqrt(5 * 2))


def test_a_page_at_the_threshold_is_relevant():
    oracle = TextOracle(["pupil"], ["iris"], threshold=0.6)
    # 3 and 4 make 5.
    assert oracle.relevance("pupil " * 3 + "garden " * 4) == pytest.approx(0.6)
    assert oracle.relevant("pupil " * 3 + "garden " * 4)
    assert not oracle.relevant("pupil " * 3 + "garden " * 5)


def test_the_word_itself_proves_nothing():
    oracle = TextOracle(definitions_of(IRIS, ["iris.plant"]), ["iris"])
    assert oracle.relevance("iris iris iris") == 0
    assert not oracle.relevant("The Iris is a ship")


@settings(deadline=None)
@given(prose, st.integers(0, 9))
def test_the_word_itself_counts_neither_for_a_page_nor_against_it(text, times):
    oracle = TextOracle(["pupil eye"], "iris")
    assert oracle.relevance(text + " iris" * times) == oracle.relevance(text)


def test_as_the_paper_has_it_a_page_is_less_relevant_the_more_it_repeats_the_word():
    literal, struck = (TextOracle(["the iris has a pupil"], "iris", literal=each) for each in (True, False))
    assert literal.relevance("pupil") == struck.relevance("pupil") == 1
    assert literal.relevance("pupil iris") == pytest.approx(1 / math.sqrt(2))
    assert struck.relevance("pupil iris") == 1


def test_senses_are_told_apart():
    eye, plant = (TextOracle(definitions_of(IRIS, [sense]), ["iris"]) for sense in ("iris.eye", "iris.plant"))
    page = "The iris is a muscular diaphragm around the pupil of the eye."
    assert eye.relevant(page)
    assert not plant.relevant(page)


@settings(deadline=None)
@given(prose)
def test_relevance_lies_between_none_and_all(text):
    assert 0 <= TextOracle(["pupil of the eye", "sword"], ["iris"]).relevance(text) <= 1


needs_stems = pytest.mark.skipif(extra("Stemmer") is None, reason="PyStemmer is not installed")


@needs_stems
def test_forms_of_a_word_are_one_term():
    assert terms("The diaphragms controlled pupils") == terms("diaphragm control pupil")


@needs_stems
@pytest.mark.parametrize("topic", ["iris", "irises", "Iris"])
def test_every_form_of_the_word_itself_is_struck(topic):
    oracle = TextOracle(["irises with an iris and pupils"], [topic])
    assert oracle.relevance("irises iris Iris") == 0
    assert oracle.relevance("irises and the pupil of an iris") == pytest.approx(1)


@pytest.mark.parametrize("definitions", [[], [""], ["the iris", "iris"]])
def test_an_oracle_without_words_is_refused(definitions):
    with pytest.raises(BadInput, match="has no words"):
        TextOracle(definitions, ["iris"])


@pytest.mark.parametrize("threshold", [0, -0.1, 1.1, math.nan])
def test_a_threshold_that_means_nothing_is_refused(threshold):
    with pytest.raises(BadInput, match="threshold"):
        TextOracle(["pupil"], ["iris"], threshold)


def test_wordnet_tells_the_two_senses_of_iris_apart(pytestconfig, monkeypatch):
    if places.wordnet() is None:
        pytest.skip(f"WordNet is not installed: {reader.how_to_get_it()}")
    monkeypatch.setenv("THRESHER_CACHE", str(pytestconfig.cache.mkdir("ontologies")))
    wordnet = open_ontology("wordnet")
    flower, eye = (TextOracle(definitions_of(wordnet, [sense]), ["iris"]) for sense in ("iris.n.01", "iris.n.02"))
    gardening = (
        "Irises have sword-shaped leaves and large flowers with three petals and drooping sepals; many are cultivated."
    )
    medical = "The iris controls how much light enters the eye by changing the size of the pupil."
    assert [flower.relevant(gardening), flower.relevant(medical)] == [True, False]
    assert [eye.relevant(gardening), eye.relevant(medical)] == [False, True]
