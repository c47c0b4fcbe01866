"""`kill -9` at any moment: nothing is lost, and what is asked for again was under way or answered just before."""

import random

import pytest
from tests.crawl.killer import JUST_BEFORE, Killer
from tests.crawl.local import catalogued, crawl_file

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

KILLS = 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "size", "pace"),
    [
        (0, 3000, {"workers": 2, "delay": 0.02}),
        (1, 3000, {"workers": 2, "delay": 0.02}),
        # So large that no machine has fetched all of it before the last kill.
        # A strategy that costs little keeps the rest of it short.
        (0, 40_000, {"workers": 16, "delay": 0.0, "strategy": {"name": "best-first"}}),
        (1, 40_000, {"workers": 16, "delay": 0.0, "strategy": {"name": "best-first"}}),
    ],
    ids=["slow", "slow, with a hand", "at full speed", "at full speed, with a hand"],
)
async def test_a_crawl_killed_twenty_times_loses_nothing_and_repeats_only_its_last_moment(tmp_path, hands, size, pace):
    web = generate(size=size, hosts=20, seed=3)
    folder = tmp_path / "crawl"
    tables = {key: value for key, value in pace.items() if key != "delay"}
    tables |= {"store": {"rotate_bytes": 300_000}, "hands": {"count": hands}}
    async with serve(web, delay=pace["delay"]) as server:
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, **tables)
        killer = Killer(server, crawl, folder, random.Random(20))
        for number in range(KILLS):
            # Two runs are longer than what a kill may cost, or all of it could be asked for again.
            await killer.run_and_kill(size // KILLS, 2 * JUST_BEFORE if number in {5, 10} else 0.0)
        assert 500 < len(catalogued(folder)) < size, "kills fall all over the crawl, and it is not over before the last"
        await killer.run_to_the_end()
    print(f"{killer.repeats} of {len(catalogued(folder))} urls were asked for again after {KILLS} kills")
    killer.check_whole(web)
    assert killer.under_way == 0, "no hand was lost, so nothing is asked for again that was answered long before a kill"
