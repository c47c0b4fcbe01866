"""A name and a table → a part. Parts are found through entry points; the keys of a table are the constructor's keywords."""

import difflib
import inspect
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

from thresher.errors import BadInput, UnknownPart


def names(kind: str) -> list[str]:
    """The installed parts of a kind (`strategy`, `judge` …)."""
    return sorted({point.name for point in entry_points(group=f"thresher.{kind}")})


def find(kind: str, name: str) -> Callable[..., Any]:
    """The part of that kind and name."""
    for point in entry_points(group=f"thresher.{kind}"):
        if point.name == name:
            part: Callable[..., Any] = point.load()
            return part
    raise UnknownPart(
        f"there is no {kind} {name!r}{_did_you_mean(name, names(kind))}; installed: {', '.join(names(kind))}"
    )


def build(kind: str, name: str, table: Mapping[str, Any], **given: Any) -> Any:
    """Find a part and construct it from a table, plus what it asks for of what is given (topic, clock …)."""
    return construct(find(kind, name), table, f"{kind} {name!r}", **given)


def construct(part: Callable[..., Any], table: Mapping[str, Any], where: str, **given: Any) -> Any:
    """Call a constructor with a table's keys as keywords; an unknown key is an error that lists the choices."""
    wanted = inspect.signature(part).parameters
    settable = [name for name in wanted if name not in given]
    for key in table:
        if key not in settable:
            raise BadInput(
                f"{where} has no key {key!r}{_did_you_mean(key, settable)}; its keys: {', '.join(settable) or 'none'}"
            )
    try:
        return part(**table, **{name: value for name, value in given.items() if name in wanted})
    except TypeError as error:
        raise BadInput(f"{where}: {error}") from error


def _did_you_mean(word: str, choices: list[str]) -> str:
    close = difflib.get_close_matches(word, choices, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
