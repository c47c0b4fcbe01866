"""The loops in C over links say what their twins say."""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import crawl, urls
from thresher.frontier import seen_cache
from thresher.frontier.seen_cache import SeenCache
from thresher.model import DROP, Candidate, Link, Url
from thresher.native import link_loops
from thresher.parse import html

pytestmark = pytest.mark.skipif(link_loops is None, reason="only a wheel is compiled, where there is a compiler")

BASES = st.sampled_from(
    ["http://a.example/", "http://a.example/d/e.html?q=/x", "https://a.example:8080/d/f/", "http://[::1]/x"]
).map(Url)
PIECES = st.sampled_from(
    ["/", "//", ".", "..", "/.", "a", "B.html", "~x", "-", "_", "%41", "%zz", " ", "\t", "é", "#f", "?q=1&utm_source=x", ":", "@", "\\",
     "http:", "http://", "HTTPS://", "https://a.example", "http://A.example:80/", "http://a.example/", "x.example:99999/", "mailto:",
     ";jsessionid=1"]
)  # fmt: skip
HREFS = st.one_of(st.lists(PIECES, max_size=5).map("".join), st.text(max_size=12))
PRIORITIES = st.one_of(st.floats(allow_nan=False), st.integers(-9, 9), st.floats(-9, 9).map(np.float64))


@contextmanager
def twins(module):
    """Nothing is compiled for that module."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "link_loops", None)
        yield


@given(BASES, st.lists(HREFS, max_size=12))
def test_a_link_leads_where_its_twin_says(base, hrefs):
    together = urls.join_all(base, hrefs)
    with twins(urls):
        assert together == urls.join_all(base, hrefs)
    assert urls.join_all(base, hrefs) == together


@pytest.mark.parametrize(
    "href", ["/", "x", "a/b.c", "/a/", "http://a.example/x", "http://b.example/", "https://a.example:8080/d"]
)
def test_plain_links_are_not_left_to_the_twin(href):
    origins = {"http://b.example/": "http://b.example/", "https://a.example:8080/": "https://a.example:8080/"}
    found, left = link_loops.joined("http://a.example/", "http://a.example/d/", [href], origins)
    assert (found, left) == ([urls.join(Url("http://a.example/d/e"), href)], [])


@pytest.mark.parametrize(
    "href", ["", "#x", "../x", "a/./b", "a/.b", "//b.example/", "http://c.example/", "é", "x?y", "%41"]
)
def test_all_others_are(href):
    assert link_loops.joined("http://a.example/", "http://a.example/d/", [href], {}) == ([None], [0])


class Marked(str):
    """A text of another type, as libraries hand them out."""

    __slots__ = ()


@pytest.mark.parametrize("href", [Marked("x"), np.str_("x"), None])
def test_what_is_not_just_a_text_is_left_to_the_twin(href):
    assert link_loops.joined("http://a.example/", "http://a.example/", [href], {}) == ([None], [0])


def test_an_anchor_may_be_of_another_type():
    link = Link(Url("http://a.example/"), Url("http://a.example/x"), Marked("an anchor"), 3, 9)
    assert crawl._candidates([link], [1.0], 1, Url("http://a.example/"))[0].anchor == "anchor"


def test_an_origin_that_has_other_letters_is_left_to_the_twin():
    assert link_loops.joined("http://a/", "http://a/", ["http://b/x"], {"http://b/": "é"}) == ([None], [0])


def test_an_empty_origin_is_an_error_and_no_crash():
    with pytest.raises(ValueError, match="ends with a slash"):
        link_loops.joined("", "http://a/", ["/x"], {})


def test_an_origin_that_leads_nowhere_is_no_link():
    assert link_loops.joined("http://a.example/", "http://a.example/", ["http://:/x"], {"http://:/": ""}) == (
        [None],
        [],
    )


@given(
    st.lists(st.tuples(st.integers(0, 40), PRIORITIES), max_size=30),
    st.lists(st.tuples(st.integers(0, 40), PRIORITIES)),
)
def test_the_same_links_may_change_something(before, links):
    seen = SeenCache(16)
    for number, floor in before:
        seen.update(seen_cache.remembered_keys.of([(Url(f"http://a.example/{number}"),)]), [float(floor)])
    candidates = [Candidate(Url(f"http://a.example/{number}"), priority) for number, priority in links]
    together = seen.above(candidates)
    with twins(seen_cache):
        assert together == seen.above(candidates)


@given(
    st.text(max_size=20),
    st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25), st.one_of(PRIORITIES, st.just(DROP)))),
)
def test_links_become_the_same_candidates(text, rows):
    page = Url("http://a.example/")
    links = [Link(page, Url(f"http://a.example/{start}"), text, start, end) for start, end, _ in rows]
    priorities = [priority for _, _, priority in rows]
    together = crawl._candidates(links, priorities, 3, page)
    with twins(crawl):
        alone = crawl._candidates(links, priorities, 3, page)
    assert together == alone
    assert [type(each) for each in together] == [Candidate] * len(alone)
    assert list(map(hash, together)) == list(map(hash, alone))


def test_what_is_neither_equal_nor_unequal_to_dropped_is_dropped():
    links = [Link(Url("http://a.example/"), Url("http://a.example/x"), "", 0, 0)]
    together = crawl._candidates(links, [np.ma.masked], 1, Url("http://a.example/"))
    with twins(crawl):
        assert together == crawl._candidates(links, [np.ma.masked], 1, Url("http://a.example/")) == []


def test_a_priority_that_empties_the_lists_is_an_error_and_no_crash():
    class Emptying:
        def __float__(self):
            keys.clear()
            candidates.clear()
            return 1.0

    keys = [0] * 100
    candidates = [Candidate(Url("http://a.example/"), Emptying()) for _ in keys]
    with pytest.raises(IndexError):
        link_loops.above(candidates, keys, np.zeros((4, 2), np.int64))


def test_fewer_priorities_than_links_make_fewer_candidates():
    links = [Link(Url("http://a.example/"), Url("http://a.example/x"), "", 0, 0)] * 3
    assert len(crawl._candidates(links, [1.0], 1, Url("http://a.example/"))) == 1


ANCHORS = st.tuples(st.sampled_from(["", "NOFOLLOW ugc", "ΑΣ", None]), st.integers(0, 2), st.booleans(), st.booleans())


@given(st.lists(ANCHORS, max_size=8))
def test_anchors_become_the_same_links(said):
    url = Url("http://a.example/")
    anchors = [({"href": "x", "rel": rel}, 0, 0, heading, aside) for rel, heading, aside, _ in said]
    spans = [(place, place + 1) for place in range(len(said))]
    navigation = [menu for *_, menu in said]
    chosen = {Url(f"http://a.example/{place}"): place for place in reversed(range(len(said)))}
    parts = url, "the text of the page", anchors, spans, navigation, ["", "one", "two"], chosen
    links = html._seen_links(*parts)
    with twins(html):
        assert links == html._seen_links(*parts)
    assert [type(link) for link in links] == [Link] * len(said)
    assert list(map(hash, links)) == [hash(Link(*link)) for link in links]


def test_the_fields_are_in_the_order_of_the_loops():
    url, page = Url("http://a.example/x"), Url("http://a.example/")
    assert link_loops.candidates(Candidate, [Link(page, url, "an anchor", 3, 9)], [2.0], 4, page) == [
        Candidate(url=url, priority=2.0, depth=4, parent=page, anchor="anchor", chain=())
    ]
    made = link_loops.seen_links(
        Link, page, "text", [({"rel": "Next"}, 0, 0, 1, True)], [(1, 3)], [False], ["", "h"], {url: 0}
    )
    assert made == [
        Link(
            source=page, target=url, text="text", start=1, end=3, heading="h", position=0, rel="next", navigation=True,
            kind="",
        )
    ]  # fmt: skip


ANCHOR = ({}, 0, 0, 0, False)


@pytest.mark.parametrize(
    ("anchors", "spans", "navigation", "above", "place"),
    [
        ([ANCHOR], [], [False], [""], 0),
        ([ANCHOR], [(0, 1)], [], [""], 0),
        ([ANCHOR], [(0, 1)], [False], [], 0),
        ([ANCHOR], [(0, 1)], [False], [""], 1),
        ([ANCHOR], [(0, 1)], [False], [""], -1),
        ([ANCHOR[:4]], [(0, 1)], [False], [""], 0),
        ([ANCHOR], [(0,)], [False], [""], 0),
        ([({"rel": b"x"}, 0, 0, 0, False)], [(0, 1)], [False], [""], 0),
    ],
)
def test_what_does_not_fit_together_is_an_error_and_no_crash(anchors, spans, navigation, above, place):
    with pytest.raises((IndexError, ValueError, TypeError)):
        link_loops.seen_links(Link, "http://a/", "", anchors, spans, navigation, above, {"http://a/x": place})


@pytest.mark.parametrize("shape", [(0, 2), (3, 2), (4, 1)])
def test_a_table_of_another_shape_is_an_error_and_no_crash(shape):
    with pytest.raises(ValueError, match="a table has two columns"):
        link_loops.numbers_of([("x",)], 0, np.zeros(shape, np.int64), hash)
    with pytest.raises(ValueError, match="a table has two columns"):
        link_loops.above([Candidate(Url("http://a/"), 1.0)], [0], np.zeros(shape, np.int64))


def test_fewer_keys_than_candidates_and_a_column_below_nought_are_errors():
    table = np.zeros((4, 2), np.int64)
    with pytest.raises(ValueError, match="as many keys"):
        link_loops.above([Candidate(Url("http://a/"), 1.0)], [], table)
    with pytest.raises(TypeError):
        link_loops.numbers_of([("x",)], -1, table, hash)


@pytest.mark.parametrize("row", [[], (), ["a list"], None])
def test_what_is_no_row_is_an_error_and_no_crash(row):
    with pytest.raises(TypeError):
        link_loops.numbers_of([row], 0, np.zeros((4, 2), np.int64), hash)
    with pytest.raises(TypeError):
        link_loops.candidates(Candidate, [row], [1.0], 1, "http://a.example/")
