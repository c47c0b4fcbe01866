"""Whole crawls over a web in a dictionary: the loop with real frontier, parser, judge, strategy and store; no network, no sleeping."""

import asyncio
from dataclasses import replace

import pytest

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.events import CrawlStarted, CrawlStopped, CrawlWaits, PageVisited
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.model import Failed, LabelledPage, Later, Response, Url
from thresher.parse.html import HtmlParser
from thresher.polite.scope import ScopeRules
from thresher.store.memory_store import MemoryStore
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.best_first import BestFirst
from thresher.strategy.breadth_first import BreadthFirst
from thresher.testing.simulated_web import SimulatedWeb, broken, redirect
from thresher.topic import Topic

TOPIC = Topic.of("iris eye")
ON = "The iris is a part of the eye. The iris opens the eye to light."
OFF = "Bread is made of flour and water, and baked in an oven until it is brown."


def page(text: str, *links: str) -> str:
    return f"<html><body><p>{text}</p>{''.join(f'<p>see <a href={link}>this</a></p>' for link in links)}</body></html>"


def crawl_of(web, strategy=None, **options):
    options = {"seeds": [SEED], "workers": 1, "clock": FakeClock(1000.0), "scope": ScopeRules(), **options}
    strategy = strategy or BestFirst(TOPIC)
    return CrawlLoop(
        frontier=options.pop("frontier", None) or MemoryFrontier(merge=strategy.merge),
        fetcher=web,
        parser=HtmlParser(),
        judge=TermsJudge(TOPIC, threshold=0.3),
        strategy=strategy,
        store=options.pop("store", None) or MemoryStore(),
        **options,
    )


def paths(web) -> list[str]:
    return [url.removeprefix("http://a.example") for url in web.asked]


FORK = {
    "http://a.example/": page(OFF, "/bread", "/iris"),
    "http://a.example/bread": page(OFF, "/flour", "/oven"),
    "http://a.example/iris": page(ON, "/pupil", "/lens"),
    "http://a.example/flour": page(OFF + "1"),
    "http://a.example/oven": page(OFF + "2"),
    "http://a.example/pupil": page(ON + " The pupil is its hole."),
    "http://a.example/lens": page(ON + " The lens lies behind it."),
}
SEED = Url("http://a.example/")


async def test_best_first_follows_the_relevant_page_first():
    web = SimulatedWeb(FORK)
    await crawl_of(web).run()
    assert paths(web) == ["/", "/bread", "/iris", "/pupil", "/lens", "/flour", "/oven"]


async def test_breadth_first_takes_links_in_the_order_it_met_them():
    web = SimulatedWeb(FORK)
    await crawl_of(web, BreadthFirst()).run()
    assert paths(web) == ["/", "/bread", "/iris", "/flour", "/oven", "/pupil", "/lens"]


async def test_it_stops_by_itself_and_says_why():
    crawl = crawl_of(SimulatedWeb(FORK))
    stop = await crawl.run()
    assert stop.reason == "empty"
    assert (crawl.tally.fetched, crawl.tally.relevant) == (7, 3)


@pytest.mark.parametrize("workers", [1, 3, 16])
async def test_a_page_budget_is_kept_to_the_page_whatever_the_number_of_workers(workers):
    web = SimulatedWeb(FORK)
    stop = await crawl_of(
        web, workers=workers, budget=Budget(pages=4), frontier=MemoryFrontier(delay=0, per_host=9)
    ).run()
    assert stop.reason == "pages"
    assert len(web.asked) == 4


async def test_the_politeness_delay_passes_between_two_pages_of_a_host():
    clock = FakeClock(1000.0)
    await crawl_of(SimulatedWeb(FORK), clock=clock, frontier=MemoryFrontier(delay=5.0)).run()
    assert clock.now() >= 1000.0 + 6 * 5.0


async def test_a_redirect_is_followed_and_the_target_keeps_its_place():
    pages = {
        **FORK,
        "http://a.example/iris": redirect("http://a.example/iris", "/moved"),
        "http://a.example/moved": page(ON),
    }
    web = SimulatedWeb(pages)
    store = MemoryStore()
    await crawl_of(web, store=store).run()
    moved = next(visit for visit in store.visits() if visit.url.endswith("/moved"))
    assert moved.claim.candidate.chain == (Url("http://a.example/iris"),)
    assert moved.claim.candidate.depth == 1


async def test_a_redirect_loop_ends_and_is_named():
    pages = {SEED: redirect(SEED, "/b"), "http://a.example/b": redirect("http://a.example/b", "/")}
    store = MemoryStore()
    await crawl_of(SimulatedWeb(pages), store=store).run()
    assert [visit.outcome.name for visit in store.visits()] == ["redirect", "redirect-loop"]


async def test_a_redirect_out_of_scope_is_not_followed():
    pages = {SEED: redirect(SEED, "http://b.example/")}
    web = SimulatedWeb(pages)
    await crawl_of(web, scope=ScopeRules(hosts=["a.example"])).run()
    assert web.asked == [SEED]


async def test_links_out_of_scope_never_reach_the_frontier():
    web = SimulatedWeb(FORK)
    await crawl_of(web, scope=ScopeRules(deny_prefixes=["http://a.example/bread"])).run()
    assert "/bread" not in paths(web)


async def test_a_failure_that_may_pass_is_tried_three_times():
    web = SimulatedWeb({SEED: Failed("timeout", strain=True)})
    store = MemoryStore()
    await crawl_of(web, store=store).run()
    assert web.asked == [SEED] * 3
    assert [visit.outcome.name for visit in store.visits()] == ["timeout"]


async def test_a_failure_that_will_not_pass_is_tried_once():
    web = SimulatedWeb({SEED: broken()})
    await crawl_of(web).run()
    assert web.asked == [SEED]


async def test_robots_asked_first_costs_no_visit():
    class AsksFirst(SimulatedWeb):
        async def fetch(self, url):
            answer = await super().fetch(url)
            return Later("robots-asked", 3.0, delay=3.0) if len(self.asked) == 1 else answer

    crawl = crawl_of(AsksFirst({SEED: page(ON)}))
    await crawl.run()
    assert crawl.tally.visits == 1


async def test_a_page_that_says_nofollow_leads_nowhere():
    web = SimulatedWeb({SEED: '<meta name="robots" content="nofollow"><a href="/x">x</a>'})
    await crawl_of(web).run()
    assert web.asked == [SEED]


async def test_a_meta_refresh_is_followed():
    web = SimulatedWeb({SEED: '<meta http-equiv="refresh" content="0; url=/new">', "http://a.example/new": page(ON)})
    await crawl_of(web).run()
    assert paths(web) == ["/", "/new"]


async def test_an_exact_duplicate_is_no_harvest():
    web = SimulatedWeb(
        {SEED: page(OFF, "/one", "/two"), "http://a.example/one": page(ON), "http://a.example/two": page(ON)}
    )
    crawl = crawl_of(web)
    await crawl.run()
    assert crawl.tally.relevant == 1


async def test_watchers_are_told_what_happens():
    told = []
    await crawl_of(SimulatedWeb(FORK), watchers=[told.append]).run()
    assert isinstance(told[0], CrawlStarted)
    assert isinstance(told[-1], CrawlStopped)
    assert sum(isinstance(event, PageVisited) for event in told) == 7


async def test_when_nothing_can_be_fetched_it_says_what_it_waits_for():
    told = []
    frontier = MemoryFrontier(delay=30.0)
    await crawl_of(SimulatedWeb(FORK), frontier=frontier, watchers=[told.append]).run()
    waits = [event for event in told if isinstance(event, CrawlWaits)]
    assert waits[0].seconds == pytest.approx(30.0)
    assert "resting" in waits[0].reason


async def test_stop_ends_the_crawl_after_the_pages_under_way():
    crawl = crawl_of(SimulatedWeb(FORK))
    crawl.watchers.append(lambda event: crawl.stop() if isinstance(event, PageVisited) else None)
    stop = await crawl.run()
    assert stop.reason == "interrupted"
    assert crawl.tally.fetched == 1


async def test_a_dried_up_harvest_ends_the_crawl():
    chain = {f"http://a.example/{n}": page(f"{OFF} {n}", f"/{n + 1}") for n in range(50)}
    crawl = crawl_of(
        SimulatedWeb(chain), seeds=[Url("http://a.example/0")], budget=Budget(dry_window=10, dry_share=0.1)
    )
    assert (await crawl.run()).reason == "dry"
    assert crawl.tally.fetched == 10


async def test_a_broken_page_of_any_bytes_does_not_end_the_crawl():
    noise = Response(SEED, 200, ((b"content-type", b"text/html"),), bytes(range(256)) * 50, b"")
    assert (await crawl_of(SimulatedWeb({SEED: noise})).run()).reason == "empty"


class Formed:
    """Says of pages under some addresses that they are something else."""

    def __init__(self, forms):
        self._forms, self._parser = forms, HtmlParser()

    def parse(self, response):
        parsed = self._parser.parse(response)
        return replace(parsed, form=self._forms.get(response.url.removeprefix("http://a.example"), "page"))


async def test_a_list_is_read_for_its_links_and_is_no_harvest():
    web, store = SimulatedWeb(FORK), MemoryStore()
    crawl = crawl_of(web, store=store)
    crawl.parser = Formed({"/iris": "feed"})
    await crawl.run()
    (listed,) = [visit for visit in store.visits() if visit.outcome.name == "feed"]
    assert listed.judgement.relevance > 0.3
    assert not listed.judgement.relevant
    assert {"/pupil", "/lens"} <= set(paths(web))
    assert crawl.tally.relevant == 2


async def test_a_page_that_says_that_there_is_none_is_no_page():
    web, store = SimulatedWeb(FORK), MemoryStore()
    crawl = crawl_of(web, store=store)
    crawl.parser = Formed({"/iris": "soft-404"})
    await crawl.run()
    (nothing,) = [visit for visit in store.visits() if visit.outcome.name == "soft-404"]
    assert nothing.judgement is None
    assert "/pupil" not in paths(web)


async def test_a_part_of_ours_that_is_wrong_does_end_it():
    class Wrong(BreadthFirst):
        def score(self, visit, links):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await crawl_of(SimulatedWeb(FORK), Wrong()).run()


TWINS = {
    "http://a.example/": page(OFF, "/red/", "/blue/"),
    "http://a.example/red/": page("Tulips grow from bulbs.", "/red/1"),
    "http://a.example/blue/": page("Valves glow in radios.", "/blue/1"),
    "http://a.example/red/1": page("Tulips again."),
    "http://a.example/blue/1": page("Valves again."),
}


def labels_for(liked, visits):
    """Of the two pages the one is relevant, as a person says, and the other is not."""
    said = {visit.url.endswith(liked): HtmlParser().parse(visit.fetched) for visit in visits if visit.url != SEED}
    return [LabelledPage(page, relevant) for relevant, page in said.items()]


@pytest.mark.parametrize(("liked", "next_one"), [("/red/", "/red/1"), ("/blue/", "/blue/1")])
async def test_a_label_given_while_a_crawl_rests_moves_what_waits(liked, next_one):
    web, strategy = SimulatedWeb(TWINS), Apprentice(TOPIC)
    frontier, store = MemoryFrontier(merge=strategy.merge), MemoryStore()
    await crawl_of(web, strategy, frontier=frontier, store=store, budget=Budget(pages=3)).run()
    labels = labels_for(liked, store.visits())
    await crawl_of(web, Apprentice(TOPIC), frontier=frontier, store=store, budget=Budget(pages=4), labels=labels).run()
    assert paths(web)[3:] == [next_one]


@pytest.mark.parametrize(("liked", "next_one"), [("/red/", "/red/1"), ("/blue/", "/blue/1")])
async def test_a_label_given_while_a_crawl_runs_moves_what_waits(liked, next_one):
    web, visits, heeding = SimulatedWeb(TWINS), [], []
    crawl = crawl_of(web, Apprentice(TOPIC), budget=Budget(pages=4))

    def label_the_third(event):
        if isinstance(event, PageVisited):
            visits.append(event.visit)
            if len(visits) == 3:
                heeding.append(asyncio.ensure_future(crawl.heed(labels_for(liked, visits))))

    crawl.watchers.append(label_the_third)
    await crawl.run()
    await asyncio.gather(*heeding)
    assert paths(web)[3:] == [next_one]


class Ordered:
    """Orders of a memory: what to do at each look."""

    def __init__(self, *orders):
        self.orders = list(orders)

    async def carry_out(self, crawl):
        if self.orders:
            self.orders.pop(0)(crawl)


async def test_orders_are_looked_at_before_the_first_page_and_while_all_workers_rest():
    web = SimulatedWeb(FORK)
    asked = []
    orders = Ordered(
        lambda crawl: crawl.pause("a test pauses it"),
        lambda crawl: asked.append(len(web.asked)),
        lambda crawl: crawl.go_on(),
    )
    stop = await crawl_of(web, orders=orders, workers=3).run()
    assert asked == [0], "nothing was fetched before it went on"
    assert stop.reason == "empty"
    assert len(web.asked) == len(FORK)


async def test_an_order_that_fails_ends_the_crawl_as_any_error_does():
    def fails(crawl):
        raise ValueError("no such order")

    with pytest.raises(ValueError, match="no such order"):
        await crawl_of(SimulatedWeb(FORK), orders=Ordered(lambda crawl: crawl.pause("wait"), fails)).run()


async def test_the_time_of_a_pause_does_not_count_as_minutes_of_the_run():
    clock = FakeClock(1000.0)
    orders = Ordered(
        lambda crawl: crawl.pause("a test pauses it"),
        lambda crawl: (clock.turn(3600), crawl.pause("and once more")),
        lambda crawl: (clock.turn(3600), crawl.go_on()),
    )
    crawl = crawl_of(SimulatedWeb(FORK), orders=orders, clock=clock, budget=Budget(minutes=55))
    assert (await crawl.run()).reason == "empty"


async def test_a_harvest_that_dried_up_gets_another_chance_when_it_goes_on():
    web = SimulatedWeb(FORK)
    budget = Budget(dry_window=2, dry_share=1.0, when_spent="pause")
    seen = []

    def again(crawl):
        seen.append(crawl.paused.spent if crawl.paused else "")
        if crawl.paused:
            crawl.tally.look_anew()
            crawl.go_on()

    stop = await crawl_of(web, orders=Ordered(*[again] * 20), budget=budget).run()
    assert stop.reason == "empty"
    assert "dry" in seen
    assert len(web.asked) == len(FORK)
