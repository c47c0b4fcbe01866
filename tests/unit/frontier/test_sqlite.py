import re

import pytest

from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.frontier import MemoryFrontier, SqliteFrontier
from thresher.frontier.keys import key_of
from thresher.frontier.seen_cache import SeenCache
from thresher.model import Candidate, Outcome, Url

PAGE = Outcome("page")


def link(number, priority=1.0, host="a"):
    return Candidate(Url(f"https://{host}.example/{number}"), priority)


@pytest.fixture
def ledger(tmp_path):
    ledger = Ledger(tmp_path / "crawl.sqlite", commit_every=1e9)
    yield ledger
    ledger._cancel_alarm()
    ledger._connection.close()


def test_only_the_ledger_may_come_first_and_all_else_by_name(ledger):
    with pytest.raises(TypeError):
        SqliteFrontier(ledger, "max")


@pytest.mark.parametrize("frontier", [MemoryFrontier, SqliteFrontier])
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"merge": "mean"}, "max, sum, first, last"),
        ({"delay": -1}, "delay"),
        ({"per_host": 0}, "per_host"),
        ({"cap": 0}, "cap"),
        ({"lease": 0}, "lease"),
        ({"delay": float("nan")}, "delay"),
    ],
)
def test_bad_options_are_named(ledger, frontier, options, complaint):
    with pytest.raises(BadInput, match=complaint):
        frontier(**options) if frontier is MemoryFrontier else frontier(ledger, **options)


async def test_a_crash_before_the_commit_loses_the_settling_and_the_links_together(ledger, tmp_path):
    frontier = SqliteFrontier(ledger, delay=0)
    await frontier.add([link("page")])
    [claim] = await frontier.claim(1, 0.0)
    ledger.commit()
    await frontier.settle(claim, PAGE, [link("found")], 0.0)
    ledger._connection.close()

    again = SqliteFrontier(Ledger(ledger.path), delay=0)
    assert again.census()[:3] == (1, 0, 0)
    [claim] = await again.claim(1, 0.0)
    await again.settle(claim, PAGE, [link("found")], 0.0)
    again.ledger.commit()
    again.ledger._connection.close()

    third = SqliteFrontier(Ledger(ledger.path), delay=0)
    assert third.census()[:3] == (1, 0, 1)
    third.ledger.close()


@pytest.mark.parametrize("options", [{}, {"cap": 40}, {"merge": "sum"}, {"merge": "last", "cap": 40}])
async def test_no_statement_walks_over_all_urls(ledger, options):
    statements = set()
    frontier = SqliteFrontier(ledger, delay=0, **options)
    ledger._connection.set_trace_callback(statements.add)
    await frontier.add(link(number, number % 7, f"h{number % 5}") for number in range(60))
    for now in range(20):
        for claim in await frontier.claim(3, float(now)):
            outcome = PAGE if now % 3 else Outcome("timeout", final=False)
            found = [link(f"{now}-{number % 30}", number % 11) for number in range(63)]
            await frontier.settle(claim, outcome, found, float(now))
    await frontier.reprioritise([(link(7, host="h2").url, 5.0), (link(8, host="h3").url, 1.0)])
    ledger.commit()
    ledger._connection.set_trace_callback(None)
    plans = {statement: _plan(ledger, statement) for statement in statements if _plannable(statement)}
    assert len(plans) > 10
    for statement, plan in plans.items():
        assert not re.search(r"SCAN (known|origin|page|best_waiting)\b(?! USING INDEX known_by_)|TEMP B-TREE", plan), (
            statement,
            plan,
        )


async def test_opening_walks_over_no_urls_either(ledger, tmp_path):
    frontier = SqliteFrontier(ledger, delay=0)
    await frontier.add(link(number, number % 7, f"h{number % 5}") for number in range(60))
    await frontier.claim(3, 0.0)
    statements = set()
    again = Ledger(tmp_path / "other.sqlite")
    again._connection.set_trace_callback(statements.add)
    SqliteFrontier(again)
    again._connection.set_trace_callback(None)
    for statement in filter(_plannable, statements):
        plan = _plan(ledger, statement)
        assert not re.search(r"SCAN (known|origin)\b(?! USING (COVERING )?INDEX known_claimed)", plan), (
            statement,
            plan,
        )
    again.close()


def _plannable(statement):
    return statement.lstrip().split()[0] in {"SELECT", "UPDATE", "INSERT", "DELETE", "REPLACE"}


def _plan(ledger, statement):
    return " | ".join(row[3] for row in ledger.read(f"EXPLAIN QUERY PLAN {statement}"))


async def test_a_lookup_of_more_links_than_fit_one_statement_finds_them_all(ledger):
    frontier = SqliteFrontier(ledger)
    links = [link(number) for number in range(1000)]
    assert await frontier.add(links) == 1000
    frontier._seen = SeenCache(2)
    assert await frontier.add(links) == 0


async def test_memory_does_not_grow_with_the_pages_fetched(ledger):
    frontier = SqliteFrontier(ledger, delay=0)
    await frontier.add([link(0)])
    for page in range(3000):
        [claim] = await frontier.claim(1, float(page))
        await frontier.settle(claim, PAGE, [link(page + number) for number in range(5)], float(page))
        ledger.commit()
    calendar = frontier._calendar
    assert len(calendar._ready) + len(calendar._resting) + len(frontier._leases) + len(calendar.changed) < 200


def test_a_floor_holds_for_its_url_alone():
    seen = SeenCache(8)
    a, b = link("a", 0.5), link("b", 0.5)
    seen[key_of(a.url)] = 0.5
    assert [candidate for _, candidate in seen.above([a, b])] == [b]
    assert [candidate for _, candidate in seen.above([a._replace(priority=0.6)])] == [a._replace(priority=0.6)]
    seen[key_of(a.url) + 8] = 9.0
    assert seen.above([a]), "another link took its slot"
