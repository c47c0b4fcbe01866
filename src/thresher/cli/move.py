"""`thresher move`: a crawl from its folder into PostgreSQL, or back."""

from collections.abc import Callable

from rich.console import Console
from rich.markup import escape

from thresher.cli.declared import crawl_command as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.stopping import Interrupts, goes_on
from thresher.cli.terminal import Terminal
from thresher.disk.crawl_home import Place
from thresher.results.move.transfer import MoveReport, move


@declared.move.work
def move_crawl(source: Place, target: Place, *, warc_place: str | None, as_json: bool) -> None:
    """Move, and say what was compared."""
    watch = Terminal(stderr=True, highlight=False)
    with (
        goes_on(lambda: f"{source} is as it was, and {target} is not complete") as interrupts,
        watch.status("opening the crawl") as status,
    ):
        report = move(source, target, warc_place, _Progress(interrupts, status.update))
    if as_json:
        echo_json(report._asdict())
    else:
        _say(report, source, target, Terminal(highlight=False))


class _Progress:
    """Shows what is being done, and how far it is."""

    def __init__(self, interrupts: Interrupts, show: Callable[[str], object]) -> None:
        self._interrupts, self._show = interrupts, show
        self._doing, self._count = "", 0

    def __call__(self, doing: str, count: int) -> None:
        self._interrupts.check()
        self._count = self._count + count if doing == self._doing else count
        self._doing = doing
        self._show(f"{doing}: {self._count:,}")


def _say(report: MoveReport, source: Place, target: Place, console: Console) -> None:
    def line(text: str) -> None:
        console.print(escape(text), soft_wrap=True)

    line(f"{source} is copied to {target}: {report.rows:,} rows of {report.tables} tables are the same.")
    line(f"The WARC files lie in {report.files}.")
    if report.left_out:
        line(f"{report.left_out:,} urls are left out: a folder takes them for others, whose keys are the same.")
    if report.lessons:
        line(f"The strategy has then learnt {report.lessons:,} last lessons of the workers.")
    line(f"Go on with {target} from now on: {source} is as it was, and would fetch the same pages again.")
