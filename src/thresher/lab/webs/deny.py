"""Which urls an experiment leaves out of a web: those that begin with a denied prefix."""

from collections.abc import Callable, Sequence
from sys import maxsize

from thresher.model import Url
from thresher.polite.scope import Rules

Denied = Callable[[Url], str | None]
"""The rule that keeps a url out, in words; None if it is there."""


def denying(prefixes: Sequence[str]) -> Denied:
    """A crawl's scope of these `deny_prefixes` alone, without its guards against endless sites: a recording has an end."""
    if not prefixes:
        return lambda _: None
    rules = Rules(deny_prefixes=prefixes, depth=None, url_length=maxsize, segments=maxsize, repeats=maxsize)
    return lambda url: rules.refusal(url, 0)
