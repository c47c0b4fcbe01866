"""Data that a page carries for programs: JSON-LD as plain objects, and the strings of other JSON.

A page may carry anything here. So it is decoded by msgspec, which is linear and refuses what is nested too deeply, and no more than so
many objects are looked at.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from thresher.parse.metadata import Island

_MOST_OBJECTS = 1_000
_decode = msgspec.json.Decoder().decode

Thing = dict[str, Any]
"""An object of JSON-LD: its properties by name, with values of any kind."""


def things(islands: Iterable[Island]) -> list[Thing]:
    """The objects of all JSON-LD of a page, those within others too, in order; a thousand at most."""
    found = (decoded(island.text) for island in islands if island.kind == "json-ld")
    return list(islice((thing for value in found for thing in _objects(value)), _MOST_OBJECTS))


def strings(islands: Iterable[Island], most: int) -> Iterator[str]:
    """The strings of all data that are no JSON-LD, in order; no more than so many values are looked at."""
    waiting = [decoded(island.text) for island in islands if island.kind == "data"][::-1]
    while waiting and most:
        most -= 1
        here = waiting.pop()
        if isinstance(here, str):
            yield here
        elif isinstance(here, list):
            waiting.extend(reversed(here[:most]))
        elif isinstance(here, dict):
            waiting.extend(reversed(list(here.values())[:most]))


def decoded(text: str) -> Any:
    """What JSON says; None if it is none, or nested too deeply."""
    try:
        return _decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return None


def types_of(thing: Thing) -> set[str]:
    """What a thing is: `Article`, `Person` …"""
    return {name.rpartition("/")[2] for name in texts(thing.get("@type"))}


def texts(value: Any) -> list[str]:
    """The texts of a property, which may be one, or a list of some."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]


def _objects(value: Any) -> Iterator[Thing]:
    """A list of what is still to be looked at instead of recursion: a page could nest as deeply as Python goes."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list):
            waiting.extend(reversed(here))
        elif isinstance(here, dict):
            yield here
            waiting.extend(each for each in reversed(here.values()) if isinstance(each, dict | list))
