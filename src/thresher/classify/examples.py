"""Classes with example pages: what a classifier learns from. A folder a class, or a CSV of urls and classes."""

import csv
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.model import Url
from thresher.urls import canonical

_HTML = frozenset({".html", ".htm", ".xhtml"})
_PLAIN = ".txt"
# An example is a page that somebody chose. What is larger than these got there by mistake.
_MOST_BYTES = 10_000_000
_LONGEST_LINE = 100_000


class Example(NamedTuple):
    """The words of a page, and the class it belongs to."""

    text: str
    label: str


def read_folder(folder: Path, html_text: Callable[[bytes], str]) -> Iterator[Example]:
    """The pages of a folder whose subfolders are the classes, in the order of their names.

    Folders within a class belong to it; files other than `.html`, `.htm`, `.xhtml` and `.txt` (in UTF-8) do not count.
    """
    for label, pages in _classes(folder).items():
        for page in pages:
            content = _content(page)
            yield Example(_plain(page, content) if page.suffix.lower() == _PLAIN else html_text(content), label)


def read_csv(path: Path, text_of: Callable[[Url], str | None]) -> Iterator[Example]:
    """The pages of a CSV file with a url and a class a line, in order; a first line `url,class` is a header.

    A page whose text is None, because nobody has it any more, is left out; a class that loses all its pages so is an error.
    """
    listed, found = Counter[str](), set[str]()
    for url, label in _rows(path):
        listed[label] += 1
        text = text_of(url)
        if text is not None:
            found.add(label)
            yield Example(text, label)
    _at_least_two(list(listed), path)
    for label in listed:
        if label not in found:
            raise BadInput(f"{path}: none of the {listed[label]} pages of class {label!r} has a text")


def _classes(folder: Path) -> dict[str, list[Path]]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    except OSError as error:
        raise BadInput(f"{folder}: cannot be read: {error.strerror or error}") from error
    _at_least_two(names, folder)
    classes = {name: list(_pages(folder / name)) for name in names}
    for name, pages in classes.items():
        if not pages:
            raise BadInput(f"{folder / name}: no page in this class; examples end in .html or .txt")
    return classes


def _pages(folder: Path) -> Iterator[Path]:
    # A link to a folder is not followed, so that a loop of links ends.
    for here, folders, files in os.walk(folder):
        folders.sort()
        pages = (Path(here, name) for name in sorted(files))
        yield from (page for page in pages if page.suffix.lower() in {*_HTML, _PLAIN})


def _content(page: Path) -> bytes:
    try:
        with page.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{page}: cannot be read: {error.strerror or error}") from error
    if len(content) > _MOST_BYTES:
        raise BadInput(f"{page}: more than {_MOST_BYTES // 1_000_000} MB, too large for an example page")
    return content


def _plain(page: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{page}, line {line}: not UTF-8 text ({error.reason})") from error


def _rows(path: Path) -> Iterator[tuple[Url, str]]:
    reader = csv.reader(_lines(path), strict=True, skipinitialspace=True)
    try:
        for row in reader:
            place = f"{path}, line {reader.line_num}"
            cells = [cell.strip() for cell in row]
            if not any(cells) or (reader.line_num == 1 and [cell.lower() for cell in cells] == ["url", "class"]):
                continue
            yield _row(cells, place)
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.line_num}: {error}") from error


def _row(cells: list[str], place: str) -> tuple[Url, str]:
    if len(cells) != 2 or not all(cells):
        raise BadInput(f"{place}: needs a url and a class, such as http://example.org/,course; found {cells!r:.200}")
    url = canonical(cells[0])
    if url is None:
        raise BadInput(f"{place}: {cells[0][:200]!r} is not a url")
    return url, cells[1]


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(_LONGEST_LINE):
                number += 1
                yield _line(line, f"{path}, line {number}").removeprefix("\ufeff" if number == 1 else "")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _line(line: bytes, place: str) -> str:
    if len(line) >= _LONGEST_LINE:
        raise BadInput(f"{place}: longer than {_LONGEST_LINE} bytes; a url and a class are meant")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{place}: not UTF-8 text ({error.reason} at byte {error.start + 1})") from error


def _at_least_two(names: list[str], path: Path) -> None:
    if len(names) < 2:
        raise BadInput(f"{path}: needs at least two classes to tell apart; found {', '.join(names) or 'none'}")
