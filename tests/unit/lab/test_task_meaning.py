import pytest
from tests.unit.lab.task_files import OBO, eye_task

from thresher.errors import BadInput
from thresher.lab.run.task_knowledge import meant
from thresher.ontology.known_ontologies import open_ontology


@pytest.fixture
def ontologies(tmp_path):
    (tmp_path / "senses.obo").write_text(OBO)
    return [open_ontology(str(tmp_path / "senses.obo"))]


@pytest.mark.parametrize("sense", ["the part of an eye", "1", "X:3"])
def test_a_meaning_is_named_by_its_number_its_id_or_the_beginning_of_its_gloss(tmp_path, ontologies, sense):
    assert meant(eye_task(tmp_path, sense=sense), ontologies) == ["X:3"]


@pytest.mark.parametrize(("keywords", "meaning"), [("eye pupil", "X:3"), ("plant with flowers", "X:6"), ("", "X:3")])
def test_otherwise_it_is_the_one_that_shares_most_words_with_the_keywords_or_the_most_usual(
    tmp_path, ontologies, keywords, meaning
):
    assert meant(eye_task(tmp_path, sense="", keywords=keywords), ontologies) == [meaning]


def test_the_phrase_itself_speaks_for_no_meaning(tmp_path, ontologies):
    assert meant(eye_task(tmp_path, sense="", keywords="iris iris flowers"), ontologies) == ["X:6"]


def test_a_phrase_with_one_meaning_means_it_and_an_unknown_one_means_none(tmp_path, ontologies):
    assert meant(eye_task(tmp_path, sense="", topic="pupil"), ontologies) == ["X:4"]
    assert meant(eye_task(tmp_path, sense="", topic="sail"), ontologies) == []


def test_a_meaning_that_there_is_not_is_named_with_those_there_are(tmp_path, ontologies):
    with pytest.raises(
        BadInput, match=r"task 'eye': no meaning of 'iris' has .* 'a boat'; the meanings:\n  1  X:3  the"
    ):
        meant(eye_task(tmp_path, sense="a boat"), ontologies)
    with pytest.raises(BadInput, match="none, as no ontology of the task knows the phrase"):
        meant(eye_task(tmp_path, topic="sail"), ontologies)
