"""Read dictionaries of the dictd server, the form in which Debian packages FreeDict: `NAME.index` and `NAME.dict.dz`."""

import re
from collections.abc import Iterator
from pathlib import Path

from thresher.errors import BadInput
from thresher.language.dictionaries.definition_texts import WordSpan, headword_of, passages, translations_of
from thresher.language.dictionaries.dictionary import DictionaryEntry, key_of

_DIGITS = {
    letter: value for value, letter in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_LONGEST_LINE = 1 << 16
_ABOUT = re.compile("00-?database")


def read(index: Path) -> Iterator[DictionaryEntry]:
    """The entries of the dictionary with this index, in the order of its text."""
    for span, passage in passages(_text_of(index), list(_spans(index)), f"{index}, line"):
        try:
            head, _, body = passage.decode().partition("\n")
        except UnicodeDecodeError as error:
            raise BadInput(
                f"{index}, line {span.place}: the text of {span.word!r} is not UTF-8: {error.reason}"
            ) from error
        yield DictionaryEntry(_word(span.word, headword_of(head)), translations_of(body))


def _word(listed: str, told: str) -> str:
    """The headword of the text, which has apostrophes and hyphens that the index lacks; but that of the index where the two differ."""
    word = headword_of(listed)
    return told if told.lower() == word or _letters(told) == _letters(word) else word


def _spans(index: Path) -> Iterator[WordSpan]:
    try:
        with index.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                span = _span(line, index, number)
                if span.word and not _ABOUT.match(span.word):
                    yield span
    except OSError as error:
        raise BadInput(f"{index}: cannot be read: {error.strerror}") from error


def _span(line: bytes, index: Path, number: int) -> WordSpan:
    parts = line.rstrip(b"\r\n").split(b"\t")
    if len(parts) < 3:
        raise BadInput(f"{index}, line {number}: expected a word, an offset and a length with tabs between")
    try:
        return WordSpan(parts[0].decode(), _number(parts[1]), _number(parts[2]), number)
    except UnicodeDecodeError as error:
        raise BadInput(f"{index}, line {number}: the word is not UTF-8: {error.reason}") from error
    except KeyError as error:
        raise BadInput(
            f"{index}, line {number}: offset and length must be base-64 numbers, not {line[:60]!r}"
        ) from error


def _number(digits: bytes) -> int:
    if not 0 < len(digits) <= 8:
        raise KeyError(digits)
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def _text_of(index: Path) -> Path:
    for suffix in (".dict.dz", ".dict"):
        if (path := index.with_suffix(suffix)).exists():
            return path
    raise BadInput(f"{index}: there is no {index.stem}.dict.dz or {index.stem}.dict beside it")


def _letters(word: str) -> str:
    return key_of(word).replace(" ", "")
