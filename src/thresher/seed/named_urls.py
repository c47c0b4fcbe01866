"""Urls that may become seeds: read strictly where the user wrote them down, and leniently where strangers name them.

A url of the user's that cannot be crawled is a mistake, and an error says where and what is wrong. Among the urls of a search engine, a
sitemap, a feed or an archive, what cannot be crawled is passed over.

A seed that spells out a private address opens it to the crawl (`polite/addresses.py`), as nobody writes one by accident. That holds for
what the user writes, not for what a file from elsewhere says.
"""

import codecs
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.model import Host, Url
from thresher.polite.addresses import is_private
from thresher.urls import canonical, host_of, is_address, join, tells_a_login

_COMMENT = re.compile(r"(?:^|\s)#.*")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):(?![0-9])")  # but in `localhost:8080` that is a port


def seeds_in(content: bytes, name: str) -> list[Url]:
    """The urls of a file, one a line, in order, each once; blank lines and `#` comments do not count."""
    lines = content.removeprefix(codecs.BOM_UTF8).splitlines()
    seeds = (_seed_of_line(line, f"{name}, line {number}") for number, line in enumerate(lines, 1))
    return list(dict.fromkeys(seed for seed in seeds if seed))


def seed_urls(texts: Iterable[str]) -> list[Url]:
    """The urls that were given one by one, in order, each once."""
    return list(dict.fromkeys(_seed(_text(text).strip(), "seed") for text in texts))


def _text(seed: object) -> str:
    if not isinstance(seed, str):
        raise BadInput(f"seed: {seed!r}: not a text; a url in quotes is, such as 'https://example.org/'")
    return seed


def _seed_of_line(line: bytes, place: str) -> Url | None:
    try:
        text = _COMMENT.sub("", line.decode()).strip()
    except UnicodeDecodeError as error:
        raise BadInput(f"{place}: not UTF-8 text ({error.reason} at byte {error.start + 1})") from error
    return _seed(text, place) if text else None


def _seed(text: str, place: str) -> Url:
    url = canonical(text)
    # By the browsers' rules two urls in a line would be one url with a blank inside.
    if url is None or any(character.isspace() for character in text):
        raise BadInput(f"{place}: {text[:200]!r}: {_what_is_wrong(text)}")
    if tells_a_login(text):
        raise BadInput(
            f"{place}: {url!r} is given with a user name or password; leave it out, Thresher logs in nowhere"
        )
    return url


def _what_is_wrong(text: str) -> str:
    if not text:
        return "empty"
    if len(text.split()) > 1:
        return "white space inside; one url each, with %20 for a blank"
    scheme = _SCHEME.match(text)
    if scheme is None:
        guess = canonical(f"https://{text.lstrip('/')}")
        return f"no scheme; did you mean {guess} ?" if guess else "no scheme, and no host to be found"
    if scheme[1].lower() in {"http", "https"}:
        return "not a url that a browser would open"
    return f"{scheme[1]} is not a scheme to crawl; http and https are"


class UsableUrls(NamedTuple):
    """The urls of a stranger's list that can be crawled, each once."""

    urls: list[Url]
    private: int = 0
    """How many were left out since they spell out a private address."""


def usable(texts: Iterable[str], base: Url | None = None, *, open_to: Collection[Host] | None = ()) -> UsableUrls:
    """The urls among the texts, in order; relative ones joined to the base. Private hosts are taken if `open_to` has them, or is None."""
    joined = (join(base, text.strip()) if base else canonical(text.strip()) for text in texts)
    urls = list(dict.fromkeys(url for url in joined if url))
    if open_to is None:
        return UsableUrls(urls)
    kept = [url for url in urls if host_of(url) in open_to or not spells_private(url)]
    return UsableUrls(kept, len(urls) - len(kept))


def spells_private(url: Url) -> bool:
    """Whether the host is written as an address that is not public, or as this machine's own name."""
    host = host_of(url)
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return is_address(host) and is_private(name)
