"""Lessons as bytes: what a worker tells others of a visit.

They may come from anywhere, so reading one runs nothing and takes bounded memory.
"""

import zlib
from typing import Annotated, TypeVar

import msgspec

from thresher.errors import DamagedState

Finite = Annotated[float, msgspec.Meta(ge=-1.7e308, le=1.7e308)]
"""Neither infinite nor NaN."""
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
MOST = 4 << 20
"""Bytes that a lesson may have when it is unpacked."""
_T = TypeVar("_T")


def packed(lesson: object) -> bytes:
    """A lesson as bytes, for `unpacked`."""
    return zlib.compress(msgspec.msgpack.encode(lesson), 1)


def unpacked(value: bytes, kind: type[_T]) -> _T:
    """What `packed` was given; DamagedState if it was something else."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(value, MOST)
        return msgspec.msgpack.decode(plain if stream.eof else b"", type=kind)
    except (ValueError, RecursionError, zlib.error, msgspec.MsgspecError) as error:
        raise DamagedState(f"what another worker has learnt is damaged: {error}") from error


def check(holds: bool, what: str) -> None:  # noqa: FBT001 - what must hold
    """Raise DamagedState unless something holds of a lesson."""
    if not holds:
        raise DamagedState(f"what another worker has learnt is damaged: {what}")


def is_url(text: str) -> bool:
    """Whether a text has the parts of a url in canonical form, so that they can be taken apart.

    >>> is_url("http://a.example/?q=1"), is_url("http://a.example"), is_url("x")
    (True, False, False)
    """
    return text.startswith(("http://", "https://")) and text.partition("?")[0].count("/") > 2
