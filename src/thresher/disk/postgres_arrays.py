"""Arrays as PostgreSQL reads them, packed in one go: the links of a page are a dozen columns, sent as an array each.

The library itself would look at each value by itself, and choose a type for it.
"""

from collections.abc import Iterable, Sequence
from struct import pack
from typing import Any

from thresher.disk.guarded_postgres import psycopg


class _PackedArray(bytes):
    """An array as PostgreSQL reads it."""


class Integers(_PackedArray):
    """`integer[]`."""


class Bigints(_PackedArray):
    """`bigint[]`."""


class Floats(_PackedArray):
    """`float8[]`."""


class Texts(_PackedArray):
    """`text[]`."""


class Byteas(_PackedArray):
    """`bytea[]`."""


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


def _dumper(kind: int) -> type[psycopg.adapt.Dumper]:
    class ArrayDumper(psycopg.adapt.Dumper):
        format = psycopg.pq.Format.BINARY
        oid = kind

        def dump(self, obj: bytes) -> bytes:
            return obj

    return ArrayDumper


ARRAY_DUMPERS = {
    Integers: _dumper(1007),
    Bigints: _dumper(1016),
    Floats: _dumper(1022),
    Texts: _dumper(1009),
    Byteas: _dumper(1001),
}
"""How the library sends them: as they are."""
