"""From a score to a probability."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.judge.calibration import SHIPPED, Curve, _read, curve, is_calibrated

scores = st.floats(0, 1)
curves = st.builds(Curve, st.floats(0.1, 20), st.floats(-20, 20))


@given(curves, scores, scores)
def test_a_curve_rises_from_0_to_1(one, low, high):
    low, high = sorted((low, high))
    assert 0.0 <= one(low) <= one(high) <= 1.0
    assert (one(0.0), one(1.0)) == (0.0, 1.0)


def test_a_straight_curve_changes_nothing():
    assert [Curve(1.0, 0.0)(each / 10) for each in range(11)] == pytest.approx([each / 10 for each in range(11)])


def test_every_curve_that_ships_says_what_it_was_fitted_on():
    for name, table in _read(SHIPPED)["curve"].items():
        assert curve(name).slope > 0
        assert table["date"]
        assert "schools" in table["fitted_on"]


@pytest.mark.parametrize(
    ("judge", "probable"),
    [
        ({"name": "terms"}, True),
        ({"name": "terms", "mode": "bm25", "threshold": 0.3}, True),
        ({"name": "terms", "mode": "cosine"}, False),
        ({"name": "terms", "raw": True}, False),
        ({"name": "meaning"}, True),
        ({"name": "concepts"}, True),
        ({"name": "concepts", "mode": "calibrated"}, True),
        ({"name": "concepts", "mode": "paper"}, False),
        ({"name": "classifier"}, False),
        ({"name": "sense"}, False),
        ({"name": "combine", "judges": ["terms"]}, False),
    ],
)
def test_it_is_known_whose_relevance_is_a_probability(judge, probable):
    assert is_calibrated(judge) is probable
