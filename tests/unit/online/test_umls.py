import asyncio
import email.utils
import os
import re
import time
import traceback

import pytest
from aiohttp import web
from tests.unit.online.uts_server import KEY, RELATIONS, UtsServer

from thresher.errors import BadInput, NoAnswer
from thresher.online.json_client import MOST_BYTES, RequestPolicy
from thresher.online.umls import Umls, look_up
from thresher.ontology.table import Ontology

BEDWETTING = "C0270327"
ATOMS = f"/CUI/{BEDWETTING}/atoms"


@pytest.fixture
async def server():
    async with UtsServer().running() as server:
        yield server


@pytest.fixture
def umls(server, tmp_path):
    def umls(key=KEY, *, timeout=5.0, max_age=60.0, **options):
        policy = RequestPolicy(pause=0.01, spacing=0.0, timeout=timeout, max_age=max_age)
        return Umls(key, base=server.base, kept=tmp_path / "kept", policy=policy, **options)

    return umls


async def ontology(umls, *phrases):
    return Ontology.of("umls", await umls.concepts(phrases))


async def problem(umls, kind=NoAnswer):
    with pytest.raises(kind) as caught:
        await umls.concepts(["bedwetting"])
    assert KEY not in "".join(traceback.format_exception(caught.value))
    return str(caught.value)


async def test_bedwetting_brings_the_names_that_lokman_found(umls):
    (found,) = (await ontology(umls(), "bedwetting")).concepts("bedwetting")
    names = {label.text.lower(): label for label in found.labels}
    assert found.id == BEDWETTING
    assert found.label == "Nocturnal enuresis"
    assert {"nocturnal enuresis", "nocturnal incontinence of urine", "wets bed"} <= names.keys()
    assert not any("(" in name for name in names)
    assert names["wets bed"].rank > names["bedwetting"].rank
    assert found.gloss == "Involuntary urination during sleep."
    assert found.kind == "Disease or Syndrome; Sign or Symptom"


async def test_what_it_is_a_child_of_is_broader_and_not_the_other_way_round(umls):
    known = await ontology(umls(), "bedwetting")
    above = {known[one].label for one in known[BEDWETTING].broader}
    assert above == {"Enuresis", "Urinary Incontinence"}


async def test_its_context_are_siblings_and_children_in_the_sources(umls):
    known = await ontology(umls(), "bedwetting")
    assert {known[one].label for one in known.siblings(BEDWETTING)} == {"Daytime enuresis", "Diurnal Enuresis"}
    assert {known[one].label for one in known.narrower(BEDWETTING)} == {"Primary nocturnal enuresis"}


async def test_a_phrase_with_several_meanings_brings_all_of_them(umls):
    known = await ontology(umls(), "cold")
    assert [each.id for each in known.concepts("cold")] == ["C0009443", "C0009264"]


async def test_several_phrases_are_asked_in_one_go_and_an_unknown_one_does_no_harm(umls):
    known = await ontology(umls(), "bedwetting", "cold", "no such thing")
    assert {BEDWETTING, "C0009443", "C0009264"} <= {each.id for each in known}


async def test_names_in_the_languages_asked_for(umls):
    known = await ontology(umls(languages=["de"], sources=["MSHGER"]), "Einnässen, nächtliches")
    assert [(label.text, label.language) for label in known[BEDWETTING].labels][:1] == [
        ("Einnässen, nächtliches", "de")
    ]


async def test_a_term_that_umls_does_not_have(umls):
    with pytest.raises(BadInput, match="UMLS has no 'thresher' in MSH, SNOMEDCT_US"):
        await umls().concepts(["thresher"])


async def test_an_answer_is_asked_for_once(umls, server):
    first = await umls().concepts(["bedwetting"])
    asked = server.asked.total()
    assert await umls("another key, which the server refuses").concepts(["bedwetting"]) == first
    assert server.asked.total() == asked


async def test_an_old_answer_is_asked_for_again(umls, server, tmp_path):
    await umls().concepts(["bedwetting"])
    asked = server.asked.total()
    for file in (tmp_path / "kept").iterdir():
        os.utime(file, (0, time.time() - 61))
    await umls().concepts(["bedwetting"])
    assert server.asked.total() == 2 * asked


async def test_a_damaged_answer_is_asked_for_again(umls, server, tmp_path):
    first = await umls().concepts(["bedwetting"])
    for file, damage in zip((tmp_path / "kept").iterdir(), [b"", b"[]", b"{", b'{"query": 1}'] * 9, strict=False):
        file.write_bytes(damage)
    assert await umls().concepts(["bedwetting"]) == first


async def test_the_key_is_written_nowhere(umls, tmp_path, caplog, server):
    caplog.set_level(0)
    server.before[ATOMS] = [echo_in_json]
    await umls().concepts(["bedwetting"])
    kept = list((tmp_path / "kept").iterdir())
    assert kept
    assert not any(KEY.encode() in file.read_bytes() or KEY in file.name for file in kept)
    ours = [record.getMessage() for record in caplog.records if record.name != "aiohttp.access"]
    assert not any(KEY in message for message in ours)
    assert KEY not in repr(umls())


async def test_a_refused_key_is_named_as_the_cause_and_masked_where_it_is_echoed(umls, server):
    server.before["/search/current"] = [web.json_response({"message": f"key {KEY} is not valid"}, status=403)]
    said = await problem(umls(), BadInput)
    assert "UMLS: the API key is refused (status 403)" in said
    assert "key *** is not valid" in said


async def test_a_wrong_key_is_not_tried_twice(umls, server):
    wrong = "ffffffff-7d3b-4c55-9e21-4b1d2a7c8e90"
    with pytest.raises(BadInput, match=r"status 401.*bad key \*\*\*"):
        await umls(wrong).concepts(["bedwetting"])
    assert server.asked.total() == 1


def test_a_missing_key_says_where_to_get_one(monkeypatch):
    monkeypatch.delenv("UMLS_API_KEY", raising=False)
    with pytest.raises(BadInput, match=r"set UMLS_API_KEY.*uts\.nlm\.nih\.gov"):
        look_up(["bedwetting"])


@pytest.mark.parametrize("key", ["short", "two lines\nof more than sixteen"])
def test_what_cannot_be_a_key_is_refused(monkeypatch, key):
    monkeypatch.setenv("UMLS_API_KEY", key)
    with pytest.raises(BadInput, match="does not hold an API key"):
        Umls()


async def test_too_many_requests_are_repeated_after_the_time_it_names(umls, server):
    server.before[ATOMS] = [web.Response(status=429, headers={"Retry-After": "1"})]
    start = time.monotonic()
    assert await umls().concepts(["bedwetting"])
    assert time.monotonic() - start >= 1.0
    assert server.asked[f"/content/current{ATOMS}"] == 4


async def test_a_time_to_wait_may_be_a_date_and_too_long_a_one_is_not_waited_for(umls, server):
    late = email.utils.formatdate(time.time() + 3600, usegmt=True)
    server.before[ATOMS] = [web.Response(status=429, headers={"Retry-After": late})]
    said = await problem(umls())
    assert re.search(r"requests is reached; it asks to wait 3[56]\d\d s \(status 429\) \(try 1 of 3\)", said)


async def test_a_server_that_is_out_of_order_is_asked_three_times(umls, server):
    server.before[ATOMS] = [web.Response(status=500), web.Response(status=503)]
    assert await umls().concepts(["bedwetting"])
    server.before["/search/current"] = [web.Response(status=500) for _ in range(3)]
    assert "out of order (status 500) (try 3 of 3)" in await problem(umls(max_age=-1))


async def test_a_server_that_is_slow_is_given_up(umls, server):
    async def slow(_):
        await asyncio.sleep(0.5)
        return web.Response()

    server.before["/search/current"] = [slow] * 3
    assert "no answer within 0.05 s (try 3 of 3)" in await problem(umls(timeout=0.05))


async def test_a_connection_that_breaks_is_tried_again(umls, server):
    async def broken(request):
        request.transport.close()
        return web.Response()

    server.before["/search/current"] = [broken]
    assert await umls().concepts(["bedwetting"])


async def test_a_host_that_cannot_be_reached_is_named(tmp_path, unused_tcp_port):
    umls = Umls(KEY, base=f"http://127.0.0.1:{unused_tcp_port}/rest", kept=tmp_path)
    assert f"127.0.0.1:{unused_tcp_port} cannot be reached" in await problem(umls)


async def test_a_redirect_is_refused_and_not_followed(umls, server):
    where = f"{server.base}/elsewhere?apiKey={KEY}"
    server.before["/search/current"] = [web.Response(status=302, headers={"Location": where})]
    said = await problem(umls())
    assert "sends us elsewhere" in said
    assert "elsewhere?apiKey=***" in said
    assert server.asked.total() == 1


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("<html>\x1b[2Jmaintenance</html>", "not JSON: <html> [2Jmaintenance</html>"),
        ("", "not JSON"),
        ("[1, 2]", "not as documented: [1, 2]"),
        ("[" * 100_000, "not JSON"),
        ('{"result": 7}', "not as documented: 7"),
        ('{"result": {"results": [7]}}', "not as documented: [7]"),
        ('{"result": {"results": [{"ui": ".."}]}}', "'..' is no id"),
        ('{"pad": "' + "x" * MOST_BYTES + '"}', "more than 8,388,608 bytes"),
    ],
)
async def test_an_answer_that_makes_no_sense_is_refused(umls, server, body, complaint):
    server.before["/search/current"] = [web.Response(text=body, content_type="application/json")]
    assert complaint in await problem(umls())


@pytest.mark.parametrize("count", [1_000_000_000, "many", None])
async def test_more_pages_than_anyone_needs_are_not_asked_for(umls, server, count):
    entry = {"name": "x", "language": "ENG", "rootSource": "MSH"}
    server.before[ATOMS] = [web.json_response({"pageCount": count, "result": [entry]})]
    assert f"{count!r} pages of /content/current{ATOMS}, where at most 50 make sense" in await problem(umls())
    assert server.asked[f"/content/current{ATOMS}"] == 1


async def test_a_concept_below_itself_is_cut_open(umls, monkeypatch):
    monkeypatch.setitem(RELATIONS, BEDWETTING, [("CHD", "source/SNOMEDCT_US/700001", "Primary nocturnal enuresis")])
    known = await ontology(umls(), "bedwetting")
    assert known.notes
    assert known.ancestors(BEDWETTING)


def test_the_key_does_not_travel_unencrypted(tmp_path):
    with pytest.raises(BadInput, match="the API key would travel unencrypted"):
        look_up(["bedwetting"], Umls(KEY, base="http://uts-ws.example/rest", kept=tmp_path))


def test_code_that_does_not_wait_gets_the_same_concepts(tmp_path):
    async def filled():
        async with UtsServer().running() as server:
            umls = Umls(KEY, base=server.base, kept=tmp_path, policy=RequestPolicy(spacing=0.0))
            return umls, await umls.concepts(["bedwetting"])

    umls, concepts = asyncio.run(filled())
    assert list(look_up(["bedwetting"], umls)) == concepts


async def echo_in_json(request):
    return web.json_response({"pageCount": 1, "result": [{"name": request.query["apiKey"], "language": "ENG"}]})
