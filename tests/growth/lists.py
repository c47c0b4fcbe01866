"""Where links hide: feeds, sitemaps, the header Link and data in pages, with the constructs that they are grown from."""

import gzip
from pathlib import Path

from tests.growth.growing import Constructs, Reader, pieces
from tests.growth.pages import PARSER, PLAIN, response

from thresher.list_forms import form_of
from thresher.parse.link_header import header_links

FEED = Constructs(
    (
        *pieces(
            "<item>¦</item>¦<entry>¦</entry>¦<title>¦</title>¦<link>/№</link>¦<link href='/№'/>¦<guid>http://a.test/№</guid>¦",
            "<description>¦</description>¦<description>x</description>¦<content type='xhtml'><div>¦</div></content>¦<![CDATA[¦]]>¦",
            "<item><title>t№</title><link>/№</link></item>¦<item><title>&lt;b x№&gt;</title><link>/№</link></item>¦",
            "<item><link>/№</link><description>&lt;div&gt;&lt;p&gt;&lt;a href=/№&gt;x</description></item>¦",
            "&lt;div&gt;¦&amp;¦&lt;!--¦&lt;script&gt;¦<x>¦</x>¦<x¦<!--¦-->¦<?x ?>¦&#65;",
        ),
        *PLAIN,
    ),
    (
        ("<rss><channel>", "</channel></rss>"),
        ("<rss><channel><item><link>/1</link><title>", "</title></item></channel></rss>"),
        ("<rss><channel><item><link>/1</link><description>", "</description></item></channel></rss>"),
        ("<feed><entry><link href='/1'/><content>", "</content></entry></feed>"),
    ),
)
SITEMAP = Constructs(
    (
        *pieces(
            "<url><loc>http://a.test/№</loc></url>¦<url><loc>/a-№.html</loc><lastmod>2026-01-№</lastmod></url>¦<url>¦</url>¦<loc>¦</loc>¦",
            "<sitemap><loc>/№.xml</loc></sitemap>¦<lastmod>¦</lastmod>¦<image:image><image:loc>/№</image:loc></image:image>¦%41¦%e4¦/",
        ),
        *PLAIN,
    ),
    (
        ("<urlset>", "</urlset>"),
        ("<sitemapindex>", "</sitemapindex>"),
        ("<urlset><url><loc>/", "</loc></url></urlset>"),
    ),
)
JSON_FEED = Constructs(
    (
        *pieces(
            '{"url": "/№", "title": "t№"}, ¦{"url": "/№", "content_html": "<div><p>"}, ¦[¦{"a": ¦"x", ¦"<div>¦\\u0041¦\\"'
        ),
        *PLAIN,
    ),
    (
        ('{"version": "https://jsonfeed.org/version/1.1", "items": [', "{}]}"),
        ('{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1", "content_html": "', '"}]}'),
    ),
)
LINK = Constructs(
    (*pieces('</№>; rel=next, ¦</№>; rel="next"; ¦<¦>¦; ¦, ¦; rel=¦; rel="¦"¦=¦; a№=b¦; x¦ ¦\t¦hreflang=de'), *PLAIN),
    (("", ""), ("</1>; rel=next", ""), ("<", ">; rel=next"), ('</1>; rel="', '"')),
)
ISLAND = Constructs(
    (
        *pieces(
            '"/page/№", ¦"http://a.test/№", ¦{"url": "/№"}, ¦{"@id": "/№", "item": ["/№"]}, ¦[¦{"a": ¦"x", ¦"/a¦/¦\\u002f¦"/a.jpg", '
        ),
        *PLAIN,
    ),
    (
        ('<script type="application/json">[', "0]</script>"),
        ('<script type="application/ld+json">[', "0]</script>"),
        ('<script type="application/json">"/', '"</script>'),
        ('<script type="application/json">0</script><script type="application/ld+json">', "</script>"),
    ),
)


def _list(body: bytes, _: Path) -> None:
    form_of(body)
    PARSER.parse(response(body, content_type="application/xml"))


def _packed(body: bytes, _: Path) -> None:
    PARSER.parse(response(gzip.compress(body, 1), content_type="application/gzip"))


def _island(body: bytes, _: Path) -> None:
    PARSER.parse(response(body, content_type="text/html"))


READERS = {
    "feed": Reader(_list, FEED, floor=0.2),
    "sitemap": Reader(_list, SITEMAP, floor=0.1),
    "sitemap.gz": Reader(_packed, SITEMAP, floor=0.1),
    "json feed": Reader(_list, JSON_FEED, floor=0.2),
    "link header": Reader(
        lambda body, _: header_links(response(b"", link=body.decode("utf-8", "replace"))) and None, LINK
    ),
    "islands": Reader(_island, ISLAND, floor=0.3),
}
