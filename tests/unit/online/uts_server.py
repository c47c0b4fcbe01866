"""A server that speaks the documented UTS REST API about a handful of concepts."""

import asyncio
import threading
from collections import Counter, defaultdict
from contextlib import asynccontextmanager, contextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer

KEY = "0f9a6c1e-7d3b-4c55-9e21-4b1d2a7c8e90"
ROOT = "https://uts-ws.nlm.nih.gov/rest/content/2025AA"
PAGE = 2
"""At most so many entries a page, whatever is asked for, so that everything is paged."""

NAMES = {
    "C0270327": [
        ("Enuresis, Nocturnal", "ENG", "MSH", "EN", "D053206"),
        ("Nocturnal enuresis", "ENG", "SNOMEDCT_US", "PT", "8009008"),
        ("Nocturnal enuresis (finding)", "ENG", "SNOMEDCT_US", "FN", "8009008"),
        ("Bedwetting", "ENG", "SNOMEDCT_US", "SY", "8009008"),
        ("Nocturnal incontinence of urine", "ENG", "SNOMEDCT_US", "SY", "8009008"),
        ("Einnässen, nächtliches", "GER", "MSHGER", "MH", "D053206"),
    ],
    "C0009443": [
        ("Common cold", "ENG", "SNOMEDCT_US", "PT", "82272006"),
        ("Cold", "ENG", "SNOMEDCT_US", "SY", "82272006"),
    ],
    "C0009264": [("Cold temperature", "ENG", "MSH", "MH", "D003080"), ("Cold", "ENG", "MSH", "EN", "D003080")],
}
PREFERRED = {"C0270327": "Nocturnal enuresis", "C0009443": "Common cold", "C0009264": "Cold temperature"}
TYPES = {"C0270327": ["Disease or Syndrome", "Sign or Symptom"]}
DEFINITIONS = {"C0270327": ["Involuntary urination during sleep."]}
# The concept is the label of the other: behind CHD stands what it is a child of.
RELATIONS = {
    "C0270327": [
        ("CHD", "source/SNOMEDCT_US/162116003", "Enuresis"),
        ("RN", "CUI/C0042024", "Urinary Incontinence"),
        ("PAR", "source/SNOMEDCT_US/700001", "Primary nocturnal enuresis"),
        ("SY", "source/SNOMEDCT_US/248477007", "Wets bed"),
        ("SY", "AUI/A0000052", "Nocturnal enuresis"),
        ("RO", "source/SNOMEDCT_US/89837001", "Urinary bladder structure"),
    ]
}
PARENTS = {"SNOMEDCT_US/8009008": ["SNOMEDCT_US/162116003"], "MSH/D053206": ["MSH/D004775"]}
CHILDREN = {
    "SNOMEDCT_US/8009008": ["SNOMEDCT_US/700001"],
    "SNOMEDCT_US/162116003": ["SNOMEDCT_US/8009008", "SNOMEDCT_US/700002"],
    "MSH/D004775": ["MSH/D053206", "MSH/D053207"],
}
PLACES = {
    "SNOMEDCT_US/8009008": "Nocturnal enuresis",
    "SNOMEDCT_US/162116003": "Enuresis",
    "SNOMEDCT_US/700001": "Primary nocturnal enuresis",
    "SNOMEDCT_US/700002": "Daytime enuresis",
    "MSH/D053206": "Nocturnal Enuresis",
    "MSH/D004775": "Enuresis",
    "MSH/D053207": "Diurnal Enuresis",
}


class UtsServer:
    """Answers as documented, but for what a test puts before it."""

    def __init__(self):
        self.asked = Counter()
        self.before = defaultdict(list)
        """By the end of a path: responses to give first, one a request."""
        app = web.Application()
        app.router.add_get("/rest/search/current", self._search)
        app.router.add_get("/rest/content/current/CUI/{cui}", self._concept)
        app.router.add_get("/rest/content/current/CUI/{cui}/{what}", self._list)
        app.router.add_get("/rest/content/current/source/{source}/{code}/{what}", self._place)
        app.middlewares.append(self._check)
        self._server = TestServer(app)

    @property
    def base(self):
        return str(self._server.make_url("/rest"))

    @asynccontextmanager
    async def running(self):
        async with self._server:
            yield self

    @web.middleware
    async def _check(self, request, handler):
        self.asked[request.path.removeprefix("/rest")] += 1
        for end, responses in self.before.items():
            if request.path.endswith(end) and responses:
                response = responses.pop(0)
                return await response(request) if callable(response) else response
        if request.query.get("apiKey") != KEY:
            return web.json_response({"status": 401, "message": f"bad key {request.query.get('apiKey')}"}, status=401)
        return await handler(request)

    async def _search(self, request):
        assert request.query["searchType"] == "exact"
        phrase, sources = request.query["string"].lower(), _sources(request)
        found = [
            {"ui": cui, "rootSource": "MTH", "uri": f"{ROOT}/CUI/{cui}", "name": PREFERRED[cui]}
            for cui, names in NAMES.items()
            if any(name.lower() == phrase and source in sources for name, _, source, _, _ in names)
        ]
        results = found or [{"ui": "NONE", "name": "NO RESULTS"}]
        return web.json_response(
            {"pageSize": PAGE, "pageNumber": 1, "result": {"classType": "searchResults", "results": results}}
        )

    async def _concept(self, request):
        cui = request.match_info["cui"]
        types = [{"name": name, "uri": f"{ROOT}/TUI/T047"} for name in TYPES.get(cui, ["Finding"])]
        result = {"classType": "Concept", "ui": cui, "name": PREFERRED[cui], "semanticTypes": types}
        return web.json_response({"pageSize": 25, "pageNumber": 1, "pageCount": 1, "result": result})

    async def _list(self, request):
        cui, what = request.match_info["cui"], request.match_info["what"]
        entries = {"atoms": _atoms, "definitions": _definitions, "relations": _relations}[what](cui, request)
        return _paged(request, entries)

    async def _place(self, request):
        place = f"{request.match_info['source']}/{request.match_info['code']}"
        near = {"parents": PARENTS, "children": CHILDREN}[request.match_info["what"]].get(place, [])
        return _paged(request, [_cluster(one) for one in near])


@contextmanager
def in_the_background():
    """The server in a thread of its own, for code that does not wait."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = UtsServer()

    def done(what):
        return asyncio.run_coroutine_threadsafe(what, loop).result(10)

    running = server.running()
    done(running.__aenter__())
    try:
        yield server
    finally:
        done(running.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def _sources(request):
    return request.query["sabs"].split(",")


def _atoms(cui, request):
    return [
        {
            "classType": "Atom",
            "ui": "A1",
            "suppressible": "false",
            "obsolete": "false",
            "rootSource": source,
            "termType": term_type,
            "code": f"{ROOT}/source/{source}/{code}",
            "language": language,
            "name": name,
        }
        for name, language, source, term_type, code in NAMES[cui]
        if source in _sources(request) and request.query.get("language", language) == language
    ]


def _definitions(cui, request):
    return [{"classType": "Definition", "rootSource": "MSH", "value": value} for value in DEFINITIONS.get(cui, [])]


def _relations(cui, request):
    return [
        {
            "ui": "R1",
            "classType": "AtomClusterRelation",
            "relationLabel": label,
            "relatedFromId": f"{ROOT}/CUI/{cui}",
            "relatedId": f"{ROOT}/{path}",
            "relatedIdName": name,
        }
        for label, path, name in RELATIONS.get(cui, [])
        if label in request.query["includeRelationLabels"].split(",")
    ]


def _cluster(place):
    source, code = place.split("/")
    return {"classType": "SourceAtomCluster", "ui": code, "rootSource": source, "name": PLACES[place]}


def _paged(request, entries):
    if not entries:
        return web.json_response(
            {"name": "NotFoundError", "message": "No results containing all your search terms."}, status=404
        )
    number = int(request.query["pageNumber"])
    part = entries[(number - 1) * PAGE : number * PAGE]
    count = -(-len(entries) // PAGE)
    return web.json_response({"pageSize": PAGE, "pageNumber": number, "pageCount": count, "result": part})
