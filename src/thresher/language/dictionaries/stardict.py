"""Read StarDict dictionaries: `NAME.ifo`, `NAME.idx` (or `.idx.gz`) and `NAME.dict` (or `.dict.dz`)."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from thresher.errors import BadInput
from thresher.language.dictionaries.definition_texts import BROKEN, WordSpan, open_text, passages, translations_of
from thresher.language.dictionaries.dictionary import DictionaryEntry

_MAGIC = "StarDict's dict ifo file"
_LONGEST_WORD = 256
_MOST_INDEX = 1 << 28
# Kinds of text with words for people: plain, in the locale's letters, Pango, HTML, XDXF. The others are phonetics, pictures and sounds.
_READABLE = "mlghx"
_MARKED_UP = "ghx"
_UNSAID = re.compile(r"<(k|tr|ex|co|kref|iref|i)\b[^>]*+>")
_BREAK = re.compile(r"<(?:br|p|div|li|def|dtrn)\b[^>]*+>")
_TAG = re.compile(r"<[^>]*+>")


def read(ifo: Path) -> Iterator[DictionaryEntry]:
    """The entries of the dictionary with this `.ifo` file, in the order of its text."""
    told = _told(ifo)
    kinds = told.get("sametypesequence", "")
    index = _beside(ifo, ".idx", ".idx.gz")
    spans = list(_spans(index, 8 if told.get("idxoffsetbits") == "64" else 4))
    for span, passage in passages(_beside(ifo, ".dict.dz", ".dict"), spans, f"{index}, byte"):
        place = f"{index}, byte {span.place}: the text of {span.word!r}"
        texts = [_plain(kind, field, place) for kind, field in _fields(passage, kinds, place) if kind in _READABLE]
        # The word itself often stands on the first line of its text.
        yield DictionaryEntry(span.word, tuple(each for each in translations_of("\n".join(texts)) if each != span.word))


def _told(ifo: Path) -> dict[str, str]:
    try:
        lines = ifo.read_bytes()[: 1 << 16].decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{ifo}: cannot be read: {error}") from error
    if not lines or lines[0].strip() != _MAGIC:
        raise BadInput(f"{ifo}, line 1: expected {_MAGIC!r}")
    return {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines[1:])}


def _beside(ifo: Path, *suffixes: str) -> Path:
    for suffix in suffixes:
        if (path := ifo.with_suffix(suffix)).exists():
            return path
    raise BadInput(f"{ifo}: there is no {ifo.stem}{suffixes[0]} beside it")


def _spans(index: Path, width: int) -> Iterator[WordSpan]:
    try:
        with open_text(index) as file:
            packed = file.read(_MOST_INDEX + 1)
    except BROKEN as error:
        raise BadInput(f"{index}: cannot be read: {error}") from error
    if len(packed) > _MOST_INDEX:
        raise BadInput(f"{index}: unpacks to more than {_MOST_INDEX >> 20} MiB")
    at = 0
    while at < len(packed):
        end = packed.find(b"\0", at, at + _LONGEST_WORD + 1)
        if end < 0 or end + 1 + width + 4 > len(packed):
            raise BadInput(f"{index}, byte {at}: the word does not end, or its offset and length are missing")
        numbers = packed[end + 1 : end + 1 + width + 4]
        word = _decoded(packed[at:end], f"{index}, byte {at}: the word")
        yield WordSpan(word, int.from_bytes(numbers[:width]), int.from_bytes(numbers[width:]), at)
        at = end + 1 + width + 4


def _fields(passage: bytes, kinds: str, place: str) -> Iterator[tuple[str, bytes]]:
    """The parts of a text with their kinds; where the dictionary fixes the kinds, the last part is the rest."""
    at, number = 0, 0
    while at < len(passage) and (not kinds or number < len(kinds)):
        kind = kinds[number] if kinds else chr(passage[at])
        at += not kinds
        last = number == len(kinds) - 1
        if last:
            end = begin_next = len(passage)
        elif kind.isupper():
            at, end = at + 4, at + 4 + int.from_bytes(passage[at : at + 4])
            begin_next = end
        else:
            end = passage.find(b"\0", at)
            end = len(passage) if end < 0 else end
            begin_next = end + 1
        if end > len(passage):
            raise BadInput(f"{place} has a part that is longer than the text")
        yield kind, passage[at:end]
        at, number = begin_next, number + 1


def _plain(kind: str, field: bytes, place: str) -> str:
    text = _decoded(field, place)
    return unescape(_without_markup(text)) if kind in _MARKED_UP else text


def _without_markup(text: str) -> str:
    marked, end, rest = text.rpartition(">")
    return _replaced(_TAG, "", _replaced(_BREAK, "\n", _without_unsaid(marked + end))) + rest


def _replaced(tag: re.Pattern[str], by: str, text: str) -> str:
    """Behind the last `>` there is no tag, and so none is sought there: each would be sought to the end."""
    marked, end, rest = text.rpartition(">")
    return tag.sub(by, marked + end) + rest


def _without_unsaid(text: str) -> str:
    """Without elements that are not for translation, each up to the first end of its name; one that has none stays."""
    kept, at = [], 0
    last: dict[str, int] = {}
    for start in _UNSAID.finditer(text):
        end = f"</{start[1]}>"
        if end not in last:
            last[end] = text.rfind(end)
        if at <= start.start() and start.end() <= last[end]:
            kept.append(text[at : start.start()])
            at = text.index(end, start.end()) + len(end)
    return "".join((*kept, text[at:]))


def _decoded(raw: bytes, place: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{place} is not UTF-8: {error.reason}") from error
