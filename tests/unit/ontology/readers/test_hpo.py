import sys

from thresher.ontology.readers import hpo


def test_the_ontology_is_found_and_read_without_importing_the_package(tmp_path, monkeypatch):
    data = tmp_path / "phenotypes_of_the_test" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(hpo, "_PACKAGE", "phenotypes_of_the_test")
    assert hpo.find() is None
    (data / "hp.obo").write_text(
        '[Term]\nid: HP:0000360\nname: Tinnitus\nsynonym: "Ringing in ears" EXACT layperson []\n'
    )
    (tinnitus,) = hpo.read(hpo.find())
    assert [label.text for label in tinnitus.labels] == ["Tinnitus", "Ringing in ears"]
    assert "phenotypes_of_the_test" not in sys.modules


def test_without_the_package_nothing_is_found(monkeypatch):
    monkeypatch.setattr(hpo, "_PACKAGE", "no_such_package")
    assert hpo.find() is None
