import json

import pytest
from tests.unit.results.changing_web import MUSCLES, PIGMENT, Served, crawled, page, round_over, serving, titled
from warcio.archiveiterator import ArchiveIterator

from thresher.results.archive import Archive
from thresher.results.export.exporter import Choice, export
from thresher.results.search.answers import search
from thresher.results.why.explanation import why

GLAUCOMA = "Glaucoma hurts the eye: the iris bows, and the lens beside it is pressed."


@pytest.fixture
async def folder(tmp_path):
    """A crawl whose pages were looked at again: one had changed, one was gone, one had a copy of what changed."""
    web = titled(muscles=MUSCLES, pigment=PIGMENT, copy="")
    web.pages["/copy"] = web.pages["/muscles"]
    path = tmp_path / "crawl"
    async with serving(web) as served:
        await crawled(path, served, workers=1)
        found(path, "muscles")  # an index that knows the first versions alone
        served.pages["/muscles"] = Served(page(GLAUCOMA, title="Glaucoma"))
        del served.pages["/pigment"]
        await round_over(path)
    return path


def found(folder, words, **options):
    with Archive.open(folder) as archive:
        return search(archive, words, expand=False, **options).found


def exported(folder, **options):
    pytest.importorskip("trafilatura", reason="trafilatura is not installed: pip install 'thresher[export]'")
    export(folder, "jsonl", Choice(**options), folder / "out", force=True)
    lines = (folder / "out" / "pages.jsonl").read_text("utf-8").splitlines()
    return {row["url"].rpartition("/")[2]: row for row in map(json.loads, lines)}


async def test_a_search_finds_a_changed_page_by_what_it_says_now(folder):
    (hit,) = found(folder, "glaucoma")
    assert hit.url.endswith("/muscles")
    assert (hit.snippet.title.text, hit.copies, hit.gone) == ("Glaucoma", 0, None)
    assert GLAUCOMA in hit.snippet.text.text


async def test_a_search_finds_it_no_more_by_what_it_said(folder):
    assert found(folder, "muscles sun") == []


async def test_an_index_made_afterwards_finds_the_same(folder):
    before = [hit._replace(score=0.0) for hit in found(folder, "iris")]
    (folder / "search.sqlite").unlink()
    assert [hit._replace(score=0.0) for hit in found(folder, "iris")] == before


async def test_a_page_that_is_gone_is_found_and_says_so(folder):
    (hit,) = found(folder, "pigment")
    assert hit.gone > hit.at


async def test_relevance_is_that_of_the_latest_version(folder):
    with Archive.open(folder) as archive:
        ((now,),) = archive.read("SELECT relevance FROM revisit WHERE found = 'changed'")
        ((first,),) = archive.read("SELECT relevance FROM visit WHERE url LIKE '%/muscles'")
    (hit,) = found(folder, "glaucoma", relevant=True)
    assert hit.relevance == now == exported(folder)["muscles"]["relevance"] != first


async def test_an_export_has_changed_pages_as_they_are_now_and_says_what_is_gone(folder):
    rows = exported(folder)
    assert GLAUCOMA in rows["muscles"]["text"]
    assert rows["muscles"]["title"] == "Glaucoma"
    assert rows["pigment"]["gone"] > rows["pigment"]["fetched"]
    assert rows["muscles"]["gone"] is None
    assert {row["extractor"] for row in rows.values()} == {"trafilatura"}


async def test_a_copy_of_what_a_page_said_once_is_no_copy_of_what_it_says_now(folder):
    rows = exported(folder)
    assert MUSCLES in rows["copy"]["text"]
    assert rows["copy"]["cluster"] != rows["muscles"]["cluster"]


async def test_what_changed_since_a_moment_can_be_taken_alone(folder):
    fetched = [row["fetched"] for row in exported(folder).values()]
    with Archive.open(folder) as archive:
        ((at,),) = archive.read("SELECT at FROM revisit WHERE found = 'changed'")
    assert len(fetched) == 4
    assert exported(folder, since=at).keys() == {"muscles"}


async def test_a_warc_file_has_the_latest_version(folder):
    export(folder, "warc", Choice(), folder / "out")
    with (folder / "out" / "pages.warc.gz").open("rb") as stream:
        bodies = {
            record.rec_headers.get_header("WARC-Target-URI").rpartition("/")[2]: record.content_stream().read()
            for record in ArchiveIterator(stream)
            if record.rec_type == "response"
        }
    assert GLAUCOMA.encode() in bodies["muscles"]
    assert MUSCLES.encode() in bodies["copy"]


async def test_why_tells_what_became_of_a_page_since(folder):
    with Archive.open(folder) as archive:
        urls = {url.rpartition("/")[2]: url for (url,) in archive.read("SELECT url FROM visit")}
        told = {name: why(archive, url).verdict[-1] for name, url in urls.items()}
    assert "it had changed by" in told["muscles"]
    assert "it was gone on" in told["pigment"]
    assert "it was the same" in told[""]
