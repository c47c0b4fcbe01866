"""Two crawls that the tests of the window's read models look at, and one of them to be changed."""

import shutil

import pytest
from tests.unit.results import iris_site
from tests.unit.results.watch import busy_web

from thresher.results.archive import Archive


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A crawl of a dozen pages about the eye."""
    return iris_site.crawl(tmp_path_factory.mktemp("iris") / "crawl")


@pytest.fixture
def own(folder, tmp_path):
    """The same, for a test that changes it."""
    return shutil.copytree(folder, tmp_path / "own")


@pytest.fixture(scope="session")
def busy(tmp_path_factory):
    """A crawl of many hosts in which much goes wrong."""
    return busy_web.crawl(tmp_path_factory.mktemp("busy") / "crawl")


@pytest.fixture
def archive(busy):
    """The archive of the busy crawl."""
    with Archive.open(busy) as archive:
        yield archive
