"""Texts of the web as a terminal can take them: on one line, and nothing in them that steers it; and days as people read them."""

from datetime import UTC, datetime


def one_line(text: str) -> str:
    """The text on one line, without what nobody sees: escapes, soft hyphens, marks of direction.

    >>> one_line("An\\n  eye\\x1b[31m")
    'An eye[31m'
    """
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(letter for letter in line if letter.isprintable())


def shorten(text: str, most: int) -> str:
    """The text, cut to so many letters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def day(at: float) -> str:
    """The day of a moment, in UTC.

    >>> day(1.7e9)
    '2023-11-14'
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"
