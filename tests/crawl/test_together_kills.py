"""Workers of one crawl are killed, stopped, and come and go; the log of the web's server is the judge."""

import os
import random
import shutil
import signal
import time

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from tests.crawl.together import shared_crawl

from thresher.lab.webs.generated import generate
from thresher.loading import INTERRUPTED

KILLS = int(os.environ.get("THRESHER_KILLS", "50"))
"""How many workers a test kills; more take minutes, since each is a process that must start."""


def restless(crawl, kills, *, seed, hands=0):
    """Kill one of four workers after the other, and start another in its place."""
    dice, done = random.Random(seed), 0
    team = crawl.begin_with(3, "--hands", hands)
    while done < kills:
        busy = crawl.busy()
        ready = [worker for worker in team if worker.pid in busy]
        # Nearly all are killed while they work, some wherever they are.
        victim = dice.choice(ready if dice.random() < 0.9 else team) if ready else None
        if victim is None or not victim.runs:
            assert any(worker.runs for worker in team), [worker.said for worker in team]
            time.sleep(0.02)
            continue
        time.sleep(dice.uniform(0, 0.2))
        crawl.kill(victim)
        done += 1
        team[team.index(victim)] = crawl.join("--hands", hands)
    return done


def test_some_workers_are_killed(postgres, schema, tmp_path):
    web = generate(size=160, hosts=8, seed=3)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.05) as crawl:
        restless(crawl, 5, seed=1)
        crawl.wait()
        crawl.check_all_were_fetched()
        crawl.check()


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
def test_many_workers_are_killed(postgres, schema, tmp_path, hands):
    """Fifty without hands and fifty with them."""
    web = generate(size=6000, hosts=60, seed=3)
    pages = 1500
    with shared_crawl(
        postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.05, budget={"pages": pages}, workers=8
    ) as crawl:
        begun = time.monotonic()
        restless(crawl, KILLS, seed=2, hands=hands)
        print(f"{KILLS} kills in {time.monotonic() - begun:.0f} s, {crawl.robbed} of them while pages were in flight")
        crawl.wait()
        print(f"all over after {time.monotonic() - begun:.0f} s")
        assert crawl.robbed > KILLS / 4
        assert crawl.fetched() == pages
        crawl.check()


def test_the_budget_holds_for_all_workers_together(postgres, schema, tmp_path):
    web = generate(size=300, hosts=8, seed=3)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.3, budget={"pages": 100}, workers=8) as crawl:
        team = crawl.begin_with(3)
        crawl.until(lambda: team[0].pid in crawl.busy())
        crawl.kill(team[0])
        crawl.wait()
        assert crawl.fetched() == 100
        assert len(crawl.asked()) <= 100 + len(crawl.in_flight)
        crawl.check()


@pytest.mark.slow
@pytest.mark.parametrize("times", [4])
def test_a_worker_that_is_stopped_past_its_lease_keeps_nothing_of_what_it_held(postgres, schema, tmp_path, times):
    web, dice = generate(size=80 + 60 * times, hosts=12, seed=5), random.Random(4)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.05, answer_delay=0.05, frontier={"lease": 4.0}) as crawl:
        team, stopped = crawl.begin_with(2), 0
        while stopped < times and all(worker.runs for worker in team):
            worker = dice.choice(team)
            time.sleep(dice.uniform(0, 0.3))
            worker.send(signal.SIGSTOP)
            time.sleep(0.1)  # a claim that was sent is answered
            held, tokens = crawl.held_by(worker), crawl.tokens_of(worker)
            crawl.in_flight.update(held)
            crawl.until(lambda tokens=tokens: not tokens & crawl.tokens())
            worker.send(signal.SIGCONT)
            stopped += bool(held)
        crawl.wait()
        print(f"stopped {stopped} times with {sum(crawl.in_flight.values())} pages in flight")
        assert stopped
        crawl.check_all_were_fetched()
        crawl.check()


@pytest.mark.slow
def test_workers_come_and_go(postgres, schema, tmp_path):
    web, dice = generate(size=1500, hosts=30, seed=6), random.Random(8)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.05) as crawl:
        team, left = crawl.begin_with(2), 0
        while left < 12:
            time.sleep(dice.uniform(0, 0.5))
            busy = crawl.busy()
            ready = [worker for worker in team if worker.pid in busy and worker.runs]
            if not ready:
                assert any(worker.runs for worker in team), [worker.said for worker in team]
                continue
            goes = dice.choice(ready)
            goes.send(signal.SIGTERM)
            team[team.index(goes)] = crawl.join()
            left += 1
        for worker in crawl.workers:
            assert worker.end() in {0, INTERRUPTED}, worker.said
        print(f"{left} workers left")
        crawl.check_all_were_fetched()
        crawl.check()
        assert set(crawl.asked().values()) == {1}
        assert left == 12


@pytest.mark.skipif(shutil.which("faketime") is None, reason="faketime is not installed: apt-get install faketime")
@pytest.mark.slow
def test_workers_whose_clocks_are_an_hour_apart(postgres, schema, tmp_path):
    web = generate(size=160, hosts=8, seed=7)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.02) as crawl:
        # As a list of one command for each of the two, after which the worker itself follows.
        shifted = [("faketime", "-f", shift) for shift in ("+3600s", "-3600s")]
        crawl.begin_with(2, before=shifted, environment={"FAKETIME_DONT_FAKE_MONOTONIC": "1"})
        crawl.wait()
        by_hour = dict(
            crawl.ask("SELECT round((at - date_part('epoch', now())) / 3600)::integer, count(*) FROM visit GROUP BY 1")
        )
        print(f"visits by how many hours the clock of their worker is late: {by_hour}")
        assert by_hour.keys() == {-1, 0, 1}
        crawl.check_all_were_fetched()
        crawl.check()
        assert set(crawl.asked().values()) == {1}
