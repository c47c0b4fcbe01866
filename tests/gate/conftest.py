import pytest


@pytest.fixture(autouse=True, scope="session")
def kept_beside_the_tests(pytestconfig):
    """Ontologies and indices made by tests stay in pytest's own cache, and the user's is left alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THRESHER_CACHE", str(pytestconfig.cache.mkdir("ontologies")))
        yield
