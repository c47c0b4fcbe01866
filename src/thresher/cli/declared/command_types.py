"""Commands that load late, options in sections, and suggestions for what was mistyped."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from math import isfinite, nan
from pathlib import Path
from typing import Any

import click

from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import BadInput, did_you_mean
from thresher.loading import quiet_interrupts

_PLAIN = "Options"
_MANY = 16
"""From this many options on they stand in sections."""
_LONG = 1_000
"""Characters: more than any sentence has that says what a command does."""


class WholeNumber(click.IntRange):
    """A whole number, maybe from one to another."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(_no_such_number(self, value), param, ctx)


class Number(click.FloatRange):
    """A number, maybe from one to another; `nan` and `inf` are none."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = nan
        return number if isfinite(number) else self.fail(_no_such_number(self, value), param, ctx)


def _no_such_number(kind: WholeNumber | Number, value: Any) -> str:
    """What is wrong, in words; click would write `0<=x<=64`."""
    least = "" if kind.min is None else f" from {kind.min}"
    most = f" to {kind.max}" if kind.max is not None else " up" * bool(least)
    return f"{str(value)!r} is not a {kind.name}{least}{most}"


_NUMBERS: Mapping[type, str] = {WholeNumber: "N", Number: "X"}
"""What stands for a number in the help."""


class SectionOption(click.Option):
    """An option that stands in a section of the help."""

    def __init__(self, *names: Any, section: str = _PLAIN, **settings: Any) -> None:
        self.section, self.meaning = section, settings.get("help", "")
        if settings.get("multiple"):
            settings["help"] = f"{self.meaning} (repeatable)"
        super().__init__(*names, **settings)
        if self.metavar is None and not self.is_flag:
            self.metavar = _NUMBERS.get(type(self.type))

    def get_help_extra(self, ctx: click.Context) -> Any:
        """The default in words where it has words; no ranges, which an error names."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        if isinstance(self.show_default, str):
            extra["default"] = self.show_default
        return extra


class NamedChoice(click.Choice):  # type: ignore[type-arg]  # older versions of click have no arguments here
    """One of several words; for one that is mistyped, the nearest is suggested."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = did_you_mean(str(value), list(map(str, self.choices)))
            raise click.BadParameter(error.message + near, ctx, param) from None


class ScopeEntry(click.ParamType):  # type: ignore[type-arg]  # as above
    """An entry of a list of `[scope]`, checked where it is typed."""

    name = "text"

    def __init__(self, key: str) -> None:
        self.key = key

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The entry, if a crawl can be made with it."""
        from thresher.fetchers import scope_rules  # noqa: PLC0415 - for those who give one
        from thresher.settings import Settings  # noqa: PLC0415 - as above

        try:
            scope_rules(Settings(scope={self.key: [value]}))
        except BadInput as error:
            self.fail(str(error).removeprefix(f"scope: {self.key}: "), param, ctx)
        return str(value)


class CrawlPlace(click.ParamType):  # type: ignore[type-arg]  # as above
    """A crawl: its folder, or its address in a database."""

    name = "crawl"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002 - of the port
        """The folder, or the address."""
        return (LedgerAddress.of(value) or Path(value)) if isinstance(value, str) else value


class _WholeSentence(click.Command):
    """A command whose first sentence is shown in a list of commands, however long it is."""

    def get_short_help_str(self, limit: int = _LONG) -> str:  # noqa: ARG002 - no limit is one
        """The sentence, also for shells that show it beside a name."""
        return super().get_short_help_str(_LONG)


class LateCommand(_WholeSentence):
    """A command whose work is imported when it runs, and not to show its help or to complete its options."""

    def __init__(self, *arguments: Any, home: str, renamed: Mapping[str, str] | None = None, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.home = home
        """The module that does the work."""
        self.renamed = renamed or {}
        """Options that had another name once, and their names now."""

    def work(self, function: Callable[..., None]) -> "LateCommand":
        """Name the function that does the work: a decorator, for the command's own module."""
        self.callback = function
        return self

    def invoke(self, ctx: click.Context) -> Any:
        """Import what does the work, and do it."""
        with quiet_interrupts():
            import_module(self.home)
        return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; an option that had another name once is told its new one."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name in self.renamed:
                raise click.UsageError(f"{error.option_name} is now {self.renamed[error.option_name]}", ctx) from None
            nearest = (error.possibilities or ())[:1]  # click would sort them by the alphabet
            raise click.NoSuchOption(error.option_name, possibilities=nearest, ctx=ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, section by section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        params = self.get_params(ctx)
        for option in params:
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)) is not None:
                name = getattr(option, "section", _PLAIN) if len(params) > _MANY else _PLAIN
                sections.setdefault(name, []).append(record)
        for name, records in sorted(sections.items(), key=lambda each: each[0] == _PLAIN):
            with formatter.section(name):
                formatter.write_dl(records)


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


class HelpfulGroup(_WholeSentence, click.Group):
    """Commands, of which the nearest is suggested for one that is mistyped."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            names = dict(self._spelt(ctx))
            # `thresher record` means `thresher lab record`.
            near = did_you_mean(name, list(names), names)
            raise click.UsageError(f"there is no command {name!r}{near}", ctx)
        return super().resolve_command(ctx, args)

    def _spelt(self, ctx: click.Context) -> Iterator[tuple[str, str]]:
        """Each command, and each command of a command, with what one types for it."""
        names = self.list_commands(ctx)
        for name in names:
            yield from ((each, f"{name} {each}") for each in getattr(self.get_command(ctx, name), "commands", ()))
        yield from ((name, name) for name in names)


class Commands(HelpfulGroup):
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

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Read the arguments, which may print help."""
        with _readers_may_go():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _readers_may_go():
            return super().invoke(ctx)


@contextmanager
def _readers_may_go() -> Iterator[None]:
    """Click ends a command whose reader is gone with code 1; without its number the error reaches `main`, as all others do."""
    try:
        yield
    except BrokenPipeError as error:
        error.errno = None
        raise
