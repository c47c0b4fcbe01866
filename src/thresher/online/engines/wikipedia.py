"""Wikipedia, or any other MediaWiki: its own full-text search, which wants no key.

Documented at mediawiki.org/wiki/API:Search. The search runs as a generator, since only so the urls come with it.
"""

from collections.abc import Mapping
from typing import Any

from thresher.online.engines.engine import TIMEOUT, EngineApi, objects_in
from thresher.online.json_client import USER_AGENT

BASE = "https://en.wikipedia.org/w/api.php"
_MOST = 500
_QUESTION: Mapping[str, str | int] = {
    "action": "query",
    "format": "json",
    "formatversion": 2,
    "generator": "search",
    "gsrnamespace": 0,
    "prop": "info",
    "inprop": "url",
}


class Wikipedia:
    """Articles that have the words."""

    name = "wikipedia"

    def __init__(self, base: str = BASE, *, user_agent: str = USER_AGENT, timeout: float = TIMEOUT) -> None:
        self._api = EngineApi(self.name, base, user_agent=user_agent, timeout=timeout)

    async def search(self, query: str, limit: int) -> list[str]:
        """The urls of articles, the best first."""
        wanted: dict[str, str | int] = {"gsrsearch": query, "gsrlimit": min(limit, _MOST)}
        answer = await self._api.ask({**_QUESTION, **wanted})
        self._check(answer)
        found = answer.get("query", {"pages": []})
        pages = found.get("pages") if isinstance(found, dict) else None
        return self._api.texts(_ranked(pages), "fullurl")[:limit]

    def _check(self, answer: dict[str, Any]) -> None:
        """Its errors come with status 200."""
        if error := answer.get("error"):
            code, says = (error.get("code"), error.get("info", "")) if isinstance(error, dict) else (error, "")
            limit = "the limit of requests is reached: " if code in {"ratelimited", "maxlag"} else ""
            raise self._api.no_answer(f"{limit}{code} {says}"[:200])


def _ranked(pages: object) -> object:
    """Pages come in the order of their ids; `index` is their rank."""
    found = objects_in(pages)
    return (
        pages
        if found is None
        else sorted(found, key=lambda page: rank if isinstance(rank := page.get("index"), int) else _MOST + 1)
    )
