"""What workers of one crawl share fails them: connections are cut, PostgreSQL is killed, a reader holds on. The web's log is the judge."""

import json
import random
import time

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
import psycopg
from tests.crawl.cutting_proxy import cutting_proxy
from tests.crawl.together import shared_crawl
from tests.postgres_server import running_server

from thresher.lab.webs.generated import generate


def terminate(crawl, times, dice):
    """Cut connections of workers from the server's side, at any moment. Those of readers, who ask once, are left alone."""
    with psycopg.connect(crawl.address.partition("?")[0], autocommit=True) as connection:
        done = 0
        while done < times and any(worker.runs for worker in crawl.workers):
            time.sleep(dice.uniform(0, 0.25))
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'thresher' AND pid IN (SELECT pid FROM pg_locks "
                "WHERE locktype = 'advisory' AND mode = 'ShareLock') ORDER BY state, random() LIMIT 1"
            ).fetchone()
            done += found is not None and connection.execute("SELECT pg_terminate_backend(%s)", found).fetchone()[0]
        return done


@pytest.mark.slow
@pytest.mark.parametrize(("size", "cuts"), [(900, 120)])
def test_connections_are_cut_by_the_server(tmp_path, schema, size, cuts):
    web = generate(size=size, hosts=12, seed=4)
    with (
        running_server() as postgres,
        shared_crawl(postgres, schema, web, tmp_path, delay=0.05, answer_delay=0.02, workers=8) as crawl,
    ):
        crawl.begin_with(2)
        done = terminate(crawl, cuts, random.Random(5))
        crawl.wait()
        print(f"{done} connections cut")
        assert done >= cuts / 3
        crawl.check_all_were_fetched()
        crawl.check(repeats=done)


# The small web's hosts rest longer: most of it is still to be fetched when the cuts begin, however fast the machine is.
@pytest.mark.parametrize(("size", "delay"), [(120, 0.3), pytest.param(600, 0.05, marks=pytest.mark.slow)])
def test_connections_are_cut_after_any_byte(postgres, schema, tmp_path, size, delay):
    """Also between the server's commit and its word of it: what is kept then is not kept again."""
    web = generate(size=size, hosts=12, seed=4)
    with (
        cutting_proxy(postgres.port) as proxy,
        shared_crawl(postgres, schema, web, tmp_path, delay=delay, answer_delay=0.02, workers=8) as crawl,
    ):
        cut_off = crawl.address.replace(f":{postgres.port}/", f":{proxy.port}/")
        crawl.begin_with(2, address=cut_off)
        proxy.dice, proxy.most = random.Random(6), 30_000
        terminate(crawl, 3, random.Random(1))  # from now on each connection is cut some time
        crawl.wait()
        print(f"{proxy.cuts} connections cut, {proxy.halves} of them in an answer")
        assert proxy.halves >= 3
        crawl.check_all_were_fetched()
        crawl.check(repeats=proxy.cuts + 3)


@pytest.mark.slow
@pytest.mark.parametrize(("durability", "lost"), [("safe", 0), ("fast", 40)])
def test_postgresql_is_killed_and_started_again(tmp_path, schema, durability, lost):
    """With `safe` nothing that was settled is lost; with `fast` the turns of some tenths of a second are, and are made again."""
    web = generate(size=400, hosts=20, seed=4)
    tables = {"frontier": {"crash_rest": 5.0}, "store": {"durability": durability}}
    with (
        running_server() as postgres,
        shared_crawl(postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.02, **tables) as crawl,
    ):
        crawl.begin_with(2)
        gone = 0
        for _ in range(2):
            before = crawl.fetched()
            crawl.until(lambda before=before: crawl.fetched() > before + 80)
            kept = {url for _, url, *_ in crawl.visits()}
            postgres.kill()
            postgres.start()
            gone += len(kept - {url for _, url, *_ in crawl.visits()})
            crawl.in_flight.update(url for (url,) in crawl.ask("SELECT url FROM url WHERE state = 0"))
        crawl.wait()
        print(f"{durability}: {gone} settled pages were lost and fetched again")
        assert gone <= lost
        crawl.check_all_were_fetched()
        crawl.check()


@pytest.mark.slow
def test_others_read_while_it_crawls(postgres, schema, tmp_path):
    """One holds a transaction all the while; others show, export and explain it again and again."""
    web = generate(size=300, hosts=12, seed=4)
    with (
        shared_crawl(postgres, schema, web, tmp_path, delay=0.1, answer_delay=0.02) as crawl,
        psycopg.connect(postgres.url(), options=f"-c search_path={schema}") as reader,
    ):
        crawl.begin_with(1)
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        seen = reader.execute("SELECT count(*) FROM url").fetchone()
        rounds, fetched = 0, [0]
        while any(worker.runs for worker in crawl.workers):
            shown = crawl.run("show", crawl.address, "--json")
            assert shown.returncode == 0, shown.stderr
            fetched.append(json.loads(shown.stdout)["fetched"])
            out = tmp_path / f"{rounds}.jsonl"
            lines = crawl.run("export", crawl.address, "--to", "jsonl", "--out", out)
            assert lines.returncode == 0, lines.stderr
            urls = [json.loads(line)["url"] for line in out.read_text().splitlines()]
            assert fetched[-1] <= len(set(urls)) == len(urls) <= crawl.fetched()
            rounds += 1
        print(f"read {rounds} times, {fetched}")
        assert fetched == sorted(fetched)
        assert reader.execute("SELECT count(*) FROM url").fetchone() == seen
        crawl.wait()
        crawl.check_all_were_fetched()
        crawl.check()
