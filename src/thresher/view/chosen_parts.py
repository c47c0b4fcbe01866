"""What a person chooses while a crawl is prepared: senses, concepts with their weights, and seeds."""

from collections.abc import Callable, Sequence

from nicegui import ui

from thresher.results.plain_text import one_line, short_line, shorten
from thresher.seed.search_seeds import FoundSeed
from thresher.topic.build_topic import PROFILES
from thresher.topic.likeliest_sense import likeliest
from thresher.topic.sense_choice import Ambiguous, Meaning
from thresher.topic.topic import Term, Topic
from thresher.view.parts import TIER_WORDS, heading, said_as, table

_MOST_SENSES, _MOST_TERMS, _MOST_SEEDS = 60, 150, 200
_LONGEST_GLOSS, _LONGEST_LABEL, _LONGEST_URL = 400, 80, 150
_WEIGHT = PROFILES["design"].context
_STANDING = {"high": "several engines", "medium": "more than one query", "low": "one engine"}


def draw_senses(which: Ambiguous, answer: Callable[[Sequence[Meaning]], None]) -> None:
    """The senses of a phrase, to be ticked; the likeliest is ticked already."""
    likely = {each.number for each in likeliest(which.phrase, which.meanings, which.beside).meanings}
    with ui.element("section").classes("card form"):
        heading(f"{short_line(which.phrase, _LONGEST_LABEL)} has {len(which.meanings)} senses", 2)
        boxes = {each.number: _sense(each, ticked=each.number in likely) for each in which.meanings[:_MOST_SENSES]}

        def take() -> None:
            chosen = [each for each in which.meanings if each.number in boxes and boxes[each.number].value]
            if not chosen:
                none.set_text("Tick at least one sense, or look for the plain word.")
                return
            answer(chosen)

        with ui.element("div").classes("tools"):
            ui.button("Take what is ticked", on_click=take).props("unelevated no-caps")
            ui.button("The plain word, whatever it means", on_click=lambda: answer([])).props("flat no-caps")
        none = ui.label().classes("soft").props('role="status"')


def _sense(meaning: Meaning, *, ticked: bool) -> ui.checkbox:
    concept = meaning.concept
    with ui.element("div").classes("choice"):
        box = ui.checkbox(value=ticked).props("dense")
        said = short_line(concept.gloss or concept.label, _LONGEST_GLOSS)
        said_as(box, said)
        with ui.element("div"):
            ui.label(said)
            others = ", ".join(one_line(label.text) for label in concept.labels[:8])
            ui.label(shorten(f"{meaning.ontology.name} · {concept.id} · {others}", _LONGEST_GLOSS)).classes("soft")
    return box


class ConceptTable:
    """The names that are looked for, each with its weight; some are struck out, others added."""

    def __init__(self, known: Topic | None) -> None:
        """Draw what is known of the topic; nothing if only its words are."""
        terms = known.terms if known else ()
        self._rows: list[_ConceptRow] = []
        self._unseen = terms[_MOST_TERMS:]
        with ui.element("section").classes("card form"):
            heading("Concepts", 2)
            if not terms:
                ui.label(
                    "Only the words themselves are known. You can add names that show that a page is on topic."
                ).classes("soft")
            for note in known.notes if known else ():
                ui.label(one_line(note)).classes("soft")
            with ui.element("div").classes("scrolled tall").props('tabindex="0" role="region" aria-label="Concepts"'):
                self._body = table(("", "Name", "Relation", "Weight"), "Concepts")
            for term in terms[:_MOST_TERMS]:
                self._add(term)
            if self._unseen:
                ui.label(f"{len(self._unseen):,} more are looked for too.").classes("soft")
            self._draw_adding()

    def terms(self) -> list[Term]:
        """What is left, and what was added."""
        return [row.term() for row in self._rows if row.ticked.value] + list(self._unseen)

    def _add(self, term: Term) -> None:
        with self._body:
            self._rows.append(_ConceptRow(term))

    def _draw_adding(self) -> None:
        with ui.element("div").classes("tools"):
            name = ui.input("Add a name").props("outlined dense")
            weight = ui.number("Weight", value=_WEIGHT, min=0.1).props("outlined dense")

            def add() -> None:
                if label := short_line(name.value, _LONGEST_LABEL):
                    self._add(Term(label, float(weight.value or 1), "context", source="given"))
                    name.set_value("")

            name.on("keydown.enter", add)
            ui.button("Add", on_click=add).props("flat no-caps")


class _ConceptRow:
    def __init__(self, term: Term) -> None:
        self._term, label = term, short_line(term.label, _LONGEST_LABEL)
        with ui.element("tr"):
            with ui.element("td"):
                self.ticked = ui.checkbox(value=True).props("dense")
                said_as(self.ticked, f"Look for {label}")
            with ui.element("th").props('scope="row"'):
                ui.label(label)
            with ui.element("td"):
                ui.label(TIER_WORDS[term.tier]).classes("soft")
            with ui.element("td"):
                self._weight = ui.number(value=term.weight, min=0.1, step=1).props("dense outlined").classes("small")
                said_as(self._weight, f"Weight of {label}")

    def term(self) -> Term:
        weight = self._weight.value
        return self._term if weight == self._term.weight else self._term._replace(weight=float(weight or 0))


class SeedList:
    """The seeds that search engines found, to be ticked."""

    def __init__(self, found: Sequence[FoundSeed]) -> None:
        """Draw them, all ticked."""
        self._boxes: dict[str, ui.checkbox] = {}
        with ui.element("section").classes("card form"):
            heading(f"{len(found):,} seeds found" if found else "No seeds found", 2)
            if not found:
                ui.label("Paste addresses to start from into the field above.").classes("soft")
                return
            with ui.element("div").classes("tools"):
                ui.button("Tick all", on_click=lambda: self._tick(value=True)).props("flat dense no-caps")
                ui.button("Tick none", on_click=lambda: self._tick(value=False)).props("flat dense no-caps")
            with ui.element("div").classes("scrolled tall").props('tabindex="0" role="region" aria-label="Seeds"'):
                for seed in found[:_MOST_SEEDS]:
                    self._draw(seed)

    def ticked(self) -> list[str]:
        """Those that are left, the surest first."""
        return [url for url, box in self._boxes.items() if box.value]

    def _draw(self, seed: FoundSeed) -> None:
        with ui.element("div").classes("choice"):
            box = self._boxes[seed.url] = ui.checkbox(value=True).props("dense")
            said_as(box, f"Start from {shorten(seed.url, _LONGEST_URL)}")
            with ui.element("div"):
                ui.label(short_line(seed.url, _LONGEST_URL))
                ui.label(f"{_STANDING[seed.standing]}: {', '.join(seed.engines)}").classes("soft")

    def _tick(self, *, value: bool) -> None:
        for box in self._boxes.values():
            box.set_value(value)
