"""Passages of a large text, packed or not, read in one go from front to back.

dictd and StarDict both keep a list of words with offset and length into one text, in `.dict` or packed as `.dict.dz` (gzip). The list is
sorted by word, so it is brought into the order of the text first, and only a window of the text is in memory at a time.
"""

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from isal import igzip, isal_zlib

from thresher.errors import BadInput

_PIECE = 1 << 20
MOST_TEXT = 1 << 29
"""A text of more bytes is a bomb: the largest FreeDict dictionary has 100 MB."""
MOST_PASSAGE = 1 << 20
_MOST_READINGS = 16
"""How often the average byte may be pointed at: several words share a text, but not a thousand times over."""

# The stubs of isal call its error class an instance.
BROKEN: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, isal_zlib.IsalError)  # type: ignore[assignment]


class Span(NamedTuple):
    """Where a word's text is."""

    word: str
    offset: int
    length: int
    place: int
    """Where this was said, for messages: the line or the byte of the index."""


def open_text(path: Path) -> BinaryIO:
    """The file, unpacked on the way if its name says so."""
    if path.suffix in {".dz", ".gz"}:
        return cast("BinaryIO", igzip.IGzipFile(path, "rb"))  # type: ignore[no-untyped-call]
    return path.open("rb")


def passages(path: Path, spans: Sequence[Span], place: str) -> Iterator[tuple[Span, bytes]]:
    """Each span with its text, in the order of the text; `place` is what messages say before a span's own: `a.index, line`."""
    _refuse_absurd(path, spans, place)
    try:
        with open_text(path) as file:
            yield from _walk(path, file, sorted(spans, key=lambda span: span.offset), place)
    except BROKEN as error:
        raise BadInput(f"{path}: cannot be read: {error}") from error


def _walk(path: Path, file: BinaryIO, spans: Sequence[Span], place: str) -> Iterator[tuple[Span, bytes]]:
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


def _refuse_absurd(path: Path, spans: Sequence[Span], place: str) -> None:
    for span in spans:
        if span.length > MOST_PASSAGE or span.offset + span.length > MOST_TEXT:
            raise BadInput(
                f"{place} {span.place}: {span.word!r} claims {span.length:,} bytes at {span.offset:,}: too much"
            )
    total = sum(span.length for span in spans)
    if total > _MOST_READINGS * max(_PIECE, max((span.offset + span.length for span in spans), default=0)):
        raise BadInput(f"{path}: its index points at the same text too many times ({total:,} bytes in all)")
