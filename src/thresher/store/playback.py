"""Reads our own WARC records back by file, offset and length."""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.model import Headers
from thresher.store.warc import Place

with warnings.catch_warnings():
    # FastWARC 1.1 complains of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator

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
        member = self._bytes(place.file, place.offset, place.length)
        head, _, raw = _block(member).partition(b"\r\n\r\n")
        headers = tuple(_header(line) for line in head.split(b"\r\n")[1:])
        encoded = any(name.lower() == b"content-encoding" for name, _ in headers)
        return Recorded(headers, raw, _decoded(member, raw) if encoded else raw)

    def request(self, place: Place) -> bytes:
        """What was sent."""
        return _block(self._bytes(place.file, place.offset - place.request, place.request)) if place.request else b""

    def _bytes(self, file: int, offset: int, length: int) -> bytes:
        try:
            if file not in self._open:
                self._open[file] = os.open(self._paths[file], os.O_RDONLY | os.O_CLOEXEC)
            return os.pread(self._open[file], length, offset)
        except (OSError, KeyError) as error:
            raise Unreadable(str(error)) from error


def _block(member: bytes) -> bytes:
    try:
        record = next(iter(ArchiveIterator(BytesIO(member), parse_http=False)))
        block: bytes = record.reader.read()
        whole = len(block) == record.content_length
    except _BROKEN as error:
        raise Unreadable(str(error)) from error
    if not whole:
        raise Unreadable("the record is cut off")
    return block


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b": ")
    return name, value


def _decoded(member: bytes, raw: bytes) -> bytes:
    """The body; as received if it is not what its encoding says, or a revisit that has none."""
    try:
        record = next(iter(ArchiveIterator(BytesIO(member), parse_http=True, auto_decode="content")))
        body: bytes = record.reader.read()
    except _BROKEN:
        return raw
    return body
