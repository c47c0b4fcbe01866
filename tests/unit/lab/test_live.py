"""The same crawl, replayed and over real HTTP, takes the same way."""

import asyncio
import subprocess
import sys

import pytest
from tests.unit.lab.task_files import recorded

from thresher.assembly import assembled
from thresher.disk.folder import CrawlFolder
from thresher.lab.run.task_web import NofollowIgnoringParser
from thresher.lab.webs.generated import generate
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.serve import serve, serve_recording
from thresher.polite.robots import PoliteFetcher
from thresher.settings import settle_settings


async def thresher(*arguments):
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    return await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=120, check=False)


async def visited(folder, recording, seeds, pages, proxy=None, **how):
    """The urls that a crawl asks for, in order, and whether a page came; by way of the proxy, or of no socket."""
    wanted = {
        "topic": "health disease",
        "seeds": seeds,
        "workers": 1,
        "polite": {"delay": 0, "allow_private": True},
        "budget": {"pages": pages, "dry_share": 0.0},
        "scope": {"deny_prefixes": list(recording.deny)},
        "fetch": {"proxy": proxy} if proxy else {},
        **how,
    }
    place = CrawlFolder(folder)
    async with assembled(place, settle_settings(place, wanted, "here")) as crawl:
        if proxy is None:
            crawl.fetcher = PoliteFetcher(Replay(recording), Replay(recording, types=()), pause=0)
        crawl.parser = NofollowIgnoringParser()
        await crawl.run()
        return [(visit.url, visit.outcome.name == "page") for visit in crawl.store.visits() if visit.asked]


async def both(tmp_path, recording, seeds, pages, **how):
    async with serve_recording(recording) as server:
        live = await visited(tmp_path / "live", recording, seeds, pages, f"http://127.0.0.1:{server.port}", **how)
    replayed = await visited(tmp_path / "replayed", recording, seeds, pages, **how)
    return live, replayed


async def test_what_lab_record_makes_of_a_live_web_is_crawled_alike_live_and_replayed(tmp_path):
    async with serve(generate(size=150, hosts=8, seed=5)) as server:
        names = ",".join(f'"{host}"="127.0.0.1"' for host in server.web.atlas.hosts)
        seed = next(server.web.urls(server.port))
        options = ["--allow-private", "--delay", 0, "--pages", 100, "--set", f"fetch.resolve={{{names}}}"]
        out = ["--into", tmp_path / "web", "--warc", tmp_path / "web.warc.gz"]
        done = await thresher("lab", "record", "--seed", seed, *options, *out)
    assert done.returncode == 0, done.stderr
    assert f'warc = "{tmp_path / "web.warc.gz"}"' in done.stderr
    with Recording.open(tmp_path / "web") as folder, Recording.open(tmp_path / "web.warc.gz") as file:
        assert list(folder.urls()) == list(file.urls())
        assert len(folder) == 100
        assert [folder.read(url) for url in folder.urls()] == [file.read(url) for url in file.urls()]
        live, replayed = await both(tmp_path, folder, [seed], 120)
    assert replayed == live
    assert len(live) == 120
    assert 50 < sum(page for _, page in live) < 120, "links to what was not recorded are asked for, and are not there"


@pytest.mark.slow
@pytest.mark.parametrize(("web", "name"), [("womenshealth", "mental-health"), ("schools", "health")])
@pytest.mark.parametrize("strategy", ["breadth-first", "best-first"])
async def test_recorded_webs_are_crawled_alike_live_and_replayed(tmp_path, web, name, strategy):
    task = recorded(web)[name]
    with Recording.open(task.web.paths, deny=task.web.deny) as recording:
        live, replayed = await both(tmp_path, recording, task.seeds("near"), 150, strategy=strategy)
    assert replayed == live
    assert len(live) == 150
