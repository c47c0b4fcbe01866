import codecs
import os
from pathlib import Path

import pytest

from thresher.parse.charset_names import codec_of
from thresher.parse.declared_charset import LOOK, in_header, in_page
from thresher.parse.encoding import declared

HOUSE = Path(__file__).parents[3]
TESTDATA = Path(os.environ.get("HTML5LIB_TESTDATA", HOUSE / ".venv/html5lib-1.1/html5lib/tests/testdata"))
NEEDS_JAVASCRIPT = b"""<script>document.write('<meta charset="ISO-8859-' + '2">')</script>"""
"""Browsers run it. html5lib's tests of today keep it apart, in a folder `scripted`."""


def html5lib_cases():
    for path in sorted((TESTDATA / "encoding").glob("*.dat")):
        for case in path.read_bytes().split(b"#data\n")[1:]:
            page, _, encoding = case.partition(b"\n#encoding\n")
            if NEEDS_JAVASCRIPT not in page:
                yield page, encoding.split(b"\n")[0].decode()


def test_every_declaration_of_html5libs_tests_is_read_as_there():
    cases = list(html5lib_cases())
    if not cases:
        pytest.skip(
            "needs html5lib's test data: unpack the source distribution of html5lib 1.1 into .venv, as .ci/run does, "
            "or name its folder testdata in HTML5LIB_TESTDATA"
        )
    otherwise = [
        (page, encoding, read)
        for page, encoding in cases
        if codecs.lookup(read := declared(page) or "windows-1252") != codecs.lookup(encoding)
    ]
    assert otherwise == []
    assert len(cases) == 82


@pytest.mark.parametrize(
    "page",
    [
        "<meta charset=koi8-r>",
        "<META CHARSET = ' KOI8-R '/>",
        "<meta/charset=koi8-r>",
        "<p x='>'><meta charset=koi8-r>",
        "</p x='<meta charset=utf-8>'><meta charset=koi8-r>",
        "<! <meta charset=utf-8><meta charset=koi8-r>",
        "<!--><meta charset=koi8-r>-->",
        "<!-- a -- b ->> --><meta charset=koi8-r>",
        "<meta charset=koi8-r charset=utf-8>",
        "<meta charset=no-such-name><meta charset=koi8-r>",
        "<meta content='text/html; charset=utf-8' charset=koi8-r http-equiv=content-type>",
        "<meta http-equiv=content-type content='charset charset = koi8-r; charset=utf-8'>",
        """<meta http-equiv=content-type content='text/html; charset="koi8-r"'>""",
        "<meta name=viewport content=x><meta =x charset=koi8-r>",
        "<?xml version='1.0' encoding='utf-8'?><meta charset=koi8-r>",
        "<?xml version='1.0' encoding = \"koi8-r\"?><p>",
        "x < y << z <3 <meta charset=koi8-r>",
        "<p" + " " * 9000 + "><meta charset=koi8-r>",
    ],
)
def test_these_declare_koi8_r(page):
    assert in_page(page.encode()) == "koi8-r"


@pytest.mark.parametrize(
    "page",
    [
        "",
        "charset=koi8-r",
        "<meta charset=koi8-r",
        "<meta charset='koi8-r>",
        "<meta charset>",
        "<meta charset=>",
        "<metal charset=koi8-r>",
        "<p title='<meta charset=koi8-r>'>",
        "<!-- <meta charset=koi8-r> -->",
        "<meta content='text/html; charset=koi8-r'>",
        "<meta http-equiv=refresh content='text/html; charset=koi8-r'>",
        "<meta http-equiv=content-type content='text/html; charset'>",
        "<meta http-equiv=content-type content='text/html; charset= '>",
        """<meta http-equiv=content-type content='text/html; charset="koi8-r'>""",
        " <?xml version='1.0' encoding='koi8-r'?>",
        "<?xml version='1.0' encoding='koi8-r'",
        "<?xml version='1.0' encoding=koi8-r?>",
        "<?xml version='1.0'?> encoding='koi8-r'",
        "x" * LOOK + "<meta charset=koi8-r>",
    ],
)
def test_these_declare_nothing(page):
    assert in_page(page.encode()) is None


@pytest.mark.parametrize(
    ("header", "codec"),
    [
        ("text/html; charset=koi8-r", "koi8-r"),
        ('text/html;CHARSET = "KOI8-R"', "koi8-r"),
        ("text/html; charset='koi8-r'; x=y", "koi8-r"),
        ('text/html; charset="koi8-r', "koi8-r"),
        ("text/html; charset=koi8-r, text/html", "koi8-r"),
        ("text/html; charset; charset=koi8-r", "koi8-r"),
        ("text/html; charset=; charset=koi8-r", "koi8-r"),
        ("text/html; charset=no-such-name", None),
        ("text/html; charset=", None),
        ("text/html", None),
    ],
)
def test_the_charset_parameter_of_a_header_is_read_with_leniency(header, codec):
    assert in_header(header) == codec


def test_utf_16_within_a_page_that_can_be_read_means_utf_8():
    assert in_page(b"<meta charset=utf-16be>") == "utf-8"
    assert in_page("<?xml version='1.0'?>".encode("utf-16-le")) == "utf-16-le"


def test_a_name_is_known_in_any_case_with_blanks_around_it_and_under_its_oldest_labels():
    assert codec_of(" Latin1\n") == codec_of("ansi_x3.4-1968") == codec_of("x-user-defined") == "windows-1252"
    assert codec_of("iso-2022-kr") is codec_of("") is codec_of("utf-8" + "x" * 100) is None
