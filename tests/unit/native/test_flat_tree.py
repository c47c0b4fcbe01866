"""The loop in C that goes through the tree of a page brings what its twin brings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from thresher.parse import flat_tree
from thresher.parse.elements import DRAWN, KINDS

pytestmark = pytest.mark.skipif(not flat_tree._IN_C, reason="only a wheel is compiled, where there is a compiler")

PIECES = [
    "<a href='/x' class=c>", "<a href>", "</a>", "<div class=nav id=n style='display: none'>", "</div>", "<p hidden>",
    "<span HIDDEN=''>", "<img alt='é' src=x>", "<area href=x alt=y>", "<iframe src=f>in</iframe>", "<svg>", "<text>",
    "<tspan x=1 dy=2>", "<defs>", "</svg>", "<foreignObject>", "<my-part hidden>", "<title>t</title>",
    "<meta name=a content=b>", "<link rel=next href=n>", "<base href=b>", "<script>program()</script>",
    '<script type="application/ld+json" id=d>{"a": 1}</script>', "<style>s</style>", "<template><p>no</template>",
    "<!-- c -->", "<![CDATA[ d ]]>", "<math><mi>x</mi></math>", "<noscript><p>n</noscript>", "<table><tr><td>",
    "words", " ", "\n\t", "\xa0", "\f", "\ud7ff", "<?p i?>", "<html lang=de xml:lang=fr>", "<!doctype html>", "<li>",
    "<b>", "<h1>", "<textarea>", "<select><option>", "<div title=x>", "<svg viewBox=1>", "<a id=x>",
]  # fmt: skip


def told(tree):
    """What the walk may look at, and no more: the twin has all attributes."""
    return [
        (kind, end, said if said is None else narrowed(kind, said))
        for kind, end, said in zip(tree.kinds, tree.ends, tree.said, strict=True)
    ], tree.hidden


def narrowed(kind, said):
    if isinstance(said, str):
        return " " if said.isspace() else said
    names = flat_tree._ASKED_FOR[kind].split()
    name, attributes = said if kind == DRAWN else ("", said)
    return name, {each: attributes[each] for each in names if each in attributes}


def both(html, *, hides=True):
    parsed = LexborHTMLParser(html)
    hidden = {node.mem_id for node in parsed.css("[hidden]")} if hides else set()
    return told(flat_tree.flat_tree(parsed, hides=hides)), told(flat_tree._by_nodes(parsed.root, hidden))


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.booleans())
def test_a_tree_is_brought_as_its_twin_brings_it(pieces, hides):
    in_c, by_nodes = both("".join(pieces).encode(), hides=hides)
    assert in_c == by_nodes


@given(st.binary(max_size=300))
def test_any_bytes(body):
    in_c, by_nodes = both(b"<a href=" + body)
    assert in_c == by_nodes


def test_a_deep_and_a_wide_page():
    for html in (b"<div class=a>" * 3_000, b"<p>x<a href=y>z</a>" * 3_000):
        in_c, by_nodes = both(html)
        assert in_c == by_nodes


def test_the_numbers_of_kinds_are_those_of_the_loop():
    svg = LexborHTMLParser("<svg><tspan x=1>words</tspan></svg>")
    flat = flat_tree.flat_tree(svg, hides=False)
    assert flat.said[flat.kinds.index(DRAWN)] == ("tspan", {"x": "1"})
    assert len(KINDS) == 256
