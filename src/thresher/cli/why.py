"""`thresher why`: the path from a seed to a url, page by page, and what became of the url."""

import math
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal, groups_of_reasons, print_beside
from thresher.disk.crawl_home import Place
from thresher.model import FIRST
from thresher.results.archive import Archive
from thresher.results.plain_text import evidence_line, evidence_lines, one_line, told_priority
from thresher.results.why.explanation import Fate, WayStep, Why
from thresher.results.why.explanation import why as explain

_MOST_SEEDS = 20
"""Seeds on the screen; --json has all."""
_COLOURS: dict[Fate, str] = {
    "fetched": "green",
    "redirected": "cyan",
    "refused": "yellow",
    "failed": "red",
    "waiting": "cyan",
    "unknown": "yellow",
}


@declared.why.work
def why(folder: Place, url: str, *, as_json: bool) -> None:
    """Find the way, and draw or print it."""
    console, columns = Terminal(stderr=True), (TextColumn("looking for links to it"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with Archive.open(folder) as archive, bar:
        looking = bar.add_task("", visible=False)
        found = explain(archive, url, lambda seen, of: bar.update(looking, completed=seen, total=of, visible=True))
    if as_json:
        echo_json(found.as_json())
    else:
        draw(found, folder, Terminal(highlight=False))


def draw(found: Why, folder: Place, console: Console) -> None:
    """For people: the answer first, then the way."""
    first, *rest = found.verdict
    console.print(Text(found.url, "bold"), soft_wrap=True)
    console.print(Text(one_line(first), _COLOURS[found.fate]))
    for sentence in rest:
        console.print(Text(one_line(sentence)))
    if found.way:
        console.print()
    leads_on = bool(found.links and found.links.found)
    for place, step in enumerate(found.way):
        _draw_step(step, console, last=place == len(found.way) - 1 and not leads_on)
    _draw_links(found, console)
    if found.near:
        console.print(Text("\nThe crawl knows these similar urls:"))
        for url in found.near:
            console.print(Text(f"  thresher why {folder} {url}", "dim"), soft_wrap=True)
    _draw_seeds(found, folder, console)


def _draw_step(step: WayStep, console: Console, *, last: bool) -> None:
    candidate = step.candidate
    if candidate.parent is not None or candidate.chain:
        print_beside("│ ", _link(step), console)
        console.print(Text("▼", "dim"))
    mark = "●" if step.judgement and step.judgement.relevant else "○"
    head = Text.assemble((mark, "green" if mark == "●" else "dim"), " ", (candidate.url, "bold" if last else ""))
    console.print(head, soft_wrap=True)
    print_beside("  " if last else "│ ", _page(step), console)


def _link(step: WayStep) -> Iterator[Text]:
    """How the crawl came from the page before to this one."""
    candidate = step.candidate
    yield Text()
    if candidate.parent is not None:
        made_of, *groups = _made_of(step)
        priority = Text.assemble("  priority ", (told_priority(candidate.priority), "bold"), (made_of, "dim"))
        yield Text.assemble(_anchor(candidate.anchor, step.found), priority)
        yield from groups_of_reasons(groups)
    yield from (Text.assemble(("redirected by ", "cyan"), hop) for hop in candidate.chain)


def _anchor(anchor: str, found: str) -> Text:
    """The words of a link, and where it was found if a person could not click on it."""
    words = one_line(anchor)
    if not words:
        return Text(found or "a link without words", "dim")
    return Text.assemble("“", (words, "italic"), "”", (f", {found}" if found else "", "dim"))


def _made_of(step: WayStep) -> list[str]:
    """The parts of a priority, as a sum where they add up to it; where some speak against, in lines of their own."""
    evidence = step.parts.evidence
    if not evidence:
        return [f": {one_line(step.parts.unknown)}" if step.parts.unknown else ""]
    if any(part.amount < 0 for part in evidence):
        against = -math.fsum(part.amount for part in evidence if part.amount < 0)
        total = f" = {step.candidate.priority + against:.3g} for it − {against:.3g} against" if step.adds_up else ""
        return [total, *evidence_lines(evidence)[1:]]
    return [f" = {evidence_line(evidence, ' + ')}" if step.adds_up else f", from {evidence_line(evidence)}"]


def _page(step: WayStep) -> Iterator[Text]:
    """What came of a url."""
    facts = [_beginning(step)] * (step.candidate.parent is None) + [f"depth {step.candidate.depth}"]
    facts += ["waiting" if step.number is None else f"visit {step.number:,}"]
    title = one_line(step.title)
    yield Text.assemble((f"{title}  " if title else ""), (", ".join(facts), "dim"))
    judgement = step.judgement
    if judgement is not None:
        style = "green" if judgement.relevant else "default"
        reasons = evidence_lines(judgement.evidence, step.missing)
        found, *groups = reasons if judgement.evidence else ["nothing of the topic found"]
        yield Text.assemble((f"relevance {judgement.relevance:.2f}", style), (f"  {found}", "dim"))
        yield from groups_of_reasons(groups)
    elif step.outcome not in {"waiting", "page"}:
        told = f" → {step.redirects_to}" if step.redirects_to else f" {one_line(step.detail)}"
        yield Text((step.outcome + told).rstrip(), "yellow")
    if step.copy_of:
        yield Text(f"a copy of {step.copy_of}", "dim")


def _beginning(step: WayStep) -> str:
    return "put first by order" if step.candidate.priority >= FIRST else "a seed"


def _draw_links(found: Why, console: Console) -> None:
    """The links to a url that the crawl did not follow; the way to the first of them is drawn already."""
    for place, linker in enumerate(found.links.found if found.links else ()):
        if place:
            console.print(Text(f"\n○ {linker.url}"), soft_wrap=True)
        print_beside("│ ", [*[Text()] * (not place), _anchor(linker.anchor, linker.found)], console)
        print_beside("✗ ", [Text(one_line(linker.verdict), "yellow")], console)


def _draw_seeds(found: Why, folder: Place, console: Console) -> None:
    """The other seeds, and that a way that is shown begins at one of them."""
    first = found.way[0].candidate if found.way else None
    begun = {first.url, *first.chain} if first else set()
    others = [seed for seed in found.seeds if seed not in begun]
    if not others:
        return
    besides = "The other" if len(others) < len(found.seeds) else "The"
    seeds = f"{len(others):,} seeds" if len(others) > 1 else "seed"
    console.print(Text(f"\n{besides} {seeds} of the crawl:"))
    for seed in others[:_MOST_SEEDS]:
        console.print(Text(f"  {one_line(seed)}", "dim"), soft_wrap=True)
    if len(others) > _MOST_SEEDS:
        console.print(
            Text(f"  and {len(others) - _MOST_SEEDS:,} more; thresher why {folder} URL --json has all", "dim"),
            soft_wrap=True,
        )
