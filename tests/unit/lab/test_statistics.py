import math
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.lab.run.statistics import (
    averaged,
    bootstrap,
    compare,
    holm,
    incomplete_beta,
    paired_t,
    score,
    sign_flip,
    t_tail,
    wilcoxon,
)

# Pesaranghader et al. 2014, Table X: harvest ratios of LinCrawler, TFCrawler and BFCrawler.
LIN = {
    "cookie:confectionary": (0.618, 0.147, 0.034),
    "cookie:internet": (0.351, 0.179, 0.118),
    "iris:gardening": (0.459, 0.288, 0.059),
    "iris:medical": (0.253, 0.031, 0.058),
    "squash:vegetal": (0.437, 0.105, 0.072),
    "squash:sport": (0.560, 0.181, 0.115),
}
# Who against whom, as places in a row; t and p as they are; t and p as printed in Tables XII and XIII; exact p.
AUDIT = [
    pytest.param((0, 2), 6.359295, 0.000710, 5.192343, 0.001745, 0.015625, id="Lin-BF"),
    pytest.param((0, 1), 5.817641, 0.001059, 4.750084, 0.002552, 0.015625, id="Lin-TF"),
    pytest.param((1, 2), 2.239147, 0.037648, 1.828256, 0.063526, 0.03125, id="TF-BF"),
]
# Altıngövde and Ulusoy 2004, Table 3, harvest ratios of the base and the rule crawler.
RULES = [(0.28, 0.30), (0.25, 0.29), (0.29, 0.40), (0.36, 0.37), (0.52, 0.56), (0.48, 0.61)]

differences = st.lists(st.integers(-1000, 1000).map(lambda whole: whole / 1000), min_size=1, max_size=12)
p_values = st.dictionaries(st.text(max_size=3), st.floats(0, 1), min_size=1, max_size=8)


def lin(pair):
    one, other = pair
    return [row[one] - row[other] for row in LIN.values()]


# ── Student's t ──


@pytest.mark.parametrize(("pair", "t", "p", "_printed_t", "_printed_p", "_exact"), AUDIT)
def test_golden_12_lin_crawlers_t_tests_with_the_number_of_pairs(pair, t, p, _printed_t, _printed_p, _exact):
    found = paired_t(lin(pair))
    assert found.df == 5
    assert found.t == pytest.approx(t, abs=1e-5)
    assert found.p.greater == pytest.approx(p, abs=1e-6)
    assert found.p.either == pytest.approx(2 * found.p.greater)


@pytest.mark.parametrize(("pair", "_t", "_p", "printed_t", "printed_p", "_exact"), AUDIT)
def test_golden_12_lin_crawlers_printed_t_tests_are_those_of_four_pairs(pair, _t, _p, printed_t, printed_p, _exact):
    of_four = paired_t(lin(pair)).t * math.sqrt(4 / 6)
    assert of_four == pytest.approx(printed_t, abs=1e-5)
    assert t_tail(printed_t, 5) == pytest.approx(printed_p, abs=1e-6)


def test_term_frequency_does_beat_breadth_first_in_lin_crawlers_own_test():
    assert paired_t(lin((1, 2))).p.greater < 0.05 < t_tail(1.828256, 5)


def test_the_rule_crawlers_gain_is_no_luck_if_its_six_cells_were_independent():
    gains = [rule - base for base, rule in RULES]
    found = paired_t(gains)
    assert sum(gains) / 6 == pytest.approx(0.0583, abs=5e-5)
    assert found.t == pytest.approx(2.883, abs=5e-4)
    assert found.p.greater == pytest.approx(0.0172, abs=5e-5)
    assert wilcoxon(gains).greater == pytest.approx(0.0156, abs=5e-5)


# Critical values as every textbook tables them, to three decimals.
@pytest.mark.parametrize(
    ("df", "tail", "t"),
    [
        (1, 0.05, 6.314), (1, 0.025, 12.706), (2, 0.025, 4.303), (5, 0.05, 2.015), (5, 0.005, 4.032), (10, 0.025, 2.228),
        (10, 0.0005, 4.587), (20, 0.01, 2.528), (30, 0.025, 2.042), (60, 0.005, 2.660), (120, 0.05, 1.658),
    ],
)  # fmt: skip
def test_the_tails_of_t_are_those_of_the_tables(df, tail, t):
    assert t_tail(t + 0.0005, df) < tail < t_tail(t - 0.0005, df)


@given(st.floats(-1e6, 1e6))
def test_one_and_two_degrees_of_freedom_have_a_closed_form(t):
    assert t_tail(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, abs=1e-12)
    assert t_tail(t, 2) == pytest.approx(0.5 - t / (2 * math.sqrt(2 + t * t)), abs=1e-12)


# scipy.stats.t.sf of SciPy 1.17.1.
@pytest.mark.parametrize(
    ("t", "df", "tail"),
    [
        (0.001, 7, 0.4996150086224994),
        (1.5, 9, 0.08392532802853753),
        (2.5, 49, 0.00790789442359004),
        (8.0, 19, 8.379773441409066e-08),
        (30.0, 999, 8.364136065585705e-142),
    ],
)
def test_the_tails_of_t_are_scipys(t, df, tail):
    assert t_tail(t, df) == pytest.approx(tail, rel=1e-9, abs=0)


@given(st.floats(0.1, 50), st.integers(0, 1024).map(lambda part: part / 1024))
def test_the_incomplete_beta_function_has_a_closed_form_where_one_side_is_one(a, x):
    assert incomplete_beta(a, 1, x) == pytest.approx(x**a, abs=1e-12)
    assert incomplete_beta(1, a, x) == pytest.approx(1 - (1 - x) ** a, abs=1e-12)


@given(differences)
def test_t_changes_its_sign_with_the_sides(values):
    one, other = paired_t(values), paired_t([-each for each in values])
    assert one.t == -other.t
    assert one.p.either == other.p.either
    assume(any(values) and len(values) > 1)
    assert one.p.greater + other.p.greater == pytest.approx(1)


def test_differences_all_alike_leave_no_doubt_and_none_at_all_no_evidence():
    assert paired_t([0.3 - 0.2, 0.4 - 0.3, 0.2 - 0.1]).t == math.inf
    assert paired_t([0.0, 0.0]).p == paired_t([0.5]).p == (1, 1)


# ── ranks and flips ──


@pytest.mark.parametrize(("pair", "_t", "_p", "_printed_t", "_printed_p", "exact"), AUDIT)
def test_lin_crawlers_exact_tests(pair, _t, _p, _printed_t, _printed_p, exact):
    assert wilcoxon(lin(pair)).greater == exact
    assert sign_flip(lin(pair)).greater == exact


def test_darwins_maize_is_as_fisher_has_it():
    # The Design of Experiments (1935), chapter III: 15 pairs of plants, in eighths of an inch; t = 2.148, and 863 of 32,768 flips.
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert paired_t(maize).t == pytest.approx(2.148, abs=5e-4)
    assert sign_flip(maize).greater == 863 / 32768
    assert sign_flip(maize).either == 1726 / 32768


def test_wilcoxons_smallest_sums_are_those_of_his_table():
    # Two-sided .05 for n = 10 is a rank sum of 8, for n = 15 one of 25: so many and no more.
    def sum_of(negative, n):
        return wilcoxon([-rank if rank in negative else rank for rank in range(1, n + 1)]).either

    assert sum_of({8}, 10) <= 0.05 < sum_of({9}, 10)
    assert sum_of({10, 15}, 15) <= 0.05 < sum_of({11, 15}, 15)


def enumerated(values):
    """Wilcoxon's p by trying every choice of signs, ranks shared by ties."""
    kept = [each for each in values if each]
    sizes = [abs(each) for each in kept]
    ranks = [sum(other < own for other in sizes) + (sizes.count(own) + 1) / 2 for own in sizes]
    seen = sum(rank for rank, value in zip(ranks, kept, strict=True) if value > 0)
    sums = [
        sum(rank * sign for rank, sign in zip(ranks, signs, strict=True)) for signs in product((0, 1), repeat=len(kept))
    ]
    return sum(each >= seen for each in sums) / len(sums)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_wilcoxon_with_ties_and_zeros_is_the_count_of_all_signs(values):
    assert wilcoxon(values).greater == pytest.approx(enumerated(values))


def test_ties_are_seen_through_rounding():
    assert wilcoxon([0.3 - 0.2, 0.2 - 0.3, 0.5 - 0.4]) == wilcoxon([1, -1, 1])


@given(differences)
def test_every_p_lies_above_zero_and_at_most_at_one(values):
    for found in (sign_flip(values), wilcoxon(values)):
        assert 0 < found.greater <= 1
        assert 0 < found.either <= 1


@given(differences)
def test_a_two_sided_p_does_not_care_who_is_first(values):
    other = [-each for each in values]
    assert sign_flip(values).either == sign_flip(other).either
    assert wilcoxon(values).either == pytest.approx(wilcoxon(other).either)


def test_many_pairs_are_flipped_by_lot_close_to_the_truth():
    # Alternating gains and losses of one: the sum is twice a binomial variable less its mean.
    values = [1.0] * 12 + [-1.0] * 8
    truth = sum(math.comb(20, wins) for wins in range(12, 21)) / 2**20
    found = sign_flip(values, seed=3)
    assert found.greater == pytest.approx(truth, abs=5 * math.sqrt(truth * (1 - truth) / 100_000))
    assert found == sign_flip(values, seed=3)


def test_a_lot_never_says_that_chance_is_excluded():
    assert sign_flip([1.0] * 40, flips=999).greater == 0.001


# ── many comparisons ──


def test_holm_multiplies_the_smallest_by_all_and_never_falls():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}) == pytest.approx(
        {"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02}
    )


@given(p_values)
def test_holm_keeps_the_order_and_only_raises(chances):
    adjusted = holm(chances)
    assert list(adjusted) == list(chances)
    assert all(chances[name] <= adjusted[name] <= 1 for name in chances)
    for one, other in product(chances, repeat=2):
        if chances[one] <= chances[other]:
            assert adjusted[one] <= adjusted[other]


# ── intervals and scores ──


def test_a_bootstrap_interval_is_that_of_the_normal_where_tasks_are_many():
    values = [(place % 100) / 100 for place in range(400)]
    error = math.sqrt(sum((each - 0.495) ** 2 for each in values) / 400) / 20
    low, high = bootstrap(values)
    assert low == pytest.approx(0.495 - 1.96 * error, abs=0.1 * error)
    assert high == pytest.approx(0.495 + 1.96 * error, abs=0.1 * error)


@settings(deadline=None)
@given(differences, st.integers(0, 9))
def test_a_bootstrap_interval_lies_within_the_differences_and_can_be_had_again(values, seed):
    low, high = bootstrap(values, draws=200, seed=seed)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert (low, high) == bootstrap(values, draws=200, seed=seed)


def test_a_difference_of_rounding_is_a_tie():
    assert score([0.1 + 0.2 - 0.3, 0.1, -0.2, 0.4]) == (2, 1, 1)


# ── all of it ──


def test_strategies_are_compared_over_the_tasks_that_both_were_tried_on():
    one = {name: row[0] for name, row in LIN.items()} | {"only here": 1.0}
    other = {name: row[2] for name, row in reversed(LIN.items())}
    found = compare(one, other)
    assert found.pairs == 6
    assert found.t.t == pytest.approx(6.359295, abs=1e-5)
    assert found.score == (6, 0, 0)
    assert found.wilcoxon.greater == found.sign_flip.greater == 0.015625
    assert found.difference == pytest.approx(0.3703, abs=5e-5)
    assert found.interval.low < found.difference < found.interval.high
    assert found.unpaired == ("only here",)
    assert any("only here" in caveat for caveat in found.caveats)


def test_few_tasks_make_no_claim():
    six = compare(dict.fromkeys("abcdef", 1.0), dict.fromkeys("abcdef", 0.0))
    assert not six.claimable
    assert six.caveats == ("no claim from fewer than 10 tasks, and here are 6",)


def test_five_tasks_can_prove_nothing_and_say_so():
    five = compare(dict.fromkeys("abcde", 1.0), dict.fromkeys("abcde", 0.0))
    assert five.sign_flip.either == five.wilcoxon.either == 0.0625
    assert "cannot go below p = 0.0625" in five.caveats[1]


def test_many_ties_can_prove_nothing_either():
    tied = compare(dict.fromkeys(map(str, range(20)), 1.0), dict.fromkeys(map(str, range(20)), 1.0) | {"0": 0.5})
    assert tied.claimable
    assert tied.score == (1, 0, 19)
    assert tied.caveats == (
        "a difference on 1 of 20 tasks: even if all agree, a two-sided sign-flip test cannot go below p = 1",
    )


def test_strategies_without_a_common_task_cannot_be_compared():
    with pytest.raises(BadInput, match=r"no task is among both \[a\] and \[b\]"):
        compare({"a": 1.0}, {"b": 1.0})


@settings(deadline=None)
@given(differences, st.integers(0, 9))
def test_a_comparison_turned_round_is_the_same_with_other_signs(values, seed):
    one, other = (
        {str(place): each for place, each in enumerate(values)},
        dict.fromkeys(map(str, range(len(values))), 0.0),
    )
    there, back = compare(one, other, seed), compare(other, one, seed)
    assert there.difference == -back.difference
    assert there.t.t == -back.t.t
    assert there.score == (back.score.losses, back.score.wins, back.score.ties)
    assert there.caveats == back.caveats


def test_repetitions_of_a_task_are_one_sample():
    assert averaged([("a", 0.2), ("b", 1.0), ("a", 0.4)]) == pytest.approx({"a": 0.3, "b": 1.0})
