"""A decision tree after C4.5 (Quinlan 1993), for features that are numbers and two classes.

A node asks whether a feature is above a threshold: of all questions that gain at least as much information as the average one, that with
the highest gain ratio. No leaf has fewer than `FEWEST` examples, and no way is longer than `DEEPEST`. Afterwards a node becomes a leaf if
that is not expected to err more often; the errors expected of a leaf are the upper bound at a confidence of 25 %. A leaf's probability is
(k + 1) / (n + 2), where k of its n examples are of the class.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float64]
Labels = NDArray[np.bool_]
FEWEST, DEEPEST = 5, 8
_Z = 0.6745
"""The normal deviate of C4.5's confidence of 25 %."""
_LEAST_GAIN = 1e-9


class _Question(NamedTuple):
    ratio: float
    gain: float
    feature: int
    threshold: float


class _Node(NamedTuple):
    """A question with two answers, or a leaf."""

    many: int
    positive: int
    feature: int = -1
    threshold: float = 0.0
    low: "_Node | None" = None
    high: "_Node | None" = None


class DecisionTree:
    """The probability of a class, learnt from examples."""

    def __init__(self, features: Features, labels: Labels) -> None:
        self._root = _pruned(_grown(features, labels, DEEPEST))

    def probabilities(self, features: Features) -> NDArray[np.float64]:
        """One for each row."""
        found = np.zeros(len(features))
        waiting = [(self._root, np.arange(len(features)))]
        while waiting:
            node, rows = waiting.pop()
            if node.low is None or node.high is None:
                found[rows] = (node.positive + 1) / (node.many + 2)
                continue
            high = features[rows, node.feature] > node.threshold
            waiting += [(node.low, rows[~high]), (node.high, rows[high])]
        return found

    def reasons(self, row: NDArray[np.float64], names: tuple[str, ...]) -> tuple[list[str], int, int]:
        """The answers on the way to a leaf in words, its examples, and how many of them are of the class."""
        node, said = self._root, list[str]()
        while node.low is not None and node.high is not None:
            high = row[node.feature] > node.threshold
            said.append(f"{names[node.feature]} {'>' if high else '≤'} {node.threshold:.3g}")
            node = node.high if high else node.low
        return said, node.many, node.positive


def _grown(features: Features, labels: Labels, depth: int) -> _Node:
    count, positive = len(labels), int(labels.sum())
    leaf = _Node(count, positive)
    if depth == 0 or count < 2 * FEWEST or positive in {0, count}:
        return leaf
    questions = [each for feature in range(features.shape[1]) if (each := _best(features, labels, feature))]
    if not questions:
        return leaf
    average = sum(each.gain for each in questions) / len(questions)
    asked = max((each for each in questions if each.gain >= average - _LEAST_GAIN), key=lambda each: each.ratio)
    high = features[:, asked.feature] > asked.threshold
    low, top = (_grown(features[side], labels[side], depth - 1) for side in (~high, high))
    return _Node(count, positive, asked.feature, asked.threshold, low, top)


def _best(features: Features, labels: Labels, feature: int) -> _Question | None:
    """The best threshold of one feature by information gain."""
    order = np.argsort(features[:, feature], kind="stable")
    values, positive = features[order, feature], np.cumsum(labels[order])
    count, all_positive = len(values), int(positive[-1])
    below = np.arange(FEWEST, count - FEWEST + 1)
    below = below[values[below - 1] < values[below]] if len(below) else below
    if not len(below):
        return None
    share = below / count
    rest = _entropy(positive[below - 1] / below) * share
    rest += _entropy((all_positive - positive[below - 1]) / (count - below)) * (1 - share)
    gains = float(_entropy(np.array([all_positive / count]))[0]) - rest
    place = int(np.argmax(gains))
    if gains[place] < _LEAST_GAIN:
        return None
    split = float(_entropy(share[place : place + 1])[0])
    threshold = _between(*values[below[place] - 1 : below[place] + 1].tolist())
    return _Question(float(gains[place]) / split, float(gains[place]), feature, threshold)


def _between(low: float, high: float) -> float:
    """The middle; the lower one where no number lies between them, since rounding may give the higher one, which nothing is above."""
    middle = (low + high) / 2
    return middle if middle < high else low


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of two classes with these shares and the rest, in bits."""
    inside = np.clip(shares, 1e-12, 1 - 1e-12)
    entropy: NDArray[np.float64] = -(inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside))
    return entropy


def _pruned(node: _Node) -> _Node:
    if node.low is None or node.high is None:
        return node
    low, high = _pruned(node.low), _pruned(node.high)
    leaf = _Node(node.many, node.positive)
    if _expected(leaf) <= _errors(low) + _errors(high):
        return leaf
    return node._replace(low=low, high=high)


def _errors(node: _Node) -> float:
    if node.low is None or node.high is None:
        return _expected(node)
    return _errors(node.low) + _errors(node.high)


def _expected(leaf: _Node) -> float:
    """The errors to expect of a leaf: the upper bound of their share, times its examples (Wilson's interval)."""
    many, wrong = leaf.many, min(leaf.positive, leaf.many - leaf.positive)
    share, square = wrong / many, _Z * _Z
    middle = share + square / (2 * many)
    spread = _Z * math.sqrt(share * (1 - share) / many + square / (4 * many * many))
    return many * (middle + spread) / (1 + square / many)
