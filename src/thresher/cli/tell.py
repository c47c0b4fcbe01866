"""`thresher tell`: give an order to a crawl that runs, or to one that has stopped."""

from collections.abc import Sequence

import click

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json, neutral
from thresher.disk.crawl_home import Place, home_of
from thresher.results.steer import told


@declared.tell.work
def tell(folder: Place, *, words: Sequence[str], as_json: bool) -> None:
    """Give the order, and say what came of it."""
    answer = told(home_of(folder), words)
    if as_json:
        echo_json(answer._asdict())
    else:
        click.echo(neutral(f"{answer.sentence}."))
