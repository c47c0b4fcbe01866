"""Several workers on one frontier in PostgreSQL. What one worker may expect is in the contract, and in `test_postgres_twins`."""

import asyncio
import random
import time
from dataclasses import fields

import pytest
from tests.postgres_server import running_server

from thresher.errors import BadInput, LedgerLost
from thresher.frontier.options import FrontierOptions
from thresher.model import DROP, Candidate, Host, Outcome, Url
from thresher.testing.frontier_hosts import PAGE, drained, link, one, url

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.disk.postgres_turns import TurnPipeline
from thresher.frontier.postgres import PostgresFrontier


@pytest.fixture
def join(postgres, schema):
    """A worker that joins the crawl of the test."""
    ledgers = []

    def join(*, turned=True, **options):
        ledgers.append(PostgresLedger(postgres.url(), schema=schema))
        return PostgresFrontier(ledgers[-1], turned=turned, **options)

    yield join
    for ledger in ledgers:
        ledger.close()


def cut(frontier, by):
    """End a worker's connection from outside, and wait until it is gone."""
    [(pid,)] = frontier.ledger.read("SELECT pg_backend_pid()")
    by.ledger.read("SELECT pg_terminate_backend(%s)", (pid,))
    while by.ledger.read("SELECT FROM pg_stat_activity WHERE pid = %s", (pid,)):
        time.sleep(0.01)


def test_every_option_of_a_frontier_is_one_of_the_servers(join):
    """In the order of the type, since they are sent as a row."""
    sql = "SELECT attname FROM pg_attribute WHERE attrelid = 'lending_options'::regclass ORDER BY attnum"
    named = [name for (name,) in join().ledger.read(sql)]
    assert named == [
        *(each.name for each in fields(FrontierOptions)),
        "alike_first",
        "alike_most",
        "highest",
        "put_first",
    ]


# ── lending to several ──


async def test_no_url_is_lent_to_two_workers_and_all_are_lent(join):
    workers = [join(delay=0) for _ in range(4)]
    await workers[0].add(link(f"{number}", number % 7, f"{number % 5}.example") for number in range(100))
    lent, draw = [], random.Random(1)
    while claims := await draw.choice(workers).claim(2, 0.0):
        lent += [claim.url for claim in claims]
        for claim in claims:
            [owner] = [worker for worker in workers if worker.holds(claim)]
            await owner.settle(claim, PAGE, [link(f"{draw.randrange(200)}", host=f"{draw.randrange(5)}.example")], 0.0)
    assert len(lent) == len(set(lent)) >= 100


async def test_a_host_is_asked_by_one_worker_at_a_time_with_its_delay_between(join):
    first, second = join(delay=2), join(delay=2)
    await first.add([link("1"), link("2")])
    claim = await one(first, 0.0)
    assert await second.claim(1, 50.0) == []
    await first.settle(claim, PAGE, [], 60.0)
    assert await second.claim(1, 61.9) == []
    assert (await one(second, 62.0)).url == url("2")


async def test_who_joins_takes_no_claims_from_others_and_who_comes_alone_does(join):
    first = join(delay=0)
    await first.add([link("1"), link("2")])
    claim = await one(first, 0.0)
    second = join(delay=0)
    assert (second.census().claimed, first.holds(claim)) == (1, True)
    first.ledger.close()
    third = join(delay=0)
    assert third.census().claimed == 1, "the second still works"
    second.ledger.close()
    third.ledger.close()
    assert join(delay=0).census()[:3] == (2, 0, 0)


async def test_a_late_settle_is_refused_with_all_that_the_turn_wrote(join):
    first, second = join(lease=60, delay=0), join(lease=60, delay=0)
    first.ledger.read("CREATE TABLE written (url text)")
    await first.add([link("x")])
    late = await one(first, 0.0)
    fresh = await one(second, 60.0)
    for worker, claim in ((first, late), (second, fresh)):
        worker.ledger.write("INSERT INTO written VALUES (%s)", (claim.url,))
        await worker.settle(claim, PAGE, [link(f"found-{worker is first}", parent=claim.url)], 61.0)
    assert second.ledger.read("SELECT url FROM written") == [(url("x"),)]
    assert await drained(second, 62.0) == ["found-False"]


async def test_a_page_is_kept_and_settled_or_neither(join, monkeypatch):
    """As a store does it: what it keeps goes into the transaction of the settle."""
    frontier, other = join(delay=0), join(delay=0)
    frontier.ledger.read("CREATE TABLE written (url text)")
    await frontier.add([link("x")])
    claim = await one(frontier, 0.0)
    frontier.ledger.write("INSERT INTO written VALUES (%s)", (claim.url,))
    frontier.patience = 0.0
    monkeypatch.setattr(TurnPipeline, "send", lambda *_: (_ for _ in ()).throw(lost()))
    with pytest.raises(LedgerLost):
        await frontier.settle(claim, PAGE, [], 0.0)
    monkeypatch.undo()
    assert (other.ledger.read("SELECT FROM written"), other.census().settled) == ([], 0)
    frontier.ledger.write("INSERT INTO written VALUES (%s)", (claim.url,))
    await frontier.settle(claim, PAGE, [], 0.0)
    assert (other.ledger.read("SELECT url FROM written"), other.census().settled) == ([(claim.url,)], 1)


def lost():
    import psycopg  # noqa: PLC0415

    return psycopg.errors.AdminShutdown("cut")


async def test_all_workers_have_the_same_options(join):
    join(delay=3)
    with pytest.raises(BadInput, match="other workers crawl with other options of the frontier"):
        join(delay=4)
    assert join(delay=3).census().waiting == 0


async def test_slots_of_workers_that_left_are_taken_over(join):
    stays = join()
    for _ in range(3):
        join().ledger.close()
        await asyncio.sleep(0.1)
    assert stays.ledger.read("SELECT count(*) FROM slot")[0][0] <= 3


# ── the cache of links that change nothing ──


async def test_a_url_that_another_worker_dropped_can_be_found_again(join):
    first, second = join(delay=0), join(delay=0)
    await first.add([link("page", 9), link("x", 5), link("y", 1)])
    await second.reprioritise([(url("x"), DROP)])
    await first.settle(await one(first, 0.0), PAGE, [link("x", 3), link("y", 1)], 0.0)
    assert await drained(first) == ["x", "y"]


async def test_a_url_that_another_worker_drops_while_a_page_is_fetched_is_found_again(join):
    first, second = join(delay=0), join(delay=0)
    await first.add([link("page", 9), link("x", 5)])
    claim = await one(first, 0.0)
    await second.reprioritise([(url("x"), DROP)])
    await first.settle(claim, PAGE, [link("x", 3, parent=claim.url, depth=1)], 0.0)
    assert (await one(second, 0.0)).candidate == link("x", 3, parent=claim.url, depth=1)


async def test_a_url_that_another_worker_lowered_can_be_raised_again(join):
    first, second = join(delay=0), join(delay=0)
    await first.add([link("page", 9), link("x", 5), link("y", 2)])
    claim = await one(first, 0.0)
    await second.reprioritise([(url("x"), 1.0)])
    await first.settle(claim, PAGE, [link("x", 4)], 0.0)
    assert await drained(second) == ["x", "y"]


async def test_a_url_that_another_worker_evicted_can_be_found_again(join):
    first, second = join(delay=0, cap=2), join(delay=0, cap=2)
    await first.add([link("page", 9), link("x", 5)])
    claim = await one(first, 0.0)
    await second.add([link("1", 7), link("2", 8)])
    assert await second.add([link("x", 5)]) == 1
    assert second.census().waiting == 2
    await first.settle(claim, PAGE, [], 0.0)
    await first.settle(await one(first, 0.0), PAGE, [], 0.0)
    assert await first.add([link("x", 5)]) == 1
    assert await drained(first) == ["1", "x"]


async def test_urls_of_a_host_that_another_worker_left_can_be_found_again(join):
    first, second = join(delay=0), join(delay=0)
    await first.add([link("page", 9), link("x", 5, "b.example")])
    claim = await one(first, 0.0)
    assert await second.leave(Host("b.example")) == 1
    await first.settle(claim, PAGE, [link("x", 5, "b.example")], 0.0)
    assert await drained(second) == ["x"]


async def test_links_that_are_known_are_not_sent_again(join):
    frontier = join(delay=0)
    await frontier.add([link(str(number), number) for number in range(50)])
    sent = []
    turn = frontier.ledger.awaited_turn
    frontier.ledger.awaited_turn = lambda sql, values, writes: (
        (len(values) > 20 and sent.append(len(values[15]))) or turn(sql, values, writes)
    )
    for _ in range(2):
        await frontier.settle(await one(frontier, 0.0), PAGE, [link(str(number), number) for number in range(50)], 0.0)
    assert sent == [12, 12], "an empty array of keys"


# ── time ──


async def test_the_servers_clock_counts_and_not_that_of_a_worker(join):
    first, second = join(turned=False, delay=30), join(turned=False, delay=30)
    await first.add([link("1"), link("2")])
    [claim] = await first.claim(1, 5.0)
    assert claim.expires == pytest.approx(605.0, abs=5)
    await first.settle(claim, PAGE, [], 5.0)
    hour_ahead = time.time() + 3600
    assert await second.claim(1, hour_ahead) == []
    assert second.due() == pytest.approx(hour_ahead + 30, abs=5)
    assert await first.claim(1, 1e12) == []
    assert first.due() == pytest.approx(1e12 + 30, abs=5)


async def test_a_claim_is_held_by_the_clock_of_the_server(join):
    first, second = join(turned=False, delay=0, lease=0.3), join(turned=False, delay=0, lease=0.3)
    await first.add([link("1")])
    [claim] = await first.claim(1, 0.0)
    assert first.holds(claim)
    await asyncio.sleep(0.4)
    assert first.holds(claim), "nobody else has it"
    [again] = await second.claim(1, 77.0)
    assert (first.holds(claim), second.holds(again)) == (False, True)


async def test_a_clock_that_is_set_back_by_years_makes_no_host_rest_for_years(join):
    frontier = join(delay=2, rest_most=3600)
    await frontier.add([link("1"), link("2")])
    await frontier.settle(await one(frontier, 1e9), PAGE, [], 1e9)
    assert await frontier.claim(1, 100.0) == []
    assert frontier.due() == 3700.0
    assert (await one(frontier, 3700.0)).url == url("2")


# ── lost connections ──


async def test_a_worker_whose_connection_is_cut_keeps_its_claims(join):
    first, second = join(delay=0), join(delay=0)
    await first.add([link("1"), link("2")])
    claim = await one(first, 0.0)
    cut(first, second)
    assert first.holds(claim)
    assert not await first.settle(claim, PAGE, [link("3")], 0.0)
    assert second.census()[:3] == (2, 0, 1)
    cut(first, second)
    assert await first.claim(0, 0.0) == []
    assert first.census()[:3] == (2, 0, 1)


async def test_a_settle_that_was_kept_and_not_acknowledged_counts_once(join, monkeypatch):
    frontier = join(delay=0, merge="sum")
    await frontier.add([link("1", 9), link("x", 1)])
    claim = await one(frontier, 0.0)

    async def cut_after(pipeline, turn):
        monkeypatch.undo()
        pipeline.finish()
        turn.lose(lost())

    monkeypatch.setattr(TurnPipeline, "answered", cut_after)
    await frontier.settle(claim, PAGE, [link("x", 5)], 0.0)
    assert frontier.census()[:3] == (1, 0, 1)
    assert (await one(frontier, 0.0)).candidate.priority == 6.0


async def test_a_server_that_stays_away_is_told_in_a_sentence(schema):
    with running_server() as server:
        frontier = PostgresFrontier(PostgresLedger(server.url(), schema=schema), patience=0.3)
        server.kill()
        with pytest.raises(
            LedgerLost, match=r"PostgreSQL at 127\.0\.0\.1:\d+, database postgres, crawl \w+ does not answer: "
        ):
            await frontier.claim(1, 0.0)
        server.start()
        assert await frontier.claim(1, 0.0) == []
        frontier.ledger.close()


async def test_after_a_crash_of_the_server_every_host_rests_long_and_claims_are_kept(schema):
    with running_server() as server:
        ledger = PostgresLedger(server.url(), schema=schema, durability="safe")
        frontier = PostgresFrontier(ledger, turned=True, delay=2, crash_rest=30)
        await frontier.add([link("1"), link("2", host="b.example")])
        claim = await one(frontier, 100.0)
        server.kill()
        server.start()
        assert await frontier.claim(1, 105.0) == []
        assert frontier.holds(claim)
        await frontier.settle(claim, PAGE, [], 106.0)
        assert await frontier.claim(1, 134.9) == []
        assert (await one(frontier, 135.0)).host == "b.example"
        frontier.ledger.close()


async def test_a_claim_that_a_crash_of_the_server_forgot_is_held_no_more(join):
    first, second = join(delay=0), join(delay=0)
    await first.add([link("1")])
    claim = await one(first, 0.0)
    second.ledger.read("DELETE FROM lease")
    cut(first, second)
    await first.claim(0, 0.0)
    assert not first.holds(claim)


# ── size ──


@pytest.mark.parametrize(
    "options", [{}, {"cap": 40}, {"merge": "sum"}, {"merge": "last", "cap": 40, "evict": "newest"}]
)
async def test_no_statement_walks_over_all_urls_or_hosts(join, options):
    frontier = join(delay=0, **options)
    await frontier.add(link(str(number), number % 7, f"h{number % 5}.example") for number in range(60))
    scans = "SELECT relname, seq_scan FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname IN ('url', 'host', 'lease')"
    await frontier.claim(1, 0.0)
    frontier.ledger.read("SELECT pg_stat_force_next_flush()")
    before = sorted(frontier.ledger.read(scans))
    for now in range(1, 20):
        for claim in await frontier.claim(3, float(now)):
            outcome = PAGE if now % 3 else Outcome("timeout", final=False)
            found = [link(f"{now}-{number % 30}", number % 11) for number in range(63)]
            await frontier.settle(claim, outcome, found, float(now))
        frontier.due()
    await frontier.reprioritise([(url("7", "h2.example"), 5.0), (url("8", "h3.example"), 1.0)])
    frontier.ledger.read("SELECT pg_stat_force_next_flush()")
    assert sorted(frontier.ledger.read(scans)) == before


async def test_ten_thousand_seeds_come_in_their_order(join):
    frontier = join(delay=0)
    assert await frontier.add(Candidate(url(str(number)), 1.0) for number in range(10_001)) == 10_001
    assert [(await one(frontier, 0.0)).url] == [url("0")]


async def test_with_more_workers_a_url_waits_for_more_better_hosts(join):
    """One best-first worker keeps to `spread` hosts; so do several, each."""
    first = join(delay=10, spread=1)
    found = [("a", 6.0), ("a", 5.0), ("b", 4.0), ("b", 3.0), ("c", 2.0)]
    await first.add(Candidate(Url(f"http://{host}.test/{priority}"), priority) for host, priority in found)
    assert [claim.host for claim in await first.claim(3, 0.0)] == ["a.test"]
    join(delay=10, spread=1)
    first.count_workers()
    assert [claim.host for claim in await first.claim(3, 1.0)] == ["b.test"]
