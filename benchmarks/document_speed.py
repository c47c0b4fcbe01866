"""How fast documents become pages: our readers, each format, beside kreuzberg where it is installed (pip install kreuzberg).

The documents are made here, of the same text; the PDFs of the system's own documentation are read too, where there are some. The CPU
time of this process counts, the best of several rounds. A page is 3,000 characters; of a PDF, what it calls a page.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.documents import made

from thresher.documents.kinds import KINDS, installed
from thresher.documents.page_maker import page_of_document

ROUNDS = 3
PAGE = 3_000
TYPES = {kind.name: kind.types[0] for kind in KINDS}
FOUND = "/usr/share/doc"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    pages = 5 if options.smoke else options.pages
    if not installed():
        print("the extra documents is not installed: nothing to measure")
        return
    theirs = kreuzberg() if find_spec("kreuzberg") is not None else None
    print(f"documents of {pages} pages; best of {ROUNDS}{'' if theirs else '; kreuzberg is not installed'}")
    for name, kind, body, count in [*written(pages), *([] if options.smoke else on_disk())]:
        report(name, count, kind, body, theirs)


def report(name: str, pages: int, kind: str, body: bytes, theirs: Callable | None) -> None:
    own = pages / best_of(lambda: page_of_document(kind, body))
    line = f"{name:28} {pages:5} pages  thresher {own:8.0f} pages/s"
    if theirs is not None:
        other = pages / best_of(lambda: theirs(body, TYPES[kind]))
        line += f"  kreuzberg {other:8.0f} pages/s  ratio: {own / other:.1f}"
    print(line)


def best_of(work: Callable) -> float:
    """Seconds of CPU time, of all threads."""
    least = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
    return max(least, 1e-6)


def kreuzberg() -> Callable:
    from kreuzberg import extract_bytes_sync  # noqa: PLC0415 - not everywhere

    return extract_bytes_sync


def written(pages: int) -> list[tuple[str, str, bytes, int]]:
    """The same text in each format."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(5000)]
    paragraphs = [" ".join(chance.choices(words, k=90)) for _ in range(pages * PAGE // 590)]
    docx = "".join(f"<w:p><w:r><w:t>{said}</w:t></w:r></w:p>" for said in paragraphs)
    odt = "".join(f"<text:p>{said}</text:p>" for said in paragraphs)
    chapters = {
        f"c{at}.xhtml": "".join(f"<p>{p}</p>" for p in paragraphs[at : at + 50]) for at in range(0, len(paragraphs), 50)
    }
    rtf = b"{\\rtf1\\ansi " + "".join(f"{said}\\par " for said in paragraphs).encode() + b"}"
    sheets = [
        [line for said in paragraphs[at : at + 5] for line in wrapped(said)] for at in range(0, len(paragraphs), 5)
    ]
    return [
        ("pdf", "pdf", made.pdf(*sheets), len(sheets)),
        ("docx", "docx", made.docx(docx), pages),
        ("odt", "odt", made.odt(odt), pages),
        ("epub", "epub", made.epub(chapters), pages),
        ("rtf", "rtf", rtf, pages),
        ("md", "md", "\n\n".join(paragraphs).encode(), pages),
    ]


def wrapped(said: str) -> list[str]:
    return [said[at : at + 70] for at in range(0, len(said), 70)]


def on_disk() -> list[tuple[str, str, bytes, int]]:
    import pypdfium2  # noqa: PLC0415 - it is part of the extra

    found = []
    for path in sorted(Path(FOUND).glob("**/*.pdf"))[:5]:
        body = path.read_bytes()
        found.append((path.name[:28], "pdf", body, len(pypdfium2.PdfDocument(body))))
    return found


if __name__ == "__main__":
    main()
