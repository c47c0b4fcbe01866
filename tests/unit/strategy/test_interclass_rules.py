import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.strategy.classed_web import FIGURE_3, TABLE_1, TitledClasses, html, order_of_visits, rules_of, visit

from thresher.errors import BadInput, Missing
from thresher.model import Evidence, Failed, Link, Outcome, Url, Visit
from thresher.strategy.interclass_rules import Interclass
from thresher.strategy.soft_focus import SoftFocus

LINK = Link(Url("http://a.example/"), Url("http://a.example/x"), "", 0, 0)
RULED = TitledClasses(rules=rules_of(TABLE_1))


def score(strategy, title, **said):
    return strategy.score(visit(title, **said), [LINK])[0]


def seen(strategy, title, number, url, parent=None):
    at = visit(title, number, url, parent, links=[LINK])
    strategy.learn(at)
    return strategy.score(at, at.page.links)[0]


# ── the paper ──


@pytest.mark.parametrize("options", [{"max_depth": 1}, {}, {"merge": "max"}, {"soft_class": True}])
async def test_golden_6_the_rules_fetch_the_course_pages_personal_link_before_the_seeds_others(options):
    assert await order_of_visits(Interclass(RULED, **options), FIGURE_3) == ["", "1", "5", "2", "3", "4"]


TUNNEL = {
    "": html("PH", "sp", "dh"),
    "sp": html("SP", "sp2", "sp3"),
    "dh": html("DH", "ch"),
    "ch": html("CH", "ph"),
    **{path: html(path[:2].upper()) for path in ("sp2", "sp3", "ph")},
}


async def test_it_tunnels_through_departments_and_courses_to_a_personal_page():
    assert await order_of_visits(Interclass(RULED), TUNNEL) == ["", "sp", "dh", "ch", "ph", "sp2", "sp3"]
    assert await order_of_visits(SoftFocus(RULED), TUNNEL) == ["", "sp", "dh", "sp2", "sp3", "ch", "ph"]


def test_links_are_worth_what_the_class_of_their_page_leads_to():
    assert score(Interclass(RULED), "DH") == pytest.approx(0.42)
    assert score(Interclass(RULED, max_depth=1), "DH") == pytest.approx(0.1)
    assert score(Interclass(RULED, merge="max"), "DH") == pytest.approx(0.32)
    assert score(Interclass(RULED), "PH", depth=0) == pytest.approx(0.3)


def test_without_a_path_it_is_soft_focus():
    assert score(Interclass(RULED), "SP") == pytest.approx(0.1)


def test_several_targets_end_a_path_at_the_first_of_them():
    assert score(Interclass(TitledClasses(("PH", "CH"), rules_of(TABLE_1))), "DH") == pytest.approx(0.9)


def test_a_soft_class_weighs_all_classes_a_page_may_have():
    expected = 0.7 * 0.42 + 0.1 * 0.42 + 0.1 * 0.3 + 0.1 * 0.1
    assert score(Interclass(RULED, soft_class=True), "DH") == pytest.approx(expected)


def test_how_the_paths_are_merged_is_not_how_the_frontier_merges():
    assert Interclass(RULED, merge="sum").merge == "max"


def test_the_paper_learns_nothing_from_the_crawl_and_keeps_nothing():
    paper = Interclass(RULED)
    seen(paper, "DH", 1, "/a")
    seen(paper, "SP", 2, "/b", parent="/a")
    assert paper.save() == {}
    assert score(paper, "DH") == pytest.approx(0.42)


def test_it_says_by_which_path():
    assert Interclass(RULED).explain(visit("DH"), LINK) == (
        Evidence("DH → CH → PH", "best path", pytest.approx(0.32)),
        Evidence("DH", "all paths", pytest.approx(0.42)),
        Evidence("DH", "page", 0.7),
    )
    assert Interclass(RULED).explain(visit("SP"), LINK) == (Evidence("PH", "soft focus", pytest.approx(0.1)),)


def test_without_rules_it_says_how_to_give_them():
    with pytest.raises(Missing, match="--rules FILE"):
        Interclass(TitledClasses())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_depth": 0}, "strategy 'interclass-rules': max_depth is 0"),
        ({"merge": "mean"}, "sum, max"),
        ({"refresh": 0}, "refresh is 0"),
        ({"min_pages": 0}, "min_pages is 0"),
        ({"profile": "rubust"}, "its profiles: paper, robust"),
    ],
)
def test_what_cannot_be_meant_is_refused_at_once(options, words):
    with pytest.raises(BadInput, match=words):
        Interclass(RULED, **options)


# ── learning from the crawl ──

EAGER = {"online": True, "min_pages": 1, "refresh": 1}


async def test_the_crawl_itself_teaches_that_departments_lead_to_personal_pages():
    pages = {
        "": html("PH", "dh1", "sp1"),
        "dh1": html("DH", "ph1"),
        "sp1": html("SP", "sp2"),
        "ph1": html("PH", "dh2"),
        "dh2": html("DH", "ph2"),
        "ph2": html("PH"),
        "sp2": html("SP"),
    }
    learns = await order_of_visits(Interclass(TitledClasses(), **EAGER), pages)
    assert learns == ["", "dh1", "sp1", "ph1", "dh2", "ph2", "sp2"]
    assert await order_of_visits(SoftFocus(TitledClasses()), pages) == ["", "dh1", "sp1", "ph1", "dh2", "sp2", "ph2"]


def test_what_was_seen_is_added_to_the_rules_given():
    strategy = Interclass(RULED, **EAGER, max_depth=1)
    seen(strategy, "DH", 1, "/a")
    for number in range(2, 12):
        seen(strategy, "PH", number, f"/{number}", parent="/a")
    assert score(strategy, "DH") == pytest.approx((1 + 10) / (10 + 10))


def test_rules_of_a_class_wait_until_they_rest_on_enough_pages():
    strategy = Interclass(TitledClasses(), online=True, min_pages=3, refresh=1)
    seen(strategy, "DH", 1, "/a")
    worth = []
    for number in range(2, 6):
        seen(strategy, "PH", number, f"/{number}", parent="/a")
        worth.append(score(strategy, "DH"))
    assert worth == [pytest.approx(0.1), pytest.approx(0.1), 1.0, 1.0]


def test_what_was_seen_counts_from_the_next_refresh_on():
    strategy = Interclass(TitledClasses(), online=True, min_pages=1, refresh=3)
    seen(strategy, "DH", 1, "/a")
    worth = [
        seen(strategy, "PH", 2, "/b", "/a"),
        seen(strategy, "PH", 3, "/c", "/a"),
        seen(strategy, "DH", 4, "/d", "/a"),
    ]
    assert worth[:2] == [0.7, 0.7]
    assert worth[2] == pytest.approx(2 / 3)


def test_failures_and_pages_without_a_known_parent_teach_nothing():
    strategy = Interclass(TitledClasses(), **EAGER)
    seen(strategy, "PH", 1, "/a", parent="/never-seen")
    failed = visit("DH", 2, "/b", parent="/a")
    strategy.learn(Visit(failed.claim, 2, 0.0, Failed("timeout"), Outcome("timeout")))
    assert [name for name in strategy.save() if name.startswith("rule")] == []


def test_a_visit_changes_a_page_and_a_pair_and_no_more():
    strategy = Interclass(RULED, profile="robust")
    for number in range(1, 9):
        seen(strategy, "DH", number, f"/{number}", parent=f"/{number - 1}")
        assert len(strategy.save()) <= 2
    assert strategy.save() == {}


def test_the_class_of_a_page_long_ago_is_forgotten_on_disk_too(monkeypatch):
    monkeypatch.setattr("thresher.strategy.interclass_rules._MOST_PAGES", 2)
    strategy, parts = Interclass(RULED, profile="robust"), {}
    for number in range(1, 6):
        seen(strategy, "DH", number, f"/{number}")
        parts |= strategy.save()
    assert sum(value != b"" for value in parts.values()) == 2
    again = Interclass(RULED, profile="robust")
    again.load(parts)
    assert list(again._classes.items()) == list(strategy._classes.items())


walks = st.lists(st.tuples(st.sampled_from(["DH", "CH", "PH", "SP"]), st.integers(0, 8)), min_size=2, max_size=40)


@given(walks, st.data(), st.integers(1, 4), st.booleans())
def test_a_crawl_that_was_killed_and_resumed_scores_as_if_nothing_had_happened(walk, data, refresh, soft_class):
    def fresh():
        return Interclass(RULED, online=True, refresh=refresh, soft_class=soft_class)

    def step(strategy, number):
        title, back = walk[number]
        return seen(strategy, title, number + 1, f"/{number}", parent=f"/{max(0, number - back)}")

    killed_at = data.draw(st.integers(1, len(walk) - 1))
    whole, parts = fresh(), {}
    for number in range(killed_at):
        step(whole, number)
        parts |= whole.save()
    resumed = fresh()
    resumed.load(parts)
    for number in range(killed_at, len(walk)):
        assert step(resumed, number) == step(whole, number)
        assert resumed.save() == whole.save()


# ── what the authors named as future work ──


def walked(rules=None, walks=None):
    taxonomy = TitledClasses(rules=rules)
    taxonomy.walks = walks
    return taxonomy


def test_the_rules_may_be_those_of_random_walks_or_both_together():
    taxonomy = walked(rules_of({"SP": {"PH": 1, "SP": 3}}), rules_of({"SP": {"PH": 4}}))
    found = {each: score(Interclass(taxonomy, citations=each), "SP") for each in ("examples", "walks", "both")}
    assert found == pytest.approx({"examples": 0.25, "walks": 1.0, "both": 0.625})


def test_walks_alone_are_rules_enough():
    assert score(Interclass(walked(None, rules_of(TABLE_1)), citations="walks"), "DH") == pytest.approx(0.42)


def test_rules_of_walks_that_nobody_made_are_missing_and_it_says_who_makes_them():
    with pytest.raises(Missing, match=r"needs rules from random walks for citations = 'walks': .*lab rules --walks"):
        Interclass(RULED, citations="walks")


def test_a_class_without_rules_may_borrow_those_of_the_classes_above_it():
    classes = ("U/dept", "U/course", "X/sport", "U/person")
    taxonomy = TitledClasses(
        ("U/person",), rules_of({"U/course": {"U/person": 50}, "X/sport": {"X/sport": 50}}), classes
    )
    # Without a path it is soft focus, .1 for a page of another class;
    assert score(Interclass(taxonomy), "U/dept") == pytest.approx(0.1)
    assert score(Interclass(taxonomy, whole_taxonomy=True), "U/dept") > 0.9
