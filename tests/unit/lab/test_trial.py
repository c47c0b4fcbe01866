import asyncio
import gc
import os
import signal
from dataclasses import replace

import pytest
from tests.unit.lab.task_files import eye_task, recorded

from thresher import plugins
from thresher.errors import BadInput, Missing, UnknownPart
from thresher.lab.run.crawl_measures import Fetch
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, Workbench, crawled, parts, run, throws_dice, with_labels
from thresher.model import Url
from thresher.strategy.breadth_first import BreadthFirst

PAGES = 80
ALL = plugins.names("strategy")


def tried(task, name, **options):
    return run(Trial(task, "near", {"name": name}, **{"pages": PAGES, **options}))


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    return eye_task(tmp_path_factory.mktemp("web"))


@pytest.mark.parametrize("name", ALL)
def test_every_strategy_runs_on_a_generated_web_the_same_way_each_time(name, task):
    row, fetches = tried(task, name)
    assert 1 <= row.fetched == len(fetches) <= PAGES
    again, same = tried(task, name)
    assert replace(again, cpu_s=0.0) == replace(row, cpu_s=0.0)
    assert same == fetches


class Interrupted(BreadthFirst):
    """Somebody presses Ctrl-C at its fifth page."""

    seen = 0

    def learn(self, visit):
        self.seen += 1
        if self.seen == 5:
            os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_ends_a_crawl_after_the_page_under_way(task):
    trial = Trial(task, "near", {"name": "breadth-first"}, PAGES)
    before = signal.getsignal(signal.SIGINT)
    with Workbench() as bench:
        _, judge = parts(trial, bench.known(task))
        stop, notebook = asyncio.run(crawled(trial, bench.web(task.web), Interrupted(), judge))
    assert stop.reason == "interrupted"
    assert len(notebook.fetches) == 5
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_a_crawl_began_leaves_no_warning(task, monkeypatch, recwarn):
    def interrupted(_crawl):
        raise KeyboardInterrupt

    monkeypatch.setattr(asyncio, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(Trial(task, "near", {"name": "breadth-first"}, 20))
    gc.collect()
    assert [str(each.message) for each in recwarn] == []


def test_the_row_says_what_the_fetches_say(task):
    row, fetches = tried(task, "best-first")
    found = [number for number, fetch in enumerate(fetches, 1) if fetch.relevant]
    assert row.curve == tuple(found)
    assert row.relevant == len(found) > 0
    assert row.harvest == row.relevant / PAGES
    assert row.targets == len(TaskWeb(task.web).targets(task)) == 20
    assert (row.web, row.task, row.seeds, row.strategy, row.stopped) == ("iris", "eye", "near", "best-first", "pages")
    assert row.recall == {}


def test_the_row_says_how_much_a_strategy_was_taught(task):
    taught, untaught = tried(task, "interclass-rules", pages=5)[0], tried(task, "breadth-first", pages=5)[0]
    taxonomy = Workbench().known(task)["taxonomy"].make()
    assert (taught.train_0, taught.train_1) == taxonomy.sizes[:2]
    assert taught.train_1 > 0
    assert (untaught.train_0, untaught.train_1) == (0, 0)


def test_recall_is_told_at_its_marks(task):
    row, _ = tried(task, "best-first", pages=100)
    assert row.recall == {"100": row.relevant / 20}


def test_the_upper_bound_finds_more_than_any_other_strategy(task):
    found = {name: tried(task, name, pages=30)[0].relevant for name in ALL}
    assert found["oracle-greedy"] == max(found.values())
    assert found["oracle-greedy"] > found["breadth-first"]


def test_a_web_that_is_crawled_through_ends_before_the_budget(task):
    row, fetches = tried(task, "breadth-first", pages=1000)
    assert row.stopped == "empty"
    assert row.fetched == len(fetches) < 1000
    assert row.relevant == row.targets
    assert row.harvest == row.relevant / 1000


def test_what_is_denied_is_not_fetched(tmp_path, task):
    _, fetches = tried(task, "breadth-first")
    host = fetches[30].url[: fetches[30].url.index("/", 8) + 1]
    denied = replace(task, web=replace(task.web, deny=[host]))
    _, left = tried(denied, "breadth-first")
    assert any(fetch.url.startswith(host) for fetch in fetches)
    assert not any(fetch.url.startswith(host) for fetch in left)


def test_another_repeat_is_another_throw_of_the_dice(task):
    first, second, again = (tried(task, "random", repeat=repeat)[1] for repeat in (0, 1, 1))
    assert first != second
    assert second == again


@pytest.mark.parametrize(
    ("table", "throws"),
    [({"name": "random"}, True), ({"name": "random", "seed": 3}, False), ({"name": "lokman"}, False)],
)
def test_a_strategy_throws_dice_if_it_takes_a_seed_that_nobody_gave(table, throws):
    assert throws_dice(table) == throws


def test_the_key_of_a_run_names_all_that_was_asked(task):
    def key(*how, **options):
        return Trial(task, *how, **options).blank.key

    plain = key("near", {"name": "lokman"})
    assert plain == "iris/eye|near|lokman|1000|0"
    assert key("near", {"name": "lokman"}, judge={"name": "terms"}) == plain
    others = [
        key("far", {"name": "lokman"}),
        key("near", {"name": "lin"}),
        key("near", {"name": "lokman", "profile": "robust"}),
        key("near", {"name": "lokman"}, pages=10),
        key("near", {"name": "lokman"}, repeat=1),
        key("near", {"name": "lokman"}, judge={"name": "concepts"}),
        key("near", {"name": "lokman"}, judge={"name": "terms", "threshold": 0.5}),
        key("near", {"name": "lokman"}, judge={"name": "terms", "threshold": 0.6}),
    ]
    assert len({plain, *others}) == 1 + len(others)


def test_another_judge_may_guide_the_crawl_but_not_what_counts(task):
    row, fetches = tried(task, "best-first", judge={"name": "classifier"})
    terms, others = tried(task, "best-first")
    assert row.parameters == {"judge": "classifier"}
    assert row.targets == terms.targets
    assert [fetch.relevance for fetch in fetches] != [fetch.relevance for fetch in others]


def test_a_page_counts_if_it_came_and_has_the_label():
    here, gone, other = (Url(f"http://a.example/{path}") for path in "abc")
    fetches = [Fetch(here), Fetch(gone, page=False), Fetch(other)]
    assert [fetch.relevant for fetch in with_labels(fetches, frozenset({here, gone}))] == [True, False, False]


@pytest.mark.parametrize(
    ("table", "error", "words"),
    [
        (
            {"name": "best-frist"},
            UnknownPart,
            "there is no strategy 'best-frist' (did you mean 'best-first'?); installed:",
        ),
        (
            {"name": "random", "sede": 3},
            BadInput,
            "strategy 'random' has no key 'sede' (did you mean 'seed'?); its keys:",
        ),
        ({"name": "random", "seed": "x"}, BadInput, "strategy 'random': seed is 'x', but must be a whole number"),
    ],
)
def test_a_strategy_that_is_wrong_is_named_with_the_choices(task, table, error, words):
    with pytest.raises(error) as raised:
        run(Trial(task, "near", table))
    assert words in str(raised.value)


def test_a_strategy_that_wants_what_is_not_there_says_what(tmp_path):
    task = eye_task(tmp_path, topic="sail", sense="")
    with pytest.raises(Missing, match="strategy 'lin' needs a word that an ontology knows"):
        tried(task, "lin")


def test_trials_on_one_bench_share_the_web_its_parsed_pages_and_what_is_known(task):
    with Workbench() as bench:
        first, _ = run(Trial(task, "near", {"name": "best-first"}, PAGES), bench)
        web, known = bench.web(task.web), bench.known(task)
        assert web.parser.spared == 0.0
        second, _ = run(Trial(task, "near", {"name": "breadth-first"}, PAGES), bench)
        assert bench.web(task.web) is web
        assert bench.known(task) is known
        assert web.parser.spared > 0.0
    assert first.targets == second.targets


def test_a_bench_holds_one_web_and_closes_it_before_the_next(tmp_path, task):
    with Workbench() as bench:
        web, known = bench.web(task.web), bench.known(task)
        closed = []
        web.close = lambda: closed.append(web)
        other = eye_task(tmp_path)
        assert bench.web(other.web) is not web
        assert closed == [web]
        assert bench.known(task) is not known


def test_a_bench_that_is_closed_has_forgotten_its_web(task):
    with Workbench() as bench:
        web = bench.web(task.web)
    assert bench.web(task.web) is not web


FIGURES = {
    ("schools", "health", "near"): (14, 22, 41),
    ("schools", "food", "far"): (0, 4, 10),
    ("foldoc", "storage", "near"): (0, 4, 23),
    ("womenshealth", "mental-health", "near"): (3, 28, 33),
}
"""What an independent breadth-first crawler found among the first 100, 300 and 1,000 fetches."""


@pytest.mark.slow
@pytest.mark.parametrize(("web", "name", "seeds"), FIGURES)
def test_breadth_first_finds_what_an_independent_crawler_found(web, name, seeds):
    row, _ = run(Trial(recorded(web)[name], seeds, {"name": "breadth-first"}, 1000))
    assert tuple(sum(place <= mark for place in row.curve) for mark in (100, 300, 1000)) == FIGURES[web, name, seeds]
