"""`thresher lab`: what its commands take."""

from pathlib import Path

import click

from thresher.cli import completion
from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import described

_PAPERS = ("lokman", "lokman-table-5", "interclass", "multilingual", "lin", "measures", "priority", "all")
_LAST_PORT = 65_535


@click.group()
def lab() -> None:
    """Compare strategies on a recorded web, where every crawl can be repeated.

    \b
    thresher lab run tasks.toml --strategy best-first --strategy breadth-first --pages 500
    thresher lab judges tasks.toml --judge terms --judge concepts
    thresher lab calibrate tasks.toml --judge terms
    thresher lab compare lab-old lab-new
    thresher lab reproduce lin
    thresher lab train tasks.toml --out weights.toml
    thresher lab record --seed https://example.org/ --pages 5000 --out web
    thresher lab serve web.warc.gz
    """


@described("lab", group=lab)
@shared.TASKS
@shared.parts_option(
    "strategy",
    "strategies",
    "A strategy to run; may be given several times (default: all that can run on the tasks).",
)
@shared.ONLY
@click.option("--pages", type=click.IntRange(min=1), default=1000, show_default=True, help="Fetches in each run.")
@click.option(
    "--seeds",
    type=click.Choice(["near", "far", "all"]),
    default="all",
    show_default=True,
    help="Which seeds to start from.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each strategy that uses random numbers.",
)
@click.option(
    "--baseline",
    default="breadth-first",
    show_default=True,
    help="The strategy that the others are compared with; it runs too. `none` compares nothing.",
    shell_complete=completion.parts("strategy"),
)
@shared.out_option("lab", "Where results go.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Runs at the same time.")
def run() -> None:
    """Crawl recorded webs with several strategies, and report which is better. Run it again to continue.

    \b
    thresher lab run schools.toml --strategy best-first --strategy lokman:profile=robust --pages 500 --jobs 2
    """


@described("lab", group=lab)
@click.argument("one", type=click.Path(path_type=Path, exists=True), metavar="DIR1")
@click.argument("other", type=click.Path(path_type=Path, exists=True), metavar="DIR2")
@shared.JSON
def compare() -> None:
    """Compare what two experiments gave for the same runs.

    \b
    thresher lab compare lab-old lab-new
    thresher lab compare lab-old lab-new --json | jq '.strategies[] | {strategy, difference, holm}'
    """


@described("lab_judges", group=lab)
@shared.TASKS
@shared.parts_option(
    "judge", "judges", "A judge to try; may be given several times (default: all that can judge the tasks)."
)
@shared.ONLY
@click.option("--baseline", default="terms", show_default=True, help="The judge that the others are compared with.")
@shared.out_option("judges", "Where figures and pictures go.")
@shared.JSON
def judges() -> None:
    """Let judges judge every page of labelled webs: average precision, F1, calibration, pages a second.

    \b
    thresher lab judges schools.toml foldoc.toml --judge terms --judge concepts
    thresher lab judges schools.toml --json | jq '.[] | {judge, task, average_precision}'
    """


@described("lab_calibrate", group=lab)
@shared.TASKS
@shared.parts_option("judge", "judges", "A judge to calibrate; may be given several times.", default=("terms",))
@shared.out_option("calibration", "Where the table and the diagrams go.")
def calibrate() -> None:
    """Fit a curve for each judge, so that of pages judged .7 about seven in ten are relevant.

    \b
    thresher lab calibrate schools.toml foldoc.toml --judge terms --out calibration
    """


@described("lab_train", group=lab)
@shared.TASKS
@shared.out_option("weights.toml", "The table of weights.", folder=False)
@click.option("--pages", type=click.IntRange(min=20), default=500, show_default=True, help="Fetches a crawl.")
@click.option(
    "--topics", "most", type=click.IntRange(min=1), default=20, show_default=True, help="Topics a web, at most."
)
@click.option(
    "--strength",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    help="How strongly the weights are pulled to those set by hand.",
)
@click.option("--leave-one-out", is_flag=True, help="Measure the tasks of each web with weights fitted on the others.")
def train() -> None:
    """Fit the start weights of the strategy `apprentice` on webs with labels, and write them as a table.

    \b
    thresher lab train schools.toml foldoc.toml --out weights.toml
    thresher lab run other.toml --strategy apprentice:weights=weights.toml --strategy shark-search
    """


@described("lab_papers", group=lab)
@click.argument("name", type=click.Choice(_PAPERS), metavar="|".join(_PAPERS))
@click.option(
    "--webs",
    type=click.Path(path_type=Path),
    default=Path("webs"),
    show_default=True,
    metavar="DIR",
    help="Where the recorded webs and their task files are.",
)
@shared.out_option("reproduced", "Where runs, tables and plots go; run it again to continue.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Crawls at the same time.")
@click.option("--quick", is_flag=True, help="Run a small part, to see that it works; its figures mean nothing.")
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A Markdown page of all papers, in which the sections of those that run are replaced.",
)
def reproduce() -> None:
    """Run a paper's own comparison again, and show its printed numbers beside ours.

    \b
    thresher lab reproduce lin --webs webs --out reproduced --jobs 2
    thresher lab reproduce all --webs webs --out reproduced --page docs/papers/reproductions.md
    """


@described("lab_papers", group=lab)
@click.argument("tasks", type=click.Path(path_type=Path), metavar="TASKS.toml")
@click.option(
    "--task", "name", metavar="NAME", help="The task whose taxonomy is saved; needed if the file has several tasks."
)
@shared.out_option("rules.toml", "Where the rules go; the classifier goes beside them, as .npz.", folder=False)
@click.option("--walks", is_flag=True, help="Rules from random walks instead of the links of the examples.")
def rules() -> None:
    """Save the taxonomy and the interclass rules that the lab learns for a task, so that a live crawl can use them.

    \b
    thresher lab rules webkb.toml --task course --out course.toml
    thresher crawl --topic course --seed https://example.edu/ --strategy interclass-rules \\
        --taxonomy course.npz --target class=course --rules course.toml
    """


@described("lab_webs", group=lab, name="record")
@shared.SEED
@shared.SEED_LISTS
@shared.PAGES
@shared.MINUTES
@shared.DELAY
@shared.WORKERS
@shared.HANDS
@shared.CONTACT
@shared.DOMAIN
@shared.DEPTH
@shared.PROXY
@shared.ALLOW_PRIVATE
@shared.EXTRA
@shared.LOG
@shared.EVENTS
@shared.QUIET
@click.option(
    "--strategy",
    default="breadth-first",
    show_default=True,
    help="The order in which to fetch.",
    shell_complete=completion.parts("strategy"),
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="The folder of the recording: a crawl folder like any other.",
)
@click.option(
    "--warc",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write it as one WARC file, to share.",
)
def record() -> None:
    """Record a web for the lab: fetch it politely, whatever its pages are about. Run it again to continue.

    \b
    thresher lab record --seed https://example.org/ --domain example.org --pages 5000 --contact you@example.org --out web
    thresher lab record --seeds seeds.txt --pages 20000 --out web --warc web.warc.gz
    thresher lab serve web
    """


@described("lab_webs", group=lab)
@click.argument("web", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="WARC-OR-DIR…")
@click.option(
    "--port", type=click.IntRange(0, _LAST_PORT), default=0, help="The port to listen on (default: any that is free)."
)
def serve() -> None:
    """Serve a recorded web on this machine, as an HTTP proxy for all its hosts, so that you can run any crawler on it.

    \b
    thresher lab serve web.warc.gz --port 8080
    thresher crawl --topic iris --seed http://example.org/ --proxy http://127.0.0.1:8080
    """
