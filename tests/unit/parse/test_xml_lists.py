import contextlib
import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.parse.xml_lists import Entry, Listed, listed_in, listed_until_fault
from thresher.seed.listed_files import bookmarks_in

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>
    https://a.example/?x=1&amp;y=2
  </loc><lastmod>2026-01-01</lastmod><image:image><image:loc>https://a.example/p.jpg</image:loc></image:image></url>
  <url><loc><![CDATA[https://a.example/b]]></loc></url>
  <url><loc/></url>
</urlset>"""

INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://a.example/one.xml.gz</loc></sitemap><sitemap><loc>https://a.example/two.xml</loc></sitemap>
</sitemapindex>"""

RSS = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
  <title>News</title><link>https://a.example/</link><atom:link href="https://a.example/feed" rel="self"/>
  <image><link>https://a.example/logo</link></image>
  <item><title>One</title><link>https://a.example/1</link><guid>https://a.example/?p=1</guid></item>
  <item><title>Two</title><guid isPermaLink="true">https://a.example/2</guid></item>
  <item><title>Three</title><guid isPermaLink="false">tag:3</guid></item>
</channel></rss>"""

RSS_1 = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
  <channel rdf:about="x"><link>https://a.example/</link></channel><item rdf:about="y"><link>https://a.example/1</link></item>
</rdf:RDF>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/><link rel="self" href="/feed"/>
  <entry><link href="/1"/><link rel="enclosure" href="/1.mp3"/></entry>
  <entry><link rel="alternate" href="https://a.example/2"/><source><link href="https://b.example/"/></source></entry>
</feed>"""

BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
FOREIGN = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>'


def test_a_sitemap_lists_its_pages_but_not_its_pictures():
    listed = listed_in(SITEMAP.encode(), "x")
    assert listed == Listed(
        "sitemap", [Entry("https://a.example/?x=1&y=2", changed="2026-01-01"), Entry("https://a.example/b")]
    )
    assert listed.urls == ["https://a.example/?x=1&y=2", "https://a.example/b"]


def test_an_index_lists_sitemaps():
    listed = listed_in(INDEX.encode(), "x")
    assert (listed.kind, listed.urls) == ("index", ["https://a.example/one.xml.gz", "https://a.example/two.xml"])


def test_rss_lists_the_links_of_its_items_or_their_permanent_ids():
    assert listed_in(RSS.encode(), "x").urls == ["https://a.example/1", "https://a.example/2"]


def test_the_older_rss_is_known_too():
    assert listed_in(RSS_1.encode(), "x") == Listed("feed", [Entry("https://a.example/1")])


def test_atom_lists_the_articles_of_its_entries():
    assert listed_in(ATOM.encode(), "x").urls == ["/1", "https://a.example/2"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings_are_read(encoding):
    text = SITEMAP.replace(' encoding="UTF-8"', "").replace("example/b", "example/bücher")
    assert listed_in(text.encode(encoding), "x").urls[1] == "https://a.example/bücher"


def test_no_more_than_the_most_is_read():
    many = f"<urlset>{'<url><loc>http://a/</loc></url>' * 5}</urlset>".encode()
    assert listed_in(many, "x", most=5) == Listed("sitemap", [Entry("http://a/")] * 5)
    assert listed_in(many, "x", most=4) == Listed("sitemap", [Entry("http://a/")] * 4, more=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB, "the entity 'a' may be a bomb"),
        (FOREIGN, "the entity 'a' lies outside of the file"),
        ("<urlset><url>", "https-less/map.xml, line 1: no element found"),
        ("<urlset><url><loc>http://a/?x=1&y=2</loc></url></urlset>", "line 1: "),
        ("<opml/>", r"<opml> is neither a sitemap nor a feed, which begin with <urlset>, <sitemapindex>"),
        (f"<urlset>{'<a>' * 2000}", "nested more than 1,000 deep"),
        (f"<urlset>{' ' * (5 << 20)}</urlset>", "a single piece of more than"),
        ("", "no element found"),
    ],
)
def test_what_is_hostile_or_broken_is_told_with_its_place(text, words):
    with pytest.raises(BadInput, match=words):
        listed_in(text.encode(), "http://https-less/map.xml")


@pytest.mark.parametrize("rest", ["<item><title>&nbsp;</title></item>", "</channel>", "\x00", "<item"])
def test_of_what_is_broken_all_before_the_fault_is_listed(rest):
    broken = f"<rss><channel><item><link>http://a/1</link></item>{rest}".encode()
    assert listed_until_fault(broken).urls == ["http://a/1"]
    assert listed_until_fault(b"<opml/>") is None


@pytest.mark.parametrize("cut", [0, 3000])
def test_what_is_packed_is_unpacked_as_far_as_it_goes(cut):
    urls = [f"http://a/{number}" for number in range(5000)]
    packed = gzip.compress("".join(["<urlset>", *(f"<url><loc>{u}</loc></url>" for u in urls), "</urlset>"]).encode())
    listed = listed_until_fault(packed[: len(packed) - cut])
    assert listed.urls == urls[: len(listed.urls)]
    assert (len(listed.urls) == 5000) == (not cut)
    assert len(listed.urls) > 100


def test_a_packed_bomb_is_read_to_the_cap_of_the_protocol(monkeypatch):
    monkeypatch.setattr("thresher.parse.xml_lists.MOST_BYTES", 1 << 20)
    bomb = gzip.compress(b"<urlset>" + b"<url><loc>http://a/</loc></url>" * 100_000)
    assert 1 << 15 < len(listed_until_fault(bomb).urls) < 1 << 16


@given(st.binary(max_size=300) | st.text("<>/&;urlsetocapn ![]x", max_size=200).map(str.encode))
def test_any_bytes_are_listed_or_refused(content):
    with contextlib.suppress(BadInput):
        assert listed_in(content, "x").kind in {"sitemap", "index", "feed"}


def test_bookmarks_are_read_in_order_from_all_folders():
    file = b"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE><H1>Menu</H1>
        <DL><p><DT><A HREF="https://a.example/" ADD_DATE="1">A</A>
        <DT><H3>Folder</H3><DL><p><DT><A HREF="https://b.example/?x=1&amp;y=2">B</A><DD>words</DL><p>
        <DT><A HREF="javascript:alert(1)">C</A><DT><A>nothing</A></DL>"""
    assert bookmarks_in(file) == ["https://a.example/", "https://b.example/?x=1&y=2", "javascript:alert(1)"]
