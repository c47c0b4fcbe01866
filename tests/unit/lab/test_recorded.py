import gzip
import os
import sqlite3
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.lab.warcs import HTML, Others, web_of
from warcio.archiveiterator import ArchiveIterator

from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.lab.webs.recorded import Recording
from thresher.model import Candidate, Claim, Judgement, Outcome, Page, Rendition, Response, Url, Visit
from thresher.store.catalogue import Catalogue
from thresher.urls import canonical, host_of
from thresher.warc.reader import LARGEST, UnreadableRecord, message

A, B, C = "http://a.example/", "http://b.example/x?y=1", "https://c.example/c.html"
WEBS = Path(__file__).parents[4] / "shared" / "webs"


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def warc(tmp_path):
    return tmp_path / "web" / "web.warc.gz"


@pytest.fixture(autouse=True)
def _folder(warc):
    warc.parent.mkdir()


def body(web, url):
    response = web.read(canonical(url))
    return None if response is None else response.body


@pytest.mark.parametrize("gzip", [True, False])
def test_every_url_is_read_back_as_it_was_recorded(warc, gzip):
    web_of(warc, {A: "<p>a", B: "<p>b" * 5000, C: ""}, gzip=gzip)
    with Recording.open(warc) as web:
        assert list(web.urls()) == [A, B, C]
        assert (len(web), web.notes) == (3, {})
        assert [body(web, url) for url in (A, B, C)] == [b"<p>a", b"<p>b" * 5000, b""]
        assert (A in web, "http://a.example/none" in web) == (True, False)
        assert web.read(canonical("http://a.example/none")) is None


def test_status_headers_date_and_address_are_those_of_the_record(warc):
    with Others(warc) as made:
        made.page(
            A,
            b"gone",
            "302 Found",
            (("Location", "/b"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")),
            WARC_IP_Address="192.0.2.7",
            WARC_Date="2020-02-03T04:05:06Z",
        )
    with Recording.open(warc) as web:
        response = web.read(canonical(A))
    assert response.status == 302
    assert response.headers == ((b"Location", b"/b"), (b"Set-Cookie", b"a=1"), (b"set-cookie", b"b=2"))
    assert (response.at, response.address) == (1580702706.0, "192.0.2.7")


def test_a_url_is_found_under_its_canonical_form(warc):
    web_of(warc, {"HTTP://A.example:80/%7Eme/Mercury_%2528element%2529.htm?utm_source=x#top": "<p>mercury"})
    with Recording.open(warc) as web:
        assert list(web.urls()) == ["http://a.example/~me/Mercury_%2528element%2529.htm"]
        assert body(web, "http://a.example/%7Eme/Mercury_%2528element%2529.htm") == b"<p>mercury"


def test_of_a_url_that_was_recorded_twice_the_first_answer_counts(warc):
    with Others(warc) as made:
        made.page(A, b"first")
        made.page(A, b"second")
    with Recording.open(warc) as web:
        assert (len(web), body(web, A), web.notes) == (1, b"first", {"again": 1})


def test_requests_metadata_and_dns_are_passed_over(warc):
    with Others(warc) as made:
        made.other("dns:a.example", "response", content_type="text/dns")
        made.other(A, "metadata")
        made.other(A, "resource")
        made.page(A, b"", kind="request", status="GET / HTTP/1.1")
        made.page(B)
    with Recording.open(warc) as web:
        assert list(web.urls()) == [B]


def test_angle_brackets_around_a_target_are_no_part_of_it(warc):
    web_of(warc, {f"<{A}>": "<p>as wget writes it"})
    with Recording.open(warc) as web:
        assert body(web, A) == b"<p>as wget writes it"


# ── encodings ──


@pytest.mark.parametrize(
    ("headers", "stored", "wanted"),
    [
        ((("Content-Encoding", "gzip"),), gzip.compress(b"<p>packed", mtime=0), b"<p>packed"),
        ((("Transfer-Encoding", "chunked"),), b"3\r\n<p>\r\n4;x=y\r\nlong\r\n0\r\n\r\n", b"<p>long"),
        ((("Transfer-Encoding", "chunked"),), b"<p>put together by the recorder", b"<p>put together by the recorder"),
        ((("Transfer-Encoding", "chunked"),), b"1\r\nx\r\n-5\r\n", b"1\r\nx\r\n-5\r\n"),
        ((("Content-Encoding", "gzip"),), b"<p>unpacked by the recorder", b"<p>unpacked by the recorder"),
        ((("Content-Encoding", "br"), ("Transfer-Encoding", "chunked")), b"<p>both undone", b"<p>both undone"),
    ],
)
def test_chunks_and_content_encodings_are_undone_unless_the_recorder_did(warc, headers, stored, wanted):
    with Others(warc) as made:
        made.page(A, stored, headers=(HTML, *headers))
    with Recording.open(warc) as web:
        assert body(web, A) == wanted


def test_chunks_of_packed_content_are_put_together_first(warc):
    packed = gzip.compress(b"<p>" + b"word " * 500)
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (packed[:20], packed[20:])) + b"0\r\n\r\n"
    with Others(warc) as made:
        made.page(A, chunks, headers=(HTML, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")))
    with Recording.open(warc) as web:
        response = web.read(canonical(A))
    assert (response.body, response.raw) == (b"<p>" + b"word " * 500, packed)


def test_a_bomb_is_cut_short(warc):
    with Others(warc) as made:
        made.page(A, gzip.compress(bytes(40 << 20)), headers=(HTML, ("Content-Encoding", "gzip")))
    with Recording.open(warc) as web:
        # What 16 KiB, a step of unpacking, can stand for, and not the 40 MiB.
        assert 0 < len(body(web, A)) < 17 << 20


def test_a_head_of_line_feeds_and_folded_lines_is_read():
    block = b"HTTP/1.0 200 OK\nContent-Type:text/html;\n  charset=utf-8\n\n<p>1996\r\n\r\n"
    read = message(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (len(block), block))
    assert read.headers == ((b"Content-Type", b"text/html; charset=utf-8"),)
    assert read.content == b"<p>1996\r\n\r\n"


@given(st.binary())
def test_any_bytes_are_a_message_or_unreadable(stored):
    for start in (b"", b"\x1f\x8b\x08", b"WARC/1.0\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200\r\n"):
        with suppress(UnreadableRecord):
            assert message(start + stored).response(canonical(A)).status == 200


# ── revisits ──


def test_a_revisit_has_the_content_of_the_answer_it_refers_to_and_its_own_head(warc):
    with Others(warc) as made:
        digest = made.page(A, b"<p>the same")
        made.revisit(B, digest, A, headers=(HTML, ("X-Of", "b")))
    with Recording.open(warc) as web:
        response = web.read(canonical(B))
        assert response.body == b"<p>the same"
        assert response.header("X-Of") == "b"
        assert list(web.urls()) == [A, B]


def test_a_revisit_is_resolved_by_digest_before_its_answer_and_over_files(warc):
    with Others(warc.with_name("2.warc.gz")) as made:
        made.page(A, b"<p>first, and another")
        digest = made.page(A, b"<p>the same")
    with Others(warc.with_name("1.warc.gz")) as made:
        made.revisit(B, digest, A)
    with Recording.open(warc.parent) as web:
        assert body(web, A) == b"<p>first, and another"
        assert body(web, B) == b"<p>the same"


@pytest.mark.parametrize("headers", [(), (("ETag", "x"),)])
def test_a_revisit_that_was_not_modified_is_the_answer_itself(warc, headers):
    with Others(warc) as made:
        digest = made.page(A, b"<p>the same")
        made.revisit(B, digest, A, headers=headers, status="304 Not Modified")
    with Recording.open(warc) as web:
        response = web.read(canonical(B))
    assert (response.status, response.body) == (200, b"<p>the same")


def test_a_revisit_of_what_is_not_there_is_counted(warc):
    with Others(warc) as made:
        made.revisit(B, "sha1:NOTHERE", A)
    with Recording.open(warc) as web:
        assert (len(web), B in web, web.notes) == (0, False, {"revisit-of-nothing": 1})


# ── damage ──

PAGES = {f"http://a.example/{n}": f"<p>{n} " + "".join(map(str, range(n, n + 2000))) for n in range(6)}


@pytest.mark.parametrize(
    ("damage", "gzip"), [("body", True), *((damage, gzip) for damage in ("head", "between", "end") for gzip in (0, 1))]
)
def test_a_damaged_record_is_passed_over_and_counted(warc, gzip, damage):
    with Others(warc, gzip=gzip) as made:
        offsets = []
        for url, text in PAGES.items():
            offsets.append(made.offset())
            made.page(url, text.encode())
    stored = warc.read_bytes()
    third = offsets[3]
    lost = {"http://a.example/3"}
    if damage == "body":
        stored = stored[: third + 900] + bytes([stored[third + 900] ^ 255]) + stored[third + 901 :]
    elif damage == "head":
        stored = stored[:third] + b"?" + stored[third + 1 :]
    elif damage == "between":
        stored, lost = stored[:third] + b"nothing of a record" + stored[third:], set()
    else:
        stored, lost = stored[: offsets[5] + 500], {"http://a.example/5"}
    warc.write_bytes(stored)
    with Recording.open(warc) as web:
        assert set(web.urls()) == PAGES.keys() - lost
        assert web.notes == {"damaged": 1}
        assert all(body(web, url) == PAGES[url].encode() for url in web.urls())


def test_a_length_that_lies_costs_one_record(warc):
    web_of(warc, PAGES, gzip=False)
    stored = warc.read_bytes()
    place = stored.rindex(b"Content-Length: ", 0, stored.index(b"<p>1 ")) + len(b"Content-Length: ")
    warc.write_bytes(stored[:place] + b"9999" + stored[place:])
    with Recording.open(warc) as web:
        assert set(web.urls()) == PAGES.keys() - {"http://a.example/1"}
        assert web.notes["damaged"] == 1


def test_a_wrong_checksum_is_damage(warc):
    with Others(warc) as made:
        made.page(A)
        made.page(B, b"<p>" + os.urandom(100_000))
        end = made.offset()
        made.page(C)
    stored = warc.read_bytes()
    warc.write_bytes(stored[: end - 8] + bytes(4) + stored[end - 4 :])
    with Recording.open(warc) as web:
        assert (list(web.urls()), web.notes) == ([A, C], {"damaged": 1})


def test_one_gzip_stream_over_all_records_is_refused_with_a_way_out(warc):
    web_of(warc, PAGES, gzip=False)
    warc.write_bytes(gzip.compress(warc.read_bytes()))
    with pytest.raises(BadInput, match=r"web\.warc\.gz is one gzip stream.*warcio recompress"):
        Recording.open(warc)
    assert list(warc.parent.iterdir()) == [warc]


@pytest.mark.parametrize("stored", [b"hello", b"\x28\xb5\x2f\xfd...."])
def test_what_is_no_warc_file_is_refused(warc, stored):
    warc.write_bytes(stored)
    with pytest.raises(BadInput, match=r"web\.warc\.gz is (not a WARC file|packed with zstd)"):
        Recording.open(warc)


def test_a_path_that_is_not_there_and_a_folder_without_warc_files_are_named(warc):
    with pytest.raises(BadInput, match=r"no recording .*web\.warc\.gz"):
        Recording.open(warc)
    with pytest.raises(BadInput, match="no WARC file in"):
        Recording.open(warc.parent)


def test_an_empty_file_is_an_empty_web(warc):
    warc.touch()
    with Recording.open(warc) as web:
        assert (len(web), list(web.urls())) == (0, [])


def test_a_record_too_large_for_memory_is_passed_over(warc, monkeypatch):
    assert LARGEST >= 16 << 20
    monkeypatch.setattr("thresher.warc.scan.LARGEST", 1000)
    web_of(warc, {A: "<p>" * 1000, B: "<p>"})
    with Recording.open(warc) as web:
        assert (list(web.urls()), web.notes) == ([B], {"too-large": 1})


# ── the index ──


def test_the_index_is_written_once_beside_the_file_and_used_again(warc):
    web_of(warc, PAGES)
    Recording.open(warc).close()
    index = warc.with_name("web.warc.gz.idx")
    made = index.stat()
    with Recording.open(warc) as web:
        assert len(web) == 6
    assert (index.stat().st_ino, index.stat().st_mtime_ns) == (made.st_ino, made.st_mtime_ns)
    assert sorted(path.name for path in warc.parent.iterdir()) == ["web.warc.gz", "web.warc.gz.idx"]


def test_a_file_that_changed_is_indexed_anew(warc):
    web_of(warc, {A: "<p>a"})
    Recording.open(warc).close()
    web_of(warc, {B: "<p>b"})
    with Recording.open(warc) as web:
        assert list(web.urls()) == [B]


@pytest.mark.parametrize("rubbish", [b"", b"rubbish", b"SQLite format 3\0" + bytes(4000)])
def test_an_index_that_is_none_is_written_anew(warc, rubbish):
    web_of(warc, {A: "<p>a"})
    warc.with_name("web.warc.gz.idx").write_bytes(rubbish)
    with Recording.open(warc) as web:
        assert list(web.urls()) == [A]


def test_an_index_of_another_format_is_written_anew(warc):
    web_of(warc, {A: "<p>a"})
    Recording.open(warc).close()
    with closing(sqlite3.connect(warc.with_name("web.warc.gz.idx"))) as index:
        index.execute("DELETE FROM page")
        index.execute("PRAGMA user_version = 99")
        index.commit()
    with Recording.open(warc) as web:
        assert len(web) == 1


def test_the_index_of_a_read_only_folder_goes_to_the_cache_folder(warc, tmp_path):
    web_of(warc, {A: "<p>a"})
    warc.parent.chmod(0o555)
    try:
        for _ in range(2):
            with Recording.open(warc) as web:
                assert (len(web), body(web, A)) == (1, b"<p>a")
        assert list(warc.parent.iterdir()) == [warc]
    finally:
        warc.parent.chmod(0o755)
    assert [path.suffix for path in (tmp_path / "cache" / "recordings").iterdir()] == [".idx"]


def test_a_recording_opens_though_nothing_can_be_written(warc, tmp_path):
    web_of(warc, {A: "<p>a"})
    (tmp_path / "cache").write_text("not a folder")
    warc.parent.chmod(0o555)
    try:
        with Recording.open(warc) as web:
            assert (len(web), body(web, A), web.index.path) == (1, b"<p>a", None)
    finally:
        warc.parent.chmod(0o755)


def test_several_files_are_one_web_and_the_first_answer_counts(warc):
    one, two = (web_of(warc.with_name(name), {A: f"<p>{name}", u: "<p>"}) for name, u in (("1.warc", B), ("2.warc", C)))
    with Recording.open([two, one]) as web:
        assert (len(web), body(web, A)) == (3, b"<p>2.warc")
    with Recording.open(warc.parent) as web:
        assert (len(web), body(web, A)) == (3, b"<p>1.warc")
        assert web.index.path == warc.parent / "recording.idx"


def test_what_is_denied_is_not_there(warc):
    web_of(warc, PAGES | {"http://a.example/index/x": "<p>x", "http://a.example/index": "<p>y"})
    with Recording.open(warc, deny=["http://A.example/index/"]) as web:
        assert len(web) == 7
        assert "http://a.example/index/x" not in web
        assert body(web, "http://a.example/index/x") is None
        assert "http://a.example/index/x" not in set(web.urls())
        assert body(web, "http://a.example/index") == b"<p>y"
        assert len(web.whole()) == 8
    with pytest.raises(BadInput, match="'nonsense' is not the beginning of a url"):
        Recording.open(warc, deny=["nonsense"])


# ── our own ──


async def test_a_crawl_folder_is_a_recording_with_its_redirects_and_duplicates(tmp_path):
    crawl = tmp_path / "crawl"
    (crawl / "warc").mkdir(parents=True)
    (crawl / "crawl.toml").write_text('topic = "iris"')
    html = (b"Content-Type", b"text/html")
    packed = gzip.compress(b"<p>an iris")
    with closing(Ledger(crawl / "crawl.sqlite")) as ledger, closing(Catalogue(ledger, crawl / "warc")) as store:
        for number, (name, status, headers, text, raw) in enumerate(
            [
                (A, 200, (html, (b"Content-Encoding", b"gzip")), b"<p>an iris", packed),
                (B, 301, ((b"Location", b"/elsewhere"),), b"", b""),
                (C, 200, (html, (b"Content-Encoding", b"gzip")), b"<p>an iris", packed),
            ]
        ):
            url = canonical(name)
            response = Response(url, status, headers, text, raw, request=b"GET / HTTP/1.1\r\n\r\n", at=1e9)
            claim = Claim(Candidate(url, 1.0), host_of(url), number, 0.0)
            page = (Page(url), Judgement(1.0, relevant=True)) if status == 200 else (None, None)
            outcome = Outcome("page" if status == 200 else "redirect")
            await store.keep(Visit(claim, number + 1, 1e9, response, outcome, *page))
    with Recording.open(crawl) as web:
        assert (list(web.urls()), web.notes) == ([A, B, C], {})
        assert body(web, A) == body(web, C) == b"<p>an iris"
        assert web.read(canonical(B)).header("location") == "/elsewhere"
        assert web.index.path == crawl / "warc" / "recording.idx"


async def test_what_a_crawl_made_of_a_document_is_replayed_and_one_that_nobody_read_has_no_words(tmp_path):
    crawl = tmp_path / "crawl"
    (crawl / "warc").mkdir(parents=True)
    (crawl / "crawl.toml").write_text('topic = "iris"')
    made = {A: Rendition(b"<p>An iris", "pdf"), B: None, C: Rendition(b"<p>Another", "pdf")}
    with closing(Ledger(crawl / "crawl.sqlite")) as ledger, closing(Catalogue(ledger, crawl / "warc")) as store:
        for number, (url, rendition) in enumerate(made.items()):
            pdf = b"%%PDF-1.7 %d" % number
            response = Response(Url(url), 200, ((b"Content-Type", b"application/pdf"),), pdf, pdf, rendition=rendition)
            claim = Claim(Candidate(Url(url), 1.0), host_of(url), number, 0.0)
            judged = Page(Url(url)), Judgement(1.0, relevant=True)
            await store.keep(Visit(claim, number + 1, 1e9, response, Outcome("page"), *judged))
    with Recording.open(crawl) as web:
        assert {url: web.read(Url(url)).rendition for url in made} == made | {B: Rendition(b"", "pdf")}


# ── real webs ──


@pytest.mark.parametrize(
    ("name", "urls"), [("schools", 5462), ("foldoc", 11809), ("webkb", 8212), ("womenshealth", 1002)]
)
def test_every_labelled_url_of_a_real_web_is_found(name, urls):
    if not (WEBS / f"{name}.warc.gz").exists():
        pytest.skip(f"needs the recorded web {name} in ../shared/webs")
    before = sorted(WEBS.iterdir())
    with gzip.open(WEBS / f"{name}.labels.tsv.gz", "rt", encoding="utf-8") as lines:
        labelled = [canonical(line.partition("\t")[0]) for line in lines]
    with Recording.open(WEBS / f"{name}.warc.gz") as web:
        assert len(web) == urls == len(set(labelled))
        assert all(url in web for url in labelled)
        assert all(web.read(url).status == 200 for url in labelled[:200])
    assert sorted(WEBS.iterdir()) == before


def test_another_reader_sees_the_same_bodies():
    if not (WEBS / "webkb.warc.gz").exists():
        pytest.skip("needs the recorded web webkb in ../shared/webs")
    with Recording.open(WEBS / "webkb.warc.gz") as web, (WEBS / "webkb.warc.gz").open("rb") as stream:
        start = BytesIO(stream.read(1 << 20))
        for number, record in enumerate(ArchiveIterator(start)):
            if number == 300:
                break
            url = record.rec_headers.get_header("WARC-Target-URI")
            assert body(web, url) == record.content_stream().read()
        assert number == 300
