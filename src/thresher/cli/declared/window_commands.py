"""`thresher view`: what it takes."""

from pathlib import Path

import click

from thresher.cli import completion
from thresher.cli.declared import shared_options as shared
from thresher.cli.declared.command_types import WholeNumber, described


@described("view")
@click.argument(
    "folders", nargs=-1, type=click.Path(path_type=Path), metavar="[DIR]…", shell_complete=completion.folders
)
@shared.option("--port", type=WholeNumber(min=0, max=65535), default=0, help="The port; without it, a free one.")
@shared.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on. Other machines can look in by another than this one; then --token is needed.",
)
@shared.option(
    "--token", metavar="TOKEN", help="What the address must have in it, at least 16 letters; without it, a random one."
)
@shared.option("--open/--no-open", "show", default=False, help="Open it in your browser at once.")
def view() -> None:
    """Watch crawls, steer them and read what they found, in a browser on this machine.

    DIR is the folder of a crawl that runs or has stopped, of results of the lab, or a folder with several of them; this folder without DIR.
    The address that is printed has a token in it, and opens the window; nobody can look in without. No request leaves this machine.

    \b
    thresher view iris-eye
    thresher view --open
    thresher view iris-eye mercury lab-results --port 8080
    """
