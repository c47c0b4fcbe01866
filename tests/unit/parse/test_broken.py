"""Pages as one meets them, and worse. Nothing may raise, and what can be read is read."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.parse.page_of import HERE, page_of

from thresher.model import Page

CORPUS = {
    "nothing": b"",
    "one byte": b"<",
    "unclosed everything": b"<html><head><title>t</title><body><div><p>word <a href=/x>link <b>bold <table><td>cell",
    "nested forms and tables": b"<form><form><table><form><tr><table><td><form>word</table></form></table>",
    "nothing but ends": b"</p></a></body></html></div></table>word",
    "NULs": b"\0<p>wo\0rd<a hr\0ef=/x href=/y\0>l\0</a>\0",
    "a huge attribute": b"<p title='" + b"x" * 200_000 + b"'>word",
    "an unclosed attribute": b"<p>word</p><a href='/x>link</a><p>more",
    "an unclosed comment": b"<p>word</p><!-- and <a href=/x>so on",
    "an unclosed script": b"<p>word</p><script>if (a < b) </p>",
    "a wrong charset": "<meta charset=utf-8><p>w\xf6rd \xe4".encode("latin-1"),
    "utf-16 with mark": "<p>word".encode("utf-16"),
    "utf-16 without mark": "<html><p>word</p></html>".encode("utf-16-le"),
    "half of utf-16": "<html><p>word</p></html>".encode("utf-16")[:-1],
    "utf-7": b"<meta charset=utf-7>+ADw-script+AD4-word",
    "lone surrogates": b"<p>\xed\xa0\x80word\xed\xbf\xbf&#xd800;<a href='/&#xdfff;'>x</a>",
    "beyond unicode": b"<p>\xf8\x88\x80\x80\x80word&#x110000;&#99999999999999999999;",
    "control characters": bytes(range(32)) + b"<p>" + bytes(range(32)) + b"word" + bytes(range(127, 256)),
    "processing instructions": b"<?xml version='1.0'?><?php '<a href=/x>' ?><!DOCTYPE html [<!ENTITY x 'y'>]><p>word",
    "cdata": b"<svg><![CDATA[ <a href=/x> ]]></svg><p><![CDATA[ word ]]>word",
    "a frameset": b"<html><frameset cols=1><frame src=/x><noframes><p>word</noframes></frameset></html>",
    "unknown tags": b"<foo><bar-baz><a:b x:y=1>word</a:b></foo><\xc3\xa4><1><->",
    "plaintext": b"<p>word<plaintext></p><a href=/x>",
    "templates": b"<template><a href=/x>t<template></a></template></template><p>word",
    "a select": b"<select><option>word<a href=/x>x<selectedcontent></select>",
    "math and svg": b"<math><mi>word<svg><a href=/x xlink:href=/y>x</a></math><p><svg><p>word",
    "two bodies": b"<body><p>word</body><html lang=de><body class=x><p>more",
    "bad urls": b"<a href='http://[::1'>a</a><a href='//'>b</a><a href='http://a b/'>c</a><a href='\\\\x'>d</a>",
    "bad metas": b"<meta><meta name><meta name=refresh><meta http-equiv=refresh content=';;'><link rel><base href=':'>",
    "a lying length of utf-8": b"<p>word\xf0\x9f",
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4,
}


@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.parametrize(
    "content_type", ["text/html", "text/html; charset=utf-8", "text/plain; charset=big5", "; charset="]
)
def test_every_broken_page_is_a_page(name, content_type):
    sound(page_of(CORPUS[name], ("Content-Type", content_type)))


@pytest.mark.parametrize("name", [name for name, body in CORPUS.items() if b"word" in body])
def test_what_can_be_read_of_a_broken_page_is_read(name):
    assert "word" in page_of(CORPUS[name]).text or name in {"a frameset", "utf-16 with mark"}


def test_a_frameset_leads_to_its_frames():
    assert [link.target for link in page_of(CORPUS["a frameset"]).links] == ["http://example.org/x"]


@given(st.binary(max_size=400))
@settings(max_examples=300)
def test_any_bytes_are_a_page(body):
    sound(page_of(body, ("Content-Type", "text/html")))


TAGS = "a p b i div span ul li table tr td h1 h2 nav main article svg noscript template select option title meta br"
MARKUP = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS.split()] + [f"</{tag}>" for tag in TAGS.split()]),
        st.sampled_from(
            ["<a href=/x>", "<a href='../y?z#f' hidden>", "<img alt=pic>", "<area href=/z alt=q>", "<p hidden>"]
        ),
        st.sampled_from(
            ["<base href=/b/>", "<meta http-equiv=refresh content='0;/r'>", "<iframe src=/f>", "<!--", "-->", "<"]
        ),
        st.sampled_from(
            ["word ", " ", "\n", "&nbsp;", "&shy;", "&#0;", "\0", "\x01", "é", "\U0001f33a", "'", '"', ">"]
        ),
    ),
    max_size=40,
).map("".join)


@given(MARKUP)
@settings(max_examples=300)
@example("<svg hidden><a href=/x hidden>x</svg>")
def test_any_markup_is_a_page(body):
    sound(page_of(body))


@given(st.sampled_from(sorted(CORPUS)), st.integers(0, 2**32))
@settings(max_examples=200)
def test_mutated_pages_are_pages(name, seed):
    dice = random.Random(seed)
    body = bytearray(CORPUS[name][:2000] + CORPUS["unclosed everything"])
    for _ in range(dice.randint(1, 20)):
        place = dice.randrange(len(body))
        body[place : place + dice.randint(0, 3)] = dice.choice(
            [b"<", b">", b"'", b"\0", b"</", b"\xff", b"&#", b"<a href="]
        )
    sound(page_of(bytes(body), ("Content-Type", "text/html")))


def sound(page: Page) -> None:
    """What holds of every page."""
    assert page.url == HERE
    assert len({link.target for link in page.links}) == len(page.links)
    assert [link.position for link in page.links] == list(range(len(page.links)))
    for link in page.links:
        assert 0 <= link.start <= link.end <= len(page.text)
        assert link.target != page.url
        assert link.anchor in link.context()
    for words in (page.text, page.main, page.title, page.description, *page.headings):
        words.encode()
        assert "\0" not in words


ORDERS = "&#27;]0;pwned&#7;\x1b[31m\x9b2J&#x7f;&#x1B;c"
NOT_SHOWN = [chr(code) for code in (*range(9), *range(14, 32), *range(127, 160))]


@pytest.mark.parametrize("letters", ["", "é", "आँख"])
def test_nothing_that_a_terminal_would_obey_comes_out_of_a_page(letters):
    word = f"ir{ORDERS}is{letters}"
    page = page_of(
        f"<title>{word}</title><meta name=description content='{word}'>"
        f"<h1>{word}</h1><p>before <a href=/x>{word}</a> after<a href=/y><img alt='{word}'></a>"
    )
    clean = f"ir]0;pwned[31m2Jcis{letters}"
    assert (page.title, page.description, page.headings) == (clean, clean, (clean,))
    assert [(link.anchor, link.heading) for link in page.links] == [(clean, clean)] * 2
    assert page.links[0].context(3) == f"{clean} before {clean} after {clean}"


def test_nothing_that_a_terminal_would_obey_comes_out_of_plain_text():
    page = page_of(f"ir\x1b[31mis\x9b é\n{'a' * 9}\x07", ("Content-Type", "text/plain; charset=utf-8"))
    assert page.text == page.main == "ir[31mis é\naaaaaaaaa"


@given(st.lists(st.one_of(st.sampled_from([*NOT_SHOWN, "\n", "\t"]), st.text(max_size=3)), max_size=8).map("".join))
def test_no_control_but_white_space_is_ever_in_the_text(said):
    page = page_of(f"<title>{said}</title><h1>{said}</h1><p>{said}<a href=/x>{said}</a>")
    for text in (page.title, page.text, page.main, *page.headings, *(link.anchor for link in page.links)):
        assert not set(NOT_SHOWN) & set(text)
