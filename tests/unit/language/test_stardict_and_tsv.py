import pytest
from tests.unit.language.dictionary_files import stardict

from thresher.errors import BadInput
from thresher.language.dictionaries import DictionaryEntry, tsv
from thresher.language.dictionaries import stardict as reader

LISTED = {"आँख": b"eye, optic", "फूल": b"flower\nbloom"}
ENTRIES = [DictionaryEntry("आँख", ("eye", "optic")), DictionaryEntry("फूल", ("flower", "bloom"))]


@pytest.mark.parametrize("options", [{}, {"wide": True}, {"packed": True}])
def test_a_stardict_dictionary_is_read_whatever_its_packing(tmp_path, options):
    assert list(reader.read(stardict(tmp_path, LISTED, **options))) == ENTRIES


def test_fields_of_other_kinds_are_skipped(tmp_path):
    texts = {"आँख": b"aankh\0eye"}
    assert list(reader.read(stardict(tmp_path, texts, kinds="tm"))) == [DictionaryEntry("आँख", ("eye",))]


def test_a_text_may_name_its_own_kinds(tmp_path):
    texts = {"आँख": b"taankh\0W\0\0\0\x03abcmeye\0"}
    assert list(reader.read(stardict(tmp_path, texts, kinds=""))) == [DictionaryEntry("आँख", ("eye",))]


def test_markup_is_taken_off(tmp_path):
    texts = {"आँख": "<k>आँख</k><br/><b>eye</b> &amp; optic<br><ex>He has eyes.</ex>".encode()}
    assert list(reader.read(stardict(tmp_path, texts, kinds="h"))) == [DictionaryEntry("आँख", ("eye & optic",))]


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("<k>word</k>eye", "eye"),
        ("<k>word</k >eye", "wordeye"),
        ("<ex>never closed, eye", "never closed"),
        ("<i>a <i>b</i> eye", "eye"),
        ("<tr>x</tr>eye<co>y</co>", "eye"),
        ("eye < nose", "eye"),
        ("eye <k", "eye"),
    ],
)
def test_what_is_not_for_translation_goes_up_to_its_first_end(tmp_path, text, translation):
    (entry,) = reader.read(stardict(tmp_path, {"आँख": text.encode()}, kinds="h"))
    assert entry.translations[0] == translation


def broken(folder, name, content):
    ifo = stardict(folder, LISTED)
    (folder / name).write_bytes(content)
    return ifo


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("hin-eng.ifo", b"something else\n", r"hin-eng\.ifo, line 1: expected"),
        ("hin-eng.ifo", b"\xff\xff", r"hin-eng\.ifo: cannot be read"),
        ("hin-eng.idx", b"eye\0\0\0\0\0", r"hin-eng\.idx, byte 0: the word does not end"),
        ("hin-eng.idx", b"x" * 5000, r"hin-eng\.idx, byte 0: the word does not end"),
        ("hin-eng.idx", b"\xff\0" + b"\0" * 8, r"hin-eng\.idx, byte 0: the word is not UTF-8"),
        ("hin-eng.idx", b"eye\0\0\0\xff\0\0\0\0\x01", r"byte 0: 'eye' points behind the end of hin-eng\.dict"),
        ("hin-eng.idx", b"eye\0\0\0\0\0\x7f\0\0\0", r"byte 0: 'eye' claims .* too much"),
        ("hin-eng.dict", b"\xff" * 100, r"byte 0: the text of 'आँख' is not UTF-8"),
    ],
)
def test_a_broken_stardict_dictionary_is_refused_with_file_and_place(tmp_path, name, content, reason):
    with pytest.raises(BadInput, match=reason):
        list(reader.read(broken(tmp_path, name, content)))


def test_a_field_longer_than_its_text_is_refused(tmp_path):
    ifo = stardict(tmp_path, {"eye": b"W\xff\xff\xff\xffab"}, kinds="")
    with pytest.raises(BadInput, match=r"longer than the text"):
        list(reader.read(ifo))


def test_a_stardict_dictionary_without_its_text_is_refused(tmp_path):
    ifo = stardict(tmp_path, LISTED)
    (tmp_path / "hin-eng.dict").unlink()
    with pytest.raises(BadInput, match=r"there is no hin-eng\.dict"):
        list(reader.read(ifo))


def test_a_table_by_hand_is_read(tmp_path):
    path = tmp_path / "hi-en.tsv"
    path.write_text("\ufeff# ours\nआँख\teye\toptic\n\nमधुमेह\tdiabetes\r\n")
    assert list(tsv.read(path)) == [DictionaryEntry("आँख", ("eye", "optic")), DictionaryEntry("मधुमेह", ("diabetes",))]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a\tb\nword only\n", r"hi-en\.tsv, line 2: expected a word, a tab and a translation, not 'word only'"),
        (b"\tb\n", "line 1: expected"),
        (b"a\t \n", "line 1: expected"),
        (b"a\t\xff\n", "line 1: not UTF-8"),
        (b"a\t" + b"b" * 100_000, "line 1: longer than 65,536 bytes"),
    ],
)
def test_a_broken_table_is_refused_with_file_and_line(tmp_path, content, reason):
    path = tmp_path / "hi-en.tsv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=reason):
        list(tsv.read(path))
    with pytest.raises(BadInput, match="cannot be read"):
        list(tsv.read(tmp_path / "no.tsv"))
