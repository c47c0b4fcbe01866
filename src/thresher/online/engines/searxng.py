"""SearXNG, a metasearch engine that one runs oneself: many engines behind one address, and no key.

Documented at docs.searxng.org/dev/search_api. JSON must be switched on in its settings.yml: `search: formats: [html, json]`.
"""

from typing import Any

from thresher.errors import NoAnswer
from thresher.online.engines.engine import TIMEOUT, EngineApi, paged
from thresher.online.json_client import USER_AGENT

_PAGES = 3
_HOW = "does it allow JSON? Its settings.yml must have  search: formats: [html, json]"


class Searxng:
    """What the engines behind one SearXNG find."""

    name = "searxng"

    def __init__(self, base: str, *, user_agent: str = USER_AGENT, timeout: float = TIMEOUT) -> None:
        """Ask the one at an address such as `http://127.0.0.1:8888`."""
        path = f"{base.rstrip('/').removesuffix('/search')}/search"
        self._api = EngineApi(self.name, path, user_agent=user_agent, timeout=timeout)

    async def search(self, query: str, limit: int) -> list[str]:
        """Urls in its own order."""
        return await paged(lambda number: self._page(query, number), limit, _PAGES)

    async def _page(self, query: str, number: int) -> list[str]:
        try:
            answer = await self._api.ask({"q": query, "format": "json", "pageno": number})
        except NoAnswer as error:
            if "(status 403)" in str(error):
                raise NoAnswer(f"{error}; {_HOW}") from None
            raise
        return self._api.texts(answer.get("results"), "url") or self._nothing(answer)

    def _nothing(self, answer: dict[str, Any]) -> list[str]:
        """An empty list is an answer, unless the engines behind it failed."""
        silent = answer.get("unresponsive_engines")
        if not isinstance(silent, list) or not silent:
            return []
        named = ", ".join(" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in silent)
        raise self._api.no_answer(f"the engines behind it do not answer: {named}"[:300])
