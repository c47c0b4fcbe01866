import pytest

from thresher.testing import LocalWeb


@pytest.fixture(scope="session")
def web():
    """A small web and its search engine, served on loopback."""
    with LocalWeb() as served:
        yield served


@pytest.fixture
def wanted(web, tmp_path):
    """What every crawl here says: the plain word, a few pages of the local web, no ontology."""
    return {**web.settings, "sense": "none", "seeds": web.seed, "into": tmp_path / "iris", "pages": 12}
