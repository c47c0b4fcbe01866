"""The regression that corrects the weights of links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.strategy.link_weights import fitted


def loss(x, y, weights, start, strength):
    z = x @ weights
    return np.logaddexp(0.0, z).sum() - y @ z + 0.5 * strength * ((weights - start) ** 2).sum()


def slope(x, y, weights, start, strength):
    return x.T @ (1 / (1 + np.exp(-(x @ weights))) - y) + strength * (weights - start)


def some_links(seed, count=80, features=6):
    numbers = np.random.default_rng(seed)
    return numbers.normal(size=(count, features)), numbers.random(count) ** 3, numbers.normal(size=features)


@pytest.mark.parametrize("strength", [1.0, 30.0, 1000.0])
@pytest.mark.parametrize("seed", range(5))
def test_it_finds_where_the_loss_is_lowest(seed, strength):
    x, y, start = some_links(seed)
    found = fitted(x, y, start, strength)
    assert np.abs(slope(x, y, found, start, strength)).max() < 1e-4 * strength + 1e-3


@given(st.integers(0, 10_000), st.floats(0.01, 1000), st.floats(0, 20))
def test_it_never_ends_where_the_loss_is_higher_than_where_it_began(seed, strength, away):
    x, y, start = some_links(seed)
    begin = start + away
    found = fitted(x, y, start, strength, begin)
    assert loss(x, y, found, start, strength) <= loss(x, y, begin, start, strength)


def test_what_it_begins_with_stays_as_it_was():
    x, y, start = some_links(1)
    begin = start.copy()
    fitted(x, y, start, 30.0, begin)
    assert (begin == start).all()
