"""Reads our own WARC records back by file, offset and length."""

import os
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self

from isal import isal_zlib

from thresher.model import Headers
from thresher.warc.write import Place

with warnings.catch_warnings():
    # FastWARC 1.1 complains of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator

# The stubs of isal call its error class an instance.
_TORN: tuple[type[Exception], ...] = (isal_zlib.IsalError, zlib.error)  # type: ignore[assignment]
_BROKEN = (OSError, ValueError, RuntimeError, StopIteration)
"""What FastWARC raises on a record that is cut or torn, over its versions."""


class Unreadable(Exception):
    """The record is not there, or not whole. Never leaves the store."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An HTTP message as a record has it."""

    headers: Headers
    raw: bytes
    body: bytes
    """`raw` with its content encoding undone."""


class Playback:
    """A few WARC files, opened when first read from."""

    def __init__(self, paths: Mapping[int, Path]) -> None:
        self._paths = paths
        self._open: dict[int, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()

    def read(self, place: Place) -> Recorded:
        """The response or revisit record that stands there."""
        record = _record(self._bytes(place.file, place.offset, place.length))
        head, _, raw = _block(record).partition(b"\r\n\r\n")
        headers = tuple(_header(line) for line in head.split(b"\r\n")[1:])
        encoded = any(name.lower() == b"content-encoding" for name, _ in headers)
        return Recorded(headers, raw, _decoded(record, raw) if encoded else raw)

    def request(self, place: Place) -> bytes:
        """What was sent."""
        if not place.request:
            return b""
        return _block(_record(self._bytes(place.file, place.offset - place.request, place.request)))

    def _bytes(self, file: int, offset: int, length: int) -> bytes:
        try:
            if file not in self._open:
                self._open[file] = os.open(self._paths[file], os.O_RDONLY | os.O_CLOEXEC)
            return os.pread(self._open[file], length, offset)
        except (OSError, KeyError) as error:
            raise Unreadable(str(error)) from error


def _record(member: bytes) -> bytes:
    """A record unpacked, its checksum compared: FastWARC stops at the record's end and would take a tail of zeros for text."""
    try:
        record: bytes = isal_zlib.decompress(member, wbits=31)
    except _TORN as error:
        raise Unreadable(str(error)) from error
    return record


def _block(record: bytes) -> bytes:
    try:
        read = next(iter(ArchiveIterator(BytesIO(record), parse_http=False)))
        block: bytes = read.reader.read()
        whole = len(block) == read.content_length
    except _BROKEN as error:
        raise Unreadable(str(error)) from error
    if not whole:
        raise Unreadable("the record is cut off")
    return block


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b": ")
    return name, value


def _decoded(record: bytes, raw: bytes) -> bytes:
    """The body; as received if it is not what its encoding says, or a revisit that has none."""
    try:
        read = next(iter(ArchiveIterator(BytesIO(record), parse_http=True, auto_decode="content")))
        body: bytes = read.reader.read()
    except _BROKEN:
        return raw
    return body
