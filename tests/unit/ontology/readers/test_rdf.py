import gzip
import json

import pytest
from pyoxigraph import RdfFormat, parse, serialize

from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.readers import rdf
from thresher.ontology.readers import rdf_statements as statements

THESAURUS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ex: <http://example.org/> .

ex:scheme a skos:ConceptScheme ; skos:prefLabel "Diseases"@en .
ex:group a skos:Collection ; skos:prefLabel "Childhood"@en ; skos:member ex:chickenpox .
ex:infection a skos:Concept ; skos:prefLabel "infection"@en ; skos:narrower ex:chickenpox , ex:ghost .
ex:chickenpox a skos:Concept ;
    skos:prefLabel "छोटी माता"@hi , "Chickenpox"@en , "Windpocken"@de-AT ;
    rdfs:label "chicken pox"@en , "varicelle"@fr ;
    skos:altLabel "Varicella"@en-GB , "Varicella"@en ;
    skos:hiddenLabel "chikenpox" ;
    skos:scopeNote "Use for the acute illness."@en ;
    skos:definition "Eine Krankheit."@de , "A contagious\\n  disease."@en ;
    skos:related ex:shingles ;
    skos:broadMatch <http://elsewhere.org/infections> ;
    skos:broader ex:infection , ex:chickenpox .
ex:shingles skos:prefLabel "shingles"@en .
"""
ONTOLOGY = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [
  <!ENTITY obo "http://purl.obolibrary.org/obo/">
]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
 xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:obo="http://purl.obolibrary.org/obo/"
 xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#">
 <owl:Ontology rdf:about="&obo;test.owl"><rdfs:label>Test</rdfs:label><owl:imports rdf:resource="file:///etc/passwd"/></owl:Ontology>
 <owl:ObjectProperty rdf:about="&obo;RO_1"><rdfs:label>part of</rdfs:label></owl:ObjectProperty>
 <owl:Class rdf:about="&obo;T_1">
  <rdfs:label>enuresis</rdfs:label>
  <rdfs:subClassOf rdf:resource="http://www.w3.org/2002/07/owl#Thing"/>
 </owl:Class>
 <owl:Class rdf:about="&obo;T_2">
  <rdfs:label xml:lang="en">nocturnal enuresis</rdfs:label>
  <rdfs:comment>A comment.</rdfs:comment>
  <obo:IAO_0000115>Passing water in bed.</obo:IAO_0000115>
  <oboInOwl:hasExactSynonym>bedwetting</oboInOwl:hasExactSynonym>
  <oboInOwl:hasNarrowSynonym>wets the bed</oboInOwl:hasNarrowSynonym>
  <oboInOwl:hasBroadSynonym>incontinence</oboInOwl:hasBroadSynonym>
  <oboInOwl:hasRelatedSynonym>wet nights</oboInOwl:hasRelatedSynonym>
  <rdfs:subClassOf rdf:resource="&obo;T_1"/>
  <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="&obo;RO_1"/>
   <owl:someValuesFrom rdf:resource="&obo;T_3"/></owl:Restriction></rdfs:subClassOf>
 </owl:Class>
 <owl:Class rdf:about="&obo;T_3"><rdfs:label>gone</rdfs:label>
  <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated></owl:Class>
</rdf:RDF>
"""


@pytest.fixture
def read(tmp_path):
    def reading(text, name="t.ttl", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return {concept.id.rpartition("/")[2]: concept for concept in rdf.read(path, **options)}

    return reading


def test_a_thesaurus_gives_concepts_and_neither_schemes_nor_collections(read):
    assert list(read(THESAURUS)) == ["infection", "chickenpox", "shingles"]


def test_names_in_all_languages_are_labels_the_preferred_english_one_first(read):
    assert read(THESAURUS)["chickenpox"].labels == (
        ConceptLabel("Chickenpox", "en", "preferred"),
        ConceptLabel("छोटी माता", "hi", "preferred"),
        ConceptLabel("Windpocken", "de", "preferred"),
        ConceptLabel("varicelle", "fr", "preferred"),
        ConceptLabel("chicken pox", "en", "exact"),
        ConceptLabel("Varicella", "en", "exact"),
        ConceptLabel("chikenpox", "en", "exact"),
    )


def test_another_language_may_come_first(read):
    german = read(THESAURUS, language="de")["chickenpox"]
    assert (german.label, german.gloss) == ("Windpocken", "Eine Krankheit.")


def test_links_are_read_from_both_ends_and_never_lead_back_to_the_concept_itself(read):
    concepts = read(THESAURUS)
    assert concepts["chickenpox"].broader == ("http://example.org/infection",)
    assert concepts["chickenpox"].related == ("http://example.org/shingles",)
    assert concepts["chickenpox"].gloss == "A contagious disease."


def test_classes_of_an_owl_file_are_read_without_restrictions_properties_and_what_is_deprecated(read):
    assert read(ONTOLOGY, "t.owl") == {
        "T_1": Concept("http://purl.obolibrary.org/obo/T_1", (ConceptLabel("enuresis", "en", "preferred"),)),
        "T_2": Concept(
            "http://purl.obolibrary.org/obo/T_2",
            (
                ConceptLabel("nocturnal enuresis", "en", "preferred"),
                ConceptLabel("bedwetting", "en", "exact"),
                ConceptLabel("wets the bed", "en", "narrow"),
                ConceptLabel("incontinence", "en", "broad"),
                ConceptLabel("wet nights", "en", "related"),
            ),
            "Passing water in bed.",
            ("http://purl.obolibrary.org/obo/T_1",),
        ),
    }


@pytest.mark.parametrize("text", [THESAURUS, ONTOLOGY], ids=["skos", "owl"])
@pytest.mark.parametrize(
    "format_", [RdfFormat.N_TRIPLES, RdfFormat.TURTLE, RdfFormat.RDF_XML, RdfFormat.JSON_LD], ids=str
)
@pytest.mark.parametrize("suffix", ["", ".gz", ".unknown"])
def test_every_syntax_packed_or_not_says_the_same(read, text, format_, suffix):
    kind = RdfFormat.RDF_XML if text is ONTOLOGY else RdfFormat.TURTLE
    triples = [quad.triple for quad in parse(input=text.encode(), format=kind)]
    other = serialize(triples, format=format_)
    other = gzip.compress(other) if suffix == ".gz" else other

    def everything(concepts):
        return {
            (id_, frozenset(found.labels), found.gloss, found.broader, found.related) for id_, found in concepts.items()
        }

    assert everything(read(other, f"t.{format_.file_extension}{suffix}")) == everything(
        read(text, "t.owl" if kind == RdfFormat.RDF_XML else "t.ttl")
    )


def test_plain_rdfs_classes_and_relative_names_are_read(read):
    concepts = read(
        """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        <#eye> a rdfs:Class ; rdfs:label "eye" . <#iris> rdfs:subClassOf <#eye> ; rdfs:label "iris" ."""
    )
    assert {found.label: found.broader for found in concepts.values()} == {"eye": (), "iris": ("file:///#eye",)}


def test_a_file_too_large_for_memory_gives_the_same_concepts_from_parts_on_disk(read, monkeypatch):
    whole = read(THESAURUS)
    monkeypatch.setattr(statements, "_IN_MEMORY", 100)
    assert read(THESAURUS) == whole


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("t.ttl", '<http://a> <http://b> "x" .\n\n<http://a> <http://b> x .', "line 3: Parser error"),
        ("t.nt", '<http://a> <http://b> "x" .\n<http://a> .', "line 2: Parser error"),
        ("t.owl", ONTOLOGY.replace("</owl:Ontology>", ""), "line 28: mismatched tag"),
        ("t.owl", ONTOLOGY.replace('rdf:about="&obo;T_1"', 'rdf:about="&obo;T_1" rdf:ID="x"'), "about line 29: "),
        ("t.rdf", "<html><p>404</p></html>", "line 1: "),
        ("t.owl", "<html><p>404</p></html>", "line 1: "),
        ("t.jsonld", '{"@id":\n "http://x"', "line 2: Parser error"),
        ("t.jsonld", '{"@context": "http://127.0.0.1/context.json", "name": "x"}', "remote contexts"),
        ("t.owl", "Prefix(:=<http://a/>)\nOntology(<http://a>)", "line 1: OWL in functional"),
        (
            "t.owl",
            '<?xml version="1.0"?>\n<!DOCTYPE Ontology [<!ENTITY a "b">\n]>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>',
            "line 1: OWL in functional",
        ),
        ("t.ttl", '<http://a> <http://b> "x" .', "no skos:Concept, owl:Class or rdfs:Class in it"),
        ("t.ttl", "", "no skos:Concept"),
        ("t.owl", "", "no skos:Concept"),
    ],
)
def test_a_broken_file_is_refused_with_line_and_reason(read, name, text, complaint):
    with pytest.raises(BadInput, match=name.replace(".", r"\.")) as error:
        read(text, name)
    assert complaint in str(error.value)


def declared(*entities, use="&e9;"):
    return ONTOLOGY.replace("<!ENTITY obo", "\n".join(entities) + "<!ENTITY obo").replace(">enuresis<", f">{use}<")


LAUGHS = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("t.owl", declared('<!ENTITY e0 "lol">', *LAUGHS), "the entity 'e1' may be a bomb"),
        ("t.owl", declared(f'<!ENTITY e9 "{"x" * 300}">', use="&e9;" * 10), "the entity 'e9' may be a bomb"),
        (
            "t.owl",
            declared(f'<!-- <!ENTITY e0 "lol"> {" ".join(LAUGHS)} -->'),
            "declared twice, or within something else",
        ),
        ("t.owl", declared('<!ENTITY e9 SYSTEM "file:///etc/hostname">'), "the entity 'e9' lies outside of the file"),
        ("t.owl", declared('<!ENTITY % e9 SYSTEM "http://127.0.0.1/a.dtd"> %e9;'), "the entity 'e9' lies outside"),
        ("t.owl", declared(use="<obo:a>" * 2_000), "nested more than 1,000 deep"),
        ("t.owl", declared(use="x" * 5_000_000), "a single piece of more than"),
        ("t.owl", declared(use="\0"), "not well-formed"),
        ("t.owl", declared(use="\udcff").encode(errors="surrogateescape"), "not well-formed"),
        ("t.ttl", b'<http://a> <http://b> "\xff" .', "line 1: Parser error"),
        ("t.nt", '<http://a> <http://b> "' + "x" * 17_000_000 + '" .', "buffer maximal size"),
        ("t.jsonld", '{"a":' + "[" * 200_000, "Max stack size"),
        ("t.ttl", "(" * 200_000, "line 1: Parser error"),
        ("t.ttl.gz", gzip.compress(THESAURUS.encode())[:-9], "cut off"),
    ],
)
def test_a_hostile_file_is_refused_with_a_clear_word(read, name, text, complaint):
    with pytest.raises(BadInput, match=name.replace(".", r"\.")) as error:
        read(text, name)
    assert complaint in str(error.value)


def test_nul_characters_do_not_reach_a_label(read):
    skos = "http://www.w3.org/2004/02/skos/core#"
    text = json.dumps({"@id": "http://a", f"{skos}prefLabel": {"@value": "a\0b", "@language": "en"}})
    assert read(text, "t.jsonld")["a"].label == "a b"


def test_a_cycle_is_handed_on_for_the_ontology_to_break(read):
    concepts = read(
        """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        <a> skos:prefLabel "a" ; skos:broader <b> . <b> skos:prefLabel "b" ; skos:broader <a> ."""
    )
    assert [found.broader for found in concepts.values()] == [("file:///b",), ("file:///a",)]


def test_a_folder_is_said_so(tmp_path):
    with pytest.raises(BadInput, match="Is a directory"):
        list(rdf.read(tmp_path))
