import pytest

from thresher.errors import BadInput
from thresher.topic import Topic


def test_a_topic_is_its_words_without_those_that_say_nothing():
    assert dict(Topic.of("Iris, the part of the eye").labels) == {"iris": 1.0, "part": 1.0, "eye": 1.0}


@pytest.mark.parametrize("empty", ["", "  ", "the of", "?!"])
def test_a_topic_without_a_word_is_an_error(empty):
    with pytest.raises(BadInput, match="no word to look for"):
        Topic.of(empty)
