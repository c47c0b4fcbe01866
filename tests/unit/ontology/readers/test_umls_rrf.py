import gzip
import tracemalloc

import pytest
from tests.unit.ontology.readers.rrf_files import CONCEPTS, name_row, relation_row, release, write

from thresher.errors import BadInput
from thresher.ontology.concept import ConceptLabel
from thresher.ontology.readers import rrf_tables as rrf
from thresher.ontology.readers.rrf_tables import Pairs
from thresher.ontology.readers.umls_rrf import files, read
from thresher.ontology.table import Ontology

LOKMAN = ("MSH", "SNOMEDCT_US")
BEDWETTING = "C0270327"


def concept(folder, cui=BEDWETTING, **choice):
    return {each.id: each for each in read(folder, **choice)}[cui]


def texts(concept):
    return [label.text for label in concept.labels]


def test_bedwetting_brings_the_names_that_lokman_found(tmp_path):
    ontology = Ontology.of("umls", read(release(tmp_path), languages=["ENG"], sources=LOKMAN))
    (found,) = ontology.concepts("bedwetting")
    assert {"nocturnal enuresis", "nocturnal incontinence of urine", "wets bed"} <= {
        one.lower() for one in texts(found)
    }
    assert all(label.kind in {"preferred", "exact"} for label in found.labels)


def test_the_context_of_bedwetting_is_its_siblings_and_children(tmp_path):
    ontology = Ontology.of("umls", read(release(tmp_path), sources=LOKMAN))
    assert [ontology[one].label for one in ontology.siblings(BEDWETTING)] == ["Diurnal Enuresis"]
    assert [ontology[one].label for one in ontology.narrower(BEDWETTING)] == ["Primary nocturnal enuresis"]


def test_the_preferred_name_is_the_one_with_p_pf_y_wherever_it_stands(tmp_path):
    assert concept(release(tmp_path)).labels[0] == ConceptLabel("Nocturnal enuresis", "en", "preferred")


def test_where_the_source_has_no_preferred_name_the_nearest_to_it_is_taken(tmp_path):
    found = concept(release(tmp_path), sources=["MSH"])
    assert found.labels == (ConceptLabel("Enuresis, Nocturnal", "en", "preferred"),)


def test_a_name_comes_once_whatever_its_case_and_without_the_kind_that_snomed_adds(tmp_path):
    names = [one.lower() for one in texts(concept(release(tmp_path)))]
    assert names.count("bedwetting") == names.count("nocturnal enuresis") == 1
    assert not any("(" in one for one in names)


def test_suppressed_atoms_are_skipped(tmp_path):
    assert "Nocturnal enuresis, old name" not in texts(concept(release(tmp_path)))


def test_names_carry_their_language_and_the_first_language_gives_the_preferred_one(tmp_path):
    labels = concept(release(tmp_path), languages=["de", "ENG"]).labels
    assert labels[0] == ConceptLabel("Nächtliches Einnässen", "de", "preferred")
    assert {label.language for label in labels} == {"de", "en"}
    assert {label.language for label in concept(tmp_path, languages=[]).labels} == {"de", "en", "fr"}


def test_a_concept_without_a_name_in_the_languages_is_not_there(tmp_path):
    assert "C0900002" not in {each.id for each in read(release(tmp_path), languages=["ENG"])}


def test_the_second_concept_is_the_parent_of_the_first(tmp_path):
    write(tmp_path / "MRCONSO.RRF", map(name_row, CONCEPTS))
    write(tmp_path / "MRREL.RRF", [relation_row("C0270327 PAR C0000020 MSH")])
    assert concept(tmp_path).broader == ("C0000020",)
    assert concept(tmp_path, "C0000020").broader == ()


@pytest.mark.parametrize(
    ("rel", "child"), [("PAR", "C0000010"), ("RB", "C0000010"), ("CHD", "C0000020"), ("RN", "C0000020")]
)
def test_one_direction_of_a_relation_is_enough(tmp_path, rel, child):
    write(tmp_path / "MRCONSO.RRF", map(name_row, CONCEPTS))
    write(tmp_path / "MRREL.RRF", [relation_row(f"C0000010 {rel} C0000020 MSH")])
    (parent,) = {"C0000010", "C0000020"} - {child}
    assert concept(tmp_path, child).broader == (parent,)
    assert concept(tmp_path, parent).broader == ()


def test_relations_of_other_sources_are_left_out(tmp_path):
    assert concept(release(tmp_path)).broader == ("C0000020", "C0900001")
    assert concept(tmp_path, sources=LOKMAN).broader == ("C0000020",)


def test_other_relations_are_related_and_a_concept_is_not_related_to_itself(tmp_path):
    assert concept(release(tmp_path)).related == ("C0000030",)


def test_a_synonym_of_another_concept_lends_its_name_and_ranks_behind_it(tmp_path):
    ontology = Ontology.of("umls", read(release(tmp_path)))
    assert [each.id for each in ontology.concepts("wets bed")] == ["C0424123", BEDWETTING]
    assert [each.id for each in ontology.concepts("wets the bed")] == ["C0424123"]


def test_semantic_types_are_the_kind_and_definitions_the_gloss(tmp_path):
    found = concept(release(tmp_path))
    assert found.kind == "Disease or Syndrome; Sign or Symptom"
    assert found.gloss == "Involuntary discharge of urine during sleep at night."
    assert (concept(tmp_path, "C0424123").kind, concept(tmp_path, "C0424123").gloss) == ("", "")


def test_definitions_of_sources_without_a_name_in_the_language_are_left_out(tmp_path):
    assert concept(release(tmp_path), sources=["SNOMEDCT_US"]).gloss == ""


def test_without_mrrel_the_hierarchies_say_who_is_above(tmp_path):
    found = {each.id: each.broader for each in read(release(tmp_path, "MRREL"), sources=LOKMAN)}
    assert found[BEDWETTING] == found["C0000040"] == ("C0000020",)
    assert found["C0554811"] == (BEDWETTING,)
    assert found["C0000010"] == ()


def test_the_names_alone_are_a_flat_ontology(tmp_path):
    assert concept(release(tmp_path, "MRREL", "MRHIER", "MRSTY", "MRDEF")).broader == ()


def test_packed_files_and_windows_lines_read_the_same(tmp_path):
    plain = list(read(release(tmp_path)))
    for path in tmp_path.glob("*.RRF"):
        path.with_suffix(".RRF.gz").write_bytes(gzip.compress(path.read_bytes().replace(b"\n", b"\r\n")))
        path.unlink()
    assert list(read(tmp_path)) == plain
    assert list(read(tmp_path / "MRCONSO.RRF.gz")) == plain


def test_a_circle_of_parents_is_cut_open(tmp_path):
    write(tmp_path / "MRCONSO.RRF", map(name_row, CONCEPTS))
    circle = ["C0000010 PAR C0000020 MSH", "C0000020 PAR C0000030 MSH", "C0000010 CHD C0000030 MSH"]
    write(tmp_path / "MRREL.RRF", map(relation_row, circle))
    ontology = Ontology.of("umls", read(tmp_path))
    assert ontology.notes
    assert len(ontology.ancestors("C0000010") | ontology.ancestors("C0000020") | ontology.ancestors("C0000030")) == 3


def test_of_a_release_only_the_files_that_are_read_count(tmp_path):
    release(tmp_path, "MRSTY").joinpath("MRSAT.RRF").touch()
    assert [file.name for file in files(tmp_path)] == ["MRCONSO.RRF", "MRREL.RRF", "MRHIER.RRF", "MRDEF.RRF"]


def test_no_release_there(tmp_path):
    with pytest.raises(BadInput, match=r"no MRCONSO\.RRF"):
        list(read(tmp_path))


def test_a_source_that_is_not_there_is_answered_with_those_that_are(tmp_path):
    with pytest.raises(BadInput, match=r"sources MESH; its sources are ICD10, MSH, MSHFRE, MSHGER, SNOMEDCT_US"):
        list(read(release(tmp_path), sources=["MESH"]))


@pytest.mark.parametrize(
    ("name", "line", "complaint"),
    [
        ("MRCONSO", b"C0999999|ENG|P|L1|PF|S1|Y|A1||1", "9 columns, where 18 are due"),
        ("MRCONSO", name_row("C0999999 ENG P PF Y A1 MSH MH Iris|N").encode() + b"more", "after the last bar"),
        (
            "MRCONSO",
            name_row("C0999999 ENG P PF Y A1 MSH MH Ir@s|N").encode().replace(b"@", b"\xff"),
            "not UTF-8: byte 0xff",
        ),
        ("MRCONSO", name_row("CL412345 ENG P PF Y A1 MSH MH Iris|N").encode(), "'CL412345' is no CUI"),
        ("MRCONSO", name_row("C0000001 ENG P PF Y A1 MSH MH Iris|N").encode(), "not sorted: LC_ALL=C sort MRCONSO.RRF"),
        ("MRREL", b"C0000010|A1|SCUI|PAR|C00", "4 columns, where 16 are due"),
        ("MRREL", relation_row("C0000010 PAR nowhere MSH").encode(), "'nowhere' is no CUI"),
        ("MRSTY", b"C0999999|T1|", "2 columns, where 6 are due"),
        ("MRDEF", b"C0000001|A1|A1||MSH|too late|N||", "not sorted"),
    ],
)
def test_a_broken_line_is_refused_with_file_line_and_reason(tmp_path, name, line, complaint):
    path = release(tmp_path) / f"{name}.RRF"
    number = path.read_bytes().count(b"\n") + 1
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(BadInput) as caught:
        list(read(tmp_path))
    assert str(caught.value).startswith(f"{path}, line {number}: ")
    assert complaint in str(caught.value)


def test_a_file_that_is_one_endless_line_is_given_up_early(tmp_path):
    with release(tmp_path).joinpath("MRREL.RRF").open("ab") as file:
        file.write(b"x" * 10_000_000)
    tracemalloc.start()
    with pytest.raises(BadInput, match=r"MRREL\.RRF, line 15: longer than 1,048,576 bytes"):
        list(read(tmp_path))
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("damage", [lambda packed: packed[:-30], lambda packed: packed[:20] + b"\0" * 40])
def test_a_damaged_gzip_file_is_refused(tmp_path, damage):
    path = release(tmp_path, "MRCONSO") / "MRCONSO.RRF.gz"
    path.write_bytes(damage(gzip.compress("\n".join(map(name_row, CONCEPTS)).encode())))
    with pytest.raises(BadInput, match=r"MRCONSO\.RRF\.gz: damaged or cut off"):
        list(read(tmp_path))


def test_memory_does_not_grow_with_the_names(tmp_path, monkeypatch):
    monkeypatch.setattr(rrf, "_BLOCK", 1 << 14)
    few, many = [peak(tmp_path, count) for count in (1_000, 5_000)]
    assert many < 1.2 * few


def peak(folder, count):
    shorts = (f"C{n:07} ENG P PF Y A{n:07} MSH MH Name number {n}|N" for n in range(count))
    write(folder / "MRCONSO.RRF", map(name_row, shorts))
    tracemalloc.start()
    assert sum(1 for _ in read(folder)) == count
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_pairs_lead_through_a_bridge():
    pairs, bridge = Pairs(), Pairs()
    for one, other in [(1, 10), (1, 11), (2, 20), (3, 30)]:
        pairs.add(one, other)
    for one, other in [(10, 2), (11, 2), (20, 2), (29, 7)]:
        bridge.add(one, other)
    assert list(pairs.through(bridge)) == [(1, 2)]
