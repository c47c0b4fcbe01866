"""The command line: one small module a command."""

import sys
from importlib import import_module

import click

from thresher.errors import ThresherError

# In which module each command stands.
_COMMANDS = {
    "crawl": "crawl",
    "demo": "demo",
    "export": "export",
    "lab": "lab",
    "label": "label",
    "ontology": "topic",
    "revisit": "revisit",
    "search": "search",
    "senses": "topic",
    "show": "show",
    "strategies": "strategies",
    "topic": "topic",
    "why": "why",
}


class Commands(click.Group):
    """Commands that are imported when they are called: together they take as long to import as all the rest."""

    def list_commands(self, ctx: click.Context | None) -> list[str]:  # noqa: ARG002 - the same wherever it is asked
        """Their names."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of that name; None if there is none."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"thresher.cli.{_COMMANDS[cmd_name]}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="thresher")
def thresher() -> None:
    """A focused web crawler: tell it a topic, it fetches the most promising link next and keeps what is on topic.

    \b
    Try it:   thresher demo
    Crawl:    thresher crawl iris --contact you@example.org
    Look:     thresher show iris, thresher search iris "pupil", thresher why iris URL
    Take:     thresher export iris --to parquet
    """


def main() -> None:
    """Run a command. What the user can mend is one sentence and exit code 2, never a traceback."""
    try:
        thresher.main(standalone_mode=True)
    except ThresherError as error:
        click.echo(f"thresher: {error}", err=True)
        sys.exit(2)
