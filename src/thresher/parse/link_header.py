"""The `Link` header of an answer (RFC 8288): `</page/2>; rel="next", <https://a.example/de/>; rel=alternate; hreflang=de`.

One pass from left to right: every step begins where the last one ended.
"""

from collections.abc import Iterator

from thresher.model import Response
from thresher.parse.metadata import HeadLink

_MOST = 100
_BLANKS = " \t"


def header_links(response: Response) -> list[HeadLink]:
    """The links that the headers name, in order; a hundred at most."""
    found: list[HeadLink] = []
    for key, value in response.headers:
        if len(key) == 4 and key.lower() == b"link":
            for link in _links(value.decode("utf-8", "replace")):
                if len(found) == _MOST:
                    return found
                found.append(link)
    return found


def _links(value: str) -> Iterator[HeadLink]:
    at = value.find("<")
    while at >= 0:
        end = value.find(">", at)
        if end < 0:
            return
        said: dict[str, str] = {}
        after = _parameters(value, end + 1, said)
        # Of several of one name the first counts; without a relation the link says nothing.
        if rel := said.get("rel"):
            yield HeadLink(rel.lower(), value[at + 1 : end].strip(), said.get("type", ""), said.get("hreflang", ""))
        at = value.find("<", after)


def _parameters(value: str, at: int, said: dict[str, str]) -> int:
    """Note the parameters from there on; returns where the comma behind them is, or the end."""
    size = len(value)
    while at < size and value[at] != ",":
        if value[at] in ";" + _BLANKS:
            at += 1
            continue
        name_end = _first(value, at, "=;,")
        name = value[at:name_end].strip().lower()
        if name_end == size or value[name_end] != "=":
            at = name_end
            continue
        text, at = _value(value, name_end + 1)
        said.setdefault(name, text)
    return at


def _value(value: str, at: int) -> tuple[str, int]:
    """The value of a parameter, with quotes or without, and where it ends."""
    while at < len(value) and value[at] in _BLANKS:
        at += 1
    if value[at : at + 1] != '"':
        end = _first(value, at, ";,")
        return value[at:end].strip(), end
    end = value.find('"', at + 1)
    return (value[at + 1 :], len(value)) if end < 0 else (value[at + 1 : end], end + 1)


def _first(value: str, at: int, signs: str) -> int:
    """Where the first of these signs is from there on; the end, if there is none."""
    while at < len(value) and value[at] not in signs:
        at += 1
    return at
