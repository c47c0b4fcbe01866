"""Seeds that somebody wrote down: a file with one url a line, or urls on the command line."""

import codecs
import re
from collections.abc import Iterable
from pathlib import Path

from thresher.errors import BadInput
from thresher.model import Url
from thresher.urls import canonical, tells_a_login

_COMMENT = re.compile(r"(?:^|\s)#.*")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9])")  # but in `localhost:8080` that is a port


def read_seeds(path: Path) -> list[Url]:
    """The urls of a file, one a line, in order, each once; blank lines and `#` comments do not count."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
    return seeds_in(content, str(path))


def seeds_in(content: bytes, name: str) -> list[Url]:
    """The same for bytes that are already there, such as those of standard input."""
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
    # The browsers' rules would take two urls in a line for one with a blank inside.
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
