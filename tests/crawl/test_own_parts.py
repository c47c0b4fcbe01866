"""Parts of somebody's own making in the loop: judges that wait, watchers that fail, and parts that break their promise."""

import asyncio
import logging
import math

import numpy as np
import pytest
from tests.crawl.test_loop import FORK, ON, SEED, crawl_of, page, paths

from thresher.errors import BadInput
from thresher.events import PageVisited, WatcherFailed
from thresher.frontier import MemoryFrontier
from thresher.judge.by_hand import AwaitedHandJudge, HandJudge
from thresher.judge.terms import TermsJudge
from thresher.model import Evidence, Judgement, LabelledPage, Page, Url
from thresher.store.memory_store import MemoryStore
from thresher.strategy.best_first import BestFirst
from thresher.testing.simulated_web import SimulatedWeb
from thresher.topic import Topic

TOPIC = Topic.of("iris eye")


class Waits:
    """Judges as `terms` does, but somebody else must let it."""

    def __init__(self):
        self.inner, self.asked, self.may = TermsJudge(TOPIC, threshold=0.3), [], asyncio.Event()

    async def judge(self, page):
        self.asked.append(page.url)
        await self.may.wait()
        return self.inner.judge(page)


async def test_a_judge_that_waits_says_the_same_as_one_that_does_not():
    web, plain, judge = SimulatedWeb(FORK), SimulatedWeb(FORK), Waits()
    judge.may.set()
    crawl = crawl_of(web)
    crawl.judge = judge
    await crawl.run()
    await crawl_of(plain).run()
    assert (paths(web), crawl.tally.relevant) == (paths(plain), 3)


async def test_while_a_judge_waits_other_pages_are_fetched():
    pages = {f"http://{name}.example/": page(ON) for name in "abcd"}
    web, judge = SimulatedWeb(pages), Waits()
    crawl = crawl_of(web, workers=4, seeds=list(map(Url, pages)))
    crawl.judge = judge
    running = asyncio.ensure_future(crawl.run())
    while len(judge.asked) < 4:
        await asyncio.sleep(0)
    assert len(web.asked) == 4
    assert crawl.tally.visits == 0
    judge.may.set()
    await running
    assert crawl.tally.visits == 4


async def test_visits_are_learnt_numbered_and_kept_in_one_order_however_long_each_is_judged():
    class Slowly:
        left = 4

        async def judge(self, page):
            self.left -= 1
            for _ in range(20 * self.left):  # the first one last
                await asyncio.sleep(0)
            return Judgement(1.0, True)

    class Notes(BestFirst):
        def __init__(self):
            super().__init__(TOPIC)
            self.learnt = []

        def learn(self, visit):
            self.learnt.append(visit.number)

    pages = {f"http://{name}.example/": page(ON + name) for name in "abcd"}
    strategy, store = Notes(), MemoryStore()
    crawl = crawl_of(SimulatedWeb(pages), strategy, workers=4, seeds=list(map(Url, pages)), store=store)
    crawl.judge = Slowly()
    await crawl.run()
    assert strategy.learnt == [visit.number for visit in store.visits()] == [1, 2, 3, 4]
    assert [visit.url[7] for visit in store.visits()] != list("abcd")


async def test_a_page_whose_claim_ran_out_while_it_was_judged_is_another_workers():
    class Outlasts(Waits):
        async def judge(self, page):
            self.asked.append(page.url)
            if len(self.asked) == 1:
                crawl.clock.turn(1e6)
                await crawl.frontier.claim(1, crawl.clock.now())  # somebody else has it now
            return self.inner.judge(page)

    crawl = crawl_of(SimulatedWeb({SEED: page(ON)}), frontier=MemoryFrontier(delay=0, lease=60.0))
    crawl.judge = Outlasts()
    await crawl._offer_seeds()
    [claim] = await crawl.frontier.claim(1, crawl.clock.now())
    await crawl._turn(claim)
    assert crawl.judge.asked == [SEED]
    assert crawl.tally.visits == 0


@pytest.mark.parametrize("said", [0.7, None, (0.7, True)])
async def test_a_judge_that_says_no_judgement_is_named(said):
    class Numbers:
        def judge(self, page):
            return said

    crawl = crawl_of(SimulatedWeb(FORK))
    crawl.judge = Numbers()
    with pytest.raises(BadInput, match=r"the judge .*Numbers said .* of http://a.example/, but must return"):
        await crawl.run()


class Says:
    """Says the same of each page."""

    def __init__(self, *said):
        self.said = Judgement(*said)

    def judge(self, page):
        return self.said


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((math.nan, True), "the relevance nan, but must give one from 0 to 1"),
        ((math.inf, True), "the relevance inf"),
        ((7.0, True), "the relevance 7.0"),
        ((-0.1, False), "the relevance -0.1"),
        (("high", True), "must give a number as relevance"),
        ((None, None), "must give a number as relevance"),
    ],
)
async def test_a_relevance_that_is_none_is_told_with_the_judges_name_and_nothing_is_kept(said, told, waits):
    class Later(Says):
        async def judge(self, page):
            return self.said

    store = MemoryStore()
    crawl = crawl_of(SimulatedWeb(FORK), store=store)
    crawl.judge = (Later if waits else Says)(*said)
    with pytest.raises(BadInput, match=rf"the judge .*(Says|Later) .*http://a.example/.*{told}"):
        await crawl.run()
    assert list(store.visits()) == []


@pytest.mark.parametrize("number", [np.float32, np.float64])
async def test_a_judge_may_say_numbers_of_numpy(number):
    store = MemoryStore()
    crawl = crawl_of(SimulatedWeb(FORK), store=store)
    crawl.judge = Says(number(0.5), np.bool_(True), (Evidence("eye", "text", np.int64(3)),))
    await crawl.run()
    kept = next(iter(store.visits())).judgement
    assert kept == Judgement(0.5, True, (Evidence("eye", "text", 3.0),))
    assert (type(kept.relevance), type(kept.relevant)) == (float, bool)


async def test_a_judge_that_is_cancelled_does_not_end_its_worker_without_a_word():
    class Cancelled:
        async def judge(self, page):
            raise asyncio.CancelledError

    crawl = crawl_of(SimulatedWeb(FORK))
    crawl.judge = Cancelled()
    with pytest.raises(BadInput, match=r"the judge .*Cancelled was cancelled at http://a.example/"):
        await crawl.run()


@pytest.mark.parametrize(("score", "told"), [(None, "gave None"), (3.0, "gave 3.0"), (iter([1.0, 2.0]), "gave <list")])
async def test_scores_that_are_no_list_are_told_with_the_strategys_name(score, told):
    class Forgets(BestFirst):
        def score(self, visit, links):
            return score

    with pytest.raises(BadInput, match=rf"the strategy .*Forgets was given 2 links of http://a.example/ and {told}"):
        await crawl_of(SimulatedWeb(FORK), Forgets(TOPIC)).run()


@pytest.mark.parametrize("score", [math.nan, math.inf, "high", None, pytest.param(10**400, id="huge")])
async def test_a_score_that_is_no_finite_number_is_told_with_the_strategys_name_and_nothing_is_kept(score):
    class Odd(BestFirst):
        def score(self, visit, links):
            return [1.0, *[score] * (len(links) - 1)]

    store = MemoryStore()
    with pytest.raises(BadInput, match=r"the strategy .*Odd gave http://.*, a link of http://a.example/, the score"):
        await crawl_of(SimulatedWeb(FORK), Odd(TOPIC), store=store).run()
    assert list(store.visits()) == []


async def test_finite_scores_whose_sum_is_not_are_no_error():
    class Huge(BestFirst):
        def score(self, visit, links):
            return [1.7e308] * len(links)

    assert (await crawl_of(SimulatedWeb(FORK), Huge(TOPIC)).run()).reason == "empty"


@pytest.mark.parametrize("count", [0, 1, 3])
async def test_scores_of_another_number_than_the_links_are_told_with_the_strategys_name(count):
    class Miscounts(BestFirst):
        def score(self, visit, links):
            return [1.0] * count

    told = rf"the strategy .*Miscounts was given 2 links of http://a.example/ and gave {count} scores"
    with pytest.raises(BadInput, match=told):
        await crawl_of(SimulatedWeb(FORK), Miscounts(TOPIC)).run()


async def test_an_error_in_a_watcher_is_told_once_with_its_name_and_the_crawl_goes_on(caplog):
    events = []

    def stumbles(event):
        raise ValueError("no such column")

    with caplog.at_level(logging.ERROR):
        crawl = crawl_of(SimulatedWeb(FORK), watchers=[stumbles, events.append])
        stop = await crawl.run()
    assert stop.reason == "empty"
    assert sum(isinstance(event, PageVisited) for event in events) == 7
    [failed] = [event for event in events if isinstance(event, WatcherFailed)]
    assert failed.watcher.endswith("stumbles")
    assert failed.why == "ValueError: no such column"
    [record] = caplog.records
    assert "stumbles failed, and the crawl goes on: ValueError: no such column" in record.getMessage()


async def test_a_watcher_that_failed_once_is_told_the_rest():
    heard = []

    def once(event):
        heard.append(event)
        if len(heard) == 1:
            raise KeyError("first")

    await crawl_of(SimulatedWeb(FORK), watchers=[once]).run()
    assert sum(isinstance(event, PageVisited) for event in heard) == 7


async def test_labels_change_a_judge_that_waits_as_they_change_one_that_does_not():
    judge = Waits()
    judge.may.set()
    pages = [Page(SEED, main=text, text=text) for text in ("iris eye", "bread", "an eye", "flour")]
    labels = [LabelledPage(each, relevant) for each, relevant in zip(pages, (False, True, False, False), strict=True)]
    said = [judge.inner.judge(each) for each in pages]
    awaited, plain = AwaitedHandJudge(judge, labels, said), HandJudge(judge.inner, labels)
    assert [await awaited.judge(each) for each in pages] == [plain.judge(each) for each in pages]
