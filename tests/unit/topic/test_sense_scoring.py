import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ontology.mini import mini

from thresher.ontology.information import from_counts
from thresher.ontology.lemmas import Lemmas, exceptions
from thresher.ontology.similarity import resnik
from thresher.topic import sense_scoring
from thresher.topic.sense_scoring import SenseTable, averages, score

MINI = mini()
RAW = from_counts(MINI, add=0)
IRIS = ("iris.plant", "iris.eye")
LINKS = {"gardening": ["plant", "leaf", "flower"], "medical": ["eye", "sphincter"]}


def table(**options):
    return SenseTable(MINI, IRIS, RAW, **options)


def test_a_word_is_scored_against_each_sense():
    assert table()["rose"] == ("rose", pytest.approx((3 / 5, 0)))
    assert table()["eye"] == ("eye", pytest.approx((0, 1 / 2)))


def test_a_word_nobody_knows_has_no_scores():
    assert table()["unicorn"] == ("unicorn", ())


def test_the_first_sense_of_a_word_counts_or_the_nearest():
    assert table()["iris"][1] == pytest.approx((1, 0))
    assert table(term_sense="max")["iris"][1] == (1, 1)


def test_all_senses_of_a_word_can_count_each_as_often_as_it_was_seen():
    plant, eye = (1 + max(label.count for label in MINI[each].labels if label.text.lower() == "iris") for each in IRIS)
    share = plant / (plant + eye)
    assert 0 < share < 1
    assert table(term_sense="posterior")["iris"][1] == pytest.approx((share, 1 - share))


def test_a_word_is_computed_once():
    asked = []

    def counted(*given):
        asked.append(given)
        return resnik(*given)

    words = table(measure=counted)
    assert words["rose"] == words["rose"]
    assert len(asked) == len(IRIS)


def test_the_table_does_not_grow_without_end(monkeypatch):
    monkeypatch.setattr(sense_scoring, "MOST_WORDS", 100)
    words = table()
    for number in range(1000):
        words[f"word{number}"]
    assert len(words) <= 100
    assert words["rose"][1]


def test_averages_are_over_all_words_known_or_not():
    assert averages(table(), ["rose", "eye", "unicorn", "gnome"]) == pytest.approx([0.15, 0.125])
    assert averages(table(), ["rose", "eye", "unicorn", "gnome"], ignore_unknown=True) == pytest.approx([0.3, 0.25])


def test_a_word_counts_once_in_whatever_form():
    words = table(lemma=Lemmas(MINI, kind=""))
    assert averages(words, ["rose", "rose", "ROSE"]) == pytest.approx([0.6, 0])


def test_the_topics_own_word_can_be_left_out():
    assert averages(table(), ["iris", "eye"]) == pytest.approx([1 / 2, 1 / 4])
    assert averages(table(), ["iris", "eye"], without=["iris"]) == pytest.approx([0, 1 / 2])


@pytest.mark.parametrize("words", [[], ["unicorn"]])
def test_words_that_say_nothing_are_worth_nothing(words):
    assert averages(table(), words) == [0.0, 0.0]
    assert averages(table(), words, ignore_unknown=True) == [0.0, 0.0]


def test_the_score_stays_a_fraction():
    assert score([0.08, 0.385], {1}) == 0.385


def test_a_link_that_means_another_sense_is_worth_nothing():
    assert score([0.273, 0.077], {1}) == 0
    assert score([0.273, 0.077], {0}) == 0.273


def test_a_tie_goes_to_the_desired_sense_if_it_is_worth_anything():
    assert score([0.2, 0.2], {1}) == 0.2
    assert score([0.0, 0.0], {1}) == 0
    assert score([], {1} & set()) == 0


def test_several_senses_may_be_desired():
    assert score([0.1, 0.3, 0.2], {0, 1}) == 0.3
    assert score([0.1, 0.2, 0.3], {0, 1}) == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.data())
def test_one_sense_wins_and_the_rest_are_worth_nothing(each, data):
    desired = data.draw(st.sets(st.integers(0, len(each) - 1)))
    rest = set(range(len(each))) - desired
    assert max(score(each, desired), score(each, rest)) == max(each)
    assert 0 <= score(each, desired) <= max(each)


def test_the_averages_of_table_ii_choose_the_links(wordnet, wordnet_folder, shipped):
    words = SenseTable(
        wordnet,
        ["iris.n.01", "iris.n.02"],
        shipped("semcor-add1"),
        lemma=Lemmas(wordnet, "noun", exceptions(wordnet_folder)),
    )
    gardening, medical = (averages(words, LINKS[link]) for link in ("gardening", "medical"))
    assert gardening == pytest.approx([0.273, 0.077], abs=0.03)
    assert medical == pytest.approx([0.08, 0.385], abs=0.03)
    assert score(gardening, {0}) == gardening[0] > 0
    assert score(medical, {1}) == medical[1] > 0
    assert score(gardening, {1}) == score(medical, {0}) == 0


def test_without_smoothing_the_medical_link_is_never_chosen(wordnet, shipped):
    words = SenseTable(wordnet, ["iris.n.01", "iris.n.02"], shipped("semcor"))
    assert [averages(words, link)[1] for link in LINKS.values()] == [0, 0]
    assert score(averages(words, LINKS["medical"]), {1}) == 0


def test_forms_of_words_are_found_by_ending_or_exception(wordnet, wordnet_folder):
    if not exceptions(wordnet_folder):
        pytest.skip("this WordNet came without lists of irregular forms: pip install 'thresher[wordnet]'")
    noun = Lemmas(wordnet, "noun", exceptions(wordnet_folder))
    verb = Lemmas(wordnet, "verb", exceptions(wordnet_folder, "verb"))
    adjective = Lemmas(wordnet, "adjective", exceptions(wordnet_folder, "adjective"))
    assert [noun(word) for word in ("Irises", "dogs", "leaves", "geese", "churches", "policemen", "bodies")] == [
        *("iris", "dog", "leaf", "goose", "church", "policeman", "body")
    ]
    assert [verb(word) for word in ("went", "making", "tried", "passes")] == ["go", "make", "try", "pass"]
    assert adjective("prettier") == "pretty"
    assert [noun(word) for word in ("eyes", "", "qwertys", "made")] == ["eyes", None, None, None]
