"""The figures of a report: strategies by task, and every strategy's means."""

from collections.abc import Iterable

from thresher.lab.report.document import Block, Cell, Heading, Name, Paragraph, TableBlock
from thresher.lab.report.findings import ExperimentFindings, Measure, auc, recall_at, share_of
from thresher.lab.run.crawl_measures import MARKS

NONE = "–"
"""What stands where nothing was measured."""


def by_task(findings: ExperimentFindings) -> Iterable[Block]:
    """AUC of each strategy on each task."""
    yield Heading("Strategies by task")
    yield Paragraph(
        (
            "AUC, the mean of the harvest curve over the budget, averaged over seed sets and repeats; the best of a task is bold. ",
            "Rank is the mean place among those tried on a task.",
        )
    )
    head = ("strategy", *map(Name, findings.tasks), "mean", "rank")
    rows = tuple(_row_by_task(findings, label, _most(findings)) for label in findings.strategies)
    yield TableBlock(tuple(map(Cell, head)), rows, upright=True)
    yield from _notes(findings)


def figures(findings: ExperimentFindings) -> Iterable[Block]:
    """Every strategy's means over its tasks."""
    yield Heading("Strategies in figures")
    yield Paragraph(
        ("Means over tasks. All are divided by the budget, so that one which stopped early does not look precise.",)
    )
    columns = _columns(findings)
    rows = tuple(
        (
            Cell(Name(label)),
            *(Cell(_shown(findings.mean(label, measure), digits)) for measure, digits in columns.values()),
        )
        for label in findings.strategies
    )
    yield TableBlock(tuple(map(Cell, ("strategy", *columns))), rows)
    yield Paragraph(
        (
            "“Deep” figures leave out what is less than two links from a seed. Recall is the share of all relevant pages of the web. ",
            "“Of oracle”: relevant pages per relevant page that the oracle found, from the same seeds.",
        ),
        "note",
    )


def training_sets(findings: ExperimentFindings) -> Iterable[Block]:
    """How much the strategies with a taxonomy had learnt before they began, by task."""
    taught = {run.topic: (run.train_0, run.train_1) for run in findings.runs if run.train_0}
    if not taught:
        return
    yield Heading("Training sets")
    yield Paragraph(
        (
            "Pages that the taxonomy of a task was learnt from: train-0 are the example pages of its classes, train-1 the recorded pages ",
            "that these link to, each once under the class of the examples. Strategies with a taxonomy: ",
            Name(", ".join(label for label in findings.strategies if any(run.train_0 for run in findings.of(label)))),
            ".",
        )
    )
    rows = tuple((Cell(Name(task)), *(Cell(f"{size:,}") for size in taught[task])) for task in sorted(taught))
    yield TableBlock(tuple(map(Cell, ("task", "train-0", "train-1"))), rows)


def _columns(findings: ExperimentFindings) -> dict[str, tuple[Measure, int]]:
    oracle = findings.of(findings.oracle) if findings.oracle else []
    return {
        "harvest": (lambda run: run.harvest, 3),
        "AUC": (auc, 3),
        "deep harvest": (lambda run: run.deep_harvest, 3),
        "deep AUC": (lambda run: run.deep_auc, 3),
        **{f"recall {mark:,}": (recall_at(mark), 3) for mark in MARKS},
        "of oracle": (share_of(oracle), 2),
        "hosts": (lambda run: run.hosts, 1),
        "relevant": (lambda run: run.relevant, 1),
        "fetched": (lambda run: run.fetched, 0),
        "CPU s": (lambda run: run.cpu_s, 1),
    }


def _shown(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:,.{digits}f}"


def _most(findings: ExperimentFindings) -> dict[str, float]:
    """The best AUC of each task, the oracle's left out."""
    pairs = (pair for label in findings.crawlers for pair in findings.values(label).items())
    most: dict[str, float] = {}
    for task, value in pairs:
        most[task] = max(value, most.get(task, 0.0))
    return most


def _row_by_task(findings: ExperimentFindings, label: str, most: dict[str, float]) -> tuple[Cell, ...]:
    values, ranked = findings.values(label), label in findings.crawlers
    ranks = findings.ranks(label) if ranked else []
    cells = (_cell(values.get(task), most.get(task, 0.0), ranked=ranked) for task in findings.tasks)
    mean = _shown(findings.mean(label), 3) + ("" if findings.complete(label) else "*")
    return Cell(Name(label)), *cells, Cell(mean), Cell(f"{sum(ranks) / len(ranks):.1f}" if ranks else NONE)


def _cell(value: float | None, most: float, *, ranked: bool) -> Cell:
    if value is None:
        return Cell(NONE)
    best = ranked and most > 0 and round(value, 12) >= round(most, 12)
    return Cell(f"{value:.3f}", strong=best, shade=min(1.0, value / most) if ranked and most > 0 else 0.0)


def _notes(findings: ExperimentFindings) -> Iterable[Block]:
    if findings.oracle:
        yield Paragraph(
            (Name(findings.oracle), " reads the labels: a bound, which no crawler can be held to, and not ranked."),
            "note",
        )
    if not all(map(findings.complete, findings.strategies)):
        yield Paragraph(
            ("* the mean of fewer tasks than others were tried on, so not to be compared; these come last.",), "note"
        )
