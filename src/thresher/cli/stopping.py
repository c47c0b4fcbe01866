"""Ctrl-C in a command that can be gone on with: nothing is lost, and the last words say so."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from thresher.cli.running import INTERRUPTED


@contextmanager
def goes_on(kept: Callable[[], str]) -> Iterator[None]:
    """End on Ctrl-C with what is kept, and the word that the same command goes on."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"thresher: stopped; {kept()}, and the same command goes on", err=True)
        sys.exit(INTERRUPTED)
