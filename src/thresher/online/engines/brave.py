"""Brave, an index of its own, with a key that one gets at brave.com/search/api."""

import os

from thresher.online.engines.engine import TIMEOUT, EngineApi, checked_key
from thresher.online.json_client import USER_AGENT

BASE = "https://api.search.brave.com/res/v1/web/search"
KEY = "BRAVE_API_KEY"
"""The environment variable that holds the key."""
_MOST = 20


class Brave:
    """Web pages that Brave finds, up to 20 a question."""

    name = "brave"

    def __init__(
        self, key: str = "", *, base: str = BASE, user_agent: str = USER_AGENT, timeout: float = TIMEOUT
    ) -> None:
        self._key = checked_key(
            self.name, key or os.environ.get(KEY, ""), f"set {KEY}, or search.brave_key in a crawl file"
        )
        self._api = EngineApi(self.name, base, user_agent=user_agent, timeout=timeout, key=self._key)

    async def search(self, query: str, limit: int) -> list[str]:
        """Urls, the best first."""
        question: dict[str, str | int] = {"q": query, "count": min(limit, _MOST), "result_filter": "web"}
        answer = await self._api.ask(question, {"X-Subscription-Token": self._key})
        web = answer.get("web", {"results": []})  # left out where there is nothing
        return self._api.texts(web.get("results") if isinstance(web, dict) else None, "url")[:limit]
