"""`Crawl.start`, `run` and `async for`: what they give, what they leave behind, and that a crawl can always go on."""

import asyncio
import gc
import logging
import math
import os
import signal
import subprocess
import sys
import threading
import time
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import numpy as np
import pytest

import thresher
from thresher import plugins
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, FolderLocked, NoAnswer
from thresher.events import PageVisited
from thresher.model import Judgement
from thresher.python import crawl_thread
from thresher.python.crawl_thread import _running
from thresher.settings import read_crawl_file
from thresher.strategy.best_first import BestFirst
from thresher.topic.topic import Term

EYE = thresher.Topic("the eye", (Term("iris", 15.0), Term("pupil", 12.0, "synonym"), Term("retina", 8.0, "context")))


def start(wanted, topic="iris", **more):
    return thresher.Crawl.start(topic, **{**wanted, **more})


def is_free(crawl) -> bool:
    return not CrawlFolder(crawl.folder).in_use()


# ── start ──


def test_starting_a_crawl_writes_nothing_and_locks_nothing(wanted):
    crawl = start(wanted)
    assert not crawl.folder.exists()
    assert "not begun" in repr(crawl)
    del crawl
    assert start(wanted).run().reason == "pages"


def test_without_seeds_search_engines_are_asked(wanted):
    assert len(start({**wanted, "seeds": ()}).settings.seeds) == 15
    assert len(start(wanted).settings.seeds) == 1
    assert len(start(wanted, ask_engines=True).settings.seeds) > 15


async def test_engines_are_asked_inside_a_running_loop_too(wanted):
    assert len(start({**wanted, "seeds": ()}).settings.seeds) == 15


def test_seeds_are_urls_and_files_that_list_some(wanted, tmp_path):
    listed = tmp_path / "seeds.txt"
    listed.write_text("http://a.example/\nhttp://b.example/\n")
    seeds = start({**wanted, "seeds": ["http://c.example/", listed]}).settings.seeds
    assert seeds == ("http://c.example/", "http://a.example/", "http://b.example/")


def test_without_a_folder_it_is_named_after_the_topic(wanted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(start({**wanted, "into": None}, "Iris, of the eye").folder) == "iris-of-the-eye"


def test_the_tables_of_a_crawl_file_are_keywords(wanted):
    crawl = start(wanted, workers=3, budget={"minutes": 2.0}, polite={"delay": 0.5}, contact="me@example.org")
    assert crawl.settings.workers == 3
    assert crawl.settings.budget == {"minutes": 2.0, "pages": 12}
    assert crawl.settings.polite == {"delay": 0.5, "contact": "me@example.org"}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"strategy": "bestfirst"}, "did you mean 'best-first'"),
        ({"judge": 3}, r"judge is 3, but must be a name, a table, or an object with judge\(page\)"),
        ({"strategy": object}, "but must be a name, a table, or an object of thresher.Strategy"),
        ({"seeds": "example.org"}, r"no scheme; did you mean https://example.org/"),
        ({"seeds": None}, r"Crawl.start: seeds is None, but must be a url or a Path, or a list of them"),
        ({"sense": 3.5}, r"Crawl.start: sense is 3.5, but must be a number or text, or a list of them"),
        ({"judge": type("Own", (), {"judge": print})}, r"an object with judge\(page\)"),
        ({"watchers": print}, "watchers is <built-in function print>, but must be a list of functions"),
        ({"watchers": [asyncio.sleep]}, "none of them async"),
        ({"page": 3}, r"Crawl.start has no keyword 'page' \(did you mean 'pages'\?\); its keywords: topic, sense"),
        ({"wrokers": 3}, r"has no keyword 'wrokers' \(did you mean 'workers'\?\)"),
        ({"workers": "x"}, "Crawl.start: workers is 'x'"),
        ({"topic": thresher.Topic("t", (Term("iris", 0.0),)), "sense": None}, "the weight of 'iris' is 0.0"),
        ({"topic": thresher.Topic("t", (Term("iris", math.nan),)), "sense": None}, "the weight of 'iris' is nan"),
        ({"topic": thresher.Topic("t", (Term("iris", 1.0, "odd"),)), "sense": None}, "must be one of exact, synonym"),
        ({"contact": "me"}, "neither a mail address nor a web address"),
        ({"polite": {"dealy": 1}}, r"\[polite\] has no key 'dealy'"),
        ({"topic": EYE, "sense": 2}, "a Topic says itself what is meant"),
        ({"topic": ""}, "no topic"),
        ({"topic": None}, "topic is None, but must be text or a thresher.Topic"),
        ({"pages": 0}, r"\[budget\]: pages is 0, but must be at least 1"),
        ({"budget": 3}, "budget is a table, not 3"),
        ({"hands": {"count": 100}}, r"\[hands\]: count is 100"),
        ({"scope": {"detph": 1}}, r"\[scope\] has no key 'detph'"),
    ],
)
def test_a_mistake_is_told_at_the_start(wanted, more, told):
    with pytest.raises(BadInput, match=told):
        start(wanted, **more)


def test_a_topic_is_made_of_terms():
    with pytest.raises(BadInput, match=r"the terms of the topic 'eye' are thresher.Term, not 'iris'"):
        thresher.Topic("eye", ("iris",))


def test_a_proxy_that_is_no_text_is_told(wanted):
    with pytest.raises(BadInput, match="proxy is 5, but must be text"):
        start(wanted, fetch={"proxy": 5}).run()


def test_a_proxy_that_cannot_be_reached_is_told_when_it_runs_and_nothing_is_left(wanted):
    crawl = start(wanted, fetch={"proxy": "http://127.0.0.1:9"})
    with pytest.raises(BadInput, match=r"the proxy http://127.0.0.1:9 cannot be reached"):
        crawl.run()
    assert not crawl.folder.exists()


def test_an_engine_that_cannot_be_reached_is_told(wanted):
    with pytest.raises(NoAnswer):
        start({**wanted, "seeds": ()}, search={"engines": ["searxng"], "searxng": "http://127.0.0.1:9"})


def test_a_folder_that_is_in_use_is_told(wanted):
    with CrawlFolder(wanted["into"]), pytest.raises(FolderLocked, match="is being crawled into"):
        start(wanted)


@pytest.mark.parametrize(("sense", "found"), [("eye", "iris.n.02"), (1, "iris.n.01"), ("iris.n.03", "iris.n.03")])
def test_a_sense_is_given_by_number_by_id_or_by_words(wanted, wordnet, sense, found):
    crawl = start(wanted, sense=sense, knowledge={"ontologies": ["wordnet"]})
    assert crawl.settings.knowledge["senses"] == [found]
    assert found in repr(crawl)


def test_without_a_sense_the_likeliest_is_taken_and_told(wanted, wordnet, caplog):
    crawl = start(wanted, sense=None, knowledge={"ontologies": ["wordnet"]})
    assert crawl.settings.knowledge["senses"] == ["iris.n.01"]
    assert "'iris' has 3 senses; taken as iris.n.01" in caplog.text
    assert "sense=NUMBER, ID or WORDS chooses another" in caplog.text


# ── run ──


def test_it_runs_to_its_end_and_says_why(wanted):
    crawl = start(wanted)
    stop = crawl.run()
    assert stop.reason == "pages"
    assert crawl.tally.fetched == crawl.harvest.counts.fetched == 12
    assert is_free(crawl)
    assert "stopped" in repr(crawl)


async def test_it_runs_inside_a_running_loop(wanted):
    assert start(wanted).run().reason == "pages"


def test_the_same_call_with_more_pages_goes_on(wanted):
    start(wanted, pages=10).run()
    crawl = start(wanted, pages=25)
    crawl.run()
    assert len(list(crawl.harvest.pages(duplicates=True, text=False))) <= 25
    assert crawl.tally.fetched == 25


def test_watchers_are_told_and_may_stop_it(wanted):
    def enough(event):
        if isinstance(event, PageVisited) and event.visit.number == 5:
            crawl.stop()

    crawl = start(wanted, watchers=[enough], workers=1)
    assert crawl.run().reason == "interrupted"
    assert crawl.tally.fetched in {5, 6}  # one more may be under way


def test_an_error_inside_the_crawl_is_raised_and_the_folder_is_free(wanted):
    class Fails:
        def judge(self, page):
            raise ZeroDivisionError

    crawl = start(wanted, judge=Fails())
    with pytest.raises(ZeroDivisionError):
        crawl.run()
    assert is_free(crawl)


@pytest.fixture
def ctrl_c_interrupts():
    """As in a terminal: a shell makes what it runs in the background ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_interrupts")
def test_ctrl_c_keeps_what_was_fetched_and_is_raised(wanted):
    """What a person does in a terminal or a notebook while `run` waits."""

    def interrupted(event):
        if isinstance(event, PageVisited) and event.visit.number == 5:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    crawl = start(wanted, watchers=[interrupted], pages=300)
    with pytest.raises(KeyboardInterrupt):
        crawl.run()
    assert is_free(crawl)
    fetched = crawl.harvest.counts.fetched
    assert 5 <= fetched < 300
    crawl = start(wanted, pages=fetched + 5)
    crawl.run()
    assert crawl.tally.fetched == fetched + 5


def test_how_often_python_looks_for_garbage_is_left_to_the_program(wanted):
    usual, seen = gc.get_threshold(), set()

    class Looks:
        def judge(self, page):
            seen.add(gc.get_threshold())
            return Judgement(0.0, relevant=False)

    start(wanted, judge=Looks()).run()
    assert seen == {usual}


# ── async for ──


async def test_iterating_gives_each_visit_once_it_is_kept(wanted):
    crawl, visits = start(wanted, workers=4), []
    async for visit in crawl:
        assert crawl.tally.visits >= visit.number  # kept and counted before it is given
        visits.append(visit)
    assert [visit.number for visit in visits] == list(range(1, len(visits) + 1))
    assert crawl.harvest.counts.visits == len(visits)
    assert is_free(crawl)


async def test_a_slow_consumer_slows_the_crawl_down(wanted):
    crawl = start(wanted, workers=4)
    async for visit in crawl:
        if visit.number == 3:
            await asyncio.sleep(0.3)
            assert crawl.tally.visits <= 3 + 4 + 1
            break


async def test_breaking_off_stops_the_crawl_and_it_goes_on_at_once(wanted):
    crawl = start(wanted)
    async for visit in crawl:
        if visit.number == 5:
            break
    stop = crawl.run()  # waits for the pages that were under way
    assert stop.reason == "pages"
    assert crawl.tally.fetched == 12
    assert is_free(crawl)


async def test_whoever_broke_off_may_start_anew_or_label_at_once(wanted):
    async for visit in start(wanted, judge=LongPages()):
        if visit.number == 5:
            break
    harvest = thresher.open(wanted["into"])
    harvest.labels[visit.url] = True
    crawl = start(wanted, judge=LongPages())
    async for _ in crawl:
        break
    assert start(wanted, judge=LongPages()).run().reason == "pages"


async def test_an_error_in_the_body_stops_the_crawl_and_iterating_again_goes_on(wanted):
    async def fail_at_once():
        async for _ in crawl:
            raise RuntimeError("mine")

    crawl = start(wanted)
    with pytest.raises(RuntimeError, match="mine"):
        await fail_at_once()
    rest = [visit.number async for visit in crawl]
    assert rest[-1] == crawl.harvest.counts.visits
    assert crawl.tally.fetched == 12


def test_a_harvest_says_which_error_ended_the_crawl(wanted):
    class Fails:
        def judge(self, page):
            raise ValueError("no\nmodel")

    crawl = start(wanted, judge=Fails())
    with pytest.raises(ValueError, match="no"):
        crawl.run()
    assert "; an error ended it, ValueError: no model>" in repr(crawl.harvest)


async def test_an_error_inside_the_crawl_reaches_whoever_iterates(wanted):
    class Miscounts(BestFirst):
        def score(self, visit, links):
            return [0.0]

    crawl = start(wanted, strategy=Miscounts(EYE))
    with pytest.raises(BadInput, match="Miscounts was given"):
        async for _ in crawl:
            pass
    assert is_free(crawl)


async def test_a_visit_whose_wait_was_cancelled_is_not_lost(wanted):
    visits = aiter(start(wanted, workers=1))
    numbers = [(await anext(visits)).number]
    while len(numbers) < 10:
        try:
            numbers.append((await asyncio.wait_for(anext(visits), 1e-4)).number)
        except TimeoutError:
            await asyncio.sleep(0.01)
    assert numbers == list(range(1, 11))
    await visits.aclose()


async def test_an_interrupted_wait_stops_the_crawl_even_if_its_traceback_is_kept(wanted):
    """As a notebook keeps it."""

    async def iterate():
        async for _ in crawl:
            pass

    crawl = start(wanted, polite={"delay": 30.0, "robots": False}, scope={"hosts": ["weekendalmanac.example"]})
    task = asyncio.ensure_future(iterate())
    while not crawl.tally.fetched:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError) as kept:
        await task
    assert kept.tb is not None
    assert crawl._run.left
    crawl._run.ended.result(10)
    assert is_free(crawl)


async def test_a_crawl_that_is_iterated_over_cannot_be_run_beside_it(wanted):
    crawl = start(wanted)
    visits = aiter(crawl)
    await anext(visits)
    with pytest.raises(BadInput, match="is running: stop"):
        crawl.run()
    await visits.aclose()
    assert is_free(crawl)
    assert crawl.run().reason == "pages"


async def test_of_two_iterations_the_later_is_refused_and_the_crawl_still_knows_the_first(wanted):
    crawl = start(wanted)
    first, second = aiter(crawl), aiter(crawl)
    await anext(first)
    with pytest.raises(BadInput, match="is running: stop"):
        await anext(second)
    assert "running" in repr(crawl)
    crawl.stop()
    assert len([visit async for visit in first]) < 12
    assert is_free(crawl)


def test_of_several_threads_that_run_a_crawl_at_once_one_does_and_the_others_are_told(wanted):
    crawl, told = start(wanted), []
    together = threading.Barrier(4)

    def run():
        together.wait()
        try:
            told.append(crawl.run().reason)
        except BadInput as error:
            told.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told.count("pages") == 1
    assert sum("is running: stop() ends it" in each for each in told) == 3


async def test_several_who_iterate_together_get_each_visit_once(wanted):
    visits = aiter(start(wanted))
    numbers = [visit.number for visit in await asyncio.gather(*(anext(visits) for _ in range(5)))]
    assert numbers == [1, 2, 3, 4, 5]
    await visits.aclose()


async def test_a_judge_that_raises_stop_async_iteration_is_not_taken_for_the_end(wanted):
    class Dry:
        async def judge(self, page):
            raise StopAsyncIteration

    with pytest.raises(RuntimeError, match="a part of the crawl raised StopAsyncIteration"):
        async for _ in start(wanted, judge=Dry()):
            pass


async def test_a_crawl_that_was_left_does_not_wait_for_good_for_a_judge_that_hangs(wanted, monkeypatch, caplog):
    class Hangs:
        async def judge(self, page):
            await asyncio.Event().wait()

    monkeypatch.setattr(crawl_thread, "_PATIENCE", 0.1)
    visits = aiter(start(wanted, judge=Hangs()))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await anext(visits)
    await asyncio.wait_for(visits.aclose(), 60)
    assert "a page under way hung" in caplog.text


async def test_stop_ends_the_iteration_after_the_pages_under_way(wanted):
    crawl, last = start(wanted, workers=4), 0
    async for visit in crawl:
        last = visit.number
        crawl.stop()
    assert 1 <= last <= 5


def test_an_iteration_that_never_began_leaves_nothing(wanted):
    crawl = start(wanted)
    aiter(crawl)
    gc.collect()
    assert not crawl.folder.exists()
    assert not _running


@pytest.mark.slow
def test_a_program_that_ends_in_the_middle_leaves_a_whole_crawl(wanted, tmp_path):
    code = f"""
import asyncio, thresher
crawl = thresher.Crawl.start("iris", **{ {**wanted, "into": str(wanted["into"]), "pages": 300}!r})
visits = aiter(crawl)
async def main():
    for _ in range(5):
        print((await anext(visits)).number)
asyncio.run(main())
"""
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.split(), done.stderr, done.returncode) == (list("12345"), "", 0)
    assert time.monotonic() - started < 50
    crawl = start(wanted, pages=300)
    assert is_free(crawl)
    assert "stopped; start it again" in repr(crawl.harvest)


# ── parts of one's own ──


class Counted(BestFirst):
    """Best-first, and it counts what it learns from and what it loads."""

    def __init__(self):
        super().__init__(EYE)
        self.learnt, self.loads = 0, 0

    def learn(self, visit):
        super().learn(visit)
        self.learnt += 1

    def save(self):
        return {"learnt": str(self.learnt).encode()}

    def load(self, parts):
        self.loads += 1
        self.learnt += int(parts["learnt"])


def test_a_strategy_is_taken_as_it_is(wanted):
    strategy = Counted()
    crawl = start(wanted, strategy=strategy)
    crawl.run()
    assert strategy.learnt == crawl.harvest.counts.visits
    assert crawl.settings.strategy == {"name": "Counted"}


def test_a_strategy_that_goes_on_knows_what_it_learnt_once_and_not_twice(wanted):
    strategy = Counted()
    start(wanted, pages=5, strategy=strategy).run()
    crawl = start(wanted, pages=10, strategy=strategy)
    crawl.run()
    assert (strategy.learnt, strategy.loads) == (crawl.harvest.counts.visits, 0)
    another = Counted()
    start(wanted, pages=15, strategy=another).run()
    assert (another.learnt, another.loads) == (crawl.harvest.counts.visits, 1)


class LongPages:
    """A judge of one's own: whatever is long is on topic."""

    def __init__(self):
        self.processes, self.threads = set(), set()

    def judge(self, page):
        self.processes.add(os.getpid())
        self.threads.add(threading.current_thread().name)
        return Judgement(1.0, len(page.main) > 1000)


@pytest.mark.parametrize("hands", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_judge_is_taken_as_it_is_and_judges_in_the_process_of_the_crawl(wanted, hands):
    judge = LongPages()
    crawl = start(wanted, judge=judge, hands={"count": hands})
    crawl.run()
    pages = list(crawl.harvest.pages())
    assert pages
    assert all(page.relevant == (len(page.text) > 1000) for page in pages)
    assert judge.processes == {os.getpid()}
    assert judge.threads == {"thresher-crawl"}
    assert crawl.settings.judge == {"name": "LongPages"}


def test_a_judge_may_count_with_numpy(wanted):
    class Counts:
        def judge(self, page):
            return Judgement(0.5, True, (thresher.Evidence("eye", "text", np.int64(3)),))

    crawl = start(wanted, judge=Counts())
    crawl.run()
    assert {page.evidence for page in crawl.harvest.pages()} == {(thresher.Evidence("eye", "text", 3.0),)}


def test_a_judge_may_wait(wanted):
    class Service:
        async def judge(self, page):
            await asyncio.sleep(0)
            return Judgement(0.9, relevant="iris" in page.main.lower())

    crawl = start(wanted, judge=Service())
    crawl.run()
    assert crawl.tally.relevant == sum("iris" in page.text.lower() for page in crawl.harvest.pages())


class Asks:
    """A judge that waits, to be installed under a name."""

    async def judge(self, page):
        await asyncio.sleep(0)
        return Judgement(0.9, relevant=bool(page.main))


@pytest.mark.parametrize("hands", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_judge_that_waits_may_have_a_name(wanted, hands, monkeypatch):
    installed, here = plugins._points, EntryPoint("asks", f"{__name__}:Asks", "thresher.judge")
    monkeypatch.setattr(plugins, "_points", lambda kind: (here, *installed(kind)))
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or SimpleNamespace(Asks=Asks))
    crawl = start(wanted, judge="asks", hands={"count": hands})
    crawl.run()
    assert crawl.tally.relevant > 5


def test_a_judge_that_waits_heeds_labels(wanted):
    class Service:
        threshold = 0.5

        async def judge(self, page):
            await asyncio.sleep(0)
            return Judgement(0.4, relevant=False)

    crawl = start(wanted, judge=Service(), pages=10)
    crawl.run()
    assert not crawl.tally.relevant
    for page in list(crawl.harvest.pages(text=False)):
        crawl.harvest.labels[page.url] = True
    crawl = start(wanted, judge=Service(), pages=20)
    crawl.run()
    assert crawl.tally.relevant >= 8


def test_another_judge_or_strategy_for_the_same_folder_is_refused(wanted):
    start(wanted, judge=LongPages()).run()
    with pytest.raises(BadInput, match=r"there is no judge 'LongPages'.*give it to thresher.Crawl.start again"):
        start(wanted, judge="terms")
    other = type("Other", (LongPages,), {})()
    with pytest.raises(BadInput, match=r"is a crawl with judge 'LongPages', not 'Other'"):
        start(wanted, judge=other)


@pytest.mark.parametrize("hands", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_topic_is_taken_as_it_is(wanted, hands):
    del wanted["sense"]
    # One page at a time: else it depends on what answers first whether there is one about the eye among so few.
    crawl = start(wanted, EYE, hands={"count": hands}, workers=1, pages=30)
    crawl.run()
    found = {each.what for page in crawl.harvest.pages(text=False) for each in page.evidence}
    assert {"iris (exact)", "pupil (synonym)", "retina (context)"} >= found > set()
    assert crawl.settings.judge == {"name": "concepts"}


def test_a_topic_stays_in_the_folder_whole(wanted):
    del wanted["sense"]
    start(wanted, EYE, pages=5).run()
    kept = read_crawl_file(wanted["into"] / "crawl.toml")["knowledge"]["given_topic"]
    assert thresher.topic.topic.topic_from("the eye", kept) == EYE
    assert start(wanted, EYE, pages=10).run().reason == "pages"
    other = thresher.Topic("the eye", EYE.terms[:2])
    with pytest.raises(BadInput, match=r"is a crawl with knowledge.given_topic"):
        start(wanted, other)


def test_a_topic_of_plain_words_is_those_words(wanted, caplog):
    del wanted["sense"]
    with caplog.at_level(logging.INFO):
        crawl = start(wanted, thresher.Topic.of("iris"))
    assert crawl.settings.knowledge == {}
    assert crawl.settings.judge == {"name": "terms"}
    assert "senses" not in caplog.text
