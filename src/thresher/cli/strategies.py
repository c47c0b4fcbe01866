"""`thresher strategies`: which strategies and judges there are, what each does, needs, and comes from."""

from rich.markup import escape
from rich.table import Column, Table

from thresher.cli.declared import knowledge_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.knowledge import PartDescription, described

_START_HERE = {
    "strategy": "apprentice, the default, needs nothing but words; lin is for one sense of a word that has several.",
    "judge": "terms, the default, needs nothing but words; concepts is for a topic that an ontology knows.",
}

_AUC = (
    "AUC: the mean over 13 tasks on recorded webs (docs/papers/results.md), with profile=robust where that found more (*); "
    "oracle-greedy reads the answers."
)


@declared.strategies.work
def strategies(kind: str | None, *, as_json: bool) -> None:
    """Describe the parts, as a table or for programs."""
    found = list(described(kind or "strategy"))
    if as_json:
        echo_json([{**each._asdict(), "auc": dict(each.auc)} for each in found])
        return
    # People type the names, so they are never cut short, however narrow the terminal.
    name = Column("name", no_wrap=True, min_width=max((len(each.name) for each in found), default=0))
    measured = any(each.auc for each in found)
    auc = [Column("AUC", no_wrap=True, justify="right")] if measured else []
    table = Table(name, *auc, "what it does", "needs", "from", box=None, header_style="bold", pad_edge=False)
    for each in found:
        cells = escape(each.what), ", ".join(each.needs) or "–", escape(each.paper) or "–"
        table.add_row(f"[bold]{each.name}[/]", *([_best(each)] if measured else []), *cells)
    console = Terminal(highlight=False)
    console.print(table)
    option = kind or "strategy"
    console.print(f"\nStart here: {_START_HERE[option]}")
    if measured:
        console.print(_AUC, soft_wrap=True)
    console.print(
        f"Choose one with --{option} NAME; docs/reference/strategies.md has a section on each, with all its keys."
    )


def _best(part: PartDescription) -> str:
    if not part.auc:
        return "–"
    spelt, auc = max(part.auc.items(), key=lambda each: each[1])
    return f"{auc:.3f}{'*' if spelt != part.name else ' '}"
