"""Urls that strangers name: search engines, sitemaps, feeds, archives. What cannot be crawled is passed over, and nothing private is taken.

A seed that spells out a private address opens it to the crawl (`polite/addresses.py`), as nobody writes one by accident. That holds for
what a user writes, not for what a file from elsewhere says.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from thresher.model import Host, Url
from thresher.polite.addresses import is_private
from thresher.urls import canonical, host_of, is_address, join


class Named(NamedTuple):
    """What can be taken of the urls that were named, each once."""

    urls: list[Url]
    private: int = 0
    """How many were left out since they spell out a private address."""


def named(texts: Iterable[str], base: Url | None = None, *, open_to: Collection[Host] | None = ()) -> Named:
    """The urls among the texts, in order; relative ones are joined to the base. Private hosts that are open are taken, all if None."""
    joined = (join(base, text.strip()) if base else canonical(text.strip()) for text in texts)
    urls = list(dict.fromkeys(url for url in joined if url))
    if open_to is None:
        return Named(urls)
    kept = [url for url in urls if host_of(url) in open_to or not spells_private(url)]
    return Named(kept, len(urls) - len(kept))


def spells_private(url: Url) -> bool:
    """Whether the host is written as an address that is not public, or as this machine's own name."""
    host = host_of(url)
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return is_address(host) and is_private(name)
