"""What the window remembers of crawls, and when it looks again."""

import time

import pytest
from tests.unit.results import iris_site

from thresher.disk.folder import CrawlFolder
from thresher.results.archive import Archive
from thresher.view.watching import Changes, watched


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
