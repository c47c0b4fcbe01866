"""A crawl in PostgreSQL for Python: started, and opened to be read and steered."""

import pytest

import thresher
from thresher.errors import BadInput

TOPIC = "iris, eye, pupil"


@pytest.fixture(scope="module")
def address(web, postgres, tmp_path_factory):
    """The address of a finished crawl, password and all."""
    made = f"{postgres.url()}?schema=harvest"
    into = tmp_path_factory.mktemp("harvest") / "iris"
    crawl = thresher.Crawl.start(TOPIC, sense="none", seeds=web.seed, pages=40, into=into, ledger=made, **web.settings)
    assert "not begun" in repr(crawl)
    assert crawl.run().reason == "pages"
    assert list((into / "warc").glob("*.warc.gz"))
    return made


@pytest.fixture
def harvest(address):
    return thresher.open(address)


def test_its_pages_are_read_with_their_texts(harvest):
    pages = list(harvest.pages(relevant=True))
    assert len(pages) == harvest.counts.relevant > 3
    assert harvest.counts.fetched == harvest.figures().counts.fetched == 40
    assert all("iris" in page.text.lower() or page.evidence for page in pages)


def test_a_label_is_kept_and_taken_back(harvest):
    page = next(harvest.pages(text=False))
    harvest.labels[page.url] = not page.relevant
    assert next(harvest.pages(text=False)).label == ("not relevant" if page.relevant else "relevant")
    assert dict(harvest.labels) == {page.url: not page.relevant}
    del harvest.labels[page.url]
    assert dict(harvest.labels) == {}


def test_it_is_told_orders_and_says_how_it_stands(harvest):
    assert harvest.state.name == "stopped"
    assert harvest.tell("pages", "+5").sentence == "The budget is 45 pages now: run the same command to continue"
    with pytest.raises(BadInput, match="It is not paused: run the same command to continue"):
        harvest.tell("go-on")


def test_it_is_exported_explained_and_reported(harvest, tmp_path):
    summary = harvest.export("jsonl", tmp_path / "out", relevant=True)
    assert summary.pages == len((tmp_path / "out" / "pages.jsonl").read_text("utf-8").splitlines()) > 3
    assert "<svg" in harvest.curve().svg
    assert harvest.why(next(harvest.pages(text=False)).url).fate == "fetched"
    assert TOPIC in harvest.report(tmp_path / "report.html").read_text("utf-8")


def test_the_password_is_never_shown(harvest, postgres):
    assert "schema=harvest" in repr(harvest)
    assert postgres.password not in repr(harvest) + harvest._repr_html_() + repr(harvest.folder)


def test_a_crawl_that_is_not_there_is_told(postgres):
    with pytest.raises(BadInput, match=r"schema=tulip holds no crawl") as told:
        thresher.open(f"{postgres.url()}?schema=tulip")
    assert postgres.password not in str(told.value)
    with pytest.raises(BadInput, match=r"Crawl.start: ledger is no address of PostgreSQL"):
        thresher.Crawl.start(TOPIC, sense="none", seeds="http://iris.example/", ledger="mysql://me:secret@db/x")
