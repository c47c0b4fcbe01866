"""How fast does the lab crawl, against a live crawl of the same web over loopback HTTP in the same run?

    python benchmarks/lab_speed.py

`best-first` crawls a generated web that was recorded into a WARC file, and the recorded web `schools` if it lies in `../shared/webs` or
in the folder named: by `thresher.lab.run.trial.run`, as `thresher lab run` does, and live, by the crawler itself through a proxy that
serves the recording, with its WARC files and its SQLite frontier, one page at a time as in the lab. The lab is measured twice: the
first crawl of a web reads its pages, and those after it, which are most of an experiment, find them read. The crawls are pinned to one
core, the proxy to another. Pages a second are told by the CPU time of the crawling process, which other work on the machine changes
least, and by the clock. The last line for each web is the ratio of the medians by CPU time, of later crawls to live ones.
"""

import argparse
import asyncio
import hashlib
import multiprocessing
import os
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from thresher.assembly import assembled
from thresher.disk.folder import CrawlFolder
from thresher.lab.run.task import Task, read_tasks
from thresher.lab.run.task_web import NofollowIgnoringParser, ParseCache
from thresher.lab.run.trial import Trial, Workbench, run
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.serve import serve_recording
from thresher.lab.webs.web_pages import WebPages
from thresher.settings import settle_settings
from thresher.urls import canonical
from thresher.warc.format import records

TARGET = 500
"""Pages a second that the lab should reach on one core."""
ROWS = {"live": "live", "first": "lab, first crawl", "later": "lab, later crawls"}
SHAPE = {"links": 63, "words": 600, "dressed": True, "seed": 1}
SHARED = Path(__file__).resolve().parents[2] / "shared" / "webs"


class Lap(NamedTuple):
    """One crawl."""

    pages: int
    cpu: float
    seconds: float


def main():
    options = arguments()
    pin(0)
    with tempfile.TemporaryDirectory(prefix="lab-speed-") as folder:
        for task in (generated(Path(folder), options.pages), *schools(options.webs)):
            measure(task, options, Path(folder))


def arguments():
    parser = argparse.ArgumentParser(description="Pages a second of the lab, against a live crawl of the same web.")
    parser.add_argument("--pages", type=int, default=1000, help="pages a crawl (%(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="crawls of each, in turn; the median counts (%(default)s)"
    )
    parser.add_argument("--webs", type=Path, default=SHARED, help="where schools.toml lies (../shared/webs)")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.pages, options.rounds = 60, 1
    return options


def pin(core: int):
    """To one core, where the system lets us."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[core % len(cores)]})


# ── the webs ──


def generated(folder: Path, pages: int) -> Task:
    """A generated web, recorded."""
    web = generate(size=max(120, 3 * pages), hosts=12, **SHAPE)
    write(web, folder / "web.warc.gz")
    (folder / "labels.tsv").write_text("".join(f"{url}\t{web.topic_of(url)}\n" for url in web.urls()))
    (folder / "generated.toml").write_text(
        f'warc = "web.warc.gz"\nlabels = "labels.tsv"\n[[task]]\nname = "eye"\ntopic = "iris"\n'
        f'keywords = "eye pupil cornea retina"\nrelevant = ["eye"]\nnear = ["{next(web.urls())}"]\n'
    )
    return read_tasks(folder / "generated.toml")[0]


def write(web: GeneratedWeb, path: Path):
    """All pages of a web as a WARC file."""
    pages = WebPages(web)
    with path.open("wb") as file:
        for text in web.urls():
            response = pages.read(canonical(text))
            file.write(records(response, 1.7e9, hashlib.sha1(response.body).digest(), None).response)


def schools(webs: Path) -> list[Task]:
    if not (webs / "schools.toml").exists():
        print(f"note: there is no schools.toml in {webs}, so only the generated web is crawled")
        return []
    return [task for task in read_tasks(webs / "schools.toml") if task.name == "health"]


# ── the crawls ──


def measure(task: Task, options, folder: Path):
    trial = Trial(task, "near", {"name": "best-first"}, options.pages)
    bench = Workbench()
    run(Trial(task, "near", {"name": "best-first"}, 20), bench)  # what is worked out once: the index, the labels
    laps = {"live": [], "first": [], "later": []}
    with served(task) as proxy:
        for turn in range(options.rounds):
            bench.web(task.web).parser = ParseCache(NofollowIgnoringParser())
            for name in ("first", "later"):
                laps[name].append(timed(lambda: run(trial, bench)[0].fetched))
            place = CrawlFolder(folder / f"{task.web.name}-{turn}")
            laps["live"].append(timed(lambda place=place: asyncio.run(live(trial, proxy, place))))
    bench.close()
    tell(task, laps)


def timed(crawl) -> Lap:
    cpu, begun = time.process_time(), time.perf_counter()
    pages = crawl()
    return Lap(pages, time.process_time() - cpu, time.perf_counter() - begun)


async def live(trial: Trial, proxy: str, folder: CrawlFolder) -> int:
    """The same crawl as a user would run it."""
    wanted = {
        "topic": f"{trial.task.topic} {trial.task.keywords}",
        "seeds": trial.task.seeds("near"),
        "workers": 1,
        "strategy": dict(trial.strategy),
        "budget": {"pages": trial.pages, "dry_share": 0.0},
        "polite": {"delay": 0, "allow_private": True},
        "scope": {"deny_prefixes": list(trial.task.web.deny)},
        "fetch": {"proxy": proxy},
    }
    async with assembled(folder, settle_settings(folder, wanted, "here")) as crawl:
        await crawl.run()
        return crawl.tally.fetched


@contextmanager
def served(task: Task):
    """The recording behind a proxy, in a process of its own."""
    fresh = multiprocessing.get_context("spawn")
    ours, theirs = fresh.Pipe()
    server = fresh.Process(target=serve, args=(task, theirs), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        server.terminate()
        server.join()


def serve(task: Task, ready):
    async def forever():
        with Recording.open(task.web.paths, deny=task.web.deny) as recording:
            async with serve_recording(recording) as server:
                ready.send(server.port)
                await asyncio.Event().wait()

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))  # a child begins on its parent's core
    pin(1)
    asyncio.run(forever())


def tell(task: Task, laps: dict[str, list[Lap]]):
    print(f"{task.full_name}, best-first, {laps['live'][0].pages:,} pages")
    rates = {}
    for name, those in laps.items():
        rates[name] = median(lap.pages / lap.cpu for lap in those)
        clock = median(lap.pages / lap.seconds for lap in those)
        print(f"{ROWS[name]:<17} {rates[name]:7.0f} pages/s of CPU time {clock:7.0f} pages/s by the clock")
    for name in ("first", "later"):
        print(f"target {TARGET}, {ROWS[name]}: {'reached' if rates[name] >= TARGET else 'missed'}")
    print(f"ratio: {rates['later'] / rates['live']:.1f}")


if __name__ == "__main__":
    main()
