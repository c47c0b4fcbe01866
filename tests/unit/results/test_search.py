"""Searching what a crawl has kept, over a real crawl folder."""

import secrets
import shutil

import pytest
from click.testing import CliRunner
from tests.unit.results.iris_site import IrisSite, crawl, page, with_terms

from thresher.cli.search import search as command
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, FolderError
from thresher.results.archive import Archive
from thresher.results.search.answers import search
from thresher.results.search.word_index import NAME, SearchIndex


@pytest.fixture(scope="module")
def in_folder(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("search") / "crawl")


@pytest.fixture(scope="module")
def in_database(in_folder, postgres):
    """The same crawl in PostgreSQL."""
    from thresher.disk.crawl_home import home_of  # noqa: PLC0415 - psycopg is an extra
    from thresher.disk.ledger_address import LedgerAddress  # noqa: PLC0415
    from thresher.results.move.into_database import into_database  # noqa: PLC0415

    # A name of its own: where tests are spread over processes, one may come back to this module.
    address = LedgerAddress(postgres.url(), f"searched_{secrets.token_hex(4)}")
    into_database(CrawlFolder(in_folder), home_of(address), None, lambda *_: None)
    return address


@pytest.fixture(params=["in_folder", "in_database"])
def folder(request):
    return request.getfixturevalue(request.param)


def look(folder, text, **options):
    with Archive.open(folder) as archive:
        return search(archive, text, **options)


def urls(answer):
    return [found.url.removeprefix("http://iris.example") for found in answer.found]


def test_the_page_that_names_it_in_its_title_comes_first(folder):
    assert urls(look(folder, "pupil", expand=False))[0] == "/pupil"


def test_all_words_are_wanted_and_if_no_page_has_them_any_of_them(folder):
    assert urls(look(folder, "lens refracts")) == ["/copy"]
    some = look(folder, "spade refracts")
    assert not some.every
    assert set(urls(some)) == {"/copy", "/garden", "/shed"}


def test_a_copy_is_shown_once_and_counted(folder):
    (found,) = look(folder, "lens light").found
    assert found.copies == 1


def test_the_words_that_match_are_marked_accents_and_endings_aside(folder):
    (found,) = look(folder, "cafe reader").found
    text = found.snippet.text
    assert [text.text[start:end] for start, end in text.marks] == ["readers", "café"]
    assert [found.snippet.title.text[slice(*mark)] for mark in look(folder, "pupil").found[0].snippet.title.marks] == [
        "Pupils"
    ]


@pytest.mark.parametrize("text", ["虹膜", "बीमारियों", "РАДУЖКА", '"眼睛里的虹膜"'])
def test_any_script_can_be_searched(folder, text):
    (found,) = look(folder, text).found
    assert found.url.endswith("/languages")
    start, end = found.snippet.text.marks[0]
    assert found.snippet.text.text[start:end].lower() == text.strip('"').lower()


def test_half_a_hindi_word_is_not_the_word(folder):
    assert look(folder, "बीमार").total == 0


def test_only_relevant_pages_if_asked(folder):
    assert set(urls(look(folder, "spade"))) == {"/shed", "/garden"}
    assert look(folder, "spade", relevant=True).total == 0


def test_the_limit_cuts_the_list_and_not_the_total(folder):
    answer = look(folder, "iris", limit=2)
    assert (len(answer.found), answer.total) == (2, 6)


def test_a_topic_without_an_ontology_is_a_note_and_no_error(tmp_path):
    folder = crawl(tmp_path / "crawl", knowledge={"ontologies": [str(tmp_path / "gone.obo")]}, budget={"pages": 2})
    answer = look(folder, "iris")
    assert answer.query.others == []
    assert "gone.obo" in answer.note
    assert look(folder, "iris", expand=False).note == ""


def test_a_word_of_the_topic_brings_its_synonyms_which_count_half(tmp_path):
    folder = crawl(tmp_path / "crawl", **with_terms(tmp_path))
    answer = look(folder, "iris")
    assert set(answer.query.others) == {"rainbow membrane", "虹膜"}
    alone, both, other = (
        {
            found.url.removeprefix("http://iris.example"): found.score
            for found in look(folder, text, expand=expand).found
        }
        for text, expand in (("iris", False), ("iris", True), ('"rainbow membrane"', False))
    )
    assert both["/pupil"] == pytest.approx(alone["/pupil"])
    assert set(other) == {"/new"}
    assert both["/new"] == pytest.approx(alone["/new"] + other["/new"] / 2)


def test_what_came_since_the_last_search_is_taken_in_and_nothing_else(tmp_path):
    folder = crawl(tmp_path / "crawl", budget={"pages": 2})
    before = look(folder, "iris").total
    crawl(folder, budget={"pages": 20})
    took = []
    with Archive.open(folder) as archive, SearchIndex(archive) as index:
        behind = index.behind()
        index.update(took.append)
        assert index.behind() == 0
        (pages,) = archive.read("SELECT count(*) FROM visit WHERE outcome = 'page'").fetchone()
    assert sum(took) == behind == pages - 2
    assert look(folder, "iris").total == 6 > before


def test_a_folder_that_a_crawl_is_using_can_be_searched(tmp_path):
    folder = crawl(tmp_path / "crawl", budget={"pages": 3})
    with CrawlFolder(folder):
        assert look(folder, "iris").total > 0


def test_nothing_on_a_page_can_steer_the_terminal(tmp_path):
    site = IrisSite()
    site.pages = {
        "/": page("Iris \x1b[31m red soft\u00adhyphen", "<p>eye \x1b]0;owned\x07 \ue000iris\ue001 \u202eright")
    }
    (found,) = look(crawl(tmp_path / "crawl", site), "red").found
    assert (found.snippet.title.text + found.snippet.text.text).isprintable()
    assert found.snippet.title.text[slice(*found.snippet.title.marks[0])] == "red"
    assert look(tmp_path / "crawl", "softhyphen").total == look(tmp_path / "crawl", "soft\u00adhyphen").total == 1


def test_the_index_of_another_crawl_is_made_anew(tmp_path):
    folder = crawl(tmp_path / "crawl")
    assert look(folder, "lens").total > 0
    site = IrisSite()
    site.pages = {"/": page("Iris", "<p>An eye. Nothing about what bends light.")}
    other = crawl(tmp_path / "other", site)
    shutil.copy(folder / NAME, other / NAME)
    assert look(other, "lens").total == 0
    assert look(other, "bends").total == 1


def test_a_damaged_index_is_made_anew(in_folder):
    (in_folder / NAME).write_bytes(b"not a database, by far" * 400)
    assert look(in_folder, "lens refracts").total == 1


def test_a_folder_that_cannot_be_written_says_so(in_folder, tmp_path):
    copied = shutil.copytree(in_folder, tmp_path / "copy")
    (copied / NAME).unlink()
    (copied / NAME).mkdir()
    with pytest.raises(FolderError, match=NAME):
        look(copied, "iris")


def test_a_folder_without_a_crawl_says_so(tmp_path):
    with pytest.raises(BadInput, match=r"not the folder of a crawl"):
        Archive.open(tmp_path)


def test_pages_that_cannot_be_read_any_more_are_counted_and_not_offered(tmp_path):
    folder = crawl(tmp_path / "crawl")
    total = look(folder, "iris").total
    for archive in (folder / "warc").iterdir():
        archive.write_bytes(b"")
    said = CliRunner().invoke(command, [str(folder), "iris", "--limit", "2"]).output
    assert f"{total} pages have iris" in said
    assert "2 of them cannot be shown: their records are lost" in said
    assert f"{total - 2} more: --limit 4" in said
    whole = CliRunner().invoke(command, [str(folder), "iris", "--limit", "50"]).output
    assert "more" not in whole
