"""Run every strategy on the recorded webs, and write what it gave into docs/papers/results.md and into the table of `thresher strategies`.

    python benchmarks/results_page.py ../shared/webs --out lab

The part of the page above the mark is written by hand and stays; what is below it is written anew. Runs that are in the folder already are
not made again, so an interrupted one goes on. Two cores take about seven minutes.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from thresher import plugins

MARK = "<!-- Below: what benchmarks/results_page.py wrote. -->\n"
PAGE = Path("docs/papers/results.md")
PICTURES = Path("pictures/results")
MEASURED = Path("src/thresher/strategy/measured.toml")
PROFILES = ("lokman", "interclass-rules", "context-ontology", "lin", "priority-semantic")
"""Strategies whose profile `robust` is run beside the paper's."""
VARIANTS = ("lokman:reevaluate=increment",)
HEAD = """\
# What each strategy found in the lab: the mean AUC over thirteen tasks of four recorded webs, 1,000 fetches a run.
# Written by benchmarks/results_page.py; docs/papers/results.md says how it was measured and which differences may be luck.

[mean_auc]
"""


def strategies() -> list[str]:
    """Our own strategies, with the profiles and variants that are measured."""
    return [*plugins.names("strategy"), *(f"{name}:profile=robust" for name in PROFILES), *VARIANTS]


def run(webs: Path, out: Path, *more: str) -> str:
    """The experiment's report as Markdown."""
    named = [word for name in strategies() for word in ("--strategy", name)]
    tasks = map(str, sorted(webs.glob("*.toml")))
    command = ["thresher", "lab", "run", *tasks, "--repeat", "3", "--jobs", "2", "--into", str(out), *named, *more]
    subprocess.run(command, check=True)
    return (out / "report.md").read_text("utf-8")


def section(report: str, title: str) -> str:
    """A chapter of a report, from its heading to the next."""
    found = re.search(rf"^## {re.escape(title)}.*?(?=^## |\Z)", report, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit(f"the report has no chapter {title!r}")
    return found[0]


def body(against_baseline: str, against_default: str) -> str:
    """The report without its title and its command, with a table of the default strategy against all others."""
    kept = against_baseline.split("\n", 2)[2].replace("](plots/", f"]({PICTURES.as_posix()}/")
    kept = kept.replace(section(kept, "How it was made"), "")
    title = "Against the baseline: better, or lucky?"
    other = section(against_default, title).replace(title, "Against apprentice, the default")
    return (
        "## In short\n\n" + kept.replace("## Strategies in figures", other + "## Strategies in figures").rstrip() + "\n"
    )


def means(report: str) -> dict[str, str]:
    """The mean AUC of each strategy, as the report's table has it."""
    rows = [line.strip("| \n").split("|") for line in section(report, "Strategies by task").splitlines()]
    return {row[0].strip(): row[-2].strip() for row in rows if len(row) > 3 and re.fullmatch(r" *0\.\d+ *", row[-2])}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("webs", type=Path)
    options.add_argument("--out", type=Path, default=Path("lab"))
    given = options.parse_args()
    by_hand = PAGE.read_text("utf-8").split(MARK)[0]
    against_default = run(given.webs, given.out, "--baseline", "apprentice")
    report = run(given.webs, given.out)
    PAGE.write_text(by_hand + MARK + "\n" + body(report, against_default), "utf-8")
    shutil.copytree(given.out / "plots", PAGE.parent / PICTURES, dirs_exist_ok=True)
    table = "".join(f'"{name}" = {value}\n' for name, value in sorted(means(report).items()))
    tomllib.loads(table)
    MEASURED.write_text(HEAD + table, "utf-8")


if __name__ == "__main__":
    main()
