"""Draw the pictures of docs/design/how-thresher-chooses.md, and print the figures that its text has from them.

    python benchmarks/choosing_pictures.py docs/pictures/choosing

`judge.svg` is what the judge `terms` says of pages of 500 words; `harvest.svg`, `dry.svg` and `priority.svg` are from crawls of a
generated web of 3,000 pages on 40 hosts, by the same loop as a live crawl. The same code gives the same pictures.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from thresher.budget import Budget
from thresher.chart import GREY, Axes, Ink, Line, Span, clean, framed, grid_x, line_chart, px, room_for, ticks
from thresher.disk.atomic_file import write_whole
from thresher.judge.terms import TermsJudge
from thresher.lab.run.crawl_measures import Fetch
from thresher.lab.run.task import Task, WebSource
from thresher.lab.run.trial import Trial, Workbench, crawled, parts, run
from thresher.model import Page, Url
from thresher.strategy.apprentice import Apprentice
from thresher.topic import Topic

BLUE, GREEN, PINK, ORANGE = "#0072b2", "#009e73", "#cc79a7", "#d55e00"
RULE = Ink(GREY, "2 3", 1.5, strong=True)
WEB = WebSource("choosing", generated={"size": 3000, "hosts": 40, "seed": 5})
TASK = Task(WEB, "eye", "iris", "eye pupil cornea retina", relevant=["eye"], ontologies=())
STRATEGIES = {
    "apprentice": Ink(BLUE, "", 2.4, strong=True),
    "best-first": Ink(GREEN, "6 3", 2.0, strong=True),
    "breadth-first": Ink(ORANGE, "14 4", 2.0, strong=True),
}
LEARNT_FROM = 150
"""The visit after which two links are compared."""
SHOWN = 1000
"""Fetches in a picture: afterwards nothing happens."""
ROW = 20


# ── what a judge says of a page ──


def judged() -> str:
    judge = TermsJudge(Topic.of("regular expression"))

    def line(name: str, colour: str, dash: str, said: str, **more: object) -> Line:
        pages = (Page(Url("http://a.example/"), main=_prose(said, times), **more) for times in range(21))  # type: ignore[arg-type]
        return Line(name, [judge.judge(page).relevance for page in pages], ink=Ink(colour, dash, 2.0, strong=True))

    lines = [
        line("together, and in the title", BLUE, "", "regular expression", title="Regular expressions"),
        line("the two words together", GREEN, "6 3", "regular expression"),
        line("both words, never together", PINK, "8 3 2 3", "regular a b c d expression"),
        line("one of the words alone", ORANGE, "14 4", "regular"),
        Line("threshold", [judge.threshold] * 21, ink=RULE),
    ]
    _tell("judge", lines)
    axes = Axes(
        "Relevance by how often the words occur", "times that they occur on a page of 500 words", "relevance", 0
    )
    return line_chart(axes, lines)


def _prose(said: str, times: int) -> str:
    """500 words, with what is said spread evenly over them."""
    many = len(said.split())
    gap = (500 - times * many) // (times + 1)
    return " ".join([*(f"{'word ' * gap}{said}" for _ in range(times)), "word " * (500 - times * (gap + many))])


# ── what strategies find, and when it dries up ──


def harvests(bench: Workbench) -> tuple[str, str]:
    crawls = {name: _fetches(name, bench) for name in STRATEGIES}
    found = [
        Line(name, list(accumulate(each.relevant for each in fetches)), ink=STRATEGIES[name])
        for name, fetches in crawls.items()
    ]
    _tell("harvest", found, (99, 299, 599, 999))
    axes = Axes("Relevant pages found, by strategy", "fetches", "relevant pages found, by the web's own labels")
    return line_chart(axes, [replace(line, values=line.values[:SHOWN]) for line in found]), _dry(crawls["apprentice"])


def _fetches(strategy: str, bench: Workbench) -> list[Fetch]:
    return run(Trial(_task(bench), "far", {"name": strategy}, pages=WEB.generated["size"]), bench)[1]


def _task(bench: Workbench) -> Task:
    """From a page that is not about the topic."""
    web = bench.web(WEB)
    return replace(TASK, far=[min(url for url, labels in web.labelled() if "eye" not in labels)])


def _dry(fetches: Sequence[Fetch]) -> str:
    usual = Budget()
    said = [each.relevance >= 0.5 for each in fetches]
    first = usual.dry_window
    recent = [sum(said[end - first : end]) / first for end in range(first, len(said) + 1)]
    stop = next((first + place for place, share in enumerate(recent) if share < usual.dry_share), None)
    print(f"dry: {sum(said)} pages called relevant, {sum(said[:stop])} of them in the {stop} fetches before the end")
    lines = [
        Line("of the last 1,000", recent[:SHOWN], ink=STRATEGIES["apprentice"]),
        Line("dry_share", [usual.dry_share] * min(SHOWN, len(recent)), ink=RULE),
    ]
    title = "Share of relevant pages among the last 1,000 fetches"
    return line_chart(Axes(title, "fetches", "share of the last 1,000 fetches that was relevant", first), lines)


# ── what a priority is made of ──


def priorities(bench: Workbench) -> str:
    task = _task(bench)
    trial = Trial(task, "far", {"name": "apprentice"}, pages=LEARNT_FROM)
    strategy, judge = parts(trial, bench.known(task))
    assert isinstance(strategy, Apprentice)
    _, notebook = asyncio.run(crawled(trial, bench.web(WEB), strategy, judge))
    for fetch in reversed(notebook.fetches):
        page = bench.web(WEB).page(fetch.url)
        waiting = {link: strategy.learner.shares(link.target) for link in page.links} if page else {}
        known = {
            link: shares for link, shares in waiting.items() if shares and not _visited(link.target, notebook.fetches)
        }
        if fetch.relevance >= 0.5 and len(known) > 1:
            ranked = sorted(known, key=lambda link: -sum(known[link].values()))
            best, last = ranked[0], ranked[-1]
            told = [f"“{link.anchor}” ({link.target})" for link in (best, last)]
            print(f"priority: links of {fetch.url} after {LEARNT_FROM} visits: {told[0]} before {told[1]}")
            return bars({best.anchor: known[best], last.anchor: known[last]})
    raise SystemExit("no relevant page has two links that wait")


def _visited(url: Url, fetches: Sequence[Fetch]) -> bool:
    return any(each.url == url for each in fetches)


def bars(links: Mapping[str, Mapping[str, float]], width: int = 800) -> str:
    """What each feature adds to the priority of two links, those first that tell them apart most."""
    (one, first), (other, second) = links.items()
    names = sorted(first, key=lambda name: -abs(first[name] - second[name]))[:10]
    ends = [0.0, *(shares[name] for shares in links.values() for name in names)]
    across = Span(min(ends), max(ends), room_for(names) + 20, width - 20)
    bottom = 44 + 1.6 * ROW * len(names)
    drawn = [*grid_x(across, (bottom, 36), ticks(across.low, across.high, 6))]
    for place, (name, shares, colour) in enumerate(((one, first, BLUE), (other, second, ORANGE))):
        told = f"“{name}”: {sum(shares.values()):.2f}".replace("-", "−")
        drawn.append(f'<text x="{px(across.start)}" y="{14 + 16 * place}" fill="{colour}">{clean(told)}</text>')
    for row, name in enumerate(names):
        y = 44 + 1.6 * ROW * row
        drawn.append(f'<text x="{px(across.start - 10)}" y="{px(y + 14)}" text-anchor="end">{clean(name)}</text>')
        drawn += [
            _bar(across, y + 12 * place, shares[name], colour)
            for place, (shares, colour) in enumerate(((first, BLUE), (second, ORANGE)))
        ]
        print(f"priority: {name} {first[name]:+.2f} {second[name]:+.2f}")
    drawn.append(f'<text x="{px(width / 2)}" y="{px(bottom + 34)}" text-anchor="middle">added to the priority</text>')
    return framed("What the priorities of two links are made of", width, int(bottom + 42), drawn)


def _bar(across: Span, y: float, value: float, colour: str) -> str:
    left, right = sorted((across.at(0.0), across.at(value)))
    return f'<rect x="{px(left)}" y="{px(y)}" width="{px(max(1.0, right - left))}" height="10" fill="{colour}"/>'


def _tell(picture: str, lines: Sequence[Line], at: Sequence[int] = (1, 3, 6, 12, 20)) -> None:
    for line in lines:
        print(
            f"{picture}: {line.name}:", ", ".join(f"{line.values[each]:.3g}" for each in at if each < len(line.values))
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with Workbench() as bench:
        harvest, dry = harvests(bench)
        pictures = {"judge": judged(), "harvest": harvest, "dry": dry, "priority": priorities(bench)}
    for name, svg in pictures.items():
        write_whole(folder / f"{name}.svg", svg.encode())


if __name__ == "__main__":
    main()
