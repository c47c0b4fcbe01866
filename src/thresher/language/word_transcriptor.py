"""What words of other languages mean, by bilingual dictionaries: the transcriptor of the multilingual crawler (Kumar and Vig 2010).

Words are looked up one by one and phrase by phrase. Nothing knows grammar or chooses between meanings.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from thresher.language.dictionaries.dictionary import Dictionary
from thresher.language.dictionaries.installed import find_dictionary
from thresher.language.extras import unavailable
from thresher.language.identify import language_of_run, runs, short_code
from thresher.language.scripts import LATIN, Script, script_of_language
from thresher.language.tokens import LONGEST_WORD, normal, visible, words
from thresher.language.transcriptor import How, Stretch, Transcriptor, WordReading
from thresher.language.word_forms import lemma, stop_words

# Below this the model is guessing; of German sentences of three words and more it finds nine in ten.
_SURE = 0.4
# With fewer letters the language cannot be told.
_TOO_SHORT = 12
_MENU = 60
_MOST_REMEMBERED = 50_000


class WordTranscriptor(Transcriptor):
    """Reads text by bilingual dictionaries, word by word.

    `most` is the number of translations taken for a word, the best first: common verbs have dozens, which are only noise.
    """

    def __init__(
        self, dictionaries: Mapping[str, Dictionary], target: str = "en", *, most: int = 12, how: How = "add"
    ) -> None:
        super().__init__(target, how)
        # People write `deu` or `DE` too; pages and the model have `de`.
        by_code = {short_code(code): each for code, each in dictionaries.items()}
        self._lexicons = {code: _Lexicon(code, each, most) for code, each in by_code.items() if code != target}
        scripts: dict[Script, list[str]] = {}
        for code in self._lexicons:
            scripts.setdefault(script_of_language(code), []).append(code)
        self._languages = scripts
        self._latin = LATIN in scripts
        foreign = "".join(script.letters for script in scripts if script is not LATIN)
        self._foreign = re.compile(f"[{foreign}]") if foreign else None
        self._among = (target, *self._lexicons)
        self._remembered = lru_cache(maxsize=8192)(language_of_run)
        others = frozenset[str]().union(*(stop_words(code) for code in self._lexicons))
        self._target_stop_words = stop_words(target) - others
        self._other_stop_words = others - stop_words(target)

    @classmethod
    def installed(cls, languages: tuple[str, ...], target: str = "en", *, how: How = "add") -> "WordTranscriptor":
        """A transcriptor with the dictionaries of this machine, for those of the languages that have one."""
        found = {code: find_dictionary(code, target) for code in languages}
        return cls({code: each.open() for code, each in found.items() if each}, target, how=how)

    @property
    def notes(self) -> tuple[str, ...]:
        """What works less well because a package is missing."""
        return unavailable()

    def stretches(self, text: str, language: str = "") -> Iterable[Stretch]:
        """The stretches in other languages, in order. What the page declares decides for those that are too short."""
        return self._stretches(text, short_code(language)) if self.may_be_foreign(text) else ()

    def _stretches(self, text: str, hint: str) -> Iterator[Stretch]:
        for start, end, script in runs(text):
            if code := self._language(text[start:end], script, hint):
                yield Stretch(start, end, code, self._lexicons[code].readings(text[start:end]))

    def may_be_foreign(self, text: str) -> bool:
        """Whether it has a letter of a script that a dictionary is for."""
        if self._latin:
            return True
        return not text.isascii() and self._foreign is not None and self._foreign.search(text) is not None

    def _language(self, text: str, script: Script, hint: str) -> str:
        """The language of a stretch if there is a dictionary for it."""
        languages = self._languages.get(script)
        if not languages:
            return ""
        if script is not LATIN and len(languages) == 1:
            # As in the paper, by Unicode block alone: Marathi looked up as Hindi does no harm.
            return languages[0]
        if len(text) < _TOO_SHORT or (script is LATIN and self._is_target_language(text)):
            return hint if len(text) < _TOO_SHORT and hint in languages else ""
        # Menus and footers are the same on all pages of a site, so what was said of short lines is remembered.
        tell = self._remembered if len(text) < _MENU else language_of_run
        found, confidence = tell(text, script, self._among)
        if confidence < _SURE:
            found = hint
        return found if found in languages else ""

    def _is_target_language(self, text: str) -> bool:
        """Whether stop words show that it is the target language, at a tenth of the cost of the model."""
        said = set(text[:300].lower().split())
        home = len(said & self._target_stop_words)
        return home >= 2 and home > 2 * len(said & self._other_stop_words)


class _Word(NamedTuple):
    """What a word of the text says."""

    key: str
    reading: WordReading
    longest: int
    """How many words the longest phrase has that begins with it."""
    silent: bool
    """Whether it is a stop word."""


class _Lexicon:
    """One language with its dictionary, and what was looked up before."""

    def __init__(self, code: str, dictionary: Dictionary, most: int) -> None:
        self._code = code
        self._dictionary = dictionary
        self._most = most
        self._silent = frozenset(map(normal, stop_words(code)))
        self._known: dict[str, _Word] = {}

    def readings(self, text: str) -> tuple[WordReading, ...]:
        """What the words and phrases of a stretch mean, in order, without stop words."""
        said = [self._known.get(word) or self._look_up(word) for word in words(visible(text))]
        found: list[WordReading] = []
        at = 0
        while at < len(said):
            phrase = self._phrase(said, at) if said[at].longest > 1 else None
            if phrase or not said[at].silent:
                found.append(phrase[0] if phrase else said[at].reading)
            at += phrase[1] if phrase else 1
        return tuple(found)

    def _phrase(self, said: list[_Word], at: int) -> tuple[WordReading, int] | None:
        """The longest phrase that begins here, and how many words it has."""
        # Many words begin a phrase, but few pairs do. So pairs are tried first, which saves four of five look-ups.
        pair = " ".join(word.key for word in said[at : at + 2])
        for length in range(min(self._dictionary.longest_phrase(pair), len(said) - at), 1, -1):
            if found := self._dictionary.look_up(" ".join(word.key for word in said[at : at + length])):
                stood = " ".join(word.reading.stood for word in said[at : at + length])
                return WordReading(stood, found[: self._most]), length
        return None

    def _look_up(self, word: str) -> _Word:
        key = normal(word)
        silent = key in self._silent
        translations = () if silent else self._dictionary.look_up(key) or self._by_lemma(word, key)
        reading = WordReading(word, translations[: self._most])
        known = _Word(key, reading, self._dictionary.longest_phrase(key), silent)
        if len(word) <= LONGEST_WORD:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[word] = known
        return known

    def _by_lemma(self, word: str, key: str) -> tuple[str, ...]:
        """The translations of the form that dictionaries list; the list of lemmas has a spelling of its own, so both are tried."""
        for form in dict.fromkeys((word, key)):
            listed = normal(lemma(form, self._code))
            if listed != key and listed not in self._silent and (found := self._dictionary.look_up(listed)):
                return found
        return ()
