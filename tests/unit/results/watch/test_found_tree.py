"""How pages were found, a step at a time."""

import sqlite3
from contextlib import closing

import pytest
from tests.unit.results import iris_site

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.watch.found_tree import FoundTree, led_to, pages_of_host
from thresher.results.watch.running_figures import RunningFigures


@pytest.fixture
def tree(archive):
    figures = RunningFigures()
    figures.take_in(archive)
    return FoundTree(figures)


def rows(archive, sql, *values):
    with closing(sqlite3.connect(archive.folder.database)) as database:
        return database.execute(sql, values).fetchall()


def hosts_under(tree, host=None):
    for node in tree.step(host, most=1000).nodes:
        yield node.host
        yield from hosts_under(tree, node.host)


def relevant_from(tree, node):
    return node.relevant + sum(relevant_from(tree, below) for below in tree.step(node.host, most=1000).nodes)


def test_it_begins_with_the_hosts_of_the_seeds(archive, tree):
    (first,) = tree.step().nodes
    assert (first.host,) == rows(archive, "SELECT host FROM visit WHERE number = 1")[0]
    assert relevant_from(tree, first) == rows(archive, "SELECT sum(fresh) FROM visit")[0][0]


def test_hosts_that_led_to_most_come_first(tree):
    (first,) = tree.step().nodes
    led = [relevant_from(tree, node) for node in tree.step(first.host, most=1000).nodes]
    assert led == sorted(led, reverse=True)
    assert led[0] > led[-1]


def test_every_host_is_in_it_once(archive, tree):
    assert sorted(hosts_under(tree)) == sorted(host for (host,) in rows(archive, "SELECT DISTINCT host FROM visit"))


def test_a_step_has_as_many_as_asked_for_and_says_how_many_are_left(tree):
    (first,) = tree.step().nodes
    whole = tree.step(first.host, most=1000)
    assert whole.more == 0
    some = tree.step(first.host, skip=1, most=1)
    assert some.nodes == whole.nodes[1:2]
    assert some.more == len(whole.nodes) - 2


def test_the_best_hosts_are_those_with_most_relevant_pages(archive, tree):
    best = [(node.host, node.relevant) for node in tree.best(3)]
    assert best == rows(
        archive, "SELECT host, sum(fresh) FROM visit GROUP BY host ORDER BY 2 DESC, sum(asked), 1 LIMIT 3"
    )


def test_the_visits_of_a_host_are_all_there_a_step_at_a_time(archive, tree):
    host = tree.best(1)[0].host
    found, skip = [], 0
    while (step := pages_of_host(archive, host, skip, most=7)).more:
        found += step.nodes
        skip += 7
    found += step.nodes
    numbers = [number for (number,) in rows(archive, "SELECT number FROM visit WHERE host = ?", host)]
    assert sorted(node.number for node in found) == numbers
    assert len(numbers) > 7


def test_what_a_page_led_to_is_what_names_it_as_parent(archive):
    wanted = "SELECT parent FROM visit WHERE parent IS NOT NULL GROUP BY parent ORDER BY count(*) DESC LIMIT 5"
    for (parent,) in rows(archive, wanted):
        children = rows(archive, "SELECT number FROM visit WHERE parent = ? AND outcome != 'redirect'", parent)
        step = led_to(archive, Url(parent), most=1000)
        assert sorted(node.number for node in step.nodes) == sorted(number for (number,) in children)


def test_a_redirect_is_passed_through(tmp_path):
    with Archive.open(iris_site.crawl(tmp_path / "iris")) as archive:
        found = {node.address: node for node in led_to(archive, Url(iris_site.SEED)).nodes}
    assert "http://iris.example/new" in found
    assert "http://iris.example/old" not in found
    assert found["http://iris.example/gone"].outcome == "http-404"
    assert found["http://iris.example/gone"].relevance is None


def test_a_page_that_is_unknown_led_to_nothing(archive):
    assert led_to(archive, Url("http://nobody.example/")).nodes == ()
