"""Start weights are fitted on the labels of a web, the tasks' own left out, and the strategy reads them."""

import numpy as np
import pytest
import tomli_w
from click.testing import CliRunner
from tests.unit.lab.task_files import EYE, task_file

from thresher.cli.declared.lab_commands import lab
from thresher.errors import BadInput
from thresher.lab.run.task import read_tasks
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.training import Lesson, learnt, lessons, telling_words, topics
from thresher.lab.run.trial import Workbench
from thresher.strategy.link_features import FEATURES, NUMBER
from thresher.strategy.link_weights import BY_HAND, EXPLORING, read_weights

SHAPE = {"size": 300, "hosts": 6, "seed": 3}


@pytest.fixture
def tasks(tmp_path):
    return task_file(tmp_path, EYE, generated=SHAPE)


def test_every_label_of_enough_pages_is_a_topic_but_not_those_of_the_tasks(tasks):
    read = read_tasks(tasks)
    with TaskWeb(read[0].web) as web:
        found = topics(web, read, most=3)
        assert 1 <= len(found) <= 3
        for topic in found:
            assert 30 <= len(web.targets(topic)) <= 300
            assert not set(topic.relevant) & set(read[0].relevant)
            assert web.targets(topic) >= set(topic.near)
            assert not web.targets(topic) & set(topic.far)


def test_telling_words_are_often_here_and_seldom_elsewhere():
    told = {number: frozenset({"rain", "the"}) for number in range(98)}
    told |= {"a": frozenset({"iris", "the"}), "b": frozenset({"iris", "the"})}
    assert telling_words(["a", "b"], told)[0] == "iris"
    assert "rain" not in telling_words(["a", "b"], told)


def taught(feature, *, right):
    pairs = np.zeros((400, len(FEATURES)))
    pairs[:, NUMBER[feature]] = 1.0 if right else -1.0
    return [Lesson("web", "topic", pairs)]


def test_a_feature_of_links_that_were_right_gains_weight_and_one_of_wrong_ones_loses():
    up, down = learnt(taught("menu", right=True), 10.0), learnt(taught("menu", right=False), 10.0)
    assert up[NUMBER["menu"]] > BY_HAND["menu"] > down[NUMBER["menu"]]


def test_the_stronger_the_pull_the_nearer_to_the_weights_set_by_hand():
    away = [
        abs(learnt(taught("menu", right=True), pull)[NUMBER["menu"]] - BY_HAND["menu"]) for pull in (10.0, 1e3, 1e6)
    ]
    assert away == sorted(away, reverse=True)
    assert away[2] < 0.01


@pytest.mark.parametrize("feature", EXPLORING)
def test_weights_for_exploring_are_not_fitted(feature):
    assert learnt(taught(feature, right=False), 10.0)[NUMBER[feature]] == pytest.approx(BY_HAND[feature], abs=1e-4)


def test_a_crawl_that_taught_much_counts_no_more_than_one_that_taught_little():
    [little], [much] = taught("menu", right=True), taught("links", right=True)
    much = much._replace(pairs=np.tile(much.pairs, (50, 1)))
    weights = learnt([little, much], 10.0)
    gained = [weights[NUMBER[name]] - BY_HAND[name] for name in ("menu", "links")]
    assert gained[0] == pytest.approx(gained[1], rel=0.3)


def test_the_order_of_the_crawls_does_not_matter():
    dice = np.random.default_rng(1)
    some = [Lesson("web", str(number), dice.normal(size=(350 + number, len(FEATURES)))) for number in range(3)]
    assert learnt(some, 10.0) == pytest.approx(learnt(some[::-1], 10.0))


def test_what_a_crawl_teaches_does_not_depend_on_the_weights_that_ship(tasks, tmp_path, monkeypatch):
    others = tmp_path / "others.toml"
    others.write_text(tomli_w.dumps({"weights": {name: -value for name, value in BY_HAND.items()}}))
    with Workbench() as bench:
        read = read_tasks(tasks)
        topic = topics(bench.web(read[0].web), read, most=1)
        shipped = [lesson.pairs for lesson in lessons(topic, bench, pages=40)]
        monkeypatch.setattr("thresher.strategy.apprentice.SHIPPED", others)
        assert all(map(np.array_equal, shipped, [lesson.pairs for lesson in lessons(topic, bench, pages=40)]))
        assert any(map(len, shipped))


def test_without_a_link_there_is_nothing_to_learn_from():
    with pytest.raises(BadInput, match="nothing to learn from"):
        learnt([Lesson("web", "topic", np.zeros((0, len(FEATURES))))], 1.0)


def test_the_command_writes_a_table_that_the_strategy_reads(tasks, tmp_path):
    out = tmp_path / "own.toml"
    done = CliRunner().invoke(lab, ["train", str(tasks), "--out", str(out), "--pages", "40", "--web-topics", "1"])
    assert done.exit_code == 0, done.output
    assert set(read_weights(out)) == set(FEATURES)
    assert 'name = "own"' in out.read_text()
    assert "crawls)" in out.read_text()
