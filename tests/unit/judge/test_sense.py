import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ontology.mini import mini

from thresher.errors import BadInput
from thresher.judge.sense import SenseJudge
from thresher.knowledge import Knowledge, needs, part
from thresher.model import Page, Url
from thresher.ontology import places
from thresher.ontology.known_ontologies import open_ontology
from thresher.ontology.readers import wordnet as reader
from thresher.topic.sense_choice import WordSense, word_sense

MINI = mini()
PLANT, EYE = "iris.plant", "iris.eye"


def page(main="", title="", headings=()):
    return Page(Url("http://a.example/"), title=title, headings=headings, main=main, text=main)


def judge(*senses, **keys):
    return SenseJudge(
        WordSense(MINI, "iris", (PLANT, EYE), frozenset((PLANT, EYE).index(each) for each in senses)), **keys
    )


GARDEN = page("The iris is a flower; the rose is another plant.")
BODY = page("An organ, the iris is a part of the eye.")


def test_a_page_is_relevant_in_the_sense_it_means_and_not_in_the_other():
    assert judge(PLANT).judge(GARDEN).relevance > 0.5 > judge(EYE).judge(GARDEN).relevance
    assert judge(EYE).judge(BODY).relevance > 0.5 > judge(PLANT).judge(BODY).relevance
    assert judge(EYE).judge(BODY).relevant
    assert not judge(EYE).judge(GARDEN).relevant


def test_by_lin_alone_the_share_can_be_worked_out():
    # Smoothed counts: shares of one sense and the other sum to 1.
    found = [judge(sense, gloss=False).judge(page("iris, rose, eye")).relevance for sense in (PLANT, EYE)]
    assert sum(found) == pytest.approx(1)
    table = judge(PLANT, gloss=False)._scorer.table
    plant, eye = (table["rose"][1][sense] + table["eye"][1][sense] for sense in (0, 1))
    assert found[0] == pytest.approx(plant / (plant + eye))


def test_a_page_without_the_word_is_worth_nothing():
    found = judge(EYE).judge(page("The eye is an organ.", "Eye"))
    assert (found.relevance, found.relevant, found.evidence) == (0.0, False, ())


def test_a_page_that_says_nothing_beside_the_word_is_worth_nothing():
    assert judge(EYE).judge(page("Iris", "Iris")).relevance == 0.0
    assert judge(EYE).judge(page()).relevance == 0.0


def test_the_topics_own_word_does_not_speak():
    assert judge(EYE).judge(page("iris iris iris eye")).evidence == judge(EYE).judge(page("iris eye")).evidence


def test_only_words_near_an_occurrence_speak():
    far = page("iris of the eye. " + "unicorn " * 30 + "rose flower plant")
    near = page("iris of the eye. " + "unicorn " * 3 + "rose flower plant")
    assert judge(EYE).judge(far).relevance > judge(EYE).judge(near).relevance
    assert judge(EYE, window=60).judge(far).relevance < judge(EYE).judge(far).relevance


def test_title_and_headings_speak_wherever_the_word_stands():
    plain = judge(EYE).judge(page("iris and rose"))
    assert judge(EYE).judge(page("iris and rose", "The eye")).relevance > plain.relevance
    assert judge(EYE).judge(page("iris and rose", headings=("The eye",))).relevance > plain.relevance
    assert judge(EYE).judge(page("of the eye", "Iris, an organ")).relevant


def test_evidence_says_which_word_speaks_for_which_sense_and_where():
    found = judge(EYE, gloss=False).judge(page("the iris: rose and organ", "Eye"))
    assert {(each.what, each.where) for each in found.evidence} == {
        ("eye", "title: iris.eye"),
        ("rose", "text: iris.plant"),
        ("organ", "text: iris.eye"),
    }
    amounts = [abs(each.amount) for each in found.evidence]
    assert amounts == sorted(amounts, reverse=True)


def test_what_speaks_for_another_sense_speaks_against_the_sought_one():
    found = judge(EYE, gloss=False).judge(page("the iris: rose and organ", "Eye"))
    assert {each.what for each in found.evidence if each.amount < 0} == {"rose"}


def test_several_senses_may_be_sought():
    assert judge(PLANT, EYE).judge(GARDEN).relevance == judge(PLANT, EYE).judge(BODY).relevance == 1.0


def test_a_phrase_is_found_as_a_phrase():
    living = SenseJudge(WordSense(MINI, "living thing", ("living",), frozenset({0})))
    assert living.judge(page("a living thing is an animal")).relevance == 1.0
    assert living.judge(page("thing, living: animal")).relevance == 0.0


WORDS = st.lists(st.sampled_from(["iris", "rose", "dog", "eye", "organ", "plant", "unicorn", "the", "फूल"]), max_size=9)


@given(WORDS, WORDS, st.booleans())
def test_the_senses_share_one_page_between_them(main, title, gloss):
    of = page(" ".join(main), " ".join(title))
    plant, eye = (judge(sense, gloss=gloss).judge(of).relevance for sense in (PLANT, EYE))
    assert plant + eye == pytest.approx(1) or plant == eye == 0
    assert judge(EYE, gloss=gloss).judge(of) == judge(EYE, gloss=gloss).judge(of)


@pytest.mark.parametrize(("keys", "words"), [({"threshold": 1.5}, "threshold is 1.5"), ({"window": 0}, "window is 0")])
def test_a_wrong_key_is_named(keys, words):
    with pytest.raises(BadInput, match=words):
        judge(EYE, **keys)


def test_without_a_chosen_sense_the_error_says_how_to_choose(tmp_path):
    table = tmp_path / "terms.csv"
    table.write_text("label,relation\niris,exact\n")
    given = needs("iris", Knowledge(ontologies=[str(table)]))
    with pytest.raises(BadInput, match="judge 'sense' needs a sense of 'iris': choose one with --sense"):
        part("judge", {"name": "sense"}, given)


PAGES = {
    "iris.n.01": "Plant the rhizomes of the iris in late summer. Blue and yellow irises flower in the garden in May; cut the leaves "
    "and stalks when the petals fade.",
    "iris.n.02": "The iris is the coloured ring of the eye around the pupil. A muscle in the iris makes the pupil narrow, and the lens "
    "behind the iris throws light on the retina.",
}


@pytest.fixture(scope="module")
def wordnet(pytestconfig):
    if places.wordnet() is None:
        pytest.skip(f"WordNet is not installed: {reader.how_to_get_it()}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THRESHER_CACHE", str(pytestconfig.cache.mkdir("ontologies")))
        yield open_ontology("wordnet")


@pytest.mark.parametrize("sought", PAGES)
def test_on_wordnet_the_flower_and_the_eye_are_told_apart(wordnet, sought):
    iris = SenseJudge(word_sense("iris", [wordnet], [sought]))
    assert [sense for sense, text in PAGES.items() if iris.judge(page(text)).relevant] == [sought]
    said = {each.what: each.where for each in iris.judge(page(PAGES["iris.n.02"])).evidence}
    assert said["pupil"] == said["muscle"] == "text: iris.n.02"


def test_on_wordnet_the_word_is_found_in_any_form(wordnet):
    mouse = SenseJudge(word_sense("mouse", [wordnet], ["mouse.n.01"]))
    assert mouse.judge(page("Two mice, small rodents with a tail, ate the grain.")).relevant
