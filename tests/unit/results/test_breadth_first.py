"""The beginning of a breadth-first crawl, estimated from another crawl, and held against a real one."""

import pytest
from tests.unit.results.changing_web import IRIS, ChangingWeb, Served, crawled, page, serving

from thresher.results.archive import Archive
from thresher.results.breadth_first_estimate import breadth_first_estimate
from thresher.store.totals import counts

BREAD = "Flour, water and salt, kneaded and baked."
LINKS, EVERY = 60, 3


def site():
    """A root that links to sixty pages, a third of them on topic, each of which links to four more of its kind."""
    pages = {"/": Served(page(links=[f"/p{number}" for number in range(LINKS)]))}
    for number in range(LINKS):
        words = f"{IRIS} {number}" if number % EVERY == 0 else f"{BREAD} {number}"
        pages[f"/p{number}"] = Served(
            page(words, [f"/p{number}/{deeper}" for deeper in range(4)], title=f"Page {number}")
        )
        pages |= {
            f"/p{number}/{deeper}": Served(page(f"{words} {deeper}", title=f"{number} {deeper}")) for deeper in range(4)
        }
    return ChangingWeb(pages)


async def estimated(folder, strategy, budget):
    async with serving(site()) as served:
        await crawled(folder, served, strategy={"name": strategy}, budget={"pages": budget, "dry_share": 0.0})
    with Archive.open(folder) as archive:
        return breadth_first_estimate(archive), counts(archive.read)


async def test_where_the_crawl_has_fetched_all_that_breadth_first_begins_with_nothing_is_estimated(tmp_path):
    found, _ = await estimated(tmp_path / "crawl", "best-first", 400)
    assert (found.seeds, found.links, found.seen) == (1, LINKS, 1.0)
    _, real = await estimated(tmp_path / "real", "breadth-first", 1 + LINKS)
    assert found.relevant == real.relevant
    assert found.at(found.fetched) == found.relevant
    assert found.curve[-1] == (1 + LINKS, found.relevant)


async def test_what_was_passed_over_counts_as_pages_of_the_same_priority_did(tmp_path):
    found, own = await estimated(tmp_path / "crawl", "apprentice", 120)
    assert (found.seeds, found.links) == (1, LINKS)
    assert 0 < found.seen < 1
    _, real = await estimated(tmp_path / "real", "breadth-first", 1 + LINKS)
    assert found.relevant == pytest.approx(real.relevant, abs=8)
    assert own.relevant / own.fetched > found.relevant / found.fetched, "the strategy is worth something here"


async def test_a_breadth_first_crawl_is_its_own_expectation_and_a_short_one_says_nothing(tmp_path):
    assert (await estimated(tmp_path / "breadth", "breadth-first", 100))[0] is None
    assert (await estimated(tmp_path / "short", "best-first", 20))[0] is None
