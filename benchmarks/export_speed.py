"""How fast pages are exported: each form, beside trafilatura alone on the same pages.

A folder of pages is made first, each of some 20 KB with a menu, an article and a footer. Then every form is written from it, with one
process that reads and with one a core. The peer is `trafilatura.bare_extraction` in a loop, with the same options, on bodies that are in
memory already: what an export cannot beat with one process, since it calls it too. Wall clock, since several processes work.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from pathlib import Path

import trafilatura

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.model import Candidate, Claim, Host, Judgement, Outcome, Page, Response, Url, Visit
from thresher.results.export.exporter import FORMS, export
from thresher.results.export.page_text import extract
from thresher.settings import Settings
from thresher.store.catalogue import Catalogue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    pages = made(20 if options.smoke else options.pages)
    jobs = sorted({1, os.cpu_count() or 1})
    print(f"{len(pages)} pages of about {len(pages[0].body):,} bytes; {os.cpu_count()} cores")
    print(f"trafilatura alone           {rate(peer, pages):8.1f} pages/s")
    print(f"our reading of a page alone {rate(read, pages):8.1f} pages/s")
    with tempfile.TemporaryDirectory() as folder:
        crawl = kept(Path(folder) / "crawl", pages)
        for form in FORMS:
            for count in jobs if form != "warc" else [1]:
                summary = export(crawl, form, out=Path(folder) / f"{form}-{count}", jobs=count)
                print(f"export --to {form:8} --jobs {count}  {summary.pages / summary.seconds:8.1f} pages/s")


def made(count: int) -> list[Response]:
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(5000)]
    return [answer(number, body(number, chance, words)) for number in range(1, count + 1)]


def body(number: int, chance: random.Random, words: list[str]) -> bytes:
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in chance.sample(words, 80))
    text = "".join(f"<h2>{said(chance, words, 4)}</h2><p>{said(chance, words, 90)}.</p>" for _ in range(25))
    return (
        f"<!DOCTYPE html><html lang='en'><head><title>Page {number}</title><meta name='author' content='A. Writer'></head>"
        f"<body><nav><ul>{menu}</ul></nav><article><h1>Page {number}</h1>{text}</article><footer>Imprint</footer></body></html>"
    ).encode()


def said(chance: random.Random, words: list[str], count: int) -> str:
    return " ".join(chance.choices(words, k=count))


def answer(number: int, html: bytes) -> Response:
    url = Url(f"http://host{number % 30}.test/{number}")
    return Response(url, 200, ((b"Content-Type", b"text/html; charset=utf-8"),), html, html, b"", 1.7e9 + number)


def kept(path: Path, pages: list[Response]) -> Path:
    """A crawl folder that has them."""
    with CrawlFolder(path) as folder:
        folder.write_settings(Settings(topic="a benchmark").as_toml())
        ledger = Ledger(folder.database)
        store = Catalogue(ledger, folder.warc)
        asyncio.run(keep(store, pages))
        store.close()
        ledger.close()
    return path


async def keep(store: Catalogue, pages: list[Response]) -> None:
    for number, response in enumerate(pages, 1):
        host = Host(response.url.split("/")[2])
        claim = Claim(Candidate(response.url, 0.5), host, number, 0.0)
        page = Page(response.url, title=f"Page {number}", language="en")
        await store.keep(
            Visit(claim, number, response.at, response, Outcome("page"), page, Judgement(0.5, relevant=True))
        )


def peer(page: Response) -> None:
    dates = {"original_date": True, "extensive_search": False, "max_date": "2023-12-31"}
    trafilatura.bare_extraction(
        page.body, url=page.url, with_metadata=True, include_comments=False, date_extraction_params=dates
    )


def read(page: Response) -> None:
    extract(page)


def rate(task, pages: list[Response]) -> float:
    start = time.monotonic()
    for page in pages:
        task(page)
    return len(pages) / (time.monotonic() - start)


if __name__ == "__main__":
    main()
