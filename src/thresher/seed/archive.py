"""Seeds from a WARC file: the urls of all pages in it, in order."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from thresher.errors import BadInput
from thresher.fetch import kinds
from thresher.warc.reader import fields_of
from thresher.warc.scan import ScannedAnswer, answers

_PAGES = {"text/html", "application/xhtml+xml"}


def pages_in(path: Path) -> Iterator[str]:
    """The urls of answers with status 200 that are HTML, as they were recorded, each once; damaged records are skipped."""
    seen: set[str] = set()
    try:
        for answer in answers(path, Counter(), by_place=False):
            if _is_page(answer) and answer.target not in seen:
                seen.add(answer.target)
                yield answer.target
    except OSError as error:
        raise BadInput(f"{path}: cannot be read as a WARC file: {error}") from error


def _is_page(answer: ScannedAnswer) -> bool:
    if answer.revisit or answer.status != 200 or not answer.target:
        return False
    kind = fields_of(answer.http).get(b"content-type", b"").decode("latin-1")
    return kinds.declared(kind) in _PAGES
