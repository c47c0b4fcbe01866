"""WARC files: what other programs read in them, and what a full disk does."""

import gzip
import resource
from contextlib import suppress
from dataclasses import replace

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from thresher.errors import BadInput, DiskFull
from thresher.model import Rendition, Response
from thresher.testing.store_contract import answered, keep_all, prose
from thresher.warc.format import _stored, record_id, warc_date

TEXT = prose(1).encode()


def with_response(visit, **changes):
    return replace(visit, fetched=replace(visit.fetched, **changes))


def warcio_records(path):
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            record.content_stream().read()
            yield record


async def test_both_readers_see_the_request_and_the_response(folder):
    visit = answered(1, prose(1))
    with folder.opened() as (store, _):
        await store.keep(visit)
    info, request, response = folder.records()
    assert info[0] == "warcinfo"
    assert request == ("request", "http://host.test/1", b"")
    assert response == ("response", "http://host.test/1", visit.fetched.raw)
    assert [record[:2] for record in folder.records_again()] == [info[:2], request[:2], response[:2]]
    assert folder.records_again()[-1] == response


async def test_records_name_each_other_their_time_address_and_digest(folder):
    with folder.opened(software="Thresher/9") as (store, _):
        await store.keep(answered(1, prose(1)))
    info, request, response = warcio_records(folder.files()[0])
    assert {record.rec_headers.protocol for record in (info, request, response)} == {"WARC/1.1"}
    assert info.rec_headers.get_header("WARC-Filename") == folder.files()[0].name
    assert request.rec_headers.get_header("WARC-Concurrent-To") == response.rec_headers.get_header("WARC-Record-ID")
    assert response.rec_headers.get_header("WARC-Date") == warc_date(1.7e9 + 1) == "2023-11-14T22:13:21.000000Z"
    assert response.rec_headers.get_header("WARC-IP-Address") == "127.0.0.1"
    assert response.rec_headers.get_header("WARC-Payload-Digest").startswith("sha1:")


@pytest.mark.parametrize(
    ("encoding", "raw"),
    [
        (b"gzip", gzip.compress(TEXT)),
        (b"br", brotli.compress(TEXT)),
        (b"zstd", zstandard.compress(TEXT)),
    ],
)
async def test_a_body_is_kept_as_received_and_comes_back_decoded(folder, encoding, raw):
    headers = ((b"Content-Encoding", encoding), (b"X-Odd", b"caf\xe9: x"), (b"Set-Cookie", b"a"), (b"Set-Cookie", b"b"))
    visit = with_response(answered(1, ""), raw=raw, body=TEXT, headers=headers)
    with folder.opened() as (store, _):
        await store.keep(visit)
        (back,) = store.visits()
    assert (back.fetched.raw, back.fetched.body) == (raw, TEXT)
    assert back.fetched.headers == (*headers, (b"Content-Length", b"%d" % len(raw)))
    assert folder.records()[-1][2] == raw


async def test_a_body_that_is_not_what_its_encoding_says_comes_back_as_received(folder):
    visit = with_response(answered(1, ""), raw=b"plain", body=b"plain", headers=((b"Content-Encoding", b"gzip"),))
    with folder.opened() as (store, _):
        await store.keep(visit)
        assert next(store.visits()).fetched.body == b"plain"


async def test_chunks_are_undone_and_the_length_is_right(folder):
    headers = ((b"Transfer-Encoding", b"chunked"), (b"content-length", b"999"))
    with folder.opened() as (store, _):
        await store.keep(with_response(answered(1, "", raw=b"12345"), headers=headers))
        assert next(store.visits()).fetched.headers == ((b"content-length", b"5"),)


async def test_a_duplicate_becomes_a_revisit_record_that_refers_to_the_first(folder):
    first, second = answered(1, prose(1)), answered(2, "", raw=answered(1, prose(1)).fetched.raw)
    second = with_response(second, headers=((b"ETag", b"second"), (b"Content-Length", b"7")))
    with folder.opened() as (store, _):
        await keep_all(store, first, second)
        back = list(store.visits())
    revisit = list(warcio_records(folder.files()[0]))[-1]
    assert revisit.rec_type == "revisit"
    assert revisit.rec_headers.get_header("WARC-Profile").endswith("/revisit/identical-payload-digest")
    assert revisit.rec_headers.get_header("WARC-Refers-To-Target-URI") == "http://host.test/1"
    assert revisit.rec_headers.get_header("WARC-Refers-To-Date") == warc_date(first.fetched.at)
    assert revisit.http_headers.get_header("ETag") == "second"
    assert back[1].fetched.body == first.fetched.body
    assert back[1].fetched.header("etag") == "second"


async def test_what_a_reader_made_of_an_answer_is_a_conversion_record_that_refers_to_it(folder):
    read = Rendition(b"<p>The iris.</p>", "pdf")
    visits = [
        with_response(answered(1, prose(1)), rendition=read),
        with_response(answered(2, ""), request=b"", rendition=read),
    ]
    with folder.opened() as (store, _):
        await keep_all(store, *visits, answered(3, prose(3)))
        assert [visit.fetched for visit in store.visits()] == [
            *(visit.fetched for visit in visits),
            answered(3, prose(3)).fetched,
        ]
    _, conversion, request, response, *_ = warcio_records(folder.files()[0])
    assert [conversion.rec_type, request.rec_type, response.rec_type] == ["conversion", "request", "response"]
    assert conversion.rec_headers.get_header("WARC-Refers-To") == response.rec_headers.get_header("WARC-Record-ID")
    assert conversion.rec_headers.get_header("Content-Type") == "text/html; charset=utf-8"
    assert folder.records()[1] == ("conversion", "http://host.test/1", read.html)
    assert folder.records_again()[1] == folder.records()[1]


async def test_a_copy_of_a_document_has_its_rendition_too(folder):
    read = Rendition(b"<p>The iris.</p>", "pdf")
    twins = [with_response(answered(number, "", raw=b"%PDF"), rendition=read) for number in (1, 2)]
    with folder.opened() as (store, _):
        await keep_all(store, *twins)
        assert [(visit.fetched.raw, visit.fetched.rendition) for visit in store.visits()] == [(b"%PDF", read)] * 2
    assert [kind for kind, *_ in folder.records()][-3:] == ["conversion", "request", "revisit"]


async def test_without_a_known_request_there_is_only_the_response(folder):
    with folder.opened() as (store, _):
        await store.keep(with_response(answered(1, prose(1)), request=b"", address=""))
        assert next(store.visits()).fetched.request == b""
    assert [kind for kind, *_ in folder.records()] == ["warcinfo", "response"]


async def test_a_large_file_is_followed_by_another(folder):
    visits = [answered(number, prose(number)) for number in range(1, 8)]
    with folder.opened(rotate_bytes=3000) as (store, _):
        await keep_all(store, *visits[:4])
    with folder.opened(rotate_bytes=3000) as (store, _):
        await keep_all(store, *visits[4:])
        assert [visit.fetched for visit in store.visits()] == [visit.fetched for visit in visits]
    assert len(folder.files()) > 2
    assert all(next(warcio_records(path)).rec_type == "warcinfo" for path in folder.files())
    assert sum(kind == "response" for kind, *_ in folder.records_again()) == 7


async def test_a_crawl_that_goes_on_goes_on_in_the_same_file(folder):
    for number in (1, 2):
        with folder.opened() as (store, _):
            await store.keep(answered(number, prose(number)))
    assert [kind for kind, *_ in folder.records()] == ["warcinfo", "request", "response", "request", "response"]


async def test_more_than_fits_in_memory_is_written_before_the_commit(folder):
    with folder.opened() as (store, _):
        for number in range(1, 7):
            raw = gzip.compress(bytes(900_000), 0)
            visit = answered(number, "", raw=raw + bytes([number]))
            await store.keep(with_response(visit, headers=((b"Content-Encoding", b"gzip"),)))
        assert folder.files()[0].stat().st_size > 4_000_000


async def test_what_was_written_before_the_commit_is_kept_by_it(folder):
    with folder.opened() as (store, ledger):
        await store.keep(answered(1, prose(1)))
        assert len(list(store.visits())) == 1, "to read them writes them"
        ledger.commit()
        (size,) = ledger.read("SELECT size FROM warc").fetchone()
        assert size == folder.files()[0].stat().st_size


async def test_a_full_disk_is_one_clear_sentence_and_harms_nothing(folder):
    with suppress(DiskFull), folder.opened() as (store, ledger):  # closing it says so again
        await store.keep(answered(1, prose(1)))
        ledger.commit()
        before = folder.files()[0].read_bytes()
        await store.keep(answered(2, prose(2)))
        with file_size_limit(len(before) + 1000), pytest.raises(DiskFull, match="no room left to write pages into"):
            ledger.commit()
        assert folder.files()[0].read_bytes() == before
    with folder.opened() as (store, _):  # somebody made room
        assert [visit.number for visit in store.visits()] == [1]
        await store.keep(answered(2, prose(2)))
    assert [kind for kind, *_ in folder.records()].count("response") == 2


class file_size_limit:  # noqa: N801 - a context manager
    """Lets no file of this process grow beyond so many bytes, as a full disk would."""

    def __init__(self, size):
        self.size, self.before = size, resource.getrlimit(resource.RLIMIT_FSIZE)

    def __enter__(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *_):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


@given(st.binary(min_size=1, max_size=300), st.integers(1, 700))
def test_what_is_stored_is_a_gzip_member_like_any_other(data, times):
    assert gzip.decompress(_stored(data * times)) == data * times


def test_record_ids_are_random_uuids():
    ids = {record_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(len(name) == 47 and name[24] == "4" and name[29] == "a" for name in ids)


async def test_responses_of_no_status_that_we_know_are_kept(folder):
    with folder.opened() as (store, _):
        await store.keep(answered(1, "", status=799, raw=b"x"))
        (back,) = store.visits()
    assert isinstance(back.fetched, Response)
    assert back.fetched.status == 799
    assert folder.records()[-1] == ("response", "http://host.test/1", b"x")


@pytest.mark.parametrize(
    "prefix", ["../../x", "a/b", "/x", "a\\b", "", ".", "..", ".hidden", "a b", "a\nb", "a\0b", "é", "x" * 101]
)
def test_a_prefix_that_is_no_beginning_of_a_file_name_is_refused_before_anything_is_written(folder, prefix):
    with (
        pytest.raises(BadInput, match=r"^\[store\]: prefix is '.*', but must be letters"),
        folder.opened(prefix=prefix),
    ):
        pass
    assert not folder.warc.exists()


async def test_files_begin_with_the_prefix(folder):
    with folder.opened(prefix="iris-2.eye_1") as (store, _):
        await store.keep(answered(1, prose(1)))
    assert folder.files()[0].name.startswith("iris-2.eye_1-2")


def test_files_of_no_bytes_are_refused(folder):
    with (
        pytest.raises(BadInput, match=r"\[store\]: rotate_bytes is 0, but must be at least 1"),
        folder.opened(rotate_bytes=0),
    ):
        pass
