import gzip
import subprocess
import sys

import pytest

from thresher.errors import BadInput
from thresher.ontology.concept import ConceptLabel
from thresher.ontology.readers import mesh

HEAD = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20250101.dtd">
"""


def term(text, permuted="N"):
    return (
        f'<Term ConceptPreferredTermYN="N" IsPermutedTermYN="{permuted}" LexicalTag="NON" RecordPreferredTermYN="N">'
        f"<TermUI>T000001</TermUI><String>{text}</String></Term>"
    )


def concept(id_, terms, preferred="N", note="", relations=""):
    return f"""
   <Concept PreferredConceptYN="{preferred}"><ConceptUI>{id_}</ConceptUI>
    <ConceptName><String>not a label</String></ConceptName>{note and f"<ScopeNote>{note}</ScopeNote>"}
    <ConceptRelationList>{relations}</ConceptRelationList><TermList>{"".join(terms)}</TermList></Concept>"""


def relation(name, first, second):
    return (
        f'<ConceptRelation RelationName="{name}"><Concept1UI>{first}</Concept1UI>'
        f"<Concept2UI>{second}</Concept2UI></ConceptRelation>"
    )


def record(id_, name, numbers, concepts="", see=()):
    related = "".join(
        f"<SeeRelatedDescriptor><DescriptorReferredTo><DescriptorUI>{ui}</DescriptorUI><DescriptorName>"
        f"<String>another</String></DescriptorName></DescriptorReferredTo></SeeRelatedDescriptor>"
        for ui in see
    )
    return f"""
 <DescriptorRecord DescriptorClass="1">
  <DescriptorUI>{id_}</DescriptorUI>
  <DescriptorName><String>{name}</String></DescriptorName>
  <PharmacologicalActionList><PharmacologicalAction><DescriptorReferredTo><DescriptorUI>D999999</DescriptorUI>
  </DescriptorReferredTo></PharmacologicalAction></PharmacologicalActionList>
  <SeeRelatedList>{related}</SeeRelatedList>
  <TreeNumberList>{"".join(f"<TreeNumber>{number}</TreeNumber>" for number in numbers)}</TreeNumberList>
  <ConceptList>{concepts}</ConceptList>
 </DescriptorRecord>"""


def record_set(*records):
    return f'{HEAD}<DescriptorRecordSet LanguageCode="eng">{"".join(records)}</DescriptorRecordSet>'


SLEEP = record(
    "D007319",
    "Sleep Initiation &amp; Maintenance Disorders",
    ["C10.886.425.800.800", "F03.870.400.800.800"],
    concept(
        "M0011536",
        [term("DIMS"), term("Disorders, Sleep", permuted="Y"), term("Sleep disorders", permuted="Y")],
        preferred="Y",
        note="Disorders characterized by\n    impairment of sleep.  ",
        relations=relation("NRW", "M0011536", "M0011537") + relation("BRD", "M0011536", "M0011538"),
    )
    + concept("M0011537", [term("Insomnia"), term("DIMS")], relations=relation("NRW", "M0011536", "M0011537"))
    + concept("M0011538", [term("Sleeplessness")])
    + concept("M0011539", [term("Bad nights")])
    + concept("M0011540", [term("Awake")], relations=relation("NRW", "M0011540", "M0011536")),
    see=["D000002"],
)
DYSSOMNIAS = record("D020919", "Dyssomnias", ["C10.886.425.800"])
SLEEP_WAKE = record("D012893", "Sleep Wake Disorders", ["C10.886", "F03.870"])


@pytest.fixture
def read(tmp_path):
    def reading(text, name="desc.xml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(mesh.read(path))

    return reading


def test_the_terms_of_every_meaning_are_labels_and_their_kind_says_how_close_they_are(read):
    (insomnia,) = read(record_set(SLEEP))
    assert insomnia.labels == (
        ConceptLabel("Sleep Initiation & Maintenance Disorders", kind="preferred"),
        ConceptLabel("DIMS", kind="exact"),
        ConceptLabel("Sleep disorders", kind="exact"),
        ConceptLabel("Insomnia", kind="narrow"),
        ConceptLabel("Sleeplessness", kind="broad"),
        ConceptLabel("Bad nights", kind="related"),
        ConceptLabel("Awake", kind="broad"),
    )
    assert insomnia.gloss == "Disorders characterized by impairment of sleep."
    assert insomnia.related == ("D000002",)


def test_parents_come_from_tree_numbers_wherever_they_stand_and_a_gap_is_climbed(read):
    parents = {concept.id: concept.broader for concept in read(record_set(SLEEP, DYSSOMNIAS, SLEEP_WAKE))}
    assert parents == {"D007319": ("D020919", "D012893"), "D020919": ("D012893",), "D012893": ()}


def test_a_descriptor_below_itself_is_not_its_own_parent(read):
    assert read(record_set(record("D1", "Eye", ["A01", "A01.456"])))[0].broader == ()


def test_a_packed_file_reads_the_same(read):
    text = record_set(SLEEP, DYSSOMNIAS)
    assert read(gzip.compress(text.encode()), "desc.xml.gz") == read(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (record_set(SLEEP)[:-30], "line 28: unclosed token"),
        (record_set("\n<DescriptorRecord>\n</DescriptorName>"), "line 5: mismatched tag"),
        (record_set("<DescriptorRecord>\n<DescriptorUI>D1</DescriptorUI>\n</DescriptorRecord>"), "line 5: the Descr"),
        (record_set("<SupplementalRecord/>"), "line 3: <SupplementalRecord> in the place of <DescriptorRecord>"),
        ("<html><p>404</p></html>", "line 1: <html> in the place of <DescriptorRecordSet>"),
        (record_set(), "no DescriptorRecord in it"),
        ("", "line 1: no element found"),
        ("D002644 Chickenpox", "line 1: syntax error"),
    ],
)
def test_a_broken_file_is_refused_with_line_and_reason(read, text, complaint):
    with pytest.raises(BadInput, match=r"desc\.xml") as error:
        read(text)
    assert complaint in str(error.value)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DECLARED = "<?xml version='1.0'?>\n<!DOCTYPE DescriptorRecordSet [{}]>\n<DescriptorRecordSet>&l9;</DescriptorRecordSet>"
OUTSIDE = '<!ENTITY l9 SYSTEM "file:///etc/hostname">'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (DECLARED.format('<!ENTITY l0 "lol">' + LAUGHS), "line 2: the entity 'l0' may be a bomb"),
        (DECLARED.format(OUTSIDE), "line 2: the entity 'l9' lies outside of the file"),
        (DECLARED.format('<!ENTITY % p SYSTEM "http://127.0.0.1/x.dtd"> %p;'), "the entity 'p' lies outside"),
        (DECLARED.format(""), "line 3: undefined entity"),
        (record_set(record("D1", "&nope;", [])), "the entity 'nope' is not declared in the file"),
        (record_set("<DescriptorRecord>" + "<a>" * 100_000), "nested more than 20 deep"),
        (record_set(f"<DescriptorRecord><Annotation>{'x' * 5_000_000}"), "line 3: a single piece of more than"),
        (HEAD + f"<!-- {'x' * 5_000_000} -->", "a single piece of more than"),
        (record_set(record("D1", "nul \0", [])), "not well-formed"),
        (record_set(record("D1", "bad \udcff", [])).encode(errors="surrogateescape"), "line 6: not well-formed"),
        (gzip.compress(record_set(SLEEP).encode())[:-9], "cut off"),
    ],
)
def test_a_hostile_file_is_refused_with_a_clear_word(read, text, complaint):
    with pytest.raises(BadInput, match=r"desc\.xml") as error:
        read(text)
    assert complaint in str(error.value)


def test_a_folder_is_said_so(tmp_path):
    with pytest.raises(BadInput, match="Is a directory"):
        list(mesh.read(tmp_path))


COUNT = """
import resource, sys
from pathlib import Path
from thresher.ontology.readers import mesh
next(mesh.read(Path(sys.argv[1])))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in mesh.read(Path(sys.argv[2])))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path):
    small, big = tmp_path / "small.xml", tmp_path / "big.xml"
    small.write_text(record_set(SLEEP))
    with big.open("w") as file:
        file.write(HEAD + "<DescriptorRecordSet>")
        for number in range(4_000):
            file.write(SLEEP.replace("D007319", f"D{number}"))
        file.write("</DescriptorRecordSet>")
    assert big.stat().st_size > 8_000_000
    run = subprocess.run([sys.executable, "-c", COUNT, small, big], capture_output=True, text=True, check=True)
    count, grown = map(int, run.stdout.split())
    assert count == 4_000
    assert grown * (1 if sys.platform == "darwin" else 1024) < 4_000_000
