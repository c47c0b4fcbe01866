"""Which search engines are asked for seeds: the `[search]` table of a crawl file, and the engines that it opens."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thresher.errors import BadInput, Missing
from thresher.online.engines import (
    BACKENDS,
    TIMEOUT,
    USER_AGENT,
    Brave,
    Ddgs,
    Engine,
    Google,
    Searxng,
    Wikipedia,
    metasearch,
)
from thresher.online.engines import brave as brave_api
from thresher.online.engines import google as google_api
from thresher.online.engines import wikipedia as wikipedia_api

ENGINES = ("wikipedia", "ddgs", "searxng", "brave", "google")
LIMIT = 15
_MOST = 100
_LONGEST = 120.0


@dataclass(frozen=True, slots=True)
class Search:
    """The `[search]` table: who is asked for seeds if none are given."""

    engines: Sequence[str] = ()
    """`wikipedia`, `ddgs` (four engines without a key), `ddgs:mojeek` (one of them), `searxng`, `brave`, `google`; if none is named, all
    that can be asked."""
    limit: int = LIMIT
    """Results for each query and engine."""
    timeout: float = TIMEOUT
    """Seconds that an engine may take to answer."""
    wikipedia: str = wikipedia_api.BASE
    """The API of the Wikipedia to ask, such as `https://de.wikipedia.org/w/api.php`."""
    searxng: str = ""
    """The address of a SearXNG, such as `http://127.0.0.1:8888`."""
    brave_key: str = field(default="", repr=False)
    """The key for Brave; by default what BRAVE_API_KEY holds."""
    google_key: str = field(default="", repr=False)
    """The key for Google; by default what GOOGLE_API_KEY holds."""
    google_cx: str = ""
    """The id of a Programmable Search Engine; by default what GOOGLE_CX holds."""

    def __post_init__(self) -> None:
        for name in self.engines:
            if name not in ENGINES and not name.startswith("ddgs:"):
                raise BadInput(f"[search]: engines has {name!r}, but there are: {', '.join(ENGINES)}, ddgs:BACKEND")
        if not 1 <= self.limit <= _MOST:
            raise BadInput(f"[search]: limit is {self.limit}, but must be from 1 to {_MOST}")
        if not 0 < self.timeout <= _LONGEST:
            raise BadInput(f"[search]: timeout is {self.timeout}, but must be more than 0 and at most {_LONGEST:g}")

    def open_engines(self, user_agent: str = USER_AGENT) -> list[Engine]:
        """The engines that are named, or all that can be asked.

        If all of them lack something, such as a key, an error says what. If only some do, each of those fails when it is asked, so that
        it is named and skipped like any engine that fails.
        """
        names = dict.fromkeys(self.engines or [name for name in ENGINES if self.can_ask(name)])
        engines = [engine for name in names for engine in self._opened(name, user_agent)]
        lacking = [engine.error for engine in engines if isinstance(engine, _Lacking)]
        if lacking and len(lacking) == len(engines):
            raise Missing("\n".join(map(str, lacking)))
        return engines

    def _opened(self, name: str, user_agent: str) -> list[Engine]:
        try:
            return self._open(name, user_agent)
        except Missing as error:
            return [_Lacking(name, error)]

    def can_ask(self, name: str) -> bool:
        """Whether an engine has what it needs: a key, an address, a library."""
        has = {
            "ddgs": metasearch.installed(),
            "searxng": bool(self.searxng),
            "brave": bool(self.brave_key or os.environ.get(brave_api.KEY)),
            "google": all((self.google_key or os.environ.get(google_api.KEY), self._cx)),
        }
        return has.get(name, True)

    @property
    def _cx(self) -> str:
        return self.google_cx or os.environ.get(google_api.ENGINE, "")

    def _open(self, name: str, user_agent: str) -> list[Engine]:
        match name:
            case "wikipedia":
                return [Wikipedia(self.wikipedia, user_agent=user_agent, timeout=self.timeout)]
            case "searxng" if not self.searxng:
                raise Missing("searxng: wants an address: --set search.searxng=http://127.0.0.1:8888, for instance")
            case "searxng":
                return [Searxng(self.searxng, user_agent=user_agent, timeout=self.timeout)]
            case "brave":
                return [Brave(self.brave_key, user_agent=user_agent, timeout=self.timeout)]
            case "google":
                return [Google(self.google_key, self._cx, user_agent=user_agent, timeout=self.timeout)]
        backends = [name.removeprefix("ddgs:")] if name != "ddgs" else BACKENDS
        return [Ddgs(backend, timeout=self.timeout) for backend in backends]


class _Lacking(NamedTuple):
    """An engine without what it needs: a key, an address, a library."""

    name: str
    error: Missing

    async def search(self, query: str, limit: int) -> list[str]:  # noqa: ARG002 - the same whatever is asked
        """Fail, saying what it lacks."""
        raise self.error
