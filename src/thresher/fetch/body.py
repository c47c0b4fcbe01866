"""A body as it comes in: its content type, declared or seen in its first bytes; kept as received, unpacked on the way, up to a cap."""

import re
import struct
import zlib
from collections.abc import Callable
from typing import Protocol

import brotli
from isal import isal_zlib
from zstandard import ZstdDecompressor, ZstdError

from thresher.fetch.failures import Spoiled

# The marks by which the WHATWG sniffing standard knows HTML.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\x0c\r ]*+"
    rb"(?:<!--|<\?xml|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>])",
    re.IGNORECASE,
)
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
VAGUE_TYPES = frozenset(
    {
        "application/octet-stream",
        "binary/octet-stream",
        "application/download",
        "application/x-download",
        "application/force-download",
        "application/zip",
        "application/x-zip-compressed",
    }
)
"""What servers declare that do not know better: the first bytes say more."""
_ZIP_HEAD = struct.Struct("<18xI4xHH")
_OF_WORD = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/")
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
LOOK = 1024
"""So many bytes are enough to see what a body is."""
BOMB_FLOOR = 1 << 20
"""A body up to this size is no bomb, whatever its ratio: a page of a thousand empty table rows is honest."""
_STEP = 16_384
_ZSTD_STEP = 1024
_ZSTD_WINDOW = 8 << 20
# The stubs of isal call its error class an instance.
_BROKEN: tuple[type[Exception], ...] = (isal_zlib.IsalError, zlib.error, brotli.error, ZstdError)  # type: ignore[assignment]


class Unpacker(Protocol):
    """Undoes one content encoding."""

    def feed(self, packed: bytes, room: int) -> bytes:
        """Unpack the next bytes. If `room` bytes or more come back, stop: the rest is lost."""

    def whole(self) -> bool:
        """Whether the end of the stream was seen."""


class Body:
    """The bytes of one answer. `feed` and `end` raise `Spoiled` where the body is too large, a bomb or badly encoded.

    Where only the status matters (`strict=False`: a redirect, a 404), badly encoded content is empty content.
    """

    def __init__(self, encodings: str, *, cap: int, ratio: float, strict: bool = True) -> None:
        self._unpackers = _unpackers(encodings) if encodings else []
        self._cap = cap
        self._ratio = ratio
        self._strict = strict
        self._raw: list[bytes] = []
        self._made: list[bytes] = [] if self._unpackers else self._raw
        self._received = 0
        self._size = 0

    @property
    def raw(self) -> bytes:
        """The bytes as received, at most the cap."""
        return _joined(self._raw)[: self._cap]

    @property
    def unpacked(self) -> bytes:
        """The bytes with their encodings undone, at most the cap."""
        return _joined(self._made)[: self._cap]

    def feed(self, chunk: bytes) -> None:
        """Take in what came next."""
        self._received += len(chunk)
        self._raw.append(chunk)
        if self._unpackers:
            self._unpack(chunk)
        if self._received > self._cap:
            raise Spoiled("too-large", f"more than {self._cap} bytes")

    def end(self) -> None:
        """The body has ended."""
        if self._received and not all(unpacker.whole() for unpacker in self._unpackers):
            self._broken("the packed content ends too early")

    def _unpack(self, chunk: bytes) -> None:
        before = self._received - len(chunk)
        for start in range(0, len(chunk), _STEP):
            piece = chunk[start : start + _STEP]
            made = self._through(piece)
            if made:
                self._made.append(made)
            self._size += len(made)
            self._check(before + start + len(piece))

    def _through(self, piece: bytes) -> bytes:
        room = self._cap - self._size + 1
        try:
            for unpacker in self._unpackers:
                piece = unpacker.feed(piece, room)
                if len(piece) >= room:
                    break
        except _BROKEN as error:
            self._broken(str(error)[:200])
            return b""
        return piece

    def _broken(self, detail: str) -> None:
        if self._strict:
            raise Spoiled("bad-encoding", detail)
        self._unpackers, self._made = [], []

    def _check(self, received: int) -> None:
        if self._size > BOMB_FLOOR and self._size > self._ratio * received:
            raise Spoiled("bomb", f"{received} bytes unpack to more than {self._size}")
        if self._size > self._cap:
            raise Spoiled("too-large", f"unpacks to more than {self._cap} bytes")


def _joined(pieces: list[bytes]) -> bytes:
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class _Stream(Protocol):
    eof: bool
    unused_data: bytes


class Gzip:
    """Gzip: one member or many. Browsers ignore what follows the last one, and so do we."""

    def __init__(self) -> None:
        self._stream = isal_zlib.decompressobj(wbits=31)

    def feed(self, packed: bytes, room: int) -> bytes:
        """Unpack the next bytes."""
        made: bytes = self._stream.decompress(packed, room)
        while self._stream.eof and len(made) < room and self._stream.unused_data[:1] == b"\x1f":
            rest = self._stream.unused_data
            self._stream = isal_zlib.decompressobj(wbits=31)
            made += self._stream.decompress(rest, room - len(made))
        return made

    def whole(self) -> bool:
        """Whether the end of the stream was seen."""
        return bool(self._stream.eof)


class Deflate:
    """Deflate: with the zlib wrapper as the standard says, or without it as many servers send it."""

    def __init__(self) -> None:
        self._stream: _Stream | None = None
        self._decompress: Callable[[bytes, int], bytes]

    def feed(self, packed: bytes, room: int) -> bytes:
        """Unpack the next bytes."""
        if self._stream is None:
            if not packed:
                return b""
            stream = isal_zlib.decompressobj(wbits=15 if packed[0] & 0x8F == 8 else -15)
            self._stream, self._decompress = stream, stream.decompress
        return self._decompress(packed, room)

    def whole(self) -> bool:
        """Whether the end of the stream was seen."""
        return self._stream is not None and self._stream.eof


class Brotli:
    """Brotli."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, packed: bytes, room: int) -> bytes:
        """Unpack the next bytes."""
        made: bytes = self._stream.process(packed, output_buffer_limit=room)
        return made

    def whole(self) -> bool:
        """Whether the end of the stream was seen."""
        return bool(self._stream.is_finished())


class Zstd:
    """Zstandard with the 8 MiB window that RFC 9659 allows on the web: one frame or many."""

    def __init__(self) -> None:
        self._stream = ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()

    def feed(self, packed: bytes, room: int) -> bytes:
        """Unpack the next bytes."""
        made = []
        # Its `decompress` takes no limit, and four bytes can stand for 128 KiB: so a step makes at most 32 MiB.
        for start in range(0, len(packed), _ZSTD_STEP):
            made.append(self._step(packed[start : start + _ZSTD_STEP]))
            room -= len(made[-1])
            if room <= 0:
                break
        return b"".join(made)

    def _step(self, packed: bytes) -> bytes:
        made = b""
        while packed:
            if self._stream.eof:
                self._stream = ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
            made += self._stream.decompress(packed)
            packed = self._stream.unused_data if self._stream.eof else b""
        return made

    def whole(self) -> bool:
        """Whether the end of the stream was seen."""
        return self._stream.eof


_KNOWN: dict[str, Callable[[], Unpacker]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": Zstd,
}
_DEEPEST = 3


def _unpackers(encodings: str) -> list[Unpacker]:
    """The last encoding applied is the first to undo. Unknown names (`utf-8`, `none`) are ignored, as browsers do."""
    if alone := _KNOWN.get(encodings):
        return [alone()]
    names = [name.strip() for name in encodings.lower().split(",")]
    makers = [_KNOWN[name] for name in reversed(names) if name in _KNOWN]
    if len(makers) > _DEEPEST:
        raise Spoiled("bad-encoding", f"packed {len(makers)} times")
    return [make() for make in makers]


def declared_type(content_type: str) -> str:
    """`text/html` of `Text/HTML; charset=utf-8`; empty if it says nothing usable."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind if "/" in kind and kind != "*/*" else ""


def seen_type(start: bytes) -> str:
    """The content type that the first bytes look like."""
    if _HTML.match(start):
        return "text/html"
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    if start.startswith(b"{\\rtf"):
        return "application/rtf"
    if start.startswith(b"PK\x03\x04"):
        return _zipped_type(start)
    return "application/octet-stream" if _BINARY.search(start, 0, LOOK) else "text/plain"


def _zipped_type(start: bytes) -> str:
    """Of a zip what its first file says: books and OpenDocument begin with a file of that name; documents of Word with one of theirs."""
    if len(start) < 30:
        return "application/zip"
    size, name_size, more = _ZIP_HEAD.unpack_from(start)
    name, content = start[30 : 30 + name_size], start[30 + name_size + more :]
    if name == b"mimetype":
        said = content[: min(size, 100)].decode("ascii", "replace").strip()
        return said if said.isprintable() and "/" in said else "application/zip"  # it is shown in a terminal
    return _WORD if name.startswith(_OF_WORD) else "application/zip"
