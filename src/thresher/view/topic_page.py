"""The chapter *The topic*: names with their weights and the pages they found, and what the strategy has learnt."""

from collections.abc import Sequence
from typing import Any

from nicegui import ui

from thresher.results.watch.topic_now import LearntNow, NameNow, TopicNow, WeightNow, WordNow, learnt_now
from thresher.view.chart_pieces import Table, TableColumn, card, styled
from thresher.view.frame import OpenCrawl
from thresher.view.parts import TIER_WORDS, heading, set_text
from thresher.view.watching import Changes, watched


def draw_topic(crawl: OpenCrawl) -> None:
    """Draw the chapter."""
    styled()
    page = _TopicPage(crawl)
    crawl.every(5.0, page.refresh)
    crawl.every(30.0, page.refresh_learnt)


class _TopicPage:
    def __init__(self, crawl: OpenCrawl) -> None:
        self._crawl, self._watched = crawl, watched(crawl.home)
        self._changes, self._learnt_changes = Changes(crawl.home), Changes(crawl.home)
        self._headline = heading("")
        self._who = ui.label().classes("soft")
        with ui.element("div").classes("columns two"):
            with ui.element("div").classes("pile"):
                self._draw_names()
                self._draw_judged()
                self._draw_words()
            with ui.element("div").classes("pile"):
                self._draw_weights()

    def _draw_names(self) -> None:
        columns = (
            TableColumn("label", "Name"),
            TableColumn("pages", "Relevant pages", kind="bar"),
            TableColumn("weight", "Weight", "right"),
            TableColumn("tier", "What it is"),
        )
        with card("Names of the topic", "Each with its weight, and the relevant pages on which it was found."):
            self._names = Table("Names of the topic", columns, "label", "This judge looks for no names.")
            self._more = ui.label().classes("soft")
            self._never = ui.label().classes("soft")

    def _draw_judged(self) -> None:
        columns = TableColumn("word", "Word"), TableColumn("pages", "Pages", kind="bar")
        with card("Words that the judge weighed") as self._judged:
            self._found, self._against = _two_tables("For a page", "Against a page", columns)

    def _draw_words(self) -> None:
        word = (
            TableColumn("word", "Word"),
            TableColumn("odds", "How much", kind="bar"),
            TableColumn("pages", "Pages", "right"),
        )
        with card("Words that the strategy has learnt"):
            self._learnt_said = ui.label().classes("soft")
            self._speak_for, self._speak_against = _two_tables("Speak for a link", "Speak against a link", word)

    def _draw_weights(self) -> None:
        columns = (
            TableColumn("means", "What is known of a link", kind="named"),
            TableColumn("began", "At first", "right"),
            TableColumn("now", "Now", "right"),
            TableColumn("change", "Change", "right"),
        )
        explained = "How much each sign counts in the priority of a link. Those first that changed most."
        with card("Weights that the strategy has learnt", explained):
            self._weights = Table(
                "Weights that the strategy has learnt", columns, "feature", "None: it does not learn."
            )

    async def refresh(self) -> None:
        """Draw what has changed."""
        if await self._crawl.look(self._changes.there_are):
            self._show(await self._crawl.ask(self._watched.topic))

    async def refresh_learnt(self) -> None:
        """The same of what the strategy has learnt, which takes longer."""
        if await self._crawl.look(self._learnt_changes.there_are):
            self._show_learnt(await self._crawl.ask(learnt_now))

    def _show(self, now: TopicNow) -> None:
        set_text(self._headline, now.topic)
        set_text(self._who, f"Pages are judged by {now.judge}; links are chosen by {now.strategy}.")
        most = max((name.pages for name in now.names), default=0)
        self._names.show(_name_row(name, most) for name in now.names if name.pages or name.elsewhere)
        set_text(self._more, f"{now.more:,} more are not listed." if now.more else "")
        never = [name.label for name in now.names if not name.pages and not name.elsewhere]
        told = ", ".join(never[:40]) + (f" and {len(never) - 40:,} more" if len(never) > 40 else "")
        set_text(self._never, f"On no page so far: {told}." if never else "")
        self._judged.set_visibility(bool(now.found or now.against))
        self._found.show(_judge_row(word, now.found, "for") for word in now.found)
        self._against.show(_judge_row(word, now.against, "against") for word in now.against)

    def _show_learnt(self, learnt: LearntNow | None) -> None:
        if learnt is None:
            set_text(self._learnt_said, "This strategy does not learn while it crawls; apprentice does.")
            for table in (self._speak_for, self._speak_against, self._weights):
                table.show([])
            return
        said = f"From {learnt.visits:,} visits. Words of {learnt.read:,} kept pages were looked up in what it knows."
        set_text(self._learnt_said, said)
        self._speak_for.show(_word_row(word, "for") for word in learnt.speak_for)
        self._speak_against.show(_word_row(word, "against") for word in learnt.speak_against)
        self._weights.show(map(_weight_row, learnt.weights))


def _two_tables(left: str, right: str, columns: Sequence[TableColumn]) -> tuple[Table, Table]:
    """Two tables of words side by side."""
    with ui.element("div").classes("columns two"):
        tables = [_titled_table(title, columns) for title in (left, right)]
    return tables[0], tables[1]


def _titled_table(title: str, columns: Sequence[TableColumn]) -> Table:
    with ui.element("div"):
        ui.label(title).classes("tile-name")
        return Table(f"Words: {title.lower()}", columns, "word", "None is told.", "words-table")


def _name_row(name: NameNow, most: int) -> dict[str, Any]:
    tier = TIER_WORDS.get(name.tier, "") + (" · only on other pages" if name.elsewhere else "")
    bar = {"share": name.pages / max(1, most), "kind": "yes"}
    return {"label": name.label, "pages": f"{name.pages:,}", "weight": f"{name.weight:g}", "tier": tier, **bar}


def _judge_row(word: WordNow, among: tuple[WordNow, ...], kind: str) -> dict[str, Any]:
    most = max(each.pages for each in among)
    return {"word": word.word, "pages": f"{word.pages:,}", "share": word.pages / max(1, most), "kind": kind}


def _word_row(word: WordNow, kind: str) -> dict[str, Any]:
    bar = {"share": min(1.0, abs(word.odds) / (3.0 if word.odds > 0 else 1.5)), "kind": kind}
    return {"word": word.word, "odds": f"{word.odds:+.1f}", "pages": f"{word.pages:,}", **bar}


def _weight_row(weight: WeightNow) -> dict[str, Any]:
    change = weight.now - weight.began
    told = f"{change:+.2f}" if abs(change) >= 0.005 else ""
    names = {"feature": weight.feature, "means": weight.means, "under": weight.feature}
    return {**names, "began": f"{weight.began:.2f}", "now": f"{weight.now:.2f}", "change": told}
