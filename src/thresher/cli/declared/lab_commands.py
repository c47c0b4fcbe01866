"""`thresher lab`: what its commands take."""

from pathlib import Path

import click

from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import HelpfulGroup, NamedChoice, Number, WholeNumber, described

_PAPERS = ("lokman", "lokman-table-5", "interclass", "multilingual", "lin", "measures", "priority", "all")


@click.group(cls=HelpfulGroup)
def lab() -> None:
    """Compare strategies on a recorded web, where every crawl can be repeated.

    \b
    thresher lab run tasks.toml --strategy best-first --strategy lin --pages 500
    thresher lab judges tasks.toml --judge terms --judge concepts
    thresher lab calibrate tasks.toml --judge terms
    thresher lab compare lab-old lab-new
    thresher lab reproduce lin
    thresher lab train tasks.toml --out weights.toml
    thresher lab record --seed https://example.org/ --pages 5000 --into web
    thresher lab serve web.warc.gz
    """


@described("lab", group=lab, renamed={"--seeds": "--start", "--out": "--into"})
@shared.TASKS
@shared.part_option("strategy", "all that can run on the tasks", several="strategies")
@shared.ONLY
@shared.pages_option(1000)
@shared.option(
    "--start",
    type=NamedChoice(["near", "far", "all"]),
    default="all",
    show_default=True,
    help="Which seeds of a task to start from.",
)
@shared.option(
    "--repeat",
    type=WholeNumber(min=1),
    default=1,
    show_default=True,
    help="Runs of each strategy that uses random numbers.",
)
@shared.option(
    "--team",
    type=WholeNumber(min=1, max=64),
    multiple=True,
    default=(1,),
    show_default="1",
    help="So many workers share each crawl, simulated.",
)
@shared.option(
    "--lessons-every",
    type=Number(min=0.1, max=3600.0),
    metavar="SECONDS",
    default=2.0,
    show_default=True,
    help="How often the workers of a team tell what they learnt.",
)
@shared.baseline_option("strategy", "breadth-first")
@shared.into_option("lab")
@shared.jobs_option(1)
def run() -> None:
    """Crawl recorded webs with several strategies, and report which is better. Run it again to continue.

    With --baseline none nothing is compared.

    \b
    thresher lab run schools.toml --strategy lokman:profile=robust --jobs 2
    """


@described("lab", group=lab)
@click.argument("one", type=click.Path(path_type=Path, exists=True), metavar="DIR1")
@click.argument("other", type=click.Path(path_type=Path, exists=True), metavar="DIR2")
@shared.JSON
def compare() -> None:
    """Compare what two experiments gave for the same runs.

    \b
    thresher lab compare lab-old lab-new
    thresher lab compare lab-old lab-new --json | jq '.strategies[].difference'
    """


@described("lab_judges", group=lab, renamed={"--out": "--into"})
@shared.TASKS
@shared.part_option("judge", "all that can judge the tasks", several="judges")
@shared.ONLY
@shared.baseline_option("judge", "terms")
@shared.into_option("judges")
@shared.JSON
def judges() -> None:
    """Let judges judge every page of labelled webs: average precision, F1, calibration, pages a second.

    \b
    thresher lab judges schools.toml foldoc.toml --judge terms --judge concepts
    thresher lab judges schools.toml --json | jq '.[].average_precision'
    """


@described("lab_calibrate", group=lab, renamed={"--out": "--into"})
@shared.TASKS
@shared.part_option("judge", "terms", several="judges")
@shared.into_option("calibration")
def calibrate() -> None:
    """Fit a curve for each judge, so that of pages judged .7 about seven in ten are relevant.

    \b
    thresher lab calibrate schools.toml foldoc.toml --judge terms --into curves
    """


@described("lab_train", group=lab, renamed={"--topics": "--web-topics"})
@shared.TASKS
@shared.out_option("weights.toml")
@shared.pages_option(500, least=20)
@shared.option(
    "--web-topics",
    "most",
    type=WholeNumber(min=1),
    default=20,
    show_default=True,
    help="Topics of a web, at most.",
)
@shared.option(
    "--strength",
    type=Number(min=0, min_open=True),
    default=1000.0,
    show_default=True,
    help="How strongly the weights are pulled to those set by hand.",
)
@shared.option("--leave-one-out", is_flag=True, help="Measure the tasks of each web with weights fitted on the others.")
def train() -> None:
    """Fit the start weights of the strategy `apprentice` on webs with labels, and write them as a table.

    \b
    thresher lab train schools.toml foldoc.toml --out weights.toml
    thresher lab run other.toml --strategy apprentice:weights=weights.toml
    """


@described("lab_papers", group=lab, renamed={"--out": "--into"})
@click.argument("name", type=NamedChoice(_PAPERS), metavar="|".join(_PAPERS))
@shared.option(
    "--webs",
    type=click.Path(path_type=Path),
    default=Path("webs"),
    show_default=True,
    metavar="DIR",
    help="Where the recorded webs and their task files are.",
)
@shared.into_option("reproduced")
@shared.jobs_option(1)
@shared.option("--quick", is_flag=True, help="Run a small part, to see that it works; its figures mean nothing.")
@shared.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A Markdown page of all papers, in which the sections of those that run are replaced.",
)
def reproduce() -> None:
    """Run a paper's own comparison again, and show its printed numbers beside ours.

    \b
    thresher lab reproduce lin --webs webs --into reproduced --jobs 2
    thresher lab reproduce all --webs webs --page docs/papers/reproductions.md
    """


@described("lab_papers", group=lab)
@click.argument("tasks", type=click.Path(path_type=Path), metavar="TASKS.toml")
@shared.ONLY
@shared.out_option("rules.toml")
@shared.option("--walks", is_flag=True, help="Rules from random walks instead of the links of the examples.")
def rules() -> None:
    """Save the taxonomy and the interclass rules that the lab learns for a task, so that a live crawl can use them.

    \b
    thresher lab rules webkb.toml --task course --out course.toml
    thresher crawl course --seed https://example.edu/ --taxonomy course.npz \\
        --target class=course --rules course.toml --strategy interclass-rules
    """


@described("lab_webs", group=lab, renamed={"--out": "--into"})
@shared.SEEDS
@shared.part_option("strategy", "breadth-first", section=shared.CHOICE)
@shared.SCOPE
@shared.BUDGET
@shared.MANNERS
@shared.into_option(required=True)
@shared.RUNNING
@shared.option(
    "--warc",
    section=shared.RUN,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write it as one WARC file, to share.",
)
def record() -> None:
    """Record a web for the lab: fetch it politely, whatever its pages are about. Run it again to continue.

    \b
    thresher lab record --seed https://example.org/ --host example.org --into web
    thresher lab record --seeds seeds.txt --into web --warc web.warc.gz
    thresher lab serve web
    """


@described("lab_webs", group=lab)
@click.argument("web", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="WARC-OR-DIR…")
@shared.PORT
def serve() -> None:
    """Serve a recorded web on this machine, as an HTTP proxy for all its hosts, so that you can run any crawler on it.

    \b
    thresher lab serve web.warc.gz --port 8080
    thresher crawl iris --seed http://example.org/ --proxy http://127.0.0.1:8080
    """
