"""Classes are paths of a tree, and a parent's probability is the sum of its children's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.class_tree import DEEPEST, ClassTree
from thresher.classify.link_rules import InterclassRules, RuleScores
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput
from thresher.model import Page, Url

TEXTS = {"Science/Physics": "quantum atom", "Science/Biology": "cell leaf", "Arts": "paint song"}


@pytest.fixture
def tree():
    return ClassTree(TEXTS)


def paths():
    names = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
    return st.lists(names, min_size=1, max_size=12, unique=True)


def test_a_tree_has_the_nodes_that_its_classes_name(tree):
    assert tree.children() == ["Science", "Arts"]
    assert tree.children("Science") == ["Science/Physics", "Science/Biology"]
    assert tree.classes("Science") == ["Science/Physics", "Science/Biology"]
    assert tree.classes() == list(TEXTS)


@given(paths(), st.data())
def test_the_probability_of_a_parent_is_the_sum_of_its_childrens_and_its_own(classes, data):
    tree = ClassTree(classes)
    shares = {label: data.draw(st.floats(0, 1)) for label in classes}
    waiting = [""]
    while waiting:
        node = waiting.pop()
        below = tree.children(node)
        own = shares.get(node, 0.0)
        assert tree.probability(node, shares) == pytest.approx(
            own + sum(tree.probability(child, shares) for child in below)
        )
        waiting += below
    assert tree.probability("", shares) == pytest.approx(sum(shares.values()))


def test_a_path_may_be_typed_with_slashes_around_it(tree):
    assert tree.named("/Science/Physics/") == "Science/Physics"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Physics", "did you mean 'Science/Physics'?"),
        ("Science/Phisics", "did you mean 'Science/Physics'"),
        ("wholly other", "the classes: Science, Arts"),
        ("", "the classes: Science, Arts"),
        ("/", "the classes: Science, Arts"),
    ],
)
def test_what_is_no_class_is_named_with_what_may_be_meant(tree, typed, said):
    with pytest.raises(BadInput) as error:
        tree.named(typed)
    assert str(error.value).startswith(f"there is no class {typed!r}; ")
    assert said in str(error.value)


def test_of_a_thousand_classes_an_error_names_a_few():
    with pytest.raises(BadInput, match=r"and 980 more$"):
        ClassTree(f"c{number}" for number in range(1000)).named("zzz")


def test_a_path_of_a_million_steps_is_cut_short():
    tree = ClassTree(["/" * 1_000_000, "a/" * 1_000_000])
    nodes, deep = [""], 0
    while nodes:
        nodes, deep = [below for node in nodes for below in tree.children(node)], deep + 1
    assert deep <= DEEPEST + 1
    assert len(tree.classes()) == 2


# ── as targets ──


def page(words):
    return Page(Url("http://a.example/"), main=words)


def taxonomy(*targets, rules=None):
    return Taxonomy(Classifier.of((text, label) for label, text in TEXTS.items()), targets, rules)


def test_a_path_stands_for_all_classes_below_it():
    science = taxonomy("Science")
    assert science.targets == ("Science/Physics", "Science/Biology")
    shares = science.distribution(page("quantum leaf"))
    assert science.on_target(page("quantum leaf")) == pytest.approx(
        shares["Science/Physics"] + shares["Science/Biology"]
    )


def test_a_path_and_a_class_below_it_count_once():
    assert taxonomy("Science/Biology", "Science").targets == ("Science/Biology", "Science/Physics")


def test_rules_lead_to_whatever_class_is_below_the_path():
    rules = InterclassRules(
        [("Arts", "Science/Physics")] * 3 + [("Arts", "Science/Biology")] * 2 + [("Arts", "Arts")] * 5
    )
    scores = RuleScores(rules, taxonomy("Science").targets)
    assert scores.of_class("Arts") == pytest.approx(0.5)
