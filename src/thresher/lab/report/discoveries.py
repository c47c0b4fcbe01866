"""The last pages of a report: the hardest tasks, what only one strategy found, what two share, and who stopped early."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

from thresher.lab.report.document import Block, Bullets, Cell, Heading, Name, Paragraph, TableBlock, Words, heads
from thresher.lab.report.figures import NONE
from thresher.lab.report.findings import ORACLE, ExperimentFindings, share_of
from thresher.lab.report.headline import counted, listed
from thresher.lab.run.crawl_measures import Fetch, found_alone, harvested, url_overlap
from thresher.lab.run.results_file import Run
from thresher.lab.run.statistics import averaged
from thresher.model import Url

HARDEST = 5
EXAMPLES = 5
Crawled = list[tuple[Run, list[Fetch]]]


@dataclass(frozen=True, slots=True)
class TaskReach:
    """What was reached for one task, by all seed sets and repeats."""

    found: int
    """Relevant pages that any crawler found, however it was led."""
    distance: float | None
    """Links from a seed to a relevant page that was found, by the shortest way taken: the median."""
    alone: Mapping[str, list[Url]] = field(default_factory=dict)
    """By strategy, the relevant pages that no other strategy fetched."""
    overlap: Mapping[frozenset[str], float] = field(default_factory=dict)
    """By pair of strategies, the share of the budget spent on the same urls."""


def reaches(findings: ExperimentFindings, few: Sequence[str]) -> dict[str, TaskReach]:
    """What was reached for each task whose fetches were all kept; overlaps are told for a few strategies."""
    found = ((task, _crawled(findings, task)) for task in findings.tasks)
    return {task: _task_reach(crawled, few) for task, crawled in found if crawled}


def overlaps(by_task: Mapping[str, TaskReach]) -> dict[frozenset[str], float]:
    """The overlap of each pair of strategies, the mean over tasks."""
    told: dict[frozenset[str], list[float]] = defaultdict(list)
    for reach in by_task.values():
        for pair, share in reach.overlap.items():
            told[pair].append(share)
    return {pair: sum(shares) / len(shares) for pair, shares in told.items()}


def _crawled(findings: ExperimentFindings, task: str) -> Crawled | None:
    runs = [run for each in findings.on(task).values() for run in each]
    try:
        return [(run, findings.results.fetches(run)[: run.pages]) for run in runs]
    except FileNotFoundError:
        # Rows without their fetches are worth a report too; only this part of it needs both.
        return None


def _task_reach(crawled: Crawled, few: Sequence[str]) -> TaskReach:
    # What the oracle found was found with the labels in hand: it takes nothing from the others.
    guided = [(run, fetches) for run, fetches in crawled if run.strategy != ORACLE]
    found = {each.url for run, fetches in guided for each in harvested(fetches, run.pages)}
    return TaskReach(len(found), _distance(guided), _found_alone_by(guided), _overlap(crawled, few))


def _distance(crawled: Crawled) -> float | None:
    shortest: dict[tuple[str, Url], int] = {}
    for run, fetches in crawled:
        for each in harvested(fetches, run.pages):
            shortest[run.seeds, each.url] = min(each.depth, shortest.get((run.seeds, each.url), each.depth))
    return median(shortest.values()) if shortest else None


def _found_alone_by(crawled: Crawled) -> dict[str, list[Url]]:
    urls: dict[str, set[Url]] = defaultdict(set)
    for run, fetches in crawled:
        urls[run.label].update(each.url for each in fetches)
    # Once for all strategies: to unite all the others anew for each of 20 took six times as long.
    fetched_by = Counter(url for each in urls.values() for url in each)
    shared = [Fetch(url) for url, strategies in fetched_by.items() if strategies > 1]
    alone: dict[str, dict[Url, None]] = {label: {} for label in urls}
    for run, fetches in crawled:
        alone[run.label] |= dict.fromkeys(found_alone(fetches, [shared], max(len(fetches), len(shared))))
    return {label: list(each) for label, each in alone.items()}


def _overlap(crawled: Crawled, few: Iterable[str]) -> dict[frozenset[str], float]:
    """Of runs from the same seeds, and of the same repeat."""
    by_start: dict[tuple[str, int], dict[str, tuple[Run, list[Fetch]]]] = defaultdict(dict)
    wanted = set(few)
    for run, fetches in crawled:
        if run.label in wanted:
            by_start[run.seeds, run.repeat][run.label] = (run, fetches)
    shares: dict[frozenset[str], list[float]] = defaultdict(list)
    for runs in by_start.values():
        for (one, (run, mine)), (other, (_, theirs)) in combinations(runs.items(), 2):
            shares[frozenset((one, other))].append(url_overlap(mine, theirs, run.pages))
    return {pair: averaged(("", share) for share in each)[""] for pair, each in shares.items()}


# ── what the report says of it ──


def hardest(findings: ExperimentFindings, reached: Mapping[str, TaskReach]) -> Iterable[Block]:
    """The tasks on which even the best strategy did badly."""
    yield Heading("The hardest tasks")
    head = heads("task,best strategy,its AUC,of oracle,relevant pages,found by any,links away")
    rows = sorted((_best_on(findings, task) for task in findings.tasks), key=lambda row: (row[1], row[0]))
    yield TableBlock(head, tuple(_hard(findings, *row, reached.get(row[0])) for row in rows[:HARDEST]), words=2)
    yield Paragraph(
        (
            "Links away: from a seed to the relevant pages that were found, by the shortest way anyone took; the median. ",
            "Where few pages are relevant no AUC can be high: see how much of the oracle's the best one found.",
        ),
        "note",
    )


def alone(findings: ExperimentFindings, reached: Mapping[str, TaskReach]) -> Iterable[Block]:
    """What each strategy found that no other did."""
    yield Heading("Found by one strategy alone")
    if len(reached) < len(findings.tasks):
        missing = [task for task in findings.tasks if task not in reached]
        yield Paragraph(
            ("The fetches of these tasks were not kept: ", *listed([(Name(task),) for task in missing]), "."), "note"
        )
    yield Paragraph(
        ("Relevant pages that no other strategy fetched for the task, from whatever seeds, the oracle not counted.",)
    )
    found = {label: _found(label, reached) for label in findings.crawlers}
    some = {label: pages for label, pages in found.items() if pages}
    if some:
        yield Bullets(tuple(_told(label, pages) for label, pages in some.items()), small=True)
    none = [(Name(label),) for label, pages in found.items() if not pages]
    if none:
        yield Paragraph(("Nothing alone: ", *listed(none), "."))


def shared(few: list[str], reached: Mapping[str, TaskReach]) -> Iterable[Block]:
    """How much of the budget the best few spent on the same urls."""
    pairs = overlaps(reached)
    if not pairs:
        return
    yield Heading("Urls in common")
    yield Paragraph(
        (
            "The share of the budget that two strategies spent on the same urls, from the same seeds; the mean over tasks.",
        )
    )
    rows = tuple((Cell(Name(one)), *(_shared_cell(one, other, pairs) for other in few)) for one in few)
    yield TableBlock((Cell("strategy"), *(Cell(Name(label)) for label in few)), rows, upright=True)


def stopped(findings: ExperimentFindings) -> Iterable[Block]:
    """Who ran out of links, or stopped for another reason, before the budget was spent."""
    yield Heading("Stopped early")
    rows = tuple(row for label in findings.strategies for row in _stopped_rows(findings, label))
    if not rows:
        yield Paragraph(("Every run spent its whole budget.",))
        return
    yield Paragraph(("Runs that ended before their budget did; “empty” means that no link was left to follow.",))
    head = heads("strategy,why,runs,of,fewest fetches,mean,most")
    yield TableBlock(head, rows, words=2)


def _best_on(findings: ExperimentFindings, task: str) -> tuple[str, float, str]:
    values = [(findings.values(label)[task], label) for label in findings.crawlers if task in findings.values(label)]
    most, label = max(values, key=lambda pair: pair[0], default=(0.0, ""))
    return task, most, label


def _hard(
    findings: ExperimentFindings, task: str, most: float, label: str, reach: TaskReach | None
) -> tuple[Cell, ...]:
    oracle = findings.of(findings.oracle) if findings.oracle else []
    share = findings.values(label, share_of(oracle)).get(task) if label else None
    targets = max(run.targets for runs in findings.on(task).values() for run in runs)
    away = reach.distance if reach else None
    return (
        Cell(Name(task)),
        Cell(Name(label) if label else NONE),
        Cell(f"{most:.3f}"),
        Cell(NONE if share is None else f"{share:.2f}"),
        Cell(f"{targets:,}"),
        Cell(f"{reach.found:,}" if reach else NONE),
        Cell(NONE if away is None else f"{away:g}"),
    )


def _found(label: str, reached: Mapping[str, TaskReach]) -> list[tuple[str, Url]]:
    return [(task, url) for task, reach in reached.items() for url in reach.alone.get(label, ())]


def _told(label: str, pages: list[tuple[str, Url]]) -> Words:
    count = f": {counted(len(pages), 'page')} for {counted(len({task for task, _ in pages}), 'task')}"
    such = ", such as " if len(pages) > EXAMPLES else ": "
    return Name(label), count, such, *listed([(Name(url),) for url in _examples(pages)])


def _examples(pages: list[tuple[str, Url]]) -> list[Url]:
    # In turn from each task, so that the one with the most pages does not fill the list.
    of_task: dict[str, int] = {}
    placed = []
    for task, url in pages:
        of_task[task] = of_task.get(task, 0) + 1
        placed.append((of_task[task], task, url))
    return [url for _, _, url in sorted(placed)[:EXAMPLES]]


def _shared_cell(one: str, other: str, pairs: Mapping[frozenset[str], float]) -> Cell:
    share = pairs.get(frozenset((one, other)))
    return Cell(NONE) if share is None else Cell(f"{share:.2f}", shade=share)


def _stopped_rows(findings: ExperimentFindings, label: str) -> Iterable[tuple[Cell, ...]]:
    early = [run for run in findings.of(label) if run.fetched < run.pages]
    for why in sorted({run.stopped for run in early}):
        spent = [run.fetched for run in early if run.stopped == why]
        numbers = (len(spent), len(findings.of(label)), min(spent), round(sum(spent) / len(spent)), max(spent))
        yield Cell(Name(label)), Cell(why or "unknown"), *(Cell(f"{number:,}") for number in numbers)
