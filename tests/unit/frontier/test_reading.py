"""A frontier read from its file, as another process reads it."""

import pytest

from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier
from thresher.frontier.reading import host_names, is_known, place_of, urls_of_host, waiting
from thresher.model import Candidate, Outcome, Url


def link(path, priority=1.0):
    return Candidate(Url(f"https://{path}"), priority, 1, Url("https://seed.example/"), "an anchor")


@pytest.fixture
async def read(tmp_path):
    ledger = Ledger(tmp_path / "crawl.sqlite")
    frontier = SqliteFrontier(ledger)
    await frontier.add(
        [link("a.example/best", 9.0), link("a.example/1", 3.0), link("a.example/2"), link("b.example/", 2.0)]
    )
    (claim,) = await frontier.claim(1, now=0.0)
    await frontier.settle(claim, Outcome("page"), [], now=0.0)
    await frontier.claim(1, now=0.0)
    ledger.commit()
    yield ledger.read
    ledger.close()


async def test_what_is_lent_waits_too(read):
    assert waiting(read) == 3


async def test_a_url_is_known_whether_it_waits_or_is_settled(read):
    assert is_known(read, Url("https://a.example/best"))
    assert is_known(read, Url("https://a.example/2"))
    assert not is_known(read, Url("https://a.example/3"))


async def test_hosts_and_their_urls_are_listed(read):
    assert sorted(host_names(read)) == ["a.example", "b.example"]
    assert urls_of_host(read, "a.example") == [f"https://a.example/{name}" for name in ("best", "1", "2")]
    assert urls_of_host(read, "c.example") == []


async def test_a_url_has_a_place_in_the_queue_of_its_host(read):
    place = place_of(read, Url("https://a.example/2"), {})
    assert place.candidate == link("a.example/2")
    assert (place.host, place.claimed, place.tries, place.waiting, place.closed) == ("a.example", False, 0, 3, "")
    claimed = [place_of(read, Url(f"https://{path}"), {}).claimed for path in ("a.example/1", "b.example/")]
    assert sum(claimed) == 1


async def test_a_settled_or_unknown_url_has_no_place(read):
    assert place_of(read, Url("https://a.example/best"), {}) is None
    assert place_of(read, Url("https://a.example/3"), {}) is None


async def test_a_host_is_closed_when_its_quota_is_used_up(read):
    assert place_of(read, Url("https://a.example/2"), {"quota": 1}).closed == "its quota of 1 urls is used up"
    assert place_of(read, Url("https://a.example/2"), {"quota": 100}).closed == ""
