"""The command line: one small module a command."""

import sys

import click

from thresher.cli.crawl import crawl
from thresher.cli.demo import demo
from thresher.cli.lab import lab
from thresher.cli.show import show
from thresher.cli.strategies import strategies
from thresher.cli.topic import ontology, senses, topic
from thresher.errors import ThresherError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="thresher")
def thresher() -> None:
    """A focused web crawler: tell it a topic, it fetches the most promising link next and keeps what is on topic.

    \b
    Try it:   thresher demo
    Crawl:    thresher crawl --topic "iris eye" --seed https://en.wikipedia.org/wiki/Iris_(anatomy) --contact you@example.org
    Look:     thresher show iris-eye
    """


for command in (crawl, show, demo, lab, senses, topic, ontology, strategies):
    thresher.add_command(command)


def main() -> None:
    """Run a command. What the user can mend is one sentence and exit code 2, never a traceback."""
    try:
        thresher.main(standalone_mode=True)
    except ThresherError as error:
        click.echo(f"thresher: {error}", err=True)
        sys.exit(2)
