"""Scripts that put no blanks between words: each of their letters is a word to the index, and a word is a phrase of letters."""

import re

GAP = "\u200b"
"""Stands between two such letters: it takes no room, and ends a word for SQLite."""

# Thai and Lao, Myanmar, Khmer, kana, Han with its extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = re.compile(f"[{_UNSPACED}]")
_APART = f"{GAP}\\g<0>{GAP}"


def apart(text: str) -> str:
    """The text with gaps around each letter of a script without blanks.

    >>> apart("虹膜 iris").replace(GAP, "|")
    '|虹||膜| iris'
    """
    return text if text.isascii() else _LETTER.sub(_APART, text)


def together(text: str) -> str:
    """The text without the gaps."""
    return text.replace(GAP, "")
