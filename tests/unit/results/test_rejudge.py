"""Kept pages are judged anew."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from click.testing import CliRunner
from tests.unit.results.changing_web import ChangingWeb, Served, crawled, page, round_over, serving

from thresher.cli.rejudge import rejudge
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput, FolderLocked
from thresher.results.archive import Archive
from thresher.results.export.exporter import Choice
from thresher.results.label.desk import open_desk
from thresher.results.rejudge.round import JudgeWish, open_rejudging
from thresher.results.search.answers import search
from thresher.results.show import crawl_figures
from thresher.results.why.explanation import why
from thresher.store.labels import HandLabel, labels, put_label
from thresher.store.rejudgements import judgements_of, round_in_force, rounds

EYE = ["cornea", "lens", "retina", "muscle", "light", "doctor", "clinic", "vision", "sight", "blink"]
FLOWER = ["petal", "rhizome", "garden", "border", "bloom", "bulb", "soil", "sun", "gardener", "stem"]
STRICT, LOOSE = JudgeWish(threshold=0.9), JudgeWish(threshold=0.02)


def text(words, number):
    """Sentences of a kind, none like another, with the topic's words once."""
    rest = [words[(number * step + step * step) % 10] for step in range(1, 12 + 3 * number)]
    return f"This iris of an eye, number {number}, " + " ".join(rest)


def iris_web():
    eyes = {f"/eye{n}": Served(page(text(EYE, n), title=f"Eye {n}")) for n in range(8)}
    flowers = {f"/flower{n}": Served(page(text(FLOWER, n), title=f"Flower {n}")) for n in range(34)}
    return ChangingWeb({"/": Served(page("Iris", links=(*eyes, *flowers))), **eyes, **flowers})


@pytest.fixture(scope="module")
def crawled_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("iris") / "crawl"

    async def crawl():
        async with serving(iris_web()) as served:
            await crawled(folder, served, workers=1)

    asyncio.run(crawl())
    return folder


@pytest.fixture
def folder(crawled_once, tmp_path):
    return shutil.copytree(crawled_once, tmp_path / "crawl")


def judged_anew(folder, wish=STRICT, at=86_400.0):
    with open_rejudging(folder, wish) as rejudging:
        rejudging.judge()
        plan = rejudging.plan()
        rejudging.put_in_force(at)
    return plan


def figures(folder):
    with Archive.open(folder) as archive:
        return crawl_figures(archive)


def relevant_urls(folder):
    with Archive.open(folder) as archive:
        return {row["url"] for row in Choice(relevant=True).select(archive).rows()}


def url_of(folder, path):
    with Archive.open(folder) as archive:
        return next(row[0] for row in archive.read("SELECT url FROM visit WHERE url LIKE ?", (f"%{path}",)))


def said_of_all(folder):
    asked = "SELECT visit, look, relevance, relevant, evidence, simhash, near, base, said, learnt FROM rejudgement ORDER BY visit, look"
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as catalogue:
        return catalogue.execute(asked).fetchall()


def label(folder, path, relevant, at=1e10):
    with closing(Ledger(folder / "crawl.sqlite")) as ledger:
        put_label(ledger, HandLabel(url_of(folder, path), relevant, at))


def test_the_plan_says_what_would_change_and_nothing_changes_without_a_yes(folder):
    before, urls = figures(folder), relevant_urls(folder)
    done = CliRunner().invoke(rejudge, [str(folder), "--threshold", "0.9"])
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines()]
    assert ["now", "terms:threshold=0.3", str(before.counts.relevant)] in lines
    assert ["anew", "terms:threshold=0.9", "0"] in lines
    assert f"0 would become relevant\n\n{before.counts.relevant} would no longer be relevant" in done.output
    assert "Nothing was changed. To do it, run the same command with --yes." in done.output
    assert (figures(folder).counts, relevant_urls(folder)) == (before.counts, urls)
    with Archive.open(folder) as archive:
        assert archive.judged is None


def test_with_a_yes_all_that_shows_pages_goes_by_the_new_judgements_and_says_so(folder):
    assert relevant_urls(folder)
    done = CliRunner().invoke(rejudge, [str(folder), "--threshold", "0.9", "--yes", "--json"])
    assert json.loads(done.output)["in_force"]
    assert relevant_urls(folder) == set()
    shown = figures(folder)
    assert (shown.counts.relevant, shown.best) == (0, [])
    assert shown.as_json()["judged_anew"]["judge"] == "terms:threshold=0.9"
    with Archive.open(folder) as archive:
        assert search(archive, "iris", expand=False, relevant=True).total == 0
        (first, *_) = search(archive, "iris", expand=False).found
        assert first.judged_by == "terms:threshold=0.9"
        row = next(Choice().select(archive).rows())
        assert archive.judged_by(row) == "terms:threshold=0.9"


def test_an_index_made_before_goes_by_the_new_judgements(folder):
    with Archive.open(folder) as archive:
        assert search(archive, "petal", expand=False, relevant=True).total > 0
    for wish, found in ((STRICT, False), (LOOSE, True)):
        judged_anew(folder, wish)
        with Archive.open(folder) as archive:
            assert bool(search(archive, "petal", expand=False, relevant=True).total) == found


def test_earlier_judgements_are_kept_and_why_names_them_all(folder):
    judged_anew(folder, STRICT, at=86_400.0)
    judged_anew(folder, LOOSE, at=2 * 86_400.0)
    with Archive.open(folder) as archive:
        found = why(archive, url_of(folder, "/eye3"))
        number = found.way[-1].number
        assert [each.round and each.round.number for each in judgements_of(archive.read, number)] == [None, 1, 2]
        assert [each.done for each in rounds(archive.read)] == [86_400.0, 172_800.0]
    sentence = next(each for each in found.verdict if "more than once" in each)
    parts = [each.rpartition("(")[2] for each in sentence.rstrip(".").split("; ")]
    assert parts == ["terms:threshold=0.02)", "terms:threshold=0.9)", "terms:threshold=0.3)"]
    assert "on 1970-01-03" in sentence
    assert "while crawling" in sentence


def test_a_label_counts_for_more_than_a_round_and_is_not_counted_as_a_change(folder):
    before = relevant_urls(folder)
    liked = url_of(folder, "/flower1")
    label(folder, "/flower1", relevant=True)
    label(folder, "/eye1", relevant=False)
    with Archive.open(folder) as archive:
        said = {each.url for each in labels(archive.read)}
    shown = CliRunner().invoke(rejudge, [str(folder), "--threshold", "0.9"]).output
    assert "2 labelled by you: your labels count, as before, and these pages are not listed below" in shown
    plan = judged_anew(folder)
    assert (plan.labels, plan.ceasing) == (2, len(before - said))
    assert relevant_urls(folder) == {liked}


def test_questions_are_about_pages_near_the_threshold_of_the_judge_in_force(folder):
    with open_desk(folder) as desk:
        before = next(desk.questions(1)).relevance
        others = [each.relevance for each in desk.questions(100)]
    judged_anew(folder, STRICT)
    with open_desk(folder) as desk:
        after = next(desk.questions(1)).relevance
    assert before < after == max(others) < STRICT.threshold


def test_labels_teach_the_judge_as_they_do_when_the_crawl_goes_on(folder):
    without = judged_anew(folder, JudgeWish())
    assert (without.becoming, without.ceasing) == (0, 0)
    for number in range(8):
        label(folder, f"/eye{number}", relevant=False)
        label(folder, f"/flower{number}", relevant=False)
    assert judged_anew(folder, JudgeWish()).ceasing > 0


KILLED = """
import os, signal, sys
from pathlib import Path
from thresher.results.rejudge import round as room
room._BATCH = 10
with room.open_rejudging(Path(sys.argv[1]), room.JudgeWish(threshold=0.9, learn=sys.argv[2] == "learn")) as rejudging:
    batches = []
    rejudging.judge(lambda pages: batches.append(pages) or (len(batches) == 2 and os.kill(os.getpid(), signal.SIGKILL)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("learn", [False, True])
def test_a_round_that_was_killed_goes_on_where_it_was_and_says_the_same(folder, tmp_path, learn):
    if learn:
        teach(folder)
    other = shutil.copytree(folder, tmp_path / "other")
    wish = STRICT._replace(learn=learn)
    judged_anew(other, wish)
    done = subprocess.run([sys.executable, "-c", KILLED, folder, "learn" * learn], check=False)
    assert done.returncode == -9
    assert len(said_of_all(folder)) == 20
    with Archive.open(folder) as archive:
        assert round_in_force(archive.read) is None
    with open_rejudging(folder, wish) as rejudging:
        assert rejudging.behind() == figures(other).counts.pages - 20
    judged_anew(folder, wish)
    assert said_of_all(folder) == said_of_all(other)


def test_a_round_that_waits_for_a_yes_is_not_judged_again_unless_something_else_is_asked_for(folder):
    with open_rejudging(folder, STRICT) as rejudging:
        rejudging.judge()
    with open_rejudging(folder, STRICT) as rejudging:
        assert rejudging.behind() == 0
    label(folder, "/eye1", relevant=False)
    for wish in (STRICT, LOOSE):
        with open_rejudging(folder, wish) as rejudging:
            assert rejudging.behind() == figures(folder).counts.pages
    assert said_of_all(folder) == []


async def test_the_crawl_goes_on_with_its_own_judge_and_new_pages_have_its_judgement(tmp_path):
    folder, web = tmp_path / "crawl", iris_web()
    async with serving(web) as served:
        await crawled(folder, served, workers=1, budget={"pages": 5})
        judged_anew(folder, STRICT)
        assert figures(folder).counts.relevant == 0
        await crawled(folder, served, workers=1, budget={"pages": 12})
    with Archive.open(folder) as archive:
        rows = list(Choice().select(archive).rows())
        assert [archive.judged_by(row) for row in rows] == ["terms:threshold=0.9"] * 5 + ["terms:threshold=0.3"] * 7
    plan = judged_anew(folder, STRICT)
    assert plan.pages == 12
    assert figures(folder).counts.relevant == 0


async def test_a_page_that_changed_is_judged_in_both_versions(tmp_path):
    folder, web = tmp_path / "crawl", iris_web()
    async with serving(web) as served:
        await crawled(folder, served, workers=1)
        # A second look makes the first a past one, whose version no longer holds.
        served.pages["/eye1"] = Served(page("Nothing of it here any more.", title="Empty"))
        await round_over(folder)
        served.pages["/eye1"] = Served(page("Pupil and iris of the eye, iris, eye, pupil: iris.", title="Iris"))
        await round_over(folder)
    judged_anew(folder, JudgeWish({"name": "terms", "raw": True}, threshold=0.01))
    with Archive.open(folder) as archive:
        now = next(row for row in Choice().select(archive).rows() if row["url"].endswith("/eye1"))
        first = judgements_of(archive.read, now["number"])[-1].judgement
        assert archive.judged_by(now) == "terms:raw=true,threshold=0.01"
        assert 0 < first.relevance < now["relevance"]
        assert (now["title"], archive.visit_of(now).page.title) == ("Iris", "Iris")


async def test_pages_that_are_relevant_now_and_nearly_the_same_count_once(tmp_path):
    words = " ".join(f"word{number}" for number in range(200))
    twins = {f"/{name}": Served(page(f"An iris. {words} {name}", title="Twin")) for name in ("one", "other")}
    folder, web = tmp_path / "crawl", ChangingWeb({"/": Served(page(links=tuple(twins))), **twins})
    async with serving(web) as served:
        await crawled(folder, served, workers=1, judge={"name": "terms", "threshold": 0.9})
    assert figures(folder).counts.relevant == 0
    plan = judged_anew(folder, JudgeWish(threshold=0.0))
    shown = figures(folder).counts
    assert (plan.becoming, plan.harvest_after, shown.relevant, shown.near) == (3, 2, 2, 1)


def teach(folder):
    for number in range(31):
        label(folder, f"/flower{number}", relevant=False)
    for number in range(5):
        label(folder, f"/eye{number}", relevant=True)


def test_a_classifier_learnt_from_labels_puts_pages_of_their_kind_on_top(folder):
    teach(folder)
    with open_rejudging(folder, JudgeWish(learn=True)) as rejudging:
        steps, taken = rejudging.steps(), []
        rejudging.judge(taken.append)
        assert steps == sum(taken) == 2 * figures(folder).counts.pages
        assert rejudging.steps() == 0
        rejudging.put_in_force(86_400.0)
    with Archive.open(folder) as archive:
        rows = {row["url"].rpartition("/")[2]: row for row in Choice().select(archive).rows()}
        assert archive.judged_by(rows["eye6"]) == "terms:threshold=0.3, learnt from the crawl"
        unlabelled = {
            name: rows[name]["relevance"] for name in ("eye5", "eye6", "eye7", "flower31", "flower32", "flower33")
        }
        assert min(unlabelled[name] for name in ("eye5", "eye6", "eye7")) > max(
            unlabelled[name] for name in ("flower31", "flower32", "flower33")
        )
        assert json.loads(rows["eye6"]["evidence"])[-1][:2] == ["learnt from the crawl", "judge"]


def test_learning_changes_which_pages_are_relevant_but_not_how_many(folder):
    teach(folder)
    own = judged_anew(folder, JudgeWish())
    plan = judged_anew(folder, JudgeWish(learn=True))
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as catalogue:
        found = dict(catalogue.execute("SELECT round, sum(relevant) FROM rejudgement GROUP BY round"))
    assert found[1] == found[2] > 0
    assert own.pages == plan.pages


def test_too_small_a_crawl_teaches_nothing_and_says_so(folder):
    done = CliRunner().invoke(rejudge, [str(folder), "--learn", "--yes"])
    assert isinstance(done.exception, BadInput)
    assert "too little to learn from" in str(done.exception)
    with Archive.open(folder) as archive:
        assert archive.judged is None


def test_pages_whose_records_are_lost_keep_the_judgement_they_have(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as catalogue, catalogue:
        catalogue.execute("UPDATE visit SET file = NULL WHERE url LIKE '%/eye1'")
    judged_anew(folder)
    with Archive.open(folder) as archive:
        rows = {row["url"].rpartition("/")[2]: row for row in Choice().select(archive).rows()}
    assert (rows["eye1"]["judged"], rows["eye2"]["judged"]) == (None, 1)


def test_a_folder_that_is_crawled_into_is_left_alone(folder):
    with (
        CrawlFolder(folder),
        pytest.raises(FolderLocked, match="when the crawl has stopped"),
        open_rejudging(folder, STRICT),
    ):
        pass


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--judge", "oracle"], "there is no judge 'oracle'; installed: classifier"),
        (["--threshold", "7"], "threshold is 7.0, but must be from 0 to 1"),
        (["--judge", "terms:colour=red"], "has no key 'colour'"),
        (["--judge", "terms:colour"], "not of the form KEY=VALUE"),
    ],
)
def test_a_judge_that_cannot_be_is_refused_and_the_folder_stays_as_it_was(folder, options, complaint):
    done = CliRunner().invoke(rejudge, [str(folder), *options])
    assert complaint in str(done.exception)
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as catalogue:
        assert not catalogue.execute("SELECT 1 FROM sqlite_master WHERE name = 'rejudging'").fetchone()
