"""A crawl for an English topic on a site in Hindi: judged by what it says, in this process and in a hand, and explained by `why`."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from tests.unit.results.iris_site import SEED, IrisSite, crawl, page

from thresher.cli.why import why
from thresher.errors import BadInput

HINDI = page("पुतली", "<p>आँख की पुतली रोशनी को आँख में आने देती है। पुतली गोल है।")
RELEVANCES = "SELECT relevance, relevant, evidence FROM visit WHERE url = ?"


@pytest.fixture
def dictionary(tmp_path, monkeypatch):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "hi-en.tsv").write_text("पुतली\tiris\tpupil\nआँख\teye\nरोशनी\tlight\n", "utf-8")
    monkeypatch.setenv("THRESHER_DICTIONARIES", str(tmp_path / "words"))


def site():
    found = IrisSite()
    found.pages = {"/": page("The iris of the eye", "<p>iris eye", ("/hindi", "another")), "/hindi": HINDI}
    return found


def judged(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return connection.execute(RELEVANCES, [f"{SEED}hindi"]).fetchone()


def test_a_hindi_page_is_judged_alike_with_and_without_hands_and_why_shows_its_words(tmp_path, dictionary):
    plain = crawl(tmp_path / "plain", site(), hands={"count": 0})
    assert judged(plain)[:2] == (0.0, 0)
    known = {"languages": ["hi"]}
    own, hand = (crawl(tmp_path / str(count), site(), hands={"count": count}, knowledge=known) for count in (0, 1))
    assert judged(own) == judged(hand)
    assert judged(hand)[1] == 1
    said = CliRunner(env={"COLUMNS": "100"}).invoke(why, [str(hand), f"{SEED}hindi"]).stdout
    assert "iris 1 (title, from पुतली)" in said
    assert "eye 2 (text, from आँख)" in said
    told = json.loads(CliRunner().invoke(why, [str(hand), f"{SEED}hindi", "--json"]).stdout)
    assert {"what": "iris", "where": "title, from पुतली", "amount": 1} in told["way"][-1]["evidence"]


def test_in_the_papers_way_words_are_replaced_before_a_page_is_judged(tmp_path, dictionary):
    (tmp_path / "terms.csv").write_text("label,relation\niris,exact\nपुतली,synonym\n", "utf-8")
    known = {"languages": ["hi"], "ontologies": [str(tmp_path / "terms.csv")]}
    found = {}
    for how in ("add", "replace"):
        tables = {"judge": {"name": "concepts"}, "knowledge": {**known, "transcribe": how}, "hands": {"count": 0}}
        found[how] = json.loads(judged(crawl(tmp_path / how, site(), "iris", **tables))[2])
    assert {"पुतली (synonym)", "iris (exact)"} <= {what for what, *_ in found["add"]}
    assert "पुतली (synonym)" not in {what for what, *_ in found["replace"]}


def test_a_language_without_a_dictionary_is_an_error_before_the_crawl(tmp_path):
    with pytest.raises(BadInput, match="no dictionary from 'xx' to English is installed"):
        crawl(tmp_path / "crawl", site(), knowledge={"languages": ["xx"]})
    assert not (tmp_path / "crawl").exists()
