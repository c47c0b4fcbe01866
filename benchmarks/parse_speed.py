"""How many pages a second the parser reads, beside lxml and parsel doing the same: python benchmarks/parse_speed.py

All give title, description, language, text, headings, and each link with its joined url, anchor, context and heading;
ours also tells the main text from menus. Without `--warc` the pages are generated: 30 KB, 63 links.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterable
from urllib.parse import urldefrag, urljoin

from thresher.model import Response, Url
from thresher.parse.html import HtmlParser
from thresher.urls import canonical

HEADERS = ((b"Content-Type", b"text/html; charset=utf-8"),)


def main() -> None:
    arguments = _arguments()
    pages = list(recorded(arguments.warc, arguments.pages) if arguments.warc else generated(arguments.pages))
    size = sum(len(page.body) for page in pages) / len(pages)
    links = sum(len(HtmlParser().parse(page).links) for page in pages) / len(pages)
    print(f"{len(pages)} pages of {size / 1000:.0f} KB with {links:.0f} links each; best of {arguments.rounds} rounds")
    readers = {"thresher": HtmlParser().parse, "lxml": by_lxml(), "parsel": by_parsel()}
    rates = {name: rate(reader, pages, arguments.rounds) for name, reader in readers.items() if reader}
    for name, pages_a_second in rates.items():
        print(f"{name:10} {pages_a_second:8.0f} pages/s  {1000 / pages_a_second:7.3f} ms a page")
    others = [value for name, value in rates.items() if name != "thresher"]
    print(f"ratio: {rates['thresher'] / max(others):.1f}" if others else "ratio: 1.0")


def rate(read: Callable[[Response], object], pages: list[Response], rounds: int) -> float:
    """Pages a second: of each page its fastest reading counts, so that other work on the machine does not."""
    best = [float("inf")] * len(pages)
    for _ in range(rounds):
        for number, page in enumerate(pages):
            began = time.perf_counter()
            read(page)
            best[number] = min(best[number], time.perf_counter() - began)
    return len(pages) / sum(best)


# ── pages ──


def generated(count: int) -> Iterable[Response]:
    dice = random.Random(7)
    words = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(3, 10))) for _ in range(3000)]
    for number in range(count):
        yield Response(Url(f"http://example.org/pages/{number}.html"), 200, HEADERS, page(dice, words).encode(), b"")


def page(dice: random.Random, words: list[str]) -> str:
    def say(number: int) -> str:
        return " ".join(dice.choices(words, k=number))

    def link() -> str:
        return f'<a href="/pages/{dice.randrange(50_000)}.html">{say(dice.randint(1, 4))}</a>'

    menu = "".join(f"<li>{link()}</li>" for _ in range(12))
    body = "".join(
        f"<section><h2>{say(4)}</h2>"
        + "".join(f"<p>{say(30)} {link()} {say(30)} <b>{say(2)}</b> {say(25)}</p>\n" for _ in range(4))
        + "</section>\n"
        for _ in range(11)
    )
    head = f'<title>{say(5)}</title><meta name="description" content="{say(15)}">'
    return (
        f'<!doctype html><html lang="en"><head>{head}</head>'
        f'<body><header><nav class="menu"><ul>{menu}</ul></nav></header><main><h1>{say(4)}</h1>{body}</main>'
        f"<footer><ul>{''.join(f'<li>{link()}</li>' for _ in range(7))}</ul></footer></body></html>"
    )


def recorded(path: str, count: int) -> Iterable[Response]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 - only with --warc

    with open(path, "rb") as stream:  # noqa: PTH123 - as fastwarc wants it
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            url = canonical(record.headers["WARC-Target-URI"] or "")
            kind = record.http_headers.get("content-type", "") if record.http_headers else ""
            if url and kind.startswith("text/html") and count:
                count -= 1
                yield Response(url, 200, ((b"Content-Type", kind.encode()),), record.reader.read(), b"")


# ── the same with other libraries, as one would write it ──


def by_lxml() -> Callable[[Response], object] | None:  # noqa: C901 - one pass, as ours
    try:
        from lxml import etree, html  # noqa: PLC0415 - a peer, not a dependency
    except ImportError:
        return None

    def read(response: Response) -> object:
        tree = html.fromstring(response.body, parser=html.HTMLParser(encoding="utf-8"))
        parts: list[str] = []
        headings, links, heading, starts = [], [], "", []
        for event, node in etree.iterwalk(tree, events=("start", "end")):
            tag = node.tag
            if event == "start":
                if tag in {"a", "h1", "h2", "h3"}:
                    starts.append(len(parts))
                if node.text and tag not in {"script", "style", "title"}:
                    parts.append(node.text)
                continue
            if tag == "a":
                links.append((node.get("href"), starts.pop(), len(parts), heading))
            elif tag in {"h1", "h2", "h3"}:
                heading = " ".join("".join(parts[starts.pop() :]).split())
                headings.append(heading)
            elif tag in {"p", "div", "li", "td", "section", "ul"}:
                parts.append("\n")
            if node.tail:
                parts.append(node.tail)
        return described(response, tree, "".join(parts), headings, [link_of(response, parts, link) for link in links])

    return read


def by_parsel() -> Callable[[Response], object] | None:
    try:
        from parsel import Selector  # noqa: PLC0415 - a peer, not a dependency
    except ImportError:
        return None

    def read(response: Response) -> object:
        tree = Selector(body=response.body, encoding="utf-8", type="html")
        text = " ".join(tree.xpath("//body//text()[not(parent::script or parent::style)]").getall())
        links = [
            (
                urljoin(response.url, link.attrib["href"]),
                " ".join(link.xpath(".//text()").getall()),
                " ".join(link.xpath("..//text()").getall())[:300],
                link.xpath("preceding::*[self::h1 or self::h2 or self::h3][1]//text()").get(),
            )
            for link in tree.css("a[href]")
        ]
        return described(response, tree.root, text, tree.css("h1::text, h2::text, h3::text").getall(), links)

    return read


def link_of(response: Response, parts: list[str], link: tuple[str | None, int, int, str]) -> object:
    href, start, end, heading = link
    before = "".join(parts[max(0, start - 6) : start]).split()[-10:]
    after = "".join(parts[end : end + 6]).split()[:10]
    target = urldefrag(urljoin(response.url, href or "")).url
    return target, " ".join("".join(parts[start:end]).split()), " ".join([*before, *after]), heading


def described(response, tree, text, headings, links) -> object:
    title = tree.findtext(".//title")
    description = tree.xpath("string(//meta[@name='description']/@content)")
    return response.url, title, description, tree.get("lang"), " ".join(text.split()), headings, links


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100, help="how many pages (default 100)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is read (default 5)")
    parser.add_argument("--warc", help="read the pages from this WARC file")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.pages, options.rounds = 10, 1
    return options


if __name__ == "__main__":
    main()
