"""What dictd and StarDict have in common: one large text with a definition for each word, and translations out of definitions.

Both keep a list of words with offset and length into one text, in `.dict` or packed as `.dict.dz` (gzip). The list is sorted by word, so
it is brought into the order of the text first, and only a window of the text is in memory at a time (`passages`). A definition is written
for people; `translations_of` finds the translations in it.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from isal import igzip, isal_zlib

from thresher.errors import BadInput

_PIECE = 1 << 20
MOST_TEXT = 1 << 29
"""A text of more bytes is refused: the largest FreeDict dictionary has 100 MB."""
MOST_PASSAGE = 1 << 20
_MOST_READINGS = 16
"""How often the average byte may be read: several words share a text, but not a thousand of them."""

# The stubs of isal call its error class an instance.
BROKEN: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, isal_zlib.IsalError)  # type: ignore[assignment]
# A label that does not end on its line goes on to the end of it, so that no end is sought twice.
_LABELS = re.compile(r"<[^>\n]*+(?:>[^,;\n]*+)?+|\[[^\]\n]*+\]?+|\([^)\n]*+\)?+|\{[^}\n]*+\}?+|(?<!\S)/[^/\n]*+/")
_NUMBER = re.compile(r"^\s?(?:\d{1,2}|[a-z])[.)]\s++")
_NOISE = re.compile(r"\b(?:sth|sb|smb|smth|sb's|etw|jdm|jdn|jds|jd|qn|qc)\b\.?")
# Before a single word: "sich freuen" must be found where a text has "freuen mich", "die Polizei" where it has "der Polizei".
_PARTICLE = re.compile(r"^(?:sich |der |die |das |se |s'|to )(?=\S+$)")
_ASIDE = re.compile(r"^\s*+(?:(?:see|note|synonyms?|antonyms?|usage|example)\b\s*+:|[\"“„])", re.IGNORECASE)
_SPLIT = re.compile(r"[,;/|·]")
_EDGES = " .:-?!\u2013\u2026"
LONGEST = 80
"""A translation of more letters is an explanation."""


class WordSpan(NamedTuple):
    """Where a word's text is."""

    word: str
    offset: int
    length: int
    place: int
    """The line or the byte of the index, for messages."""


def open_text(path: Path) -> BinaryIO:
    """The file, unpacked on the way if its name says so."""
    if path.suffix in {".dz", ".gz"}:
        return cast("BinaryIO", igzip.IGzipFile(path, "rb"))  # type: ignore[no-untyped-call]
    return path.open("rb")


def passages(path: Path, spans: Sequence[WordSpan], place: str) -> Iterator[tuple[WordSpan, bytes]]:
    """Each span with its text, in the order of the text; `place` is what messages name before a span's own place: `a.index, line`."""
    _refuse_absurd(path, spans, place)
    try:
        with open_text(path) as file:
            yield from _walk(path, file, sorted(spans, key=lambda span: span.offset), place)
    except BROKEN as error:
        raise BadInput(f"{path}: cannot be read: {error}") from error


def _walk(path: Path, file: BinaryIO, spans: Sequence[WordSpan], place: str) -> Iterator[tuple[WordSpan, bytes]]:
    window, begin = b"", 0
    for span in spans:
        end = span.offset + span.length
        while begin + len(window) < end:
            piece = file.read(_PIECE)
            if not piece:
                raise BadInput(f"{place} {span.place}: {span.word!r} points behind the end of {path.name}")
            if begin + len(window) + len(piece) > MOST_TEXT:
                raise BadInput(f"{path}: unpacks to more than {MOST_TEXT >> 20} MiB")
            keep = max(0, min(span.offset - begin, len(window)))
            window, begin = window[keep:] + piece, begin + keep
        yield span, window[span.offset - begin : end - begin]


def _refuse_absurd(path: Path, spans: Sequence[WordSpan], place: str) -> None:
    for span in spans:
        if span.length > MOST_PASSAGE or span.offset + span.length > MOST_TEXT:
            raise BadInput(
                f"{place} {span.place}: {span.word!r} claims {span.length:,} bytes at {span.offset:,}: too much"
            )
    total = sum(span.length for span in spans)
    if total > _MOST_READINGS * max(_PIECE, max((span.offset + span.length for span in spans), default=0)):
        raise BadInput(f"{path}: its index points at the same text too many times ({total:,} bytes in all)")


# ── definitions ──


def headword_of(line: str) -> str:
    """The word that a definition begins with, without pronunciation and grammar.

    >>> headword_of("Akut-Zeichen /aku:t/ (mark) <neut, n, sg>")
    'Akut-Zeichen'
    """
    return _PARTICLE.sub("", " ".join(_NOISE.sub(" ", _LABELS.sub(" ", line)).split()))


def translations_of(body: str) -> tuple[str, ...]:
    """The translations a definition gives, in its order; examples, notes and cross-references are no translations.

    >>> translations_of('1. सँकरी~खाड़ी, निवेशिका\\n      "The creek dried up every summer."\\n')
    ('सँकरी खाड़ी', 'निवेशिका')
    """
    found: dict[str, None] = {}
    for line in body.split("\n"):
        # The first test decides for most lines of a large dictionary, at a tenth of the cost of the second.
        if not line or line.startswith("   ") or _ASIDE.match(line):
            continue
        plain = _NOISE.sub(" ", _LABELS.sub(" ", _NUMBER.sub("", line))).replace("~", " ")
        for part in _SPLIT.split(plain):
            translation = " ".join(part.split()).strip(_EDGES)
            if 0 < len(translation) <= LONGEST:
                found[translation] = None
    return tuple(found)
