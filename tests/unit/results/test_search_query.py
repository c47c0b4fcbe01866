"""What is typed is read as it is meant, and SQLite takes whatever comes of it."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.results.search.query import QueryGroup, QueryPiece, read_query
from thresher.results.search.word_index import TOKENIZE

PAGES = [
    "The iris of the eye",
    "an iris flower",
    "an iris, two eyes",
    "iris eye 虹\u200b膜",
    "naïve café",
    "breast cancer",
]


@pytest.fixture(scope="module")
def words():
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = {TOKENIZE})")
    connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(PAGES))
    yield connection
    connection.close()


def found(words, text, **options):
    expression = read_query(text, **options).expression()
    return [
        number
        for (number,) in words.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY 1", (expression.all,))
    ]


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("iris", [0, 1, 2, 3]),
        ("iris eye", [0, 2, 3]),
        ('"iris eye"', [3]),
        ('"iris eye', [3]),
        ("iris -flower", [0, 2, 3]),
        ('iris -"of the"', [1, 2, 3]),
        ("flow*", [1]),
        ("the iris of a eye", [0, 2, 3]),
        ("NAIVE cafe", [4]),
        ("虹膜", [3]),
        ("膜虹", []),
        ("(iris) AND:eye*", []),
        ("iris^2", []),
    ],
)
def test_a_query_means_what_people_mean(words, text, pages):
    assert found(words, text) == pages


@given(st.text(max_size=60) | st.text(alphabet='"*-()^:+{}ANDORT iris\x00虹', max_size=40))
def test_nothing_that_is_typed_is_an_error_of_sqlite(words, text):
    try:
        query = read_query(text)
    except BadInput:
        return
    for every in (True, False):
        for expression in query.expression(every=every):
            (pages,) = words.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone()
            assert 0 <= pages <= len(PAGES)


def test_a_very_long_query_is_cut_and_not_refused(words):
    assert found(words, "iris eye " * 5_000) == [0, 2, 3]


def test_words_that_name_one_thing_bring_its_other_names_and_the_longest_name_counts():
    synonyms = {("breast", "cancer"): ["breast carcinoma"], ("cancer",): ["tumour"]}
    query = read_query("early breast cancer", synonyms)
    assert query.groups[1] == QueryGroup((QueryPiece(("breast",)), QueryPiece(("cancer",))), ("breast carcinoma",))
    assert query.others == ["breast carcinoma"]


def test_a_synonym_may_stand_in_for_the_word_it_means(words):
    assert found(words, "carcinoma early", synonyms={("carcinoma",): ["breast cancer"], ("early",): ["cancer"]}) == [5]


def test_what_is_not_wanted_is_never_widened():
    assert read_query("eye -iris", {("iris",): ["flag"]}).others == []


@pytest.mark.parametrize("text", ["", "   ", "++ ... !", "-iris"])
def test_a_query_without_a_word_says_what_to_give(text):
    with pytest.raises(BadInput, match="has no word to look for"):
        read_query(text)
