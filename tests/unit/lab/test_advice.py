"""What another strategy would have done with a finished crawl."""

import asyncio
import json
import time

import click
import pytest
from click.testing import CliRunner
from tests.assembling import opened

from thresher.cli.advise import advise as command
from thresher.cli.advise import sentences
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.lab.run.advice import FEWEST_LABELS, STARTS, Advice, StrategyAdvice, advise
from thresher.lab.run.statistics import compare
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.results.archive import Archive
from thresher.store.labels import HandLabel, make_labels, put_label
from thresher.store.visits import kept_pages


async def crawl_generated(folder, web, strategy):
    """A whole crawl of a small web, served here."""
    async with serve(web) as server:
        manners = {"polite": {"delay": 0.0, "allow_private": True}, "budget": {"dry_share": 0.0}}
        names = {"fetch": {"resolve": dict.fromkeys(web.atlas.hosts, "127.0.0.1")}}
        seeds = [next(web.urls(server.port))]
        async with opened(folder, "iris eye pupil", seeds, strategy=strategy, **manners, **names) as crawl:
            await crawl.run()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A crawl that took what came: nearly any other strategy would have found more, earlier."""
    place = tmp_path_factory.mktemp("advice") / "crawl"
    asyncio.run(crawl_generated(place, generate(size=240, hosts=6, links=8, locality=0.9), "breadth-first"))
    return place


def run_command(*arguments):
    return CliRunner().invoke(command, [*map(str, arguments)])


def test_a_crawl_that_took_what_came_is_told_what_would_have_found_more(folder):
    with Archive.open(folder) as archive:
        advice = advise(archive, [{"name": "best-first"}, {"name": "breadth-first"}])
    assert advice.own == "breadth-first"
    assert [row.strategy for row in advice.strategies] == ["best-first", "breadth-first"]
    best, own = advice.strategies
    assert best.auc > own.auc
    assert best.against_own.pairs == STARTS
    assert own.against_own is None
    assert 0 < best.found <= advice.relevant < advice.pages


def test_the_same_crawl_gets_the_same_advice(folder):
    def advised():
        with Archive.open(folder) as archive:
            return advise(archive, [{"name": "best-first"}])

    assert advised() == advised()


def test_the_crawl_is_not_changed(folder):
    before = {path: path.read_bytes() for path in folder.rglob("*.gz")}
    assert run_command(folder, "--strategy", "best-first").exit_code == 0
    assert {path: path.read_bytes() for path in folder.rglob("*.gz")} == before


def test_the_command_gives_a_table_two_sentences_and_what_they_rest_on(folder):
    done = run_command(folder, "--strategy", "best-first")
    assert done.exit_code == 0
    assert "best-first would have found" in " ".join(done.stdout.split())
    assert "luck" in done.stdout
    assert "label some pages to be surer" in " ".join(done.stdout.split())


def test_at_a_terminal_the_sentences_are_broken_between_words(folder):
    shown = CliRunner(env={"FORCE_COLOR": "1", "COLUMNS": "70"}).invoke(
        command, [str(folder), "--strategy", "best-first"]
    )
    lines = click.unstyle(shown.stdout).splitlines()
    assert "would have found" in " ".join(lines)
    assert max(map(len, lines)) <= 70


def test_programs_get_json(folder):
    found = json.loads(run_command(folder, "--strategy", "best-first", "--json").stdout)
    assert {row["strategy"] for row in found["strategies"]} == {"best-first", "breadth-first"}
    assert found["judges"] == []


def test_labels_count_before_the_judge_and_let_judges_be_compared(folder):
    with Archive.open(folder) as archive:
        pages = list(kept_pages(archive.read))[: FEWEST_LABELS + 5]
        before = advise(archive, [])
    ledger = Ledger(CrawlFolder(folder).database)
    make_labels(ledger)
    for number, page in enumerate(pages):
        put_label(ledger, HandLabel(page.url, not page.relevant if number < 3 else page.relevant, time.time()))
    ledger.close()
    with Archive.open(folder) as archive:
        after = advise(archive, [], judges=[{"name": "terms", "threshold": 0.1}])
    assert after.labelled == len(pages)
    assert after.relevant == before.relevant + sum(-1 if page.relevant else 1 for page in pages[:3])
    assert {row.judge for row in after.judges} == {"terms", "terms:threshold=0.1"}
    assert all(row.pages == len(pages) for row in after.judges)


def test_a_strategy_that_needs_what_is_not_there_is_left_out_and_named(folder):
    with Archive.open(folder) as archive:
        advice = advise(archive, [{"name": "soft-focus"}])
    assert [row.strategy for row in advice.strategies] == ["breadth-first"]
    assert advice.left_out[0].startswith("soft-focus is left out: ")


def test_a_crawl_with_few_pages_gets_no_advice(tmp_path):
    asyncio.run(crawl_generated(tmp_path / "crawl", generate(size=20, hosts=2, links=4), "best-first"))
    with Archive.open(tmp_path / "crawl") as archive, pytest.raises(BadInput, match="advice needs 50 pages"):
        advise(archive)


def made(best_area, p):
    starts = {f"start {number}": 0.1 for number in range(STARTS)}
    better = compare(dict.fromkeys(starts, best_area), starts)
    rows = [StrategyAdvice("other", 9, best_area, better, p), StrategyAdvice("own", 5, 0.1, None, 1.0)]
    return Advice("own", 100, 20, 0, 50, tuple(sorted(rows, key=lambda row: -row.auc)), ())


def test_the_sentences_say_what_to_do_next_time():
    assert "hardly luck: use --strategy other next time" in " ".join(sentences(made(0.3, 0.01)))
    assert "That may be luck" in " ".join(sentences(made(0.3, 0.2)))
    assert "Keep it" in " ".join(sentences(made(0.05, 0.01)))
