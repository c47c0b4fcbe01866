import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.page_of import page_of

from thresher.parse.encoding import utf8

GERMAN = "<p>Die Schwertlilie wächst, blüht und heißt auf Französisch « iris » und schön.</p>"
RUSSIAN = "<p>Ирис цветёт в начале лета, корни хорошо хранятся в сухом песке.</p>"
JAPANESE = "<p>アヤメは初夏に花を咲かせ、その根は乾いた砂の中でよく保存されます。</p>"
CHINESE = "<p>鸢尾花在初夏开放,它的根在干燥的沙土中保存得很好。</p>"
KOREAN = "<p>붓꽃은 초여름에 꽃을 피우며 뿌리는 마른 모래에서 잘 보존됩니다.</p>"


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        (GERMAN, "cp1252", "iso-8859-1"),
        (GERMAN, "cp1252", "US-ASCII"),
        (GERMAN, "utf-8", "utf8"),
        (GERMAN, "utf-8", "iso-8859-1"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "KOI8-R"),
        (JAPANESE, "cp932", "Shift_JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (CHINESE, "gbk", "gb2312"),
        (CHINESE, "gb18030", "GBK"),
        (KOREAN, "cp949", "ks_c_5601-1987"),
    ],
)
@pytest.mark.parametrize("place", ["header", "meta", "http-equiv", "xml"])
def test_the_label_is_read_wherever_it_stands_as_browsers_read_it(text, codec, label, place):
    said = {
        "header": "",
        "meta": f"<!doctype html><meta charset='{label}'>",
        "http-equiv": f"<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset={label}'>",
        "xml": f"<?xml version='1.0' encoding='{label}'?>",
    }[place]
    header = f'text/html; Charset="{label}"' if place == "header" else "text/html"
    assert utf8((said + text).encode(codec), header).decode() == said + text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_and_byte_order_marks_outweigh_labels(codec):
    body = ("<html><head><title>x</title>" + GERMAN).encode(codec)
    assert utf8(body, "text/html; charset=windows-1251").decode().endswith(GERMAN)


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, JAPANESE, CHINESE, KOREAN])
@pytest.mark.parametrize("label", ["utf-7", "nonsense", "", "hex", "unicode_escape", "utf-16", "idna", "x" * 5000])
def test_unlabelled_and_mislabelled_utf_8_is_found_out(text, label):
    assert utf8(text.encode(), f"text/html; charset={label}").decode() == text


@pytest.mark.parametrize(
    ("text", "codec"),
    [(RUSSIAN * 5, "cp1251"), (JAPANESE * 5, "cp932"), (JAPANESE * 5, "euc_jp"), (CHINESE * 5, "gb18030")],
)
@pytest.mark.parametrize("label", ["utf-8", "utf-16", "made-up"])
def test_a_label_that_the_bytes_belie_gives_way_to_a_guess(text, codec, label):
    assert utf8(text.encode(codec), f"text/html; charset={label}").decode() == text


def test_a_bad_byte_does_not_spoil_a_page():
    body = GERMAN.encode().replace("heißt".encode(), b"hei\xfft")
    assert utf8(body, "text/html; charset=utf-8") == body
    assert "wächst" in page_of(body).text


def test_a_character_cut_off_at_the_end_does_not_spoil_a_page():
    assert "wächst" in page_of(("<p>" + GERMAN + "ä").encode()[:-1]).text


@given(st.binary(max_size=300), st.text(max_size=40))
def test_any_bytes_become_text(body, label):
    assert isinstance(utf8(body, f"text/html; charset={label}"), bytes)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=200))
def test_utf_8_that_says_so_is_left_alone(text):
    assert utf8(text.encode(), "text/html; charset=utf-8") == text.encode()
