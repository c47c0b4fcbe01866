import heapq
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.link_rules import InterclassRules, RulePath, RuleScores, paths_to
from thresher.classify.naive_bayes import Classifier
from thresher.errors import BadInput

# Altingövde and Ulusoy 2004, Table 1: the classes of the ten pages fetched for each class of the train-0 set.
TABLE_1 = {
    "DH": {"CH": 8, "PH": 1, "SP": 1},
    "CH": {"DH": 2, "CH": 4, "PH": 4},
    "PH": {"DH": 3, "CH": 4, "PH": 3},
    "SP": {"SP": 10},
}
# Kumar and Vig, Table 2.
KUMAR_TABLE_2 = {
    "CSE": {"IT": 8, "ENGG": 1, "COMP": 1},
    "IT": {"CSE": 2, "IT": 4, "ENGG": 4},
    "ENGG": {"CSE": 3, "IT": 4, "ENGG": 3},
    "COMP": {"COMP": 10},
}


def rules_of(table):
    return InterclassRules(
        (parent, child) for parent, row in table.items() for child, pages in row.items() for _ in range(pages)
    )


def certain(label, *others):
    return {label: 1.0, **dict.fromkeys(others, 0.0)}


# ── Tables 1 and 2, Figure 2 ──


def test_table_1_gives_the_rules_of_table_2():
    assert {(rule.parent, rule.child): rule.probability for rule in rules_of(TABLE_1)} == {
        ("DH", "CH"): 0.8,
        ("DH", "PH"): 0.1,
        ("DH", "SP"): 0.1,
        ("CH", "DH"): 0.2,
        ("CH", "CH"): 0.4,
        ("CH", "PH"): 0.4,
        ("PH", "DH"): 0.3,
        ("PH", "CH"): 0.4,
        ("PH", "PH"): 0.3,
        ("SP", "SP"): 1.0,
    }


def test_figure_2_from_example_pages_to_rules():
    said = {
        "DH": "department faculty degree programme admission",
        "CH": "course homework lecture syllabus exam",
        "PH": "my hobbies photos cat resume",
        "SP": "football league match goal score",
    }
    classifier = Classifier.of((text, label) for label, text in said.items())
    train_1 = {(parent, child, n): said[child] for parent, row in TABLE_1.items() for child in row for n in range(10)}
    links = [
        (parent, (parent, child, n))
        for parent, row in TABLE_1.items()
        for child, pages in row.items()
        for n in range(pages)
    ]
    learnt = InterclassRules.of_links(links, lambda page: classifier.best(train_1[page]))
    assert list(learnt) == list(rules_of(TABLE_1))


def test_a_page_counts_once_under_a_class_and_not_at_all_if_it_was_never_fetched():
    links = [("DH", "a"), ("DH", "a"), ("DH", "b"), ("CH", "a"), ("DH", "gone")]
    rules = InterclassRules.of_links(links, {"a": "PH", "b": "SP"}.get)
    assert [(rule.parent, rule.child, rule.pages) for rule in rules] == [
        ("DH", "PH", 1),
        ("DH", "SP", 1),
        ("CH", "PH", 1),
    ]
    assert rules.probability("DH", "PH") == 0.5


def test_golden_7_kumar_and_vigs_table_2_gives_their_table_3():
    assert [(rule.parent, rule.child, rule.probability) for rule in rules_of(KUMAR_TABLE_2)] == [
        ("CSE", "IT", 0.8),
        ("CSE", "ENGG", 0.1),
        ("CSE", "COMP", 0.1),
        ("IT", "CSE", 0.2),
        ("IT", "IT", 0.4),
        ("IT", "ENGG", 0.4),
        ("ENGG", "CSE", 0.3),
        ("ENGG", "IT", 0.4),
        ("ENGG", "ENGG", 0.3),
        ("COMP", "COMP", 1.0),
    ]


def test_rules_are_learnt_pair_by_pair():
    rules = InterclassRules()
    rules.add("DH", "CH")
    assert rules.probability("DH", "CH") == 1.0
    rules.add("DH", "PH", pages=3)
    assert rules.probability("DH", "CH") == 0.25
    assert rules.probability("DH", "SP") == rules.probability("SP", "DH") == 0.0
    assert len(rules) == 2


# ── Figures 3, 4 and 5 ──


@pytest.mark.parametrize(
    ("label", "depth_1", "depth_2_sum", "depth_2_max", "depth_3_sum"),
    [
        ("DH", 0.1, 0.42, 0.32, 0.42),
        ("CH", 0.4, 0.42, 0.4, 0.42),
        ("PH", 0.3, 0.3, 0.3, 0.3),
        ("SP", None, None, None, None),
    ],
)
def test_golden_5_the_scores_of_the_four_classes_for_personal_homepages(
    label, depth_1, depth_2_sum, depth_2_max, depth_3_sum
):
    def score(**options):
        return RuleScores(rules_of(TABLE_1), ["PH"], **options).of_class(label)

    assert score(max_depth=1) == score(max_depth=1, merge="max") == pytest.approx(depth_1)
    assert score() == score(max_depth=2, merge="sum") == pytest.approx(depth_2_sum)
    assert score(max_depth=2, merge="max") == pytest.approx(depth_2_max)
    assert score(max_depth=3) == pytest.approx(depth_3_sum)


def test_figure_5_the_paths_from_departments_to_personal_homepages():
    found = [path for path in paths_to(rules_of(TABLE_1), ["PH"], 2) if path.classes[0] == "DH"]
    assert sorted(found) == [
        RulePath(("DH", "CH", "PH"), pytest.approx(0.8 * 0.4)),
        RulePath(("DH", "PH"), pytest.approx(0.1)),
    ]


def test_the_strongest_path_says_why():
    scores = RuleScores(rules_of(TABLE_1), ["PH"])
    assert str(scores.best_path("DH")) == "DH → CH → PH 0.32"
    assert scores.best_path("SP") is None


def test_a_target_links_to_itself_but_no_path_comes_back_to_it():
    assert [path.classes for path in paths_to(rules_of(TABLE_1), ["PH"], 3) if path.classes[0] == "PH"] == [
        ("PH", "PH")
    ]


def test_golden_5_figure_4_without_a_path_the_score_is_soft_focus():
    scores = RuleScores(rules_of(TABLE_1), ["PH"])
    assert scores.score({"DH": 0.6, "PH": 0.3, "CH": 0.1, "SP": 0.0}) == pytest.approx(0.42)
    assert scores.score({"SP": 0.6, "PH": 0.3, "CH": 0.1, "DH": 0.0}) == 0.3


def crawl(score_of, first):
    """The web of Figure 3, best first, earlier links first among equals; `first` is the score of the seed's links."""
    links = {"seed": ["URL 1", "URL 2", "URL 3", "URL 4"], "URL 1": ["URL 5"]}
    kinds = {"URL 1": "CH", "URL 2": "DH", "URL 3": "PH", "URL 4": "SP", "URL 5": "PH"}
    queue = [(-first, number, url) for number, url in enumerate(links["seed"])]
    visited = []
    while queue:
        _, _, url = heapq.heappop(queue)
        visited.append(url)
        for found in links.get(url, ()):
            heapq.heappush(queue, (-score_of(kinds[url]), len(visited) + 10, found))
    return visited


def test_figure_3_rules_fetch_the_course_pages_personal_link_before_the_seeds_others():
    scores = RuleScores(rules_of(TABLE_1), ["PH"], max_depth=1)
    assert scores.of_class("PH") == 0.3
    visited = crawl(lambda kind: scores.score(certain(kind, "PH")), first=scores.of_class("PH"))
    assert visited == ["URL 1", "URL 5", "URL 2", "URL 3", "URL 4"]


def test_figure_3_soft_focus_fetches_it_last():
    similar = {"PH": 1.0, "CH": 0.2, "DH": 0.1, "SP": 0.0}
    assert crawl(similar.__getitem__, first=1.0) == ["URL 1", "URL 2", "URL 3", "URL 4", "URL 5"]


# ── Kumar and Vig's look-ahead ──


def test_golden_7_cse_reaches_engg_in_two_steps_with_042():
    assert RuleScores(rules_of(KUMAR_TABLE_2), ["ENGG"], max_depth=2).of_class("CSE") == pytest.approx(0.42)


def test_looking_ahead_is_on_a_scale_of_ten_and_0_without_a_path():
    scores = RuleScores(rules_of(KUMAR_TABLE_2), ["ENGG"], max_depth=2)
    assert scores.look_ahead(certain("CSE", "ENGG")) == pytest.approx(4.2)
    assert scores.look_ahead(certain("CSE", "ENGG"), la_scale=1) == pytest.approx(0.42)
    assert scores.look_ahead({"COMP": 0.6, "ENGG": 0.4}) == 0.0


# ── several targets, uncertain classes ──


def test_several_targets_add_up_the_ways_to_the_first_of_them():
    scores = RuleScores(rules_of(TABLE_1), ["PH", "CH"], max_depth=2)
    assert scores.of_class("DH") == pytest.approx(0.8 + 0.1)  # not DH → CH → PH: it has arrived at CH
    assert scores.of_class("PH") == pytest.approx(0.3 + 0.4 + 0.3 * 0.8)
    assert RuleScores(rules_of(TABLE_1), ["PH", "CH"], merge="max").of_class("DH") == 0.8


def test_soft_focus_on_several_targets_is_their_sum():
    assert RuleScores([], ["PH", "CH", "PH"]).score({"SP": 0.5, "PH": 0.3, "CH": 0.2}) == 0.5


def test_a_soft_class_takes_the_expectation_over_all_classes_the_page_may_have():
    page = {"DH": 0.5, "CH": 0.2, "PH": 0.2, "SP": 0.1}
    scores = RuleScores(rules_of(TABLE_1), ["PH"], max_depth=1, soft_class=True)
    assert scores.score(page) == pytest.approx(0.5 * 0.1 + 0.2 * 0.4 + 0.2 * 0.3 + 0.1 * 0.2)
    assert scores.look_ahead(page, la_scale=1) == pytest.approx(0.5 * 0.1 + 0.2 * 0.4 + 0.2 * 0.3)


@pytest.mark.parametrize("label", ["DH", "CH", "PH", "SP"])
def test_of_a_page_whose_class_is_certain_both_ways_say_the_same(label):
    page = certain(label, *(set(TABLE_1) - {label}))
    soft = RuleScores(rules_of(TABLE_1), ["PH"], soft_class=True)
    assert soft.score(page) == RuleScores(rules_of(TABLE_1), ["PH"]).score(page)


@pytest.mark.parametrize(
    ("targets", "options", "words"),
    [
        ([], {}, "need a list of target classes"),
        ("PH", {}, "need a list of target classes, not 'PH'"),
        (["PH"], {"max_depth": 0}, "max_depth is 0"),
        (["PH"], {"merge": "mean"}, "the choices: sum, max"),
    ],
)
def test_what_cannot_be_meant_is_refused(targets, options, words):
    with pytest.raises(BadInput, match=words):
        RuleScores(rules_of(TABLE_1), targets, **options)


def test_a_target_the_classifier_does_not_know_is_refused_with_the_choices():
    with pytest.raises(BadInput, match="no class 'HP' to aim at; the classes: DH, PH"):
        RuleScores(rules_of(TABLE_1), ["HP"]).score({"DH": 0.5, "PH": 0.5})


# ── laws ──

NAMES = "abcdef"
tables = st.dictionaries(
    st.sampled_from(NAMES),
    st.dictionaries(st.sampled_from(NAMES), st.integers(1, 20), min_size=1),
    min_size=1,
)
targets = st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True)


def enumerated(rules, start, goals, max_depth):
    """Every way to write down classes without repeating one, kept if each step is a rule and only the last is a target."""
    found = []
    between = [name for name in NAMES if name not in goals and name != start]
    for goal in goals:
        for steps in range(max_depth):
            for way in permutations(between, steps):
                if goal == start and steps:
                    continue
                chain = (start, *way, goal)
                found.append(np.prod([rules.probability(*step) for step in pairwise(chain)]))
    return [product for product in found if product > 0]


@given(tables, targets, st.integers(1, 5))
def test_a_score_is_what_brute_force_finds_and_never_above_1(table, goals, max_depth):
    rules = rules_of(table)
    added = RuleScores(rules, goals, max_depth=max_depth)
    largest = RuleScores(rules, goals, max_depth=max_depth, merge="max")
    for start in NAMES:
        products = enumerated(rules, start, goals, max_depth)
        assert added.of_class(start) == (pytest.approx(sum(products)) if products else None)
        assert largest.of_class(start) == (pytest.approx(max(products)) if products else None)
        assert (added.of_class(start) or 0) <= 1 + 1e-12
        assert (largest.of_class(start) or 0) <= (added.of_class(start) or 0) + 1e-12


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(1, 6))
def test_golden_5_between_classes_that_all_link_to_each_other_the_score_is_at_most_1(seed, size, max_depth):
    dice = np.random.default_rng(seed)
    rules = InterclassRules()
    for parent in NAMES[:size]:
        for child in NAMES[:size]:
            rules.add(parent, child, int(dice.integers(1, 1000)))
    scores = RuleScores(rules, ["a"], max_depth=max_depth)
    assert all(0 < scores.of_class(name) <= 1 + 1e-12 for name in NAMES[:size])


@given(tables, targets, st.integers(1, 4))
def test_a_longer_reach_never_lowers_a_score(table, goals, max_depth):
    near, far = (RuleScores(rules_of(table), goals, max_depth=depth) for depth in (max_depth, max_depth + 1))
    assert all((far.of_class(name) or 0) >= (near.of_class(name) or 0) - 1e-12 for name in NAMES)


# ── kept for later ──


odd = st.text(st.sampled_from("aAß07 _.-\n\t\"'#[]=→बी\\\0\U0001f600\ufeff"))


@given(st.dictionaries(odd, st.dictionaries(odd, st.integers(1, 2**40), min_size=1)))
def test_rules_come_back_from_their_file_whatever_the_classes_are_called(tmp_path_factory, table):
    path = tmp_path_factory.mktemp("rules") / "rules.toml"
    rules = InterclassRules()
    for parent, row in table.items():
        for child, pages in row.items():
            rules.add(parent, child, pages)
    rules.save(path)
    assert sorted(InterclassRules.load(path)) == sorted(rules)


def test_the_file_can_be_read_by_people(tmp_path):
    rules_of(TABLE_1).save(tmp_path / "rules.toml")
    assert "[DH]\nCH = 8\nPH = 1\nSP = 1\n" in (tmp_path / "rules.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[DH]\nCH = 8\nPH = \n", r"rules\.toml, line 3: Invalid value"),
        (b"DH = 8", r"rules\.toml, \[DH\]: a table of classes"),
        (b"[DH]\nCH = 0.8", r"rules\.toml, \[DH\]: CH = 0\.8; a whole number of pages from 1 is meant"),
        (b"[DH]\nCH = -1", "a whole number"),
        (b"[DH]\nCH = true", "a whole number"),
        (b"[DH]\nCH = '\xff'", r"rules\.toml: not UTF-8"),
        (b"a = " + b"[" * 100_000, r"rules\.toml, at its end: lists or tables are nested too deep"),
    ],
)
def test_a_broken_file_of_rules_is_refused_with_its_place(tmp_path, content, words):
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=words):
        InterclassRules.load(path)


def test_a_file_of_rules_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nothing\.toml: cannot be read: No such file"):
        InterclassRules.load(tmp_path / "nothing.toml")


def test_a_file_far_too_large_for_rules_is_refused_unread(tmp_path):
    path = tmp_path / "rules.toml"
    with path.open("wb") as stream:
        stream.truncate(2_000_000_000)
    with pytest.raises(BadInput, match="more than 50 MB"):
        InterclassRules.load(path)
