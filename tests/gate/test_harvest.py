"""No strategy may harvest less than before without a word in floors.toml."""

import pytest
from tests.gate import floors
from tests.gate.floors import (
    GENERATED,
    RECORDED,
    SLACK,
    Floors,
    Lowered,
    again,
    fallen,
    generated,
    measured,
    read,
    recorded,
)

from thresher import plugins
from thresher.errors import Missing
from thresher.lab.run.trial import label
from thresher.language.extras import extra
from thresher.strategy.best_first import BestFirst

pytestmark = pytest.mark.skipif(
    extra("Stemmer") is None, reason="the floors were measured with stems: pip install 'thresher[languages]'"
)


def test_on_the_generated_web_no_strategy_falls_below_its_floor(tmp_path):
    assert fallen(read().by_task[GENERATED], measured(generated(tmp_path))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDED)
def test_on_recorded_webs_no_strategy_falls_below_its_floor(name):
    task = recorded(name)
    if task is None:
        pytest.skip(f"needs the recorded web {name.split('/')[0]} in ../shared/webs")
    try:
        found = measured(task)
    except Missing as error:
        pytest.skip(f"not all strategies can be made: {error}")
    assert fallen(read().by_task[name], found) == []


def test_every_strategy_of_the_entry_points_has_a_floor_on_every_task():
    wanted = {label(each) for each in floors.strategies()}
    assert {each.partition(":")[0] for each in wanted} <= set(plugins.names("strategy"))
    assert {task: set(aucs) for task, aucs in read().by_task.items()} == dict.fromkeys((GENERATED, *RECORDED), wanted)


class Spoilt(BestFirst):
    """Takes the worst link first."""

    def score(self, visit, links):
        return [-each for each in super().score(visit, links)]


def test_a_strategy_that_got_worse_does_not_pass(tmp_path, monkeypatch):
    found = plugins.find

    def spoiling(kind, name):
        return Spoilt if (kind, name) == ("strategy", "best-first") else found(kind, name)

    monkeypatch.setattr(plugins, "find", spoiling)
    monkeypatch.setattr(floors, "strategies", lambda: iter([{"name": "best-first"}, {"name": "breadth-first"}]))
    held = {name: read().by_task[GENERATED][name] for name in ("best-first", "breadth-first")}
    (told,) = fallen(held, measured(generated(tmp_path)))
    assert told.startswith(f"best-first fell from {held['best-first']:.4f} to ")


def test_a_fall_within_the_slack_passes_and_one_beyond_it_does_not():
    assert fallen({"a": 0.5, "b": 0.5}, {"a": 0.5 - SLACK, "b": 0.5 - SLACK - 0.0001}) == [
        "b fell from 0.5000 to 0.4949"
    ]


def test_a_strategy_without_a_floor_and_a_floor_without_a_strategy_do_not_pass():
    assert fallen({"old": 0.5}, {"new": 0.9}) == ["new has no floor yet", "old has a floor but no crawl"]


def test_floors_rise_by_themselves_and_fall_only_for_a_reason():
    before = Floors({"web/task": {"up": 0.5, "down": 0.5, "little": 0.5}})
    found = {"web/task": {"up": 0.6, "down": 0.4, "little": 0.499}}
    assert again(before, found) == Floors({"web/task": {"up": 0.6, "down": 0.5, "little": 0.5}})
    lowered = Lowered("web/task", "down", 0.5, 0.4, "a fairer queue")
    assert again(before, found, "a fairer queue") == Floors(
        {"web/task": {"up": 0.6, "down": 0.4, "little": 0.5}}, (lowered,)
    )


def test_floors_are_read_as_they_were_written_and_those_of_other_tasks_are_kept(tmp_path):
    made = Floors({"b/1": {"x:y=1": 0.25}, "a/1": {"z": 0.5}}, (Lowered("b/1", "x:y=1", 0.5, 0.25, 'said "so"'),))
    floors.write(made, tmp_path / "floors.toml")
    assert read(tmp_path / "floors.toml") == made
    assert again(made, {"a/1": {"z": 0.6}}).by_task == {"b/1": {"x:y=1": 0.25}, "a/1": {"z": 0.6}}
