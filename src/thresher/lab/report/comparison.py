"""Two experiments side by side: what became better, what became worse, and which runs only one of them has."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from thresher.lab.report.document import Block, Bullets, Cell, Heading, Name, Paragraph, TableBlock, heads, markdown
from thresher.lab.report.headline import chance, counted, interval, signed
from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.statistics import ENOUGH, Comparison, averaged, compare, holm

MOST = 20
"""Runs that are told one by one."""

Pair = tuple[Run, Run]


def compared(one: Results, other: Results) -> str:
    """What differs between two experiments, as Markdown that reads well in a terminal: runs of one task, seeds, strategy and budget."""
    return markdown(_blocks(one, other))


def _blocks(one: Results, other: Results) -> Iterable[Block]:
    both = _both(one, other)
    yield Heading(f"{one.folder} and {other.folder}", level=1)
    yield Paragraph((f"{counted(len(both), 'run')} in both.",))
    yield from _only(one, other)
    yield from _only(other, one)
    differing = _differing(both)
    if differing:
        yield from _differences(both, differing)
    elif both:
        yield Paragraph(("No difference: every figure of the runs that both have is the same.",))
    yield from _visits(one, other, [pair for pair in both if pair not in differing])


def compared_as_json(one: Results, other: Results) -> dict[str, Any]:
    """The same for programs, with every run that differs."""
    both = _both(one, other)
    differing = _differing(both)
    alike = [pair for pair in both if pair not in differing]
    return {
        "first": str(one.folder),
        "second": str(other.folder),
        "runs": len(both),
        "only_first": sorted(one.runs.keys() - other.runs.keys()),
        "only_second": sorted(other.runs.keys() - one.runs.keys()),
        "strategies": [_strategy_as_json(each) for each in _strategies(both, differing)],
        "differing": [_pair_as_json(pair) for pair in differing],
        "other_visits": _moved(one, other, alike),
    }


def _strategy_as_json(found: "StrategyDifference") -> dict[str, Any]:
    test = found.test
    return {
        "strategy": found.label,
        "runs": found.runs,
        "differ": found.differ,
        "auc": [test.other_mean, test.mean],
        "difference": test.difference,
        "interval": test.interval._asdict(),
        **test.score._asdict(),
        "sign_flip": test.sign_flip.either,
        "holm": found.holm,
        "claimable": test.claimable,
    }


def _pair_as_json(pair: Pair) -> dict[str, Any]:
    names = ("auc", "relevant", "fetched", "harvest")
    return {
        "key": pair[0].key,
        "strategy": pair[0].label,
        "task": pair[0].topic,
        "seeds": pair[0].seeds,
        "repeat": pair[0].repeat,
        **{name: [getattr(run, name) for run in pair] for name in names},
    }


def _both(one: Results, other: Results) -> list[Pair]:
    return [(one.runs[key], other.runs[key]) for key in sorted(one.runs.keys() & other.runs.keys())]


def _differing(both: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in both if _figures(pair[0]) != _figures(pair[1])]


def _figures(run: Run) -> Run:
    """A row without what no seed can make the same."""
    return replace(run, cpu_s=0.0)


def _only(one: Results, other: Results) -> Iterable[Block]:
    missing = [one.runs[key] for key in sorted(one.runs.keys() - other.runs.keys())]
    if missing:
        counts = Counter((run.label, run.pages) for run in missing)
        yield Paragraph((f"{counted(len(missing), 'run')} only in {one.folder}:",))
        told = (
            (Name(label), f", {pages:,} fetches: {counted(number, 'run')}") for (label, pages), number in counts.items()
        )
        yield Bullets(tuple(told))


def _differences(both: Sequence[Pair], differing: Sequence[Pair]) -> Iterable[Block]:
    yield Paragraph((f"{len(differing):,} of them differ. AUC by strategy, tasks paired; the second less the first:",))
    head = heads("strategy,runs,differ,first,second,difference,95 % interval,won,lost,tied,sign-flip,Holm")
    yield TableBlock(head, tuple(_rows(both, differing)))
    yield Paragraph((f"† no claim from fewer than {ENOUGH} tasks.",), "note")
    largest = sorted(differing, key=lambda pair: (-abs(pair[1].auc - pair[0].auc), pair[0].key))[:MOST]
    yield Paragraph((f"The largest differences, {len(largest)} of {len(differing):,}:",))
    head = heads("strategy,task,seeds,repeat,AUC,second,difference,relevant,second,fetched,second")
    yield TableBlock(head, tuple(map(_run_row, largest)), words=3)


class StrategyDifference(NamedTuple):
    """What one strategy gave in two experiments."""

    label: str
    runs: int
    differ: int
    test: Comparison
    """The second against the first, AUC by task."""
    holm: float
    """The chance of the sign-flip test, corrected for the number of strategies."""


def _strategies(both: Sequence[Pair], differing: Sequence[Pair]) -> Iterable[StrategyDifference]:
    groups: dict[str, list[Pair]] = {}
    for pair in both:
        groups.setdefault(pair[0].label, []).append(pair)
    values = {
        label: [averaged((pair[side].topic, pair[side].auc) for pair in pairs) for side in (1, 0)]
        for label, pairs in groups.items()
    }
    tests = {label: compare(sides[0], sides[1]) for label, sides in values.items()}
    corrected = holm({label: each.sign_flip.either for label, each in tests.items()})
    for label, test in tests.items():
        differ = sum(pair[0].label == label for pair in differing)
        yield StrategyDifference(label, len(groups[label]), differ, test, corrected[label])


def _rows(both: Sequence[Pair], differing: Sequence[Pair]) -> Iterable[tuple[Cell, ...]]:
    for label, runs, differ, each, corrected in _strategies(both, differing):
        few = "" if each.claimable else "†"
        figures = (
            f"{each.other_mean:.3f}",
            f"{each.mean:.3f}",
            signed(each.difference),
            interval(each),
            *map(str, each.score),
        )
        chances = (chance(each.sign_flip.either) + few, chance(corrected) + few)
        yield tuple(map(Cell, (Name(label), str(runs), str(differ), *figures, *chances)))


def _run_row(pair: Pair) -> tuple[Cell, ...]:
    first, second = pair
    told = (first.auc, second.auc, second.auc - first.auc)
    numbers = (first.relevant, second.relevant, first.fetched, second.fetched)
    texts = (f"{told[0]:.3f}", f"{told[1]:.3f}", signed(told[2]), *(f"{number:,}" for number in numbers))
    return tuple(map(Cell, (Name(first.label), Name(first.topic), first.seeds, str(first.repeat), *texts)))


def _visits(one: Results, other: Results, alike: Sequence[Pair]) -> Iterable[Block]:
    """The same figures can hide another order of visits."""
    moved = _moved(one, other, alike)
    if moved is None:
        yield Paragraph(
            ("Whether they visited the same urls cannot be told: the fetches of some runs were not kept.",), "note"
        )
        return
    if moved:
        yield Paragraph(
            (f"{counted(len(moved), 'run')} with the same figures visited other urls, or in another order:",)
        )
        yield Bullets(tuple((Name(key),) for key in moved[:MOST]))
    elif alike:
        yield Paragraph((f"{counted(len(alike), 'run')} visited the very same urls in the same order.",))


def _moved(one: Results, other: Results, alike: Sequence[Pair]) -> list[str] | None:
    """The runs that visited other urls, or in another order; None if it cannot be told."""
    try:
        return [first.key for first, second in alike if one.fetches(first) != other.fetches(second)]
    except FileNotFoundError:
        return None
