"""Made-up experiments: runs whose fetches are known, measured as real ones are."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from thresher.lab.run.crawl_measures import Fetch, harvested, measure
from thresher.lab.run.results_file import Results, Run
from thresher.model import Url


def fetched(pattern: str, prefix: str = "page", depth: int = 2) -> list[Fetch]:
    """A fetch a letter: `r` is a relevant page, `.` another."""
    return [
        Fetch(Url(f"http://web.example/{prefix}-{place}"), depth, relevant=letter == "r")
        for place, letter in enumerate(pattern)
    ]


def row(topic: str, strategy: str, fetches: Sequence[Fetch], pages: int = 20, **given: Any) -> Run:
    """The row that a run with these fetches has."""
    web, task = topic.split("/", 1)
    figures = asdict(measure(fetches, pages, [each.url for each in fetches if each.relevant]))
    del figures["budget"]
    places = {each.url: number for number, each in enumerate(fetches, 1)}
    figures |= {
        "recall": {str(mark): share for mark, share in figures["recall"].items()},
        "curve": tuple(places[each.url] for each in harvested(fetches, pages)),
        "targets": 10,
        "cpu_s": 1.5,
        "stopped": "pages" if len(fetches) >= pages else "empty",
    }
    return Run(**{"web": web, "task": task, "seeds": "near", "strategy": strategy, "pages": pages, **figures, **given})


def kept(results: Results, topic: str, strategy: str, fetches: Sequence[Fetch], **given: Any) -> Run:
    """A run that was kept with its fetches."""
    run = row(topic, strategy, fetches, **given)
    results.keep(run, fetches)
    return run


def experiment(results: Results, skills: Mapping[str, float], tasks: int = 12, pages: int = 20) -> Results:
    """Strategies of different skill, the chance that a fetch is relevant, on so many tasks from near and far."""
    for number in range(tasks):
        for seeds in ("near", "far"):
            for strategy, skill in skills.items():
                lot = random.Random(f"{number} {seeds} {strategy}")
                pattern = "".join("r" if lot.random() < skill else "." for _ in range(pages))
                fetches = fetched(pattern, f"{number}-{strategy if skill < 0.5 else 'good'}")
                kept(results, f"web/task-{number:02d}", strategy, fetches, pages=pages, seeds=seeds)
    return results
