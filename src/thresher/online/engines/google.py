"""Google's Programmable Search Engine, with a key and the id of an engine that searches the whole web.

Documented at developers.google.com/custom-search/v1. Google takes no new customers for it and will end it on 1 January 2027.
"""

import os

from thresher.online.engines.engine import TIMEOUT, EngineApi, checked_key, paged
from thresher.online.json_client import USER_AGENT

BASE = "https://www.googleapis.com/customsearch/v1"
KEY = "GOOGLE_API_KEY"
ENGINE = "GOOGLE_CX"
"""The environment variables that hold the key and the engine's id."""
_PAGE = 10
_PAGES = 10


class Google:
    """Web pages that Google finds, ten a request."""

    name = "google"

    def __init__(
        self, key: str = "", cx: str = "", *, base: str = BASE, user_agent: str = USER_AGENT, timeout: float = TIMEOUT
    ) -> None:
        where = f"set {KEY} and {ENGINE}, or search.google_key and search.google_cx in a crawl file"
        self._key = checked_key(self.name, key or os.environ.get(KEY, ""), where)
        self._cx = checked_key(self.name, cx or os.environ.get(ENGINE, ""), where, "the id of a search engine (cx)")
        self._api = EngineApi(self.name, base, user_agent=user_agent, timeout=timeout, key=self._key, key_field="key")

    async def search(self, query: str, limit: int) -> list[str]:
        """Urls, the best first."""
        return await paged(lambda number: self._page(query, number, limit), limit, _PAGES, full=_PAGE)

    async def _page(self, query: str, number: int, limit: int) -> list[str]:
        before = (number - 1) * _PAGE
        question: dict[str, str | int] = {"cx": self._cx, "q": query}
        answer = await self._api.ask({**question, "num": min(_PAGE, limit - before), "start": before + 1})
        return self._api.texts(answer.get("items", []), "link")  # left out where there is nothing
