import hashlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from tests.unit.ontology.mini import CONCEPTS, mini, ontologies

from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.information import from_counts, from_file, own_counts, with_all_below
from thresher.ontology.readers import wordnet as reader
from thresher.ontology.similarity import lin
from thresher.ontology.table import Ontology

MINI = mini()
BITS = {"thing": 0, "living": 1, "object": 1, "animal": 2, "plant": 2, "organ": 2, "flower": 3, "dog": 4, "cat": 4}
BITS |= {"eye": 4, "iris.eye": 4, "iris.plant": 5, "rose": 5, "orchid": math.inf, "decoration": math.inf}

SEMCOR = {
    "semcor": "5e2fdc1a2c58886f2cb892903eef1615a6c6d5619f53040ffb0874522b1c6a2f",
    "semcor-add1": "0f8ee3003f955c52084965aed294d15e1701920c15f9fba2c01cc980ba3a0f42",
}
"""SHA-256 of the files of WordNet::Similarity for WordNet 3.0."""


def shipped_file(tmp_path, text):
    file = tmp_path / "ic-mini.dat"
    file.write_text(text)
    return file


@pytest.mark.parametrize(("concept", "bits"), BITS.items())
def test_raw_information_is_as_on_paper(concept, bits):
    assert from_counts(MINI, add=0)[concept] == pytest.approx(bits * math.log(2), abs=1e-12)


def test_adding_one_to_every_concept_leaves_nothing_unheard_of():
    information = from_counts(MINI, add=1)
    # 64 seen and 15 concepts; the orchid counts once at the object, the flower and the thing, though two ways lead up.
    assert information["orchid"] == pytest.approx(math.log(79))
    assert information["decoration"] == pytest.approx(math.log(79 / 2))
    assert information["flower"] == pytest.approx(math.log(79 / 12))
    assert information["object"] == pytest.approx(math.log(79 / (32 + 6)))
    assert information["thing"] == 0


def test_a_share_of_the_sum_of_all_counts_leaves_something_to_say_to_a_root():
    small = Ontology.of(
        "small",
        [
            Concept("a", (ConceptLabel("a", count=1),)),
            Concept("b", (ConceptLabel("b", count=3),), broader=("a",)),
            Concept("c", ()),
        ],
    )
    information = from_counts(small, total="sum")
    # With 1 added: a has 2 + 4 and b has 4. The c is a root of the same kind and has 1.
    assert [information[each] for each in "abc"] == pytest.approx([math.log(11 / 6), math.log(11 / 4), math.log(11)])


@given(ontologies())
def test_two_concepts_share_the_most_telling_of_those_above_both(ontology):
    information = from_counts(ontology)
    for here in range(len(ontology)):
        for there in range(len(ontology)):
            common = ontology.above(here) & ontology.above(there)
            most = max((information.values[place] for place in common), default=0.0)
            assert information.shared(here, there) == most


def test_an_unknown_total_is_an_error_that_lists_the_choices():
    with pytest.raises(BadInput, match="'all'; the choices: root, sum"):
        from_counts(MINI, total="all")


@pytest.mark.parametrize(
    ("sense", "row"),
    [("iris.n.01", (0.318, 0.315, 0.602, 0.292, 0.251)), ("iris.n.02", (0.246, 0.244, 0.261, 0.506, 0.442))],
)
def test_equation_5_as_printed_does_not_give_lincrawlers_own_table(wordnet, sense, row):
    # The table has .15 and .08 for plant. The row was worked out once over another edition of WordNet.
    information = from_counts(wordnet, total="sum")
    terms = [f"{term}.n.01" for term in ("plant", "leaf", "flower", "eye", "sphincter")]
    assert [lin(wordnet, sense, term, information) for term in terms] == pytest.approx(row, abs=0.03)


def test_a_count_goes_up_once_or_on_each_way():
    diamond = Ontology.of("diamond", [
        Concept("top", (ConceptLabel("top", count=1),)),
        Concept("left", (ConceptLabel("left", count=2),), broader=("top",)),
        Concept("right", (ConceptLabel("right", count=3),), broader=("top",)),
        Concept("low", (ConceptLabel("low", count=4),), broader=("left", "right")),
    ])  # fmt: skip
    once, each = (from_counts(diamond, add=0, ways=ways) for ways in ("once", "each"))
    assert once["low"] == pytest.approx(-math.log(4 / 10))
    assert each["low"] == pytest.approx(-math.log(4 / 14))
    assert once["left"] == pytest.approx(-math.log(6 / 10))
    assert each["top"] == once["top"] == 0


def test_an_unknown_count_of_ways_is_an_error_that_lists_the_choices():
    with pytest.raises(BadInput, match="'all'; the choices: once, each"):
        from_counts(MINI, ways="all")


@pytest.mark.parametrize(("corpus", "add"), [("semcor", 0), ("semcor-add1", 1)])
def test_wordnets_counts_on_each_way_are_the_file_of_semcor_that_lincrawler_names(wordnet, wordnet_folder, corpus, add):
    if not (wordnet_folder / "index.sense").is_file():
        pytest.skip("this WordNet came without index.sense: pip install 'thresher[wordnet]'")
    file = wordnet_folder.parent / "wordnet_ic" / f"ic-{corpus}.dat"
    if not file.is_file():
        pytest.skip("this WordNet came without information content: pip install 'thresher[wordnet]'")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == SEMCOR[corpus], "not the file of WordNet::Similarity"
    theirs, ours = reader.information(wordnet, wordnet_folder, corpus), from_counts(wordnet, add=add, ways="each")
    nouns = [concept.id for concept in wordnet if concept.kind == "noun"]
    assert len(nouns) == 82_115
    assert [ours[noun] for noun in nouns] == [theirs[noun] for noun in nouns]


def test_a_concept_is_seen_under_all_its_labels():
    assert own_counts(MINI)[MINI.place("dog")] == 4


def test_kinds_that_never_meet_have_a_root_count_each():
    verbs = [Concept(name, (ConceptLabel(name, count=1),), kind="verb") for name in ("run", "walk", "see")]
    both = Ontology.of(
        "both", (*CONCEPTS, *verbs, Concept("jog", (ConceptLabel("jog", count=3),), broader=("run",), kind="verb"))
    )
    information = from_counts(both, add=0)
    assert information["dog"] == pytest.approx(4 * math.log(2))
    assert information["run"] == pytest.approx(math.log(6 / 4))


def test_kinds_that_a_step_up_joins_count_together():
    joined = Ontology.of(
        "joined", (*CONCEPTS, Concept("puppy", (ConceptLabel("puppy", count=4),), broader=("dog",), kind="young"))
    )
    assert from_counts(joined, add=0)["puppy"] == pytest.approx(math.log(68 / 4))


def test_where_nobody_counted_structure_decides():
    bare = Ontology.of("bare", (Concept(each.id, (), broader=each.broader) for each in CONCEPTS))
    information = from_counts(bare)
    assert information["thing"] == 0 < information["living"] < information["flower"] < information["rose"]


def test_an_empty_ontology_has_no_information():
    assert from_counts(Ontology.of("nothing", [])).values == []
    assert from_counts(Ontology.of("nothing", []), total="sum").values == []


def test_a_shipped_file_is_read_by_its_own_names_and_roots(tmp_path):
    small = Ontology.of(
        "small", [Concept("a", (), kind="n"), Concept("b", (), broader=("a",), kind="n"), Concept("c", (), kind="v")]
    )
    file = shipped_file(tmp_path, "wnver::abc\n1n 8 ROOT\n22n 2\n1v 5 ROOT\n7v 5 ROOT\n")
    information = from_file(small, file, ["1n", "22n", "7v"])
    assert [information[each] for each in "abc"] == pytest.approx([0, math.log(4), math.log(2)])


def test_what_a_shipped_file_does_not_name_was_never_seen(tmp_path):
    small = Ontology.of("small", [Concept("a", ()), Concept("b", (), broader=("a",))])
    assert from_file(small, shipped_file(tmp_path, "wnver::abc\n1n 8 ROOT\n"), ["1n", "2n"])["b"] == math.inf


def test_a_file_for_another_wordnet_is_refused(tmp_path):
    with pytest.raises(BadInput, match="made for another WordNet"):
        from_file(MINI, shipped_file(tmp_path, "wnver::abc\n1n 8 ROOT\n"), ["1n"])


@pytest.mark.parametrize("line", ["7n", "7n many", "7n 1 ROOT\n8n \x00"])
def test_a_broken_file_is_refused_with_its_line(tmp_path, line):
    with pytest.raises(BadInput, match=r"ic-mini\.dat, line [23]: not a synset with its count"):
        from_file(MINI, shipped_file(tmp_path, f"wnver::abc\n{line}\n"), ["1n"])


def test_a_missing_file_is_named():
    with pytest.raises(BadInput, match=r"nowhere\.dat: cannot be read"):
        from_file(MINI, Path("nowhere.dat"), [])


@given(ontologies())
def test_the_more_general_never_says_more(ontology):
    for information in (from_counts(ontology), from_counts(ontology, add=0), from_counts(ontology, total="sum")):
        for concept in ontology:
            assert all(information[parent] <= information[concept.id] + 1e-12 for parent in concept.broader)
            assert information[concept.id] >= 0


@given(ontologies())
def test_everything_below_counts_exactly_once(ontology):
    own = own_counts(ontology).tolist()
    below = with_all_below(ontology, own)
    for concept in ontology:
        everything = {concept.id, *ontology.descendants(concept.id)}
        assert below[ontology.place(concept.id)] == sum(own[ontology.place(each)] for each in everything)
