"""What all search engines have in common: what each can do, how one is asked, and how one that answers in pages is asked for enough."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Protocol

from thresher.errors import BadInput, Missing, NoAnswer
from thresher.online.json_client import USER_AGENT, JsonClient, Question, RequestPolicy, checked_address

TIMEOUT = 15.0
"""Seconds that an engine may take to answer."""
MOST_BYTES = 4 << 20
"""Of one answer; a page of results has some 100 KB."""


class Engine(Protocol):
    """Answers a few words with urls."""

    @property
    def name(self) -> str:
        """What it is called in messages and in a crawl file."""

    async def search(self, query: str, limit: int) -> list[str]:
        """At most `limit` urls, the best first; `NoAnswer` or `BadInput` says who failed and why."""


class EngineApi:
    """One engine's JSON API. A question is asked once: there are other engines."""

    def __init__(  # noqa: PLR0913 - whom to ask, and how
        self,
        engine: str,
        base: str,
        *,
        user_agent: str = USER_AGENT,
        timeout: float = TIMEOUT,
        key: str = "",
        key_field: str = "",
    ) -> None:
        self._engine = engine
        checked_address(engine, base, key)
        policy = RequestPolicy(tries=1, spacing=0.0, timeout=timeout, most_bytes=MOST_BYTES)
        # One for each question: questions to one engine may overlap.
        self._client: Callable[[], JsonClient] = partial(
            JsonClient, engine, base, key=key, key_field=key_field, user_agent=user_agent, policy=policy
        )

    async def ask(self, question: Question, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The object that answers the question."""
        async with self._client() as client:
            answer: dict[str, Any] = await client.ask("", question, headers)
            return answer

    def no_answer(self, why: str) -> NoAnswer:
        """The error that names the engine."""
        return NoAnswer(f"{self._engine}: {why}")

    def texts(self, entries: object, field: str) -> list[str]:
        """What the objects of a list have under a field. Entries of another shape are passed over, unless there are no others."""
        objects = objects_in(entries)
        if objects is None:
            raise self._client().odd(entries)
        return [value for entry in objects if isinstance(value := entry.get(field), str)]


def objects_in(entries: object) -> list[dict[str, Any]] | None:
    """The objects of a list; None if this is no list, or if nothing in it is an object."""
    if not isinstance(entries, list):
        return None
    objects = [entry for entry in entries if isinstance(entry, dict)]
    return objects if objects or not entries else None


def checked_key(engine: str, key: str, where: str, what: str = "an API key") -> str:
    """The key as it can be sent; what is missing is said with where to put it."""
    key = key.strip()
    if not key:
        raise Missing(f"{engine}: wants {what}: {where}")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadInput(f"{engine}: that is not {what}, which has no blanks and ASCII alone: {where}")
    return key


async def paged(page: Callable[[int], Awaitable[list[str]]], limit: int, most: int, full: int = 1) -> list[str]:
    """The urls of pages 1, 2 … until there are `limit`, a page is not `full` or brings nothing new, or there were `most` pages."""
    found: list[str] = []
    for number in range(1, most + 1):
        try:
            urls = await page(number)
        except NoAnswer:
            if not found:
                raise
            break  # a later page that is not to be had takes nothing from the first
        fresh = set(urls).difference(found)
        found += urls
        if not fresh or len(urls) < full or len(found) >= limit:
            break
    return found[:limit]
