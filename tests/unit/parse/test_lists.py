"""Feeds and sitemaps as pages."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.test_xml_lists import ATOM, INDEX, RSS, RSS_1, SITEMAP

from thresher.list_forms import form_of
from thresher.model import Page, Response, Url
from thresher.parse.html import HtmlParser

HERE = Url("http://a.example/list")


def page(body: str | bytes, kind: str = "application/xml", **options) -> Page:
    raw = body.encode() if isinstance(body, str) else body
    return HtmlParser(**options).parse(Response(HERE, 200, ((b"Content-Type", kind.encode()),), raw, raw))


def rss(*items: str) -> str:
    return f"<rss><channel><title>News</title>{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>"


def words(read: Page) -> dict[str, str]:
    return {link.target.removeprefix("http://a.example"): link.anchor for link in read.links}


def test_a_feed_has_titles_and_summaries_as_text_and_titles_as_words_of_its_links():
    read = page(
        rss(
            "<title>The iris</title><link>/1</link><description>Of the &lt;b&gt;eye&lt;/b&gt;."
            "&lt;script&gt;x()&lt;/script&gt;</description>",
            "<link>/2</link><title><![CDATA[Bread &amp; butter]]></title>",
        )
    )
    assert (read.form, read.title) == ("feed", "News")
    assert read.text.split("\n") == ["The iris", "Of the eye.", "Bread & butter"]
    assert words(read) == {"/1": "The iris", "/2": "Bread & butter"}
    assert {link.kind for link in read.links} == {"feed"}


def test_atom_with_markup_of_its_own_is_read():
    entry = "<entry><title type='xhtml'><div>Iris <b>care</b></div></title><link href='/1'/><content>of irises</content></entry>"
    read = page(f"<feed xmlns='http://www.w3.org/2005/Atom'><title>Blog</title>{entry}</feed>", "text/html")
    assert (read.form, read.title, words(read)) == ("feed", "Blog", {"/1": "Iris care"})
    assert "of irises" in read.text


def test_a_json_feed_is_read():
    items = [
        {"id": "1", "url": "/1", "title": "Iris", "content_html": "<p>of the eye</p>"},
        {"id": "http://a.example/2", "summary": "two"},
        {"id": "3", "title": "no address"},
        "nonsense",
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": items}
    read = page(json.dumps(feed), "application/feed+json")
    assert (read.form, read.title, words(read)) == ("feed", "News", {"/1": "Iris", "/2": ""})
    assert read.text.split("\n") == ["Iris", "of the eye", "two"]


def test_a_sitemap_gives_what_changed_last_first_and_the_words_of_addresses():
    urls = [
        ("/old-iris.html", "2019"),
        ("/no-date", ""),
        ("/new_eye/2", "2026-01-02"),
        ("/newer", "2026-01-02T10:00:00Z"),
    ]
    read = page("<urlset>" + "".join(f"<url><loc>{u}</loc><lastmod>{d}</lastmod></url>" for u, d in urls) + "</urlset>")
    assert read.form == "sitemap"
    assert list(words(read).items()) == [
        ("/newer", "newer"),
        ("/new_eye/2", "new eye 2"),
        ("/old-iris.html", "old iris"),
        ("/no-date", "no date"),
    ]


def test_of_an_index_the_twenty_newest_sitemaps_are_links():
    sitemaps = "".join(f"<sitemap><loc>/{n}.xml</loc><lastmod>20{n:02}</lastmod></sitemap>" for n in range(30))
    read = page(f"<sitemapindex>{sitemaps}</sitemapindex>")
    assert (read.form, list(words(read))) == ("sitemap", [f"/{n}.xml" for n in range(29, 9, -1)])


@pytest.mark.parametrize(
    ("body", "form"),
    [(SITEMAP, "sitemap"), (INDEX, "sitemap"), (RSS, "feed"), (RSS_1, "feed"), (ATOM, "feed"), ("<!-- <html> -->\n" + RSS, "feed")],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/octet-stream", ""])
def test_a_list_is_known_whatever_it_is_called_and_however_it_is_packed(body, form, kind):
    packed = gzip.compress(body.encode())
    if not (kind == "text/html" and body.startswith("<!--")):  # what is called HTML and begins like it is HTML
        assert page(body, kind).form == form
    assert page(packed, kind).form == form
    assert page("\ufeff" + body, "text/xml").form == form_of(packed[:1024]) == form


@pytest.mark.parametrize("encoding", ["gb2312", "shift_jis", "euc-jp", "big5", "iso-8859-15", "no-such-encoding"])
def test_a_feed_in_any_encoding_is_read(encoding):
    words_of = {"gb2312": "虹膜", "big5": "虹膜", "shift_jis": "アイリス", "euc-jp": "アイリス"}.get(encoding, "iris")
    body = f"<?xml version='1.0' encoding='{encoding}'?><rss><channel><item><title>{words_of}</title><link>/1</link></item></channel></rss>"
    read = page(body.encode("ascii" if encoding.startswith("no") else encoding), "text/xml")
    assert (read.form, words(read)) == ("feed", {"/1": words_of})


@pytest.mark.parametrize(
    "body",
    [
        "<!DOCTYPE rdf:RDF [<!ENTITY % x SYSTEM 'http://a.example/x'>]><rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
        "<!DOCTYPE rss [<!ENTITY nbsp '&#160;'>]><rss><channel><item><link>/1</link></item></channel></rss>",
        '{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1"',
    ],
)
def test_a_list_that_cannot_be_read_is_still_no_page(body):
    assert (page(body, "text/xml").form, page(body, "text/xml").links) == ("feed", ())


def test_an_item_with_a_picture_keeps_its_own_link():
    item = (
        "<item><title>One</title><link>/1</link><image><url>/1.png</url><title>p</title><link>/p</link></image></item>"
    )
    assert words(page(f"<rss><channel>{item}{item.replace('1', '2')}</channel></rss>", "text/xml")) == {
        "/1": "One",
        "/2": "One",
    }


def test_a_packed_list_of_very_many_elements_is_read_as_far_as_it_is_sensible():
    body = b"<urlset><url><loc>/1</loc></url>" + b"<a/>" * 3_000_000 + b"<url><loc>/2</loc></url></urlset>"
    assert list(words(page(gzip.compress(body), "application/gzip"))) == ["/1"]


@pytest.mark.parametrize(
    "body",
    [
        "<html><body><feed>no</feed></body></html>",
        "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><p>x</p></html>",
        "<catalogue><rss/></catalogue>",
        "<rdf:RDF xmlns:owl='http://www.w3.org/2002/07/owl#'/>",
        '{"version": "1.0"}',
        "User-agent: *",
        "",
    ],
)
def test_what_is_no_list_is_a_page(body):
    assert page(body, "text/html").form == page(body, "application/xml").form == "page"
    assert not form_of(body.encode())


def test_each_target_is_one_link_and_the_list_itself_is_none():
    assert words(page(rss("<link>/1</link>", "<link>/1</link>", "<link>/list</link>", "<link>mailto:x</link>"))) == {
        "/1": ""
    }


def test_a_header_can_ask_that_a_list_is_not_followed():
    sent = ((b"Content-Type", b"text/xml"), (b"X-Robots-Tag", b"nofollow"))
    assert not HtmlParser().parse(Response(HERE, 200, sent, RSS.encode(), b"")).follow


def test_without_hidden_links_no_list_is_read():
    assert page(RSS, hidden=False).form == "page"


def test_long_texts_are_cut_and_a_text_of_too_many_has_no_more_words():
    read = page(
        rss(f"<title>{'iris ' * 500}</title><link>/1</link>", "<title>Two</title><link>/2</link>"), max_chars=302
    )
    assert len(read.links[0].anchor) <= 300
    assert words(read)["/2"] == ""


@given(
    st.binary(max_size=300) | st.text("<>/&;itemlinkrss ![]x", max_size=200).map(lambda text: f"<rss>{text}".encode())
)
def test_any_bytes_are_a_page(body):
    read = page(body)
    assert all(0 <= link.start <= link.end <= len(read.text) for link in read.links)
