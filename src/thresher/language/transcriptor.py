"""Let an English topic be found in text of other languages: what every transcriptor does (Kumar and Vig 2010, §III.E).

The Hindi half of a page has no English word to count, though it may be about the topic. A transcriptor finds the stretches of a text that
are in another language, and what they say. What they say is then added behind them (`how="add"`), so that labels which an ontology has in
the other language are still found; or it takes their place (`how="replace"`), as in the paper.
"""

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal, NamedTuple, Self

from thresher.errors import BadInput
from thresher.model import Page

How = Literal["add", "replace"]
"""Whether what a stretch says is added behind it, or takes its place."""


class WordReading(NamedTuple):
    """A word, a phrase or a sentence of another language, as it stood and as it was read."""

    stood: str
    read: tuple[str, ...]
    """What it may mean, the best first; nothing if it is not known."""


class Stretch(NamedTuple):
    """A part of a text in another language, and what it says."""

    start: int
    end: int
    language: str
    readings: tuple[WordReading, ...]
    """In the order of the text, without stop words; none if there is nothing else."""

    @property
    def meanings(self) -> tuple[str, ...]:
        """The best of every word in its order, as often as it stands there, so that phrases are found; then other meanings, each once."""
        return self._with_others([each.read[0] for each in self.readings if each.read])

    @property
    def replacement(self) -> tuple[str, ...]:
        """The same with unknown words among them, as they stood."""
        return self._with_others([each.read[0] if each.read else each.stood for each in self.readings])

    def _with_others(self, best: Sequence[str]) -> tuple[str, ...]:
        said = frozenset(best)
        others = dict.fromkeys(chain.from_iterable(each.read for each in self.readings))
        return (*best, *(meaning for meaning in others if meaning not in said))


class Zone(NamedTuple):
    """A part of a page: as it stood, as it was read, and its stretches in other languages (their places are those in their lines)."""

    text: str
    read: str
    stretches: tuple[Stretch, ...]


class TranscribedPage(NamedTuple):
    """A page as it was read."""

    page: Page
    """The very page if there was nothing to read."""
    zones: Mapping[str, Zone]
    """Its title, headings and text, by the names that judges have for them."""


class Transcriptor(ABC):
    """Reads text of other languages as one language. What a text says depends on the text alone and on what its page declares."""

    def __init__(self, target: str = "en", how: How = "add") -> None:
        if how not in {"add", "replace"}:
            raise BadInput(f"a transcriptor has no way {how!r}; its ways: add, replace")
        self.target, self.how = target, how
        self._latest: TranscribedPage | None = None
        self._latest_of: Page | None = None

    @abstractmethod
    def stretches(self, text: str, language: str = "") -> Iterable[Stretch]:
        """The stretches of a text in other languages, in order, none longer than a line. `language` is what the page declares."""

    def may_be_foreign(self, text: str) -> bool:  # noqa: ARG002 - for those who can tell
        """False if a text surely has nothing in another language: a quick look, so that English pages cost nothing."""
        return True

    def read_ahead(self, texts: Iterable[str], language: str) -> None:  # noqa: B027 - for those who are faster with many
        """Take note of all texts of a page, before each is read."""

    def by(self, how: How) -> Self:
        """The same transcriptor with the other way; what was looked up is shared."""
        if how == self.how:
            return self
        other = copy.copy(self)
        Transcriptor.__init__(other, self.target, how)
        return other

    def transcribe(self, text: str, language: str = "") -> str:
        """The text as it is read; the very same if it has nothing in another language."""
        return self._read(text, self.stretches(text, language))

    def page(self, page: Page) -> TranscribedPage:
        """A page as it is read: its title, headings and text. Its links are as they were."""
        # Several judges, and the strategy, ask about the same page one after the other.
        if self._latest is None or self._latest_of is not page:
            self._latest, self._latest_of = self._page(page), page
        return self._latest

    def _page(self, page: Page) -> TranscribedPage:
        title, main, text, *headings = self._zones(page)
        if all(zone.read == zone.text for zone in (title, main, text, *headings)):
            return TranscribedPage(page, {})
        as_read = replace(
            page,
            language=self.target,
            title=title.read,
            main=main.read,
            text=text.read,
            headings=tuple(each.read for each in headings),
        )
        heading = tuple(chain.from_iterable(each.stretches for each in headings))
        zones = {"title": title, "heading": Zone("\n".join(page.headings), "", heading), "text": main}
        return TranscribedPage(as_read, zones)

    def _zones(self, page: Page) -> list[Zone]:
        """Title, main text, text and headings. A line that stands in several of them is read once."""
        parts = (page.title, page.main, page.text, *page.headings)
        if not any(map(self.may_be_foreign, parts)):
            return [Zone(text, text, ()) for text in parts]
        lines = [text.split("\n") for text in parts]
        self.read_ahead(dict.fromkeys(chain.from_iterable(lines)), page.language)
        found = {line: tuple(self.stretches(line, page.language)) for line in dict.fromkeys(chain.from_iterable(lines))}
        read = {line: self._read(line, stretches) for line, stretches in found.items()}
        return [
            Zone(text, "\n".join(map(read.__getitem__, own)), tuple(chain.from_iterable(map(found.__getitem__, own))))
            for text, own in zip(parts, lines, strict=True)
        ]

    def _read(self, text: str, stretches: Iterable[Stretch]) -> str:
        parts, done = list[str](), 0
        for stretch in stretches:
            said = stretch.meanings if self.how == "add" else stretch.replacement
            if said or self.how == "replace":
                parts += text[done : stretch.end if self.how == "add" else stretch.start], f" {' '.join(said)}"
                done = stretch.end
                parts += [" "] * (done < len(text) and not text[done].isspace())
        return "".join((*parts, text[done:])) if parts else text
