"""PAR and CHD in UMLS: a release on disk and the service write the same fact in opposite directions.

MRREL (UMLS Reference Manual, chapter 3, "Related Concepts"): REL is the "relationship of second concept or atom to first concept or
atom", or, as NLM's pages on its sources put it, relationships "are read from right to left". In `Cats|PAR|Felis`
Felis, the second, is the parent of Cats.

REST (documentation.uts.nlm.nih.gov/rest/source-asserted-identifiers/relations): an entry is read from left to right. In NLM's sample,
asked for `has_answer`, `relatedFromId` is the question and `relatedId` an answer. So `relatedFromId` Cats, `relationLabel` CHD,
`relatedId` Felis, as the service answers about Cats, says that Cats is the child of Felis. With PAR the other is a child.
"""

import pytest
from aiohttp import web
from tests.unit.online.uts_server import KEY, ROOT, UtsServer
from tests.unit.ontology.readers.rrf_files import name_row, relation_row, write

from thresher.online.json_client import RequestPolicy
from thresher.online.umls import Umls
from thresher.ontology.readers.umls_rrf import read

CATS, FELIS, TABBY = "C0007450", "C1138395", "C9000001"
NAMES = [
    f"{CATS} ENG P PF Y A0000001 MSH MH Cats|N",
    f"{FELIS} ENG P PF Y A0000002 MSH MH Felis|N",
    f"{TABBY} ENG P PF Y A0000003 MSH MH Tabby|N",
]


def broader_by_release(tmp_path, *relations):
    write(tmp_path / "MRCONSO.RRF", map(name_row, sorted(NAMES)))
    write(tmp_path / "MRREL.RRF", map(relation_row, relations))
    return {each.label: each.broader for each in read(tmp_path)}["Cats"]


async def broader_by_service(tmp_path, *relations):
    entries = [
        {
            "relationLabel": label,
            "relatedFromId": f"{ROOT}/CUI/{CATS}",
            "relatedId": f"{ROOT}/CUI/{other}",
            "relatedIdName": name,
        }
        for label, other, name in relations
    ]
    async with UtsServer().running() as server:
        server.before["/search/current"] = [web.json_response({"result": {"results": [{"ui": CATS}]}})]
        server.before[f"/CUI/{CATS}"] = [web.json_response({"result": {"name": "Cats"}})]
        server.before[f"/CUI/{CATS}/atoms"] = [web.json_response({"result": []})]
        server.before[f"/CUI/{CATS}/relations"] = [web.json_response({"result": entries, "pageCount": 1})]
        umls = Umls(KEY, base=server.base, kept=tmp_path / "kept", policy=RequestPolicy(spacing=0.0))
        found = await umls.concepts(["cats"])
    return {each.label: each.broader for each in found}["Cats"]


def test_in_mrrel_the_second_concept_is_the_label_of_the_first(tmp_path):
    assert broader_by_release(tmp_path, f"{CATS} PAR {FELIS} MSH", f"{CATS} CHD {TABBY} MSH") == (FELIS,)


async def test_over_rest_the_concept_asked_about_is_the_label_of_the_other(tmp_path):
    assert await broader_by_service(tmp_path, ("CHD", FELIS, "Felis"), ("PAR", TABBY, "Tabby")) == (FELIS,)


@pytest.mark.parametrize("labels", [("PAR", "CHD"), ("RB", "RN")])
async def test_the_same_fact_has_the_opposite_label_in_the_two(tmp_path, labels):
    on_disk, over_rest = labels
    by_release = broader_by_release(tmp_path, f"{CATS} {on_disk} {FELIS} MSH")
    assert by_release == await broader_by_service(tmp_path, (over_rest, FELIS, "Felis")) == (FELIS,)
