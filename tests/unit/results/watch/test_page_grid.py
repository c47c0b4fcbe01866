"""The long list of visits: how it is sorted, filtered and searched, over real crawl folders."""

from contextlib import closing

import pytest
from tests.unit.results.changing_web import (
    IRIS,
    MUSCLES,
    PIGMENT,
    TURNING,
    ChangingWeb,
    Served,
    crawled,
    page,
    round_over,
    serving,
    titled,
)

from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.results.archive import Archive
from thresher.results.watch import page_grid
from thresher.results.watch.page_grid import (
    GridQuestion,
    first_question,
    grid_choices,
    grid_rows,
    listed,
    place_in,
)
from thresher.store import page_list
from thresher.store.labels import HandLabel, put_label
from thresher.store.page_list import SORTS, PageFilter


def rows(folder, wanted=PageFilter(), **question):  # noqa: B008 - a frozen value
    with Archive.open(folder) as archive:
        found = listed(archive, GridQuestion(wanted, **question))
        return grid_rows(archive, found.numbers)


def paths(found):
    return [row.url.removeprefix("http://iris.example") for row in found]


def put(folder, *labels):
    with closing(Ledger(folder / "crawl.sqlite")) as ledger:
        for url, relevant in labels:
            put_label(ledger, HandLabel(url, relevant, 4e9))


def test_a_row_says_what_came_of_a_url_and_why(folder):
    (pupil,) = rows(folder, PageFilter(text="/PUPIL"))
    assert (pupil.title, pupil.host, pupil.anchor) == ("Pupils", "iris.example", "how the pupil of the eye works")
    assert (pupil.relevant, pupil.outcome, pupil.language, pupil.depth, pupil.copy) == (True, "page", "en", 1, False)
    assert pupil.reason.startswith(("iris", "eye"))
    assert 0.3 < pupil.relevance <= 1
    (gone,) = rows(folder, PageFilter(text="/gone"))
    assert (gone.outcome, gone.relevance, gone.relevant, gone.title) == ("http-404", None, None, "")
    (moved,) = rows(folder, PageFilter(text="/old"))
    assert moved.reason == "→ http://iris.example/new"


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("descending", [True, False])
def test_every_column_sorts_all_visits_and_what_has_no_value_comes_last(folder, sort, descending):
    found = rows(folder, sort=sort, descending=descending)
    assert len(found) == len(rows(folder))
    keys = [getattr(row, {"time": "at"}.get(sort, sort)) for row in found]
    told = [key.lower() if isinstance(key, str) else key for key in keys if key not in {None, ""}]
    assert keys[len(told) :] == [each for each in keys if each in {None, ""}]
    assert told == sorted(told, reverse=descending)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (PageFilter(outcome="http-404"), ["/gone"]),
        (PageFilter(outcome="robots"), ["/members/list"]),
        (PageFilter(text="GARDEN"), ["/garden"]),
        (PageFilter(text="pupils"), ["/pupil"]),
        (PageFilter(text="%"), []),
        (PageFilter(host="example", text="/lens"), ["/lens"]),
        (PageFilter(host="xample"), []),
        (PageFilter(language="EN", text="/new"), ["/new"]),
        (PageFilter(language="de"), []),
        (PageFilter(hand="any"), []),
        (PageFilter(relevant=False), ["/garden", "/shed", "/rake"][:2]),
    ],
)
def test_a_filter_leaves_what_was_asked_for(folder, wanted, expected):
    assert sorted(paths(rows(folder, wanted))) == sorted(expected)


def test_letters_of_other_languages_are_found_in_both_cases(own):
    with closing(Ledger(own / "crawl.sqlite")) as ledger:
        ledger.write("UPDATE visit SET title = 'ÜBER DAS AUGE' WHERE url LIKE '%/pupil'")
        ledger.write("UPDATE visit SET title = 'über Linsen' WHERE url LIKE '%/lens'")
    assert sorted(paths(rows(own, PageFilter(text="Über")))) == ["/lens", "/pupil"]


def test_all_that_is_no_page_can_be_asked_for_together(folder):
    assert {row.outcome for row in rows(folder, PageFilter(outcome="no page"))} == {
        "http-404",
        "robots",
        "redirect",
    } | {row.outcome for row in rows(folder) if row.outcome != "page"}


def test_the_label_of_a_person_counts_for_more_than_the_judge(own):
    put(
        own,
        ("http://iris.example/garden", True),
        ("http://iris.example/pupil", False),
        ("http://iris.example/lens", None),
    )
    relevant = paths(rows(own, PageFilter(relevant=True)))
    assert "/garden" in relevant
    assert "/pupil" not in relevant
    assert "/lens" in relevant
    assert paths(rows(own, PageFilter(hand="not relevant"))) == ["/pupil"]
    assert sorted(paths(rows(own, PageFilter(hand="any")))) == ["/garden", "/pupil"]
    assert "/pupil" not in paths(rows(own, PageFilter(hand="none")))
    (garden,) = rows(own, PageFilter(text="/garden"))
    assert (garden.label, garden.relevant) == ("relevant", False)


async def test_a_page_that_has_changed_is_listed_as_it_is_now(tmp_path):
    async with serving(titled(muscles=MUSCLES, pigment=PIGMENT)) as served:
        await crawled(tmp_path / "crawl", served)
        served.pages["/muscles"] = Served(page("A garden.", title="Zinnias"))
        del served.pages["/pigment"]
        await round_over(tmp_path / "crawl")
    by_title = rows(tmp_path / "crawl", sort="title")
    assert by_title[0].title == "Zinnias"
    assert not by_title[0].relevant
    (gone,) = [row for row in by_title if row.url.endswith("/pigment")]
    assert gone.gone


def test_words_are_looked_for_in_the_texts_best_match_first(folder):
    assert paths(rows(folder, words="pupil", sort="match"))[0] == "/pupil"
    assert paths(rows(folder, words="pupil", sort="match", descending=False))[-1] == "/pupil"
    assert paths(rows(folder, PageFilter(text="garden"), words="spade")) == ["/garden"]
    assert paths(rows(folder, words="spade", sort="title", descending=False)) == ["/garden", "/shed"]


def test_a_search_without_a_word_is_told_in_a_sentence(folder):
    with pytest.raises(BadInput, match="no word to look for"):
        rows(folder, words="-iris")


def test_pages_with_some_of_the_words_come_with_a_note(folder):
    with Archive.open(folder) as archive:
        assert listed(archive, GridQuestion(words="spade refracts")).note.startswith("No page has all")


def test_an_index_that_is_not_ready_says_how_many_pages_are_missing(own, monkeypatch):
    (own / "search.sqlite").unlink(missing_ok=True)
    monkeypatch.setattr(page_grid, "_UPDATE", 0.0)
    with Archive.open(own) as archive:
        found = listed(archive, GridQuestion(words="pupil"))
    assert (len(found.numbers), found.total) == (0, 0)
    assert "pages are not in the search index yet" in found.note


def test_visits_without_a_filter_are_listed_without_being_read(folder):
    with Archive.open(folder) as archive:
        found = listed(archive, GridQuestion())
        assert isinstance(found.numbers, range)
        assert list(found.numbers) == sorted(found.numbers, reverse=True)
        assert place_in(found, 1) == len(found.numbers) - 1
        assert place_in(found, 10_000) is None


def test_a_gap_in_the_numbers_is_no_row(own):
    with closing(Ledger(own / "crawl.sqlite")) as ledger:
        ledger.write("DELETE FROM visit WHERE number = 2")
    found = rows(own)
    assert 2 not in [row.number for row in found]
    assert found[-1].number == 1


def test_a_list_has_an_end_and_says_how_many_there_are(folder, monkeypatch):
    monkeypatch.setattr(page_list, "MOST_LISTED", 3)
    with Archive.open(folder) as archive:
        for sort in ("title", "number"):
            found = listed(archive, GridQuestion(sort=sort))
            assert len(found.numbers) == 3
            assert found.counted == f"{found.total} visits, of which the first 3 are listed"
            assert found.total == found.newest


def test_a_large_crawl_opens_with_its_newest_pages(folder, monkeypatch):
    with Archive.open(folder) as archive:
        assert first_question(archive).sort == "relevance"
        monkeypatch.setattr(page_grid, "EASY", 3)
        assert first_question(archive).sort == "number"


def test_outcomes_and_languages_can_be_chosen_from(folder):
    with Archive.open(folder) as archive:
        choices = grid_choices(archive)
    assert choices.outcomes["http-404"] == 1
    assert list(choices.languages) == ["en"]


async def test_what_the_web_wrote_is_one_short_line_without_tricks(tmp_path):
    title = f"<script>alert(1)</script> {TURNING} " + "iris of the eye " * 20_000
    links = f'<a href="/next?{"q" * 1500}">iris {TURNING} {"eye " * 500}</a>'
    pages = {"/": Served(page(f"{IRIS} {links}", title=title)), "/next": Served(page(title=title))}
    async with serving(ChangingWeb(pages)) as served:
        await crawled(tmp_path / "crawl", served)
    for row in rows(tmp_path / "crawl"):
        shown = f"{row.title}{row.url}{row.anchor}{row.reason}{row.host}"
        assert not set(shown) & set(TURNING)
        assert len(row.title) <= 300
        assert len(row.url) <= 500
        assert len(row.anchor) <= 200
        assert row.title.startswith("<script>")  # as text; nobody reads it as more


def test_rows_are_read_by_the_hundred(folder):
    with Archive.open(folder) as archive:
        assert len(grid_rows(archive, [1] * 10_000)) == page_grid.MOST_ROWS
