"""Which crawls the window shows, among folders that cannot all be read."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest

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
