"""Seeds from a WARC file: the urls of all pages in it, in order."""

import warnings
from collections.abc import Iterator
from pathlib import Path

from thresher.errors import BadInput
from thresher.fetch import kinds

with warnings.catch_warnings():
    # FastWARC 1.1 complains of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator, WarcRecordType

MARK = b"WARC/"
_PAGES = {"text/html", "application/xhtml+xml"}
# What FastWARC raises on a record that is cut or torn, over its versions.
_BROKEN = (OSError, ValueError, RuntimeError)


def pages_in(path: Path) -> Iterator[str]:
    """The urls of answers with status 200 that are HTML, as they were recorded, each once."""
    seen: set[str] = set()
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                if (target := _target(record)) is not None and target not in seen:
                    seen.add(target)
                    yield target
    except _BROKEN as error:
        raise BadInput(f"{path}: cannot be read as a WARC file: {error}") from error


def _target(record: object) -> str | None:
    http = getattr(record, "http_headers", None)
    if http is None or http.status_code != 200 or kinds.declared(http.get("Content-Type", "")) not in _PAGES:
        return None
    target: str | None = record.headers.get("WARC-Target-URI")  # type: ignore[attr-defined]  # the library has no types
    return target.strip("<>") if target else None  # some old writers put it in brackets
