"""Pages, texts and queries, with the constructs that they are grown from."""

from contextlib import suppress
from pathlib import Path

from tests.growth.growing import NUMBER, Constructs, Reader, pieces

from thresher import crawl
from thresher.errors import BadInput
from thresher.frontier.base import shortened
from thresher.judge.terms import TermsJudge
from thresher.language.identify import runs
from thresher.language.tokens import normal, words
from thresher.language.word_numbers import word_numbers
from thresher.model import Response, Url
from thresher.parse.encoding import declared, utf8
from thresher.parse.guard import tamed
from thresher.parse.html import HtmlParser
from thresher.results.plain_text import one_line
from thresher.results.search.query import read_query
from thresher.store.simhash import simhash
from thresher.topic import Topic
from thresher.topic.link_text import anchors_and_hrefs, contexts, windows
from thresher.topic.matching import Matcher

HERE = Url("http://example.org/dir/page.html")
N = NUMBER
SPACE = (" ", "\n", "\t", "\r", "\f", "\v", "\0", "\x1b", "\u00a0", "\u2028", "\ufeff", "\u200b", "\u202e")
SIGNS = tuple("<>/=\"'&;:,.#!?%@$*+-_|\\~^(){}[]")
WORDS = ("a", "word ", "x" * 50, f"w{N} ", f"w{N}", "é", "ß", "İ", "ﬃ", "虹膜", "का", "́", "👁", "\ud800", "1", N)
PLAIN = (*SPACE, *SIGNS, *WORDS)

_NAMES = """
a abbr address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button canvas caption center cite code
col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1
h2 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu
meta meter mi mtext nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q
rb rp rt rtc ruby s samp script section select slot small source span strike strong style sub summary sup svg table tbody td template
textarea tfoot th thead time title tr track tt u ul var video wbr xmp foreignObject desc circle annotation-xml x-y
"""
HTML = Constructs(
    (
        *(f"<{name}>" for name in _NAMES.split()),
        *(f"</{name}>" for name in _NAMES.split()),
        *pieces(
            "<div x№>¦<b x№>¦<body x№=y>¦<html x№=y>¦ x№¦ x№=y¦ x№='y'¦ x№='>'¦/x№¦<t№>¦</t№>¦<!doctype x№>¦<div hidden>¦<a href=/№>¦",
            "<a href=/№>word</a> ¦<a href='../№?a=1&b=%20#№'>¦<a href=x>¦<a href=x></a>¦<a href='¦",
            "<base href=/№/>¦<base href='/¦<img alt='¦",
            "<div style='display: none'>¦<div style='display ¦<div class='c№ menu' id=n№>¦<div class='¦",
            "<div role=navigation>¦<meta name=n№ ",
            "content=x>¦<meta name=robots content='nofollow, ¦<meta http-equiv=refresh content='0; url=¦",
            "<link rel=canonical href=x>¦<p><b>x</p>¦",
            "<font color=red>¦<h1><div>¦<ul><li>¦<table><tr><td>¦<svg><desc>¦",
            "<math><annotation-xml encoding=text/html>¦<select><option>¦<!--¦-->¦",
            "<meta name=author content='¦<meta name=author content=a№>¦<meta property=article:published_time content='2026-01-¦",
            "<time datetime='2026-¦<time>1 May 2026</time>¦<address rel=author>¦<a rel=license href=/№>¦<link rel=license href='¦",
            "<script type=application/ld+json>{'a':[¦<title>Page not found</title>¦<h1>404</h1>¦page not found ¦domain for sale ¦",
            "--!>¦<![CDATA[¦]]>¦<!¦<?¦</¦<a¦<a ¦<b <¦&amp;¦&#x41;¦&#¦&notit;¦&CounterClockwiseContourIntegral¦<script>a<b</script>¦",
            "<script><!--<script>¦</script>¦<!-- </div> -->¦<marquee></div>",
        ),
        *PLAIN,
    ),
    (("", ""), ("<p>", "</p>"), ("<table>", "<tr>"), ("<svg>", "</svg>"), ("<a ", ">"), ("<title>", ""), ("<h1>", "")),
)
CHARSET = Constructs(
    (
        *pieces(
            "<meta ¦<META↵¦<meta/¦charset¦charset=¦charset =¦'utf-8'¦koi8-r¦http-equiv=content-type ¦content='¦",
            "content='text/html; charset=¦",
            "<!--¦-->¦<!¦<?xml ¦encoding=¦?>¦<p ¦ x№=y¦ x№¦</p ¦\x81¦ä¦\x1b$B",
        ),
        *PLAIN,
    ),
    (("", ""), ("<meta ", ">"), ("<?xml version='1.0' ", "?>"), ("<meta http-equiv=content-type content='", "'>")),
)
ENCODED = Constructs(pieces("é¦ß¦И¦ир¦ア¦붓¦鸢¦ÿ¦\x81¦\x8d¦\0¦a¦<p>¦\x1b$B¦\x1b(B¦~{¦\ud800"))
TEXT = Constructs(PLAIN, (("", ""), ("iris eye ", " iris")))
QUERY = Constructs(
    (*pieces('iris ¦"iris¦" ¦-x ¦pupil* ¦*¦-"¦iris eye ¦the '), *PLAIN), (("", ""), ("iris ", ""), ('"', ""))
)
LABELS = ("utf-8", "windows-1252", "iso-8859-8", "shift_jis", "gb18030", "euc-kr", "iso-2022-jp", "utf-16le")
PARSER = HtmlParser()
MATCHER = Matcher(["iris", "iris eye", "so and so", "虹膜", "a"])
JUDGE = TermsJudge(Topic.of("iris eye, a"))


def response(body: bytes, **headers: str) -> Response:
    sent = tuple((key.replace("_", "-").encode(), value.encode("latin-1", "replace")) for key, value in headers.items())
    return Response(HERE, 200, sent, body, body)


def _page(body: bytes, _: Path) -> None:
    page = PARSER.parse(response(body, content_type="text/html; charset=utf-8"))
    anchors_and_hrefs(page.links), windows(page.links), contexts(page.links)
    for candidate in crawl._candidates(page.links, [1.0] * len(page.links), 1, HERE):
        shortened(candidate.anchor)
    one_line(page.title)
    JUDGE.judge(page)


def _charset(body: bytes, _: Path) -> None:
    declared(body)
    declared(b"", body.decode("utf-8", "replace"))
    utf8(body)


def _encoded(body: bytes, _: Path) -> None:
    text = body.decode("utf-8", "replace")
    for label in LABELS:
        utf8(text.encode(label, "replace"), f"text/html; charset={label}")
        utf8(body, f"text/html; charset={label}")
    utf8(text.encode("latin-1", "replace"))


def _text(body: bytes, _: Path) -> None:
    text = body.decode("utf-8", "replace")
    words(text), word_numbers(text), normal(text), runs(text), simhash(text)
    MATCHER.count(text), MATCHER.find(text)
    one_line(text)


def _plain_page(body: bytes, _: Path) -> None:
    PARSER.parse(response(body, content_type="text/plain"))


def _query(body: bytes, _: Path) -> None:
    with suppress(BadInput):
        query = read_query(body.decode("utf-8", "replace"), {("iris", "eye"): ["x"], ("iris",): ["y"]})
        query.expression()
        str(query)


READERS = {
    # A page may nest as deep as the guard lets it, which takes Lexbor longer than the size alone would.
    "html": Reader(_page, HTML, floor=0.5),
    "guard": Reader(lambda body, _: tamed(body, 100_000), HTML, floor=0.3),
    "charset": Reader(_charset, CHARSET),
    "encoded": Reader(_encoded, ENCODED, floor=0.1, readings=2 * len(LABELS) + 1),
    "text": Reader(_text, TEXT, floor=0.2),
    "text/plain": Reader(_plain_page, TEXT),
    "query": Reader(_query, QUERY, floor=0.1, most=1 << 18),
}
