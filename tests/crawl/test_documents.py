"""Documents in a whole crawl, over a real server: found, judged, followed, kept, searched, exported; counted where nobody reads them."""

import asyncio
import json

import pytest
from tests.assembling import opened
from tests.crawl.in_process import Answer, answering, thresher
from tests.unit.documents import made
from warcio.archiveiterator import ArchiveIterator

from thresher.documents import kinds
from thresher.errors import BadInput
from thresher.results.archive import Archive
from thresher.results.show import crawl_figures

IRIS = "The iris of the eye is around the pupil. The iris has a colour, and the eye has an iris. "


def html(*links, words=IRIS):
    listed = "".join(
        f"<p>More of the iris in <a href='{link}'>the eye and its iris</a>, which one may read." for link in links
    )
    return Answer(f"<html lang=en><title>Iris</title><p>{words}{listed}".encode())


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
        "/paper.pdf": Answer(paper, "application/pdf"),
        "/only-in-the-pdf": html(words="The pupil of the eye, in the iris. "),
        "/download": Answer(made.RTF, "application/octet-stream"),
        "/letter.docx": Answer(
            made.docx("<w:p><w:r><w:t>The iris of the eye.</w:t></w:r></w:p>"), kinds.KINDS[1].types[0]
        ),
        "/locked.pdf": Answer(made.ENCRYPTED_PDF, "application/pdf"),
        "/broken.odt": Answer(b"PK nonsense", made.ODT),
        "/notes.md": Answer(b"# Iris\n\nOf the [eye](/only-in-the-notes)\n", "text/plain"),
        "/only-in-the-notes": html(words="The lens of the eye. "),
        "/readme.txt": Answer(b"The iris of the eye.", "text/plain"),
        "/cat.jpg": Answer(b"x", "image/jpeg"),
    }


@pytest.fixture
def _reading():
    if not kinds.installed():
        pytest.skip("the extra documents is not installed")


@pytest.fixture(params=[0, 1], ids=["in one process", "with a hand"])
def crawled(request, tmp_path, _reading):
    web = {}
    with answering(web) as (address, _):
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
    assert records["response"][1] == web["/paper.pdf"].body
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
    web = {"/": html("paper.pdf"), "/paper.pdf": Answer(made.pdf(["The iris of the eye"]), "application/pdf")}
    with answering(web) as (address, _):
        crawl(tmp_path / "crawl", f"{address}/")
        web["/paper.pdf"] = Answer(made.pdf(["The iris of the eye, and melanin"]), "application/pdf")
        done = thresher(monkeypatch, capsys, "revisit", tmp_path / "crawl", "--now", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["changed"] == [f"{address}/paper.pdf"]
    assert "melanin" in exported(tmp_path / "crawl", "jsonl", monkeypatch, capsys).read_text("utf-8")


def test_without_the_extra_documents_are_counted_and_taken_up_later(tmp_path, monkeypatch, capsys):
    """Also those behind a name that promises nothing; pictures, and what is linked from pages off topic, are no loss."""
    web = {
        "/": html("paper.pdf", "paper.pdf#page=2", "letter.docx", "cat.jpg", "paper", "off"),
        "/paper": Answer(made.pdf(["x"]), "application/pdf"),
        "/off": Answer(b"<title>Nothing</title><p>Gardens only. <a href='other.pdf'>a file</a>"),
        "/paper.pdf": Answer(made.pdf(["The iris of the eye"]), "application/pdf"),
        "/letter.docx": Answer(
            made.docx("<w:p><w:r><w:t>The iris of the eye.</w:t></w:r></w:p>"), kinds.KINDS[1].types[0]
        ),
    }
    there, needed = kinds.installed(), kinds._NEEDED
    with answering(web) as (address, asked):
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
    web = {"/": html("paper.pdf", "notes.txt"), "/notes.txt": Answer(b"The iris of the eye.", "text/plain")}
    with answering(web) as (address, asked):
        crawl(tmp_path / "crawl", f"{address}/", documents={"read": False})
    assert "/paper.pdf" not in asked
    assert outcomes(tmp_path / "crawl") == {"": "page", "notes.txt": "content-type"}
    assert "not read" not in thresher(monkeypatch, capsys, "show", tmp_path / "crawl").out


def test_types_that_one_widens_bring_no_raw_bytes_into_the_corpus(tmp_path):
    web = {"/": html("paper.pdf"), "/paper.pdf": Answer(made.pdf(["The iris of the eye"]), "application/pdf")}
    with answering(web) as (address, _):
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
