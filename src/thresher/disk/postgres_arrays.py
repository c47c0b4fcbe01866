"""Arrays as PostgreSQL reads them, packed in one go: the links of a page are a dozen columns, sent as an array each.

The library itself would look at each value by itself, and choose a type for it.
"""

from collections.abc import Iterable, Sequence
from struct import pack
from typing import Any


class PackedArray(bytes):
    """An array as PostgreSQL reads it."""

    type_number: int
    """Its type, as the server numbers them."""


class Integers(PackedArray):
    """`integer[]`."""

    type_number = 1007


class Bigints(PackedArray):
    """`bigint[]`."""

    type_number = 1016


class Floats(PackedArray):
    """`float8[]`."""

    type_number = 1022


class Texts(PackedArray):
    """`text[]`."""

    type_number = 1009


class Byteas(PackedArray):
    """`bytea[]`."""

    type_number = 1001


def integers(values: Sequence[int]) -> Integers:
    """Numbers of 32 bits."""
    return Integers(_header(len(values), 23) + pack(">" + "ii" * len(values), *_with_size(values, 4)))


def bigints(values: Sequence[int]) -> Bigints:
    """Numbers of 64 bits."""
    return Bigints(_header(len(values), 20) + pack(">" + "iq" * len(values), *_with_size(values, 8)))


def floats(values: Sequence[float]) -> Floats:
    """Floats of 64 bits."""
    return Floats(_header(len(values), 701) + pack(">" + "id" * len(values), *_with_size(values, 8)))


def texts(values: Sequence[str | None]) -> Texts:
    """Texts, or NULL."""
    return Texts(
        _header(len(values), 25, nulls=True)
        + _with_sizes([None if value is None else value.encode() for value in values])
    )


def byteas(values: Sequence[bytes]) -> Byteas:
    """Bytes."""
    return Byteas(_header(len(values), 17) + _with_sizes(values))


_NULL = pack(">i", -1)


def _with_sizes(values: Sequence[bytes | None]) -> bytes:
    return b"".join([_NULL if value is None else pack(">i", len(value)) + value for value in values])


def _header(count: int, kind: int, *, nulls: bool = False) -> bytes:
    return pack(">iiIii", 1, nulls, kind, count, 1) if count else pack(">iiI", 0, 0, kind)


def _with_size(values: Iterable[Any], size: int) -> Iterable[Any]:
    for value in values:
        yield size
        yield value
