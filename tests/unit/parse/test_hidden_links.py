"""Links that no person can click: each kind, what is left out, and how many there are at most."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.page_of import page_of

from thresher.model import Response, Url
from thresher.parse.hidden_links import MOST, same_page
from thresher.parse.html import HtmlParser
from thresher.parse.link_header import header_links

HERE = "http://a.example/here"


def hidden(head: str, body: str = "", **headers: str) -> list[tuple[str, str]]:
    """Kind and target of the hidden links of a page."""
    sent = ((b"Content-Type", b"text/html"), *((name.encode(), value.encode()) for name, value in headers.items()))
    raw = f"<html><head>{head}</head><body>{body}</body></html>".encode()
    page = HtmlParser().parse(Response(Url(HERE), 200, sent, raw, raw))
    return [(link.kind, link.target.removeprefix("http://a.example")) for link in page.links if link.kind]


def ld(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def island(data: object) -> str:
    return f'<script type="application/json">{json.dumps(data)}</script>'


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("<link rel=next href=/2>", [("next", "/2")]),
        ("<link rel='Prev' href=2>", [("next", "/2")]),
        ("<link rel=canonical href=/there>", [("canonical", "/there")]),
        ("<link rel=canonical href=http://b.example/here>", [("canonical", "http://b.example/here")]),
        ("<link rel=alternate hreflang=de href=/de>", [("alternate", "/de")]),
        ("<link rel=alternate type=application/rss+xml href=/feed>", [("feed", "/feed")]),
        ("<link rel=alternate type='application/atom+xml; charset=utf-8' href=/feed>", [("feed", "/feed")]),
        ("<link rel=alternate type=application/feed+json href=/feed>", [("feed", "/feed")]),
        ("<meta property=og:url content=/og>", [("opengraph", "/og")]),
        ("<meta property=og:see_also content=http://b.example/>", [("opengraph", "http://b.example/")]),
        (ld({"url": "/u", "@id": "/i", "relatedLink": ["/r", "/s"]}), [("json-ld", p) for p in ("/u", "/i", "/r", "/s")]),
        (ld({"mainEntityOfPage": {"@id": "http://a.example/m"}}), [("json-ld", "/m")]),
        (ld({"@graph": [{"significantLink": "/g"}]}), [("json-ld", "/g")]),
        (ld({"itemListElement": [{"url": "/1"}, {"item": "/2"}, {"item": {"@id": "/3"}}]}), [("json-ld", f"/{n}") for n in (1, 2, 3)]),
        (island({"a": [{"b": "/page/1"}, "http://www.a.example/2"]}), [("data", "/page/1"), ("data", "http://www.a.example/2")]),
    ],
)  # fmt: skip
def test_a_hidden_link_has_the_kind_of_where_it_was_found(head, found):
    assert hidden(head) == found


@pytest.mark.parametrize(
    "head",
    [
        "<link rel=stylesheet href=/s><link rel='alternate stylesheet' href=/t><link rel=icon href=/i><link rel=preload href=/p>",
        "<link rel=alternate type=application/json+oembed href=/o><link rel=alternate media=handheld href=/m>",
        "<link rel=alternate type=application/json hreflang=de href=/wp-json>",
        "<link rel=canonical href=/here><link rel=canonical href=/other>",
        "<link rel=canonical href='https://www.a.example/here/?x=1'><meta property=og:url content=http://a.example/here>",
        "<link rel=next href=javascript:void(0)><link rel=next href=''>",
        ld({"@type": "ImageObject", "url": "/picture"})
        + ld({"@id": "_:b0", "url": "#author"})
        + ld({"url": 7, "@id": None}),
        ld({"sameAs": "http://b.example/"}) + ld(["/not-a-property"]),
        "<script type='application/ld+json'>{torn</script><script type='application/json'>[torn</script>",
        island(["/a.jpg", "/b.css", "/_next/x", "/api/y", "//b.example/z", "http://b.example/z", "/"]),
        island(["/with blank", "/[slug]", "/{id}", "/x" * 200, "plain", "", "/a\nb", "/:id"]),
    ],
)
def test_what_leads_to_no_other_page_is_left_out(head):
    assert hidden(head) == []


def test_what_is_linked_visibly_is_not_repeated():
    head = "<link rel=next href=/2><link rel=canonical href=/3>" + island(["/2", "/4", "/4"])
    assert hidden(head, "<a href=/2>two</a>") == [("canonical", "/3"), ("data", "/4")]


def test_hidden_links_stand_behind_the_others_and_have_no_words():
    raw = b"<link rel=next href=/2><p>See <a href=/1>one</a></p>"
    links = HtmlParser().parse(Response(Url(HERE), 200, (), raw, raw)).links
    assert [(link.kind, link.position, link.anchor) for link in links] == [("", 0, "one"), ("next", 1, "")]
    assert links[1].context() == "See one"


def test_a_page_that_says_nofollow_names_none():
    assert hidden("<meta name=robots content=nofollow><link rel=next href=/2>") == []
    assert hidden("<link rel=next href=/2>", X_Robots_Tag="nofollow") == [("next", "/2")]
    assert hidden("<link rel=next href=/2>", **{"X-Robots-Tag": "nofollow"}) == []


def test_another_query_is_another_page_where_another_page_is_named():
    assert hidden("<link rel=next href='?page=2'><link rel=alternate hreflang=de href='?lang=de'>") == [
        ("next", "/here?page=2"),
        ("alternate", "/here?lang=de"),
    ]
    assert hidden("<link rel=alternate type=application/rss+xml href='?feed=rss2'>") == [("feed", "/here?feed=rss2")]
    assert hidden("", Link='</here?page=2>; rel="next"') == [("header", "/here?page=2")]
    assert hidden("<link rel=canonical href='?'><meta property=og:url content='/here?share=1'>") == []


def test_they_start_from_the_base_of_the_page():
    assert hidden("<base href=/deep/><link rel=next href=2>" + island(["/x"])) == [("next", "/deep/2"), ("data", "/x")]


def test_there_are_so_many_of_a_kind_and_a_hundred_in_all():
    feeds = "".join(f"<link rel=alternate type=application/rss+xml href=/feed{n}>" for n in range(9))
    languages = "".join(f"<link rel=alternate hreflang=x{n} href=/lang{n}>" for n in range(99))
    data = ld([{"url": f"/ld{n}"} for n in range(999)]) + island([f"/data{n}" for n in range(999)])
    kinds = [kind for kind, _ in hidden(feeds + languages + data)]
    assert len(kinds) == MOST == 100
    assert [kinds.count(kind) for kind in ("feed", "alternate", "json-ld", "data")] == [2, 20, 50, 28]


def test_the_lab_can_do_without():
    assert all(not link.kind for link in page_of("<link rel=next href=/2><a href=/1>one</a>", hidden=False).links)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("http://a.example/here", True),
        ("https://www.a.example/here/", True),
        ("http://a.example/here?page=2", True),
        ("http://a.example/here/more", False),
        ("http://b.example/here", False),
    ],
)
def test_a_page_is_known_under_other_spellings(other, same):
    assert same_page(Url(other), Url(HERE)) == same


# ── the header Link ──


def in_header(*values: str) -> list[tuple[str, str, str, str]]:
    sent = tuple((b"LINK", value.encode()) for value in values)
    return [tuple(link[:4]) for link in header_links(Response(Url(HERE), 200, sent, b"", b""))]


@pytest.mark.parametrize(
    ("value", "links"),
    [
        ('</2>; rel="next"', [("next", "/2", "", "")]),
        ("</2>;rel=next", [("next", "/2", "", "")]),
        ("</2> ; REL = Next ; x ; title=\"a, <b>; c\", </de>; hreflang=de; rel='x'", [("next", "/2", "", ""), ("'x'", "/de", "", "de")]),
        ('</a,b;c>; rel="prev up"; rel=next; type="text/html"', [("prev up", "/a,b;c", "text/html", "")]),
        ("</no-rel>, <>; rel=next", [("next", "", "", "")]),
        ("</torn", []),
        ('</2>; rel="torn', [("torn", "/2", "", "")]),
        ("nothing", []),
        ("", []),
    ],
)  # fmt: skip
def test_the_header_is_read_as_the_standard_says(value, links):
    assert in_header(value) == links


def test_several_headers_count_and_a_hundred_links_at_most():
    assert in_header("</1>; rel=next", "</2>; rel=prev") == [("next", "/1", "", ""), ("prev", "/2", "", "")]
    assert len(in_header(", ".join(f"</{n}>; rel=next" for n in range(500)))) == 100


def test_of_a_header_only_what_leads_to_pages_is_followed():
    named = '</2>; rel=next, </style.css>; rel=preload, </wp-json/>; rel="https://api.w.org/", </de>; rel=alternate; hreflang=de'
    assert hidden("", link=named) == [("header", "/2"), ("header", "/de")]
    assert hidden("", link="</x>; rel=alternate; type=application/json") == []


@given(st.text('<>;,"=rel next/a \t', max_size=60) | st.text(max_size=60))
def test_any_header_is_read(value):
    for rel, href, *_ in in_header(value):
        assert rel
        assert isinstance(href, str)
