"""Negative controls: where there is nothing to be had by merit, nobody has it, and nobody can look at the answers."""

import asyncio
import gc
import inspect
import math
import types
from collections.abc import Mapping
from functools import cache
from random import Random

import pytest
from tests.unit.lab.task_files import EYE, SHAPE, START, recorded, task_file
from tests.unit.lab.warcs import Others

from thresher import plugins
from thresher.errors import Missing
from thresher.lab.run.task import read_tasks
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, Workbench, crawled, parts, run
from thresher.lab.webs.generated import generate
from thresher.lab.webs.page_labels import PageLabels
from thresher.language.extras import extra
from thresher.ports import Strategy
from thresher.strategy.oracle_greedy import OracleGreedy

GUESSING = [name for name in plugins.names("strategy") if name != "oracle-greedy"]
JUDGES = plugins.names("judge")
SHUFFLES = 5


def takes(name):
    return plugins.parameters(plugins.find("strategy", name))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A generated web as a recording, so that its labels are a file that can be exchanged."""
    path = tmp_path_factory.mktemp("web")
    web = generate(**SHAPE)
    with Others(path / "web.warc.gz") as made:
        for url in web.urls():
            host, _, rest = url.removeprefix("http://").partition("/")
            made.page(url, web.page(host, f"/{rest}").body)
    write_labels(path / "true.tsv", {url: {web.topic_of(url)} for url in web.urls()})
    return path


def write_labels(path, labels):
    path.write_text("".join(f"{url}\t{'|'.join(sorted(own))}\n" for url, own in labels.items()))


def task_with(folder, labels, **changes):
    return read_tasks(
        task_file(folder, {**EYE, **changes}, name=labels.stem, warc=str(folder / "web.warc.gz"), labels=str(labels))
    )[0]


def shuffled(labels: Mapping, seed: int) -> dict:
    """The same label sets, each at another url."""
    urls, sets = sorted(labels), [labels[url] for url in sorted(labels)]
    Random(seed).shuffle(sets)
    return dict(zip(urls, sets, strict=True))


def surprises(tasks, names, pages):
    """By how many standard deviations the pages found differ from a draw of as many pages by lot, over all tasks, by strategy.

    A crawl that fetches n of the N labelled pages of a web, of which K count, finds by lot K·n/N of them, with the variance of the
    hypergeometric distribution, whatever way it takes: if labels say nothing of pages, no way is better than another.
    """
    sums = {name: [0.0, 0.0] for name in names}
    # Task by task, so that what is known of a task is worked out once.
    with Workbench() as bench:
        for task in tasks:
            for name in names:
                more, variance = excess(bench, task, name, pages)
                sums[name][0] += more
                sums[name][1] += variance
    return {name: more / math.sqrt(variance) if variance else 0.0 for name, (more, variance) in sums.items()}


@cache
def labelled_pages(task_web):
    return {url for url, own in task_web.labels.items() if own and task_web.has(url)}


def excess(bench, task, name, pages):
    """The pages found beyond what a lot would find, and how much that would vary."""
    _, fetches = run(Trial(task, "near", {"name": name}, pages), bench)
    task_web = bench.web(task.web)
    population = labelled_pages(task_web)
    drawn = {fetch.url for fetch in fetches if fetch.page} & population
    size, share = len(population), len(task_web.targets(task)) / len(population)
    variance = len(drawn) * share * (1 - share) * (size - len(drawn)) / (size - 1)
    return len(drawn & task_web.targets(task)) - share * len(drawn), variance


@pytest.fixture(scope="module")
def by_lot(folder):
    true = TaskWeb(task_with(folder, folder / "true.tsv").web).labels
    for seed in range(SHUFFLES):
        write_labels(folder / f"lot{seed}.tsv", shuffled(true, seed))
    return [task_with(folder, folder / f"lot{seed}.tsv") for seed in range(SHUFFLES)]


# Four standard deviations: of 20 strategies one passes that by chance in 800 experiments.
BOUND = 4.0


def test_where_labels_say_nothing_of_pages_strategies_find_what_chance_finds(by_lot):
    far = surprises(by_lot, [name for name in GUESSING if "taxonomy" not in takes(name)], 40)
    assert {name: value for name, value in far.items() if abs(value) >= BOUND} == {}


@pytest.mark.slow
def test_those_that_learn_a_taxonomy_from_such_labels_find_no_more(by_lot):
    far = surprises(by_lot, [name for name in GUESSING if "taxonomy" in takes(name)], 40)
    assert {name: value for name, value in far.items() if abs(value) >= BOUND} == {}


def test_the_same_bound_tells_merit_and_knowledge_of_the_labels_from_chance(folder, by_lot):
    assert surprises([task_with(folder, folder / "true.tsv")], ["best-first"], 40)["best-first"] > BOUND
    assert surprises(by_lot, ["oracle-greedy"], 40)["oracle-greedy"] > BOUND


@pytest.mark.slow
def test_on_a_recorded_web_too_shuffled_labels_leave_chance_alone(tmp_path):
    true = recorded("womenshealth")["mental-health"]
    labels = TaskWeb(true.web).labels
    tasks = []
    for seed in range(SHUFFLES):
        write_labels(tmp_path / f"lot{seed}.tsv", shuffled(labels, seed))
        row = {
            "name": true.name,
            "topic": true.topic,
            "keywords": true.keywords,
            "ontologies": ["iris.obo"],
            "relevant": list(true.relevant),
            "near": list(true.near),
        }
        path = task_file(tmp_path, row, name=f"lot{seed}", warc=str(true.web.paths[0]), labels=f"lot{seed}.tsv")
        tasks.append(read_tasks(path)[0])
    # No ontology here knows the phrase, so `lin` has no sense to look for.
    far = surprises(tasks[:3], [name for name in GUESSING if name != "lin"], 200)
    assert {name: value for name, value in far.items() if abs(value) >= BOUND} == {}
    # Who knows the labels has few pages to choose from here, so it takes more lots to see it.
    assert surprises(tasks, ["oracle-greedy"], 200)["oracle-greedy"] > BOUND


# ── a topic of which there is no page ──


@pytest.mark.parametrize("name", plugins.names("strategy"))
def test_a_topic_without_a_page_ends_cleanly_with_zero(name, folder):
    labels = folder / "ghost.tsv"
    labels.write_text((folder / "true.tsv").read_text() + "http://nowhere.example/\tghost\n")
    task = task_with(folder, labels, relevant=["ghost"])
    if "taxonomy" in takes(name) and takes(name)["taxonomy"].default is inspect.Parameter.empty:
        with pytest.raises(Missing, match="example pages of 'ghost'"):
            run(Trial(task, "near", {"name": name}, 100))
        return
    row, fetches = run(Trial(task, "near", {"name": name}, 100))
    assert row.fetched == len(fetches) >= 1
    assert (row.targets, row.relevant, row.hosts, row.curve) == (0, 0, 0, ())
    assert (row.harvest, row.auc, row.deep_harvest, row.deep_auc, row.reciprocal_rank) == (0, 0, 0, 0, 0)
    assert row.recall == {"100": 0.0}


def test_seeds_that_are_not_there_end_cleanly_with_zero(folder):
    task = task_with(folder, folder / "true.tsv", near=["http://nowhere.example/"])
    row, _ = run(Trial(task, "near", {"name": "best-first"}, 100))
    assert (row.fetched, row.relevant, row.auc, row.stopped) == (1, 0, 0.0, "empty")


# ── the answers are out of reach ──


def reachable(*roots):
    """All objects that can be reached from these by attributes, items and closures; not by way of modules, classes and globals."""
    seen, waiting = {}, list(roots)
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, types.ModuleType | type | types.CodeType):
            continue
        seen[id(each)] = each
        if isinstance(each, types.FunctionType):
            waiting += [each.__closure__, each.__defaults__, each.__kwdefaults__, vars(each)]
        else:
            waiting += gc.get_referents(each)
    return list(seen.values())


def tells_labels(each, labels, visited):
    """Whether something is, or amounts to, the labels of pages that were not visited."""
    if isinstance(each, PageLabels):
        return True
    if isinstance(each, list | tuple | set | frozenset | Mapping):
        told = dict(pairs_of(each, labels.keys() - visited))
        return any(labels[url] & named(value) for url, value in told.items()) or picks_out(told, labels, visited)
    return False


def pairs_of(each, unseen):
    """What a collection says of each url: a mapping its value, a list of pairs the second, any other that it is in it."""
    rows = each.items() if isinstance(each, Mapping) else each
    for row in rows:
        pair = row if isinstance(row, tuple) and len(row) == 2 else (row, "in it")
        if isinstance(pair[0], str) and pair[0] in unseen:
            yield pair


def picks_out(told, labels, visited):
    """Whether a value stands for nearly all unseen pages on the eye and hardly for any other."""
    eye = {url for url, own in labels.items() if "eye" in own} - visited
    for value in {repr(value) for value in told.values()}:
        chosen = {url for url, other in told.items() if repr(other) == value}
        if len(chosen & eye) >= 0.8 * max(len(eye), 5) and len(chosen & eye) >= 0.9 * len(chosen):
            return True
    return False


def named(value):
    if isinstance(value, str):
        return {value}
    return (
        {each for each in value if isinstance(each, str)}
        if isinstance(value, list | tuple | set | frozenset)
        else set()
    )


LEAKS = {
    "the labels": lambda labels: labels,
    "a copy of them": dict,
    "pairs": lambda labels: [(url, own) for url, own in labels.items()],
    "the targets": lambda labels: {url for url, own in labels.items() if "eye" in own},
    "a list of the targets": lambda labels: [url for url, own in labels.items() if "eye" in own],
    "yes and no": lambda labels: {url: "eye" in own for url, own in labels.items()},
    "distances": lambda labels: {url: 0 if "eye" in own else 3 for url, own in labels.items()},
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_whoever_holds_the_labels_in_any_form_would_be_found_out(leak, folder):
    labels = TaskWeb(task_with(folder, folder / "true.tsv").web).labels
    everything = reachable(types.SimpleNamespace(strategy=[leak(labels)]))
    assert [each for each in everything if tells_labels(each, labels, visited=set(sorted(labels)[:30]))]


class Onlooker(Strategy):
    """Passes everything on to a strategy, and keeps what it was given."""

    def __init__(self, inner):
        self.inner, self.merge = inner, inner.merge
        self.given = []

    def score(self, *given):
        self.given.append(given)
        return self.inner.score(*given)

    def learn(self, *given):
        self.given.append(given)
        return self.inner.learn(*given)


def looked_on(folder, strategy="best-first", judge="terms"):
    """All that a strategy and a judge hold and were given in a crawl, the labels, the distances, and what was visited."""
    task = task_with(folder, folder / "true.tsv")
    # Few enough that a good strategy leaves pages on the eye unseen: of a handful, one page's own links may be most.
    trial = Trial(task, "near", {"name": strategy}, 15, judge={"name": judge})
    bench = Workbench()
    task_web = bench.web(task.web)
    made, judging = parts(trial, bench.known(task))
    onlooker = Onlooker(made)
    _, notebook = asyncio.run(crawled(trial, task_web, onlooker, judging))
    visited = {fetch.url for fetch in notebook.fetches}
    return reachable(made, judging, onlooker.given), task_web.labels, bench.known(task)["distances"].make(), visited


@pytest.mark.parametrize("name", GUESSING)
def test_no_strategy_can_reach_the_labels(name, folder):
    everything, labels, distances, visited = looked_on(folder, name)
    assert len(visited) < len(labels)
    assert not [each for each in everything if tells_labels(each, labels, visited)]
    assert not [each for each in everything if each is distances]
    assert not [each for each in everything if isinstance(each, TaskWeb)]


@pytest.mark.parametrize("name", JUDGES)
def test_no_judge_can_reach_the_labels(name, folder):
    if name == "meaning" and extra("wordllama") is None:
        pytest.skip("needs pip install 'thresher[meaning]'")
    everything, labels, distances, visited = looked_on(folder, judge=name)
    assert not [each for each in everything if tells_labels(each, labels, visited)]
    assert not [each for each in everything if each is distances]
    assert not [each for each in everything if isinstance(each, TaskWeb)]


def test_oracle_greedy_alone_holds_distances_and_says_so(folder):
    everything, _, distances, _ = looked_on(folder, "oracle-greedy")
    assert [each for each in everything if each is distances]
    assert [name for name in plugins.names("strategy") if "distances" in takes(name)] == ["oracle-greedy"]
    assert "reads the labels" in inspect.getdoc(OracleGreedy)


def test_a_judge_that_asks_for_the_distances_does_not_get_them(folder):
    task = task_with(folder, folder / "true.tsv")

    class Peeking:
        def __init__(self, judge_of, distances=None):
            self.distances, self.judge_of = distances, judge_of

    found = plugins.find
    try:
        plugins.find = lambda kind, name: Peeking if (kind, name) == ("judge", "peeking") else found(kind, name)
        _, judge = parts(Trial(task, "near", {"name": "random"}, judge={"name": "peeking"}), Workbench().known(task))
        assert judge.distances is None
        assert judge.judge_of({"name": "peeking"}).distances is None
    finally:
        plugins.find = found


def test_the_search_for_labels_finds_them_where_they_are(folder):
    labels = TaskWeb(task_with(folder, folder / "true.tsv").web).labels

    def keeper():
        return labels

    plain = {url: next(iter(own)) for url, own in labels.items()}
    for hidden in (keeper, [plain], {"x": (labels,)}, {url: list(own) for url, own in labels.items()}):
        assert [each for each in reachable(hidden) if tells_labels(each, labels, {START})]
