"""What do the strategies find on a web of many manuals? Ten topics, from a portal page, 600 fetches each.

    python benchmarks/documentation_harvest.py FOLDER [--strategy NAME …] [--judge NAME] [--pages 600] [--jobs 2] [--show TOPIC]

The web is made of Debian's packages once, in FOLDER (190 MB), and crawled as in the lab: no pauses, recorded answers. The pages that
count were chosen by hand (documentation/wanted.toml). The precision of the judge is that of the pages it calls relevant in these
crawls, as far as a person has judged them (documentation/judged.tsv); pages that nobody has judged are counted and left out. The last
line is the ratio of what the first strategy finds to what shark-search finds. Where Debian's packages cannot be had it says so, and ends.
"""

import argparse
import json
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from documentation.packages import PORTAL, CannotDownload, record

from thresher.cli.crawl_options import part_table
from thresher.lab.run.task import Task, read_tasks
from thresher.lab.run.trial import Trial, Workbench, run

HERE = Path(__file__).parent / "documentation"
STRATEGIES = ("apprentice", "shark-search", "best-first", "lokman:profile=robust", "breadth-first", "oracle-greedy")
RELEVANT = 0.5


class Found(NamedTuple):
    """What one crawl brought: wanted pages, all pages, and the urls that the judge called relevant."""

    strategy: str
    topic: str
    wanted: int
    of: int
    after: Sequence[int]
    kept: Sequence[str]


def wanted() -> dict[str, list[str]]:
    """The urls that count, by topic."""
    with (HERE / "wanted.toml").open("rb") as file:
        topics: Mapping[str, Mapping[str, list[str]]] = tomllib.load(file)
    return {
        topic: [f"http://{host}.test/{path}" for host, paths in hosts.items() for path in paths]
        for topic, hosts in topics.items()
    }


def tasks(folder: Path) -> list[Task]:
    """A task for each topic; the task file is written beside the web."""
    record(folder)
    topics = wanted()
    labels: dict[str, list[str]] = {}
    for topic, urls in topics.items():
        for url in urls:
            labels.setdefault(url, []).append(topic)
    (folder / "web.labels.tsv").write_text("".join(f"{url}\t{'|'.join(names)}\n" for url, names in labels.items()))
    quoted = json.dumps  # a string of JSON is a string of TOML
    lines = ['warc = "web.warc.gz"', 'labels = "web.labels.tsv"']
    for topic in topics:
        name = topic.replace(" ", "-")
        lines += ["[[task]]", f"name = {quoted(name)}", f"topic = {quoted(topic)}", f"relevant = [{quoted(topic)}]"]
        lines += [f"near = [{quoted(PORTAL)}]"]
    (folder / "web.toml").write_text("\n".join(lines))
    return read_tasks(folder / "web.toml")


def crawled(work: tuple[Path, str, Sequence[str], str, int]) -> list[Found]:
    """One topic under all strategies."""
    folder, name, strategies, judge, pages = work
    [task] = [each for each in read_tasks(folder / "web.toml") if each.name == name]
    found = []
    with Workbench() as bench:
        for strategy in strategies:
            row, fetches = run(
                Trial(task, "near", part_table(strategy, "--strategy"), pages, judge=part_table(judge, "--judge")),
                bench,
            )
            kept = [
                str(each.url) for each in fetches if each.page and each.relevance >= RELEVANT and not each.duplicate
            ]
            found.append(Found(strategy, task.topic, row.relevant, row.targets, row.curve, kept))
    return found


def judged() -> dict[tuple[str, str], bool]:
    """What a person said of pages, by topic and url."""
    rows = (line.split("\t") for line in (HERE / "judged.tsv").read_text().splitlines())
    return {(topic, url): verdict == "yes" for topic, url, verdict in rows}


def precision(found: Sequence[Found]) -> str:
    """Of the pages called relevant and judged by a person, how many are; and how many were judged."""
    known, called = judged(), [(each.topic, url) for each in found for url in each.kept]
    verdicts = [known[each] for each in called if each in known]
    share = f"{sum(verdicts) / len(verdicts):.2f}" if verdicts else "?"
    return f"{share} ({len(verdicts)} of {len(called)} judged)"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--judge", default="terms")
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", help="print the pages that the judge called relevant for this topic")
    given = parser.parse_args()
    strategies = given.strategy or list(STRATEGIES)
    try:
        names = [task.name for task in tasks(given.folder)]
    except CannotDownload as error:
        print(f"Debian's packages cannot be had here, so there is nothing to crawl: {error}")
        return
    rows = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for found in pool.map(crawled, [(given.folder, name, strategies, given.judge, given.pages) for name in names]):
            rows += found
            print(
                f"{found[0].topic:24}",
                *(f"{each.strategy} {each.wanted}/{each.of}" for each in found),
                sep="  ",
                flush=True,
            )
    report(rows, strategies)
    for each in rows:
        if given.show in {each.topic, "all"}:
            print(each.strategy, *each.kept, sep="\n    ")


def report(rows: Sequence[Found], strategies: Sequence[str]) -> None:
    """Sums over the topics, and the ratio."""
    sums = {}
    for strategy in strategies:
        own = [row for row in rows if row.strategy == strategy]
        sums[strategy] = sum(row.wanted for row in own)
        print(f"{strategy:28} wanted {sums[strategy]:3} of {sum(row.of for row in own)}   precision {precision(own)}")
    if sums.get("shark-search"):
        print(f"ratio: {sums[strategies[0]] / sums['shark-search']:.2f}")


if __name__ == "__main__":
    main()
