import gzip
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.warc.record_stream import open_bytes
from thresher.warc.scan import answers

BLOCK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + b"word " * 20_000


def record(url, block=BLOCK, kind="response"):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def scanned(path, content, **options):
    path.write_bytes(content)
    notes = Counter()
    return list(answers(path, notes, **options)), notes


RECORDS = [record(f"http://a.example/{number}") for number in range(3)]


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_each_answer_stands_where_its_record_does(tmp_path, pack):
    stored = list(map(pack, RECORDS))
    found, notes = scanned(tmp_path / "w", b"".join(stored))
    assert [answer.target for answer in found] == [f"http://a.example/{number}" for number in range(3)]
    assert [answer.offset for answer in found] == [0, len(stored[0]), len(stored[0] + stored[1])]
    assert [answer.length for answer in found] == list(map(len, stored))
    assert found[0].http == b"HTTP/1.1 200 OK\r\nContent-Type: text/html"
    assert not notes


def test_a_record_over_several_gzip_members_is_read_where_places_do_not_matter(tmp_path):
    whole = b"".join(RECORDS)
    blocks = b"".join(gzip.compress(whole[start : start + 70_000]) for start in range(0, len(whole), 70_000))
    found, notes = scanned(tmp_path / "w", blocks, by_place=False)
    assert (len(found), notes) == (3, {})
    with pytest.raises(BadInput, match="one gzip stream over many records"):
        scanned(tmp_path / "w", blocks)


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_line_ends_between_records_do_not_matter_however_many(tmp_path, pack):
    found, notes = scanned(tmp_path / "w", pack(RECORDS[0] + b"\r\n" * 500_000) + pack(RECORDS[1]))
    assert (len(found), notes) == (2, {})


@given(st.binary(max_size=300), st.integers(0, 400), st.booleans(), st.booleans())
def test_whatever_bytes_are_put_into_a_file_the_scan_ends(tmp_path_factory, rubbish, at, packed, by_place):
    stored = b"".join(
        gzip.compress(record("http://a/", b"HTTP/1.1 200 OK\r\n\r\nx")) if packed else record("http://a/", b"x")
        for _ in "abc"
    )
    path = tmp_path_factory.mktemp("scan") / "w"
    try:
        found, _ = scanned(path, stored[:at] + rubbish + stored[at:], by_place=by_place)
    except BadInput:
        return
    assert len(found) <= 3 + rubbish.count(b"WARC/") + rubbish.count(b"\x1f\x8b")


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_a_whole_record_is_found_behind_one_that_says_it_is_longer_than_the_file(tmp_path, pack):
    too_long = record("http://a.example/long").replace(b"Content-Length: ", b"Content-Length: 9")
    found, notes = scanned(tmp_path / "w", pack(too_long) + b"".join(map(pack, RECORDS)), by_place=False)
    assert [answer.target for answer in found] == [f"http://a.example/{number}" for number in range(3)]
    assert notes == {"damaged": 1}


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_a_file_of_such_records_is_given_up(tmp_path, pack, monkeypatch):
    tries = []
    monkeypatch.setattr("thresher.warc.scan.open_bytes", lambda *place: tries.append(place[1]) or open_bytes(*place))
    too_long = pack(record("http://a.example/long", b"x").replace(b"Content-Length: ", b"Content-Length: 999999"))
    found, notes = scanned(tmp_path / "w", too_long * 5_000, by_place=False)
    assert (found, notes["damaged"] > 0) == ([], True)
    assert sum(5_000 * len(too_long) - start for start in tries) < 12 * 5_000 * len(too_long)
