"""Read text of other languages by translating whole sentences: a second transcriptor, for a translation model of your own.

Word by word no transcriptor knows grammar or chooses between meanings; Kumar and Vig 2010 stop there. A model that translates sentences
does both. None comes with Thresher: any object with `translate(texts, language)` will do, and `thresher.testing.check_translator` says
whether it keeps its promises.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module

from thresher.errors import BadInput
from thresher.language.identify import blocks, short_code
from thresher.language.transcriptor import How, Stretch, Transcriptor, WordReading
from thresher.ports import Translator

# Sentences end with these, also those of Hindi and Chinese.
_SENTENCE = re.compile(r"[^.!?।。！？\n]++[.!?।。！？]*+")
_LONGEST = 500
"""Letters of a sentence that a model is asked about."""
_MOST_REMEMBERED = 2_000
"""Sentences: menus and footers are the same on all pages of a site."""


class SentenceTranscriptor(Transcriptor):
    """Reads sentences in these languages by what a model says they mean."""

    def __init__(
        self, translator: Translator, languages: Sequence[str], target: str = "en", *, how: How = "add"
    ) -> None:
        super().__init__(target, how)
        self._translator = translator
        self._languages = tuple(short_code(each) for each in languages)
        self._known: dict[tuple[str, str], WordReading] = {}

    def stretches(self, text: str, language: str = "") -> Iterable[Stretch]:
        """The sentences in other languages, in order. What the page declares decides where the language cannot be told."""
        found = list(self._sentences(text, short_code(language)))
        self._look_up([(text[start:end], code) for start, end, code in found])
        for start, end, code in found:
            yield Stretch(start, end, code, (self._known[text[start:end], code],))

    def read_ahead(self, texts: Iterable[str], language: str) -> None:
        """Translate all sentences of a page at once: a model takes much less time for many than for each."""
        found = ((text, *each) for text in texts for each in self._sentences(text, short_code(language)))
        self._look_up([(text[start:end], code) for text, start, end, code in found])

    def _sentences(self, text: str, hint: str) -> Iterator[tuple[int, int, str]]:
        for block in blocks(text, among=(self.target, *self._languages)):
            code = hint if block.language == "und" else block.language
            if code in self._languages:
                for found in _SENTENCE.finditer(text, block.start, block.end):
                    if said := found[0].strip()[:_LONGEST]:
                        start = found.start() + len(found[0]) - len(found[0].lstrip())
                        yield start, start + len(said), code

    def _look_up(self, wanted: Sequence[tuple[str, str]]) -> None:
        """Ask for all new sentences of a language at once."""
        # Forgotten only when there is something new, so that a page of many sentences is not asked about line by line again.
        if len(self._known) > _MOST_REMEMBERED and not self._known.keys() >= set(wanted):
            self._known.clear()
        for code in dict.fromkeys(code for _, code in wanted):
            new = list(
                dict.fromkeys(text for text, spoken in wanted if spoken == code and (text, code) not in self._known)
            )
            for text, said in zip(new, self._translator.translate(new, code) if new else (), strict=True):
                self._known[text, code] = WordReading(text, (_one_line(said),) if said.strip() else ())


def _one_line(said: str) -> str:
    return " ".join(said[: 2 * _LONGEST].split())


def named_translator(name: str) -> Translator:
    """The translator that `module:name` names: an object, or a class to make one of."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:
        raise BadInput(f"[knowledge]: translator {name!r} cannot be imported: {error}; write 'module:name'") from error
    try:
        made: Translator = found() if isinstance(found, type) else found
    except Exception as error:
        raise BadInput(f"[knowledge]: translator {name!r} cannot be made: {error}") from error
    if not hasattr(made, "translate"):
        raise BadInput(f"[knowledge]: translator {name!r} has no translate(texts, language)")
    return made
