"""Orders reach all workers of a crawl within seconds; whoever learns for all is followed by another when it is killed."""

import json
import threading
import time

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
import psycopg
from tests.crawl.together import shared_crawl

from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_home import PostgresHome
from thresher.lab.webs.generated import generate
from thresher.orders.carried_out import PENDING
from thresher.orders.shared_workplace import shared_workplace
from thresher.results.steer import answer_to
from thresher.settings import Settings

SOON = 5.0
"""Seconds until an order must have reached all workers: they look once a second, and this machine may be busy."""
_LEARNER = """
    SELECT slot.name FROM pg_locks AS learner JOIN pg_locks AS slots USING (pid) JOIN slot ON slots.objid::bigint = slot.number
    WHERE learner.classid::bigint = hashtext('thresher learner')::bigint & 4294967295
        AND learner.objid::bigint = hashtext(current_schema())::bigint & 4294967295
        AND slots.classid::bigint = hashtext('thresher slots ' || current_schema())::bigint & 4294967295
"""


def tell(crawl, *order):
    done = crawl.run("tell", crawl.address, *order, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_order_that_is_half_carried_out_is_waited_for(postgres, schema, tmp_path):
    """To leave a host out takes a transaction of its own, before the one in which the answer is kept."""
    home = PostgresHome(LedgerAddress.of(f"{postgres.url()}?schema={schema}"))
    put = "INSERT INTO carried_out VALUES ('table', 7, 0, %s, 0, %s) ON CONFLICT (inbox, number) DO UPDATE SET sentence = excluded.sentence"
    with shared_workplace(home, Settings(store={"place": str(tmp_path / "warc")})) as place:
        place.make_frontier(delay=0.0)  # a worker is there, so that nobody helps
        home.write_settings("topic = 'iris'")
        place.ledger.safely(put, (PENDING, False))
        later = threading.Timer(
            0.5, done, (postgres, put.replace("carried_out VALUES", f"{schema}.carried_out VALUES"))
        )
        later.start()
        assert answer_to(home, 7).sentence == "It is left out"
        later.join()


def done(postgres, put):
    with psycopg.connect(postgres.url(), autocommit=True) as worker:
        worker.execute(put, ("It is left out", True))


@pytest.mark.slow
def test_whoever_carries_out_an_order_knows_what_the_others_were_told_before(postgres, schema, tmp_path):
    """Else the second pause is met by a worker that does not know yet that the first is over."""
    web = generate(size=3000, hosts=30, seed=9)
    with shared_crawl(postgres, schema, web, tmp_path, delay=0.2, answer_delay=0.02) as crawl:
        crawl.begin_with(2)
        for _ in range(4):
            tell(crawl, "pause")
            tell(crawl, "go-on")


@pytest.mark.slow
def test_orders_reach_all_workers(postgres, schema, tmp_path):
    web = generate(size=3000, hosts=30, seed=9)
    with shared_crawl(
        postgres, schema, web, tmp_path, delay=0.2, answer_delay=0.02, judge={"name": "terms", "threshold": 0.1}
    ) as crawl:
        crawl.begin_with(2)
        tell(crawl, "pause")
        time.sleep(SOON)
        before = len(crawl.requests())
        time.sleep(2.0)
        assert len(crawl.requests()) == before, "nothing is asked for in a pause"
        tell(crawl, "go-on")
        crawl.until(lambda: len(crawl.requests()) > before + 20, SOON + 10)

        left = crawl.requests()[-1].host
        tell(crawl, "leave", left)
        since = time.time() + SOON
        label = crawl.ask("SELECT url FROM visit WHERE relevant LIMIT 1")[0][0]
        tell(crawl, "label", label, "no")
        crawl.until(lambda: time.time() > since + 3.0)
        assert [str(each) for each in crawl.requests() if each.host == left and each.asked > since] == []
        assert [each for each in crawl.requests() if each.asked > since], "the others are asked"

        tell(crawl, "stop")
        ended = time.monotonic()
        for worker in crawl.workers:
            assert worker.end(SOON + 10) == 0, worker.said
        print(f"all ended {time.monotonic() - ended:.1f} s after stop")
        crawl.check()


def test_a_budget_that_is_raised_is_that_of_all(postgres, schema, tmp_path):
    web = generate(size=400, hosts=20, seed=9)
    with shared_crawl(
        postgres, schema, web, tmp_path, delay=0.05, budget={"pages": 40, "when_spent": "pause"}, answer_delay=0.02
    ) as crawl:
        crawl.begin_with(2)
        crawl.until(lambda: crawl.fetched() == 40)
        tell(crawl, "pages", "+30")
        crawl.until(lambda: crawl.fetched() == 70)
        time.sleep(2.0)
        assert crawl.fetched() == len(crawl.asked()) == 70
        tell(crawl, "stop")
        crawl.wait()
        crawl.check()


@pytest.mark.slow
def test_a_worker_that_learns_for_all_is_killed(postgres, schema, tmp_path):
    web = generate(size=500, hosts=20, seed=9)
    with shared_crawl(
        postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.02, strategy={"name": "pagerank"}
    ) as crawl:
        team = crawl.begin_with(2)
        crawl.until(lambda: crawl.ask("SELECT heard > 20 FROM learner WHERE number = 0") == [(True,)])
        [(name,)] = crawl.ask(_LEARNER)
        [learner] = [worker for worker in team if name.endswith(f":{worker.pid}")]
        crawl.kill(learner)
        killed_at = crawl.ask("SELECT visits FROM totals")[0][0]
        crawl.until(lambda: [row for row in crawl.ask(_LEARNER) if row != (name,)], 15)
        crawl.until(lambda: crawl.ask("SELECT heard > %s FROM learner WHERE number = 0", killed_at) == [(True,)], 15)
        crawl.wait()
        crawl.check_all_were_fetched()
        crawl.check()


@pytest.mark.slow
def test_a_worker_that_joins_late_knows_what_others_learnt(postgres, schema, tmp_path):
    web = generate(size=2000, hosts=30, seed=9)
    with shared_crawl(
        postgres, schema, web, tmp_path, delay=0.2, answer_delay=0.02, strategy={"name": "apprentice"}
    ) as crawl:
        crawl.begin_with(1)
        crawl.until(lambda: crawl.fetched() > 80)
        known = {number for (number,) in crawl.ask("SELECT number FROM learner")}
        late = crawl.join()
        crawl.until(lambda: late.pid in crawl.at_work())
        [(visits,)] = crawl.ask("SELECT visits FROM totals")
        new = lambda: crawl.ask("SELECT heard FROM learner WHERE NOT number = ANY (%s)", list(known))  # noqa: E731
        crawl.until(lambda: new() and new()[0][0] >= visits, 20)
        tell(crawl, "stop")
        crawl.wait()
        crawl.check()
