from pathlib import Path

import pytest

from thresher.disk.caches import cache_folder
from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.known_ontologies import compiled

READ = []


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "kept"))
    READ.clear()
    return tmp_path / "kept"


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("iris rose")
    return file


def reader(path, prefix="", languages=()):
    READ.append(path)
    files = [path] if path.is_file() else sorted(path.iterdir())
    for file in files:
        for word in file.read_text().split():
            yield Concept(prefix + word, (ConceptLabel(word),))


def ids(ontology):
    return [concept.id for concept in ontology]


def test_a_source_is_read_once(source):
    assert ids(compiled(reader, source)) == ids(compiled(reader, source)) == ["iris", "rose"]
    assert len(READ) == 1


def test_other_content_is_read_again(source):
    compiled(reader, source)
    source.write_text("iris pose")
    assert ids(compiled(reader, source)) == ["iris", "pose"]


def test_other_options_are_kept_apart(source):
    assert ids(compiled(reader, source, prefix="x")) == ["xiris", "xrose"]
    assert ids(compiled(reader, source)) == ["iris", "rose"]


def test_a_set_is_the_same_option_in_any_order(source):
    compiled(reader, source, languages=frozenset({"en", "de", "hi"}))
    compiled(reader, source, languages=frozenset({"hi", "en", "de"}))
    assert len(READ) == 1


def test_the_same_content_under_another_path_is_not_read_again(source, tmp_path):
    compiled(reader, source)
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / source.name
    copy.write_bytes(source.read_bytes())
    compiled(reader, copy)
    assert len(READ) == 1


def test_a_folder_is_read_again_if_one_of_its_files_changes(tmp_path):
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "a").write_text("iris")
    (folder / "b").write_text("rose")
    compiled(reader, folder)
    (folder / "b").write_text("ros")
    assert ids(compiled(reader, folder)) == ["iris", "ros"]


def test_of_a_folder_only_the_named_files_matter(tmp_path):
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "a").write_text("iris")
    (folder / "note").write_text("rose")
    compiled(reader, folder, files=[folder / "a"])
    (folder / "note").write_text("rise")
    compiled(reader, folder, files=[folder / "a"])
    assert len(READ) == 1


def test_a_damaged_file_is_ignored_and_replaced(source, kept):
    compiled(reader, source)
    (file,) = kept.iterdir()
    file.write_bytes(b"PK\x03\x04 half a file")
    assert ids(compiled(reader, source)) == ["iris", "rose"]
    compiled(reader, source)
    assert len(READ) == 2


def test_a_cache_that_cannot_be_written_only_costs_time(source, kept):
    kept.write_text("a file stands where the folder should be")
    assert ids(compiled(reader, source)) == ["iris", "rose"]


def test_what_cannot_be_read_is_not_kept(source, kept):
    source.write_text("iris iris")
    with pytest.raises(BadInput, match="two concepts"):
        compiled(reader, source)
    assert not kept.exists()


def test_a_missing_source_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nowhere\.txt: cannot be read"):
        compiled(reader, tmp_path / "nowhere.txt")


def test_an_ontology_is_called_after_its_reader_or_as_one_likes(source):
    assert compiled(reader, source).name == "test_known_ontologies"
    assert compiled(reader, source, name="plants").name == "plants"


def test_the_cache_is_where_the_user_wants_it(monkeypatch):
    assert cache_folder().name == "kept"
    monkeypatch.delenv("THRESHER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/thresher")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder().is_relative_to(Path.home())
