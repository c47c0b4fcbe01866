"""`thresher strategies`: which strategies and judges there are, what each does, needs, and comes from."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from thresher import plugins
from thresher.knowledge import NEEDS


class Described(NamedTuple):
    """A strategy or judge, as one chooses it."""

    name: str
    what: str
    needs: tuple[str, ...]
    paper: str
    keys: tuple[str, ...]


@click.command()
@click.option("--judges", "kind", flag_value="judge", help="The judges instead: is a page on topic?")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def strategies(kind: str | None, *, as_json: bool) -> None:
    """Which strategies there are: what each does, what it needs, and the paper it is from.

    \b
    thresher strategies
    thresher strategies --judges
    """
    found = list(described(kind or "strategy"))
    if as_json:
        click.echo(json.dumps([each._asdict() for each in found], indent=2, ensure_ascii=False))
        return
    # A name is what one types: it is never cut short, however narrow the terminal.
    name = Column("name", no_wrap=True, min_width=max((len(each.name) for each in found), default=0))
    table = Table(name, "what it does", "needs", "from", box=None, header_style="bold", pad_edge=False)
    for each in found:
        table.add_row(
            f"[bold]{each.name}[/]", escape(each.what), ", ".join(each.needs) or "–", escape(each.paper) or "–"
        )
    console = Console(highlight=False)
    console.print(table)
    option = kind or "strategy"
    console.print(f"\nChoose one with --{option} NAME; docs/strategies.md has a section on each, with all its keys.")


def described(kind: str) -> Iterator[Described]:
    """All installed parts of a kind; one that cannot be loaded says why."""
    for name in plugins.names(kind):
        try:
            part = plugins.find(kind, name)
        except Exception as error:  # noqa: BLE001 - somebody else's part may raise anything when it is imported
            yield Described(name, f"cannot be loaded: {error}", (), "", ())
            continue
        yield _described(name, part)


def _described(name: str, part: object) -> Described:
    assert callable(part)
    wanted = plugins.parameters(part)
    asked = [
        NEEDS[key] + ("" if each.default is inspect.Parameter.empty else " (optional)")
        for key, each in wanted.items()
        if key in NEEDS
    ]
    # What comes inside of something else that it asks for, and so by no parameter's name.
    asked += filter(None, [getattr(part, "also_needs", "")])
    keys = tuple(key for key in wanted if key not in NEEDS)
    return Described(name, _first_sentence(part), tuple(asked), _paper(part), keys)


def _first_sentence(part: object) -> str:
    text = " ".join((inspect.getdoc(part) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def _paper(part: object) -> str:
    """What the part's module says it is after: the authors and the year behind `Paper:`."""
    module = inspect.getmodule(part)
    found = re.search(r"^Paper: (.+?\d{4})", inspect.getdoc(module) or "", re.MULTILINE) if module else None
    return found[1].strip() if found else ""
