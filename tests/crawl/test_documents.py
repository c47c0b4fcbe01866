"""Documents in a whole crawl, over a real server: found, judged, followed, kept, searched, exported; counted where nobody reads them."""

import asyncio
import http.server
import json
import threading
from contextlib import contextmanager

import pytest
from tests.assembling import opened
from tests.crawl.in_process import thresher
from tests.unit.documents import made
from warcio.archiveiterator import ArchiveIterator

from thresher.documents import kinds
from thresher.errors import BadInput
from thresher.results.archive import Archive
from thresher.results.show import crawl_figures

HTML = "text/html; charset=utf-8"
IRIS = "The iris of the eye is around the pupil. The iris has a colour, and the eye has an iris. "


@contextmanager
def served(pages):
    """A server on loopback: each path has a content type and a body. Its address, and the paths that it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            kind, body = pages.get(self.path, (None, None))
            self.send_response(404 if body is None else 200)
            if kind:
                self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


def html(*links, words=IRIS):
    listed = "".join(
        f"<p>More of the iris in <a href='{link}'>the eye and its iris</a>, which one may read." for link in links
    )
    return HTML, f"<html lang=en><title>Iris</title><p>{words}{listed}".encode()


def crawl(folder, seed, hands=0, **tables):
    async def run():
        tables.setdefault("judge", {"name": "terms", "threshold": 0.1})
        more = {"polite": {"delay": 0, "allow_private": True}, "hands": {"count": hands}, **tables}
        async with opened(folder, "iris eye", [seed], strategy="breadth-first", **more) as loop:
            return await loop.run()

    return asyncio.run(run())


def outcomes(folder):
    with Archive.open(folder) as archive:
        return {
            url.partition("/")[2].partition("/")[2].partition("/")[2]: name for url, name in archive.read(_OUTCOMES)
        }


_OUTCOMES = "SELECT url, outcome FROM visit"


def the_web(address):
    paper = made.pdf(
        ["The iris", "The iris of the eye is round.", "the pupil of the eye"],
        info="/Title (A paper on the iris) /Author (A. Author) /CreationDate (D:20240506070809Z)",
        outline=["The iris"],
        link=(f"{address}/only-in-the-pdf", "the pupil of the eye"),
    )
    return {
        "/": html(
            "paper.pdf", "download", "letter.docx", "locked.pdf", "broken.odt", "notes.md", "readme.txt", "cat.jpg"
        ),
        "/paper.pdf": ("application/pdf", paper),
        "/only-in-the-pdf": html(words="The pupil of the eye, in the iris. "),
        "/download": ("application/octet-stream", made.RTF),
        "/letter.docx": (kinds.KINDS[1].types[0], made.docx("<w:p><w:r><w:t>The iris of the eye.</w:t></w:r></w:p>")),
        "/locked.pdf": ("application/pdf", made.ENCRYPTED_PDF),
        "/broken.odt": (made.ODT, b"PK nonsense"),
        "/notes.md": ("text/plain", b"# Iris\n\nOf the [eye](/only-in-the-notes)\n"),
        "/only-in-the-notes": html(words="The lens of the eye. "),
        "/readme.txt": ("text/plain", b"The iris of the eye."),
        "/cat.jpg": ("image/jpeg", b"x"),
    }


@pytest.fixture
def _reading():
    if not kinds.installed():
        pytest.skip("the extra documents is not installed")


@pytest.fixture(params=[0, 1], ids=["in one process", "with a hand"])
def crawled(request, tmp_path, _reading):
    web = {}
    with served(web) as (address, _):
        web.update(the_web(address))
        crawl(tmp_path / "crawl", f"{address}/", hands=request.param)
    return tmp_path / "crawl", web, address


def test_documents_are_found_judged_followed_kept_searched_and_exported(crawled, monkeypatch, capsys):
    folder, web, address = crawled
    assert outcomes(folder) == {
        "": "page",
        "paper.pdf": "page",
        "only-in-the-pdf": "page",
        "download": "page",
        "letter.docx": "page",
        "locked.pdf": "document-encrypted",
        "broken.odt": "document-broken",
        "notes.md": "page",
        "only-in-the-notes": "page",
        "readme.txt": "page",
        "pupil": "dns",  # the RTF links to a host that is not there
    }
    _assert_kept(folder, web, f"{address}/paper.pdf")
    _assert_searched(folder, monkeypatch, capsys)
    _assert_exported(folder, f"{address}/paper.pdf", monkeypatch, capsys)


def records_of(files, url):
    """The records of a url, as warcio reads them, by their type."""
    records = {}
    for file in sorted(files):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_headers.get_header("WARC-Target-URI") == url:
                    records[record.rec_type] = record.rec_headers, record.content_stream().read()
    return records


def _assert_kept(folder, web, paper):
    """The bytes as they came, and the page that was made of them."""
    records = records_of((folder / "warc").glob("*.warc.gz"), paper)
    assert records.keys() == {"request", "response", "conversion"}
    assert records["response"][1] == web["/paper.pdf"][1]
    headers, page = records["conversion"]
    assert headers.get_header("WARC-Refers-To") == records["response"][0].get_header("WARC-Record-ID")
    assert b"<title>A paper on the iris</title>" in page


def _assert_searched(folder, monkeypatch, capsys):
    done = thresher(monkeypatch, capsys, "search", folder, "paper", "--json")
    assert "paper.pdf" in done.out, done


def exported(folder, form, monkeypatch, capsys):
    out = folder.parent / f"out.{form}{'.gz' * (form == 'warc')}"
    done = thresher(monkeypatch, capsys, "export", folder, "--to", form, "--out", out, "--duplicates", "--jobs", 1)
    assert done.code == 0, done.err
    return out


def _assert_exported(folder, paper, monkeypatch, capsys):
    assert records_of([exported(folder, "warc", monkeypatch, capsys)], paper).keys() >= {"response", "conversion"}
    pytest.importorskip("trafilatura", reason="the extra export is not installed")
    lines = exported(folder, "jsonl", monkeypatch, capsys).read_text("utf-8").splitlines()
    rows = {row["url"]: row for row in map(json.loads, lines)}
    row = rows[paper]
    said = row["medium"], row["extractor"], row["author"], row["date"], row["title"]
    assert said == ("pdf", "thresher", "A. Author", "2024-05-06", "A paper on the iris")
    assert "The iris of the eye is round." in row["text"]
    assert {each["medium"] for each in rows.values()} >= {"pdf", "html", "docx", "rtf", "md", "txt"}
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(exported(folder, "parquet", monkeypatch, capsys)).to_pylist()
    assert {each["url"]: each["medium"] for each in table}[paper] == "pdf"


@pytest.mark.usefixtures("_reading")
def test_a_document_that_changed_is_read_again(tmp_path, monkeypatch, capsys):
    pytest.importorskip("trafilatura", reason="the extra export is not installed")
    web = {"/": html("paper.pdf"), "/paper.pdf": ("application/pdf", made.pdf(["The iris of the eye"]))}
    with served(web) as (address, _):
        crawl(tmp_path / "crawl", f"{address}/")
        web["/paper.pdf"] = "application/pdf", made.pdf(["The iris of the eye, and melanin"])
        done = thresher(monkeypatch, capsys, "revisit", tmp_path / "crawl", "--now", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["changed"] == [f"{address}/paper.pdf"]
    assert "melanin" in exported(tmp_path / "crawl", "jsonl", monkeypatch, capsys).read_text("utf-8")


def test_without_the_extra_documents_are_counted_and_taken_up_later(tmp_path, monkeypatch, capsys):
    """Also those behind a name that promises nothing; pictures, and what is linked from pages off topic, are no loss."""
    web = {
        "/": html("paper.pdf", "paper.pdf#page=2", "letter.docx", "cat.jpg", "paper", "off"),
        "/paper": ("application/pdf", made.pdf(["x"])),
        "/off": (HTML, b"<title>Nothing</title><p>Gardens only. <a href='other.pdf'>a file</a>"),
        "/paper.pdf": ("application/pdf", made.pdf(["The iris of the eye"])),
        "/letter.docx": (kinds.KINDS[1].types[0], made.docx("<w:p><w:r><w:t>The iris of the eye.</w:t></w:r></w:p>")),
    }
    there, needed = kinds.installed(), kinds._NEEDED
    with served(web) as (address, asked):
        monkeypatch.setattr(kinds, "_NEEDED", ("no_such_package",))
        crawl(tmp_path / "crawl", f"{address}/")
        assert "/paper.pdf" not in asked
        with Archive.open(tmp_path / "crawl") as archive:
            figures = crawl_figures(archive)
        assert figures.as_json()["unread_documents"] == {"pdf": 2, "docx": 1}
        done = thresher(monkeypatch, capsys, "show", tmp_path / "crawl")
        assert "On-topic links not read: 2 PDF, 1 DOCX: pip install" in done.out
        if there:
            monkeypatch.setattr(kinds, "_NEEDED", needed)
            crawl(tmp_path / "crawl", f"{address}/")
            assert outcomes(tmp_path / "crawl").keys() >= {"paper.pdf", "letter.docx"}
            done = thresher(monkeypatch, capsys, "show", tmp_path / "crawl")
            assert "not read" not in done.out


def test_documents_are_not_read_if_one_says_so(tmp_path, monkeypatch, capsys):
    web = {"/": html("paper.pdf", "notes.txt"), "/notes.txt": ("text/plain", b"The iris of the eye.")}
    with served(web) as (address, asked):
        crawl(tmp_path / "crawl", f"{address}/", documents={"read": False})
    assert "/paper.pdf" not in asked
    assert outcomes(tmp_path / "crawl") == {"": "page", "notes.txt": "content-type"}
    assert "not read" not in thresher(monkeypatch, capsys, "show", tmp_path / "crawl").out


def test_types_that_one_widens_bring_no_raw_bytes_into_the_corpus(tmp_path):
    web = {"/": html("paper.pdf"), "/paper.pdf": ("application/pdf", made.pdf(["The iris of the eye"]))}
    with served(web) as (address, _):
        crawl(
            tmp_path / "crawl",
            f"{address}/",
            documents={"read": False},
            fetch={"types": ["text/html", "application/pdf"]},
        )
        with Archive.open(tmp_path / "crawl") as archive:
            page = archive.visit(f"{address}/paper.pdf").page
    assert page.text == ""


def test_asking_for_documents_where_nothing_reads_them_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(kinds, "_NEEDED", ("no_such_package",))
    with pytest.raises(BadInput, match=r"what reads documents is not installed: pip install .*documents"):
        crawl(tmp_path / "crawl", "http://127.0.0.1:9/", documents={"read": True})
