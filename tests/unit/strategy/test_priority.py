"""Download, then rank: priority-focused and priority-semantic."""

import asyncio
import math
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher import plugins
from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.errors import BadInput
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.model import Evidence, Failed, Url
from thresher.parse.html import HtmlParser
from thresher.polite.scope import ScopeRules
from thresher.store.memory_store import MemoryStore
from thresher.strategy.breadth_first import BreadthFirst
from thresher.strategy.priority_focused import PriorityFocused
from thresher.strategy.priority_semantic import PrioritySemantic, ontology_weights
from thresher.strategy.sibling_pages import Rarity, TermCounts, TopicSimilarity
from thresher.testing.simulated_web import SimulatedWeb, redirect
from thresher.topic import Topic
from thresher.topic.topic import Term
from thresher.urls import url_hash

IRIS = Topic.of("iris")
EYE = Topic(
    "iris",
    (
        Term("iris", 15),
        Term("iris of the eye", 12, "synonym"),
        Term("eye", 8, "broader"),
        Term("pupil", 5, "context"),
    ),
)
FILLERS = [f"filler{n}" for n in range(60)]


# ── webs of one letter a page ──


def page(text, *links):
    """Links stand in a menu, so that they are no part of the main text. A link is a path, or a path and its anchor."""
    pairs = [link if isinstance(link, tuple) else (link, "") for link in links]
    menu = "".join(f'<a href="{path if "//" in path else "/" + path}">{anchor}</a> ' for path, anchor in pairs)
    return f"<p>{text}</p><nav>{menu}</nav>"


def like(share, *links):
    """A page whose cosine with `iris` is the share: 4 of it among 9 other words make .8."""
    times, others = {0.8: (4, 9), 0.7: (7, 51), 0.6: (3, 16), 0.5: (1, 3), 0.25: (1, 15), 0.0: (0, 5)}[share]
    return page(" ".join(["iris"] * times + FILLERS[:others]), *links)


def a_web(pages, host="http://a.example"):
    return SimulatedWeb({path if "//" in path else f"{host}/{path}": answer for path, answer in pages.items()})


def crawl_of(web, strategy, **options):
    options = {"seeds": [Url("http://a.example/")], "workers": 1, "clock": FakeClock(1000.0), **options}
    return CrawlLoop(
        frontier=options.pop("frontier", None) or MemoryFrontier(merge=strategy.merge, delay=0, per_host=99),
        fetcher=web,
        parser=HtmlParser(),
        scope=options.pop("scope", ScopeRules()),
        judge=TermsJudge(IRIS),
        strategy=strategy,
        store=options.pop("store", None) or MemoryStore(),
        **options,
    )


async def order(pages, strategy, **options):
    web = a_web(pages)
    await crawl_of(web, strategy, **options).run()
    return [url.removeprefix("http://a.example/") for url in web.asked]


def score_of(strategy, path):
    return strategy._pages[url_hash(Url(f"http://a.example/{path}"))].score


# ── equations 1 to 3 ──


def test_golden_16_the_weight_of_a_term_is_its_frequency_times_its_rarity_among_the_siblings():
    # D = 4, df = 2, tf = 3: 3 ln 2.
    likeness = TopicSimilarity({"iris": 1.0})
    pages = [likeness.count(text) for text in ("iris iris iris", "iris", "bread", "flour")]
    assert Rarity.among(pages).weights(pages[0]) == pytest.approx([3 * math.log(2)])
    assert 3 * math.log(2) == pytest.approx(2.0794, abs=1e-4)


@given(st.lists(st.lists(st.sampled_from(["iris", "eye", "lens", "bread"])), min_size=1, max_size=6), st.floats(0.1, 9))
def test_golden_16_the_base_of_the_logarithm_is_of_no_consequence(texts, base):
    likeness = TopicSimilarity({"iris": 2.0, "eye": 1.0}, idf_fallback=False)
    pages = [likeness.count(" ".join(text)) for text in texts]
    natural = Rarity.among(pages)
    other = Rarity(natural.ids, natural.values * base)
    assert likeness.compare(pages, other) == pytest.approx(likeness.compare(pages, natural))


def test_golden_16_a_page_without_siblings_has_no_rare_terms_and_is_like_nothing_unless_counts_step_in():
    for fallback, expected in ((False, 0.0), (True, 2 / math.sqrt(5))):
        likeness = TopicSimilarity({"iris": 1.0}, idf_fallback=fallback)
        alone = likeness.count("iris iris lens")
        assert likeness.compare([alone], Rarity.among([alone])) == pytest.approx([expected])


def test_a_term_on_every_page_tells_nothing_and_the_others_decide():
    likeness = TopicSimilarity({"iris": 5.0, "pupil": 1.0})
    pages = [likeness.count(text) for text in ("iris iris iris lens", "iris pupil")]
    assert likeness.compare(pages, Rarity.among(pages)) == pytest.approx([0.0, 1.0])


def test_a_word_of_an_anchor_that_no_page_has_is_left_out():
    likeness = TopicSimilarity({"iris": 1.0, "pupil": 1.0})
    pages = [likeness.count(text) for text in ("iris lens", "bread", "flour")]
    assert likeness.compare([likeness.count("iris nowhere")], Rarity.among(pages)) == pytest.approx([1.0])


def test_phrases_count_as_phrases_and_texts_by_all_their_words_or_by_the_terms_alone():
    text = "breast cancer and breast milk"
    assert TopicSimilarity({"breast cancer": 1.0}).found(text) == {"breast cancer": 1}
    by_words, by_terms = (TopicSimilarity({"breast cancer": 1.0}, norm=norm, idf=False) for norm in ("words", "terms"))
    assert by_words.compare([by_words.count(text)], Rarity.among([])) == pytest.approx([1 / math.sqrt(8)])
    assert by_terms.compare([by_terms.count(text)], Rarity.among([])) == [1.0]


@given(st.dictionaries(st.text(), st.integers(1, 999)))
def test_counts_come_back_as_they_were_kept(counts):
    kept = TermCounts.of(counts)
    back = TermCounts.from_bytes(kept.to_bytes())
    assert np.array_equal(kept.ids, back.ids)
    assert np.array_equal(kept.counts, back.counts)


# ── the order of visits ──

# The sequence tree of §3.2: pages 1, 2, N score .7, .5, .8, and N1, NM .25, .6.
TREE = {
    "": like(0.0, "1", "2", "N"),
    "1": like(0.7, "11"),
    "2": like(0.5, "21"),
    "N": like(0.8, "N1", "NM"),
    "N1": like(0.25, "N11"),
    "NM": like(0.6, "NM1"),
    **{leaf: like(0.0) for leaf in ("11", "21", "N11", "NM1")},
}


async def test_page_n_is_expanded_first_and_then_page_1_as_in_the_papers_example():
    strategy = PriorityFocused(IRIS)
    assert await order(TREE, strategy) == ["", "1", "2", "N", "N1", "NM", "11", "NM1", "21", "N11"]
    assert [score_of(strategy, path) for path in ("1", "2", "N", "N1", "NM")] == pytest.approx(
        [0.7, 0.5, 0.8, 0.25, 0.6]
    )


async def test_with_the_parents_score_added_in_full_the_crawl_goes_deeper_instead_of_back():
    # N1 and NM have at least the .8 of their parent, so page 1 with its .7 comes after them.
    found = await order(TREE, PriorityFocused(IRIS, parent="sum"))
    assert found == ["", "1", "2", "N", "N1", "NM", "NM1", "N11", "11", "21"]


async def test_every_download_is_a_visit_that_is_paid_for():
    strategy = PriorityFocused(IRIS)
    assert await order(TREE, strategy, budget=Budget(pages=5)) == ["", "1", "2", "N", "N1"]


async def test_links_are_downloaded_in_the_order_of_the_page_that_is_expanded():
    # The first page names c before a; the second, which is expanded, a before c.
    pages = {
        "": like(0.0, "x", "y"),
        "x": like(0.25, "c", "a"),
        "y": like(0.8, "a", "b", "c"),
        **dict.fromkeys("abc", like(0.0)),
    }
    assert await order(pages, PriorityFocused(IRIS)) == ["", "x", "y", "a", "b", "c"]


async def test_all_seeds_come_first_and_score_one():
    pages = {"s": like(0.0, "a"), "t": like(0.8, "b"), "a": like(0.0), "b": like(0.0)}
    seeds = [Url(f"http://a.example/{path}") for path in "st"]
    strategy = PriorityFocused(IRIS)
    assert await order(pages, strategy, seeds=seeds) == ["s", "t", "a", "b"]
    assert [score_of(strategy, path) for path in "st"] == [1.0, 1.0]


async def test_the_ontology_finds_pages_that_never_say_the_topics_word():
    pages = {
        "": page("home", "bread", "pupil"),
        "bread": page("bread and flour", "oven"),
        "pupil": page("the pupil of an eye", "lens"),
        "oven": page("an oven"),
        "lens": page("a lens"),
    }
    assert (await order(pages, PrioritySemantic(EYE)))[3] == "lens"
    assert (await order(pages, PriorityFocused(IRIS)))[3] == "oven"


async def test_the_anchor_and_the_parent_are_part_of_the_score():
    pages = {"": page("home", ("a", "pupil"), ("b", "bread")), "a": page("bread pupil"), "b": page("bread flour")}
    strategy = PrioritySemantic(EYE, onto_weight="tiers")
    await order(pages, strategy)
    # Of the ontology's terms on these two pages only pupil is left, and bread is on both: both cosines of a are 1, of b 0.
    assert score_of(strategy, "a") == pytest.approx(1 + 1 + 1)
    assert score_of(strategy, "b") == pytest.approx(1)


@pytest.mark.parametrize(("parent", "expected"), [("sum", 3.0), ("decay", 2.5), ("mean", 1.0)])
async def test_the_parents_score_can_count_less(parent, expected):
    pages = {"": page("home", ("a", "pupil"), "b"), "a": page("pupil"), "b": page("bread")}
    strategy = PrioritySemantic(EYE, parent=parent)
    await order(pages, strategy)
    assert score_of(strategy, "a") == pytest.approx(expected)


async def test_the_robust_profile_takes_half_of_the_parents_score():
    pages = {"": page("home", "a"), "a": page("bread", "b"), "b": page("bread")}
    for profile, expected in (("paper", [1.0, 1.0]), ("robust", [0.5, 0.25])):
        strategy = PrioritySemantic(EYE, profile)
        await order(pages, strategy)
        assert [score_of(strategy, path) for path in "ab"] == expected


async def test_a_page_in_the_queue_that_a_better_page_links_to_rises():
    # "late" is worth its parent's score; x is expanded before it, and names it too.
    pages = {
        "": like(0.0, "x", "late", "mid"),
        "x": like(0.8, "late", "new"),
        "late": like(0.0, "l1"),
        "mid": like(0.5, "m1"),
        **{leaf: like(0.0) for leaf in ("new", "l1", "m1")},
    }
    strategy = PriorityFocused(IRIS, parent="sum")
    assert await order(pages, strategy) == ["", "x", "late", "mid", "new", "l1", "m1"]
    assert score_of(strategy, "late") == pytest.approx(1.8)


# ── what the web does wrong ──


async def test_a_child_that_fails_is_not_waited_for():
    pages = {**TREE, "2": Failed("timeout", retry=False)}
    assert await order(pages, PriorityFocused(IRIS)) == ["", "1", "2", "N", "N1", "NM", "11", "NM1", "N11"]


MOVED = {
    "N": redirect("http://a.example/N", "/hop"),
    "hop": redirect("http://a.example/hop", "/new"),
    "new": TREE["N"],
}


async def test_a_child_that_redirects_is_awaited_where_it_leads():
    # The second hop comes before the page is ranked, though a worse page could be expanded by then.
    found = await order({**TREE, **MOVED}, PriorityFocused(IRIS))
    assert found == ["", "1", "2", "N", "hop", "new", "N1", "NM", "11", "NM1", "21", "N11"]


async def test_the_anchor_of_a_redirect_is_that_of_the_link():
    pages = {
        "": page("home", ("a", "pupil"), "b"),
        "a": redirect("http://a.example/a", "/c"),
        "b": page("bread"),
        "c": page("pupil"),
    }
    strategy = PrioritySemantic(EYE)
    await order(pages, strategy)
    assert score_of(strategy, "c") == pytest.approx(3.0)


@pytest.mark.parametrize("target", ["/", "/1", "/2"])
async def test_a_redirect_to_a_page_that_is_here_or_on_its_way_is_not_waited_for(target):
    pages = {**TREE, "N": redirect("http://a.example/N", target)}
    found = await order(pages, PriorityFocused(IRIS))
    assert found == ["", "1", "2", "N", "11", "21"]


async def test_a_link_out_of_scope_is_not_waited_for():
    scope = ScopeRules(deny_prefixes=["http://a.example/2"])
    assert "2" not in (found := await order(TREE, PriorityFocused(IRIS), scope=scope))
    assert found[:5] == ["", "1", "N", "N1", "NM"]


async def test_children_that_never_come_are_given_up_and_the_others_ranked():
    pages = {
        "": like(0.0, "a", "http://silent.example/1", "http://silent.example/2", "b"),
        "http://silent.example/1": Failed("timeout", strain=True),
        "a": like(0.25, "a1", "a2", "a3"),
        "b": like(0.8, "b1", "b2"),
        **{leaf: like(0.0) for leaf in ("a1", "a2", "a3", "b1", "b2")},
    }
    found = await order(pages, PriorityFocused(IRIS, patience=2), frontier=MemoryFrontier(delay=0, give_up=1))
    assert found.count("http://silent.example/1") == 1
    # a1 and a2 come though parked, since nothing else can be visited; then the wait is over, and b is better than a.
    here = [path for path in found if "silent" not in path]
    assert here == ["", "a", "b", "a1", "a2", "b1", "b2", "a3"]


async def test_while_a_host_rests_other_pages_come_and_its_own_are_still_ranked_together():
    # One page a second from each host: the children of the seed come from b.example one by one, and n1 … meanwhile, unawaited.
    there = [f"http://b.example/{n}" for n in range(4)]
    texts = ["iris lens", "iris bread", "iris lens bread", "flour"]
    pages = {
        "": page("home", *there, "near"),
        "near": page("oven", *(f"n{n}" for n in range(6))),
        **{url: page(text) for url, text in zip(there, texts, strict=True)},
        **{f"n{n}": page("iris") for n in range(6)},
    }
    strategy, web = PriorityFocused(IRIS, idf=True), a_web(pages)
    await crawl_of(web, strategy, frontier=MemoryFrontier(delay=1.0)).run()
    assert web.asked.index("http://a.example/n0") < web.asked.index(there[3])
    likeness = TopicSimilarity({"iris": 1.0})
    siblings = [likeness.count(text) for text in [*texts, "oven"]]
    together = likeness.compare(siblings[:4], Rarity.among(siblings))
    assert [strategy._pages[url_hash(Url(url))].score for url in there] == pytest.approx(together)
    assert score_of(strategy, "n0") == 1.0


async def test_a_visit_that_nobody_awaited_makes_room_for_the_next_best_page():
    pages = {
        "": like(0.0, "z", "x", "y"),
        "z": like(0.25, "z1", "z2"),
        "x": like(0.8, *(f"http://b.example/{n}" for n in range(9))),
        "y": like(0.5, "y1", "y2"),
        **{leaf: like(0.0) for leaf in ("z1", "z2", "y1", "y2")},
    }
    found = await order(pages, PriorityFocused(IRIS), frontier=MemoryFrontier(delay=1.0))
    # While b.example rests, a.example has only parked links to offer, z1 the oldest; after that y is expanded, which is better than z.
    assert [path for path in found if "//" not in path] == ["", "z", "x", "y", "z1", "y1", "y2", "z2"]


async def test_a_page_whose_children_are_all_known_is_passed_over():
    pages = {"": like(0.0, "x", "y"), "x": like(0.8, "", "x", "y"), "y": like(0.5, "z"), "z": like(0.0, "")}
    assert await order(pages, PriorityFocused(IRIS)) == ["", "x", "y", "z"]


# ── laws ──

TEXTS = st.lists(st.sampled_from(["iris", "eye", "pupil", "iris of the eye", "bread", "flour", "lens"]), max_size=5)
LINKS = st.lists(st.tuples(st.integers(0, 11), TEXTS), max_size=5)
WEBS = st.lists(st.tuples(TEXTS, LINKS, st.sampled_from(["page"] * 6 + ["redirect", "gone"])), min_size=1, max_size=12)


def place(number):
    return f"http://{'abc'[number % 3]}.example/{number or ''}"


def any_web(drawn):
    """Pages on three hosts; some are gone, some redirect to the first page they would have linked to."""
    pages = {}
    for number, (text, links, kind) in enumerate(drawn):
        pages[place(number)] = page(" ".join(text), *((place(to), " ".join(said)) for to, said in links))
        if number and kind == "gone":
            pages[place(number)] = Failed("timeout", retry=False)
        elif number and kind == "redirect" and links:
            pages[place(number)] = redirect(place(number), place(links[0][0]))
    return pages


@given(st.lists(st.tuples(TEXTS, TEXTS, st.integers(0, 99)), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_golden_17_in_literal_mode_no_child_scores_less_than_its_parent(drawn):
    # In a tree, so that every page has one parent.
    parents = {number: number and under % number for number, (_, _, under) in enumerate(drawn)}
    pages = {
        str(number or ""): page(
            " ".join(text), *((str(n), " ".join(drawn[n][1])) for n, under in parents.items() if n and under == number)
        )
        for number, (text, _, _) in enumerate(drawn)
    }
    strategy = PrioritySemantic(EYE)
    assert len(asyncio.run(order(pages, strategy))) == len(drawn)
    scores = [score_of(strategy, str(number or "")) for number in parents]
    assert scores[0] == 1.0
    assert all(scores[number] >= scores[parent] for number, parent in parents.items())


class Unpunctual(SimulatedWeb):
    """Answers come in another order than they were asked for."""

    async def fetch(self, url):
        answer = await super().fetch(url)
        for _ in range(url_hash(url) % 7):
            await asyncio.sleep(0)
        return answer


@given(WEBS, st.integers(1, 6), st.sampled_from([0.0, 1.0]), st.integers(1, 5))
@settings(max_examples=80, deadline=None)
def test_with_any_number_of_workers_every_page_is_visited_once_and_nothing_stays_unranked(
    drawn, workers, delay, patience
):
    pages = any_web(drawn)
    strategy, web, plain = PrioritySemantic(EYE, patience=patience), Unpunctual(pages), SimulatedWeb(pages)
    frontier = MemoryFrontier(delay=delay, per_host=2)
    asyncio.run(crawl_of(web, strategy, workers=workers, frontier=frontier).run())
    asyncio.run(crawl_of(plain, BreadthFirst()).run())
    assert sorted(web.asked) == sorted(plain.asked)
    assert not strategy._batches
    assert not strategy._owner


@pytest.mark.slow
@given(WEBS, st.sampled_from([0.0, 1.0]), st.integers(1, 5), st.sampled_from(["sum", "decay"]))
@settings(max_examples=80, deadline=None)
def test_a_crawl_that_is_killed_after_every_visit_takes_the_same_way(drawn, delay, patience, parent):
    def visited(stops):
        web, frontier, store = SimulatedWeb(any_web(drawn)), MemoryFrontier(delay=delay), MemoryStore()
        clock = FakeClock(1000.0)
        for stop in stops:
            strategy = PrioritySemantic(EYE, parent=parent, patience=patience)
            budget = Budget(pages=stop, dry_share=0.0)
            crawl = crawl_of(web, strategy, frontier=frontier, store=store, budget=budget, clock=clock)
            asyncio.run(crawl.run())
        return web.asked

    assert visited(range(1, 30)) == visited([30])


def state(strategy):
    """All that a strategy knows, in a form that can be compared."""
    batches = {
        number: (batch.parent, batch.anchors, batch.awaits, batch.latest, sorted(map(str, batch.arrived.items())))
        for number, batch in strategy._batches.items()
    }
    pages = {url: str(page) for url, page in strategy._pages.items()}
    best = {url for score, number, url in strategy._queue if number in strategy._links}
    return pages, strategy._links, batches, strategy._owner, best


class Mirrored(PrioritySemantic):
    """After every visit another one is made of its saved parts, which must know the same."""

    parts: ClassVar[dict[str, bytes]] = {}

    def save(self):
        changed = super().save()
        self.parts.update(changed)
        twin = PrioritySemantic(EYE)
        twin.load({name: part for name, part in self.parts.items() if part})
        assert state(twin) == state(self)
        return changed


@given(WEBS, st.integers(1, 5), st.integers(1, 4))
@settings(max_examples=80, deadline=None)
def test_what_is_saved_is_all_there_is_to_know(drawn, patience, workers):
    Mirrored.parts = {}
    web, frontier = Unpunctual(any_web(drawn)), MemoryFrontier(delay=1.0, per_host=2)
    asyncio.run(crawl_of(web, Mirrored(EYE, patience=patience), frontier=frontier, workers=workers).run())


def test_that_a_page_is_awaited_where_it_moved_is_saved_too():
    Mirrored.parts = {}
    found = asyncio.run(order({**TREE, **MOVED}, Mirrored(EYE)))
    assert found[3:6] == ["N", "hop", "new"]


def test_what_was_expanded_leaves_nothing_behind_but_its_score():
    strategy, store = PrioritySemantic(EYE), MemoryStore()
    asyncio.run(crawl_of(a_web(TREE), strategy, store=store).run())
    parts = store.recall_all("strategy/")
    assert {name.partition("/")[0] for name in parts} == {"page"}
    assert {len(part) for part in parts.values()} == {24}
    assert len(parts) == len(TREE)


# ── for people ──


def test_it_explains_a_link_by_its_anchor_and_the_score_of_its_page():
    strategy, store = PrioritySemantic(EYE), MemoryStore()
    asyncio.run(crawl_of(a_web({"": page("home", ("a", "pupil of bread"))}), strategy, store=store).run())
    visit = next(store.visits())
    link = HtmlParser().parse(visit.fetched).links[0]
    assert strategy.explain(visit, link) == (Evidence("pupil", "anchor", 1.0), Evidence("score", "page", 1.0))


@pytest.mark.parametrize("keys", [{"decay": 1.5}, {"patience": 0}, {"profile": "strong"}])
def test_keys_that_make_no_sense_are_refused(keys):
    with pytest.raises(BadInput, match="priority-semantic"):
        PrioritySemantic(EYE, **keys)


@pytest.mark.parametrize("keys", [{"parent": "none"}, {"onto_weight": "guess"}, {"norm": "bytes"}])
def test_a_crawl_file_is_told_the_choices(keys):
    with pytest.raises(BadInput, match="one of"):
        plugins.build("strategy", "priority-semantic", keys, concepts=EYE)


def test_with_relations_the_topic_weighs_as_much_as_all_around_it():
    terms = (Term("iris", 15), Term("eye", 8, "broader"), Term("pupil", 5, "context"), Term("lens", 5, "context"))
    assert ontology_weights(Topic("iris", terms), "relations") == {"iris": 4.0, "eye": 2.0, "pupil": 2.0, "lens": 2.0}
