"""`thresher search`: full text over what a crawl has kept."""

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.disk.crawl_home import Place
from thresher.results.archive import Archive
from thresher.results.plain_text import day
from thresher.results.search.answers import AnyIndex, FoundPage, SearchAnswer
from thresher.results.search.answers import search as find
from thresher.results.search.marks import Marked

_MARK = "bold yellow"
_WIDEST = 110
"""Columns of a snippet: longer lines are hard to read."""


@declared.search.work
def search(  # noqa: PLR0913 - an option each
    folder: Place, words: tuple[str, ...], *, limit: int, relevant: bool, expand: bool, as_json: bool
) -> None:
    """Bring the index up to date, look, and draw or print what was found."""
    for word in words:
        if word.startswith("--"):
            raise click.NoSuchOption(word, possibilities=_options(), ctx=click.get_current_context())
    with Archive.open(folder) as archive:
        answer = find(archive, " ".join(words), limit=limit, relevant=relevant, expand=expand, progress=_update)
    if as_json:
        echo_json(answer.as_json())
    else:
        _draw(answer, Terminal(highlight=False), only="relevant " * relevant)


def _options() -> list[str]:
    return [name for option in declared.search.params for name in option.opts if name.startswith("--")]


def _update(index: AnyIndex) -> None:
    """Bring the index up to date, with a bar where somebody watches."""
    behind = index.behind()
    if not behind:
        return
    columns = (TextColumn("indexing new pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Terminal(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        pages = bar.add_task("", total=behind)
        index.update(lambda count: bar.advance(pages, count))


def _draw(answer: SearchAnswer, console: Console, only: str) -> None:
    console.print(_headline(answer, only))
    if answer.query.others:
        console.print(Text(f"also looked for {', '.join(answer.query.others)}", style="dim"))
    elif answer.note:
        console.print(Text(f"no synonyms: {answer.note}", style="dim"), soft_wrap=True)
    judges = {found.judged_by for found in answer.found}
    if answer.judged_anew:
        console.print(Text(f"relevance by {'; '.join(sorted(judges))}", style="dim"), soft_wrap=True)
    width = len(str(len(answer.found)))
    for place, found in enumerate(answer.found, 1):
        console.print()
        _draw_one(f"{place:>{width}}  ", found, console)
    if answer.lost:
        console.print(f"\n{answer.lost:,} of them cannot be shown: their records are lost")
    if more := answer.total - len(answer.found) - answer.lost:
        console.print(f"\n[dim]{more:,} more: --limit {2 * (answer.total - more)}[/]")


def _headline(answer: SearchAnswer, only: str) -> Text:
    asked = str(answer.query)
    if not answer.total:
        return Text.assemble(f"No {only}page has ", (asked, "bold"))
    pages = f"{answer.total:,} {only}page{'s' * (answer.total != 1)}"
    if answer.every:
        return Text.assemble((pages, "bold"), " ha", "s" if answer.total == 1 else "ve", " ", (asked, "bold"))
    return Text.assemble(f"No {only}page has all of ", (asked, "bold"), "; ", (pages, "bold"), " with some of them")


def _draw_one(place: str, found: FoundPage, console: Console) -> None:
    title = _styled(found.snippet.title, "bold") if found.snippet.title.text else Text("without a title", "italic")
    facts = [] if found.relevance is None else [f"relevance {found.relevance:.2f}"]
    facts += [f"labelled {found.label}"] * bool(found.label)
    facts += [found.language] * bool(found.language)
    facts += [f"gone since {day(found.gone)}"] if found.gone else []
    facts += [f"{found.copies} cop{'y' if found.copies == 1 else 'ies'}"] * bool(found.copies)
    badge = Text("  " + ", ".join(facts), "green" if found.wanted else "dim")
    room = min(console.width, _WIDEST) - len(place) - len(badge)
    title.truncate(room, overflow="ellipsis")
    console.print(Text.assemble(place, title, badge), no_wrap=True)
    console.print(Text(" " * len(place) + found.url, "dim"), soft_wrap=True)
    for line in _styled(found.snippet.text).wrap(console, min(console.width, _WIDEST) - len(place)):
        line.rstrip()
        console.print(Text(" " * len(place)) + line, no_wrap=True)


def _styled(marked: Marked, style: str = "") -> Text:
    text = Text(marked.text, style)
    for start, end in marked.marks:
        text.stylize(_MARK, start, end)
    return text
