"""Read a dictionary written by hand: a line a word, `word<TAB>translation`, more translations after more tabs; `#` begins a comment."""

from collections.abc import Iterator
from pathlib import Path

from thresher.errors import BadInput
from thresher.language.dictionaries.dictionary import DictionaryEntry

_LONGEST_LINE = 1 << 16


def read(path: Path) -> Iterator[DictionaryEntry]:
    """The entries, in the order of the file."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                yield from _entry(line, f"{path}, line {number}")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error


def _entry(line: bytes, place: str) -> Iterator[DictionaryEntry]:
    if len(line) == _LONGEST_LINE:
        raise BadInput(f"{place}: longer than {_LONGEST_LINE:,} bytes")
    try:
        text = line.decode("utf-8-sig").strip("\r\n ")
    except UnicodeDecodeError as error:
        raise BadInput(f"{place}: not UTF-8: {error.reason}") from error
    if not text or text.startswith("#"):
        return
    word, *translations = (part.strip() for part in text.split("\t"))
    if not word or not any(translations):
        raise BadInput(f"{place}: expected a word, a tab and a translation, not {text[:60]!r}")
    yield DictionaryEntry(word, tuple(filter(None, translations)))
