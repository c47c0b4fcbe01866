"""`thresher work`: work on a crawl in PostgreSQL together with others."""

import sys
from pathlib import Path
from typing import Any

import click

from thresher.cli.crawl_options import ledger_of, place_options
from thresher.cli.declared import crawl_command as declared
from thresher.cli.event_lines import event_writers
from thresher.cli.running import join_to_its_end
from thresher.disk.crawl_home import home_of
from thresher.errors import BadInput

_LONGEST = 10_000
"""Letters of an address."""


@declared.work.work
def work(*, ledger: str, log: Path | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Join the crawl, and work until it ends."""
    writers = click.get_current_context().with_resource(event_writers(log, as_json=as_json))
    wanted: dict[str, Any] = {}
    place_options(wanted, (), (), options)
    sys.exit(
        join_to_its_end(home_of(ledger_of(_typed(ledger))), wanted, quiet=quiet or as_json, writers=writers).exit_code
    )


def _typed(ledger: str) -> str:
    """The address; `-` is the first line of the input, which nobody else on the machine can read."""
    if ledger != "-":
        return ledger
    if not (address := sys.stdin.readline(_LONGEST).strip()):
        raise BadInput("thresher work - reads the address of the crawl from its input, and that is empty")
    return address
