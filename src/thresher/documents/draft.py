"""What every reader makes of a document: a title, an author, a date, a language, and blocks; and the page that is written of it."""

from datetime import date
from html import escape
from itertools import groupby
from typing import NamedTuple

MOST_CHARACTERS = 1_000_000
"""Of a longer document the beginning is read. The parser reads no more of a page either."""
MOST_LINKS = 10_000
MOST_BLOCKS = 40_000
"""The parser reads 100,000 tags of a page; a block has two."""
_LONGEST_NAME = 1_000
_LONGEST_HREF = 2_000
_MOST_HREFS = 1_000_000
"""Characters of all addresses together: a small file can use a long one ten thousand times."""


class DocumentFault(Exception):
    """A document that cannot be read: the name of the outcome, and why."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(f"{why}: {detail}")
        self.why, self.detail = why, detail


def broken(detail: str) -> DocumentFault:
    """It is not what it says it is, or is damaged."""
    return DocumentFault("document-broken", detail[:200])


def encrypted(detail: str) -> DocumentFault:
    """It cannot be read without a password or a key."""
    return DocumentFault("document-encrypted", detail[:200])


def too_large(detail: str) -> DocumentFault:
    """It unpacks to more than is read, or takes too much memory."""
    return DocumentFault("document-too-large", detail[:200])


class EnoughRead(Exception):
    """The draft takes no more: the rest of the document is left out."""


class TextRun(NamedTuple):
    """Words of a block, and where they lead."""

    text: str
    href: str = ""


class TextBlock(NamedTuple):
    """A paragraph, or a heading of a level from 1 to 6."""

    runs: tuple[TextRun, ...]
    level: int = 0

    @property
    def text(self) -> str:
        """Its words on one line."""
        return " ".join("".join(run.text for run in self.runs).split())


class Draft:
    """A document while it is read. It takes so many characters, links and blocks; then it raises `EnoughRead`."""

    def __init__(self) -> None:
        self.title = self.author = self.language = self.date = ""
        self.blocks: list[TextBlock] = []
        self._room, self._links, self._href_room = MOST_CHARACTERS, MOST_LINKS, _MOST_HREFS

    def add(self, runs: list[TextRun], level: int = 0) -> None:
        """Take in a paragraph or a heading; one without words is left out."""
        kept = [self._within(run) for run in merged(runs)]
        if not any(run.href or not run.text.isspace() for run in kept):
            return
        self.blocks.append(TextBlock(tuple(kept), min(level, 6)))
        if self._room <= 0 or len(self.blocks) >= MOST_BLOCKS:
            raise EnoughRead

    def say(self, text: str, level: int = 0) -> None:
        """Take in a block without links."""
        self.add([TextRun(text)], level)

    def name(self, *, title: str = "", author: str = "", language: str = "", day: str = "") -> None:
        """Note what the document says of itself; of each thing the first counts."""
        self.title = self.title or one_line(title)
        self.author = self.author or one_line(author)
        self.language = self.language or language.strip()[:40]
        self.date = self.date or day

    def _within(self, run: TextRun) -> TextRun:
        text = run.text[: self._room]
        self._room -= len(text)
        if not run.href or self._links <= 0 or len(run.href) > min(_LONGEST_HREF, self._href_room):
            return TextRun(text)
        self._links -= 1
        self._href_room -= len(run.href)
        return TextRun(text, run.href.strip())

    def html(self) -> bytes:
        """The document as a page in UTF-8. All that a stranger wrote is escaped; nothing nests but a link in its block."""
        title = self.title or next((block.text[:200] for block in self.blocks if block.text), "")
        named = {"author": self.author, "date": self.date}
        head = [f'<meta name="{name}" content="{escape(value)}">' for name, value in named.items() if value]
        # As a meta element: of a page with very many tags only the flat ones are read, and `<html>` is none.
        if self.language:
            head.append(f'<meta http-equiv="content-language" content="{escape(self.language)}">')
        lines = ["<!doctype html>", '<meta charset="utf-8">', f"<title>{escape(title)}</title>", *head]
        return "\n".join([*lines, *map(_written, self.blocks)]).encode("utf-8", "replace")


def merged(runs: list[TextRun]) -> list[TextRun]:
    """Neighbours that lead to the same place are one link."""
    parts = ((href, [run.text for run in same]) for href, same in groupby(runs, lambda run: run.href))
    return [TextRun(said, href) for href, texts in parts if (said := "".join(texts))]


def _written(block: TextBlock) -> str:
    tag = f"h{block.level}" if block.level else "p"
    return f"<{tag}>{''.join(map(_run, block.runs))}</{tag}>"


def _run(run: TextRun) -> str:
    said = escape(run.text, quote=False)
    return f'<a href="{escape(run.href)}">{said}</a>' if run.href else said


def one_line(text: str) -> str:
    """A name on one line, not too long."""
    return " ".join(text[: 2 * _LONGEST_NAME].split())[:_LONGEST_NAME]


def day_of(text: str) -> str:
    """The day that a date of any of these formats begins with, as `2026-01-31`; empty if there is none.

    >>> day_of("D:20260131120000Z"), day_of("2026-01-31T12:00:00Z"), day_of("once")
    ('2026-01-31', '2026-01-31', '')
    """
    digits = text.strip().removeprefix("D:")[:10].replace("-", "")[:8]
    if len(digits) != 8 or not (digits.isascii() and digits.isdigit()):
        return ""
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:])).isoformat()
    except ValueError:
        return ""
