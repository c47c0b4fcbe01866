from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ontology.mini import CONCEPTS, mini, ontologies

from thresher.errors import BadInput
from thresher.ontology import table as module
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.table import Ontology

MINI = mini()


def ids(concepts):
    return [concept.id for concept in concepts]


def chain(length):
    return Ontology.of("chain", (Concept(f"c{n}", (), broader=(f"c{n - 1}",)) for n in range(length)))


def test_what_went_in_comes_out():
    assert tuple(MINI) == CONCEPTS
    assert len(MINI) == len(CONCEPTS)
    assert MINI["eye"] == CONCEPTS[12]


def test_an_unknown_id_is_a_key_error():
    assert "unicorn" not in MINI
    assert 7 not in MINI
    with pytest.raises(KeyError, match="unicorn"):
        MINI["unicorn"]


def test_all_meanings_of_a_label_come_in_the_order_of_rank():
    assert ids(MINI.concepts("IRIS")) == ["iris.plant", "iris.eye"]


@pytest.mark.parametrize("label", ["living thing", "Living-Thing", " living  THING!", "living_thing"])
def test_a_label_is_found_blind_to_case_and_punctuation(label):
    assert ids(MINI.concepts(label)) == ["living"]


@pytest.mark.parametrize("label", ["living", "", "...", "thing living", "unicorn"])
def test_what_is_not_a_label_means_nothing(label):
    assert MINI.concepts(label) == []


def test_a_label_may_be_asked_for_in_one_language():
    assert ids(MINI.concepts("फूल")) == ids(MINI.concepts("फूल", "hi")) == ["flower"]
    assert MINI.concepts("फूल", "en") == []
    assert ids(MINI.concepts("katze", "de")) == ["cat"]


def test_two_spellings_of_one_concept_make_one_meaning():
    twice = Ontology.of(
        "o", [Concept("a", (ConceptLabel("bed wetting"), ConceptLabel("Bed-wetting"))), Concept("b", ())]
    )
    assert ids(twice.concepts("bedwetting")) == []
    assert ids(twice.concepts("bed-wetting")) == ["a"]


def test_labels_without_a_letter_are_found_as_they_are():
    odd = Ontology.of("o", [Concept("plus", (ConceptLabel("++"),)), Concept("star", (ConceptLabel("*"),))])
    assert ids(odd.concepts(" ++ ")) == ["plus"]
    assert odd.concepts("") == []


def test_every_label_comes_with_its_concept():
    assert list(MINI.labels())[:2] == [("thing", ConceptLabel("thing")), ("living", ConceptLabel("living thing"))]
    assert [label.text for concept, label in MINI.labels() if concept == "dog"] == ["dog", "hound"]


def test_narrower_siblings_ancestors_and_descendants():
    assert MINI.narrower("flower") == ["iris.plant", "rose", "orchid"]
    assert MINI.siblings("rose") == ["iris.plant", "orchid"]
    assert MINI.siblings("orchid") == ["iris.plant", "rose"]
    assert MINI.siblings("thing") == []
    assert MINI.ancestors("rose") == {"rose", "flower", "plant", "living", "thing"}
    assert list(MINI.descendants("object")) == ["organ", "decoration", "eye", "iris.eye", "orchid"]


def test_depth_is_the_longest_way_to_a_root():
    assert [MINI.depth(each) for each in ("thing", "living", "flower", "orchid", "decoration")] == [0, 1, 3, 4, 2]


def test_least_common_subsumers():
    assert MINI.least_common_subsumers("dog", "cat") == ["animal"]
    assert MINI.least_common_subsumers("iris.plant", "iris.eye") == ["thing"]
    assert MINI.least_common_subsumers("rose", "flower") == ["flower"]
    assert MINI.least_common_subsumers("orchid", "orchid") == ["orchid"]


def test_two_concepts_may_meet_in_several_places_the_deepest_first():
    both = (Concept(name, (), broader=("flower", "organ")) for name in ("hybrid", "chimera"))
    assert Ontology.of("o", (*CONCEPTS, *both)).least_common_subsumers("hybrid", "chimera") == ["flower", "organ"]


def test_a_broader_id_that_no_concept_has_is_left_out_and_a_later_one_is_found():
    small = Ontology.of("o", [Concept("a", (), broader=("b", "nowhere"), related=("nobody",)), Concept("b", ())])
    assert small["a"] == Concept("a", (), broader=("b",))


def test_an_id_that_stands_twice_is_refused():
    with pytest.raises(BadInput, match="two concepts have the id 'a'"):
        Ontology.of("o", [Concept("a", ()), Concept("b", ()), Concept("a", ())])


def test_a_circle_is_cut_open_and_noted():
    ring = Ontology.of(
        "o", [Concept("a", (), broader=("c",)), Concept("b", (), broader=("a",)), Concept("c", (), broader=("b",))]
    )
    assert ring.notes == ("a circle in the hierarchy: b is above a already, so it is not put below it",)
    assert ring.ancestors("a") == {"a", "b", "c"}
    assert ring.ancestors("b") == {"b"}


def test_a_concept_below_itself_is_a_circle_too():
    narcissus = Ontology.of("o", [Concept("a", (), broader=("a",))])
    assert len(narcissus.notes) == 1
    assert narcissus["a"].broader == ()


def test_a_thousand_circles_are_summed_up():
    pairs = ((Concept(f"a{n}", (), broader=(f"b{n}",)), Concept(f"b{n}", (), broader=(f"a{n}",))) for n in range(1000))
    notes = Ontology.of("o", (concept for pair in pairs for concept in pair)).notes
    assert len(notes) == 21
    assert notes[-1] == "and 980 more circles"


def test_a_chain_longer_than_the_stack_is_survived():
    long = chain(20_000)
    assert long.depth("c19999") == 19_999
    assert len(long.ancestors("c19999")) == 20_000
    assert sum(1 for _ in long.descendants("c0")) == 19_999
    assert long.least_common_subsumers("c15000", "c12000") == ["c12000"]


def test_remembered_ancestors_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "MOST_ANCESTORS_KEPT", 1000)
    long = chain(500)
    for place in range(0, 500, 7):
        assert len(long.above(place)) == place + 1
        assert sum(map(len, long._above.values())) <= 1000 + 500


def test_an_empty_ontology_is_one():
    empty = Ontology.of("nothing", [])
    assert (len(empty), list(empty), empty.concepts("a"), "a" in empty) == (0, [], [], False)


def test_a_saved_ontology_comes_back(tmp_path):
    ring = Ontology.of("रिंग", [*CONCEPTS, Concept("x", (), broader=("x",))])
    ring.save(tmp_path / "kept.npz")
    back = Ontology.load(tmp_path / "kept.npz")
    assert (back.name, back.notes, list(back)) == (ring.name, ring.notes, list(ring))
    assert ids(back.concepts("iris")) == ["iris.plant", "iris.eye"]
    assert [path.name for path in tmp_path.iterdir()] == ["kept.npz"]


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[: len(raw) // 2], lambda raw: b"", lambda raw: b"PK" + raw[40:], lambda raw: raw[:-900]]
)
def test_a_damaged_file_is_refused(tmp_path, damage):
    file = tmp_path / "kept.npz"
    MINI.save(file)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(BadInput, match=r"kept\.npz: not a saved ontology"):
        Ontology.load(file)


def test_every_flipped_byte_of_a_column_is_noticed(tmp_path):
    file = tmp_path / "kept.npz"
    MINI.save(file)
    raw = bytearray(file.read_bytes())
    at = raw.index(b"sword-shaped")
    raw[at] ^= 1
    file.write_bytes(raw)
    with pytest.raises(BadInput):
        Ontology.load(file)


def test_a_pickle_is_not_unpacked(tmp_path):
    file = tmp_path / "kept.npz"
    np.savez(file, format=np.array([{"not": "a number"}], dtype=object))
    with pytest.raises(BadInput, match="not a saved ontology"):
        Ontology.load(file)


@given(ontologies())
def test_ancestors_and_descendants_are_inverse(ontology):
    everything = ids(ontology)
    below = {one: {one, *ontology.descendants(one)} for one in everything}
    assert all(
        (one in ontology.ancestors(other)) == (other in below[one]) for one in everything for other in everything
    )


@given(ontologies())
def test_a_subsumer_is_above_both_and_nothing_above_both_is_below_it(ontology):
    everything = ids(ontology)
    for one, other in pairwise([*everything, everything[0]]):
        common = ontology.ancestors(one) & ontology.ancestors(other)
        least = {each for each in common if not common & set(ontology.descendants(each))}
        assert set(ontology.least_common_subsumers(one, other)) == least
        assert ontology.least_common_subsumers(one, other) == ontology.least_common_subsumers(other, one)


@given(ontologies())
def test_broader_and_narrower_are_inverse_and_depth_grows_downwards(ontology):
    for concept in ontology:
        assert all(concept.id in ontology.narrower(parent) for parent in concept.broader)
        assert ontology.depth(concept.id) == max((ontology.depth(parent) + 1 for parent in concept.broader), default=0)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_any_steps_at_all_leave_a_hierarchy_without_circles(steps):
    concepts = [Concept(str(n), (), broader=tuple(str(up) for low, up in steps if low == n)) for n in range(7)]
    ontology = Ontology.of("any", concepts)
    assert all(one not in ontology.descendants(one) for one in ids(ontology))
    assert sum(len(concept.broader) for concept in ontology) + len(ontology.notes) == len(set(steps))


@given(ontologies())
def test_saving_changes_nothing(tmp_path_factory, ontology):
    file = tmp_path_factory.mktemp("kept") / "kept.npz"
    ontology.save(file)
    assert list(Ontology.load(file)) == list(ontology)


@given(st.lists(st.text(max_size=6), max_size=12))
def test_every_label_leads_to_its_concept(texts):
    ontology = Ontology.of("any", [Concept(str(n), (ConceptLabel(text),)) for n, text in enumerate(texts)])
    for concept in ontology:
        found = ids(ontology.concepts(concept.label))
        assert concept.id in found or not concept.label.strip()
