import gzip
import importlib.util
import json
import re
import sys

import pytest
import zstandard

from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.readers import mondo as medical

TERMS = {
    "T:1": {"ancestors": {}, "label": "enuresis", "deprecated": False},
    "T:0": {"ancestors": {}, "label": "obsolete bedwetting", "deprecated": True},
    "T:2": {
        "ancestors": {"T:1": 1, "T:9": 2, "T:8": 1},
        "label": "nocturnal enuresis",
        "description": "Urination during\nsleep.",
        "synonyms": ["bedwetting", "nocturnal enuresis", "sleep \u00e9nur\u00e9sie"],
        "comments": ["{ not a term }"],
        "deprecated": False,
    },
}
installed = pytest.mark.skipif(
    importlib.util.find_spec(medical._PACKAGE) is None, reason="the extra `medical` is not installed"
)


@pytest.fixture
def read(tmp_path):
    def reading(text, name="t.json"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(medical.read(path))

    return reading


def test_terms_are_read_with_synonyms_gloss_and_the_nearest_ancestors(read):
    assert read(json.dumps(TERMS)) == [
        Concept("T:1", (ConceptLabel("enuresis", kind="preferred"),)),
        Concept(
            "T:2",
            (
                ConceptLabel("nocturnal enuresis", kind="preferred"),
                ConceptLabel("bedwetting"),
                ConceptLabel("sleep énurésie"),
            ),
            "Urination during sleep.",
            ("T:1", "T:8"),
        ),
    ]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_packed_and_indented_files_read_the_same(read, pack):
    assert read(pack(json.dumps(TERMS, indent=2, ensure_ascii=False).encode())) == read(json.dumps(TERMS))


@pytest.mark.parametrize("chunk", [1, 2, 7, 64, 1000])
def test_the_size_of_the_pieces_does_not_matter(read, monkeypatch, chunk):
    whole = read(json.dumps(TERMS))
    monkeypatch.setattr(medical, "_CHUNK", chunk)
    assert read(json.dumps(TERMS)) == whole


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (json.dumps(TERMS)[:-1], "not the JSON of terms"),
        (json.dumps(TERMS)[:-40], "not the JSON of terms"),
        (json.dumps(TERMS) + "x", "not the JSON of terms"),
        ("[1, 2]", "not the JSON of terms that was expected, at '[1, 2]'"),
        ('{"T:1": 3}', "not the JSON of terms"),
        ('{"T:1": {}}', "the term T:1 is not as expected: KeyError('label')"),
        ('{"T:1": {"label": 3, "ancestors": {}}}', "the term T:1 is not as expected"),
        ('{"T:1": {"label": "x", "ancestors": []}}', "the term T:1 is not as expected"),
        ("", "not the JSON of terms"),
        ("<html>404", "not the JSON of terms that was expected, at '<html>404'"),
    ],
)
def test_a_broken_file_is_refused(read, text, complaint):
    with pytest.raises(BadInput, match=r"t\.json") as error:
        read(text)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b'{"T:1": {"label": "\xff"}}', "not UTF-8"),
        ('{"T:1": {"a": ' + "[" * 300_000, "nested too deep"),
        ('{"T:1": {"label": "' + "x" * 10_000_000, "not the JSON of terms"),
        ('{"' + "x" * 10_000_000, "not the JSON of terms"),
        (json.dumps(TERMS).replace("bedwetting", "bed\0wetting"), "not the JSON of terms"),
        (zstandard.compress(json.dumps(TERMS).encode())[:-9], "not the JSON of terms"),
        (gzip.compress(json.dumps(TERMS).encode())[:-9], "cut off"),
    ],
)
def test_a_hostile_file_is_refused_with_a_clear_word(read, text, complaint):
    with pytest.raises(BadInput, match=r"t\.json") as error:
        read(text)
    assert complaint in str(error.value)


def test_a_folder_is_said_so(tmp_path):
    with pytest.raises(BadInput, match="Is a directory"):
        list(medical.read(tmp_path))


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setattr(medical, "_PACKAGE", "no_such_package")
    assert medical.find() is None
    with pytest.raises(BadInput, match=re.escape(install_hint("medical"))):
        list(medical.read())


@pytest.fixture
def package(tmp_path, monkeypatch):
    data = tmp_path / "guide_of_the_test" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(medical, "_PACKAGE", "guide_of_the_test")
    return data


def test_the_newest_edition_is_found_without_importing_the_package(package):
    (package / "latest_ontology_info.json").write_text('{"ontologies": {"MONDO": {"version": "v10"}}}')
    for version in ("v9", "v10", "v8"):
        (package / f"MONDO-ontology-{version}.json.zst").write_bytes(zstandard.compress(json.dumps(TERMS).encode()))
    assert medical.find() == package / "MONDO-ontology-v10.json.zst"
    assert [concept.id for concept in medical.read()] == ["T:1", "T:2"]
    assert "guide_of_the_test" not in sys.modules


@pytest.mark.parametrize("versions", ["", "[]", "{}", '{"ontologies": {"EFO": {}}}'])
def test_a_package_of_another_make_is_refused(package, versions):
    (package / "latest_ontology_info.json").write_text(versions)
    with pytest.raises(BadInput, match="cannot tell the edition of MONDO"):
        medical.find()


@installed
def test_bedwetting_is_nocturnal_enuresis_in_mondo():
    names = {label.text.lower(): concept for concept in medical.read() for label in concept.labels}
    assert len(names) > 50_000
    assert names["bedwetting"].label == "nocturnal enuresis"
    assert names["bedwetting"].gloss
    assert [name for name in ("chickenpox", "breast carcinoma", "influenza", "insomnia") if name not in names] == []
