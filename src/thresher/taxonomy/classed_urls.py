"""Classes with urls, wherever somebody listed them: a table (CSV), a folder of lists, bookmarks, an ODP dump; the content says which.

A class is a path, `Science/Physics`. In what the user wrote (a table, lists) a url that cannot be crawled is a mistake, and an error names
the place. In a file from elsewhere (bookmarks, a dump) it is passed over, and so is one that spells out a private address.

Each source is read twice, first to count and then to draw, so that a dump need not fit into memory.
"""

import csv
import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from html import unescape
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from thresher.classify.class_tree import DEEPEST, SEPARATOR
from thresher.errors import BadInput
from thresher.model import Url
from thresher.seed.listed_files import kind_of, read, unpacked
from thresher.seed.named_urls import seed_urls, seeds_in, usable
from thresher.taxonomy.odp_dump import dump_pages

COLUMNS = ("class", "url")
_LISTS = ".txt"
_OWN_NAME = "urls"
"""A list of this name belongs to the class of its folder."""
_GZIP = b"\x1f\x8b"
_HEAD = 1 << 16
_BLOCK = 1 << 18
_LONGEST_LINE = 1 << 20
_LONGEST_NAME = 200
# Neither looks beyond the next tag, so that a tag without an end costs nothing.
_BOOKMARK_TAG = re.compile(r"<(/?dl|h3|a)(?=[\s>])([^<>]*+)>", re.IGNORECASE)
_HREF = re.compile(r"""\shref\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"']++))""", re.IGNORECASE)
_TORN = (EOFError, zlib.error, gzip.BadGzipFile)
_CHOICES = (
    "a table (CSV with the columns class and url), a folder of lists of urls (.txt), bookmarks as browsers export them, or an ODP dump"
    " (content.rdf.u8)"
)


class ClassedUrl(NamedTuple):
    """A url and the class that it is an example of."""

    label: str
    url: Url


Source = Callable[[], Iterator[ClassedUrl]]
"""Reads all of it, as often as it is called."""
_Listed = Iterator[tuple[Sequence[str], str]]
"""The names on the way to a class, and a url as a stranger spells it."""


def classed_urls(path: Path, *, allow_private: bool = False) -> Source:
    """The classes with urls that a file or folder holds."""
    if path.is_dir():
        return lambda: _folder(path)
    match kind_of(_head(path)):
        case "bookmarks":
            return lambda: _strangers(_bookmarks(path), allow_private=allow_private)
        case "listed":
            return lambda: _strangers(_dump(path), allow_private=allow_private)
        case "lines" | "robots":
            return lambda: table(path)
        case "page":
            raise BadInput(f"{path} is a web page; classes with urls come from {_CHOICES}")
        case other:
            raise BadInput(f"{path} is a {other} file; classes with urls come from {_CHOICES}")


def class_path(parts: Iterable[str]) -> str:
    """Names as one path: in print, with single blanks, and neither too many nor too long.

    >>> class_path(["Computers", " Networks  and", "", "TCP/IP"])
    'Computers/Networks and/TCP-IP'
    """
    named = (" ".join(_in_print(part).split()).replace(SEPARATOR, "-")[:_LONGEST_NAME].strip() for part in parts)
    return SEPARATOR.join([part for part in named if part][:DEEPEST])


def _in_print(name: str) -> str:
    return name if name.isprintable() else "".join(letter if letter.isprintable() else " " for letter in name)


# ── what the user wrote ──


def table(path: Path) -> Iterator[ClassedUrl]:
    """The rows of a table with the columns `class` and `url`, in any order and among others."""
    with _unpacked(path) as stream, TextIOWrapper(stream, "utf-8-sig", newline="") as text:
        lines = _lines(text, path)
        first = next(lines, "")
        reader = csv.reader(_begun(first, lines), delimiter=next((each for each in "\t;" if each in first), ","))
        try:
            places = _places(next(reader, []), path)
            yield from (_of_row(row, places, f"{path}, line {reader.line_num}") for row in reader if row)
        except csv.Error as error:
            raise BadInput(f"{path}, line {reader.line_num}: {error}") from error


def _lines(text: TextIOWrapper, path: Path) -> Iterator[str]:
    """The lines of a text, none of them endless."""
    number = 0
    try:
        for number, line in enumerate(iter(partial(text.readline, _LONGEST_LINE), ""), 1):
            if len(line) == _LONGEST_LINE:
                raise BadInput(f"{path}, line {number}: more than {_LONGEST_LINE:,} letters")
            yield line
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}, after line {number}: not UTF-8 text ({error.reason})") from error


def _begun(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _places(header: Sequence[str], path: Path) -> tuple[int, int]:
    names = [name.strip().lower() for name in header]
    if missing := [name for name in COLUMNS if name not in names]:
        raise BadInput(
            f"{path}, line 1: no column {' and '.join(missing)}; the first line names the columns: class,url"
        )
    return names.index(COLUMNS[0]), names.index(COLUMNS[1])


def _of_row(row: Sequence[str], places: tuple[int, int], place: str) -> ClassedUrl:
    if len(row) <= max(places):
        raise BadInput(f"{place}: {len(row)} columns, but the first line names more")
    label, url = (row[each] for each in places)
    path = class_path(label.split(SEPARATOR))
    if not path:
        raise BadInput(f"{place}: no class; a name or a path is meant, such as Science/Physics")
    try:
        return ClassedUrl(path, seed_urls([url])[0])
    except BadInput as error:
        raise BadInput(f"{place}: {str(error).removeprefix('seed: ')}") from error


def _folder(folder: Path) -> Iterator[ClassedUrl]:
    """Lists of urls: `Science/Physics.txt` and `Science/Physics/urls.txt` are both of the class `Science/Physics`."""
    found = False
    # A link to a folder is not followed, so that a loop of links ends.
    for here, folders, files in os.walk(folder, onerror=_unreadable):
        folders.sort()
        for name in sorted(files):
            path = Path(here, name)
            if path.suffix.lower() == _LISTS:
                found = True
                yield from _list(path, folder)
    if not found:
        raise BadInput(
            f"{folder}: no list of urls in it (such as Science/Physics.txt); a folder of example pages is for --taxonomy itself"
        )


def _list(path: Path, folder: Path) -> Iterator[ClassedUrl]:
    within = path.relative_to(folder)
    label = class_path(within.parent.parts if path.stem == _OWN_NAME else within.with_suffix("").parts)
    if not label:
        raise BadInput(f"{path}: a list without a class; name the list, or its folder, after the class")
    yield from (ClassedUrl(label, url) for url in seeds_in(unpacked(read(str(path))), str(path)))


def _unreadable(error: OSError) -> None:
    raise BadInput(f"{error.filename}: cannot be read: {error.strerror}") from error


# ── what comes from elsewhere ──


def _strangers(listed: _Listed, *, allow_private: bool) -> Iterator[ClassedUrl]:
    """The urls among them that can be crawled and have a class."""
    open_to = None if allow_private else ()
    latest: Sequence[str] = ()
    label = ""
    for parts, text in listed:
        # Pages of a class mostly stand together.
        if parts != latest:
            latest, label = parts, class_path(parts)
        if label:
            yield from (ClassedUrl(label, url) for url in usable([text], open_to=open_to).urls)


def _bookmarks(path: Path) -> _Listed:
    """Folders are classes: each is a `<DL>`, and the `<H3>` before it is its name. One that is never closed holds all that follows.

    Read tag by tag, and not as a tree: the guard of trees takes apart what nests in a file of more than 3,000 bookmarks.
    """
    text = unpacked(read(str(path))).decode("utf-8", "replace")
    heading, folders = "", [tuple[str, ...]()]
    for tag in _BOOKMARK_TAG.finditer(text):
        match tag[1].lower():
            case "h3":
                end = text.find("<", tag.end())
                heading = unescape(text[tag.end() : end if end > 0 else None])
            case "dl":
                here = folders[-1]
                folders.append((*here, heading) if heading.strip() and len(here) < DEEPEST else here)
                heading = ""
            case "/dl" if len(folders) > 1:
                folders.pop()
            case "a" if href := _HREF.search(tag[2]):
                yield folders[-1], unescape(href[1] or href[2] or href[3] or "")


def _dump(path: Path) -> _Listed:
    with _unpacked(path) as stream:
        blocks = iter(lambda: stream.read(_BLOCK), b"")
        for page in dump_pages(blocks, path):
            yield page.topic.split(SEPARATOR), page.url


# ── files ──


def _head(path: Path) -> bytes:
    with _unpacked(path) as stream:
        return stream.read(_HEAD)


@contextmanager
def _unpacked(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file as a stream, without gzip around them."""
    try:
        with path.open("rb") as file:
            packed = file.read(len(_GZIP)) == _GZIP
            file.seek(0)
            yield cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file
    except _TORN as error:
        raise BadInput(f"{path}: is packed with gzip, but torn: {error}") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
