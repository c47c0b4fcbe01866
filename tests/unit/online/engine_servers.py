"""A server that speaks the documented APIs of Wikipedia, SearXNG, Brave and Google, and a result page as people see it."""

from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer

KEY = "BSA-k3y-0f9a6c1e7d3b4c55"
CX = "017576662512468239146:omuauf_lfve"
URLS = [f"https://site{number}.example/iris" for number in range(1, 31)]
"""What is found, the best first."""


class EngineServers:
    """Answers as documented, but for what a test puts before it."""

    def __init__(self, urls=URLS):
        self.urls = urls
        self.asked = []
        """The requests, in order."""
        self.before = []
        """Responses to give first, one a request."""
        app = web.Application(middlewares=[self._first])
        app.router.add_get("/w/api.php", self._wikipedia)
        app.router.add_get("/searx/search", self._searxng)
        app.router.add_get("/res/v1/web/search", self._brave)
        app.router.add_get("/customsearch/v1", self._google)
        app.router.add_get("/people", self._people)
        self._server = TestServer(app)

    def at(self, path):
        return str(self._server.make_url(path))

    @asynccontextmanager
    async def running(self):
        async with self._server:
            yield self

    @web.middleware
    async def _first(self, request, handler):
        self.asked.append(request)
        response = self.before.pop(0) if self.before else handler
        return await response(request) if callable(response) else response

    async def _wikipedia(self, request):
        wanted = {"action": "query", "generator": "search", "prop": "info", "inprop": "url", "formatversion": "2"}
        assert wanted.items() <= dict(request.query).items()
        found = self.urls[: int(request.query["gsrlimit"])]
        pages = [
            {"pageid": 900 - rank, "ns": 0, "title": f"Page {rank}", "index": rank, "fullurl": url}
            for rank, url in enumerate(found, 1)
        ]
        # In the order of their ids, not of their rank.
        query = {"query": {"pages": sorted(pages, key=lambda page: page["pageid"])}} if pages else {}
        return web.json_response({"batchcomplete": True, **query})

    async def _searxng(self, request):
        assert request.query["format"] == "json"
        start = (int(request.query["pageno"]) - 1) * 10
        results = [
            {"url": url, "title": "Iris", "content": "…", "engine": "bing", "engines": ["bing"], "score": 1.0}
            for url in self.urls[start : start + 10]
        ]
        return web.json_response({"query": request.query["q"], "results": results, "unresponsive_engines": []})

    async def _brave(self, request):
        if request.headers.get("X-Subscription-Token") != KEY:
            error = {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The provided token is invalid."}
            return web.json_response({"type": "ErrorResponse", "error": error}, status=422)
        results = [{"type": "search_result", "url": url} for url in self.urls[: int(request.query["count"])]]
        found = {"web": {"type": "search", "results": results}} if results else {}
        return web.json_response({"type": "search", "query": {"original": request.query["q"]}, **found})

    async def _google(self, request):
        if request.query.get("key") != KEY or request.query.get("cx") != CX:
            error = {"code": 400, "message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}
            return web.json_response({"error": error, "asked": str(request.url)}, status=400)
        start, size = int(request.query["start"]) - 1, int(request.query["num"])
        assert 1 <= size <= 10
        items = [{"kind": "customsearch#result", "link": url} for url in self.urls[start : start + size]]
        return web.json_response({"kind": "customsearch#search", **({"items": items} if items else {})})

    async def _people(self, request):
        start = (int(request.query["page"]) - 1) * 10
        found = "".join(f"<li><a href='{url}'>About iris</a></li>" for url in self.urls[start : start + 10])
        return web.Response(text=f"<ul>{found}</ul>", content_type="text/html")
