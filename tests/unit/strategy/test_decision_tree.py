import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.strategy.decision_tree import DEEPEST, FEWEST, DecisionTree

NAMES = ("one", "two")


def tree(rows, labels):
    return DecisionTree(np.array(rows, float), np.array(labels, bool))


def test_it_finds_the_feature_and_the_threshold_that_part_the_classes():
    rows = [(number % 3, number) for number in range(40)]
    learnt = tree(rows, [number >= 25 for number in range(40)])
    assert learnt.reasons(np.array([0.0, 30.0]), NAMES) == (["two > 24.5"], 15, 15)
    assert learnt.reasons(np.array([2.0, 3.0]), NAMES) == (["two ≤ 24.5"], 25, 0)
    assert learnt.probabilities(np.array([[0, 30], [2, 3]], float)) == pytest.approx([16 / 17, 1 / 27])


def test_two_questions_in_a_row_part_what_one_cannot():
    rows = [(a, b) for a in (0, 1) for b in (0, 1) for _ in range(20)]
    learnt = tree(rows, [a and b for a, b in rows])
    shares = learnt.probabilities(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float))
    assert shares[3] == pytest.approx(21 / 22)
    assert max(shares[:3]) < 0.1


def test_what_chance_alone_would_part_is_not_parted():
    chance = np.random.default_rng(7)
    learnt = DecisionTree(chance.random((200, 2)), chance.random(200) < 0.02)
    assert learnt.reasons(np.array([0.5, 0.5]), NAMES)[1] == 200


@pytest.mark.parametrize("low", [0.5, math.nextafter(0.5, 1)])
def test_two_numbers_with_none_between_them_are_parted_too(low):
    high = math.nextafter(low, 1)
    learnt = tree([(low, 0)] * 8 + [(high, 0)] * 8, [False] * 8 + [True] * 8)
    assert learnt.probabilities(np.array([[low, 0], [high, 0]])) == pytest.approx([0.1, 0.9])


@pytest.mark.parametrize("labels", [[False] * 30, [True] * 30])
def test_one_class_alone_is_one_leaf(labels):
    assert tree([(number, 0) for number in range(30)], labels).reasons(np.array([3.0, 0.0]), NAMES)[0] == []


def test_too_few_examples_are_one_leaf():
    few = 2 * FEWEST - 1
    assert tree([(number, 0) for number in range(few)], [number > 4 for number in range(few)]).reasons(
        np.array([0.0, 0.0]), NAMES
    ) == ([], few, few - 5)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=1, max_size=80))
def test_every_leaf_has_examples_enough_and_its_share_is_theirs(drawn):
    rows, labels = np.array([each[:2] for each in drawn], float), np.array([each[2] for each in drawn], bool)
    learnt = DecisionTree(rows, labels)
    shares = learnt.probabilities(rows)
    assert ((shares > 0) & (shares < 1)).all()
    total = 0.0
    for row in rows:
        said, many, positive = learnt.reasons(row, NAMES)
        assert len(said) <= DEEPEST
        assert many >= FEWEST or (many == len(drawn) and not said)
        total += positive / many
    assert total == pytest.approx(labels.sum())
