import asyncio
import random

import pytest
from tests.crawl.local import archived, catalogued, crawl_file, finish, kill, shown, start

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

KILLS = 20


@pytest.mark.slow
async def test_a_crawl_killed_twenty_times_loses_nothing_and_fetches_nothing_twice(tmp_path):
    web = generate(size=2000, hosts=20, seed=3)
    folder, moments = tmp_path / "crawl", random.Random(20)
    settled: set[str] = set()
    kills = 0
    async with serve(web, delay=0.02) as server:
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, workers=2, store={"rotate_bytes": 300_000})
        while kills < KILLS:
            before = len(server.log)
            process = start("crawl", crawl, "--quiet")
            # A kill counts once the crawl is under way: then at any moment of it.
            while len(server.log) == before and process.poll() is None:
                await asyncio.sleep(0.002)
            await asyncio.sleep(moments.uniform(0.0, 1.7))
            assert process.poll() is None, process.communicate()
            await asyncio.to_thread(kill, process)
            kills += 1
            asked_again = {page_url(answered) for answered in server.log[before:]} & settled
            assert not asked_again
            settled = set(catalogued(folder))
            print(f"{len(settled)} pages settled after kill {kills}")
        assert 500 < len(settled) < 2000, (
            "the kills must fall all over the crawl, and it must not be over before the last"
        )
        before = len(server.log)
        assert await asyncio.to_thread(finish, start("crawl", crawl, "--quiet")) == 0
        assert not {page_url(answered) for answered in server.log[before:]} & settled
        answered = {page_url(answered) for answered in server.log if answered.path != "/robots.txt"}
        port = server.port
    assert set(web.urls(port)) <= answered
    assert len(catalogued(folder)) == len(set(catalogued(folder)))
    assert set(catalogued(folder)) == answered
    assert sorted(archived(folder)) == sorted(catalogued(folder))
    assert shown(folder)["stopped"] == "empty"


def page_url(answered):
    return f"http://{answered.host}{answered.path}"
