"""The chapter *Label*: one page at a time, near the threshold; keys y, n, s, u; the judge's verdict comes after the answer.

Labels are orders to the crawl, whether it runs or not. What it answers, and how many waiting urls moved, is shown when it is there.
"""

import asyncio
import math
from typing import Any

from nicegui import ui

from thresher.errors import ThresherError
from thresher.model import Url
from thresher.orders.order import Label, Order, TakeBack
from thresher.results.archive import Archive
from thresher.results.label.questions import PageQuestions, Question, usual_threshold
from thresher.results.plain_text import evidence_lines, one_line, shorten
from thresher.results.steer import answer_to, tell
from thresher.store.labels import word_of
from thresher.view.frame import OpenCrawl
from thresher.view.parts import draw_original, heading, put, said_as

_KEYS = {"y": "Relevant", "n": "Not relevant", "s": "Skip", "u": "Undo", "m": "More text"}
_SAID: dict[str, bool | None] = {"y": True, "n": False, "s": None}
_PATIENCE = 15.0
"""Seconds that the answer of the crawl is waited for."""
_WAITS = "The crawl has not answered yet; it hears the label when it goes on."


async def ordered(crawl: OpenCrawl, order: Order, turn: asyncio.Lock) -> str:
    """Give an order when it is its turn, and wait for what comes of it, in a sentence."""
    async with turn:
        number = await asyncio.to_thread(tell, crawl.home, order)
    answer = await asyncio.to_thread(answer_to, crawl.home, number, _PATIENCE)
    return answer.sentence if answer else _WAITS


class LabelButtons:
    """Two buttons to say what a page is, and one to take it back."""

    def __init__(self, crawl: OpenCrawl, url: Url, label: str) -> None:
        """For a page with this label, or none."""
        self._crawl, self._url, self._label, self._turn = crawl, url, label, asyncio.Lock()

    def draw(self) -> None:
        """Draw them, with what is said of the page now."""
        with ui.element("div").classes("tools").props('role="group" aria-label="Your label"'):
            self._yes = ui.button("Relevant", on_click=lambda: self._say(said=True)).props("no-caps dense outline")
            self._no = ui.button("Not relevant", on_click=lambda: self._say(said=False)).props("no-caps dense outline")
            self._back = ui.button("Take back", on_click=self._take_back).props("no-caps dense flat")
            self._status = ui.label().classes("soft").props('role="status"')
        self._show()

    def _show(self) -> None:
        for button, word in ((self._yes, "relevant"), (self._no, "not relevant")):
            put(button, "aria-pressed", "true" if self._label == word else "false")
            button.classes(
                add="chosen-label" if self._label == word else "", remove="" if self._label == word else "chosen-label"
            )
        self._back.set_visibility(bool(self._label))

    async def _say(self, *, said: bool) -> None:
        self._label = word_of(said)
        await self._order(Label(self._url, said))

    async def _take_back(self) -> None:
        self._label = ""
        await self._order(TakeBack(self._url))

    async def _order(self, order: Order) -> None:
        self._show()
        self._status.set_text("…")
        try:
            self._status.set_text(await ordered(self._crawl, order, self._turn))
        except ThresherError as error:
            self._status.set_text(str(error))


async def draw_labelling(crawl: OpenCrawl) -> None:
    """The first question, and those behind it."""
    await _Sitting(crawl).draw()


class _Sitting:
    """A person who is asked about pages, one at a time."""

    def __init__(self, crawl: OpenCrawl) -> None:
        self._crawl = crawl
        self._threshold: float | None = None
        self._question: Question | None = None
        self._again: list[Question] = []
        """Questions that were put off by an undo, the next one last."""
        self._said: list[tuple[Question, bool | None]] = []
        """What was answered here, oldest first."""
        self._shown: set[Url] = set()
        """Pages whose verdict was seen before they were answered a second time."""
        self._whole = False
        self._turn = asyncio.Lock()
        """An answer that is taken back at once must be given first."""

    async def draw(self) -> None:
        """Draw the page of the chapter, and ask the first question."""
        heading("Label pages")
        ui.label(
            "Is this page about the topic? What you say counts for more than the judge, and a crawl that runs goes by it at once."
        ).classes("soft")
        self._card = (
            ui.element("section").classes("card stack question").props('aria-live="polite" aria-label="The page"')
        )
        with ui.element("div").classes("tools").props('role="group" aria-label="Your answer"'):
            self._buttons = {key: self._button(key, name) for key, name in _KEYS.items()}
        self._verdict = ui.element("section").classes("card stack").props('role="status" aria-label="The last page"')
        self._verdict.set_visibility(False)
        self._so_far = ui.label().classes("soft")
        ui.keyboard(self._pressed, repeating=False)
        await self._next()

    def _button(self, key: str, name: str) -> ui.button:
        button = ui.button(name, on_click=lambda: self._do(key)).props("no-caps unelevated")
        if key not in {"y", "n"}:
            button.props("flat")
        put(button, "aria-keyshortcuts", key)
        with button:
            ui.element("kbd").props('aria-hidden="true"')._text = key  # noqa: SLF001 - the way to a text without an element of its own
        return button

    async def _pressed(self, event: Any) -> None:
        plain = not (event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta)
        if event.action.keydown and plain and str(event.key).lower() in _KEYS:
            await self._do(str(event.key).lower())

    async def _do(self, key: str) -> None:
        if key == "u":
            await self._undo()
        elif self._question is None:
            return
        elif key == "m":
            self._whole = not self._whole
            self._draw_question()
        else:
            await self._answer(self._question, _SAID[key])

    async def _answer(self, question: Question, said: bool | None) -> None:  # noqa: FBT001 - yes, no, or skipped
        self._said.append((question, said))
        self._question = None
        told = self._draw_verdict(question, said)
        order = asyncio.create_task(self._order(Label(question.url, said), told))
        await self._next()
        await order

    async def _undo(self) -> None:
        if not self._said:
            ui.notify("There is nothing to undo: no page was answered yet.")
            return
        if self._question is not None:
            self._again.append(self._question)
        last, _ = self._said.pop()
        self._shown.add(last.url)
        self._again.append(last)
        self._verdict.clear()
        with self._verdict:
            ui.label("Your last answer is taken back.").classes("strong")
            told = ui.label("…").classes("crawl-answer")
        self._verdict.set_visibility(True)
        await self._next()
        await self._order(TakeBack(last.url), told)

    async def _order(self, order: Order, told: ui.label) -> None:
        try:
            told.set_text(await ordered(self._crawl, order, self._turn))
        except ThresherError as error:
            told.set_text(str(error))

    async def _next(self) -> None:
        self._whole = False
        if self._again:
            self._question = self._again.pop()
        else:
            answered = [question.url for question, _ in self._said]
            self._question, self._threshold = await self._crawl.ask(_next_question, answered, self._threshold)
        self._draw_question()

    def _draw_question(self) -> None:
        question = self._question
        self._card.clear()
        for key, button in self._buttons.items():
            button.set_enabled(bool(self._said) if key == "u" else question is not None)
        with self._card:
            if question is None:
                ui.label("There is no page left to ask about. When the crawl has fetched more, come back.")
            else:
                _draw_page(question, whole=self._whole)
        self._so_far.set_text(self._agreement())

    def _draw_verdict(self, question: Question, said: bool | None) -> ui.label:  # noqa: FBT001 - as above
        """What the judge said, now that the person has answered; returns the place of what the crawl will say."""
        self._verdict.clear()
        self._verdict.set_visibility(True)
        agrees = said == question.relevant
        word = "relevant" if question.relevant else "not relevant"
        differs = "" if said is None else "; so do you" if agrees else "; you differ"
        with self._verdict:
            title = shorten(question.title or one_line(question.url), 120)
            put(ui.label(f"{title}: you said {word_of(said) or 'skip'}.").classes("strong"), "dir", "auto")
            ui.label(f"The judge says {question.relevance:.2f}, {word}{differs}.").classes("good" if agrees else "")
            for line in evidence_lines(question.evidence, question.missing):
                if line:
                    ui.label(shorten(line, 500)).classes("reason")
            return ui.label("…").classes("crawl-answer")

    def _agreement(self) -> str:
        said = [(question, answer) for question, answer in self._said if answer is not None]
        blind = [question.relevant == answer for question, answer in said if question.url not in self._shown]
        labelled = f"{len(said):,} labelled here" if said else ""
        agreed = f"; you agree with the judge on {sum(blind):,} of {len(blind):,}" if blind else ""
        return f"{labelled}{agreed}." if labelled else ""


def _next_question(archive: Archive, answered: list[Url], threshold: float | None) -> tuple[Question | None, float]:
    """The next page to ask about. Those answered here are left out: the crawl may not have heard of them yet."""
    usual = usual_threshold(archive) if threshold is None else threshold
    questions = PageQuestions(archive, usual)
    return questions.nearest({**questions.asked(), **dict.fromkeys(answered, math.inf)}), usual


def _draw_page(question: Question, *, whole: bool) -> None:
    """A page as one sees it who does not know what the judge said."""
    put(heading(shorten(question.title, 300) or "A page without a title", 2), "dir", "auto")
    draw_original(question.url)
    text = "\n\n".join(question.parts()[:20]) if whole else question.snippet
    box = ui.label(text).classes("text-box plain-text" if whole else "plain-text")
    if whole:
        box.props('tabindex="0" role="region"')
        said_as(box, "The text of the page")
    put(box, "dir", "auto")
