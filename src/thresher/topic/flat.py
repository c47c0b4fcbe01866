"""A text made flat: lower case, one blank for every character that belongs to no word, and everything still in its place."""

import re

import numpy as np
from numpy.typing import NDArray

from thresher.language.tokens import _MARKS

_ASCII = {code: chr(code) if chr(code).isalnum() else " " for code in range(128)}
_BYTES = bytes(ord(_ASCII.get(code, chr(code))) for code in range(256))
_STRANGE = re.compile(rf"[^\x00-\x7f\w{_MARKS}]")
_BLANK = ord(" ")


def flat(text: str) -> str:
    """As long as the text in lower case; `flat(text).split()` is `words(text)`.

    >>> flat("Iris-scan, 2nd")
    'iris scan  2nd'
    """
    lower = text.lower()
    if lower.isascii():
        return lower.translate(_ASCII)
    # The bytes of other letters are left alone, and one curly quote does not make a page slow: 10 KB of English with some take .12 ms, in
    # words one by one .30.
    return _STRANGE.sub(" ", lower).encode().translate(_BYTES).decode()


def places(text: str, flattened: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each word begins and ends in the text that was made flat."""
    code = np.frombuffer(flattened.encode("utf-32-le"), np.uint32)
    edges = np.flatnonzero(np.diff(code != _BLANK, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    if len(flattened) == len(text):
        return starts, ends
    # Only one letter grows in lower case, the Turkish İ.
    origin = np.repeat(np.arange(len(text)), [len(letter.lower()) for letter in text])
    return origin[starts], origin[ends - 1] + 1
