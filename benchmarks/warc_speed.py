"""How fast pages become WARC records: our writer beside warcio's, on the same pages.

Both write a request and a response record a page, each a gzip member, with payload digests, to a file on disk. The
pages have 30 KB and came with gzip, as most of the web does; `--plain` takes pages that came as they are, which both
must compress. The CPU time of this process counts, not the wall clock.
"""

import argparse
import gzip
import random
import tempfile
import time
from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter as Warcio

from thresher.disk.ledger import Ledger
from thresher.model import Response, Url
from thresher.store.catalogue import Catalogue
from thresher.store.duplicates import content_hash

ROUNDS = 3
DISTINCT = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--plain", action="store_true", help="pages that came without a content encoding")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    options.pages = 200 if options.smoke else options.pages
    pages = made(options.pages, plain=options.plain)
    print(f"{len(pages)} pages of {len(pages[0].body):,} bytes, {len(pages[0].raw):,} as received; best of {ROUNDS}")
    theirs = best_of(with_warcio, pages)
    print(f"warcio    {theirs:8.0f} pages/s")
    ours = best_of(with_thresher, pages)
    print(f"thresher  {ours:8.0f} pages/s")
    print(f"ratio: {ours / theirs:.1f}")


def made(count: int, *, plain: bool = False) -> list[Response]:
    """Some two hundred pages, each met again and again."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(5000)]
    bodies = [" ".join(chance.choices(words, k=4600))[:30_000].encode() for _ in range(DISTINCT)]
    packed = [(body, body if plain else gzip.compress(body)) for body in bodies]
    return [answer(number, *packed[number % DISTINCT]) for number in range(count)]


def answer(number: int, body: bytes, raw: bytes) -> Response:
    encoding = () if raw is body else ((b"Content-Encoding", b"gzip"),)
    headers = (
        (b"Server", b"nginx"),
        (b"Content-Type", b"text/html; charset=utf-8"),
        *encoding,
        (b"Content-Length", b"%d" % len(raw)),
        (b"Vary", b"Accept-Encoding"),
    )
    url = Url(f"http://host{number % 300}.test/page/{number}.html")
    sent = b"GET /page HTTP/1.1\r\nHost: host.test\r\nUser-Agent: thresher\r\nAccept-Encoding: gzip\r\n\r\n"
    return Response(url, 200, headers, body, raw, sent, 1.7e9 + number, 0.1, "127.0.0.1")


def best_of(write, pages: list[Response]) -> float:
    return max(len(pages) / timed(write, pages) for _ in range(ROUNDS))


def timed(write, pages: list[Response]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        write(Path(folder), pages)
        return time.process_time() - start


def with_thresher(folder: Path, pages: list[Response]) -> None:
    ledger = Ledger(folder / "crawl.sqlite")
    store = Catalogue(ledger, folder / "warc")
    for page in pages:
        # The writer alone: rows and near-duplicates have no counterpart in warcio. Every page is written whole.
        store._warc.append(page, page.at, content_hash(page))  # noqa: SLF001 - the part under measure
        ledger.turn_ends()
    ledger.commit()
    store.close()
    ledger.close()


def with_warcio(folder: Path, pages: list[Response]) -> None:
    with (folder / "pages.warc.gz").open("wb") as file:
        writer = Warcio(file, gzip=True, warc_version="1.1")
        for page in pages:
            head = [(name.decode(), value.decode()) for name, value in page.headers]
            response = writer.create_warc_record(
                page.url,
                "response",
                payload=BytesIO(page.raw),
                http_headers=StatusAndHeaders("200 OK", head, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-IP-Address": page.address},
            )
            request = writer.create_warc_record(
                page.url,
                "request",
                payload=BytesIO(b""),
                http_headers=StatusAndHeaders("GET /page HTTP/1.1", [("Host", "host.test")], is_http_request=True),
            )
            writer.write_request_response_pair(request, response)


if __name__ == "__main__":
    main()
