"""How much of an article the main text has, and how much else, beside trafilatura: python benchmarks/main_text.py [FOLDER ...]

Precision is the share of the runs of four words of what was found that are in the text that a person marked; recall is the share of the
marked ones that were found. Both are means over pages, as the article-extraction-benchmark (Zyte) reckons them. A folder is a copy of that
benchmark (`ground-truth.json` and `html/`), or has `html/NAME.html` and `txt/NAME.txt`. Without folders, the articles in the source
distribution of newspaper4k are asked for by pip, and where they cannot be had nothing is measured. Those were marked by the authors of
newspaper with the help of newspaper itself, so they say less than the other benchmark.
"""

import argparse
import gzip
import importlib.util
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from thresher.model import Response, Url
from thresher.parse.html import HtmlParser

_SOURCE = "newspaper4k==0.9.6"
_RUN = 4
# A letter each where words are written without blanks; else a run of letters and digits.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]|[^\W\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]+"
)


class Article(NamedTuple):
    """A page, and the text that a person marked on it."""

    page: Response
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders = options.folders or list(downloaded(Path(scratch)))
        if not folders:
            print(f"skipped: {_SOURCE} cannot be had here")
        for folder in folders:
            report(folder, list(articles(folder))[: 5 if options.smoke else None])


def report(folder: Path, found: list[Article]) -> None:
    print(f"{folder.name}: {len(found)} articles\n{'':12} precision  recall     F1  pages/s")
    for name, reader in readers().items():
        start = time.process_time()
        texts = [reader(article.page) for article in found]
        seconds = time.process_time() - start
        shares = [share(text, article.text) for text, article in zip(texts, found, strict=True)]
        precision = fmean(each for each, _ in shares if each is not None)
        recall = fmean(each for _, each in shares if each is not None)
        f1 = 2 * precision * recall / (precision + recall)
        print(f"{name:12} {precision:9.3f} {recall:7.3f} {f1:6.3f} {len(found) / seconds:8.0f}")


def share(found: str, marked: str) -> tuple[float | None, float | None]:
    """Of the runs of words, how many of those found are marked, and how many of those marked are found; None of nothing."""
    here, there = runs(found), runs(marked)
    both = (here & there).total()
    return (both / here.total() if here else None), (both / there.total() if there else None)


def runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1))) if words else Counter()


def readers() -> dict[str, Callable[[Response], str]]:
    ours = HtmlParser()
    found: dict[str, Callable[[Response], str]] = {
        "thresher": lambda page: ours.parse(page).main,
        "all text": lambda page: ours.parse(page).text,
    }
    if importlib.util.find_spec("trafilatura"):
        import trafilatura  # noqa: PLC0415 - a peer, in an extra

        found["trafilatura"] = lambda page: trafilatura.extract(page.body, include_comments=False) or ""
    return found


# ── articles ──


def articles(folder: Path) -> Iterator[Article]:
    truth = folder / "ground-truth.json"
    if truth.exists():
        for name, said in sorted(json.loads(truth.read_text("utf-8")).items()):
            yield article(gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()), said["articleBody"])
        return
    for text in sorted((folder / "txt").glob("*.txt")):
        page = folder / "html" / f"{text.stem}.html"
        if page.exists():
            yield article(page.read_bytes(), text.read_text("utf-8"))


def article(body: bytes, text: str) -> Article:
    # No charset: a page says itself which one it is in.
    return Article(Response(Url("http://example.org/"), 200, ((b"Content-Type", b"text/html"),), body, b""), text)


def downloaded(scratch: Path) -> Iterator[Path]:
    """The tests of newspaper4k, which are in its source distribution."""
    get = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(scratch)]
    subprocess.run([*get, _SOURCE], capture_output=True, check=False)
    for source in scratch.glob("*.tar.gz"):
        with tarfile.open(source) as packed:
            packed.extractall(scratch, filter="data")
        yield from scratch.glob("*/tests/data")


if __name__ == "__main__":
    main()
