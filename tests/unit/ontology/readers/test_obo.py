import gzip

import pytest
import zstandard

from thresher.errors import BadInput
from thresher.ontology.concept import ConceptLabel
from thresher.ontology.readers import obo
from thresher.ontology.table import Ontology

HEADER = "format-version: 1.4\nontology: test\n\n"
HAPPY = (
    HEADER
    + r"""
! a line for people
[Term]
id: T:1
name: enuresis

[Term]
id: T:2 {source="T:9"} ! a note
name: nocturnal\: enuresis \{at night\} {comment="x"} ! a note
def: "Passing water\nin \"bed\"." [PMID:1, "http\://x"] {source="y"}
synonym: "bedwetting" EXACT layperson [PMID:2] {source="z, \"q\""} ! note
synonym: "wets the bed" NARROW []
synonym: "incontinence" BROAD []
synonym: "water [at night]" RELATED []
synonym: "no scope given" []
exact_synonym: "from format 1.0" []
synonym: "bedwetting" RELATED []
xref: UMLS:C0270327
is_a: T:1 {is_inferred="true"} ! enuresis
is_a: T:1
relationship: part_of T:3 {gci_relation="part_of"} ! night
intersection_of: T:1

[Term]
id: T:3
name: gone
is_obsolete: true

[Typedef]
id: part_of
name: part of

[Instance]
anything at all
"""
)


@pytest.fixture
def read(tmp_path):
    def reading(text, name="t.obo"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(obo.read(path))

    return reading


def term(rows):
    return f"{HEADER}[Term]\nid: T:1\nname: one\n{rows}\n"


def test_terms_are_read_with_their_parents_and_gloss(read):
    root, enuresis = read(HAPPY)
    assert (root.id, root.label, root.broader) == ("T:1", "enuresis", ())
    assert (enuresis.id, enuresis.broader, enuresis.related) == ("T:2", ("T:1",), ("T:3",))
    assert enuresis.gloss == 'Passing water in "bed".'


def test_a_synonyms_scope_is_its_labels_kind_and_the_first_of_equal_ones_stays(read):
    assert read(HAPPY)[1].labels == (
        ConceptLabel("nocturnal: enuresis {at night}", kind="preferred"),
        ConceptLabel("bedwetting", kind="exact"),
        ConceptLabel("wets the bed", kind="narrow"),
        ConceptLabel("incontinence", kind="broad"),
        ConceptLabel("water [at night]", kind="related"),
        ConceptLabel("no scope given", kind="related"),
        ConceptLabel("from format 1.0", kind="exact"),
    )


def test_packed_files_marks_and_foreign_line_ends_do_not_matter(read):
    assert read(gzip.compress(HAPPY.encode()), "t.obo.gz") == read(HAPPY)
    assert read(zstandard.compress(HAPPY.encode()), "t.obo.zst") == read(HAPPY)
    assert read("\ufeff" + HAPPY.replace("\n", "\r\n")) == read(HAPPY)


def test_a_name_may_hold_braces_and_bangs_that_open_no_tail(read):
    assert read(f"{HEADER}[Term]\nid: T:1\nname: 2{{3}}-wow!\n")[0].label == "2{3}-wow!"


def test_a_term_without_a_name_keeps_its_place_in_the_hierarchy(read):
    (concept,) = read(f"{HEADER}[Term]\nid: T:1\nis_a: T:0\n")
    assert (concept.labels, concept.label, concept.broader) == ((), "T:1", ("T:0",))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (term('synonym: "open EXACT []'), "line 7: synonym wants a text in double quotes"),
        (term("def: bare words"), "line 7: def wants a text in double quotes"),
        (term("is_a:"), "line 7: is_a names no term"),
        (term("is_a: ! note"), "line 7: is_a names no term"),
        (term("relationship: part_of"), "line 7: relationship names no term"),
        (term("no colon here"), "line 7: 'no colon here' is not `tag: value`"),
        (HEADER + "[Term]\nname: nameless\n", "line 4: a [Term] without an id"),
        (HEADER + "[Term\nid: T:1\n", "line 4: '[Term' has no closing bracket"),
        ("<html>\n<p>404", "line 1: '<html>' is not `tag: value`"),
        (HEADER, "no [Term] in it"),
        ("", "no [Term] in it"),
    ],
)
def test_a_broken_file_is_refused_with_line_and_reason(read, text, complaint):
    with pytest.raises(BadInput, match=r"t\.obo") as error:
        read(text)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (term("").encode() + b'synonym: "\xff\xfe" EXACT []\n', "line 8: not UTF-8"),
        (zstandard.compress(b"a: b\n\xff"), "line 2: not UTF-8"),
        (term('def: "nul \0"'), "line 7: a NUL character"),
        (term('def: "' + "x" * 10_000_000 + '"'), "line 7: longer than"),
        (term("is_a: T:2\n" * 100_001), "a term with over 100,000 lines"),
        (gzip.compress(HAPPY.encode())[:-20], "cut off"),
        (b"\x1f\x8b" + b"garbage" * 10, "damaged"),
        (b"\x28\xb5\x2f\xfd" + b"garbage" * 10, "damaged"),
    ],
)
def test_a_hostile_file_is_refused_with_a_clear_word(read, text, complaint):
    with pytest.raises(BadInput, match=r"t\.obo") as error:
        read(text)
    assert complaint in str(error.value)


def test_a_cycle_is_read_and_the_ontology_breaks_it_with_a_note(tmp_path):
    path = tmp_path / "t.obo"
    path.write_text(f"{HEADER}[Term]\nid: T:1\nname: one\nis_a: T:2\n\n[Term]\nid: T:2\nname: two\nis_a: T:1\n")
    ontology = Ontology.of("t", obo.read(path))
    assert len(ontology) == 2
    assert ontology.notes


def test_a_folder_or_a_missing_file_is_said_so(tmp_path):
    with pytest.raises(BadInput, match="Is a directory"):
        list(obo.read(tmp_path))
    with pytest.raises(BadInput, match="No such file"):
        list(obo.read(tmp_path / "none.obo"))


def test_a_bomb_packed_small_is_read_without_unpacking_it_whole(read):
    bomb = gzip.compress(HEADER.encode() + b"! note\n" * 200_000)
    with pytest.raises(BadInput, match=r"no \[Term\] in it"):
        read(bomb)
