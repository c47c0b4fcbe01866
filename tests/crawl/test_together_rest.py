"""A worker that has nothing to do hears within seconds of what the others did."""

import time

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from tests.crawl.together import shared_crawl

from thresher.lab.webs.generated import generate

SOON = 15.0
"""Seconds: a worker looks once a second, and this machine may be busy. Without a look it would rest for a minute."""


def test_all_workers_end_soon_after_the_budget_is_spent(postgres, schema, tmp_path):
    web, lending = generate(size=200, hosts=1, seed=9), {"lease": 90.0}
    with shared_crawl(
        postgres, schema, web, tmp_path, delay=0.2, answer_delay=0.5, budget={"pages": 30}, frontier=lending
    ) as crawl:
        crawl.begin_with(2)
        crawl.until(lambda: crawl.fetched() == 30)
        spent = time.monotonic()
        for worker in crawl.workers:
            assert worker.end(SOON) == 0, worker.said
        print(f"all ended {time.monotonic() - spent:.1f} s after the last page")
        crawl.check()


def test_a_worker_that_found_nothing_to_fetch_fetches_what_others_have_found_since(postgres, schema, tmp_path):
    web = generate(size=400, hosts=20, seed=9)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.3, answer_delay=0.02, budget={"pages": 150}) as crawl:
        pace, crawl.server.delay = crawl.server.delay, 8.0  # so long the first page takes
        crawl.begin()
        late = crawl.join()
        crawl.until(lambda: len(crawl.at_work()) == 2)
        time.sleep(1.0)  # it has asked, and rests
        crawl.server.delay = pace
        crawl.until(lambda: late.pid in crawl.busy(), SOON + 8.0)
