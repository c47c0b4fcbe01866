"""`thresher show`: what a crawl has found so far."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from rich.cells import set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from thresher.chart import write_picture
from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.plot import plot, plot_width
from thresher.cli.terminal import Terminal, patience
from thresher.disk.crawl_home import Place
from thresher.install_hint import install_hint
from thresher.results.archive import Archive
from thresher.results.crawl_seeds import SeedFate
from thresher.results.link_tree import TreeNode, link_tree
from thresher.results.plain_text import day, one_line, short_line, shorten
from thresher.results.show import BestNow, CrawlFigures, crawl_figures, harvest_picture
from thresher.results.sightings import Sightings
from thresher.results.target_recall import target_recall

_PIPED = 240
_MOST_NAMES, _MOST_WORDS, _MOST_SEEDS = 24, 8, 20
"""Names of the topic on the screen, words of a judge that looks for none, and seeds; --json has all."""


@declared.show.work
def show(folder: Place, *, tree: bool, picture: Path | None, targets: Path | None, as_json: bool) -> None:
    """Read the crawl, and draw or print what it found."""
    console = Terminal(highlight=False)
    if not console.is_terminal:
        console.width = _PIPED  # the reader wants whole urls
    with Archive.open(folder) as archive:
        if picture is not None:
            write_picture(harvest_picture(archive), picture)
        if tree:
            roots = link_tree(archive)
            if as_json:
                echo_json([root.as_json() for root in roots])
            else:
                draw_tree(roots, console)
            return
        # An ontology may have to be read to know what is missing, and pages to compare the judge with the labels.
        with patience("reading the crawl, and what is known of its topic"):
            figures = crawl_figures(archive)._replace(recall=target_recall(archive, targets) if targets else None)
    if as_json:
        echo_json(figures.as_json())
    elif picture is None:
        draw(figures, console)
    else:
        console.print(f"The harvest curve is drawn in [bold]{escape(str(picture))}[/].", soft_wrap=True)


def draw(figures: CrawlFigures, console: Console) -> None:
    """For people."""
    counts, settings = figures.counts, figures.settings
    console.print(f"[bold]{escape(settings.topic)}[/]  {settings.strategy['name']}, judged by {escape(figures.judges)}")
    if (judged := figures.judged) is not None:
        console.print(
            f"Judged anew on {day(judged.done)} by {escape(str(judged))}; pages that came later, as the crawl judged them"
        )
    waiting = f"{figures.waiting:,} url{'s' * (figures.waiting != 1)} waiting"
    hosts = f"{counts.hosts:,} host{'s' * (counts.hosts != 1)}"
    console.print(
        f"{counts.fetched:,} fetched, [bold green]{counts.relevant:,} relevant[/], harvest [bold]{counts.harvest:.1%}[/]; "
        f"{waiting}; {hosts}; {counts.bytes / 1e6:,.1f} MB received"
    )
    _draw_reach(figures, console)
    if counts.duplicates or counts.near:
        console.print(f"{counts.duplicates:,} exact and {counts.near:,} near duplicates, not counted as harvest")
    if (expected := figures.expected_precision) is not None:
        console.print(
            f"Expected precision {expected:.0%}: about so many of the relevant pages are on topic, by the judge's own scores"
        )
    if (by_hand := figures.by_hand) is not None:
        said = f"By your {by_hand.labels:,} label{'s' * (by_hand.labels != 1)}, {by_hand.relevant:,} of them relevant: "
        scores = f"F1 of the judge {by_hand.before.f1:.2f}, with your labels {by_hand.after.f1:.2f}"
        console.print(f"{said}harvest [bold]{by_hand.harvest_after:.1%}[/]; {scores}")
    if len(figures.curve) > 1:
        console.print("\nHarvest rate over the pages fetched", style="bold")
        width = plot_width(console.width)
        console.print("\n".join(plot({"harvest": [share for _, share in figures.curve]}, width)))
        console.print(f"       1{figures.curve[-1][0]:>{width - 1},}")
    _draw_best(figures.best, console)
    _draw_sightings(figures.sightings, console)
    _draw_hosts(figures, console)
    _draw_seeds(figures.seeds, console)
    if figures.alike:
        listed = ", ".join(f"{escape(host)} ({pages:,})" for host, pages in figures.alike.items())
        console.print(f"\nOther hosts went first, since many pages of these look alike: {listed}")
    _draw_shells(figures, console)
    if figures.unread_told:
        console.print(f"\n{escape(figures.unread_told)}", soft_wrap=True)
    if figures.errors:
        console.print("\nErrors: " + ", ".join(f"{name} {count:,}" for name, count in figures.errors.items()))
    console.print(f"\n{'Stopped: ' if figures.reason else ''}{figures.message}.")


def _draw_reach(figures: CrawlFigures, console: Console) -> None:
    """How far the harvest goes beyond what the seeds gave, how fast it came, and how much of what is known."""
    told = []
    if figures.beyond_seeds is not None:
        told.append(f"without the seeds {figures.beyond_seeds:.1%}")
    if figures.beyond_links is not None:
        told.append(f"without them and what they link to {figures.beyond_links:.1%}")
    if told:
        console.print(f"Harvest {', '.join(told)}")
    if figures.seconds_per_100:
        console.print(f"{figures.seconds_per_100:,.1f} seconds for 100 fetches")
    if (recall := figures.recall) is not None:
        console.print(f"{recall.reached:,} of {recall.targets:,} targets reached, recall [bold]{recall.share:.1%}[/]")


def _draw_best(pages: list[BestNow], console: Console) -> None:
    if not pages:
        return
    console.print("\nBest pages", style="bold")
    room = _title_room([page.page.title for page in pages], console)
    for page in pages:
        first, since = page.page, _since(page)
        line = Text.assemble(
            (f"{first.relevance:.2f}", "dim" if page.gone or not page.relevant else "green"),
            f"  {_fitted(first.title, room)}  ",
            (f"{since}  " if since else "", "yellow"),
            (first.url, "dim"),
        )
        console.print(line, no_wrap=True, overflow="ellipsis")


def _title_room(titles: Sequence[str], console: Console) -> int:
    """How wide a column of titles is."""
    return min(48, console.width // 3, max(len(one_line(title)) for title in titles))


def _fitted(title: str, room: int) -> str:
    return set_cell_size(short_line(title, room), room)


def _since(page: BestNow) -> str:
    """What became of it: `gone since 2026-02-01`, `changed since, now 0.12`."""
    if page.gone:
        return f"gone since {day(page.gone)}"
    if page.changed is None:
        return ""
    return f"changed since, now {page.relevance:.2f}{'' if page.relevant else ', not relevant'}"


def _draw_sightings(seen: Sightings, console: Console) -> None:
    """Which words of the topic are on the relevant pages, tier by tier, and which are not."""
    if not seen.pages:
        return
    console.print("\nFound, with the number of relevant pages", style="bold")
    table = Table.grid(padding=(0, 2))
    # A judge that looks for no names weighs every word: a few of them are enough.
    words, most = ("words", _MOST_NAMES) if seen.names else ("words that count most", _MOST_WORDS)
    for tier, names in seen.tiers().items():
        listed = [Text.assemble(name, (f" {count:,}", "green")) for name, count in names.items()]
        table.add_row(Text(tier or words, "dim"), _names(listed, most))
    for label, missing in (("only elsewhere", seen.elsewhere), ("never found", seen.never)):
        if missing:
            table.add_row(Text(label, "dim"), _names([Text(name) for name in missing]))
    console.print(table)


def _names(names: list[Text], most: int = _MOST_NAMES) -> Text:
    more = len(names) - most
    return Text(", ").join(names[:most]) + Text(f" and {more:,} more" if more > 0 else "", "dim")


def _draw_hosts(figures: CrawlFigures, console: Console) -> None:
    if len(figures.hosts) < 2:
        return
    table = Table("host", "fetched", "relevant", "harvest", box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for host, fetched, relevant, _ in figures.hosts:
        table.add_row(escape(host), f"{fetched:,}", f"{relevant:,}", f"{relevant / fetched:.0%}")
    console.print()
    console.print(table)


def _draw_seeds(seeds: Sequence[SeedFate], console: Console) -> None:
    """Where the crawl began, and how many relevant pages each seed led to."""
    if not seeds:
        return
    console.print(
        f"\n{len(seeds):,} seed{'s' * (len(seeds) != 1)}, with the relevant pages that each led to", style="bold"
    )
    shown = seeds[:_MOST_SEEDS]
    wide, room = len(f"{shown[0].led_to:,}"), _title_room([seed.title for seed in shown], console)
    for seed in shown:
        said = seed.outcome if seed.relevance is None else f"{seed.relevance:.2f}"
        line = Text.assemble(
            (f"{seed.led_to:>{wide},}", "green" if seed.led_to else "dim"),
            (f"  {said}", "green" if seed.relevant else "dim"),
            f"  {_fitted(seed.title, room)}" if seed.title else "",
            (f"  {one_line(seed.url)}", "dim"),
        )
        console.print(line, no_wrap=True, overflow="ellipsis")
    if len(seeds) > len(shown):
        console.print(f"and {len(seeds) - len(shown):,} more; --json has all", style="dim")


def _draw_shells(figures: CrawlFigures, console: Console) -> None:
    """Pages that are empty without scripts: what became of them, and how to see the others."""
    shells = figures.shells
    if shells.rendered:
        console.print(f"\n{_pages(shells.rendered)} rendered in a browser")
    if shells.failed:
        why = ", ".join(f"{name} {count:,}" for name, count in shells.failed.items())
        console.print(f"\nCould not be rendered: {why}")
    if shells.promising:
        named = f"{shells.promising:,} of them {'is a seed' if shells.promising == 1 else 'are seeds'}"
        first = "" if find_spec("playwright") else f"{install_hint('browser')} and "
        said = f"{_pages(shells.pages)} empty without scripts, {named} or linked from a relevant page: {first}--browser auto"
        console.print(Text(f"\n{said}"), soft_wrap=True)


def _pages(number: int) -> str:
    return f"{number:,} page{'s' * (number != 1)}"


def draw_tree(roots: list[TreeNode], console: Console) -> None:
    """The links that led to relevant pages, for people."""
    if not roots:
        console.print("No relevant page yet.")
    for root in roots:
        drawn = Tree(_leaf(root), guide_style="dim")
        _grow(drawn, root)
        console.print(drawn)


def _grow(tree: Tree, node: TreeNode) -> None:
    for child in sorted(node.children, key=lambda each: (-each.relevant_pages(), -each.relevance)):
        _grow(tree.add(_leaf(child)), child)
    if node.cut:
        tree.add(Text(f"{node.cut:,} more relevant", "dim italic"))


def _leaf(node: TreeNode) -> Text:
    """`0.69  Eye  “eye”  http://…`, on one line."""
    anchor, title = one_line(node.anchor), one_line(node.title)
    return Text.assemble(
        (f"{node.relevance:.2f}", "green" if node.relevant else "dim"),
        "  ",
        (shorten(title, 44) or node.url, "bold" if node.relevant else ""),
        (f"  “{shorten(anchor, 36)}”" if anchor and not title.startswith(anchor) else "", "italic"),
        (f"  {node.url}" if title else "", "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )
