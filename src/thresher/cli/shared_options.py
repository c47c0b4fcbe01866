"""Arguments and options that several commands have: the task files, the parts to try, where results go."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from thresher.cli import completion

_Command = TypeVar("_Command", bound=Callable[..., Any])

TASKS = click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TASKS.toml…")
ONLY = click.option("--task", "only", multiple=True, metavar="NAME", help="Only this task; may be given several times.")


def part_option(kind: str, told: str) -> Callable[[_Command], _Command]:
    """`--strategy` or `--judge`: one part, with its keys."""
    return click.option(f"--{kind}", metavar="NAME[:KEY=VALUE,…]", help=told, shell_complete=completion.parts(kind))


def parts_option(kind: str, several: str, told: str, default: Sequence[str] = ()) -> Callable[[_Command], _Command]:
    """`--strategy` or `--judge`, as often as one likes; the command gets them by the name `several`."""
    return click.option(
        f"--{kind}",
        several,
        multiple=True,
        default=default,
        show_default=bool(default),
        metavar="NAME[:KEY=VALUE,…]",
        help=told,
        shell_complete=completion.parts(kind),
    )


def out_option(name: str, told: str, *, folder: bool = True) -> Callable[[_Command], _Command]:
    """`--out`: the folder or the file that is written, and its name if none is given."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=folder),
        default=Path(name),
        show_default=True,
        metavar="DIR" if folder else "FILE",
        help=told,
    )
