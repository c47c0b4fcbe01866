import random
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.language import words
from thresher.language.word_numbers import LONG
from thresher.topic.link_text import href_words
from thresher.topic.matching import Match, Matcher, flat

TOPIC = {"bedwetting": 15, "nocturnal enuresis": 12}
BRANCHES = {
    "Comp. Sc. And Engg.": 1.0,
    "Comp. Engg.": 0.9,
    "Comp. Sc.": 0.8,
    "Information Tech.": 0.5,
    "Computer": 0.4,
    "Engineering": 0.3,
}
DEPARTMENT = "Dept of Comp. Sc. And Engg. offers Information Tech. and Computer Engineering"


def weighed(weights, text, **options):
    return sum(weights[label] * count for label, count in Matcher(weights, **options).count(text).items())


# ── numbers of the papers ──


@pytest.mark.parametrize(("overlap", "score"), [("independent", 3.0), ("longest", 2.2)])
def test_kumars_department_scores_as_in_his_table(overlap, score):
    assert weighed(BRANCHES, DEPARTMENT, overlap=overlap) == pytest.approx(score)


def test_lokmans_page_and_link_score_42_and_27():
    assert weighed(TOPIC, "Bedwetting (nocturnal enuresis) is common. Bedwetting help.") == 42
    assert weighed(TOPIC, href_words("/bedwetting/x") + "\n" + "Nocturnal enuresis treatment") == 27


# ── what counts as an occurrence ──


def test_words_are_whole_words():
    assert Matcher(["iris"]).count("irises Irish iris2 über-iris IRIS") == {"iris": 2}


def test_a_phrase_is_found_across_spaces_hyphens_and_lines():
    text = "Breast  carcinoma, breast-carcinoma, breast_\ncarcinoma and breast"
    assert Matcher(["breast carcinoma", "breast"]).count(text) == {"breast carcinoma": 3, "breast": 4}


def test_words_of_other_scripts_are_whole_too():
    text = "बीमारियों और बीमार"
    assert Matcher(["बीमार"]).find(text) == [Match("बीमार", 13, 18)]
    assert Matcher(["बीमार"]).count(text) == {"बीमार": 1}


def test_a_mark_is_part_of_a_word_and_never_stands_between_two():
    assert Matcher(["ब म"]).count("बी म") == {}


def test_labels_of_the_same_words_all_count():
    labels = ["Bed-wetting", "bed wetting", "BED WETTING"]
    assert Matcher(labels).count("Bed wetting") == dict.fromkeys(labels, 1)
    assert {match.label for match in Matcher(labels, overlap="longest").find("bed wetting")} == set(labels)


def test_a_label_given_twice_counts_once():
    assert Matcher(["iris", "iris"]).count("iris") == {"iris": 1}


def test_labels_without_a_word_are_never_found():
    assert Matcher(["", " ", "--", "iris"]).find("-- iris --") == [Match("iris", 3, 7)]
    assert Matcher([""]).count("anything") == {}
    assert Matcher([]).find("anything") == []
    assert Matcher(["iris"]).find("") == []


def test_a_label_that_overlaps_itself_counts_each_time_it_is_independent():
    assert Matcher(["so and so"]).count("so and so and so") == {"so and so": 2}
    assert Matcher(["so and so"], overlap="longest").count("so and so and so") == {"so and so": 1}


def test_of_labels_that_begin_together_the_longest_counts():
    found = Matcher(["nocturnal", "nocturnal enuresis", "enuresis"], overlap="longest").find(
        "Nocturnal enuresis, enuresis"
    )
    assert found == [Match("nocturnal enuresis", 0, 18), Match("enuresis", 20, 28)]


def test_an_unknown_overlap_is_an_error_that_lists_the_choices():
    with pytest.raises(BadInput, match="independent, longest"):
        Matcher(["iris"], overlap="both")


# ── inflection ──


def plural(word):
    return word.removesuffix("s")


def test_inflected_words_are_found_by_their_stems_on_both_sides():
    matcher = Matcher(["sleep disorders", "child"], stem=plural)
    assert matcher.count("Childs with a sleep disorder") == {"sleep disorders": 1, "child": 1}
    assert matcher.find("SLEEPS disorders") == [Match("sleep disorders", 0, 16)]


def test_each_word_is_stemmed_once():
    asked = Counter()

    def stem(word):
        asked[word] += 1
        return plural(word)

    Matcher(["eye"], stem=stem).count("eyes " * 1000)
    assert asked == {"eye": 1, "eyes": 1}


@pytest.mark.parametrize("stem", [lambda _: "", lambda word: f"{word[0]} {word[1:]}", str.upper])
def test_whatever_a_stemmer_says_a_word_stays_one_word(stem):
    matcher = Matcher(["night time"], stem=stem)
    assert matcher.find("the night time is") == [Match("night time", 4, 14)]
    assert matcher.count("nighttime") == {}


# ── places ──


def test_places_are_those_of_the_text_as_it_was_given():
    text = "İİİ İstanbul «İris», IRIS"
    found = Matcher(["İris", "iris"]).find(text)
    assert [text[match.start : match.end] for match in found] == ["İris", "IRIS"]


def test_places_are_in_the_order_of_the_text():
    found = Matcher(["sleep", "disturbed sleep at night", "night"]).find("Disturbed sleep at night")
    assert [match[1:] for match in found] == [(0, 24), (10, 15), (19, 24)]


# ── any vocabulary, any text ──

WORD = st.sampled_from(["a", "b", "ab", "É", "i̇", "İ", "मी", "म", "φΣ"])
GAP = st.sampled_from([" ", "-", "  ", "_", ". ", "»", "\n", "—"])
TEXT = st.lists(st.tuples(WORD, GAP), max_size=25).map(lambda pairs: "".join(word + gap for word, gap in pairs))
LABELS = st.lists(st.lists(WORD, min_size=0, max_size=4).map(" ".join), max_size=30)

MANY = [f"label {number}" for number in range(20)]


def reference(labels, text, overlap, stem):
    """Compares every stretch of words with every label."""
    keys = {label: [stem(word) for word in words(label)] for label in labels}
    tokens = [stem(word) for word in words(text)]
    found = [
        (start, start + len(key), label)
        for label, key in keys.items()
        for start in range(len(tokens))
        if key and tokens[start : start + len(key)] == key
    ]
    return found if overlap == "independent" else longest(found)


def longest(found):
    chosen, free = [], 0
    for start in sorted({start for start, _, _ in found}):
        if start >= free:
            free = max(end for begin, end, _ in found if begin == start)
            chosen += [hit for hit in found if hit[:2] == (start, free)]
    return chosen


@given(LABELS, TEXT, st.sampled_from(["independent", "longest"]), st.sampled_from([None, lambda word: word[0]]))
def test_it_finds_what_comparing_every_stretch_of_words_finds(labels, text, overlap, stem):
    matcher = Matcher(labels, overlap=overlap, stem=stem)
    expected = reference(labels, text, overlap, stem or str)
    found = matcher.find(text)
    assert matcher.count(text) == Counter(label for _, _, label in expected) == Counter(match.label for match in found)
    tokens = words(text)
    stretches = [tokens[start:end] for start, end, _ in sorted(expected)]
    assert sorted(words(text[match.start : match.end]) for match in found) == sorted(stretches)
    assert found == sorted(found, key=lambda match: match[1:])


@given(LABELS, TEXT)
def test_in_a_long_text_the_same_labels_are_counted(labels, text):
    matcher = Matcher(labels[:3])
    assert matcher.count("…" * LONG + text) == matcher.count(text)


@given(
    LABELS,
    st.lists(TEXT | st.text(), max_size=8),
    st.sampled_from(["independent", "longest"]),
    st.sampled_from([None, lambda word: word[0]]),
)
def test_texts_counted_as_one_batch_are_counted_each_on_its_own(labels, texts, overlap, stem):
    for some in (labels[:3], labels + MANY):
        matcher = Matcher(some, overlap=overlap, stem=stem)
        assert matcher.count_each(texts) == [matcher.count(text) for text in texts]


@pytest.mark.parametrize("overlap", ["independent", "longest"])
def test_a_phrase_neither_reaches_into_the_next_text_nor_hides_what_stands_there(overlap):
    matcher = Matcher(["night", "night time help", "time help", *MANY], overlap=overlap)
    assert matcher.count_each(["at night", "", "time\nhelp"]) == [{"night": 1}, {}, {"time help": 1}]


@given(st.lists(st.text(), max_size=40), st.text())
def test_any_label_and_any_text_are_survived(labels, text):
    matcher = Matcher([*labels, text])
    assert matcher.count(text) == Counter(match.label for match in matcher.find(text))
    assert all(words(text[start:end]) == words(label) for label, start, end in matcher.find(text))


@given(st.text() | TEXT)
def test_a_flat_text_has_the_same_words_at_the_places_they_had(text):
    flattened = flat(text)
    assert flattened.split() == words(text)
    assert len(flattened) == len(text.lower())


# ── speed ──


def test_a_hundred_times_the_labels_take_about_as_long():
    dice = random.Random(3)
    vocabulary = ["".join(dice.choices("abcdefghij", k=6)) for _ in range(20_000)]
    text = " ".join(dice.choices(vocabulary, k=20_000))
    rare = [" ".join(dice.choices(vocabulary, k=3)) for _ in range(5000)]
    few, many = (best_time(Matcher(labels), text) for labels in (rare[:50], rare))
    assert many < 10 * few


def best_time(matcher, text):
    times = []
    for _ in range(3):
        start = time.process_time()
        matcher.count(text)
        times.append(time.process_time() - start)
    return min(times)
