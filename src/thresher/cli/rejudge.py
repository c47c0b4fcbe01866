"""`thresher rejudge`: judge the kept pages of a crawl anew, after showing what would change."""

import sys
import time

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from thresher.cli.crawl_options import part_table
from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.stopping import Interrupts, goes_on
from thresher.cli.terminal import Terminal
from thresher.disk.crawl_home import Place
from thresher.results.plain_text import short_line
from thresher.results.rejudge.plan import JudgingPlan
from thresher.results.rejudge.round import JudgeWish, Rejudging, open_rejudging

_TITLE = 48
_PIPED = 240


@declared.rejudge.work
def rejudge(  # noqa: PLR0913 - an option each
    folder: Place, *, judge: str | None, threshold: float | None, learn: bool, yes: bool, as_json: bool
) -> None:
    """Judge, show what would change, and put it in force if that is wanted."""
    wish = JudgeWish(part_table(judge, "--judge") if judge else None, threshold, learn)
    with (
        goes_on(lambda: "what was judged so far is kept, and nothing has changed yet") as interrupts,
        open_rejudging(folder, wish) as rejudging,
    ):
        _judge(rejudging, interrupts)
        plan = rejudging.plan()
        console = Terminal(highlight=False)
        if not console.is_terminal:
            console.width = _PIPED  # the reader wants whole urls
        if not as_json:
            _draw(plan, console)
        agreed = yes or (not as_json and sys.stdin.isatty() and click.confirm("Put these judgements in force?"))
        if agreed:
            rejudging.put_in_force(time.time())
    if as_json:
        echo_json({**plan.as_json(), "in_force": agreed})
    else:
        _say_end(folder, console, agreed=agreed)


def _judge(rejudging: Rejudging, interrupts: Interrupts) -> None:
    columns = (TextColumn("judging anew"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Terminal(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=rejudging.steps())

        def took(pages: int) -> None:
            interrupts.check()
            bar.advance(task, pages)

        rejudging.judge(took)


def _draw(plan: JudgingPlan, console: Console) -> None:
    table = Table("", "judge", "relevant", box=None, header_style="bold", pad_edge=False)
    table.columns[-1].justify = "right"
    table.add_row("now", Text(plan.before), f"{plan.harvest_before:,}")
    table.add_row("anew", Text(plan.judge), f"{plan.harvest_after:,}")
    console.print(f"{plan.pages:,} pages were kept. Relevant, without copies:")
    console.print(table)
    if plan.labels:
        console.print(
            f"{plan.labels:,} labelled by you: your labels count, as before, and these pages are not listed below"
        )
    console.print(f"\n{plan.becoming:,} would become relevant", style="bold")
    _draw_examples(plan, console, becoming=True)
    console.print(f"\n{plan.ceasing:,} would no longer be relevant", style="bold")
    _draw_examples(plan, console, becoming=False)


def _draw_examples(plan: JudgingPlan, console: Console, *, becoming: bool) -> None:
    examples, count = (plan.examples_becoming, plan.becoming) if becoming else (plan.examples_ceasing, plan.ceasing)
    for each in examples:
        title = short_line(each.title, _TITLE) or "without a title"
        line = Text.assemble(f"  {each.before:.2f} → {each.after:.2f}  ", title, "  ", (each.url, "dim"))
        console.print(line, no_wrap=True, overflow="ellipsis")
    if count > len(examples):
        console.print(f"  and {count - len(examples):,} more", style="dim")


def _say_end(folder: Place, console: Console, *, agreed: bool) -> None:
    if agreed:
        console.print(
            f"\nThese judgements are in force. The earlier ones are kept: thresher why {folder} URL names them.",
            markup=False,
        )
    else:
        console.print("\nNothing was changed. To do it, run the same command with --yes.")
