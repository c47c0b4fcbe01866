"""`thresher lab judges`: compare judges on labelled webs."""

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.progress import track

from thresher import plugins
from thresher.cli.crawl_options import part_table
from thresher.cli.declared import lab_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.errors import BadInput, Missing
from thresher.lab.report.judge_report import judge_table, write_judges
from thresher.lab.run.judge_scores import JudgeRow, judged
from thresher.lab.run.task import chosen, read_tasks
from thresher.lab.run.trial import Workbench, label


@declared.judges.work
def judges(  # noqa: PLR0913 - an option each
    *, tasks: Sequence[Path], judges: Sequence[str], only: Sequence[str], baseline: str, into: Path, as_json: bool
) -> None:
    """Judge all pages, and write, draw or print the figures."""
    found = chosen([task for path in tasks for task in read_tasks(path)], only)
    named = [part_table(text, "--judge") for text in judges or plugins.names("judge")]
    base = part_table(baseline, "--baseline")
    tables = [base, *(table for table in named if table != base)]
    rows, lacks = list[JudgeRow](), dict[str, str]()
    console = Terminal(stderr=True, highlight=False)
    with Workbench() as bench:
        for task in track(found, "judging", console=console, disable=not console.is_terminal):
            for table in tables:
                try:
                    rows.append(judged(task, table, bench))
                except Missing as error:
                    lacks.setdefault(label(table), f"{task.place}: {error}")
                    console.print(f"{label(table)} is left out for {task.full_name}: {error}", markup=False)
    for name, lack in lacks.items() if judges else ():
        if all(row.judge != name for row in rows):
            raise BadInput(lack)
    write_judges(rows, into)
    if as_json:
        echo_json([row.as_json() for row in rows])
    else:
        shown = Terminal(highlight=False)
        shown.print(judge_table(rows, label(base)))
        shown.print(f"\n{escape(str(into))} has the figures by task, and reliability diagrams.", soft_wrap=True)
