"""What a frontier will do next, as another process reads it from the file."""

from math import inf

import pytest

from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier
from thresher.frontier.options import FrontierOptions
from thresher.frontier.outlook import next_up, queues, rests, scores, settled_of_host
from thresher.model import Candidate, Outcome, Url

SEED = Url("https://seed.example/")


def link(path, priority=1.0):
    return Candidate(Url(f"https://{path}"), priority, 1, SEED, "an anchor")


@pytest.fixture
def ledger(tmp_path):
    ledger = Ledger(tmp_path / "crawl.sqlite")
    yield ledger
    ledger.close()


async def settled(frontier, now, **outcome):
    """Lend the next url and settle it."""
    (claim,) = await frontier.claim(1, now=now)
    await frontier.settle(claim, Outcome(**{"name": "page", **outcome}), [], now=now)
    return claim.url


async def test_what_is_told_to_be_next_is_what_is_lent(ledger):
    keys = {"delay": 2.0, "spread": 2}
    frontier = SqliteFrontier(ledger, **keys)
    spread = [link(f"{host}.example/{page}", (7 * host + 5 * page) % 11) for host in range(6) for page in range(5)]
    await frontier.add(spread)
    for _ in range(3):
        await settled(frontier, 100.0)
    ledger.commit()
    told = next_up(ledger.read, FrontierOptions(**keys), 100.0, most=12)
    lent, now = [], 100.0
    while len(lent) < 12:
        claims = await frontier.claim(1, now=now)
        if claims:
            await frontier.settle(claims[0], Outcome("page"), [], now=now)
            lent.append((claims[0].url, now))
        else:
            now = frontier.due()
    assert [(each.url, each.at) for each in told] == lent


async def test_a_waiting_url_says_where_it_was_found(ledger):
    frontier = SqliteFrontier(ledger)
    await frontier.add([link("a.example/1", 2.0)])
    ledger.commit()
    (told,) = next_up(ledger.read, FrontierOptions(), 0.0)
    assert (told.host, told.priority, told.parent, told.anchor, told.depth) == ("a.example", 2.0, SEED, "an anchor", 1)


async def test_a_host_that_gave_bad_answers_rests_because_of_them(ledger):
    frontier = SqliteFrontier(ledger, delay=1.0)
    await frontier.add([link("a.example/1"), link("a.example/2")])
    await settled(frontier, 10.0, name="timeout", final=False, strain=True)
    ledger.commit()
    found = rests(ledger.read, FrontierOptions(), 10.5)
    (host,) = found.hosts
    assert (host.host, host.why, host.until, host.strains, host.waiting) == ("a.example", "back-off", 12.0, 1, 2)
    assert (found.counts, found.waiting_hosts) == ({"back-off": 1}, 1)
    assert rests(ledger.read, FrontierOptions(), 12.5).counts == {}


async def test_a_crawl_delay_is_told_apart_from_the_usual_pause(ledger):
    frontier = SqliteFrontier(ledger, delay=1.0)
    await frontier.add([link("a.example/1"), link("a.example/2"), link("b.example/1"), link("b.example/2")])
    await settled(frontier, 10.0, delay=20.0)
    await settled(frontier, 10.0)
    ledger.commit()
    found = rests(ledger.read, FrontierOptions(), 10.5)
    assert [(each.host, each.why, each.gap) for each in found.hosts] == [("a.example", "crawl-delay", 20.0)]
    assert found.counts == {"crawl-delay": 1, "delay": 1}


async def test_a_host_that_says_when_to_come_back_is_left_alone_till_then(ledger):
    frontier = SqliteFrontier(ledger, delay=1.0)
    await frontier.add([link("a.example/1"), link("a.example/2")])
    await settled(frontier, 10.0, name="http-503", final=False, rest=100.0)
    ledger.commit()
    (host,) = rests(ledger.read, FrontierOptions(), 11.0).hosts
    assert (host.why, host.until) == ("asked to wait", 110.0)


async def test_a_host_that_was_given_up_or_whose_quota_is_used_up_is_closed(ledger):
    frontier = SqliteFrontier(ledger, delay=0.0)
    await frontier.add([link("a.example/1"), link("a.example/2")])
    await settled(frontier, 10.0)
    ledger.commit()
    (host,) = rests(ledger.read, FrontierOptions(quota=1), 99.0).hosts
    assert (host.why, host.until) == ("quota", inf)
    assert next_up(ledger.read, FrontierOptions(quota=1), 99.0) == []


async def test_queues_and_scores_say_what_waits_where(ledger):
    frontier = SqliteFrontier(ledger)
    await frontier.add([link(f"a.example/{page}", page) for page in range(5)] + [link("b.example/", 9.0)])
    ledger.commit()
    assert [(each.host, each.waiting, each.best) for each in queues(ledger.read, FrontierOptions())] == [
        ("a.example", 5, 4.0),
        ("b.example", 1, 9.0),
    ]
    spread = scores(ledger.read, bins=3)
    assert (spread.counts, spread.edges, spread.each) == ((3, 2, 1), (0.0, 3.0, 6.0, 9.0), 1)


async def test_the_settled_urls_of_a_host_come_in_the_order_they_were_found(ledger):
    frontier = SqliteFrontier(ledger, delay=0.0)
    await frontier.add(
        [link("a.example/1", 1.0), link("b.example/", 2.0), link("a.example/2", 3.0), link("a.example/3", 0.5)]
    )
    for _ in range(3):
        await settled(frontier, 10.0)
    ledger.commit()
    assert settled_of_host(ledger.read, "a.example", 10) == ["https://a.example/1", "https://a.example/2"]
    assert settled_of_host(ledger.read, "a.example", 10, skip=1) == ["https://a.example/2"]


async def test_of_a_single_host_all_that_is_wanted_is_told(ledger):
    frontier = SqliteFrontier(ledger)
    await frontier.add([link(f"a.example/{page}", page) for page in range(30)])
    ledger.commit()
    assert [each.priority for each in next_up(ledger.read, FrontierOptions(), 0.0, 25)] == list(range(29, 4, -1))


async def test_a_file_that_knows_of_no_turns_is_read_too(ledger):
    frontier = SqliteFrontier(ledger)
    await frontier.add([link("a.example/1")])
    ledger.commit()
    ledger.write("DROP TABLE alike")
    assert [each.host for each in next_up(ledger.read, FrontierOptions(), 0.0)] == ["a.example"]
