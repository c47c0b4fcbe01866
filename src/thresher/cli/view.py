"""`thresher view`: a window on crawls, in a browser."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import say
from thresher.disk.crawl_home import Place
from thresher.view.server import Opening, check_installed, serve
from thresher.view.shown_folders import Places


@declared.view.work
def view(folders: Sequence[Place], *, host: str, port: int, token: str | None, show: bool) -> None:
    """Serve the window until Ctrl-C."""
    check_installed()
    places = Places(folders or [Path()])
    for sentence in places.away():
        say(f"{sentence}; the window asks again")

    def ready(address: str) -> None:
        click.echo(f"The window is open: {address}")
        say("Ctrl-C closes it. Crawls go on without it.")
        if show:
            webbrowser.open(address)

    try:
        serve(places, Opening(host, port, token), ready)
    except KeyboardInterrupt:
        say("The window is closed.")
