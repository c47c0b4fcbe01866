import pytest

from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.known_ontologies import KNOWN
from thresher.ontology.readers.term_table import TableTerm
from thresher.ontology.table import Ontology
from thresher.topic.build_topic import PROFILES, importance, make_topic, own_terms, topic_of_texts
from thresher.topic.sense_choice import Ambiguous
from thresher.topic.topic import Term, Topic, strongest


def concept(identity, *labels, broader=(), gloss="", **options):
    names = tuple(label if isinstance(label, ConceptLabel) else ConceptLabel(label) for label in labels)
    return Concept(identity, names, gloss, tuple(broader), **options)


# Lokman's example (Kayışoğlu 2005, Table 3), with a parent, a sibling and a child.
ENURESIS = Ontology.of(
    "umls",
    [
        concept("C1", "Urinary incontinence"),
        concept(
            "C2", "Nocturnal enuresis", "Bedwetting", "Nocturnal incontinence of urine", "Wets bed", broader=["C1"]
        ),
        concept("C3", "Stress incontinence", broader=["C1"]),
        concept("C4", "Primary nocturnal enuresis", broader=["C2"]),
    ],
)
IRIS = Ontology.of(
    "wordnet",
    [
        concept("iris.n.01", ConceptLabel("iris", rank=0), "flag", gloss="a plant with sword-shaped leaves"),
        concept(
            "iris.n.02", ConceptLabel("iris", rank=1), gloss="the coloured part of the eye", broader=["membrane.n.01"]
        ),
        concept("membrane.n.01", "membrane"),
    ],
)


def tiers(topic: Topic) -> dict[str, str]:
    return {term.label.lower(): term.tier for term in topic.terms}


def test_bedwetting_brings_nocturnal_enuresis_and_its_other_names():
    assert tiers(make_topic(["bedwetting"], [ENURESIS])) == {
        "bedwetting": "exact",
        "nocturnal enuresis": "synonym",
        "nocturnal incontinence of urine": "synonym",
        "wets bed": "synonym",
        "urinary incontinence": "broader",
        "stress incontinence": "context",
        "primary nocturnal enuresis": "context",
    }


def test_the_weights_are_those_of_the_design_chapter():
    weights = {term.tier: term.weight for term in make_topic(["bedwetting"], [ENURESIS]).terms}
    assert weights == {"exact": 15, "synonym": 12, "broader": 8, "context": 5}


def test_the_weights_of_the_requirements_can_be_chosen():
    weights = {
        term.tier: term.weight
        for term in make_topic(["bedwetting"], [ENURESIS], weights=PROFILES["requirements"]).terms
    }
    assert weights == {"exact": 15, "synonym": 12, "broader": 5, "context": 3}


def test_a_label_found_twice_keeps_its_strongest_tier():
    terms = strongest([Term("Wets bed", 5, "context"), Term("wets-bed", 12, "synonym"), Term("wets bed", 8, "broader")])
    assert [(term.label, term.tier) for term in terms] == [("wets-bed", "synonym")]


def test_a_word_with_several_meanings_asks_for_the_sense():
    with pytest.raises(Ambiguous, match="'iris' has several meanings") as asked:
        make_topic(["iris"], [IRIS])
    assert "2  iris.n.02  the coloured part of the eye" in str(asked.value)


@pytest.mark.parametrize("sense", ["2", "iris.n.02"])
def test_a_sense_is_chosen_by_its_number_or_its_id(sense):
    assert tiers(make_topic(["iris"], [IRIS], [sense])) == {"iris": "exact", "membrane": "broader"}


def test_where_a_sense_is_chosen_nothing_else_is_meant():
    syndrome = Ontology.of("mondo", [concept("M1", "immune reconstitution inflammatory syndrome", "IRIS")])
    assert tiers(make_topic(["iris"], [IRIS, syndrome], ["iris.n.02"])) == {"iris": "exact", "membrane": "broader"}
    assert "immune reconstitution inflammatory syndrome" in tiers(make_topic(["iris"], [IRIS, syndrome], ["3"]))


def test_the_same_thing_in_two_ontologies_is_not_ambiguous():
    other = Ontology.of("mondo", [concept("M2", "enuresis at night", "bedwetting")])
    assert {"nocturnal enuresis", "enuresis at night"} <= set(tiers(make_topic(["bedwetting"], [ENURESIS, other])))


def test_several_senses_can_be_meant():
    assert "flag" in tiers(make_topic(["iris"], [IRIS], ["1", "2"]))
    assert "membrane" in tiers(make_topic(["iris"], [IRIS], ["1", "2"]))


def test_a_sense_that_nothing_has_is_said():
    with pytest.raises(BadInput, match="no meaning of 'iris' has the number or id 9"):
        make_topic(["iris"], [IRIS], ["9"])


def test_a_phrase_that_no_ontology_has_is_still_a_topic_and_says_so():
    topic = make_topic(["sailing"], [IRIS])
    assert dict(topic.labels) == {"sailing": 15}
    assert topic.notes == ("wordnet does not know 'sailing'",)


def test_siblings_are_left_out_when_they_are_too_many_and_this_is_said():
    many = Ontology.of(
        "mesh", [concept("P", "Signs"), *(concept(f"S{n}", f"sign {n}", broader=["P"]) for n in range(40))]
    )
    topic = make_topic(["sign 7"], [many])
    assert tiers(topic) == {"sign 7": "exact", "signs": "broader"}
    assert "Signs has 40 kinds" in topic.notes[0]


def test_a_name_that_is_only_about_right_is_context():
    rough = Ontology.of(
        "mondo",
        [concept("M", "influenza", ConceptLabel("chill", kind="related"), ConceptLabel("grippe", kind="exact"))],
    )
    assert tiers(make_topic(["influenza"], [rough])) == {"influenza": "exact", "grippe": "synonym", "chill": "context"}


def test_words_that_speak_of_nothing_else_are_synonyms_of_the_topic_and_no_meanings_of_theirs():
    operations = Ontology.of(
        "wordnet",
        [
            concept("V", "vasectomy", broader=["C"], derived=("vasectomize",)),
            concept("C", "contraception", derived=("contraceptive",)),
        ],
    )
    assert tiers(make_topic(["vasectomy"], [operations])) == {
        "vasectomy": "exact",
        "vasectomize": "synonym",
        "contraception": "broader",
    }
    assert make_topic(["vasectomize"], [operations]).notes == ("wordnet does not know 'vasectomize'",)


def test_a_name_that_one_ontology_lacks_comes_from_another_that_has_it():
    """As for *vasectomy*, a topic of Kayışoğlu 2005, Table 5: docs/reference/ontology-details.md says who has other names for it."""
    words = Ontology.of("wordnet", [concept("V", "vasectomy")])
    actions = Ontology.of("maxo", [concept("M", "vasectomy", "removal of the vas deferens")])
    made = make_topic(["vasectomy"], [words, actions])
    assert tiers(made) == {"vasectomy": "exact", "removal of the vas deferens": "synonym"}


def test_nearer_terms_are_more_important_and_terms_of_many_branches_less():
    branches = Ontology.of(
        "x",
        [
            concept("root", "thing"),
            concept("A", "science", broader=["root"]),
            concept("B", "craft", broader=["root"]),
            concept("A1", "computing", "informatics", broader=["A"]),
            concept("A2", "engineering", broader=["A"]),
            concept("B2", "Engineering", broader=["B"]),
        ],
    )
    table = importance(make_topic(["computing"], [branches]), [branches])
    assert table["computing"] > table["informatics"] > table["science"] > table["engineering"]
    assert table["engineering"] == pytest.approx(1 / 3 / 2)


@pytest.fixture(scope="module")
def installed():
    # UMLS needs a licence, so no machine is expected to have it.
    free = [known for known in KNOWN if known.name != "umls"]
    if missing := [known.how for known in free if known.find() is None]:
        pytest.skip(f"not all ontologies are installed: {'; '.join(missing)}")
    return [known.open() for known in free]


@pytest.mark.parametrize(
    ("topic", "senses"),
    [
        ("chickenpox", ()),
        ("bedwetting", ()),
        ("breast carcinoma", ()),
        ("deafness", ()),
        ("influenza", ()),
        ("vasectomy", ()),
        ("tinnitus", ()),
        ("sunburn", ("sunburn.n.02", "MONDO:0005326")),
        ("motion sickness", ()),
        ("insomnia", ()),
    ],
)
def test_every_topic_of_lokmans_table_5_has_a_synonym(installed, topic, senses):
    assert "synonym" in tiers(make_topic([topic], installed, senses)).values()


def test_examples_give_the_words_that_most_of_them_use():
    topic = topic_of_texts("eyes", ["the iris of the eye, the iris", "an iris and a pupil", "the iris is coloured"])
    assert next(iter(topic.labels)) == "iris"
    assert "the" not in topic.labels


def test_examples_without_words_are_an_error():
    with pytest.raises(BadInput, match="no words"):
        topic_of_texts("nothing", ["", "?!"])


def test_a_table_of_ones_own_keeps_its_weights():
    rows = [TableTerm("Comp. Sc.", "synonym", 0.8, "en"), TableTerm("Engineering", "broader", None, "en")]
    topic = make_topic(["computing"], own=own_terms(rows, "mine.toml"))
    assert dict(topic.labels) == {"computing": 15, "comp. sc.": 0.8, "engineering": 8}
