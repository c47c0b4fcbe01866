"""What a web is to the lab: pages by host and path, to be served, or by url, to be replayed; and which urls are left out."""

from collections.abc import Callable, Sequence
from sys import maxsize
from typing import NamedTuple, Protocol

from thresher.model import Response, Url
from thresher.polite.scope import ScopeRules
from thresher.urls import host_of


class WebAnswer(NamedTuple):
    """One page as a server would give it."""

    body: bytes
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    """The content type; empty to send none."""
    headers: tuple[tuple[str, str], ...] = ()


class Web(Protocol):
    """Pages by host and path. The same question always gets the same answer."""

    def page(self, host: str, path: str) -> WebAnswer | None:
        """The answer of a host, named as in a Host header (with its port, if any); None if there is no such page."""


class Pages(Protocol):
    """Answers by url. The same question always gets the same answer."""

    @property
    def deny(self) -> Sequence[str]:
        """Prefixes of the urls that are left out of it."""

    def read(self, url: Url) -> Response | None:
        """The answer of a url; None if there is none."""


class WebPages:
    """A web by host and path, such as a generated one, as answers by url."""

    deny: Sequence[str] = ()

    def __init__(self, web: Web) -> None:
        self._web = web

    def read(self, url: Url) -> Response | None:
        """The answer of a url; None if there is none."""
        answer = self._web.page(host_of(url), url[url.index("/", 8) :])
        if answer is None:
            return None
        named = (("Content-Type", answer.kind), *answer.headers)
        headers = tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in named if value)
        return Response(url, answer.status, headers, answer.body, answer.body)


Denied = Callable[[Url], str | None]
"""The rule that keeps a url out, in words; None if nothing does."""


def denying(prefixes: Sequence[str]) -> Denied:
    """A crawl's scope of these `deny_prefixes` alone, without its guards against endless sites: a recording has an end."""
    if not prefixes:
        return lambda _: None
    rules = ScopeRules(deny_prefixes=prefixes, depth=None, url_length=maxsize, segments=maxsize, repeats=maxsize)
    return lambda url: rules.refusal(url, 0)
