"""Opening a knowledge file, plain or packed, so that whatever is wrong with it is said with its name and line."""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, cast

import zstandard

from thresher.errors import BadInput

LONGEST_LINE = 1 << 20
"""In characters. The longest line of hp.obo has 2,059."""

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 16


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked if its first bytes say gzip or zstd; errors of the disk and of the packing become BadInput."""
    try:
        with path.open("rb") as file:
            yield unpacked(file)
    except (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError) as error:
        raise BadInput(f"{path}: damaged or cut off while packed: {error}") from error
    except OSError as error:
        raise BadInput(f"{path}: {os.strerror(error.errno) if error.errno else error}") from error


def unpacked(file: IO[bytes]) -> IO[bytes]:
    """The same bytes, unpacked where they are packed."""
    magic = file.read(4)
    file.seek(0)
    if magic.startswith(_GZIP):
        return cast("IO[bytes]", gzip.open(file, "rb"))
    if magic == _ZSTD:
        # The window is limited so that a hostile header cannot ask for gigabytes.
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file, read_across_frames=True)
        return io.BufferedReader(stream)
    return file


def blocks(handle: IO[bytes]) -> Iterator[bytes]:
    """What is left of a file, piece by piece."""
    return iter(partial(handle.read, _BLOCK), b"")


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 text with their numbers from 1, without line ends; no line may be endless or hold a NUL."""
    with opened(path) as handle:
        text = io.TextIOWrapper(handle, encoding="utf-8-sig")
        try:
            for number, line in enumerate(iter(partial(text.readline, LONGEST_LINE), ""), 1):
                if "\0" in line or len(line) == LONGEST_LINE:
                    raise BadInput(f"{path}, line {number}: {_complaint(line)}")
                yield number, line.rstrip("\r\n")
        except UnicodeDecodeError as error:
            # Text is decoded in blocks, so the line at fault is this one or one of those that follow.
            raise BadInput(f"{path}, {_bad_line(path)}: not UTF-8: {error.reason}") from error


def tidy(text: str) -> str:
    """A name or a gloss on one line, without NULs and double spaces.

    >>> tidy("  That portion of the body\\n   between THORAX and PELVIS. ")
    'That portion of the body between THORAX and PELVIS.'
    """
    return " ".join(text.replace("\0", " ").split())


def _complaint(line: str) -> str:
    return "a NUL character: this is no text file" if "\0" in line else f"longer than {LONGEST_LINE:,} characters"


def _bad_line(path: Path) -> str:
    with opened(path) as handle:
        for number, line in enumerate(iter(partial(handle.readline, 4 * LONGEST_LINE), b""), 1):
            if not _is_utf8(line):
                return f"line {number}"
    return "last line"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def primary(language: str) -> str:
    """The language without its region or script, as labels are filed.

    >>> primary("pt-BR")
    'pt'
    """
    return language.replace("_", "-").partition("-")[0].lower()
