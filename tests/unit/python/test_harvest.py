"""`thresher.open`: the pages of a crawl as rows, a table, answers and a picture; labels; and what a notebook shows."""

import asyncio
import dataclasses
import shutil
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

import thresher
from thresher.chart import clean
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.results.archive import Archive
from thresher.results.search.answers import search
from thresher.results.why.explanation import why
from thresher.store.totals import counts

TOPIC = "iris, eye, pupil"


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    """The folder of a finished crawl."""
    into = tmp_path_factory.mktemp("harvest") / "iris"
    thresher.Crawl.start(TOPIC, sense="none", seeds=web.seed, pages=60, into=into, **web.settings).run()
    return into


@pytest.fixture
def harvest(crawled):
    return thresher.open(crawled)


@pytest.fixture
def own(crawled, tmp_path):
    """A copy to write labels into."""
    return thresher.open(shutil.copytree(crawled, tmp_path / "iris"))


def test_the_pages_are_those_of_an_export_with_their_texts_and_reasons(harvest):
    pages = list(harvest.pages())
    assert [page.number for page in pages] == sorted(page.number for page in pages)
    assert 40 < len(pages) <= 60
    best = max(pages, key=lambda page: page.relevance)
    assert best.relevant
    assert best.evidence[0].what in {"iris", "eye", "pupil"}
    assert "eye" in best.text.lower()
    assert best.parent is not None
    assert best.fetched.tzinfo is UTC
    assert best.judged_by == "terms"


def test_relevant_pages_are_those_that_count_as_harvest(harvest):
    assert len(list(harvest.pages(relevant=True, text=False))) == harvest.counts.relevant > 5
    assert {page.text for page in harvest.pages(relevant=True, text=False)} == {""}


def test_pages_are_chosen_by_relevance_and_time(harvest):
    every = list(harvest.pages(text=False))
    assert all(page.relevance >= 0.5 for page in harvest.pages(min_relevance=0.5, text=False))
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for since in (
        tomorrow,
        (tomorrow + timedelta(days=1)).date(),
        tomorrow.replace(tzinfo=None),
        tomorrow.isoformat(),
        tomorrow.timestamp(),
    ):
        assert not list(harvest.pages(since=since))
    assert list(harvest.pages(since="2001-01-01", text=False)) == every


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"since": "soon"}, "since is 'soon'"),
        ({"since": [1]}, r"since is \[1\]"),
        ({"min_relevance": 2}, "from 0 to 1"),
    ],
)
def test_a_choice_that_makes_no_sense_is_told_at_once(harvest, choice, told):
    with pytest.raises(BadInput, match=told):
        harvest.pages(**choice)


def test_pages_are_read_as_they_are_asked_for_and_nothing_stays_open(harvest):
    pages = harvest.pages()
    assert len(list(islice(pages, 2))) == 2
    pages.close()
    assert not CrawlFolder(harvest.folder).in_use()


def test_the_table_has_a_row_for_each_page_and_a_column_for_each_field(harvest):
    pytest.importorskip("pandas", reason="pandas is not installed: pip install '.[pandas]'")
    table = harvest.to_pandas(relevant=True)
    assert list(table.columns) == [field.name for field in dataclasses.fields(thresher.HarvestPage)]
    assert table["url"].tolist() == [page.url for page in harvest.pages(relevant=True, text=False)]
    assert table["relevance"].between(0, 1).all()
    assert str(table["fetched"].dtype).endswith("UTC]")
    assert table["gone"].isna().all()
    assert "text" not in harvest.to_pandas(text=False)
    empty = harvest.to_pandas(since="2999-01-01")
    assert empty.empty
    assert (empty.dtypes == table.dtypes)[
        ["number", "relevance", "relevant", "depth", "fetched", "gone", "bytes"]
    ].all()
    assert empty[empty["relevant"]].empty


def test_without_pandas_it_says_how_to_get_it(harvest, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BadInput, match=r"to_pandas needs pandas .*: pip install .*\[pandas\]"):
        harvest.to_pandas()


def test_search_and_why_and_counts_are_what_the_commands_say(harvest):
    found = harvest.search("pupil light", limit=3)
    with Archive.open(harvest.folder) as archive:
        assert found == search(archive, "pupil light", limit=3)
        assert harvest.why(found.found[0].url) == why(archive, found.found[0].url)
        assert harvest.counts == counts(archive.read)
    assert [page.title for page in found] == [page.title for page in found.found]
    assert len(found) == 3 < found.total
    assert str(harvest.why(found.found[0].url)).endswith("relevant.")
    assert harvest.figures().counts == harvest.counts


def test_an_export_goes_where_it_is_told(harvest, tmp_path):
    summary = harvest.export("warc", tmp_path / "pages.warc.gz", relevant=True)
    assert summary.pages == harvest.counts.relevant
    assert (tmp_path / "pages.warc.gz").stat().st_size > 1000
    with pytest.raises(BadInput, match="no export to 'xls'"):
        harvest.export("xls")


def test_an_export_can_leave_out_what_reserves_text_and_data_mining(harvest, tmp_path):
    summary = harvest.export("warc", tmp_path / "pages.warc.gz", respect_tdm=True)
    assert "reserve" in summary.choice


def test_the_curve_is_a_picture_that_a_notebook_shows(harvest, tmp_path):
    curve = harvest.curve()
    assert curve._repr_svg_().startswith("<svg")
    assert clean(TOPIC) in curve.svg
    curve.save(tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").read_text("utf-8") == curve.svg
    assert len(repr(curve)) < 100


def test_labels_are_read_set_and_taken_back(own):
    one, two = (page.url for page in islice(own.pages(relevant=True, text=False), 2))
    assert dict(own.labels) == {}
    own.labels[one], own.labels[two] = False, None
    assert dict(own.labels) == {one: False, two: None}
    assert (one in own.labels, own.labels[one], own.labels.get("http://nowhere.example/")) == (True, False, None)
    assert repr(own.labels) == "<2 labels: 0 relevant, 1 not, 1 skipped>"
    assert one not in [page.url for page in own.pages(relevant=True, text=False)]
    assert next(page.label for page in own.pages(text=False) if page.url == one) == "not relevant"
    del own.labels[one]
    assert dict(own.labels) == {two: None}
    with pytest.raises(KeyError):
        del own.labels[one]
    with pytest.raises(KeyError):
        own.labels[one]


@pytest.mark.parametrize(
    ("url", "said", "told"),
    [
        ("http://nowhere.example/", True, "is not a page of"),
        ("nonsense", True, "is not a page of"),
        (None, "yes", "must be True, False, or None"),
        (None, 1, "must be True, False, or None"),
    ],
)
def test_a_label_that_makes_no_sense_is_refused(own, url, said, told):
    url = url or next(own.pages(text=False)).url
    with pytest.raises(BadInput, match=told):
        own.labels[url] = said
    assert not own.labels


def test_a_crawl_that_runs_can_be_read_labelled_and_steered(web, tmp_path):
    async def read_meanwhile():
        crawl = thresher.Crawl.start(TOPIC, sense="none", seeds=web.seed, pages=60, into=tmp_path / "c", **web.settings)
        async for visit in crawl:
            if visit.number == 20:
                harvest = thresher.open(tmp_path / "c")
                while not harvest.counts.pages:  # a commit may be a fifth of a second away
                    await asyncio.sleep(0.05)
                assert "It is running" in repr(harvest)
                page = next(harvest.pages(text=False))
                harvest.labels[page.url] = True
                assert harvest.labels[page.url] is True
                del harvest.labels[page.url]
                assert page.url not in harvest.labels
                assert crawl.tell("pages", 5).sentence == "The budget is 65 pages now"
                assert crawl.tell("pages", 1_234_567).sentence == "The budget is 1,234,632 pages now", (
                    "to the last page"
                )
                assert harvest.tell("pause").sentence.startswith("It is paused")
                assert (harvest.state.name, harvest.state.why) == ("paused", "a person paused it")
                with pytest.raises(BadInput, match="It is paused already"):
                    harvest.tell("pause")
                with pytest.raises(BadInput, match="did you mean 'pause'"):
                    harvest.tell("puase")
                break

    asyncio.run(read_meanwhile())


def test_a_harvest_says_what_it_is(harvest):
    found = harvest.counts
    assert repr(harvest) == (
        f"<Harvest of {TOPIC!r} in {str(harvest.folder)!r}: 60 fetched, {found.relevant} relevant ({found.harvest:.1%})"
        f" on {found.hosts} hosts; all 60 pages of the budget are fetched>"
    )
    assert harvest._repr_html_().count("<tr>") == 11


def test_what_strangers_wrote_is_escaped_in_a_notebook(own):
    with closing(sqlite3.connect(own.folder / "crawl.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE visit SET title = '<script>alert(1)</script>\x1b[31m\"''&' WHERE fresh")
        ledger.execute(
            "UPDATE visit SET url = 'javascript:alert(2)' WHERE number = (SELECT min(number) FROM visit WHERE fresh)"
        )
        ledger.execute("UPDATE visit SET url = url || '\"><b>' WHERE fresh AND url NOT LIKE 'javascript%'")
    shown = own._repr_html_()
    assert "<script" not in shown
    assert "<b>" not in shown
    assert "\x1b" not in shown
    assert 'href="javascript' not in shown


def test_a_folder_without_a_crawl_is_told_when_it_is_opened(tmp_path):
    with pytest.raises(BadInput, match="is not the folder of a crawl"):
        thresher.open(tmp_path)
    with pytest.raises(BadInput, match="is not there"):
        thresher.open(tmp_path / "iris")


def test_a_harvest_whose_folder_is_gone_says_so(own):
    shutil.rmtree(own.folder)
    assert "is not there" in repr(own)
    assert "is not there" in own._repr_html_()
    with pytest.raises(BadInput, match="is not there"):
        next(own.pages())
