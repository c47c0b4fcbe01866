"""`thresher doctor`: what is installed, what is missing and how to get it, and whether a page can be fetched here."""

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from thresher.cli.declared import knowledge_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.doctor.examination import Examination, examine
from thresher.doctor.findings import Finding, State
from thresher.errors import BadInput

_MARKS: dict[State, tuple[str, str]] = {"good": ("✓", "green"), "missing": ("–", "yellow"), "broken": ("✗", "bold red")}


@declared.doctor.work
def doctor(url: str | None, *, proxy: str | None, allow_private: bool | None, as_json: bool) -> None:
    """Look, and say what was found; the exit code is 1 if something is broken."""
    if url is None and (proxy or allow_private):
        raise BadInput("--proxy and --allow-private go with --fetch URL: without it nothing is fetched from elsewhere")
    found = examine(url, proxy=proxy, allow_private=bool(allow_private))
    if as_json:
        echo_json(found.as_json())
    else:
        draw(found, Terminal(highlight=False))
    sys.exit(0 if found.healthy else 1)


def draw(found: Examination, console: Console) -> None:
    """One screen: a line for each thing, those that belong together below one heading."""
    for group, findings in groupby(found.findings, key=lambda each: each.group):
        console.print(Text(group, "bold"))
        console.print(_lines(findings))
    console.print(Text(_verdict(found.findings), "green" if found.healthy else "bold red"))
    if found.get_extras:
        console.print(Text(f"To get the extras: {found.get_extras}"), soft_wrap=True)


def _lines(findings: Iterable[Finding]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(width=2, justify="right")
    table.add_column(width=12, no_wrap=True)
    table.add_column(overflow="fold")
    for each in findings:
        mark, style = _MARKS[each.state]
        how = Text(f": {each.how}" if each.how and each.group != "Extras" else "", "cyan")
        table.add_row(Text(mark, style), each.name, Text.assemble(each.said, how))
    return table


def _verdict(findings: Sequence[Finding]) -> str:
    faults = [each.name for each in findings if each.state == "broken"]
    if faults:
        return f"Broken: {', '.join(faults)}."
    return "Nothing is broken. What is marked – is optional."
