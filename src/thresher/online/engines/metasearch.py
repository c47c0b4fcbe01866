"""Engines without a key, through the metasearch library ddgs: it reads the result pages that people see.

One engine of ours is one backend of the library, so that it can be told who named a url. The library presents itself as a browser, not
under our name; whether an engine allows that is for you to find out.
"""

import asyncio
import math
from importlib import import_module
from importlib.util import find_spec

from thresher.errors import BadInput, Missing, NoAnswer
from thresher.install_hint import install_hint
from thresher.online.engines.engine import TIMEOUT, paged

BACKENDS = ("duckduckgo", "brave", "mojeek", "startpage")
"""Each has results of another origin: Bing's, Brave's, Mojeek's, Google's. Yahoo's are Bing's again."""
_PAGE = 10
_NOTHING = "No results found"


class Ddgs:
    """One backend of ddgs."""

    def __init__(self, backend: str, *, timeout: float = TIMEOUT) -> None:
        if not installed():
            raise Missing(f"ddgs: wants the library of that name: {install_hint('search')}")
        self.name = f"ddgs:{backend}"
        self._backend, self._timeout = _checked(backend), math.ceil(timeout)  # the library wants whole seconds

    async def search(self, query: str, limit: int) -> list[str]:
        """Urls in the library's order: Wikipedia first, then those with the words in title and text."""
        pages = math.ceil(limit / _PAGE)
        return await paged(lambda number: asyncio.to_thread(self._page, query, number, limit), limit, pages)

    def _page(self, query: str, number: int, limit: int) -> list[str]:
        # Imported only when needed: it is optional, and slow to import.
        library, errors = import_module("ddgs"), import_module("ddgs.exceptions")
        try:
            client = library.DDGS(timeout=self._timeout)
            results = client.text(query, backend=self._backend, page=number, max_results=limit)
            return [href for each in results if isinstance(href := each.get("href"), str)]
        except errors.TimeoutException:
            why = f"no answer within {self._timeout} s"
        except errors.RatelimitException:
            why = "the limit of requests is reached"
        except errors.DDGSException as error:
            why = _reason(str(error))
        except Exception as error:  # noqa: BLE001 - a library that reads pages made for people meets all kinds of surprises
            why = f"ddgs could not make sense of the answer ({type(error).__name__})"
        raise NoAnswer(f"{self.name}: {why}")


def installed() -> bool:
    """Whether ddgs is there."""
    return find_spec("ddgs") is not None


def _checked(backend: str) -> str:
    """The backend, if the library has it: for another name it would ask any engine."""
    known = sorted(import_module("ddgs.engines").ENGINES["text"])
    if backend not in known:
        raise BadInput(f"ddgs has no backend {backend!r}; it has: {', '.join(known)}")
    return backend


def _reason(text: str) -> str:
    if _NOTHING in text:
        return "nothing found, or we were turned away: ddgs cannot tell which"
    # `DNSError: DNSError('error sending request for url …` says what matters in its first word.
    return f"cannot be reached or understood ({' '.join(text.partition(':')[0].split())[:80]})"
