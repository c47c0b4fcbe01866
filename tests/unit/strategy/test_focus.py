import pytest
from tests.unit.strategy.classed_web import FIGURE_3, TitledClasses, html, order_of_visits, visit

from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput
from thresher.judge.classifier import ClassifierJudge
from thresher.model import DROP, Evidence, Link, Url
from thresher.strategy.hard_focus import HardFocus
from thresher.strategy.interclass_rules import Interclass
from thresher.strategy.soft_focus import SoftFocus

LINKS = [Link(Url("http://a.example/"), Url(f"http://a.example/{n}"), "", 0, 0) for n in range(3)]


async def test_golden_6_soft_focus_fetches_what_the_course_page_links_to_last():
    assert await order_of_visits(SoftFocus(TitledClasses()), FIGURE_3) == ["", "1", "2", "3", "4", "5"]


async def test_soft_focus_prunes_nothing_and_follows_the_target_class_first():
    pages = {"": html("SP", "dh", "ph"), "dh": html("DH", "x"), "ph": html("PH", "y"), "x": html("PH"), "y": html("SP")}
    assert await order_of_visits(SoftFocus(TitledClasses()), pages) == ["", "dh", "ph", "y", "x"]


async def test_hard_focus_follows_no_link_of_a_page_off_topic():
    assert await order_of_visits(HardFocus(TitledClasses()), FIGURE_3) == ["", "1", "2", "3", "4"]


def test_every_link_has_its_pages_score():
    assert SoftFocus(TitledClasses()).score(visit("CH"), LINKS) == [pytest.approx(0.1)] * 3
    assert SoftFocus(TitledClasses()).score(visit("PH"), LINKS) == [0.7] * 3


def test_several_targets_add_up():
    soft = SoftFocus(TitledClasses(targets=("PH", "CH")))
    assert soft.score(visit("CH"), LINKS) == [pytest.approx(0.8)] * 3


def test_a_seed_is_worth_1_by_definition_unless_it_must_prove_itself():
    assert SoftFocus(TitledClasses()).score(visit("SP", depth=0), LINKS) == [1.0] * 3
    assert SoftFocus(TitledClasses(), trust_seeds=False).score(visit("SP", depth=0), LINKS) == [pytest.approx(0.1)] * 3
    assert HardFocus(TitledClasses()).score(visit("SP", depth=0), LINKS) == [1.0] * 3
    assert HardFocus(TitledClasses(), trust_seeds=False).score(visit("SP", depth=0), LINKS) == [DROP] * 3


def test_hard_focus_wants_the_best_class_to_be_a_target_and_its_score_to_be_enough():
    assert HardFocus(TitledClasses()).score(visit("PH"), LINKS) == [0.7] * 3
    assert HardFocus(TitledClasses(), threshold=0.7).score(visit("PH"), LINKS) == [0.7] * 3
    assert HardFocus(TitledClasses(), threshold=0.71).score(visit("PH"), LINKS) == [DROP] * 3
    assert HardFocus(TitledClasses(), threshold=0.0).score(visit("CH"), LINKS) == [DROP] * 3


def test_a_threshold_is_from_0_to_1():
    with pytest.raises(BadInput, match=r"hard-focus.*threshold is 5"):
        HardFocus(TitledClasses(), threshold=5)


def test_it_can_be_seen_what_a_priority_is_made_of():
    soft = SoftFocus(TitledClasses(targets=("PH", "CH")))
    assert soft.explain(visit("PH"), LINKS[0]) == (
        Evidence("PH", "page", 0.7),
        Evidence("CH", "page", pytest.approx(0.1)),
    )
    assert soft.explain(visit("PH", depth=0), LINKS[0]) == (Evidence("seed", "page", 1.0),)


# ── raw naïve Bayes ──

EXAMPLES = [("iris pupil lens light", "eye"), ("petal rhizome garden spade", "flower")]
SAID = {"title": "", "main": "iris pupil lens light petal " * 20}


def raw_share(taxonomy):
    return taxonomy.classifier.distribution(SAID["main"], 0)["eye"]


@pytest.mark.parametrize("kind", [SoftFocus, HardFocus])
def test_the_paper_has_raw_naive_bayes_and_robust_tempers_it(kind):
    taxonomy = Taxonomy(Classifier.of(EXAMPLES), ("eye",))
    paper, robust, key = (
        kind(taxonomy, **keys).score(visit(**SAID), LINKS)[0]
        for keys in ({"profile": "paper"}, {}, {"temperature": 0.2})
    )
    assert paper == pytest.approx(raw_share(taxonomy))
    assert paper > 1 - 1e-12
    assert 0.6 < robust < 0.99
    assert robust == key


def test_where_no_rule_leads_on_the_papers_rules_fall_back_on_raw_naive_bayes():
    taxonomy = Taxonomy(Classifier.of(EXAMPLES), ("eye",), InterclassRules([("flower", "flower")]))
    for keys, raw in (({}, True), ({"temperature": 0.2}, False), ({"profile": "robust", "online": False}, False)):
        assert (Interclass(taxonomy, **keys).score(visit(**SAID), LINKS)[0] > 1 - 1e-12) == raw


def test_a_judge_can_have_raw_naive_bayes_too():
    taxonomy = Taxonomy(Classifier.of(EXAMPLES), ("eye",))
    page = visit(**SAID).page
    assert ClassifierJudge(taxonomy, temperature=0).judge(page).relevance == pytest.approx(raw_share(taxonomy))
    assert ClassifierJudge(taxonomy).judge(page).relevance < 0.99


@pytest.mark.parametrize("temperature", [-1, float("inf")])
def test_a_temperature_is_0_or_more(temperature):
    with pytest.raises(BadInput, match=r"temperature is .* but must be 0 or more: 0 is raw"):
        SoftFocus(TitledClasses(), temperature=temperature)
