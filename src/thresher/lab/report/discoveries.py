"""The last pages of a report: the hardest tasks, what only one strategy found, what two share, and who stopped early."""

from collections.abc import Iterable, Mapping

from thresher.lab.report.document import Block, Bullets, Cell, Heading, Name, Paragraph, Table, Words, heads
from thresher.lab.report.figures import NONE
from thresher.lab.report.findings import Findings, share_of
from thresher.lab.report.headline import counted, listed
from thresher.lab.report.overlap import Reach, overlaps
from thresher.model import Url

HARDEST = 5
EXAMPLES = 5


def hardest(findings: Findings, reached: Mapping[str, Reach]) -> Iterable[Block]:
    """The tasks on which even the best strategy did badly."""
    yield Heading("The hardest tasks")
    head = heads("task,best strategy,its AUC,of oracle,relevant pages,found by any,links away")
    rows = sorted((_best_on(findings, task) for task in findings.tasks), key=lambda row: (row[1], row[0]))
    yield Table(head, tuple(_hard(findings, *row, reached.get(row[0])) for row in rows[:HARDEST]), words=2)
    yield Paragraph(
        (
            "Links away: from a seed to the relevant pages that were found, by the shortest way anyone took; the median. ",
            "Where few pages are relevant no AUC can be high: see how much of the oracle's the best one found.",
        ),
        "note",
    )


def alone(findings: Findings, reached: Mapping[str, Reach]) -> Iterable[Block]:
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


def shared(few: list[str], reached: Mapping[str, Reach]) -> Iterable[Block]:
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
    yield Table((Cell("strategy"), *(Cell(Name(label)) for label in few)), rows, upright=True)


def stopped(findings: Findings) -> Iterable[Block]:
    """Who ran out of links, or stopped for another reason, before the budget was spent."""
    yield Heading("Stopped early")
    rows = tuple(row for label in findings.strategies for row in _stopped_rows(findings, label))
    if not rows:
        yield Paragraph(("Every run spent its whole budget.",))
        return
    yield Paragraph(("Runs that ended before their budget did; “empty” means that no link was left to follow.",))
    head = heads("strategy,why,runs,of,fewest fetches,mean,most")
    yield Table(head, rows, words=2)


def _best_on(findings: Findings, task: str) -> tuple[str, float, str]:
    values = [(findings.values(label)[task], label) for label in findings.crawlers if task in findings.values(label)]
    most, label = max(values, key=lambda pair: pair[0], default=(0.0, ""))
    return task, most, label


def _hard(findings: Findings, task: str, most: float, label: str, reach: Reach | None) -> tuple[Cell, ...]:
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


def _found(label: str, reached: Mapping[str, Reach]) -> list[tuple[str, Url]]:
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


def _stopped_rows(findings: Findings, label: str) -> Iterable[tuple[Cell, ...]]:
    early = [run for run in findings.of(label) if run.fetched < run.pages]
    for why in sorted({run.stopped for run in early}):
        spent = [run.fetched for run in early if run.stopped == why]
        numbers = (len(spent), len(findings.of(label)), min(spent), round(sum(spent) / len(spent)), max(spent))
        yield Cell(Name(label)), Cell(why or "unknown"), *(Cell(f"{number:,}") for number in numbers)
