"""`thresher advise`: what another strategy or judge would have done with a finished crawl."""

from collections.abc import Sequence

from rich.table import Table

from thresher.cli.crawl_options import part_table
from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.disk.crawl_home import Place
from thresher.lab.run.advice import STRATEGIES, Advice, StrategyAdvice
from thresher.lab.run.advice import advise as advised
from thresher.results.archive import Archive

_CERTAIN = 0.05


@declared.advise.work
def advise(*, folder: Place, strategies: Sequence[str], judges: Sequence[str], as_json: bool) -> None:
    """Replay the crawl with each strategy, and draw or print what came of it."""
    console = Terminal(stderr=True, highlight=False)
    named = [part_table(text, "--strategy") for text in strategies] if strategies else STRATEGIES
    tried = [part_table(text, "--judge") for text in judges or ["terms"]]
    with Archive.open(folder) as archive, console.status("replaying") as status:
        advice = advised(archive, named, tried, status.update)
    for sentence in advice.left_out:
        console.print(sentence, markup=False)
    if as_json:
        echo_json(_as_json(advice))
    else:
        _draw(advice)


def _draw(advice: Advice) -> None:
    shown = Terminal(highlight=False)
    table = Table(box=None, pad_edge=False)
    for name, justify in (
        ("strategy", "left"),
        ("relevant found", "right"),
        ("mean AUC", "right"),
        ("ahead at", "right"),
        ("luck?", "left"),
    ):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]  # rich names its five words
    for row in advice.strategies:
        table.add_row(row.strategy, f"{row.found}", f"{row.auc:.3f}", _ahead(row), _luck(row))
    shown.print(table)
    if advice.judges:
        shown.print(f"\nJudges on {advice.labelled} labelled pages, by average precision: ", end="")
        shown.print(", ".join(f"{row.judge} {row.average_precision:.2f}" for row in advice.judges) + ".")
    shown.print("\n" + " ".join(sentences(advice)), soft_wrap=not shown.is_terminal)


def _ahead(row: StrategyAdvice) -> str:
    if row.against_own is None:
        return "this crawl's"
    return f"{row.against_own.score.wins} of {row.against_own.pairs} starts"


def _luck(row: StrategyAdvice) -> str:
    if row.against_own is None:
        return ""
    return f"{'hardly' if row.p < _CERTAIN else 'may be'} (p = {row.p:.3f})"


def sentences(advice: Advice) -> list[str]:
    """The advice in two sentences, and what it rests on."""
    own = next(row for row in advice.strategies if row.against_own is None)
    best = advice.strategies[0]
    basis = (
        f"{advice.labelled} labels and the crawl's judge"
        if advice.labelled
        else "the crawl's own judge; label some pages to be surer"
    )
    rests = f"({advice.pages} pages, {advice.relevant} relevant, by {basis}.)"
    if best is own:
        return [
            f"No other strategy found more within {advice.budget} fetches than {own.strategy}, which this crawl used.",
            "Keep it.",
            rests,
        ]
    first = (
        f"Within {advice.budget} fetches {best.strategy} would have found {best.found} relevant pages and this crawl's "
        f"{own.strategy} {own.found}; over all starts its mean AUC is {best.auc:.3f} against {own.auc:.3f}."
    )
    if best.p < _CERTAIN:
        return [first, f"That is hardly luck: use --strategy {best.strategy} next time.", rests]
    return [first, "That may be luck: nothing speaks clearly against what you have.", rests]


def _as_json(advice: Advice) -> dict[str, object]:
    strategies = [
        {
            "strategy": row.strategy,
            "found": row.found,
            "auc": row.auc,
            "wins": row.against_own.score.wins if row.against_own else None,
            "starts": row.against_own.pairs if row.against_own else None,
            "p": row.p if row.against_own else None,
        }
        for row in advice.strategies
    ]
    judges = [{"judge": row.judge, "average_precision": row.average_precision} for row in advice.judges]
    return {
        "own": advice.own,
        "pages": advice.pages,
        "relevant": advice.relevant,
        "labelled": advice.labelled,
        "budget": advice.budget,
        "strategies": strategies,
        "judges": judges,
        "advice": " ".join(sentences(advice)),
    }
