import pytest

from thresher.fetch.kinds import declared, seen


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("Text/HTML; charset=utf-8", "text/html"),
        ("", ""),
        ("*/*", ""),
        ("html", ""),
        (" application/pdf ", "application/pdf"),
    ],
)
def test_the_declared_kind_is_the_first_part_in_lower_case(header, kind):
    assert declared(header) == kind


@pytest.mark.parametrize(
    "start", [b"<!DOCTYPE html>", b"\xef\xbb\xbf\n <html lang=en>", b"<!-- hi -->", b"<P>", b"<?xml version"]
)
def test_html_is_seen_by_its_first_tag(start):
    assert seen(start) == "text/html"


@pytest.mark.parametrize("start", [b"<pre", b"<applet>", b"words and < signs", b"a,b,c"])
def test_other_text_is_plain(start):
    assert seen(start) == "text/plain"


@pytest.mark.parametrize("start", [b"\x89PNG\r\n\x1a\n\0\0\0", b"GIF89a\x01\x00", b"%PDF-1.7\n\x00\x01"])
def test_what_holds_control_characters_is_no_text(start):
    assert seen(start) == "application/octet-stream"
