"""Links, titles and words of 200 real pages as we read them, beside what Chromium shows: python benchmarks/parse_truth.py

The pages are taken from the recorded webs in `../shared/webs`, every so many pages of each, and from the HTML in `/usr/share/doc`, if
there is any. A server on this machine gives them to a headless Chromium and forbids their scripts, since the parser runs none. Then
Chromium is asked for all `a[href]`, `area[href]` and frames, for the links in `noscript` (frames there only count visitors), the title,
and what a person sees (`innerText`). Printed are the shares of links that both have, of titles that are the same, and of the words that
Chromium shows how many we have (and the other way round); of these the lowest, the mean and the highest of the webs. Skipped where there
is no Chromium, no playwright, or no page.
"""

import argparse
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from statistics import fmean
from threading import Thread
from typing import Any, NamedTuple

from thresher.model import Response, Url
from thresher.parse.html import HtmlParser
from thresher.urls import canonical

WEBS = Path(__file__).resolve().parents[2] / "shared" / "webs"
_ASK = """() => {
  const links = [...document.querySelectorAll('a[href], area[href], iframe[src], frame[src]')]
    .map(node => node.href instanceof SVGAnimatedString ? node.href.baseVal : (node.href || node.src));
  for (const hidden of document.querySelectorAll('noscript')) {
    const read = new DOMParser().parseFromString(hidden.textContent, 'text/html');
    for (const node of read.querySelectorAll('a[href], area[href]'))
      try { links.push(new URL(node.getAttribute('href'), document.baseURI).href) } catch {}
  }
  return { title: document.title, text: document.body ? document.body.innerText : '', links };
}"""
_WORD = re.compile(r"\w+")
# A page that leads to another by itself would be gone before it is looked at.
_REFRESH = re.compile(rb"(?i)http-equiv(\s*=\s*[\"']?)refresh")


class Truth(NamedTuple):
    """How a page compares: links found, links shown, links of both; whether the titles are equal; words found, shown, of both."""

    links: tuple[int, int, int]
    title: bool
    words: tuple[int, int, int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    pages = list(islice(sample(8 if options.smoke else options.pages), options.pages))
    if not (chromium and find_spec("playwright") and pages):
        print("skipped: it needs Chromium, playwright, and recorded webs or HTML in /usr/share/doc")
        return
    report(compared(pages, chromium))


def report(found: dict[str, list[Truth]]) -> None:
    everything = [truth for truths in found.values() for truth in truths]
    print(f"{len(everything)} pages\n{'':14} pages  links: recall precision  titles  words: recall precision")
    for name, truths in [*found.items(), ("all", everything)]:
        line = f"{name:14} {len(truths):5} {share(truths, 'links', 1):14.2%} {share(truths, 'links', 0):9.2%}"
        titles = f"{sum(truth.title for truth in truths)}/{len(truths)}"
        print(f"{line} {titles:>7} {share(truths, 'words', 1):14.2%} {share(truths, 'words', 0):9.2%}")


def share(truths: list[Truth], what: str, of: int) -> float:
    """The mean over pages of what both have, of what one of them has."""
    counts = [getattr(truth, what) for truth in truths]
    return fmean(count[2] / count[of] if count[of] else 1.0 for count in counts)


# ── pages ──


def sample(count: int) -> Iterator[tuple[str, Response]]:
    """So many pages, the same number of each source, evenly spread over it."""
    sources = [*sorted(WEBS.glob("*.warc.gz"))] if find_spec("fastwarc") else []
    documents = sorted(path for path in Path("/usr/share/doc").glob("**/*.html") if path.is_file())
    each = -(-count // (len(sources) + bool(documents)) or 1) if sources or documents else 0
    for source in sources:
        yield from ((source.name.partition(".")[0], page) for page in spread(list(recorded(source)), each))
    for path in spread(documents, each):
        yield "usr-share-doc", answer(f"http://doc.example{path}", b"text/html", path.read_bytes())


def spread(pages: list[Any], count: int) -> list[Any]:
    return pages[:: max(1, len(pages) // count)][:count] if pages else []


def recorded(path: Path) -> Iterator[Response]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 - of the extra `test`

    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            kind = record.http_headers.get("content-type", "") if record.http_headers else ""
            if kind.startswith("text/html") and record.http_headers.status_code == 200:
                yield answer(record.headers["WARC-Target-URI"] or "", kind.encode("latin-1"), record.reader.read())


def answer(url: str, kind: bytes, body: bytes) -> Response:
    return Response(canonical(url) or Url("http://example.org/"), 200, ((b"Content-Type", kind),), body, b"")


# ── as Chromium shows them ──


class Handler(BaseHTTPRequestHandler):
    """Gives the page of a number."""

    def __init__(self, pages: list[Response], *given: Any) -> None:
        self._pages = pages
        super().__init__(*given)

    def do_GET(self) -> None:
        """Answer with a page, or with none."""
        number = self.path.strip("/")
        if not number.isdigit():
            self.send_error(404)
            return
        page = self._pages[int(number)]
        self.send_response(200)
        self.send_header("Content-Type", page.header("content-type") or "text/html")
        # Scripts are on, so that `noscript` is not shown, but none may run.
        self.send_header("Content-Security-Policy", "script-src 'none'")
        self.end_headers()
        self.wfile.write(_REFRESH.sub(rb"data-was\1refresh", page.body))

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def compared(pages: list[tuple[str, Response]], chromium: str) -> dict[str, list[Truth]]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - a peer, not a dependency

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, [page for _, page in pages]))
    Thread(target=server.serve_forever, daemon=True).start()
    found: dict[str, list[Truth]] = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-background-networking"]
        )
        tab = browser.new_page()
        here = f"http://127.0.0.1:{server.server_port}/"
        # Nothing but the page itself: no pictures, no styles, and no other page that it would lead to by itself.
        wanted = [""]
        tab.route("**/*", lambda route: route.continue_() if route.request.url == wanted[0] else route.abort())
        for number, (source, page) in enumerate(pages):
            wanted[0] = f"{here}{number}"
            tab.goto(wanted[0], wait_until="domcontentloaded")
            found.setdefault(source, []).append(truth(page, Url(wanted[0]), tab.evaluate(_ASK)))
        browser.close()
    server.shutdown()
    return found


def truth(page: Response, served: Url, shown: dict[str, Any]) -> Truth:
    """Both as read at the address where it was served, so that relative links join alike."""
    read = HtmlParser().parse(Response(served, 200, page.headers, page.body, b""))
    # What one can click: links that a page carries for machines alone have a kind, and Chromium is not asked for them.
    ours = {link.target for link in read.links if not link.kind} - {served}
    theirs = {url for each in shown["links"] if (url := canonical(each))} - {served}
    here, there = (Counter(_WORD.findall(text)) for text in (read.text, shown["text"]))
    return Truth(
        (len(ours), len(theirs), len(ours & theirs)),
        " ".join(shown["title"].split()) == read.title,
        (here.total(), there.total(), (here & there).total()),
    )


if __name__ == "__main__":
    main()
