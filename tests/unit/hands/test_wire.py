"""What goes over the wire comes back as it was, and nothing else comes in."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.hands.wire import (
    MOST_BYTES,
    Frames,
    answer_of,
    decode_answer,
    encode,
    fetched_of,
    judgement_of,
    page_of,
)
from thresher.language.word_numbers import word_numbers
from thresher.model import Evidence, Failed, Judgement, Later, Link, Page, Refused, Rendition, Response, Url

texts = st.text(max_size=40)
urls = texts.map(lambda text: Url(f"http://h.example/{text}"))
numbers = st.floats(allow_nan=False, allow_infinity=False)
headers = st.lists(st.tuples(st.binary(max_size=9), st.binary(max_size=9)), max_size=4).map(tuple)
responses = st.builds(
    Response,
    urls,
    st.integers(100, 599),
    headers,
    st.binary(),
    st.binary(),
    st.binary(),
    numbers,
    numbers,
    texts,
    st.one_of(st.none(), st.builds(Rendition, st.binary(), texts)),
)
judgements = st.builds(
    Judgement,
    st.floats(0, 1),
    st.booleans(),
    st.lists(st.builds(Evidence, texts, texts, numbers), max_size=3).map(tuple),
)


@st.composite
def pages(draw):
    url, text = draw(urls), draw(texts)
    places = st.integers(0, len(text))
    drawn = draw(st.lists(st.tuples(urls, places, places, texts, texts, st.booleans()), max_size=5))
    shown = draw(st.integers(0, len(drawn)))
    links = tuple(
        Link(url, target, text, start, end, heading, position, rel, navigation, "feed" if position >= shown else "")
        for position, (target, start, end, heading, rel, navigation) in enumerate(drawn)
    )
    said = [draw(texts) for _ in range(3)]
    headings = tuple(draw(st.lists(texts, max_size=3)))
    leads = draw(st.one_of(st.none(), urls)), draw(st.one_of(st.none(), urls))
    may = draw(st.booleans()), draw(st.booleans())
    facts = tuple(draw(st.dictionaries(texts, texts, max_size=2)).items())
    return Page(url, *said, text, draw(texts), headings, links, *leads, *may, (), draw(texts), facts)


def sent(answer):
    return decode_answer(encode(answer))


@given(responses, pages(), judgements)
def test_an_answer_its_page_and_its_judgement_come_back_as_they_were(response, page, judgement):
    answer = sent(answer_of(7, response, page, judgement))
    assert answer.number == 7
    assert fetched_of(answer) == response
    assert page_of(answer.page, page.url) == page
    assert judgement_of(answer.judgement) == judgement


def test_words_that_a_judge_counted_travel_with_the_page():
    response, page = (
        Response(Url("http://h/"), 200, (), b"", b""),
        Page(Url("http://h/"), main="iris of the eye " * 200),
    )
    assert sent(answer_of(1, response, page)).words is None
    counted = word_numbers(page.main).tobytes()
    assert sent(answer_of(1, response, page)).words == counted


@given(
    st.one_of(
        st.builds(Refused, texts, texts, st.booleans()),
        st.builds(Failed, texts, texts, st.booleans(), st.booleans()),
        st.builds(
            Later,
            texts,
            st.one_of(st.none(), numbers),
            st.one_of(st.none(), numbers),
            st.booleans(),
            texts,
            st.lists(urls, max_size=3).map(tuple),
        ),
    )
)
def test_what_is_no_answer_comes_back_too(fetched):
    assert fetched_of(sent(answer_of(1, fetched))) == fetched


def test_a_body_that_is_as_received_is_sent_once():
    raw = b"x" * 10_000
    assert len(encode(answer_of(1, Response(Url("http://h/"), 200, (), raw, raw)))) < 11_000


@given(st.binary())
def test_other_bytes_are_refused_or_make_a_harmless_value(noise):
    try:
        answer = decode_answer(noise)
    except msgspec.MsgspecError:
        return
    assert isinstance(answer.number, int)


def test_letters_that_are_none_do_not_stop_an_answer():
    page = Page(Url("http://h/"), title="\ud800 iris", text="\udfff")
    back = sent(answer_of(1, Response(Url("http://h/"), 200, (), b"", b""), page))
    assert "iris" in back.page.title


@pytest.mark.parametrize("count", [0, 5])
def test_links_share_the_text_of_their_page(count):
    text = "iris " * 50
    links = tuple(Link(Url("http://h/"), Url(f"http://h/{n}"), text, 0, 4, "H", n) for n in range(count))
    back = sent(
        answer_of(1, Response(Url("http://h/"), 200, (), b"", b""), Page(Url("http://h/"), text=text, links=links))
    )
    page = page_of(back.page, Url("http://h/"))
    assert all(link.text is page.text for link in page.links)


@given(st.lists(st.binary(max_size=20), max_size=6), st.lists(st.integers(0, 150), max_size=8))
def test_frames_come_whole_however_the_socket_cuts_them(said, cuts):
    stream = b"".join(len(frame).to_bytes(4, "big") + frame for frame in said)
    heard, places = [], [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    frames = Frames(lambda frame: heard.append(bytes(frame)), lambda: None)
    for start, end in pairwise(places):
        frames.data_received(stream[start:end])
    assert heard == said


def test_a_frame_longer_than_any_answer_ends_the_conversation():
    class Transport:
        closed = False

        def close(self):
            self.closed = True

    frames, transport = Frames(lambda _: None, lambda: None), Transport()
    frames.connection_made(transport)
    frames.data_received((MOST_BYTES + 1).to_bytes(4, "big") + b"x")
    assert transport.closed
