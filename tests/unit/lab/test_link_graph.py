from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.lab.test_recorded import WEBS
from tests.unit.lab.warcs import Others

from thresher.lab.run.task_web import NofollowIgnoringParser
from thresher.lab.webs.link_graph import links_of
from thresher.lab.webs.recorded import Recording
from thresher.parse.html import HtmlParser
from thresher.urls import canonical


class Counting:
    parsed = 0

    def __init__(self, **limits):
        self._parser = HtmlParser(**limits)

    def __repr__(self):
        return f"Counting({self._parser!r})"

    def parse(self, response):
        Counting.parsed += 1
        return self._parser.parse(response)


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(Counting, "parsed", 0)


def url(name):
    return canonical(f"http://a.example/{name}")


def anchors(*names):
    return "".join(f"<a href='/{name}'>{name}</a> " for name in names).encode()


@pytest.fixture
def warc(tmp_path):
    """1 → 2 → 3, 1 → 4 ⇒ 5 ⇒ 3, 6 alone; 4 and 5 redirect."""
    with Others(tmp_path / "web.warc.gz") as made:
        made.page(url("1"), anchors("2", "none", "4", "1"))
        made.page(url("2"), anchors("3"))
        made.page(url("3"), anchors("1"))
        made.page(url("4"), b"", "302 Found", (("Location", "/5"),))
        made.page(url("5"), anchors("6"), "301 Moved", (("Location", "/3"),))
        made.page(url("6"), b"<p>alone")
        made.page(url("error"), anchors("1"), "404 Not Found")
        made.page(url("picture"), anchors("1"), headers=(("Content-Type", "image/png"),))
        made.page(url("closed"), b"<meta name=robots content=nofollow>" + anchors("1"))
        made.page(url("refresh"), b"<meta http-equiv=refresh content='0; url=/2'>")
    return tmp_path / "web.warc.gz"


def named(distances):
    return {link.removeprefix("http://a.example/"): steps for link, steps in distances.items()}


def test_links_are_those_that_the_loop_would_follow_and_that_are_recorded(warc):
    with Recording.open(warc) as web:
        graph = links_of(web, HtmlParser())
        assert graph.links(url("1")) == [url("2"), url("4")]
        assert graph.links(url("refresh")) == [url("2")]
        for other in ("4", "5", "error", "picture", "closed", "none"):
            assert graph.links(url(other)) == []
        assert len(graph) == 5


def test_a_heedless_parser_follows_where_the_page_says_nofollow(warc):
    with Recording.open(warc) as web:
        assert links_of(web, HtmlParser()).links(url("closed")) == []
        assert links_of(web, NofollowIgnoringParser()).links(url("closed")) == [url("1")]
        assert NofollowIgnoringParser().parse(web.read(url("1"))) == HtmlParser().parse(web.read(url("1")))


def test_a_redirecting_url_is_as_near_as_its_target(warc):
    with Recording.open(warc) as web:
        distances = links_of(web, HtmlParser()).distances([url("3"), url("none")])
    assert named(distances) == {"3": 0, "4": 0, "5": 0, "2": 1, "1": 1, "refresh": 2}


def test_the_way_does_not_lead_through_what_is_denied(warc):
    with Recording.open(warc, deny=["http://a.example/4"]) as web:
        graph = links_of(web, HtmlParser())
        assert named(graph.distances([url("3")])) == {"3": 0, "5": 0, "2": 1, "1": 2, "refresh": 2}
        assert graph.links(url("1")) == [url("2")]
        assert graph.distances([url("4")]) == {}


def test_pages_are_parsed_once_whatever_is_denied(warc):
    for deny in ([], ["http://a.example/2"]):
        with Recording.open(warc, deny=deny) as web:
            links_of(web, Counting())
    assert Counting.parsed == 6
    assert sorted(path.name for path in warc.parent.iterdir()) == [
        "web.warc.gz",
        "web.warc.gz.idx",
        "web.warc.gz.links.npz",
    ]


def test_another_parser_and_another_recording_are_parsed_anew(warc):
    with Recording.open(warc) as web:
        links_of(web, Counting())
        assert len(links_of(web, Counting(max_links=1))) == 4
    assert Counting.parsed == 12
    with Others(warc) as made:
        made.page(url("1"), anchors("1"))
    with Recording.open(warc) as web:
        assert len(links_of(web, Counting())) == 0
    assert Counting.parsed == 13


@pytest.mark.parametrize("make", [HtmlParser, NofollowIgnoringParser])
def test_a_parser_describes_itself_by_all_that_its_pages_depend_on(make):
    assert repr(make()) == repr(make())
    assert "max_links=10000" in repr(make())


def test_a_parser_that_says_nothing_of_itself_is_never_taken_for_another(warc):
    class Silent:
        parse = HtmlParser(max_links=1).parse

    with Recording.open(warc) as web:
        assert len(links_of(web, HtmlParser())) == 5
        assert len(links_of(web, Silent())) == 4


def test_a_file_of_links_that_is_none_is_written_anew(warc):
    warc.with_name("web.warc.gz.links.npz").write_bytes(b"rubbish")
    with Recording.open(warc) as web:
        assert len(links_of(web, HtmlParser())) == 5


def test_an_empty_web_has_no_links(tmp_path):
    (tmp_path / "empty.warc").touch()
    with Recording.open(tmp_path / "empty.warc") as web:
        graph = links_of(web, HtmlParser())
        assert (len(graph), graph.distances([url("1")])) == (0, {})


EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


@settings(max_examples=40)
@given(EDGES, st.sets(st.integers(0, 9), max_size=5), st.sets(st.integers(0, 9), max_size=3))
def test_distances_are_those_of_a_search_page_by_page(tmp_path_factory, edges, redirecting, goals):
    links = {number: [to for start, to in edges if start == number and to != number] for number in range(10)}
    path = tmp_path_factory.mktemp("web") / "web.warc.gz"
    with Others(path) as made:
        for number, targets in links.items():
            if number in redirecting and targets:
                made.page(url(number), b"", "301 Moved", (("Location", f"/{targets[0]}"),))
            else:
                made.page(url(number), anchors(*targets))
    with Recording.open(path) as web:
        found = links_of(web, HtmlParser()).distances(map(url, goals))
    assert found == {
        url(number): steps for number in range(10) if (steps := _steps(number, links, redirecting, goals)) >= 0
    }


def _steps(start, links, redirecting, goals):
    """0–1 breadth-first search from one page."""
    waiting, seen = deque([(start, 0)]), set()
    while waiting:
        number, steps = waiting.popleft()
        if number in goals:
            return steps
        if number in seen:
            continue
        seen.add(number)
        if number in redirecting and links[number]:
            waiting.appendleft((links[number][0], steps))
        else:
            waiting.extend((target, steps + 1) for target in links[number])
    return -1


@pytest.mark.slow
def test_nearly_all_links_of_a_dictionary_find_their_page():
    if not (WEBS / "foldoc.warc.gz").exists():
        pytest.skip("needs the recorded web foldoc in ../shared/webs")
    parser = HtmlParser()
    with Recording.open(WEBS / "foldoc.warc.gz") as web:
        inside = [
            link.target in web
            for name in list(web.urls())[:2000]
            for link in parser.parse(web.read(name)).links
            if link.target.startswith("http://foldoc.org/")
        ]
    assert len(inside) > 5000
    assert sum(inside) >= 0.999 * len(inside)
