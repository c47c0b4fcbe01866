"""Two crawls side by side: what both have, what only one has, and what the command says of it."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from tests.unit.results.changing_web import IRIS, MUSCLES, PIGMENT, ChangingWeb, Served, page
from tests.unit.results.report_crawls import crawl, hostile

from thresher.cli.compare import compare
from thresher.errors import BadInput
from thresher.results.crawl_comparison import compare_crawls

LONG = " ".join(f"The iris of an eye number {number} meets the light through its pupil." for number in range(60))


def web(**texts):
    pages = {f"/{name}": Served(page(text, title=name.capitalize())) for name, text in texts.items()}
    return ChangingWeb({"/": Served(page(links=tuple(pages))), **pages})


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """Two crawls of two webs on hosts of different names: the same bytes here, the same text there, and what only one has."""
    place = tmp_path_factory.mktemp("compared")
    crawl(place / "first", web(muscles=MUSCLES, long=LONG, mine=f"{IRIS} Only in the first.", bread="Flour and salt."))
    noted = web(muscles=MUSCLES, pigment=PIGMENT)
    noted.pages["/moved"] = Served(page(LONG, title="Long", noise="other bytes, same text"))
    noted.pages["/"] = Served(page(f"{IRIS} Another root.", links=("/muscles", "/pigment", "/moved")))
    crawl(place / "second", noted)
    return place / "first", place / "second"


def test_pages_are_the_same_by_url_bytes_or_text(crawls):
    found = compare_crawls(*crawls)
    first, second = found.first.harvest, found.second.harvest
    # Their hosts have different ports, so no url is the same.
    assert (first.url, first.bytes, first.text, first.only) == (0, 1, 1, 2)
    assert (second.url, second.bytes, second.text, second.only) == (0, 1, 1, 2)
    assert {each.page.title for each in found.first.exclusive} == {"Iris of the eye", "Mine"}
    assert {each.page.title for each in found.second.exclusive} == {"Iris of the eye", "Pigment"}
    assert not any(each.known for each in found.first.exclusive)
    assert found.overlap == pytest.approx(2 / 6)
    assert found.same.pages == 0


def test_the_same_urls_are_compared_by_what_the_judges_say(tmp_path):
    shared = web(muscles=MUSCLES, pigment=PIGMENT, bread="Flour, water and salt.")
    crawl(tmp_path / "first", shared)
    with (
        closing(sqlite3.connect(tmp_path / "first" / "crawl.sqlite")) as source,
        closing(sqlite3.connect(tmp_path / "copy.sqlite")) as target,
    ):
        source.backup(target)
    (tmp_path / "second").mkdir()
    (tmp_path / "copy.sqlite").rename(tmp_path / "second" / "crawl.sqlite")
    (tmp_path / "second" / "crawl.toml").write_bytes((tmp_path / "first" / "crawl.toml").read_bytes())
    with closing(sqlite3.connect(tmp_path / "second" / "crawl.sqlite")) as database:
        database.execute("UPDATE visit SET relevant = 0 WHERE title = 'Muscles'")
        database.execute("UPDATE visit SET relevant = 1 WHERE title = 'Bread'")
        database.execute(
            "UPDATE visit SET outcome = 'http-404', content_hash = x'00', simhash = NULL, relevant = NULL WHERE title = 'Pigment'"
        )
        database.execute("DELETE FROM band WHERE number NOT IN (SELECT number FROM visit WHERE simhash IS NOT NULL)")
        database.commit()
    found = compare_crawls(tmp_path / "first", tmp_path / "second")
    assert found.same == (3, 1, 1, 1)
    assert [(each.page.title, each.known) for each in found.first.exclusive] == [("Pigment", True)]
    assert found.second.harvest.only == 0
    assert (
        "3 pages were kept by both under the same url; 1 of these are relevant by both judges, 1 only by that of first"
        in found.told()
    )
    (host,) = found.hosts
    assert host.row()[1:] == ("3 of 4", "2 of 4")


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "120"}).invoke(compare, list(map(str, arguments)))
    if isinstance(done.exception, BadInput):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_draws_figures_curves_and_examples(crawls):
    said = run(*crawls)
    assert "relevant pages" in said
    assert "Harvest rate over the pages fetched: █ first, • second" in said
    assert "Only in first: 2 relevant pages, the best first" in said
    assert (
        "second has 2 of the 4 relevant pages of first too, 33% of all that either found; 2 of them under another url"
        in said
    )


def test_the_command_for_programs_pictures_and_pages(crawls, tmp_path):
    told = json.loads(run(*crawls, "--json"))
    assert told["first"]["shared"] == {"same_url": 0, "same_bytes": 1, "same_text": 1}
    assert told["second"]["only_here"] == 2
    assert told["same"]["overlap"] == pytest.approx(1 / 3)
    picture, page = tmp_path / "both.svg", tmp_path / "both.html"
    assert "are drawn in" in run(*crawls, "--plot", picture, "-o", page)
    assert picture.read_text("utf-8").count("<title>") >= 3
    assert "Only in second" in page.read_text("utf-8")
    with pytest.raises(BadInput, match="is there already"):
        run(*crawls, "-o", page)
    run(*crawls, "-o", page, "--force")


def test_a_crawl_is_not_compared_with_itself_nor_with_what_is_none(crawls, tmp_path):
    first, _ = crawls
    with pytest.raises(BadInput, match="are the same crawl: name two"):
        run(first, first.parent / "." / "first")
    with pytest.raises(BadInput, match="is not there"):
        run(first, tmp_path / "nowhere")


def test_two_crawls_of_one_name_are_told_apart(crawls, tmp_path):
    crawl(tmp_path / "first")
    found = compare_crawls(crawls[0], tmp_path / "first")
    assert found.first.name != found.second.name
    assert found.first.name.endswith("/first")


def test_a_hostile_crawl_says_nothing_but_text(crawls, tmp_path):
    said = run(crawls[0], hostile(tmp_path / "hostile"))
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert len(said) < 30_000
