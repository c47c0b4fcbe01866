"""Pages as they came, as WACZ: one zip file that ReplayWeb.page opens, with the WARC file, an index of it and a list of the pages.

The format is that of specs.webrecorder.net/wacz/1.1.1. The index is CDXJ: a line for each page, in order of a sort-friendly form of its
address. It is compressed in blocks with a list of the blocks, so that a reader of a large file fetches only the blocks it needs. The
package `wacz` makes such files too; it brings fifty others with it, so it only checks ours in the tests.
"""

import hashlib
import heapq
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from thresher.results.export.records import Record
from thresher.results.export.warc_file import SOFTWARE, PageMembers, TakeMembers, warc

VERSION = "1.1.1"
_WARC, _PAGES, _INDEX, _BLOCKS = (
    "archive/pages.warc.gz",
    "pages/pages.jsonl",
    "indexes/index.cdx.gz",
    "indexes/index.idx",
)
_LINES_OF_A_BLOCK = 1024
_LINES_SORTED_AT_ONCE = 100_000
_HEAD_OF_PAGES = {"format": "json-pages-1.0", "id": "pages", "title": "Pages", "hasText": False}


@contextmanager
def wacz(path: Path) -> Iterator[TakeMembers]:
    """A zip file with the pages."""
    with tempfile.TemporaryDirectory(prefix="thresher-", dir=path.parent) as name, ExitStack() as stack:
        folder = Path(name)
        for place in (_WARC, _PAGES, _INDEX):
            (folder / place).parent.mkdir()
        archived = stack.enter_context(warc(folder / _WARC))
        listed = stack.enter_context((folder / _PAGES).open("w", encoding="utf-8"))
        listed.write(json.dumps(_HEAD_OF_PAGES) + "\n")
        index = IndexLines(folder)

        def take(record: Record, found: PageMembers) -> int:
            start = archived(record, found)
            index.add(_index_line(record, found, start))
            listed.write(_page_line(record) + "\n")
            return start

        yield take
        stack.close()
        _write_index(folder, index.ordered())
        _zip(folder, path)


class IndexLines:
    """Lines that are sorted outside of memory: a file for every so many, merged at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: list[str] = []
        self._sorted: list[Path] = []

    def add(self, line: str) -> None:
        """Take a line, without its end."""
        self._lines.append(f"{line}\n")
        if len(self._lines) == _LINES_SORTED_AT_ONCE:
            self._put_aside()

    def ordered(self) -> Iterator[str]:
        """All lines, each with its end."""
        self._put_aside()
        with ExitStack() as stack:
            files = [stack.enter_context(path.open(encoding="utf-8", newline="\n")) for path in self._sorted]
            yield from heapq.merge(*files)
        for path in self._sorted:
            path.unlink()

    def _put_aside(self) -> None:
        path = self._folder / f"lines-{len(self._sorted)}"
        path.write_text("".join(sorted(self._lines)), "utf-8", newline="\n")
        self._sorted.append(path)
        self._lines.clear()


def sort_key(url: str) -> str:
    """The address in the form that an index is sorted by: the host backwards, without www, then the path, the query in order.

    >>> sort_key("http://www.example.org:8080/A?b=2&a=1")
    'org,example:8080)/a?a=1&b=2'
    """
    parts = urlsplit(url.lower())
    first, _, rest = (parts.hostname or "").partition(".")
    host = rest if first.rstrip("0123456789") == "www" else parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    query = f"?{'&'.join(sorted(parts.query.split('&')))}" if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}{port}){parts.path or '/'}{query}"


def _index_line(record: Record, found: PageMembers, start: int) -> str:
    fields = {
        "url": record["url"],
        "mime": found.kind,
        "status": str(record["status"]),
        "digest": record["content_hash"],
        "length": str(len(found.response)),
        "offset": str(start),
        "filename": Path(_WARC).name,
    }
    return f"{sort_key(record['url'])} {record['fetched']:%Y%m%d%H%M%S} {json.dumps(fields)}"


def _page_line(record: Record) -> str:
    page = {
        "id": str(record["number"]),
        "url": record["url"],
        "ts": _moment(record["fetched"]),
        "title": record["title"],
    }
    return json.dumps(page | {"relevance": record["relevance"]}, ensure_ascii=False)


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def _write_index(folder: Path, lines: Iterator[str]) -> None:
    """The lines in compressed blocks, and for each block its first line, place and length."""
    start = 0
    with (folder / _INDEX).open("wb") as index, (folder / _BLOCKS).open("w", encoding="utf-8") as blocks:
        blocks.write(f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': Path(_INDEX).name})}\n")
        while block := list(islice(lines, _LINES_OF_A_BLOCK)):
            squeezed = zlib.compress("".join(block).encode(), wbits=31)
            place = {
                "offset": start,
                "length": len(squeezed),
                "digest": f"sha256:{hashlib.sha256(squeezed).hexdigest()}",
            }
            blocks.write(f"{block[0].partition('{')[0]}{json.dumps(place)}\n")
            start += index.write(squeezed)


class Resource(NamedTuple):
    """A file of the package, as its description lists it."""

    name: str
    path: str
    hash: str
    bytes: int


def _zip(folder: Path, path: Path) -> None:
    # Files that are compressed already are stored, so that a reader can fetch a part of them.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as package:
        for place in (_WARC, _INDEX, _BLOCKS, _PAGES):
            package.write(folder / place, place, None if place.endswith(".gz") else zipfile.ZIP_DEFLATED)
        described = json.dumps(_description(folder), indent=2).encode()
        digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(described).hexdigest()}"}
        package.writestr("datapackage.json", described, zipfile.ZIP_DEFLATED)
        package.writestr("datapackage-digest.json", json.dumps(digest), zipfile.ZIP_DEFLATED)


def _description(folder: Path) -> dict[str, Any]:
    return {
        "profile": "data-package",
        "wacz_version": VERSION,
        "software": SOFTWARE,
        "created": _moment(datetime.now(UTC)),
        "resources": [_resource(folder, place)._asdict() for place in (_WARC, _INDEX, _BLOCKS, _PAGES)],
    }


def _resource(folder: Path, place: str) -> Resource:
    path = folder / place
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Resource(path.name, place, f"sha256:{digest}", path.stat().st_size)
