"""The command line: one small module a command."""

import sys

import click

from thresher.cli.crawl import crawl
from thresher.cli.demo import demo
from thresher.cli.export import export
from thresher.cli.lab import lab
from thresher.cli.label import label
from thresher.cli.revisit import revisit
from thresher.cli.search import search
from thresher.cli.show import show
from thresher.cli.strategies import strategies
from thresher.cli.topic import ontology, senses, topic
from thresher.cli.why import why
from thresher.errors import ThresherError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="thresher")
def thresher() -> None:
    """A focused web crawler: tell it a topic, it fetches the most promising link next and keeps what is on topic.

    \b
    Try it:   thresher demo
    Crawl:    thresher crawl iris --contact you@example.org
    Look:     thresher show iris, thresher search iris "pupil", thresher why iris URL
    Take:     thresher export iris --to parquet
    """


for command in (crawl, show, search, why, label, export, revisit, demo, lab, senses, topic, ontology, strategies):
    thresher.add_command(command)


def main() -> None:
    """Run a command. What the user can mend is one sentence and exit code 2, never a traceback."""
    try:
        thresher.main(standalone_mode=True)
    except ThresherError as error:
        click.echo(f"thresher: {error}", err=True)
        sys.exit(2)
