"""What a crawl teaches about its own topic."""

import pytest

from thresher.classify.crawl_learner import TOP, WordCommonness, chosen_examples, learnt_from
from thresher.errors import BadInput
from thresher.model import Page, Url

EYE = "cornea lens retina pupil sight doctor light"
GARDEN = "petal soil rose spade bloom border sun"


def page(number, words):
    return Page(
        Url(f"http://a.example/{number}"), title=f"Page {number}", main=f"{words} number{number} word{number % 7}"
    )


PAGES = [page(number, EYE if number % 5 == 0 else GARDEN) for number in range(400)]
ABOUT = [number % 5 == 0 for number in range(400)]


def learnt(relevance, labels):
    """The probability of each page, by what the crawl and the labels teach."""
    common = WordCommonness()
    for each in PAGES:
        common.add(each)
    examples = chosen_examples(relevance, [each >= 0.5 for each in relevance], labels)
    words = learnt_from([(each, PAGES[each.place]) for each in examples], common)
    return [words.probability(each) for each in PAGES]


def test_pages_are_found_that_have_none_of_the_words_the_judge_knew():
    seen = [0.9 if about and number < 5 * TOP else 0.0 for number, about in enumerate(ABOUT)]
    said = learnt(seen, {})
    unseen = [(each, about) for number, (each, about) in enumerate(zip(said, ABOUT, strict=True)) if number >= 5 * TOP]
    assert min(each for each, about in unseen if about) > max(each for each, about in unseen if not about)


def test_a_person_counts_more_than_the_judge():
    wrong = [0.0 if about else 0.4 for about in ABOUT]
    labels = {number: ABOUT[number] for number in range(200)}
    said = learnt(wrong, labels)
    assert said[395] > said[399]


def test_the_same_crawl_teaches_the_same():
    seen = [float(about) for about in ABOUT]
    assert learnt(seen, {}) == learnt(seen, {})


def test_what_the_judge_calls_relevant_is_no_example_of_other_pages():
    seen = [0.9] * 300 + [0.1] * 100
    assert {
        each.place for each in chosen_examples(seen, [each > 0.5 for each in seen], {}) if not each.relevant
    } == set(range(300, 400))


@pytest.mark.parametrize("relevance", [[0.9] * 400, [0.0] * 400, [0.9] * 10 + [0.1] * 100])
def test_too_few_examples_of_either_kind_are_refused(relevance):
    with pytest.raises(BadInput, match=r"too little to learn from: .* it takes 5 and 30"):
        chosen_examples(relevance, [each > 0.5 for each in relevance], {})


def test_commonness_is_the_same_after_it_was_saved():
    common = WordCommonness()
    for each in PAGES[:50]:
        common.add(each)
    saved = WordCommonness(common.saved())
    for each in PAGES[50:60]:
        common.add(each)
        saved.add(each)
    assert saved.saved() == common.saved()
