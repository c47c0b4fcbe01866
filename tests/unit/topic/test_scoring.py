import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.language import STOP_WORDS
from thresher.language.word_numbers import LONG
from thresher.topic.link_text import href_words
from thresher.topic.scoring import Cosine, Weigher

TOPIC = {"bedwetting": 15, "nocturnal enuresis": 12}
IMPORTANCE = {
    "Comp. Sc. And Engg.": 1.0,
    "Comp. Engg.": 0.9,
    "Comp. Sc.": 0.8,
    "Information Tech.": 0.5,
    "Computer": 0.4,
    "Engineering": 0.3,
}
DEPARTMENT = "Dept of Comp. Sc. And Engg. offers Information Tech. and Computer Engineering"
WORDS = ["night", "time", "Night time", "help", "so and so"]
TEXT = st.lists(st.sampled_from([*WORDS, "and", "-", "\n", "É"]), max_size=12).map(" ".join)


def test_lokmans_page_weighs_42_and_his_link_27():
    weigher = Weigher(TOPIC)
    assert weigher.weigh("Bedwetting (nocturnal enuresis) is common. Bedwetting help.") == 42
    assert weigher.weigh(f"Nocturnal enuresis treatment\n{href_words('/bedwetting/x')}") == 27


@pytest.mark.parametrize(("overlap", "score"), [("independent", 3.0), ("longest", 2.2)])
def test_kumar_and_vigs_department_weighs_as_their_table_of_importance_says(overlap, score):
    assert Weigher(IMPORTANCE, overlap=overlap).weigh(DEPARTMENT) == pytest.approx(score, abs=1e-15)


def test_what_a_weight_is_made_of_can_be_seen():
    assert Weigher(TOPIC).found("Bedwetting, bedwetting") == {"bedwetting": 2}


def test_inflected_words_weigh_as_much():
    assert Weigher({"sleep disorders": 8}, stem=lambda word: word.removesuffix("s")).weigh("a sleep disorder") == 8


def test_nothing_found_weighs_nothing():
    assert Weigher({}).weigh_each(["anything", ""]) == [0, 0]
    assert Weigher(TOPIC).weigh_each([]) == []


def test_a_weight_may_be_negative():
    assert Weigher({"iris": 2, "camera": -3}).weigh("the iris of a camera") == -1


def test_the_order_of_the_words_does_not_show():
    weigher = Weigher({"a": 0.1, "b": 0.2, "c": 0.3})
    assert weigher.weigh("a b c") == weigher.weigh("c b a") == 0.6


def test_an_unknown_overlap_is_refused():
    with pytest.raises(BadInput, match="independent, longest"):
        Weigher(TOPIC, overlap="both")


@given(
    st.dictionaries(st.sampled_from(WORDS), st.integers(-100, 100) | st.floats(-1, 1)),
    st.lists(TEXT, max_size=6),
    st.sampled_from(["independent", "longest"]),
    st.sampled_from([None, lambda word: word[0]]),
)
def test_texts_weighed_as_one_batch_weigh_what_each_weighs(labels, texts, overlap, stem):
    weigher = Weigher(labels, overlap=overlap, stem=stem)
    assert weigher.weigh_each(texts) == [weigher.weigh(text) for text in texts]


@given(st.dictionaries(st.sampled_from(WORDS), st.integers(-(10**12), 10**12)), TEXT)
def test_whole_numbers_stay_exact(labels, text):
    weigher = Weigher(labels)
    assert weigher.weigh(text) == sum(labels[label] * count for label, count in weigher.found(text).items())


# ── the cosine ──

SENTENCE = st.lists(st.sampled_from(["iris", "eye", "lens", "the", "Éire", "\n", "-"]), max_size=12).map(" ".join)
WEIGHTS = st.dictionaries(st.sampled_from(["iris", "eye", "eye lens", "", "the"]), st.floats(0, 15))


def test_it_is_equation_1():
    # Topic (iris 1, eye 1), text (iris 2, eye 1, lens 1): 3 / sqrt(2 * 6).
    assert Cosine({"iris": 1, "eye": 1}).similarity("Iris, iris: eye, lens") == pytest.approx(3 / math.sqrt(12))


def test_for_one_word_it_is_the_words_share_of_the_length_of_the_text():
    assert Cosine({"iris": 7}).similarity("iris iris iris eye eye eye eye") == pytest.approx(3 / 5)


def test_a_phrase_gives_its_weight_to_each_of_its_words():
    assert Cosine({"blue iris": 2, "iris": 1}).similarity("blue") == pytest.approx(2 / math.hypot(2, 3))


def test_stop_words_count_on_neither_side():
    plain, without = Cosine({"iris": 1}), Cosine({"the": 5, "iris": 1}, stop_words=STOP_WORDS)
    assert without.similarity("the iris of the eye") == plain.similarity("iris eye")


def test_inflected_words_count_as_one():
    alike = Cosine({"crawlers": 1}, stem=lambda word: word.removesuffix("s"))
    assert alike.similarity("crawler crawlers web") == pytest.approx(2 / math.sqrt(5))


@given(WEIGHTS, SENTENCE)
def test_it_is_from_0_to_1_and_its_shares_add_up_to_it(weights, text):
    alike = Cosine(weights)
    assert 0 <= alike.similarity(text) <= 1
    assert sum(alike.shares(text).values()) == pytest.approx(alike.similarity(text))


@given(WEIGHTS, st.lists(SENTENCE, max_size=4))
def test_a_batch_is_as_one_by_one(weights, texts):
    alike = Cosine(weights)
    assert alike.similarities(texts) == [alike.similarity(text) for text in texts]


@given(SENTENCE.filter(str.strip))
def test_repeating_a_text_changes_nothing(text):
    alike = Cosine({"iris": 2, "eye": 1})
    assert alike.similarity(f"{text} {text}") == pytest.approx(alike.similarity(text))


def test_weights_as_small_as_a_float_can_be_count_by_their_proportions():
    tiny = 5e-324
    assert Cosine({"iris": tiny}).similarity("iris eye") == pytest.approx(math.sqrt(0.5))


@given(WEIGHTS, SENTENCE)
def test_a_long_text_is_as_like_the_topic_as_the_sentence_it_repeats(weights, text):
    alike = Cosine(weights)
    assert alike.similarity(f"{text} " * LONG) == pytest.approx(alike.similarity(text), rel=1e-12)
