"""Which crawls the window shows, among folders that cannot all be read."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest
from tests.unit.view.hostile_web import crawled
from tests.unit.view.window import browsing, opened, told

from thresher.errors import BadInput
from thresher.view.shown_folders import Places

NOBODY = 65534


@contextlib.contextmanager
def as_nobody():
    """Whoever runs the tests may be allowed to read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    for name in ("locked", "open"):
        (path / name).mkdir()
        (path / name / "crawl.toml").write_text('topic = "iris"')
    (path / "locked").chmod(0)
    yield path
    (path / "locked").chmod(0o755)
    shutil.rmtree(path)


def test_a_folder_that_may_not_be_read_does_not_hide_the_others(folder):
    with as_nobody():
        places = Places([folder])
        assert list(places.crawls()) == ["open"]
        assert places.experiments() == {}
        assert places.new_crawls == folder


def test_a_folder_that_is_named_and_may_not_be_read_is_told_of(folder):
    with as_nobody(), pytest.raises(BadInput, match=r"locked may not be read: name the folder of a crawl"):
        Places([folder / "locked"])


def test_a_folder_that_has_vanished_shows_nothing(folder):
    places = Places([folder / "open", folder])
    (folder / "open").rename(folder / "gone")
    assert "open" not in places.crawls()
    (folder / "gone").rename(folder / "open")
    assert "open" in places.crawls()


@pytest.mark.parametrize("damage", ["UPDATE visit SET at = 1e300", "UPDATE visit SET bytes = 'many'"])
def test_a_crawl_whose_figures_make_no_sense_does_not_hide_the_others(tmp_path, damage):
    crawled(tmp_path / "sound")
    shutil.copytree(tmp_path / "sound", tmp_path / "a damaged one")
    with contextlib.closing(sqlite3.connect(tmp_path / "a damaged one" / "crawl.sqlite")) as catalogue, catalogue:
        catalogue.execute(damage)
    with opened(tmp_path) as address, browsing() as (page, _):
        page.goto(address)
        told(page.get_by_role("row", name="a-damaged-one").locator(".state"), "cannot be read")
        told(page.get_by_role("row", name="sound").locator(".state"), "stopped")
