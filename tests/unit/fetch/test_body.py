import gzip
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from thresher.fetch.body import Body, declared_type, seen_type
from thresher.fetch.failures import Spoiled

CAP = 1 << 16


def raw_deflate(content):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(content) + packer.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda content: brotli.compress(content, quality=3),
    "zstd": zstandard.compress,
}


def unpack(encodings, packed, *, piece=7, cap=CAP, ratio=200.0, strict=True):
    body = Body(encodings, cap=cap, ratio=ratio, strict=strict)
    for start in range(0, len(packed), piece):
        body.feed(packed[start : start + piece])
    body.end()
    return body


@given(st.binary(max_size=3000), st.sampled_from([*PACKERS]), st.integers(1, 5000))
def test_what_was_packed_comes_out_however_it_is_cut(content, encoding, piece):
    body = unpack(encoding, PACKERS[encoding](content), piece=piece)
    assert body.unpacked == content
    assert body.raw == PACKERS[encoding](content)


@given(st.binary(max_size=3000), st.lists(st.sampled_from([*PACKERS]), max_size=3))
def test_several_encodings_are_undone_last_first(content, encodings):
    packed = content
    for encoding in encodings:
        packed = PACKERS[encoding](packed)
    assert unpack(", ".join(encodings), packed).unpacked == content


@given(st.binary(max_size=2000), st.sampled_from([*PACKERS]))
def test_noise_is_either_unpacked_or_bad_encoding(noise, encoding):
    try:
        unpack(encoding, noise)
    except Spoiled as spoiled:
        assert spoiled.why in {"bad-encoding", "too-large", "bomb"}  # noqa: PT017 - unpacking may also succeed


def test_deflate_without_its_wrapper_is_understood():
    assert unpack("deflate", raw_deflate(b"hello " * 50)).unpacked == b"hello " * 50


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("zstd", zstandard.compress)])
def test_several_members_are_one_content(encoding, pack):
    assert unpack(encoding, pack(b"one ") + pack(b"two")).unpacked == b"one two"


def test_what_follows_a_gzip_member_is_ignored_as_browsers_do():
    assert unpack("gzip", gzip.compress(b"page") + b"\r\n").unpacked == b"page"


def test_unknown_encodings_are_ignored():
    assert unpack("utf-8, none", b"page").unpacked == b"page"


def test_an_empty_body_needs_no_gzip_wrapper():
    assert unpack("gzip", b"").unpacked == b""


@pytest.mark.parametrize("encoding", PACKERS)
def test_half_of_it_is_bad_encoding(encoding):
    packed = PACKERS[encoding](bytes(range(256)) * 8)
    with pytest.raises(Spoiled) as caught:
        unpack(encoding, packed[: len(packed) // 2])
    assert caught.value.why == "bad-encoding"


@pytest.mark.parametrize("encoding", PACKERS)
def test_badly_encoded_content_is_empty_where_only_the_status_matters(encoding):
    body = unpack(encoding, b"this is not packed at all", strict=False)
    assert body.unpacked == b""
    assert body.raw == b"this is not packed at all"


def test_a_body_of_exactly_the_cap_passes_and_one_byte_more_does_not():
    assert unpack("", bytes(CAP)).raw == bytes(CAP)
    with pytest.raises(Spoiled, match="too-large"):
        unpack("", bytes(CAP + 1))


@pytest.mark.parametrize("encoding", PACKERS)
def test_the_cap_holds_for_the_unpacked_body_too(encoding):
    content = bytes(range(256)) * (CAP // 256)
    assert unpack(encoding, PACKERS[encoding](content)).unpacked == content
    with pytest.raises(Spoiled, match="too-large"):
        unpack(encoding, PACKERS[encoding](content + b"!"))


def test_a_small_page_may_be_packed_as_well_as_it_likes():
    row = b"<tr><td></td></tr>" * 50_000
    assert unpack("br", brotli.compress(row), cap=5 << 20).unpacked == row


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_bomb_is_stopped_before_it_costs_memory(encoding):
    bomb = PACKERS[encoding](bytes(150_000_000))
    tracemalloc.start()
    with pytest.raises(Spoiled) as caught:
        unpack(encoding, bomb, piece=len(bomb), cap=5 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.why == "bomb"
    assert peak < 100 << 20


def test_a_bomb_inside_another_encoding_is_a_bomb_even_if_its_content_is_small():
    bomb = gzip.compress(b"\x1f\x8b" + bytes(50_000_000))
    with pytest.raises(Spoiled, match="bomb"):
        unpack("gzip, gzip", bomb, piece=len(bomb), cap=5 << 20)


def test_what_is_packed_very_often_is_not_unpacked():
    with pytest.raises(Spoiled, match="bad-encoding"):
        Body("gzip, gzip, gzip, gzip", cap=CAP, ratio=200.0)


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
    assert declared_type(header) == kind


@pytest.mark.parametrize(
    "start", [b"<!DOCTYPE html>", b"\xef\xbb\xbf\n <html lang=en>", b"<!-- hi -->", b"<P>", b"<?xml version"]
)
def test_html_is_seen_by_its_first_tag(start):
    assert seen_type(start) == "text/html"


@pytest.mark.parametrize("start", [b"<pre", b"<applet>", b"words and < signs", b"a,b,c"])
def test_other_text_is_plain(start):
    assert seen_type(start) == "text/plain"


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize("start", [b"\x89PNG\r\n\x1a\n\0\0\0", b"GIF89a\x01\x00"])
def test_what_holds_control_characters_is_no_text(start):
    assert seen_type(start) == "application/octet-stream"


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"%PDF-1.7\n\x00\x01", "application/pdf"),
        (b"{\\rtf1 x", "application/rtf"),
        (
            b"PK\x03\x04" + b"\0" * 14 + b"\x14\0\0\0" * 2 + b"\x08\0\0\0mimetypeapplication/epub+zipPK",
            "application/epub+zip",
        ),
        (b"PK\x03\x04" + b"\0" * 22 + b"\x13\0\0\0[Content_Types].xml", WORD),
        (b"PK\x03\x04" + b"\0" * 22 + b"\x05\0\0\0a.txtx", "application/zip"),
        (b"PK\x03\x04", "application/zip"),
        (b"PK\x03\x04" + b"\0" * 14 + b"\x04\0\0\0" * 2 + b"\x08\0\0\0mimetype\x1b[2/", "application/zip"),
        (b"PK\x03\x04" + b"\xff" * 26, "application/zip"),
    ],
)
def test_a_document_is_seen_by_its_first_bytes(start, kind):
    assert seen_type(start) == kind
