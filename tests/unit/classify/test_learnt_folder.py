"""The folder of a learnt taxonomy is complete or not there, and keeps marked targets."""

import pytest

from thresher.classify.learnt_folder import BEGUN, ClassSize, LearntFolder
from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.errors import BadInput, Missing
from thresher.knowledge import Knowledge, needs, part

SIZES = {"Science/Physics": ClassSize(3, 10), "Science/Biology": ClassSize(2, 4), "Arts, and crafts": ClassSize(5, 0)}


@pytest.fixture
def learnt(tmp_path):
    folder = LearntFolder(tmp_path)
    classifier = Classifier.of((f"word{number}", label) for number, label in enumerate(SIZES))
    folder.save(classifier, InterclassRules([("Arts, and crafts", "Science/Physics")]), SIZES)
    return folder


def taxonomy(folder, *targets, **keys):
    return needs("x", Knowledge(taxonomy=str(folder.path), targets=targets, **keys))["taxonomy"].make()


def test_what_was_saved_is_read_again(learnt):
    assert learnt.exists
    assert learnt.sizes() == SIZES
    assert learnt.classifier().classes == tuple(SIZES)
    assert learnt.rules().probability("Arts, and crafts", "Science/Physics") == 1.0


def test_a_crawl_takes_classifier_and_rules_from_the_folder(learnt):
    made = taxonomy(learnt, "Science")
    assert made.targets == ("Science/Physics", "Science/Biology")
    assert made.rules.probability("Arts, and crafts", "Science/Physics") == 1.0


def test_a_file_of_rules_that_is_named_comes_before_those_of_the_folder(learnt, tmp_path):
    InterclassRules([("Science/Biology", "Arts, and crafts")]).save(tmp_path / "own.toml")
    made = taxonomy(learnt, "Science", rules=str(tmp_path / "own.toml"))
    assert [rule.parent for rule in made.rules] == ["Science/Biology"]


def test_a_folder_without_rules_has_none_for_the_strategy_that_needs_them(learnt):
    learnt.save(learnt.classifier(), InterclassRules(), SIZES)
    knowledge = Knowledge(taxonomy=str(learnt.path), targets=["Science"])
    with pytest.raises(Missing, match="needs interclass rules"):
        part("strategy", {"name": "interclass-rules"}, needs("x", knowledge))


def test_marks_are_kept_and_replaced(learnt):
    assert learnt.targets() == []
    assert learnt.mark(["/Science/", "Science"]) == ["Science"]
    assert learnt.targets() == ["Science"]
    learnt.mark([])
    assert learnt.targets() == []


def test_what_is_no_class_cannot_be_marked(learnt):
    with pytest.raises(BadInput, match="did you mean 'Science/Physics'"):
        learnt.mark(["Physics"])
    assert learnt.targets() == []


def test_a_folder_that_is_not_complete_is_no_taxonomy(learnt):
    (learnt.path / "taxonomy.toml").unlink()
    (learnt.path / BEGUN).write_text("")
    with pytest.raises(BadInput, match="this taxonomy is not learnt yet; run its thresher taxonomy learn again"):
        taxonomy(learnt, "Science")
    with pytest.raises(BadInput, match="holds no learnt taxonomy"):
        learnt.sizes()


def test_while_it_is_written_anew_it_is_not_complete(learnt, monkeypatch):
    monkeypatch.setattr(InterclassRules, "save", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        learnt.save(learnt.classifier(), InterclassRules(), SIZES)
    assert not learnt.exists


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"classes = 3", "has no table of classes"),
        (b"[classes]\na = 1", "a: the numbers of pages, examples and linked, are meant, not 1"),
        (b"[classes.a]\nexamples = -1\nlinked = 2", "are meant"),
        (b"[classes.a]\nexamples = true\nlinked = 2", "are meant"),
        (b"\xff", "can't decode"),
        (b"[", "taxonomy.toml: "),
    ],
)
def test_a_damaged_table_is_named(learnt, content, said):
    (learnt.path / "taxonomy.toml").write_bytes(content)
    with pytest.raises(BadInput) as error:
        learnt.sizes()
    assert said in str(error.value)


def test_damaged_marks_are_named(learnt):
    (learnt.path / "targets.toml").write_text("targets = 'Science'")
    with pytest.raises(BadInput, match=r"targets\.toml: targets is 'Science', but must be a list"):
        learnt.targets()
