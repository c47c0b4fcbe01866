"""What is fetched next, and why."""

import time

import pytest
from tests.unit.results.watch.busy_web import BusyWeb, crawl

from thresher.results.archive import Archive
from thresher.results.watch.signs import SIGNS
from thresher.results.watch.waiting import outlook, spread_of_scores, why_next
from thresher.results.why.explanation import why
from thresher.strategy.link_features import FEATURES


def test_the_next_ones_come_with_the_parts_of_their_priority(archive):
    found, reasons = outlook(archive, time.time()).upcoming, why_next(archive, time.time())
    assert len(found) == 20
    assert [each.address for each in found] == list(reasons)
    for each in found:
        step = why(archive, each.address).way[-1]
        assert step.candidate.priority == each.priority
        strongest = max(
            (part for part in step.parts.evidence if part.what != "bias"), key=lambda part: abs(part.amount)
        )
        sign = "+" if strongest.amount > 0 else "−"
        assert reasons[each.address].startswith(f"{SIGNS[strongest.what]} {sign}{abs(strongest.amount):.2f}, ")


def test_every_sign_of_the_apprentice_has_words():
    assert SIGNS.keys() == set(FEATURES)
    assert len(set(SIGNS.values())) == len(FEATURES)


def test_all_that_waits_is_counted(archive):
    found, spread = outlook(archive, time.time()), spread_of_scores(archive)
    assert found.waiting == sum(queue.waiting for queue in found.queues) == sum(spread.counts) > 100
    assert max(queue.best for queue in found.queues) == pytest.approx(spread.edges[-1])


def test_what_was_told_is_fetched_when_the_crawl_goes_on(tmp_path):
    path = crawl(tmp_path / "crawl", budget={"pages": 80, "dry_share": 0.0})
    with Archive.open(path) as archive:
        told = outlook(archive, time.time()).upcoming
    crawl(path, BusyWeb(), budget={"pages": 81, "dry_share": 0.0})
    with Archive.open(path) as archive:
        (url,) = archive.read("SELECT url FROM visit WHERE number = (SELECT max(number) FROM visit)").fetchone()
    assert url == told[0].address


def test_a_crawl_that_has_not_begun_waits_for_its_seed(tmp_path):
    path = crawl(
        tmp_path / "crawl", budget={"pages": 1, "dry_share": 0.0}, scope={"deny_hosts": ["weekendalmanac.example"]}
    )
    with Archive.open(path) as archive:
        found = outlook(archive, time.time())
        assert why_next(archive, time.time()) == {}
    assert (found.waiting, found.upcoming, found.queues) == (0, (), ())
