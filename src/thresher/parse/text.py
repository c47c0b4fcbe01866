"""The text a person sees, put together from what the text nodes say."""

import re
from itertools import accumulate
from typing import Final

from thresher.native import inner_loops

BREAK: Final = "\n"
"""Stands among the parts where a line ends, and before the first; known by being this very object."""
BLANK: Final = " "
"""Stands for a text node without words."""

_SOFT_HYPHEN = "\xad"

# All controls but white space: in a terminal an escape character could give orders.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_ASCII_CONTROLS = bytes(code for code in range(128) if _CONTROL.match(chr(code)))


def put_together(parts: list[str], most: int) -> tuple[str, list[int]]:
    """The text, at most so many characters, and how far into it each part begins; at the end how long it is.

    Only `BREAK` starts a line, and markup separates nothing: `ir<b>is</b>` is one word.
    """
    # Few parts need it, and to squeeze every part costs .2 ms a page. So two spaces that the author typed remain two.
    said = [squeezed(part) if "\n" in part and part is not BREAK else part for part in parts]
    said[0] = ""
    if said[-1] in {BREAK, BLANK}:
        said[-1] = ""
    text = "".join(said)
    if _SOFT_HYPHEN in text:  # splits words only for the eye
        said = [part.replace(_SOFT_HYPHEN, "") for part in said]
        text = "".join(said)
    if has_controls(text):
        said = [_CONTROL.sub("", part) for part in said]
        text = "".join(said)
    offsets = [0, *accumulate(map(len, said))]
    if len(text) > most:
        return text[:most], [min(offset, most) for offset in offsets]
    return text, offsets


def has_controls(text: str) -> bool:
    """Whether there are characters that nobody sees and a terminal obeys."""
    if text.isascii() and inner_loops is not None:
        return inner_loops.has_controls(text)
    if text.isascii():  # 7 µs for 10,000 characters, where the search takes 32
        return len(text.encode().translate(None, _ASCII_CONTROLS)) < len(text)
    return _CONTROL.search(text) is not None


def plain(said: str) -> str:
    """On one line, and without controls."""
    line = " ".join(said.split())
    # Asked first, because nearly always there is nothing to do and this is much the fastest to say so.
    return line if line.isprintable() else _CONTROL.sub("", line)


def squeezed(said: str) -> str:
    """One space for any blanks, at both ends too."""
    words = " ".join(said.split())
    return f"{' ' if said[0].isspace() else ''}{words}{' ' if said[-1].isspace() else ''}"
