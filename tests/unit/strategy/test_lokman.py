import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.strategy.walks import order

from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.frontier import MemoryFrontier, SqliteFrontier
from thresher.model import DROP, SEED, Candidate, Claim, Host, Link, Outcome, Page, Response, Url, Visit
from thresher.parse.html import HtmlParser
from thresher.strategy.lokman import Lokman, LokmanWithoutOntology
from thresher.topic import Topic
from thresher.topic.topic import Term

BEDWETTING = Topic(
    "bedwetting",
    (
        Term("Bedwetting", 15, "exact"),
        Term("nocturnal enuresis", 12, "synonym"),
        Term("urination disorder", 8, "broader"),
        Term("wetting pad", 5, "context"),
    ),
)
GOLDEN = "Bedwetting (nocturnal enuresis) is common. Bedwetting help."
HERE = Url("http://a.example/page")


def visit_of(html: str, priority: float = 20.0, depth: int = 1) -> Visit:
    body = html.encode()
    response = Response(HERE, 200, ((b"content-type", b"text/html; charset=utf-8"),), body, body)
    claim = Claim(Candidate(HERE, priority, depth), Host("a.example"), 1, 600.0)
    return Visit(claim, 1, 0.0, response, Outcome("page"), HtmlParser().parse(response))


def golden_visit(priority: float = 20.0, depth: int = 1) -> Visit:
    return visit_of(f"<p>{GOLDEN}</p>", priority, depth)


def link(anchor: str, path: str = "/x") -> Link:
    return Link(HERE, Url(f"http://a.example{path}"), anchor, 0, len(anchor))


GOLDEN_LINK = link("Nocturnal enuresis treatment", "/bedwetting/x")


def values(visit: Visit, *links: Link, **switches) -> list[float]:
    return list(Lokman(concepts=BEDWETTING, **switches).score(visit, links))


def total(visit: Visit, of: Link, **switches) -> float:
    return math.fsum(part.amount for part in Lokman(concepts=BEDWETTING, **switches).explain(visit, of))


# ── golden: the value of a page and of a link ──


def test_golden_2_a_link_is_worth_a_hundredth_of_what_its_page_inherited_nine_of_the_page_and_ninety_of_its_own_words():
    assert values(golden_visit(), GOLDEN_LINK) == [pytest.approx(0.2 + 3.78 + 24.3)]


def test_golden_2_the_greater_of_page_and_link_is_the_page_value():
    assert values(golden_visit(), GOLDEN_LINK, link_combine="max") == [pytest.approx(39.8)]


def test_the_greater_of_page_and_link_can_be_the_link():
    poor = visit_of("<p>a wetting pad</p>", priority=0.0)
    assert values(poor, GOLDEN_LINK, link_combine="max") == [27.0]


@pytest.mark.parametrize("alpha", [0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05])
def test_the_share_of_the_ancestors_can_be_swept_as_the_thesis_did(alpha):
    page = alpha * 20 + (1 - alpha) * 42
    assert values(golden_visit(), GOLDEN_LINK, alpha_inherit=alpha) == [pytest.approx(alpha * page + (1 - alpha) * 27)]


@pytest.mark.parametrize(("weights", "broader", "context"), [("design", 8, 5), ("requirements", 5, 3), (None, 8, 5)])
def test_both_sets_of_weights_can_be_had(weights, broader, context):
    links = link("a urination disorder"), link("a wetting pad"), link("bedwetting"), link("nocturnal enuresis")
    own = [value - 3.98 for value in values(golden_visit(), *links, weights=weights)]
    assert own == pytest.approx([0.9 * broader, 0.9 * context, 0.9 * 15, 0.9 * 12])


# ── golden: pruning ──


def test_golden_3_the_links_of_a_page_without_a_concept_are_dropped():
    assert values(visit_of("<p>Bread and butter.</p>"), GOLDEN_LINK) == [DROP]


@pytest.mark.parametrize("priority", [SEED, SEED + 12])
def test_golden_3_the_same_page_as_a_seed_keeps_its_links(priority):
    seed = visit_of("<p>Bread and butter.</p>", priority, depth=0)
    assert values(seed, GOLDEN_LINK) == [pytest.approx(24.3)]
    assert values(seed, GOLDEN_LINK, never_prune_seeds=False) == [DROP]


def test_nothing_is_pruned_where_that_is_not_wanted():
    assert values(visit_of("<p>Bread.</p>"), GOLDEN_LINK, prune_zero=False) == [pytest.approx(0.2 + 24.3)]


def test_a_seed_inherits_its_own_small_value_and_not_its_place_in_the_queue():
    assert values(golden_visit(SEED, 0), GOLDEN_LINK) == [pytest.approx(3.78 + 24.3)]
    assert values(golden_visit(SEED, 0), GOLDEN_LINK, seed_value=20.0) == [pytest.approx(28.28)]


# ── golden: a url met again, and a full frontier ──


def frontiers(tmp_path, **options):
    return MemoryFrontier(**options), SqliteFrontier(ledger=Ledger(tmp_path / "crawl.sqlite"), **options)


@pytest.mark.parametrize(("reevaluate", "value"), [("greater", 12.0), ("increment", 17.0)])
async def test_golden_1_the_home_page_of_metu_worth_5_then_12_is_worth_12_or_17(tmp_path, reevaluate, value):
    metu = Url("http://www.metu.edu.tr/")
    for frontier in frontiers(tmp_path, merge=Lokman(concepts=BEDWETTING, reevaluate=reevaluate).merge):
        await frontier.add([Candidate(metu, 5.0)])
        await frontier.add([Candidate(metu, 12.0)])
        (claim,) = await frontier.claim(1, 0.0)
        assert claim.candidate.priority == value


async def test_golden_4_of_10001_urls_a_frontier_of_10000_forgets_the_lowest(tmp_path):
    urls = [Candidate(Url(f"http://a.example/{number}"), float(number)) for number in range(10_001)]
    for frontier in frontiers(tmp_path, cap=10_000):
        await frontier.add(urls)
        assert frontier.census().waiting == 10_000
        assert await frontier.add([urls[1]]) == 0
        assert await frontier.add([urls[0]]) == 1, "the lowest must be unknown again"


# ── which text ──


def test_a_link_is_described_by_address_and_anchor_or_by_the_anchor_alone():
    assert values(golden_visit(), GOLDEN_LINK, href=False) == [pytest.approx(3.98 + 0.9 * 12)]


LINKED = "<nav>bedwetting bedwetting</nav><p>Bedwetting, and <a href=/more>nocturnal enuresis</a> with it.</p>"


@pytest.mark.parametrize(
    ("switches", "cc"),
    [({}, 57), ({"page_excludes_anchors": True}, 45), ({"whole_document": False}, 27)],
)
def test_the_page_is_the_whole_document_or_what_is_wanted_of_it(switches, cc):
    assert values(visit_of(LINKED, 0.0), link("this"), **switches) == [pytest.approx(0.09 * cc)]


def test_the_title_is_part_of_the_document():
    titled = visit_of("<title>Bedwetting</title><p>Bread.</p>", 0.0)
    assert values(titled, link("this")) == [pytest.approx(0.09 * 15)]


def test_a_concept_inside_of_a_longer_one_counts_unless_only_the_longest_do():
    pads = Topic("pads", (Term("wetting pad", 12, "synonym"), Term("pad", 15)))
    page = visit_of("<p>pad</p>", 0.0)
    independent, longest = (
        Lokman(concepts=pads, overlap=overlap, alpha_inherit=0).score(page, [link("wetting pad")])
        for overlap in ("independent", "longest")
    )
    assert (independent, longest) == ([27.0], [12.0])


def test_what_few_links_of_a_page_name_counts_more_with_tf_idf():
    links = "".join(f"<a href=/{n}>bedwetting</a> " for n in range(4)) + "<a href=/4>bedwetting: wetting pad</a>"
    visit = visit_of(f"<p>{links}</p>", 0.0)
    common, *_, rare = Lokman(concepts=BEDWETTING, link_tfidf=True, alpha_inherit=0).score(visit, visit.page.links)
    assert common == pytest.approx(15)
    assert rare == pytest.approx(15 + 5 * (1 + math.log(5)))


# ── the robust profile ──


def test_a_long_page_drowns_its_links_in_the_paper_and_not_in_the_robust_profile():
    long = visit_of(f"<p>{'Bedwetting and much more about other things. ' * 300}</p>", 0.0)
    short = visit_of("<p>Bedwetting.</p>", 0.0)
    [silent] = values(long, link("more"))
    [telling] = values(short, link("bedwetting"))
    assert silent > telling
    [silent] = values(long, link("more"), profile="robust")
    [telling] = values(short, link("bedwetting"), profile="robust")
    assert silent < telling


def test_the_robust_profile_goes_through_pages_without_a_concept_and_does_not_read_menus():
    menu = visit_of("<nav>bedwetting bedwetting</nav><p>Bread and butter.</p>")
    assert values(menu, link("bedwetting"), profile="robust") == [pytest.approx(0.2 + 13.5)]
    assert values(visit_of("<p>Bread.</p>"), link("this"), profile="robust", prune_zero=True) == [DROP]


@given(st.integers(1, 5000))
def test_a_damped_page_is_worth_more_than_nothing_and_less_than_the_most(times):
    page = Page(HERE, main="bedwetting " * times)
    claim = Claim(Candidate(HERE, 0.0, 1), Host("a.example"), 1, 600.0)
    visit = Visit(claim, 1, 0.0, golden_visit().fetched, Outcome("page"), page)
    [value] = values(visit, link("this"), profile="robust")
    assert 0 < value < 0.09 * 50


# ── without an ontology ──


def test_the_baseline_knows_the_phrase_as_typed_and_nothing_else():
    topic = Topic.of("breast carcinoma, tinnitus")
    page = visit_of("<p>tinnitus</p>", 0.0)
    links = link("Breast carcinoma"), link("carcinoma of the breast"), link("tinnitus"), link("breast cancer")
    phrases = LokmanWithoutOntology(topic=topic, alpha_inherit=0).score(page, links)
    assert phrases == [15.0, 0.0, 15.0, 0.0]
    by_word = LokmanWithoutOntology(topic=topic, alpha_inherit=0, phrase=False).score(page, links)
    assert by_word == [30.0, 30.0, 15.0, 15.0]


# ── explaining, and what is wrong ──


@pytest.mark.parametrize("switches", [{}, {"link_combine": "max"}, {"profile": "robust"}, {"link_tfidf": True}])
def test_the_parts_of_an_explanation_make_the_priority(switches):
    visit = visit_of(f"<p>{GOLDEN} <a href=/bedwetting/x>Nocturnal enuresis treatment</a></p>")
    [of] = visit.page.links
    assert total(visit, of, **switches) == pytest.approx(values(visit, of, **switches)[0])


def test_an_explanation_names_the_concept_its_place_and_its_share():
    parts = Lokman(concepts=BEDWETTING).explain(golden_visit(), GOLDEN_LINK)
    assert [(part.what, part.where, round(part.amount, 9)) for part in parts] == [
        ("nocturnal enuresis", "anchor", 10.8),
        ("bedwetting", "href", 13.5),
        ("own value", "page", 3.78),
        ("inherited value", "page", 0.2),
    ]


def test_a_dropped_link_is_explained_too():
    (part,) = Lokman(concepts=BEDWETTING).explain(visit_of("<p>Bread.</p>"), GOLDEN_LINK)
    assert "no concept" in part.what


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"alpha_inherit": 1.5}, "from 0 to 1"),
        ({"seed_value": math.inf}, "finite"),
        ({"page_most": 0.0}, "above 0"),
        ({"reevaluate": "mean"}, "greater, increment"),
        ({"link_combine": "sum"}, "blend, max"),
        ({"weights": "heavy"}, "design, requirements"),
        ({"overlap": "some"}, "independent, longest"),
        ({"profile": "fast"}, "paper, robust"),
    ],
)
def test_a_wrong_switch_is_an_error_that_says_what_is_right(switches, message):
    with pytest.raises(BadInput, match=message):
        Lokman(concepts=BEDWETTING, **switches)


def test_an_error_names_the_strategy_that_was_asked_for():
    with pytest.raises(BadInput, match="strategy 'lokman-without-ontology': alpha_inherit is 2"):
        LokmanWithoutOntology(topic=Topic.of("bedwetting"), alpha_inherit=2)
    with pytest.raises(BadInput, match="strategy 'lokman-without-ontology' has no profile 'fast'"):
        LokmanWithoutOntology(topic=Topic.of("bedwetting"), profile="fast")


# ── whole crawls ──


def page(text: str, *links: tuple[str, str]) -> str:
    return f"<p>{text}</p>{''.join(f'<p><a href={path}>{anchor}</a></p>' for path, anchor in links)}"


WEB = {
    "/": page("Health from A to Z.", ("/bread", "Baking"), ("/night", "Nocturnal enuresis")),
    "/bread": page("Bread and butter.", ("/hidden", "More")),
    "/night": page(GOLDEN, ("/pads", "More"), ("/doctor", "Bedwetting: whom to see")),
    "/pads": page("A wetting pad.", ("/shop", "Shop")),
    "/doctor": page("Nocturnal enuresis: see a doctor."),
    "/shop": page("Buy one."),
    "/hidden": page("Bedwetting once more."),
}


async def test_lokman_follows_the_synonym_and_never_sees_what_lies_behind_a_page_without_a_concept():
    assert await order(WEB, Lokman(concepts=BEDWETTING)) == ["/", "/night", "/doctor", "/pads", "/bread", "/shop"]


async def test_the_robust_profile_sees_it():
    seen = await order(WEB, Lokman(concepts=BEDWETTING, profile="robust"))
    assert seen == ["/", "/night", "/doctor", "/pads", "/bread", "/shop", "/hidden"]


async def test_without_an_ontology_a_synonym_is_no_better_than_bread():
    seen = await order(WEB, LokmanWithoutOntology(topic=Topic.of("bedwetting")))
    assert seen == ["/", "/bread", "/night", "/doctor", "/pads"]
