import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput
from thresher.judge.classifier import ClassifierJudge
from thresher.model import Page, Url

CLASSIFIER = Classifier.of(
    [
        ("iris retina lens pupil cornea eye sight", "eye"),
        ("retina surgeon eye hospital sight lens", "eye"),
        ("flour oven bread yeast dough baker", "bread"),
        ("football league match goal score team", "sport"),
        ("cheese milk rennet dairy bread butter", "cheese"),
    ]
)


def page(main="", title=""):
    return Page(Url("http://a.example/"), title=title, main=main, text=main)


def judge(of, *targets, **options):
    return ClassifierJudge(Taxonomy(CLASSIFIER, targets or ("eye",)), **options).judge(of)


def test_a_page_of_the_target_class_is_relevant_and_one_of_another_is_not():
    about, other = judge(page("The lens and the iris of the eye.")), judge(page("Bake the bread in the oven."))
    assert about.relevant
    assert not other.relevant
    assert about.relevance > 0.5 > other.relevance


def test_of_several_targets_the_relevance_adds_up():
    baked = page("Bread with butter, bread with milk.")
    both = judge(baked, "bread", "cheese").relevance
    assert both == pytest.approx(judge(baked, "bread").relevance + judge(baked, "cheese").relevance)


def test_the_evidence_is_the_class_and_the_words_that_speak_for_it_and_against_it_with_their_place():
    said = judge(page("The eye has a lens, the camera has a lens; bread has none.", title="Iris"))
    kind, *spoken = said.evidence
    assert (kind.what, kind.where, kind.amount) == ("eye", "class", said.relevance)
    speaks_for = [each for each in spoken if each.amount > 0]
    assert {(each.what, each.where) for each in speaks_for} == {("lens", "text"), ("eye", "text"), ("iris", "title")}
    assert spoken[0].what == "lens"
    assert [(each.what, each.where) for each in spoken if each.amount < 0] == [("bread", "text")]


def test_a_page_with_words_against_alone_is_worth_nothing():
    said = judge(page("bread"))
    assert (said.relevance, [each.amount < 0 for each in said.evidence[1:]]) == (0.0, [True])


def test_of_several_targets_the_evidence_is_for_the_likeliest():
    assert judge(page("milk and butter"), "bread", "cheese").evidence[0].what == "cheese"


def test_the_menu_does_not_count():
    menu = Page(Url("http://a.example/"), text="iris retina lens " * 50, main="Bake the bread in the oven.")
    assert not judge(menu).relevant


@pytest.mark.parametrize("text", ["", "unheard-of words", "flour dough"])
def test_a_page_without_a_word_for_the_class_is_not_relevant_however_common_the_class_is(text):
    assert judge(page(text)).relevance == 0


def test_the_threshold_itself_is_enough():
    relevance = judge(page("bread and sight")).relevance
    assert judge(page("bread and sight"), threshold=relevance).relevant
    assert not judge(page("bread and sight"), threshold=relevance + 1e-9).relevant


@pytest.mark.parametrize("threshold", [-0.1, 1.1])
def test_a_threshold_is_from_0_to_1(threshold):
    with pytest.raises(BadInput, match=r"judge 'classifier': threshold is"):
        ClassifierJudge(Taxonomy(CLASSIFIER, ("eye",)), threshold)


SAYINGS = st.lists(st.sampled_from(["eye", "lens", "bread", "goal", "milk", "unheard-of", "\n", "É"]), max_size=40)


@given(SAYINGS.map(" ".join), st.permutations(["eye", "bread", "sport", "cheese"]), st.integers(1, 4))
def test_a_relevance_is_from_0_to_1_whatever_is_sought(text, targets, many):
    assert 0 <= judge(page(text), *targets[:many]).relevance <= 1
    assert judge(page(text), *targets[:many]) == judge(page(text), *targets[:many])
