"""Where the words of a topic stand, and where they stand together."""

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from thresher.language import words
from thresher.language.word_forms import forms
from thresher.language.word_numbers import LONG, number_of
from thresher.topic.word_places import MOST, SLACK, TopicWords, together

SAID = st.lists(st.sampled_from(["iris", "irises", "eye", "eyes", "the", "of", "pupil", "auge"]), max_size=60).map(
    " ".join
)


def test_forms_of_one_word_are_one_word():
    found = TopicWords(["iris", "irises", "eye"])
    assert found.words == ["iris", "eye"]
    assert found.number("irises") == found.number("iris") == 0


@given(SAID)
def test_a_long_text_is_read_as_a_short_one_is(said):
    sought = TopicWords(["iris", "eye"])
    short = sought.find(said, "en")
    long = sought.find(said + " x" * LONG, "en")
    assert list(long.places) == list(short.places)
    assert short.length == len(words(said))
    assert long.length == short.length + LONG


@given(SAID)
def test_every_place_has_a_form_of_its_word(said):
    sought = TopicWords(["iris", "eye"])
    spoken = words(said)
    places = dict(sought.find(said, "en").places)
    for place, word in enumerate(spoken):
        assert (place in places) == any(word in forms(each) for each in sought.words)


def test_so_many_places_and_no_more_are_looked_at():
    assert len(TopicWords(["iris"]).find("iris " * (3 * MOST), "en").places) == MOST


def test_words_that_only_look_like_one_of_the_topic_take_no_place():
    topic = TopicWords(["iris"])
    alike = next(word for number in count() if topic._maybe[number_of(word := f"w{number}") >> 52])
    assert topic.find(f"{alike} " * (2 * MOST + 1) + "iris", "en").places == [(2 * MOST + 1, 0)]


def test_words_together_count_once_each():
    assert together([(0, 0), (1, 1), (2, 0), (3, 1)], {0, 1}) == [1, 3]
    assert together([(0, 0), (1, 1), (2, 0)], {0, 1}) == [1]
    assert together([(0, 0), (2 + SLACK, 1)], {0, 1}) == []
    assert together([(0, 0), (1 + SLACK, 1)], {0, 1}) == [1 + SLACK]
    assert together([(0, 1)], {0, 1}) == []
