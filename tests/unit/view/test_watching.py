"""What the window remembers of crawls, and when it looks again."""

import shutil
import sqlite3
import time
from contextlib import closing

import pytest
from tests.unit.results import iris_site

from thresher.disk.folder import CrawlFolder
from thresher.results.archive import Archive
from thresher.results.watch import running_figures
from thresher.view import watching
from thresher.view.watching import Changes, overview, watched


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return CrawlFolder(iris_site.crawl(tmp_path_factory.mktemp("crawls") / "iris"))


def test_a_crawl_that_stands_still_is_looked_at_once(folder):
    changes = Changes(folder)
    assert [changes.there_are() for _ in range(3)] == [True, False, False]
    changes.again()
    assert changes.there_are()


def test_a_file_that_changed_is_looked_at_again(folder):
    changes = Changes(folder)
    changes.there_are()
    folder.settings.write_text(folder.settings.read_text("utf-8") + "\n", "utf-8")
    assert [changes.there_are() for _ in range(2)] == [True, False]


def test_a_crawl_that_runs_is_always_looked_at(folder):
    changes = Changes(folder)
    assert folder.began() is None
    with folder:
        assert [changes.there_are() for _ in range(3)] == [True, True, True]
        assert 0 <= time.time() - folder.began() < 60
    assert [changes.there_are() for _ in range(2)] == [True, False]


def test_what_was_counted_is_shared_by_all_who_look_and_forgotten_with_time(folder, tmp_path):
    first = watched(folder)
    assert watched(CrawlFolder(folder.path)) is first
    for number in range(20):
        watched(CrawlFolder(tmp_path / str(number)))
    assert watched(folder) is not first


def test_each_question_has_an_answer_at_once(folder):
    remembered = watched(folder)
    with Archive.open(folder.path) as archive:
        now, expected = remembered.now(archive)
        assert now.counted == 1.0
        assert expected is None  # too few links to say
        assert remembered.tree(archive) is remembered.tree(archive)
        assert remembered.troubles(archive).errors > 0
        assert remembered.topic(archive).names


@pytest.fixture
def readings(monkeypatch):
    """The crawls that are read, one after the other."""
    read, opened = [], Archive.of

    def noted(home):
        read.append(home.name)
        return opened(home)

    monkeypatch.setattr(watching.Archive, "of", noted)
    return read


def copies(folder, into, count):
    return [CrawlFolder(shutil.copytree(folder.path, into / str(number))) for number in range(count)]


def test_a_crawl_in_a_line_and_its_chapters_count_each_visit_once(folder, tmp_path, monkeypatch):
    (crawl,) = copies(folder, tmp_path, 1)
    counted, glances_after = [], running_figures.glances_after
    monkeypatch.setattr(running_figures, "glances_after", lambda *given: counted.append(given) or glances_after(*given))
    line = overview(crawl)
    with Archive.open(crawl.path) as archive:
        now, _ = watched(crawl).now(archive)
    assert (line.topic, line.state.name, line.counted) == ("iris, eye", "stopped", 1)
    assert (line.fetched, line.relevant, line.curve) == (now.fetched, now.relevant, now.curve)
    assert len(counted) == 1


def test_of_a_crawl_that_stands_still_nothing_is_read_again(folder, tmp_path, readings):
    crawls = copies(folder, tmp_path, 20)
    for _ in range(3):
        assert len({overview(each) for each in crawls}) == 1
    assert readings == [str(number) for number in range(20)]


def test_a_crawl_that_changed_or_runs_is_read_again(folder, tmp_path, readings):
    (crawl,) = copies(folder, tmp_path, 1)
    before = overview(crawl)
    with closing(sqlite3.connect(crawl.database)) as database, database:
        database.execute("DELETE FROM visit WHERE number > 5")
    assert overview(crawl).fetched < before.fetched
    with crawl:
        assert [overview(crawl).state.name for _ in range(2)] == ["running", "running"]
    assert overview(crawl).state.name == "stopped"
    assert len(readings) == 5


def test_no_more_than_so_many_crawls_are_remembered():
    assert (watching._watched_at.cache_info().maxsize, watching._line_of.cache_info().maxsize) == (16, 1000)


def test_a_file_that_makes_no_sense_is_counted_to_its_end(folder, tmp_path):
    (crawl,) = copies(folder, tmp_path, 1)
    with closing(sqlite3.connect(crawl.database)) as database, database:
        database.execute("DELETE FROM visit WHERE number > 1")
        database.execute("UPDATE visit SET number = -5")
    assert overview(crawl).counted == 1
