import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.language import words
from thresher.model import Link, Url
from thresher.topic.link_text import anchors, anchors_and_hrefs, contexts, href_words, windows
from thresher.topic.scoring import Weigher

SOURCE, TARGET = Url("https://a.example/"), Url("https://a.example/Bed-wetting/at%20night")
SENTENCE = "The coloured ring that\nsurrounds the pupil, a hole, is called iris. It is in the middle of the eye"


def link(words, text=SENTENCE, **more):
    start = text.index(words)
    return Link(SOURCE, TARGET, text, start, start + len(words), **more)


def test_anchors_are_what_one_clicks_on():
    assert anchors([link("that\nsurrounds"), link("iris")]) == ["that surrounds", "iris"]


def test_a_link_description_is_anchor_and_address():
    assert anchors_and_hrefs([link("iris")]) == ["iris\nhttps a example bed wetting at night"]


def test_no_phrase_is_half_in_the_anchor_and_half_in_the_address():
    bed = link("bed", "go to bed")._replace(target=Url("https://wetting.example/"))
    assert Weigher({"bed wetting": 15}).weigh_each(anchors_and_hrefs([bed])) == [0]


def test_windows_are_so_many_words_on_each_side():
    assert windows([link("pupil"), link("iris"), link("The"), link("eye")], 2) == [
        "surrounds the pupil, a",
        "is called iris. It",
        "The coloured ring",
        "of the eye",
    ]


def test_contexts_are_so_many_characters_on_each_side_without_half_words():
    assert contexts([link("pupil"), link("eye")], 15) == ["surrounds the pupil, a hole, is", "middle of the eye"]
    assert contexts([link("pupil")], 14) == ["surrounds the pupil, a hole, is"]
    assert contexts([link("pupil")], 13) == ["the pupil, a hole, is"]
    assert contexts([link("pupil")], 11) == ["the pupil, a hole,"]


def test_a_context_begins_with_the_heading_above():
    assert contexts([link("iris", heading="Parts of the eye")], 8) == ["Parts of the eye\ncalled iris. It is"]


def test_an_anchor_within_a_word_is_whole_and_the_rest_is_left_out_if_it_is_too_long():
    text = "unforgettable bedwettinghelp"
    assert contexts([link("wetting", text)], 3) == ["bedwetting"]
    assert contexts([link("wetting", text)], 2) == ["wetting"]


def test_no_links_have_no_text():
    assert anchors([]) == anchors_and_hrefs([]) == windows([]) == contexts([]) == []


# ── any page ──

PIECE = st.sampled_from(["a", "bé", "iris", " ", "\n", "\u00a0", "\x1f", "\u3000", "(", ".", "मी", "𝕏", "x" * 60])
TEXT = st.lists(PIECE, max_size=40).map("".join) | st.text()


@st.composite
def pages(draw):
    text = draw(TEXT)
    place = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(place, place).map(sorted), max_size=6))
    headings = st.sampled_from(["", "Above"])
    return [Link(SOURCE, TARGET, text, start, end, draw(headings)) for start, end in spans]


def context_of(link, chars):
    """The definition, character by character."""
    text = link.text
    starts = [place for place in range(len(text)) if begins(text, place) and link.start - chars <= place < link.start]
    ends = [place for place in range(len(text) + 1) if stops(text, place) and link.end < place <= link.end + chars]
    around = text[min(starts, default=link.start) : max(ends, default=link.end)]
    return f"{link.heading}\n{around}" if link.heading else around


def begins(text, place):
    return not text[place].isspace() and (place == 0 or text[place - 1].isspace())


def stops(text, place):
    return place > 0 and not text[place - 1].isspace() and (place == len(text) or text[place].isspace())


@given(st.lists(pages(), max_size=3), st.integers(0, 12))
@example([[link("pupil"), Link(SOURCE, TARGET, " \n", 1, 1), Link(SOURCE, TARGET, "", 0, 0)]], 3)
def test_windows_are_the_contexts_that_links_have_each_on_its_own(some, words):
    links = [link for page in some for link in page]
    assert windows(links, words) == [link.context(words) for link in links]


@given(st.lists(pages(), max_size=3), st.integers(0, 90))
def test_contexts_are_what_walking_character_by_character_finds(some, chars):
    links = [link for page in some for link in page]
    assert contexts(links, chars) == [context_of(link, chars) for link in links]


@given(pages())
def test_a_batch_has_what_each_link_has(links):
    assert anchors(links) == [link.anchor for link in links]
    for batch in (anchors_and_hrefs, windows, contexts):
        assert batch(links) == [text for link in links for text in batch([link])]


# ── words of an address ──


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/bedwetting/x", "bedwetting x"),
        ("https://a.example/Sleep-Disorders_2024.html", "https a example sleep disorders 2024 html"),
        ("?q=bed+wetting%20help&page=2", "q bed wetting help page 2"),
        ("/b%C3%A9b%C3%A9", "bébé"),
        ("/b%E9b%E9", "bébé"),
        ("/%E0%A4%AC%E0%A5%80%E0%A4%AE%E0%A4%BE%E0%A4%B0", "बीमार"),
        ("/100%/%zz", "100 zz"),
        ("", ""),
    ],
)
def test_an_address_is_split_into_words(href, expected):
    assert href_words(href) == expected


def test_humps_are_split_only_on_demand():
    assert href_words("/nightTimeHelp/HTMLPage") == "nighttimehelp htmlpage"
    assert href_words("/nightTimeHelp/HTMLPage", camel=True) == "night time help html page"


@given(st.text())
def test_any_href_becomes_words(href):
    assert href_words(href) == " ".join(words(href_words(href)))
