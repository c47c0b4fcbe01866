import gzip

import pytest
from tests.unit.language.dictionary_files import dictd

from thresher.errors import BadInput
from thresher.language.dictionaries import DictionaryEntry
from thresher.language.dictionaries.definition_texts import MOST_TEXT
from thresher.language.dictionaries.dictd import read

FOOD = 'food /fu:d/ <N>\n1. आहार\n      "We cannot survive without food."\n2. सँकरी~खाड़ी, भोजन\n'
LISTED = {"food": FOOD, "00databaseinfo": "A dictionary for tests\n", "eye": "eye <N>\n1. आँख\n"}


@pytest.mark.parametrize("packed", [True, False])
def test_entries_come_with_their_translations_and_without_examples(tmp_path, packed):
    assert list(read(dictd(tmp_path, LISTED, packed=packed))) == [
        DictionaryEntry("food", ("आहार", "सँकरी खाड़ी", "भोजन")),
        DictionaryEntry("eye", ("आँख",)),
    ]


def test_labels_notes_and_cross_references_are_no_translations(tmp_path):
    text = (
        "Akut-Zeichen /aku/ (x) <neut, n, sg>\n [print] acute accent <n>, acute <n>s.\n         Note: above a letter\n"
        "   Synonym: {Akut}\n\n see: {Zeichen}, {Akute}\n\n"
    )
    assert list(read(dictd(tmp_path, {"akutzeichen": text}))) == [
        DictionaryEntry("Akut-Zeichen", ("acute accent", "acute"))
    ]


def test_words_that_share_a_text_each_get_it(tmp_path):
    index = dictd(tmp_path, {"eye": "eye\nआँख\n"})
    index.write_text(index.read_text() + index.read_text().replace("eye", "oculus"))
    assert list(read(index)) == [DictionaryEntry("eye", ("आँख",)), DictionaryEntry("oculus", ("आँख",))]


def test_the_index_lost_an_apostrophe_the_text_has_it(tmp_path):
    assert next(read(dictd(tmp_path, {"taxe doctroi": "taxe d'octroi /x/ <n>\nexcise\n"}))).word == "taxe d'octroi"


def test_a_reflexive_verb_or_an_article_is_listed_by_its_word(tmp_path):
    texts = {"die polizei": "die Polizei <fem>\npolice\n", "sich freuen": "sich freuen <v>\nbe glad\n"}
    assert [entry.word for entry in read(dictd(tmp_path, texts))] == ["Polizei", "freuen"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"eye\n", "expected a word, an offset and a length"),
        (b"eye\tA!\tB\n", "base-64"),
        (b"eye\tA\t\n", "base-64"),
        (b"eye\t" + b"/" * 40 + b"\tB\n", "base-64"),
        (b"eye\tA\t/////\n", "too much"),
        (b"eye\t//////\tB\n", "too much"),
        (b"eye\tZZZ\tB\n", "points behind the end of eng-hin.dict.dz"),
        (b"\xff\xfe\tA\tB\n", "not UTF-8"),
    ],
)
def test_a_broken_index_is_refused_with_file_and_line(tmp_path, line, reason):
    index = dictd(tmp_path, LISTED)
    index.write_bytes(b"eye\tA\tB\n" + line)
    with pytest.raises(BadInput, match=r"eng-hin\.index, line 2: .*" + reason):
        list(read(index))


def test_a_text_that_is_not_utf8_is_refused(tmp_path):
    index = dictd(tmp_path, {"eye": "eye\nxx\n"}, packed=False)
    (tmp_path / "eng-hin.dict").write_bytes(b"eye\n\xe9\xe9\n")
    with pytest.raises(BadInput, match=r"line 1: the text of 'eye' is not UTF-8"):
        list(read(index))


@pytest.mark.parametrize(
    "damage", [lambda packed: packed[:-9], lambda packed: b"no gzip", lambda packed: packed[:20] + b"\0" * 9]
)
def test_a_damaged_text_is_refused(tmp_path, damage):
    index = dictd(tmp_path, LISTED)
    text = tmp_path / "eng-hin.dict.dz"
    text.write_bytes(damage(text.read_bytes()))
    with pytest.raises(BadInput, match=r"eng-hin"):
        list(read(index))


def test_a_missing_text_is_refused(tmp_path):
    index = dictd(tmp_path, LISTED)
    (tmp_path / "eng-hin.dict.dz").unlink()
    with pytest.raises(BadInput, match=r"there is no eng-hin\.dict\.dz"):
        list(read(index))


def test_a_bomb_is_stopped_where_a_text_could_not_reach(tmp_path, monkeypatch):
    assert MOST_TEXT < 1 << 30
    monkeypatch.setattr("thresher.language.dictionaries.definition_texts.MOST_TEXT", 4 << 20)
    index = dictd(tmp_path, {"eye": "eye\nxx\n"})
    (tmp_path / "eng-hin.dict.dz").write_bytes(gzip.compress(b"\0" * (64 << 20)))
    index.write_text("eye\tD////\tB\n")  # the last byte before 64 MiB
    with pytest.raises(BadInput, match=r"too much"):
        list(read(index))
    index.write_text("eye\tP///\tB\n")  # a byte within the limit, in a piece that goes beyond it
    assert len(list(read(index))) == 1


def test_an_index_that_points_at_one_text_a_million_times_is_refused(tmp_path):
    index = dictd(tmp_path, {"eye": "eye\n" + "x" * 900_000}, packed=False)
    index.write_text(index.read_text() * 100)
    with pytest.raises(BadInput, match=r"too many times"):
        list(read(index))
