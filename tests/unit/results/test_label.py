import asyncio
import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
import webbrowser
from contextlib import closing
from select import select

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some
from tests.unit.results.changing_web import ChangingWeb, Served, crawled, page, serving

from thresher.assembly import assembled
from thresher.cli.label import label, open_in_browser
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, FolderLocked
from thresher.judge.by_hand import LEAST_LABELS, HandJudge
from thresher.model import Url
from thresher.orders.order import TakeBack
from thresher.results.archive import Archive, settings_of
from thresher.results.label import keeper
from thresher.results.label.desk import open_desk
from thresher.results.label.questions import Question
from thresher.results.label.scores import JudgeScores, hand_figures, held_against
from thresher.results.plain_text import paragraphs
from thresher.results.steer import answer_to, tell
from thresher.store.labels import HandLabel, label_of

EYE = ["pupil", "cornea", "lens", "retina", "muscle", "light", "doctor", "clinic", "vision", "sight"]
FLOWER = ["petal", "rhizome", "garden", "border", "bloom", "bulb", "soil", "sun", "gardener", "stem"]


def varied(words, number):
    """Sentences of a kind, none like another: the topic's words once, and more of the others on each."""
    rest = [words[(number * step + step * step) % 10] for step in range(1, 12 + 6 * number)]
    return f"This iris, number {number}, " + " ".join(rest)


def iris_web():
    eyes = {f"/eye{n}": Served(page(varied(EYE, n), title=f"On number {n}")) for n in range(14)}
    flowers = {f"/flower{n}": Served(page(varied(FLOWER, n), title=f"About number {n}")) for n in range(14)}
    return ChangingWeb({"/": Served(page("Iris", links=(*eyes, *flowers))), **eyes, **flowers})


async def crawl_it(folder):
    async with serving(iris_web()) as served:
        await crawled(folder, served, judge={"name": "terms", "threshold": 0.07})


@pytest.fixture(scope="module")
def crawled_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("iris") / "crawl"
    asyncio.run(crawl_it(folder))
    return folder


@pytest.fixture
def folder(crawled_once, tmp_path):
    copy = tmp_path / "crawl"
    (copy / "warc").mkdir(parents=True)
    for path in crawled_once.rglob("*"):
        if path.is_file():
            (copy / path.relative_to(crawled_once)).write_bytes(path.read_bytes())
    return copy


def said(folder, keys, *options):
    """Run the command with so many lines of input."""
    done = CliRunner().invoke(label, [str(folder), *options], input="".join(f"{key}\n" for key in keys))
    assert done.exit_code == 0, done.output
    return done.output


def labels(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return dict(connection.execute("SELECT url, relevant FROM label"))


def relevances(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return dict(connection.execute("SELECT url, relevance FROM visit WHERE outcome = 'page' AND near IS NULL"))


def label_all(folder, count):
    """Eyes are what is wanted."""
    with open_desk(folder) as desk:
        for question in desk.questions(count):
            desk.answer(question, "/eye" in question.url)


def test_the_pages_nearest_to_the_threshold_are_asked_about_first(folder):
    known = relevances(folder)
    with open_desk(folder) as desk:
        asked = [question.url for question in desk.questions(5)]
    distances = sorted(abs(relevance - 0.07) for relevance in known.values())
    assert [abs(known[url] - 0.07) for url in asked] == distances[:5]


def test_answers_are_kept_and_no_page_is_asked_about_twice(folder):
    first = said(folder, "yns", "--limit", "3")
    assert sorted(map(str, labels(folder).values())) == ["0", "1", "None"]
    second = said(folder, "yyy", "--limit", "3")
    assert len(labels(folder)) == 6
    assert all(url in first + second for url in labels(folder))
    assert "5 in all: 4 relevant, 1 not; 1 skipped" in second


def test_one_can_stop_at_any_moment(folder):
    assert "1 labelled now" in said(folder, "yq")
    assert "0 labelled now, 1 in all" in said(folder, "")
    assert len(labels(folder)) == 1


def test_a_key_that_means_nothing_is_asked_for_again(folder):
    said(folder, "x?yq")
    assert list(labels(folder).values()) == [1]


def test_a_page_that_is_named_is_asked_about_even_if_it_was_before(folder):
    url = next(iter(relevances(folder)))
    said(folder, "n", "--url", url)
    assert labels(folder) == {url: 0}
    said(folder, "y", "--url", url)
    assert labels(folder) == {url: 1}


def test_the_last_answers_can_be_taken_back_one_by_one_and_given_again(folder):
    shown = said(folder, "ynuuyyq", "--limit", "5")
    assert list(labels(folder).values()) == [1, 1]
    assert shown.count("Your last answer is taken back.") == 2
    first, second = (url for url in re.findall(r"^http\S+", shown, re.MULTILINE)[:2])
    assert labels(folder) == {first: 1, second: 1}


def test_what_is_taken_back_is_asked_about_again_next_time(folder):
    shown = said(folder, "yuq")
    assert labels(folder) == {}
    assert "No page was labelled" in shown
    with open_desk(folder) as desk:
        assert next(desk.questions(1)).url in shown


def test_a_label_that_was_replaced_comes_back_when_the_new_one_is_taken_back(folder):
    url = next(iter(relevances(folder)))
    with open_desk(folder, clock=lambda: 1000.0) as desk:
        desk.answer(desk.question(url), False)
    with open_desk(folder, clock=lambda: 2000.0) as desk:
        desk.answer(desk.question(url), True)
        # Another process sees it at once: nothing is lost if this one is killed.
        assert labels(folder) == {url: 1}
        assert desk.undo().url == url
        assert labels(folder) == {url: 0}
        assert desk.undo() is None
    with Archive.open(folder) as archive:
        assert label_of(archive.read, url) == HandLabel(url, False, 1000.0)


def test_with_nothing_to_undo_the_question_stands(folder):
    assert "There is nothing to undo" in said(folder, "uyq")
    assert list(labels(folder).values()) == [1]


def test_a_counter_says_how_many_are_labelled_and_how_many_to_go(folder):
    shown = said(folder, "ysuynq", "--limit", "4")
    assert re.findall(r"^Page .+", shown, re.MULTILINE) == [
        "Page 1 of 4: 0 labelled, 4 to go",
        "Page 2 of 4: 1 labelled, 3 to go",
        "Page 3 of 4: 1 labelled, 1 skipped, 2 to go",
        "Page 2 of 4: 1 labelled, 3 to go",
        "Page 3 of 4: 2 labelled, 2 to go",
        "Page 4 of 4: 3 labelled, 1 to go",
    ]


def test_the_counter_counts_no_more_pages_than_there_are(folder):
    shown = said(folder, "yq", "--limit", "1000")
    with open_desk(folder) as desk:
        assert f"Page 1 of {desk.left() + 1}: " in shown
        assert len(list(desk.questions(1000))) == desk.left()


def test_what_the_judge_said_is_shown_after_the_answer_and_not_before(folder):
    before, _, after = said(folder, "yq").partition("q quit  y")
    assert "The judge says" not in before
    assert not re.search(r"iris \d", before)
    assert re.match(r"\nThe judge says 0\.\d\d, (not )?relevant; (so do you|you differ)\.", after)
    assert re.search(r"^  iris \d.* \(text\)", after, re.MULTILINE)


def test_at_the_end_it_is_told_how_often_one_agrees_with_the_judge(folder):
    with open_desk(folder) as desk:
        judged = [question.relevant for question in desk.questions(2)]
    keys = ["n" if relevant else "y" for relevant in judged[:1]] + ["s", "q"]
    assert "You agree with the judge on 0 of 1 page." in said(folder, keys)


def test_a_page_that_is_answered_again_does_not_count_since_its_verdict_was_seen(folder):
    with open_desk(folder) as desk:
        for question in list(desk.questions(3)):
            desk.answer(question, question.relevant)
        assert desk.agreement() == (3, 3, 0)
        again = desk.undo()
        assert desk.agreement() == (2, 2, 0)
        desk.answer(again, not again.relevant)
        assert desk.agreement() == (2, 2, 1)
        assert str(desk.agreement()).endswith("2 of 2 pages. 1 that you answered again is left out.")


def test_an_answer_after_undo_says_that_it_is_not_counted_instead_of_a_count_without_it(folder):
    first, again = re.findall(r"^The judge says .*", said(folder, "nuyq"), re.MULTILINE)
    assert " So far you agree on " in first
    assert again.endswith("Asked again: not counted.")


def test_more_of_the_text_is_shown_on_demand_until_there_is_no_more(folder):
    with open_desk(folder) as desk:
        parts = next(desk.questions(1)).parts()
    shown = " ".join(said(folder, [*"m" * (len(parts) + 1), "q"]).split())
    assert all(" ".join(part.split()) in shown for part in parts)
    assert f"part {len(parts)} of {len(parts)}" in shown
    assert "That is all of its text." in shown


@given(some.text(some.characters(codec="utf-8"), max_size=50).map(lambda text: text * 100))
def test_the_parts_of_a_text_are_all_of_it_and_give_no_orders(text):
    question = Question(Url("http://a.example/"), "", "", 0.0, False, (), None, paragraphs(text))
    parts = question.parts()
    assert "".join("".join(parts).split()) == "".join(question.text.split())
    assert all(len(part) <= 1200 and part.replace("\n", "").isprintable() for part in parts)


def test_a_page_is_opened_in_the_browser(folder, tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    command = [sys.executable, "-m", "thresher", "label", str(folder)]
    env = {**os.environ, "BROWSER": str(browser)}
    done = subprocess.run(command, input="o\nq\n", text=True, capture_output=True, env=env, check=True)
    assert "Opened in your browser." in done.stdout
    assert opened.read_text().strip() in done.stdout
    assert opened.read_text().startswith("http://")


def test_without_a_browser_a_sentence_says_so(folder, monkeypatch):
    def no_browser():
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", no_browser)
    assert "There is no browser on this machine." in said(folder, "oq")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "-incognito", "https:evil"])
def test_nothing_but_a_web_address_goes_to_a_browser(url, monkeypatch):
    monkeypatch.setattr(webbrowser, "get", lambda: pytest.fail("a browser was asked for"))
    assert open_in_browser(url) == "Only http and https urls are opened in a browser."


def test_a_url_that_is_no_page_of_the_crawl_is_refused(folder):
    done = CliRunner().invoke(label, [str(folder), "--url", "http://elsewhere.example/"])
    assert isinstance(done.exception, BadInput)
    assert "http://elsewhere.example/ is not a page of" in str(done.exception)


def test_what_is_asked_shows_title_url_and_snippet(folder):
    shown = " ".join(said(folder, "q").split())
    with open_desk(folder) as desk:
        question = next(desk.questions(1))
    assert question.title in shown
    assert question.url in shown
    assert "This iris, number" in shown


def test_a_label_waits_while_something_else_holds_the_folder(folder, monkeypatch):
    monkeypatch.setattr(keeper, "_PATIENCE", 0.2)
    with CrawlFolder(folder), open_desk(folder) as desk:
        question = next(desk.questions(1))
        with pytest.raises(FolderLocked, match="is in use, and the label waits until it is free"):
            desk.answer(question, relevant=True)
    number = tell(CrawlFolder(folder), TakeBack(question.url))
    assert answer_to(CrawlFolder(folder), number).done, "the label was heard first"


def test_what_is_no_crawl_folder_is_refused_and_left_as_it_is(tmp_path):
    done = CliRunner().invoke(label, [str(tmp_path / "nowhere")])
    assert isinstance(done.exception, BadInput)
    assert not (tmp_path / "nowhere").exists()


def test_the_labels_as_json(folder):
    assert json.loads(said(folder, "", "--json")) == {"labels": [], "figures": None}
    said(folder, "yq")
    told = json.loads(said(folder, "", "--json"))
    assert [each["relevant"] for each in told["labels"]] == [True]
    assert told["figures"]["labels"] == 1


def test_without_labels_there_are_no_figures(folder):
    assert hand_figures(folder) is None


def test_figures_hold_the_judge_against_the_labels_before_and_after(folder):
    label_all(folder, 28)
    figures = hand_figures(folder)
    assert figures is not None
    assert (figures.labels, figures.taught) == (len(labels(folder)), True)
    assert figures.after.f1 > figures.before.f1
    before = dict.fromkeys(labels(folder))
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        fetched, relevant = connection.execute("SELECT count(*), sum(fresh) FROM visit WHERE asked").fetchone()
        fresh = {url for (url,) in connection.execute("SELECT url FROM visit WHERE fresh")}
    corrected = len(fresh - before.keys()) + sum(labels(folder).values())
    assert figures.harvest_before == pytest.approx(relevant / fetched)
    assert figures.harvest_after == pytest.approx(corrected / fetched)


async def test_the_crawl_goes_on_with_the_judge_that_heard_the_labels_and_rewrites_nothing(folder):
    before = relevances(folder)
    label_all(folder, LEAST_LABELS + 4)
    async with assembled(CrawlFolder(folder), settings_of(CrawlFolder(folder))) as crawl:
        judge = crawl.judge
        await crawl.run()
    assert isinstance(judge, HandJudge)
    assert judge.taught
    figures = hand_figures(folder)
    assert figures is not None
    assert judge.threshold == figures.threshold_after
    assert relevances(folder) == before


async def test_without_labels_the_crawl_goes_on_with_the_judge_it_has(folder):
    async with assembled(CrawlFolder(folder), settings_of(CrawlFolder(folder))) as crawl:
        assert not isinstance(crawl.judge, HandJudge)


@pytest.mark.parametrize(
    ("truth", "verdicts", "figures"),
    [
        ([True, True, False, False], [True, False, True, False], JudgeScores(0.5, 0.5, 0.5)),
        ([True, True], [True, True], JudgeScores(1.0, 1.0, 1.0)),
        ([False, False], [False, False], JudgeScores(0.0, 0.0, 0.0)),
        ([True], [False], JudgeScores(0.0, 0.0, 0.0)),
    ],
)
def test_precision_recall_and_f1(truth, verdicts, figures):
    assert held_against(truth, verdicts) == figures


def test_in_a_terminal_a_key_is_enough(folder):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-uc", "from thresher.cli.label import label; label()", str(folder)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, bufsize=0) as process:
        for key in (b"y", b"n", b"q"):
            shown = b""
            while not shown.endswith(b"q quit  "):
                shown += process.stdout.read(1)
            os.write(ours, key)
            # The terminal forgets what is typed before it listens for single keys.
            while not select([process.stdout], [], [], 1.0)[0]:
                os.write(ours, key)
        process.stdout.read()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0
    assert sorted(labels(folder).values()) == [0, 1]


def test_questions_follow_the_threshold_as_answers_move_it(folder):
    known = relevances(folder)
    with open_desk(folder) as desk:
        asked = []
        for question in desk.questions(12):
            desk.answer(question, False)
            asked.append(known[question.url])
    # Whoever says no to all is asked about better and better pages.
    assert max(asked[6:]) > max(asked[:3])
    assert asked[-1] > asked[0]
