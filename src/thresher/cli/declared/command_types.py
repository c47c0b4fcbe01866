"""Commands that load late."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click

from thresher.loading import quiet_interrupts


class LateCommand(click.Command):
    """A command whose work is imported when it runs, and not to show its help or to complete its options."""

    def __init__(self, *arguments: Any, home: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.home = home
        """The module that does the work."""

    def work(self, function: Callable[..., None]) -> "LateCommand":
        """Name the function that does the work: a decorator, for the command's own module."""
        self.callback = function
        return self

    def invoke(self, ctx: click.Context) -> Any:
        """Import what does the work, and do it."""
        with quiet_interrupts():
            import_module(self.home)
        return super().invoke(ctx)


def described(
    home: str, *, group: click.Group | None = None, **settings: Any
) -> Callable[[Callable[..., None]], LateCommand]:
    """A command with the name and the docstring of a function; the module `home` of `thresher.cli` does the work."""

    def describe(function: Callable[..., None]) -> LateCommand:
        made = click.command(cls=LateCommand, home=f"thresher.cli.{home}", **settings)(function)
        if group is not None:
            group.add_command(made)
        return made

    return describe


class Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def __init__(self, *arguments: Any, homes: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._homes = homes

    def list_commands(self, ctx: click.Context | None) -> list[str]:  # noqa: ARG002 - the same wherever it is asked
        """Their names."""
        return sorted(self._homes)

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of that name; None if there is none."""
        if cmd_name not in self._homes:
            return None
        with quiet_interrupts():
            command: click.Command = getattr(import_module(f"thresher.cli.declared.{self._homes[cmd_name]}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. click ends one whose reader is gone with code 1; without its number the error reaches `main`, as all others do."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            error.errno = None
            raise
