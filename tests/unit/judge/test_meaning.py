"""Judging by meaning, with an encoder that counts letters and with the real one where it is installed."""

import re

import numpy as np
import pytest

from thresher.errors import BadInput, Missing
from thresher.install_hint import install_hint
from thresher.judge import meaning
from thresher.judge.meaning import MeaningJudge, StaticEmbeddings, page_text
from thresher.judge.terms import TermsJudge
from thresher.language.extras import extra
from thresher.model import Page, Url
from thresher.testing import check_encoder, check_judge, iris
from thresher.topic import Topic

SYNONYMS = {"automobile": "car", "vehicle": "car"}
needs_wordllama = pytest.mark.skipif(extra("wordllama") is None, reason="needs pip install 'thresher[meaning]'")


class WordBag:
    """An encoder of our own: how often each of a few words occurs, with synonyms."""

    words = ("car", "engine", "bread", "iris", "eye", "pupil", "garden")

    def encode(self, texts):
        said = [[SYNONYMS.get(word, word) for word in text.lower().replace(".", " ").split()] for text in texts]
        return np.array([[each.count(word) for word in self.words] for each in said], dtype=np.float32)


WORD_BAG = WordBag()


def page(main, **parts):
    return Page(Url("http://a.example/"), main=main, text=main, **parts)


def judge(topic, **keys):
    return MeaningJudge(Topic.of(topic), encoder=WordBag(), **keys)


def test_a_page_that_says_the_same_in_other_words_is_found():
    other = page("The automobile and the vehicle. " * 5)
    assert TermsJudge(Topic.of("car")).judge(other).relevance == 0.0
    assert judge("car").judge(other).relevance > judge("car").judge(page("Bread. " * 10)).relevance


def test_words_still_count():
    said, meant = page("A car. " * 10), page("An automobile. " * 10)
    assert judge("car").judge(said).relevance > judge("car").judge(meant).relevance > 0


def test_evidence_says_how_near_it_is_and_which_words_were_found():
    found = judge("car").judge(page("A car, an automobile."))
    assert [(each.what, each.where) for each in found.evidence] == [("meaning", "judge"), ("car", "text")]
    assert found.evidence[0].amount == pytest.approx(1.0)


def test_an_empty_page_is_not_relevant():
    assert judge("car", threshold=0.0).judge(page("")) == judge("car").judge(page(" "))
    assert not judge("car", threshold=0.0).judge(page("")).relevant


def test_it_keeps_the_promises_of_a_judge_and_the_encoder_those_of_one():
    check_judge(lambda: judge(iris.TOPIC))
    check_encoder(type("Better", (WordBag,), {"words": (*WordBag.words, "the", "a")}))


def test_only_the_beginning_of_a_page_is_encoded():
    assert len(page_text(page("x" * 9999, title="t" * 100, headings=("h" * 999,)))) < 2000


def test_an_encoder_is_named_by_its_module():
    named = MeaningJudge(Topic.of("car"), encoder=f"{__name__}:WORD_BAG")
    assert named.judge(page("automobile")).relevance == judge("car").judge(page("automobile")).relevance


@pytest.mark.parametrize("name", ["nowhere", "nowhere:x", "json:x", "json:dumps"])
def test_an_encoder_that_is_none_is_refused(name):
    with pytest.raises(BadInput, match="encoder '"):
        MeaningJudge(Topic.of("car"), encoder=name)


def test_a_threshold_that_no_relevance_has_is_refused():
    with pytest.raises(BadInput, match="judge 'meaning': threshold is 7"):
        judge("car", threshold=7)


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    meaning._model.cache_clear()
    monkeypatch.setattr(meaning, "extra", lambda _: None)
    with pytest.raises(Missing, match=re.escape(install_hint("meaning"))):
        MeaningJudge(Topic.of("car"))


@needs_wordllama
def test_the_embeddings_that_ship_keep_their_promises():
    meaning._model.cache_clear()
    check_encoder(StaticEmbeddings)


@needs_wordllama
def test_the_embeddings_know_what_is_near():
    meaning._model.cache_clear()
    found = MeaningJudge(Topic.of("housing crisis"))
    near, far = (
        page("Rents rise faster than wages, and families cannot find a flat they can afford."),
        page("Whisk the eggs, add flour and bake the cake for half an hour."),
    )
    assert found.judge(near).relevance > found.judge(far).relevance


def near(said, found):
    return said.judge(found).evidence[0].amount


def test_examples_say_what_the_topic_is_beside_its_words():
    both = judge("iris", examples=["Car engine car.", "An automobile. Engine.", "Vehicle, car."])
    car, iris_page, neither = page("An engine of a car."), page("Iris. Iris."), page("Bread.")
    assert near(judge("iris"), car) == near(both, neither) == 0.0
    assert 0.2 < near(both, car) < near(both, iris_page) == pytest.approx(0.5)


def test_a_page_half_as_near_as_the_examples_are_to_each_other_is_like_none_of_them():
    cars = judge("iris", examples=["car", "car", "car"])
    assert near(cars, page("car eye eye")) == 0.0
    assert near(cars, page("car eye")) > 0.0
    assert near(cars, page("car")) == pytest.approx(0.25)


def test_examples_that_have_nothing_in_common_are_refused():
    with pytest.raises(BadInput, match="the 3 example pages have nothing in common"):
        judge("iris", examples=["car car", "bread bread", "garden garden"])


def test_one_example_is_too_few():
    with pytest.raises(BadInput, match="one example page, but it takes at least two"):
        judge("iris", examples=["car"])
