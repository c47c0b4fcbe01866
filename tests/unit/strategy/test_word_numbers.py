"""Words of pages and links as numbers: the same whatever the letters, and whether links begin between words or inside them."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.model import Link, Page, Url
from thresher.strategy.word_numbers import ANCHOR, BESIDE, IN_CONTEXT, WordNumbers

HERE = Url("http://a.example/")
TEXTS = st.text(st.sampled_from("ab c İß é–Σ日ह\u0930\u093f\U0001d49c\ud800 \n.x"), max_size=40)


def page_of(text, title, borders):
    links = [Link(HERE, Url(f"{HERE}{number}"), "", *place) for number, place in enumerate(borders)]
    return Page(HERE, title=title, text=text, links=tuple(links))


@st.composite
def pages(draw):
    text = draw(TEXTS)
    places = st.integers(0, len(text))
    borders = draw(st.lists(st.tuples(places, places).map(sorted), max_size=4))
    return page_of(text, draw(TEXTS), borders)


def in_pieces(numbers, page):
    """The words of each piece between two borders of links, by the place where the piece ends."""
    borders = sorted({0, len(page.text), *(place for link in page.links for place in (link.start, link.end))})
    return {end: numbers.of(page.text[start:end]).tolist() for start, end in pairwise(borders)}


@given(pages())
def test_the_words_of_a_page_are_those_of_its_pieces(page):
    numbers = WordNumbers()
    pieces = [word for words in in_pieces(numbers, page).values() for word in words]
    found = numbers.page(page)
    assert found.text.tolist() == pieces
    with_title = np.unique([*pieces, *numbers.of(page.title).tolist()], return_counts=True)
    assert [found.distinct.tolist(), found.counts.tolist()] == [each.tolist() for each in with_title]


@given(pages())
def test_a_link_has_the_words_between_its_borders_and_those_around(page):
    numbers = WordNumbers()
    pieces = in_pieces(numbers, page)
    rows = numbers.rows(numbers.page(page), page.links).tolist()
    for link, row in zip(page.links, rows, strict=True):
        before = [word for end, words in pieces.items() if end <= link.start for word in words][-BESIDE:]
        inside = [word for end, words in pieces.items() if link.start < end <= link.end for word in words][:ANCHOR]
        behind = [word for end, words in pieces.items() if end > link.end for word in words][:BESIDE]
        assert row[:ANCHOR] == inside + [0] * (ANCHOR - len(inside))
        assert row[ANCHOR : ANCHOR + BESIDE] == [0] * (BESIDE - len(before)) + before
        assert row[ANCHOR + BESIDE : IN_CONTEXT] == behind + [0] * (BESIDE - len(behind))


def test_words_that_were_forgotten_have_the_same_numbers_again(monkeypatch):
    monkeypatch.setattr("thresher.strategy.word_numbers._REMEMBERED", 3)
    numbers = WordNumbers()
    said = "irises and eyes and pupils of irises"
    before = numbers.of(said).tolist()
    for _ in range(3):
        assert numbers.of(said).tolist() == before == WordNumbers().of(said).tolist()
        assert [numbers[word] for word in said.split()] == before


def test_a_word_has_one_number_in_the_text_in_an_address_and_in_a_heading():
    numbers = WordNumbers()
    link = Link(HERE, Url(f"{HERE}iris"), "", 0, 4, "iris")
    row = numbers.rows(numbers.page(page_of("Iris", "", [])), [link]).tolist()[0]
    assert set(row) - {0} == set(numbers.of("iris").tolist())
