"""The UMLS Knowledge Source Server, played back: the four queries of Lokman about two phrases, over HTTP as Kayışoğlu 2005 says.

The answers are written after the thesis's description (§3.4.3.2 and Table 3): no recording of the service is left.
"""

from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer

QUERIES = ("findCui", "getTerminology", "getRelations", "getContext")
CUIS = {"bedwetting": "C0270327", "breast carcinoma": "C0678222"}
NAMES = {
    "bedwetting": [("Nocturnal enuresis", ["Enuresis, Nocturnal", "nocturnal enuresis"]), ("Wets bed", ["wets bed"])],
    "breast carcinoma": [("Carcinoma of breast", ["Mammary carcinoma"])],
}
RELATED = {
    "bedwetting": [
        ("Nocturnal incontinence of urine", "SY"),
        ("Enuresis", "PAR"),
        ("Primary nocturnal enuresis", "CHD"),
        ("Urinary bladder", "RO"),
    ],
    "breast carcinoma": [("Malignant neoplasm of breast", "PAR")],
}
CONTEXT = {
    "bedwetting": [("Behavior", "2"), ("Enuresis", "1"), ("Diurnal Enuresis", "0"), ("Nocturnal Enuresis", "0")],
    "breast carcinoma": [("Ductal carcinoma", "0")],
}


class KssServer:
    def __init__(self):
        self.asked = []
        app = web.Application()
        app.router.add_get("/kss/{query}", self._answer)
        self._server = TestServer(app)

    @asynccontextmanager
    async def running(self):
        async with self._server:
            yield self

    def url(self, query):
        return self._server.make_url(f"/kss/{query}")

    async def _answer(self, request):
        query, term = request.match_info["query"], request.query["searchTerm"]
        self.asked.append(query)
        return web.Response(body=answer(query, term), content_type="text/xml")


def answer(query, term):
    body = {"findCui": _cui, "getTerminology": _terminology, "getRelations": _relations, "getContext": _context}[query](
        term
    )
    head = f"<query><dbYear>2005AB</dbYear><language>ENG</language><searchTerm>{term}</searchTerm><cn>not a name</cn></query>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{query}>{head}<response>{body}</response></{query}>\n'.encode()


def answers(term):
    return b"".join(answer(query, term) for query in QUERIES)


def _cui(term):
    return f"<cui>{CUIS[term]}</cui>"


def _terminology(term):
    return "".join(
        f"<term><cn>{name}</cn>{''.join(f'<tn>{variant}</tn>' for variant in variants)}</term>"
        for name, variants in NAMES[term]
    )


def _relations(term):
    return "".join(
        f"<relation><concept><cui>C0000000</cui><cn>{name}</cn></concept><rel>{relation}</rel></relation>"
        for name, relation in RELATED[term]
    )


def _context(term):
    return "".join(f"<cx><cxs>{name}</cxs><rank>{rank}</rank></cx>" for name, rank in CONTEXT[term])
