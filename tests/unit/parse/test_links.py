import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.page_of import HERE, anchors, page_of


def test_links_point_into_the_text():
    page = page_of("<p>See the <a href=../a.html>white <b>ir</b>is</a>, or <a href='/b?x=1#f'> the blue </a> one.")
    assert anchors(page) == {"a.html": "white iris", "b?x=1": "the blue"}
    assert all(link.text is page.text and link.source == HERE for link in page.links)
    assert [link.position for link in page.links] == [0, 1]


def test_the_context_goes_across_inline_markup_and_lines():
    page = page_of("<p>Tall <i>bearded</i><p>irises <a href=/a>grow</a> in <b>dry</b> soil")
    assert page.links[0].context(2).split() == ["bearded", "irises", "grow", "in", "dry"]


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<a href=/x><img src=i alt='A lily'></a>", "A lily"),
        ("<a href=/x><img alt=Lily><img alt=Rose></a>", "Lily Rose"),
        ("<a href=/x title=Rose><img src=i></a>", "Rose"),
        ("<a href=/x aria-label=Tulip><svg><path/></svg></a>", "Tulip"),
        ("<a href=/x title=no><img alt=no>Violet</a>", "Violet"),
        ("<a href=/x title=no> <span> </span> <div>Violet</div></a>", "Violet"),
        ("<a href=/x></a>", ""),
        ("<map><area href=/x alt='A bed'></map>", "A bed"),
        ("<map><area href=/x title='A bed'></map>", "A bed"),
        ("<iframe src=/x title=Film>fallback</iframe>", "Film"),
        ("<iframe src=/x></iframe>", ""),
    ],
)
def test_a_link_without_words_is_called_by_its_picture_or_its_title(markup, words):
    page = page_of(f"<p>before</p>{markup}<p>after</p>")
    assert anchors(page) == {"x": words}
    assert page.text.split() == ["before", *words.split(), "after"]


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<a href=/x>roses and <table><tr><td><a href=/y>lilies</a> too</table></a>", ["roses and", "lilies"]),
        ("<a href=/x><object><a href=/y>lilies</a> too</object></a>", ["", "lilies"]),
        ("<a href=/x><object><a href=/y><i>lilies</i></a> too</object></a>", ["", "lilies"]),
        ("<a href=/x>see <map><area href=/y alt=lilies></map> roses</a>", ["see", "lilies"]),
        ("<a href=/x>see <iframe src=/y title=lilies></iframe> roses</a>", ["see", "lilies"]),
        ("<a href=/x title=roses><object><a href=/y title=lilies></a></object></a>", ["", "lilies"]),
    ],
)
def test_a_link_that_holds_another_ends_where_the_words_of_that_begin(markup, words):
    assert anchors(page_of(f"<p>{markup}")) == dict(zip("xy", words, strict=True))


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<a href=/x title=roses><svg><a href=/y><path/></a></svg></a>", "roses"),
        ("<a href=/x title=roses><object><a href=/y title='  '></a></object></a>", "roses"),
        ("<a href=/x><img alt=roses usemap=#m><map name=m hidden><area href=/y alt=lily></map></a>", "roses"),
        ("<a href=/x>see <svg><a href=/y><path/></a></svg> more about roses</a>", "see more about roses"),
        ("<a href=/x>see <iframe src='/y'></iframe> roses</a>", "see roses"),
        ("see <a href=/x><iframe src=/y></iframe>roses</a>", "roses"),
        ("<a href=/x>see <object><a href=/y> </a></object>more about roses</a>", "see more about roses"),
        ("<a href=/x>see <object><a href=/y><div></div></a></object> more about roses</a>", "see more about roses"),
        ("<a href=/x>see <object><a href=/y>\n<svg></svg>\n</a></object> roses</a>", "see roses"),
        ("<a href=/x>see <object><a href=/y><br></a></object> roses</a>", "see roses"),
    ],
)
def test_a_link_without_words_ends_none_that_holds_it(markup, words):
    page = page_of(f"<p>{markup}")
    assert anchors(page)["x"] == words


def test_a_link_has_words_however_far_behind_blanks_they_stand():
    page = page_of(f"<p><a href=/x title=Flowers><img src=i alt=picture><span>{' ' * 3000}roses</span></a>")
    assert anchors(page) == {"x": "roses"}


def test_frames_are_links():
    assert list(anchors(page_of("<frameset><frame src=/menu><frame src=/text name=t></frameset>"))) == ["menu", "text"]


def test_each_link_knows_the_nearest_heading_above():
    above = "<a href=/0>0</a><h2>One</h2><a href=/1>1</a><h3><a href=/2>Two</a> too</h3>"
    page = page_of(above + "<p><a href=/3>3</a><h4></h4><a href=/4>4</a>")
    assert [link.heading for link in page.links] == ["", "One", "Two too", "Two too", "Two too"]
    assert page.headings == ("One", "Two too")


@pytest.mark.parametrize("href", ["", "#top", "page.html", "/dir/page.html#x", "HTTP://EXAMPLE.org/dir/./page.html"])
def test_the_page_itself_is_no_target(href):
    assert page_of(f"<a href='{href}'>me</a>").links == ()


@pytest.mark.parametrize("href", ["mailto:a@b.c", "javascript:void(0)", "ftp://x/y", "tel:1", "http://", "data:,x"])
def test_what_does_not_lead_into_the_web_is_no_link(href):
    assert page_of(f"<a href='{href}'>x</a><a name=y>y</a>").links == ()


def test_the_base_counts_for_links_before_it_too_and_only_the_first():
    page = page_of("<a href=a>a</a><base target=x><base href='http://other.org/sub/'><base href=/no/><a href=/b>b</a>")
    assert [link.target for link in page.links] == ["http://other.org/sub/a", "http://other.org/b"]


@pytest.mark.parametrize("base", ["mailto:x", "http://[", "javascript:1", ""])
def test_a_base_that_is_none_is_ignored(base):
    assert page_of(f"<base href='{base}'><a href=a>a</a>").links[0].target == "http://example.org/dir/a"


def test_a_target_met_again_is_one_link_in_its_first_place_with_its_best_words():
    menu = "<nav><a href=/a>Menu A</a><a href=/b>Menu B</a></nav>"
    story = "<a href=/a>the story of a</a> and <a href=/c>the story of c</a> and <a href=/a>a again</a> fill a line"
    page = page_of(f"{menu}<p>The words <a href=/c><img></a> and {story}.</p>")
    assert anchors(page) == {"a": "the story of a", "b": "Menu B", "c": "the story of c"}
    assert [link.navigation for link in page.links] == [False, True, False]
    assert [link.position for link in page.links] == [0, 1, 2]


def test_rel_is_kept_in_lower_case():
    page = page_of("<a href=/a rel='NoFollow UGC'>a</a><a href=/b>b</a>")
    assert [(link.rel, link.nofollow) for link in page.links] == [("nofollow ugc", True), ("", False)]


def test_links_that_are_not_shown_count_as_navigation_without_words():
    page = page_of(
        "<p>text</p><div hidden><a href=/a>trap</a></div><noscript><a href=/b>b</a><iframe src=/c></noscript>"
    )
    assert anchors(page) == {"a": "", "b": ""}
    assert all(link.navigation for link in page.links)


@pytest.mark.parametrize("spelt", ["hidden", "HIDDEN", "hIdDeN", 'hidden="until-found"'])
@pytest.mark.parametrize("before", ["", "x"], ids=["even", "odd"])
def test_the_word_hidden_is_seen_in_any_case_and_at_any_place(before, spelt):
    page = page_of(f"{before}<p {spelt}><a href=/a>trap</a>")
    assert anchors(page) == {"a": ""}


def test_a_link_in_a_link_keeps_its_place():
    page = page_of("<a href=/a>one<table><tr><td><a href=/b>two</a></table>three</a>")
    assert list(anchors(page)) == ["a", "b"]


WORDS = st.lists(st.text("abcde", min_size=1, max_size=5), min_size=1, max_size=4).map(" ".join)
PIECES = st.one_of(
    WORDS.map(lambda words: ("text", words)),
    WORDS.map(lambda words: ("link", words)),
    st.sampled_from(
        ["<p>", "<br>", "</p>", "<b>", "</b>", "<li>", "<h2>x</h2>", " ", "\n  ", "<nav>", "</nav>", "<td>"]
    ).map(lambda markup: ("markup", markup)),
)


@given(st.lists(PIECES, max_size=30))
def test_every_link_says_what_its_anchor_says(pieces):
    body, said = "", {}
    for number, (kind, words) in enumerate(pieces):
        if kind == "link":
            said[str(number)] = words
            body += f"<a href=/{number}>{words}</a>"
        else:
            body += words
    assert anchors(page_of(body)) == said


def test_a_base_too_long_to_repeat_is_left_out():
    page = page_of(f"<base href='http://example.org/{'x' * 5_000}/'><a href=y>y</a>")
    assert [link.target for link in page.links] == ["http://example.org/dir/y"]


def test_no_more_links_are_taken_than_asked_for():
    body = "".join(f"<a href=/{number % 7}>{number}</a> " for number in range(5_000))
    assert [link.position for link in page_of(body, max_links=5).links] == [0, 1, 2, 3, 4]
    assert page_of(body, max_links=0).links == ()
    assert len(page_of(body, max_links=100).links) == 7


def test_names_of_pictures_side_by_side_are_not_one_word():
    page = page_of("<p>see<a href=/a><img alt=Iris></a><a href=/b><img alt=Tulip></a>here")
    assert page.text == "see Iris Tulip here"
    assert [link.anchor for link in page.links] == ["Iris", "Tulip"]
