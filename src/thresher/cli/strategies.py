"""`thresher strategies`: which strategies and judges there are, what each does, needs, and comes from, and which to start with."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from thresher.cli.declared import knowledge_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.knowledge import PartDescription, described
from thresher.settings import Settings

_MARK = "◀"
_WIDE = 120
"""Columns: from here on each thing has a column of its own."""
_WHY = {
    "strategy": "It needs nothing but words, and learns while it crawls which links pay{lead}.",
    "judge": "It needs nothing but words, and its relevance is a probability.",
}
_OTHERS = {
    "strategy": {
        "you mean one sense of several": "lin (thresher crawl WORD takes it itself)",
        "an ontology knows the topic": "lokman:profile=robust, --judge concepts",
        "you have example pages in classes": "interclass-rules:profile=robust",
        "you want all of a small site": "breadth-first",
    },
    "judge": {
        "you mean one sense of several": "combine (thresher crawl WORD takes it itself)",
        "an ontology knows the topic": "concepts",
        "pages may say it in other words": "meaning",
        "you have example pages in classes": "classifier",
    },
}
_SHARES = (
    "Workers of one crawl share nothing where a strategy remembers nothing; lessons, so that each learns what all saw; or one learner, "
    "that sees the whole crawl and moves urls for all. docs/scale.md says what that costs."
)
_AUC = (
    "AUC: the mean over 13 tasks on recorded webs (docs/papers/results.md), with profile=robust where that found more (*); "
    "oracle-greedy reads the answers."
)


@declared.strategies.work
def strategies(kind: str | None, *, as_json: bool) -> None:
    """Describe the parts, as a table or for programs."""
    option = kind or "strategy"
    default: str = getattr(Settings(), option)["name"]
    found = list(described(option))
    if as_json:
        echo_json([{**each._asdict(), "auc": dict(each.auc), "default": each.name == default} for each in found])
        return
    console = Terminal(highlight=False)
    console.print(_table(found, default, wide=console.width >= _WIDE))
    _say_where_to_start(option, default, found, console)
    console.print(
        f"Choose one with --{option} NAME; docs/reference/strategies.md has a section on each, with all its keys."
    )


def _table(found: Sequence[PartDescription], default: str, *, wide: bool) -> Table:
    """A line for each; in a narrow terminal what it needs and where it is from stand below what it does."""
    # People type the names, so they are never cut short, however narrow the terminal.
    names = {each.name: each.name + f" {_MARK}" * (each.name == default) for each in found}
    name = Column("name", no_wrap=True, min_width=max(map(len, names.values()), default=0))
    measured = any(each.auc for each in found)
    auc = [Column("AUC", no_wrap=True, justify="right")] if measured else []
    shared = any(each.sharing for each in found)
    told = ["what it does", "needs", "from"] if wide else ["what it does, needs, and where it is from"]
    told += ["shares"] * (wide and shared)
    table = Table(name, *auc, *told, box=None, header_style="bold", pad_edge=False)
    for each in found:
        what, needs, paper = escape(each.what), ", ".join(each.needs), escape(each.paper)
        sharing = f"shares {each.sharing}" if each.sharing not in {"", "nothing"} else ""
        below = "; ".join(filter(None, (f"needs {needs}" if needs else "", paper, sharing)))
        cells = [what, needs or "–", paper or "–"] if wide else [f"{what}\n[dim]{below}[/]" if below else what]
        cells += [each.sharing] * (wide and shared)
        table.add_row(f"[bold]{names[each.name]}[/]", *([_best(each)] if measured else []), *cells)
    return table


def _say_where_to_start(option: str, default: str, found: Sequence[PartDescription], console: Console) -> None:
    """The default and why, then when to take which other."""
    why = _WHY[option].format(lead=_lead(default, {each.name: each.auc for each in found}))
    console.print(f"\n[bold]Start with {default}[/] ({_MARK}), the default. {why} Take another if")
    table = Table.grid(padding=(0, 1))
    for when, which in _OTHERS[option].items():
        table.add_row("", when, which)
    console.print(table)
    if option == "strategy":
        console.print("thresher advise DIR replays a crawl of yours and says whether another would have found more.")
        console.print(_AUC)
        console.print(_SHARES)


def _lead(default: str, measured: Mapping[str, Mapping[str, float]]) -> str:
    """The AUC of the default beside that of the next best; nothing if it is not the best."""
    own = max(measured.get(default, {}).values(), default=0.0)
    others = {
        spelt: auc
        for name, aucs in measured.items()
        if name not in {default, "oracle-greedy"}
        for spelt, auc in aucs.items()
    }
    second = max(others, key=others.__getitem__, default=None)
    if second is None or others[second] >= own:
        return ""
    return f": its AUC of {own:.3f} is the best; the next has {others[second]:.3f} ({second})"


def _best(part: PartDescription) -> str:
    if not part.auc:
        return "–"
    spelt, auc = max(part.auc.items(), key=lambda each: each[1])
    return f"{auc:.3f}{'*' if spelt != part.name else ' '}"
