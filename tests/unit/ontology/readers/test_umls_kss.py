import pytest
from aiohttp import ClientSession
from tests.unit.ontology.readers.kss_server import QUERIES, KssServer, answers

from thresher.errors import BadInput
from thresher.ontology.known_ontologies import open_ontology
from thresher.ontology.readers import umls_kss
from thresher.ontology.readers.umls_kss import read
from thresher.topic.build_topic import make_topic


def kept(tmp_path, text, name="bedwetting.kss"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def tiers(path, phrase="bedwetting"):
    made = make_topic([phrase], [open_ontology(str(path))])
    return {
        tier: {term.label.lower() for term in made.terms if term.tier == tier}
        for tier in ("exact", "synonym", "broader", "context")
    }


async def test_the_answers_of_the_played_back_server_make_the_topic_of_the_thesis_table_3(tmp_path):
    async with KssServer().running() as server, ClientSession() as session:
        merged = b""
        for query in QUERIES:
            async with session.get(server.url(query), params={"searchTerm": "bedwetting"}) as answer:
                merged += await answer.read()
    assert server.asked == ["findCui", "getTerminology", "getRelations", "getContext"]
    assert tiers(kept(tmp_path, merged)) == {
        "exact": {"bedwetting"},
        "synonym": {"nocturnal enuresis", "wets bed", "nocturnal incontinence of urine"},
        "broader": {"enuresis"},
        "context": {"diurnal enuresis"},
    }


def test_the_concept_has_the_cui_that_was_found_first(tmp_path):
    concepts = list(read(kept(tmp_path, answers("bedwetting"))))
    assert concepts[0].id == "C0270327"
    assert concepts[0].label == "bedwetting"


def test_the_phrase_stands_in_the_head_of_an_answer(tmp_path):
    assert tiers(kept(tmp_path, answers("breast carcinoma"), "topic.kss"), "breast carcinoma")["synonym"] == {
        "carcinoma of breast"
    }


def test_where_no_head_names_the_phrase_the_file_does(tmp_path):
    path = kept(tmp_path, "<response><cn>Carcinoma of breast</cn></response>", "breast_cancer.kss")
    assert tiers(path, "breast cancer")["synonym"] == {"carcinoma of breast"}


@pytest.mark.parametrize(
    "xml",
    [
        "<r><x><rel>PAR</rel><cn>Enuresis</cn></x></r>",
        "<r><x><concept><deep><cn>Enuresis</cn></deep></concept><rel>PAR</rel></x></r>",
        "<r><rel>SY</rel><cn>Wets bed</cn><rel>PAR</rel><cn>Enuresis</cn></r>",
        "<r><rel>PAR</rel><list><cn>Enuresis</cn></list></r>",
    ],
)
def test_a_name_belongs_to_the_relation_in_the_innermost_element_that_has_both(tmp_path, xml):
    assert tiers(kept(tmp_path, xml))["broader"] == {"enuresis"}


def test_cxt_is_read_as_cxs_and_only_rank_0_counts(tmp_path):
    xml = "<r><a><CXT>Diurnal Enuresis</CXT><rank>0</rank></a><a><CXT>Behavior</CXT><rank>3</rank></a></r>"
    assert tiers(kept(tmp_path, xml))["context"] == {"diurnal enuresis"}


@pytest.mark.parametrize(
    ("xml", "complaint"),
    [
        ("<r><rel>SY</rel><rel>PAR</rel><cn>A</cn><cn>B</cn><cn>C</cn></r>", "3 <cn> and 2 <rel> in one element"),
        ("<r></r>", "no <cn> and no <cxs> in it"),
        ("<r><cn>cut off", r"\(answer 1\), line 1: "),
        ("<a>" * 30 + "</a>" * 30, "nested more than 20 deep"),
        ('<!DOCTYPE r [<!ENTITY b "boom">]><r><cn>&b;</cn></r>', "may be a bomb"),
        (b"", "no <cn>"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_place(tmp_path, xml, complaint):
    with pytest.raises(BadInput, match=complaint):
        list(read(kept(tmp_path, xml)))


def test_a_file_that_is_far_too_long_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(umls_kss, "MOST_BYTES", 100)
    with pytest.raises(BadInput, match="more than 100 bytes"):
        list(read(kept(tmp_path, b"<r>" + b" " * 200 + b"</r>")))
