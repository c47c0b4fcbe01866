"""What Kayışoğlu 2005, §5.2, leaves to others: weights for tags, and other weights for links than for pages."""

import math

import pytest
from tests.unit.strategy.test_lokman import BEDWETTING, link, total, values, visit_of

from thresher.errors import BadInput
from thresher.strategy.lokman import Lokman, LokmanWithoutOntology
from thresher.topic import Topic

PAGE = visit_of(
    "<title>Bedwetting</title><nav><a href=/menu>wetting pad</a></nav><main><h1>Urination disorder</h1>"
    "<p>A <strong>bedwetting</strong> child, and <b>bread</b>. <a href=/y>Nocturnal enuresis</a></p></main>",
    0.0,
)
CC = 15 + 8 + 15 + 12 + 5
"""Title, heading, bold, anchor, and the menu's anchor."""


@pytest.mark.parametrize(
    ("switches", "more"),
    [
        ({}, 0),
        ({"title_weight": 3.0}, 2 * 15),
        ({"heading_weight": 3.0}, 2 * 8),
        ({"bold_weight": 3.0}, 2 * 15),
        ({"anchor_weight": 3.0}, 2 * (12 + 5)),
        ({"anchor_weight": 0.0}, -(12 + 5)),
        ({"title_weight": 2.0, "heading_weight": 2.0, "bold_weight": 2.0}, 15 + 8 + 15),
    ],
)
def test_a_concept_in_a_tag_counts_as_often_as_the_tag_weighs(switches, more):
    assert values(PAGE, link("this"), **switches) == [pytest.approx(0.09 * (CC + more))]


def test_where_menus_do_not_count_as_the_page_their_anchors_have_no_weight_either():
    plain, heavy = (values(PAGE, link("this"), whole_document=False, anchor_weight=weight)[0] for weight in (1.0, 3.0))
    assert heavy - plain == pytest.approx(0.09 * 2 * 12)


@pytest.mark.parametrize(
    ("html", "switches"),
    [
        ("<h2><b>Bedwetting</b></h2>", {"heading_weight": 0.0, "bold_weight": 0.0}),
        ("<nav><h2>Bedwetting</h2></nav><p>Bread.</p>", {"heading_weight": 0.0, "whole_document": False}),
    ],
)
def test_no_page_is_worth_less_than_one_without_a_concept(html, switches):
    assert values(visit_of(html, 0.0), link("this"), prune_zero=False, **switches) == [0.0]


def test_a_page_that_is_not_there_has_no_tags():
    gone = PAGE.__class__(PAGE.claim, 1, 0.0, PAGE.fetched, PAGE.outcome, None)
    assert values(gone, link("bedwetting"), title_weight=3.0, prune_zero=False) == [pytest.approx(0.9 * 15)]


def test_tiers_may_weigh_differently_in_links_and_in_pages():
    pad = link("wetting pad")
    assert values(PAGE, pad) == [pytest.approx(0.09 * CC + 0.9 * 5)]
    assert values(PAGE, pad, link_weights=[15, 12, 0, 0]) == [pytest.approx(0.09 * CC)]
    assert values(PAGE, pad, link_weights="requirements") == [pytest.approx(0.09 * CC + 0.9 * 3)]
    assert values(PAGE, pad, weights=[15, 12, 0, 0]) == [pytest.approx(0.09 * (CC - 8 - 5))]


def test_the_share_of_a_page_in_its_links_may_be_another_than_that_of_what_it_inherits():
    inherits = visit_of("<p>Bedwetting</p>", 100.0)
    page = 0.1 * 100 + 0.9 * 15
    assert values(inherits, link("wetting pad"), link_alpha=0.4) == [pytest.approx(0.4 * page + 0.6 * 5)]
    assert values(inherits, link("wetting pad"), link_alpha=0.0) == [pytest.approx(5)]


@pytest.mark.parametrize(
    "switches", [{"heading_weight": 3.0}, {"link_alpha": 0.3}, {"link_weights": [1, 2, 3, 4]}, {"link_combine": "max"}]
)
def test_the_parts_of_an_explanation_still_make_the_priority(switches):
    of = link("Nocturnal enuresis, wetting pad")
    assert total(PAGE, of, **switches) == pytest.approx(values(PAGE, of, **switches)[0])


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"title_weight": -1.0}, "title_weight is -1.0, but must be from 0"),
        ({"bold_weight": math.nan}, "bold_weight is nan"),
        ({"link_alpha": 1.5}, "link_alpha is 1.5, but must be from 0 to 1"),
        (
            {"link_weights": "heavy"},
            "link_weights is 'heavy', but must be one of design, requirements, or four numbers",
        ),
        ({"link_weights": [1, 2, 3]}, r"link_weights is \[1, 2, 3\]"),
        ({"weights": [1, 2, 3, -4]}, r"weights is \[1, 2, 3, -4\]"),
    ],
)
def test_a_weight_that_is_none_is_an_error_that_says_what_is_right(switches, message):
    with pytest.raises(BadInput, match=message):
        Lokman(concepts=BEDWETTING, **switches)


def test_the_baseline_weighs_tags_too():
    baseline = LokmanWithoutOntology(topic=Topic.of("bedwetting"), title_weight=3.0)
    assert baseline.score(PAGE, [link("this")]) == [pytest.approx(0.09 * (15 + 15 + 30))]
