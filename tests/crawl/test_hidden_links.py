"""Whole crawls over a real server where pages are named for programs alone: by feeds, sitemaps, headers and data."""

import json
from contextlib import closing
from pathlib import Path

import pytest
import tomli_w
from tests.crawl.in_process import Answer, answering, thresher

from thresher.disk.folder import CrawlFolder
from thresher.results.archive import Archive
from thresher.results.why.explanation import why
from thresher.store.visits import open_catalogue

EYE = "The iris is a part of the eye. The iris opens the eye to light, and the pupil is its hole."


def page(words: str, head: str = "", body: str = "") -> bytes:
    return f"<html><head><title>{words}</title>{head}</head><body><p>{EYE} {words}</p>{body}</body></html>".encode()


def feed(*items: tuple[str, str]) -> bytes:
    told = "".join(f"<item><title>{title}</title><link>{link}</link></item>" for link, title in items)
    return f"<?xml version='1.0'?><rss version='2.0'><channel><title>News</title>{told}</channel></rss>".encode()


def sitemap(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


HEAD = """
<link rel="alternate" type="application/rss+xml" href="/news.xml"><link rel="next" href="/by-next">
<link rel="alternate" hreflang="de" href="/by-hreflang"><link rel="canonical" href="/by-canonical">
<link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.png"><meta property="og:see_also" content="/by-opengraph">
<script type="application/ld+json">{"@type": "Article", "relatedLink": ["/by-json-ld"], "image":
{"@type": "ImageObject", "url": "/x"}}</script>
<script type="application/json" id="__NEXT_DATA__">{"items":
{"of": [{"path": "/by-data", "picture": "/p.jpg", "api": "/api/x"}]}}</script>
"""
NAMED = (
    "feed",
    "next",
    "hreflang",
    "canonical",
    "opengraph",
    "json-ld",
    "data",
    "header",
    "sitemap",
    "atom",
    "json-feed",
)
WEB = {
    "/robots.txt": Answer(b"User-agent: *\nDisallow: /closed\nSitemap: {here}/index.xml\n", "text/plain"),
    "/": Answer(page("home", HEAD), headers=(("Link", '</by-header>; rel="next", </style.css>; rel=preload'),)),
    "/index.xml": Answer(b"<sitemapindex><sitemap><loc>{here}/map.xml.gz</loc></sitemap></sitemapindex>", "text/xml"),
    "/map.xml.gz": Answer(sitemap("{here}/by-sitemap", "{here}/closed", "{here}/more.atom"), "application/octet-stream"),
    "/news.xml": Answer(feed(("/by-feed", "The iris in the news"), ("/feed.json", "JSON")), "application/xml"),
    "/more.atom": Answer(
        b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>Iris</title><link href='/by-atom'/></entry></feed>",
        "application/atom+xml",
    ),
    "/feed.json": Answer(
        json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "/by-json-feed"}]}).encode(),
        "application/json",
    ),
    **{f"/by-{name}": Answer(page(f"found by {name}, which is number {number}")) for number, name in enumerate(NAMED)},
    "/x": Answer(page("a picture")),
    "/closed": Answer(page("closed")),
}  # fmt: skip


def crawled(tmp_path: Path, monkeypatch, capsys, home: str, **tables) -> Path:
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [home + "/"],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "polite": {"delay": 0},
        "budget": {"dry_share": 0.0},
        "workers": 1,
        **tables,
        "links": {"sitemaps_after": 1, **tables.pop("links", {})},
    }
    (tmp_path / "crawl.toml").write_text(tomli_w.dumps(settings), "utf-8")
    done = thresher(monkeypatch, capsys, "crawl", tmp_path / "crawl.toml")
    assert done.code == 0, done.err
    return tmp_path / "crawl"


def outcomes(folder: Path) -> dict[str, str]:
    """By path, in the order of the visits."""
    with closing(open_catalogue(CrawlFolder(folder))) as catalogue:
        rows = catalogue.execute("SELECT url, outcome FROM visit ORDER BY number").fetchall()
    return {"/" + url.split("/", 3)[3]: outcome for url, outcome in rows}


@pytest.mark.parametrize("hands", [0, 1])
def test_a_page_is_found_wherever_the_link_to_it_hides(tmp_path, monkeypatch, capsys, hands):
    with answering(WEB) as (home, asked):
        folder = crawled(tmp_path, monkeypatch, capsys, home, hands={"count": hands})
    found = outcomes(folder)
    assert {f"/by-{name}" for name in NAMED} <= {path for path, outcome in found.items() if outcome == "page"}
    assert {path: outcome for path, outcome in found.items() if outcome != "page"} == {
        "/index.xml": "sitemap",
        "/map.xml.gz": "sitemap",
        "/news.xml": "feed",
        "/more.atom": "feed",
        "/feed.json": "feed",
        "/closed": "robots",
    }
    assert not {"/style.css", "/icon.png", "/p.jpg", "/api/x", "/x"} & set(asked)


def test_with_hands_and_without_the_visits_are_the_same(tmp_path, monkeypatch, capsys):
    visits = []
    for hands in (0, 1):
        (tmp_path / str(hands)).mkdir()
        with answering(WEB) as (home, _):
            folder = crawled(tmp_path / str(hands), monkeypatch, capsys, home, hands={"count": hands})
        visits.append(list(outcomes(folder).items()))
    assert visits[0] == visits[1]


def test_none_of_it_is_read_where_the_crawl_file_says_so(tmp_path, monkeypatch, capsys):
    with answering(WEB) as (home, asked):
        folder = crawled(tmp_path, monkeypatch, capsys, home, hands={"count": 0}, links={"hidden": False})
    assert list(outcomes(folder)) == ["/"]
    assert set(asked) == {"/robots.txt", "/"}


def test_without_sitemaps_the_rest_is_read(tmp_path, monkeypatch, capsys):
    with answering(WEB) as (home, asked):
        crawled(tmp_path, monkeypatch, capsys, home, hands={"count": 0}, links={"sitemaps": False})
    assert "/by-feed" in asked
    assert not {"/index.xml", "/by-sitemap"} & set(asked)


def test_a_sitemap_is_asked_for_only_where_a_page_was_relevant(tmp_path, monkeypatch, capsys):
    bread = Answer(b"<html><p>Bread is made of flour and water.</p></html>")
    web = {**WEB, "/": bread}
    with answering(web) as (_, asked), answering(web) as (home, asked_too):
        crawled(tmp_path, monkeypatch, capsys, home, hands={"count": 0})
    assert asked == []
    assert asked_too == ["/robots.txt", "/"]


def test_a_sitemap_of_50_000_pages_does_not_flood_the_frontier(tmp_path, monkeypatch, capsys):
    large = sitemap(*(f"{{here}}/{'iris' if number % 100 == 7 else 'bread'}-{number}" for number in range(50_000)))
    web = {**WEB, "/": Answer(page("home")), "/map.xml.gz": Answer(large, "application/gzip")}
    with answering(web) as (home, _):
        folder = crawled(
            tmp_path, monkeypatch, capsys, home, hands={"count": 0}, budget={"pages": 4, "dry_share": 0.0}, links={"per_list": 60}
        )  # fmt: skip
    with closing(open_catalogue(CrawlFolder(folder))) as catalogue:
        waiting = [url for (url,) in catalogue.execute("SELECT url FROM url WHERE state = 0")]
    assert len(waiting) == 59
    assert all("/iris-" in url for url in waiting)


def test_all_lists_of_a_host_together_bring_in_so_many_pages_across_runs(tmp_path, monkeypatch, capsys):
    feeds = {f"/{name}.xml": Answer(feed(*((f"/{name}-{n}", "Iris") for n in range(9))), "text/xml") for name in "abcd"}
    home_page = Answer(page("home", body="".join(f"<a href='{name}'>iris</a>" for name in feeds)))
    web = {"/": home_page, **feeds}
    limits = {"per_list": 5, "per_host": 12}
    with answering(web) as (home, asked):
        for pages in (3, 100):
            crawled(
                tmp_path,
                monkeypatch,
                capsys,
                home,
                hands={"count": 0},
                links=limits,
                budget={"pages": pages, "dry_share": 0.0},
            )
    listed = [path for path in asked if "-" in path]
    assert len(listed) == len(set(listed)) == 12


def test_xml_and_json_that_list_nothing_are_refused_as_before(tmp_path, monkeypatch, capsys):
    data = {
        "/data.xml": Answer(b"<?xml version='1.0'?><catalogue/>", "application/xml"),
        "/data": Answer(b"{}", "application/json"),
    }
    with answering({"/": Answer(page("home", body="<a href=data.xml>a</a><a href=data>b</a>")), **data}) as (home, _):
        folder = crawled(tmp_path, monkeypatch, capsys, home, hands={"count": 0})
    assert outcomes(folder) == {"/": "page", "/data.xml": "content-type", "/data": "content-type"}


def test_why_names_where_a_link_was_found(tmp_path, monkeypatch, capsys):
    with answering(WEB) as (home, _):
        folder = crawled(tmp_path, monkeypatch, capsys, home, hands={"count": 0})
    told = {}
    with Archive.open(folder) as archive:
        for name in NAMED:
            told[name] = why(archive, f"{home}/by-{name}").way[-1].found
        mapped = why(archive, f"{home}/index.xml").way[-1]
    assert told == {
        "feed": "found in the feed",
        "atom": "found in the feed",
        "json-feed": "found in the feed",
        "sitemap": "named by the sitemap",
        "next": "rel=next or rel=prev of the page",
        "hreflang": "the page in another language, by its hreflang",
        "canonical": "what the page calls its own address",
        "opengraph": "named by the page's OpenGraph",
        "json-ld": "named by the page's JSON-LD",
        "data": "found in data that the page carries",
        "header": "named by the page's header Link",
    }
    assert mapped.found == "a sitemap that robots.txt names"
    shown = thresher(monkeypatch, capsys, "why", folder, f"{home}/by-feed").out
    assert "“The iris in the news”, found in the feed" in " ".join(shown.split())
    tree = thresher(monkeypatch, capsys, "show", folder, "--tree").out
    assert "by-feed" in tree
    assert "News" in tree  # the feed that led there is on the way
