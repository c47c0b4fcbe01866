"""What is remembered of urls."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.remembered import Remembered


class Asked:
    """A function that counts its calls."""

    def __init__(self):
        self.urls = []

    def __call__(self, url):
        self.urls.append(url)
        return len(url) - 3


def rows(*urls):
    return [("a first column", url) for url in urls]


# As urls are: other letters may have the bytes of these.
ASCII = st.text(st.characters(max_codepoint=127), max_size=6)


@given(st.lists(st.lists(ASCII, max_size=12), max_size=12), st.sampled_from([1, 2, 8, 1 << 17]))
def test_a_number_is_what_the_function_says_however_small_the_table_is(pages, slots):
    remembered = Remembered(Asked(), 1, slots)
    for page in pages:
        assert remembered.of(rows(*page)) == [len(url) - 3 for url in page]


def test_a_url_is_asked_about_once():
    asked = Asked()
    remembered = Remembered(asked, column=1)
    assert remembered.of(rows("http://a/", "http://a/b")) == [6, 7]
    assert remembered.of(rows("http://a/b", "http://a/c", "http://a/")) == [7, 7, 6]
    assert asked.urls == ["http://a/", "http://a/b", "http://a/c"]


def test_a_text_whose_hash_is_nought_is_asked_about_too():
    asked = Asked()
    assert Remembered(asked, 1).of(rows("")) == [-3]
    assert asked.urls == [""]


def test_a_text_with_the_bytes_of_a_url_is_not_taken_for_it():
    url = "http://good.example/ab"
    same_bytes = url.encode().decode("utf-16-le")
    assert hash(same_bytes) == hash(url)
    remembered = Remembered(Asked(), 1)
    assert remembered.of(rows(same_bytes)) == [len(same_bytes) - 3]
    assert remembered.of(rows(url)) == [len(url) - 3]
    assert remembered.of(rows(same_bytes, url)) == [len(same_bytes) - 3, len(url) - 3]


@pytest.mark.parametrize(("seed", "asked"), [("random", 1), ("", 1), ("0", 2), ("7", 2)])
def test_where_hashes_can_be_foreseen_nothing_is_remembered(seed, asked):
    program = "from thresher.remembered import Remembered; r = Remembered(lambda url: print(url) or 0, 0); r.of([('a',)]); r.of([('a',)])"
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, check=True
    )
    assert done.stdout.split() == [b"a"] * asked


def test_no_rows_have_no_numbers():
    assert Remembered(Asked(), 1).of([]) == []
