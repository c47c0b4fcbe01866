"""The first lines of a report: what was tried, who beats the baseline, who loses to it, and how sure that is."""

from collections.abc import Iterable, Sequence

from thresher.lab.report.document import Block, Bullets, Cell, Heading, Name, Paragraph, TableBlock, Words, heads
from thresher.lab.report.findings import CHANCE, ExperimentFindings, Verdict, share_of
from thresher.lab.run.statistics import ENOUGH, Comparison

_TOLD: dict[Verdict, str] = {"ahead": "ahead", "behind": "behind", "open": "not shown", "few": "†"}


def headline(findings: ExperimentFindings) -> Iterable[Block]:
    """What was tried, and what came of it in a sentence each."""
    yield Paragraph((_tried(findings),), "lead")
    yield Bullets(tuple(_said(findings)))


def significance(findings: ExperimentFindings) -> Iterable[Block]:
    """Each strategy against the baseline, with all tests side by side."""
    yield Heading("Against the baseline: better, or lucky?")
    if not findings.comparisons:
        yield Paragraph(_no_baseline(findings))
        return
    yield Paragraph(
        (
            "AUC by task, each task one pair. p values are two-sided; those of the sign-flip test decide, after Holm's correction ",
            f"for {counted(len(findings.comparisons), 'comparison')}, at {CHANCE}. Differences are points, not percent.",
        )
    )
    head = heads("strategy,verdict,tasks,difference,95 % interval,won,lost,tied,t,p of t,Wilcoxon,sign-flip,Holm")
    rows = tuple(_row(findings, label) for label in findings.crawlers if label in findings.comparisons)
    yield TableBlock(head, rows, words=2)
    yield from _caveats(findings)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 task`, `2 tasks`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def listed(names: Sequence[Words]) -> Words:
    """`a, b and c`."""
    joined: list[str] = []
    for place, name in enumerate(names):
        joined += ["" if place == 0 else " and " if place == len(names) - 1 else ", ", *name]
    return tuple(joined)


def _tried(findings: ExperimentFindings) -> str:
    if not findings.runs:
        return "No run has ended yet."
    webs = len({run.web for run in findings.runs})
    budget = " or ".join(f"{pages:,}" for pages in findings.budgets)
    left = f" Left out: {counted(findings.left_out, 'run')} with another budget." if findings.left_out else ""
    return (
        f"{counted(len(findings.strategies), 'strategy')} on {counted(len(findings.tasks), 'task')} of {counted(webs, 'web')}: "
        f"{counted(len(findings.runs), 'run')}, each of {budget} fetches at most.{left}"
    )


def _said(findings: ExperimentFindings) -> Iterable[Words]:
    if findings.crawlers:
        yield _best(findings)
    if findings.runs and not findings.comparisons:
        yield _no_baseline(findings)
        return
    groups: dict[Verdict, list[str]] = {"ahead": [], "behind": [], "open": [], "few": []}
    for label in findings.comparisons:
        groups[findings.verdict(label)].append(label)
    yield from _claims(findings, groups)
    yield from _unclaimed(findings, groups["few"])


def _best(findings: ExperimentFindings) -> Words:
    best = findings.crawlers[0]
    share = findings.mean(best, share_of(findings.of(findings.oracle))) if findings.oracle else None
    bound: Words = ()
    if share is not None and findings.oracle:
        bound = (
            f"; it found {share:.0%} as many relevant pages as ",
            Name(findings.oracle),
            ", which reads the labels",
        )
    return ("The highest mean AUC is that of ", Name(best), f", {findings.mean(best) or 0:.3f}", *bound, ".")


def _claims(findings: ExperimentFindings, groups: dict[Verdict, list[str]]) -> Iterable[Words]:
    baseline = Name(findings.baseline or "")
    if groups["ahead"]:
        yield (
            "Better than ",
            baseline,
            " beyond chance (points of AUC, tasks won): ",
            *_each(findings, groups["ahead"]),
            ".",
        )
    if groups["behind"]:
        yield (
            "Worse than ",
            baseline,
            " beyond chance (points of AUC, tasks won): ",
            *_each(findings, groups["behind"]),
            ".",
        )
    if groups["open"]:
        yield "Neither shown, the difference may be luck: ", *_each(findings, groups["open"]), "."
    if any(groups[each] for each in ("ahead", "behind", "open")) and not groups["ahead"]:
        yield "No strategy was shown to be better than ", baseline, "."


def _unclaimed(findings: ExperimentFindings, few: Sequence[str]) -> Iterable[Words]:
    if not few:
        return
    pairs = max(findings.comparisons[label].pairs for label in few)
    up = [label for label in few if findings.comparisons[label].difference > 0]
    down = [label for label in few if findings.comparisons[label].difference < 0]
    level = [label for label in few if findings.comparisons[label].difference == 0]
    yield (
        f"No claim from fewer than {ENOUGH} tasks, and here are {pairs} at most. The means (points of AUC, tasks won) only say this:",
    )
    for word, labels in (("Above ", up), ("Below ", down), ("Level with ", level)):
        if labels:
            yield word, Name(findings.baseline or ""), ": ", *_each(findings, labels), "."


def _each(findings: ExperimentFindings, labels: Sequence[str]) -> Words:
    told = (
        f" ({signed(each.difference)}, {each.score.wins}/{each.pairs})"
        for each in map(findings.comparisons.get, labels)
        if each
    )
    return listed([(Name(label), text) for label, text in zip(labels, told, strict=True)])


def _no_baseline(findings: ExperimentFindings) -> Words:
    if not findings.wanted:
        return ("No baseline was wanted, so whether a difference is luck is not said.",)
    if findings.baseline is None:
        return "The baseline ", Name(findings.wanted), " was not among the runs, so nothing is held against it."
    return "Nothing ran on the same tasks and seeds as the baseline ", Name(findings.baseline), "."


def _row(findings: ExperimentFindings, label: str) -> tuple[Cell, ...]:
    each = findings.comparisons[label]
    verdict = findings.verdict(label)
    return (
        Cell(Name(label), strong=verdict == "ahead"),
        Cell(_TOLD[verdict]),
        Cell(str(each.pairs)),
        Cell(signed(each.difference)),
        Cell(interval(each)),
        *(Cell(str(number)) for number in each.score),
        Cell(f"{each.t.t:.2f}"),
        *(Cell(chance(p)) for p in _chances(each)),
        Cell(chance(findings.chances[label]), strong=verdict in ("ahead", "behind")),
    )


def _chances(comparison: Comparison) -> tuple[float, float, float]:
    return comparison.t.p.either, comparison.wilcoxon.either, comparison.sign_flip.either


def chance(p: float) -> str:
    """A p value, never a bare zero."""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def signed(value: float) -> str:
    """A difference; one that would be read as -0.000 has no sign."""
    text = f"{value:+.3f}"
    return "0.000" if float(text) == 0 else text


def interval(comparison: Comparison) -> str:
    """Where the mean difference lies."""
    return " … ".join(map(signed, comparison.interval))


def _caveats(findings: ExperimentFindings) -> Iterable[Block]:
    if any(findings.verdict(label) == "few" for label in findings.comparisons):
        yield Paragraph((f"† too few: no claim from fewer than {ENOUGH} tasks.",), "note")
    told: dict[str, list[Words]] = {}
    for label, each in findings.comparisons.items():
        for caveat in each.caveats:
            if not caveat.startswith("no claim"):
                told.setdefault(caveat, []).append((Name(label),))
    if told:
        yield Bullets(tuple((*listed(labels), f": {caveat}.") for caveat, labels in told.items()))
