import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.link_rules import InterclassRules
from thresher.classify.rule_tree import LEAST, STRENGTH, rules_over

PLANTS, BIRDS, MUSIC = "Science/Biology/Plants", "Science/Biology/Birds", "Art/Music"


def probabilities(pairs, classes):
    return {(rule.parent, rule.child): rule.probability for rule in rules_over(InterclassRules(pairs), classes)}


def test_a_class_of_which_no_page_was_seen_has_the_rules_of_the_class_above_it():
    found = probabilities([(BIRDS, PLANTS)] * 100 + [(MUSIC, MUSIC)] * 100, [PLANTS, BIRDS, MUSIC])
    # All of Biology that was seen are birds.
    assert found[PLANTS, PLANTS] > 0.9
    assert (PLANTS, MUSIC) not in found


def test_a_class_with_many_pages_keeps_its_own_rules_and_one_with_few_moves_to_its_parents():
    pairs = [(BIRDS, BIRDS)] * 1000 + [(PLANTS, PLANTS)] * 2
    found = probabilities(pairs, [PLANTS, BIRDS])
    assert found[BIRDS, BIRDS] > 0.99
    above = 1000 / 1002
    biology = (1000 + STRENGTH * (1000 + STRENGTH * above) / (1002 + STRENGTH)) / (1002 + STRENGTH)
    assert found[PLANTS, BIRDS] == pytest.approx(STRENGTH * biology / (2 + STRENGTH))


def test_paths_may_have_points_between_their_parts():
    found = probabilities([("Science.Birds", "Science.Plants")] * 50 + [("Art", "Art")] * 50, ["Science.Plants", "Art"])
    assert found["Science.Plants", "Science.Plants"] > 0.9


def test_what_is_less_probable_than_one_in_a_hundred_is_no_rule():
    found = rules_over(InterclassRules([("a", "a")] * 1000 + [("a", "b")]), ["a"])
    assert [rule.child for rule in found] == ["a"]


def test_a_class_as_deep_as_it_likes_costs_no_more():
    deep = "/".join("a" * 100_000)
    assert probabilities([("b", "b")] * 10, [deep, "b"])[deep, "b"] == pytest.approx(1.0)


def test_without_a_page_there_is_no_rule():
    assert rules_over([], ["a/b", "c"]) == []


CLASSES = st.sampled_from(["a", "a/b", "a/b/c", "d", "d/e"])


@given(st.lists(st.tuples(CLASSES, CLASSES), min_size=1, max_size=60), st.lists(CLASSES, unique=True))
def test_the_rules_of_a_class_are_probabilities_that_add_up_to_one_but_for_those_left_out(pairs, classes):
    for label in classes:
        own = [rule.probability for rule in rules_over(InterclassRules(pairs), classes) if rule.parent == label]
        assert all(LEAST <= each <= 1 + 1e-9 for each in own)
        assert 1 - 5 * LEAST <= sum(own) <= 1 + 1e-9
