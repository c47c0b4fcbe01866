from functools import cache

import pytest

from thresher.ontology import places
from thresher.ontology.known_ontologies import open_ontology
from thresher.ontology.readers import wordnet as reader


@pytest.fixture(autouse=True, scope="session")
def kept_beside_the_tests(pytestconfig):
    """Ontologies compiled by tests stay in pytest's own cache, and the user's is left alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THRESHER_CACHE", str(pytestconfig.cache.mkdir("ontologies")))
        yield


@pytest.fixture(scope="session")
def wordnet_folder():
    folder = places.wordnet()
    if folder is None:
        pytest.skip(f"WordNet is not installed: {reader.how_to_get_it()}")
    return folder


@pytest.fixture(scope="session")
def wordnet(wordnet_folder):
    return open_ontology("wordnet")


@pytest.fixture(scope="session")
def shipped(wordnet, wordnet_folder):
    """The information content that came with WordNet, by corpus."""
    if not (wordnet_folder.parent / "wordnet_ic").is_dir():
        pytest.skip("this WordNet came without information content: pip install 'thresher[wordnet]'")
    return cache(lambda corpus: reader.information(wordnet, wordnet_folder, corpus))
