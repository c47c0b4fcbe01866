"""What a person said of pages: of which version of a page it was said, and who goes by it."""

import json
import time

import pytest
from click.testing import CliRunner
from tests.unit.results.changing_web import ChangingWeb, Served, crawled, page, round_over, serving
from tests.unit.results.export_folders import made
from tests.unit.results.export_folders import page as kept
from warcio.archiveiterator import ArchiveIterator

from thresher.cli.export import export
from thresher.cli.label import label
from thresher.cli.search import search
from thresher.results.archive import Archive
from thresher.results.export.exporter import Choice
from thresher.results.label.desk import open_desk
from thresher.results.label.scores import examples_of, hand_figures
from thresher.results.revisit.due import DAY, DueChoice, Intervals, due_pages

BANANAS = "Bananas are yellow, and grow in bunches where it is warm."
PUPIL = "Through the pupil of an eye light falls; the iris lets it pass."


@pytest.fixture
async def web():
    first = Served(page(links=("/roses", "/pupil", "/lens")))
    others = {
        "/roses": Served(page("Roses climb up the wall of the house.", title="Roses")),
        "/pupil": Served(page(PUPIL, title="Pupil")),
        "/lens": Served(page("Behind the iris of the eye there is a lens, as clear as the pupil.", title="Lens")),
    }
    async with serving(ChangingWeb({"/": first, **others})) as served:
        yield served


@pytest.fixture
async def folder(tmp_path, web):
    path = tmp_path / "crawl"
    await crawled(path, web, workers=1)
    return path


def say(folder, url, relevant):
    with open_desk(folder) as desk:
        desk.answer(desk.question(url), relevant)


def chosen(folder):
    with Archive.open(folder) as archive:
        return {row["url"].rpartition("/")[2] for row in Choice(relevant=True).select(archive).rows()}


def asked(folder, count=10):
    with open_desk(folder) as desk:
        return [question.url.rpartition("/")[2] for question in desk.questions(count)]


# ── the version that was seen ──


async def test_a_label_counts_until_a_look_finds_the_page_changed(folder, web):
    say(folder, web.base + "/pupil", True)
    say(folder, web.base + "/roses", True)
    await round_over(folder)
    assert chosen(folder) == {"", "roses", "pupil", "lens"}, "what stayed as it was is still what was labelled"
    web.pages["/pupil"] = Served(page(BANANAS, title="Bananas"))
    await round_over(folder)
    assert chosen(folder) == {"", "roses", "lens"}
    say(folder, web.base + "/pupil", True)
    assert chosen(folder) == {"", "roses", "pupil", "lens"}


async def test_a_page_that_has_changed_is_asked_about_as_it_is_now(folder, web):
    web.pages["/pupil"] = Served(page(BANANAS, title="Bananas"))
    await round_over(folder)
    said = CliRunner().invoke(label, [str(folder), "--url", web.base + "/pupil"], input="n\n").output
    assert "Bananas are yellow" in said
    assert PUPIL not in " ".join(said.split())


async def test_a_page_that_changed_after_it_was_labelled_is_asked_about_again(folder, web):
    for url in asked(folder):
        say(folder, f"{web.base}/{url}", None)
    assert asked(folder) == []
    web.pages["/pupil"] = Served(page("The iris, and the eye, and a pupil.", title="Other"))
    await round_over(folder)
    assert asked(folder) == ["pupil"]


async def test_a_page_that_is_gone_is_asked_about_only_if_it_is_named(folder, web):
    del web.pages["/pupil"]
    await round_over(folder)
    assert sorted(asked(folder)) == ["", "lens", "roses"]
    said = CliRunner().invoke(label, [str(folder), "--url", web.base + "/pupil"], input="n\n").output
    assert "gone since 20" in said


async def test_labels_teach_by_the_version_that_they_were_given_to(folder, web):
    say(folder, web.base + "/pupil", True)
    web.pages["/pupil"] = Served(page(BANANAS, title="Bananas"))
    await round_over(folder)
    with Archive.open(folder) as archive:
        (example,) = examples_of(archive)
    assert (PUPIL in example.page.text, example.relevant) == (True, True)
    say(folder, web.base + "/pupil", False)
    with Archive.open(folder) as archive:
        (example,) = examples_of(archive)
    assert (BANANAS in example.page.text, example.relevant) == (True, False)


async def test_a_label_of_a_later_version_corrects_no_judgement_of_the_crawl(folder, web):
    web.pages["/pupil"] = Served(page(BANANAS, title="Bananas"))
    await round_over(folder)
    say(folder, web.base + "/pupil", False)
    figures = hand_figures(folder)
    assert figures.harvest_after == figures.harvest_before == 0.75


# ── who goes by it ──


def export_of(folder, *options):
    done = CliRunner().invoke(export, [str(folder), "--to", "warc", *options, "--into", str(folder / "out")])
    assert done.exit_code == 0, done.output
    with (folder / "out" / "pages.warc.gz").open("rb") as stream:
        described = [r.content_stream().read() for r in ArchiveIterator(stream) if r.rec_type == "metadata"]
    rows = {row["url"].rpartition("/")[2]: row for row in map(json.loads, described)}
    return rows, (folder / "out" / "README.md").read_text("utf-8")


async def test_an_export_has_the_word_of_the_person_beside_that_of_the_judge(folder, web):
    say(folder, web.base + "/roses", True)
    say(folder, web.base + "/lens", False)
    say(folder, web.base + "/", None)
    rows, card = export_of(folder)
    assert {name: (row["label"], row["relevant"]) for name, row in rows.items()} == {
        "": ("", True),
        "roses": ("relevant", False),
        "pupil": ("", True),
        "lens": ("not relevant", True),
    }
    assert "| labels by hand | 2 pages: 1 relevant, 1 not; 2 of them in this export |" in card


async def test_the_card_says_what_labels_do_and_when_there_are_none(folder, web):
    _, card = export_of(folder)
    assert "| labels by hand | none |" in card


def test_the_card_names_the_sense_and_the_ontologies_without_the_way_to_them(tmp_path):
    known = {"ontologies": ["wordnet", "/home/somebody/irises.obo"], "senses": ["iris.n.02"], "terms": "mine/own.csv"}
    folder = made(tmp_path / "iris", kept(1), knowledge=known)
    _, card = export_of(folder)
    assert "| sense | iris.n.02 |" in card
    assert "| ontologies | wordnet, irises.obo |" in card
    assert "| own terms | own.csv |" in card
    assert "somebody" not in card


def test_the_card_names_the_weights_of_a_strategy_without_the_way_to_them(tmp_path):
    strategy = {"name": "apprentice", "weights": "/home/somebody/own.toml", "strength": 20.0}
    _, card = export_of(made(tmp_path / "iris", kept(1), strategy=strategy))
    assert "| strategy | apprentice (weights = own.toml, strength = 20.0) |" in card
    assert "somebody" not in card


def found(folder, words, *options):
    done = CliRunner().invoke(search, [str(folder), words, "--no-expand", *options])
    assert done.exit_code == 0, done.output
    return done.output


async def test_a_search_for_relevant_pages_goes_by_the_person(folder, web):
    say(folder, web.base + "/roses", True)
    say(folder, web.base + "/lens", False)
    assert "relevance 0.00, labelled relevant" in found(folder, "roses", "--relevant")
    assert "No relevant page has lens" in found(folder, "lens", "--relevant")
    told = json.loads(found(folder, "lens", "--json"))["found"]
    assert [(each["label"], each["relevant"]) for each in told] == [("not relevant", True)]


def due(folder, **wanted):
    with Archive.open(folder) as archive:
        pages = due_pages(archive, DueChoice(**wanted), Intervals(), time.time() + 8 * DAY)
    return sorted(each.url.rpartition("/")[2] for each in pages)


async def test_what_is_due_goes_by_the_person(folder, web):
    assert due(folder) == ["", "lens", "pupil"]
    say(folder, web.base + "/roses", True)
    say(folder, web.base + "/lens", False)
    assert due(folder) == due(folder, force=True) == ["", "pupil", "roses"]
    assert due(folder, every=True) == ["", "lens", "pupil", "roses"]


# ── once on topic ──


async def test_force_looks_at_what_was_once_relevant_and_no_longer_is(folder, web):
    say(folder, web.base + "/roses", True)
    web.pages["/pupil"] = Served(page(BANANAS, title="Bananas"))
    web.pages["/roses"] = Served(page("The house was sold.", title="Sold"))
    await round_over(folder)
    assert due(folder) == ["", "lens"]
    assert due(folder, force=True) == ["", "lens", "pupil", "roses"]
    web.pages["/pupil"] = Served(page(PUPIL, title="Pupil"))
    await round_over(folder)
    assert due(folder) == ["", "lens", "pupil"], "it is on topic again"
    say(folder, web.base + "/pupil", False)
    assert due(folder, force=True) == ["", "lens", "roses"], "what you do not want is not looked at"
