"""The end of an experiment in the terminal: a row a strategy, and a sentence."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from thresher.lab.report.figures import NONE
from thresher.lab.report.findings import Findings, Verdict
from thresher.lab.run.results_file import Results
from thresher.lab.run.statistics import ENOUGH

_STYLE: dict[Verdict, str] = {"ahead": "green", "behind": "red", "open": "", "few": ""}


def summary(results: Results, baseline: str = "breadth-first", console: Console | None = None) -> None:
    """Print the strategies, best first: AUC, harvest, tasks on which each was ahead of the baseline and behind it, CPU seconds a run."""
    findings = Findings(results, baseline)
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("strategy", overflow="fold")
    for name in ("AUC", "harvest", *([f"won/lost against {baseline}", "p (Holm)"] if baseline else []), "CPU s"):
        table.add_column(Text(name), justify="right")
    for label in findings.strategies:
        table.add_row(*_row(findings, label), style=_style(findings, label))
    out = console or Console()
    out.print(table)
    out.print(Text(_sentence(findings)))


def _row(findings: Findings, label: str) -> list[Text]:
    cpu = findings.mean(label, lambda run: run.cpu_s) or 0.0
    harvest = findings.mean(label, lambda run: run.harvest) or 0.0
    mean = f"{findings.mean(label) or 0.0:.3f}{'' if findings.complete(label) else '*'}"
    # As text, not markup: a bracket in a name is a bracket.
    return [Text(each) for each in (label, mean, f"{harvest:.3f}", *_against(findings, label), f"{cpu:.1f}")]


def _against(findings: Findings, label: str) -> tuple[str, ...]:
    each = findings.comparisons.get(label)
    if each is None:
        return (NONE, NONE) if findings.wanted else ()
    return f"{each.score.wins}/{each.score.losses}", f"{findings.chances[label]:.3f}{'' if each.claimable else '†'}"


def _style(findings: Findings, label: str) -> str:
    if label == findings.baseline:
        return "bold"
    return _STYLE[findings.verdict(label)] if label in findings.comparisons else ""


def _sentence(findings: Findings) -> str:
    if not findings.wanted:
        return "Whether a difference is luck is not said: that takes a baseline."
    if findings.baseline is None:
        return f"{findings.wanted} did not run, so nothing is held against it."
    verdicts = [findings.verdict(label) for label in findings.comparisons]
    few = f" † no claim from fewer than {ENOUGH} tasks." if "few" in verdicts else ""
    partly = "" if all(map(findings.complete, findings.strategies)) else " * not tried on every task."
    told = f"{verdicts.count('ahead')} ahead of {findings.baseline} beyond chance, {verdicts.count('behind')} behind"
    return f"{told}, of {len(verdicts)} on {len(findings.tasks)} task{'s' * (len(findings.tasks) != 1)}.{few}{partly}"
