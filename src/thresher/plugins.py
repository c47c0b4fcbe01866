"""A name and a table → a part. Parts are found through entry points; the keys of a table are the constructor's keywords.

What a key may hold is what the constructor's annotation says; without an annotation, anything.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from thresher.errors import BadInput, Missing, NotChosen, UnknownPart, did_you_mean

_MAY_HOLD_SECRETS = frozenset({"auth", "cookies", "headers", "hosts", "proxies", "proxy"})
"""Keys whose values are not shown, since a password may stand there in the wrong place."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that is made only if a part asks for it. If it cannot be made, `make` raises `Missing`, which says what to give."""

    make: Callable[[], Any]


def names(kind: str) -> list[str]:
    """The installed parts of a kind (`strategy`, `judge` …)."""
    return sorted({point.name for point in _points(kind)})


@cache
def _points(kind: str) -> tuple[EntryPoint, ...]:
    # Looking through all that is installed takes milliseconds, and it does not change while we run.
    return tuple(entry_points(group=f"thresher.{kind}"))


def find(kind: str, name: str) -> Callable[..., Any]:
    """The part of that kind and name."""
    for point in _points(kind):
        if point.name == name:
            part: Callable[..., Any] = point.load()
            return part
    raise UnknownPart(
        f"there is no {kind} {name!r}{did_you_mean(name, names(kind))}; installed: {', '.join(names(kind))}"
    )


def build(kind: str, name: str, table: Mapping[str, Any], **given: Any) -> Any:
    """Find a part and construct it from a table, plus the given things that it asks for (topic, sense, clock …)."""
    return construct(find(kind, name), table, f"{kind} {name!r}", **given)


def construct(part: Callable[..., Any], table: Mapping[str, Any], where: str, **given: Any) -> Any:
    """Call a constructor with a table's keys as keywords; a wrong key or value is an error that says what is right."""
    wanted = parameters(part)
    settable = [name for name in wanted if name not in given]
    for key, value in table.items():
        if key not in settable:
            raise BadInput(
                f"{where} has no key {key!r}{did_you_mean(key, settable)}; its keys: {', '.join(settable) or 'none'}"
            )
        if not fits(value, wanted[key].annotation):
            said = "not what it should be" if _may_be_secret(key, value) else repr(value)
            raise BadInput(f"{where}: {key} is {said}, but must be {in_words(wanted[key].annotation)}")
    asked = _asked(wanted, given, where)
    try:
        return part(**table, **asked)
    except TypeError as error:
        raise BadInput(f"{where}: {error}") from error


def _may_be_secret(key: str, value: Any) -> bool:
    """A number can be nothing but a slip, except where a password stands."""
    return key == "auth" or (key in _MAY_HOLD_SECRETS and not isinstance(value, int | float))


def _asked(wanted: Mapping[str, inspect.Parameter], given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The given things that a constructor asks for. Optional needs that cannot be made, or that nobody has chosen, are omitted."""
    asked = {}
    for name in given.keys() & wanted.keys():
        value = given[name]
        try:
            asked[name] = value.make() if isinstance(value, Need) else value
        except Missing as error:
            if wanted[name].default is inspect.Parameter.empty:
                raise Missing(f"{where} needs {error}") from error
        except NotChosen:
            if wanted[name].default is inspect.Parameter.empty:
                raise
    return asked


def parameters(part: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """What a part's constructor takes, by name."""
    try:
        return inspect.signature(part, eval_str=True).parameters
    except NameError:  # an annotation in quotes, of a name that only type checkers see
        return inspect.signature(part).parameters


# ── annotations ──

_ANYTHING = {Any, object, inspect.Parameter.empty}
_LISTS = {tuple, set, frozenset, AbstractSet}
_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_MANY = {int: " of whole numbers", float: " of numbers", str: " of texts"}


def fits(value: Any, annotation: Any) -> bool:
    """Whether a value is what an annotation asks for; True if the annotation names nothing that can be checked."""
    kind, inner = _shape(annotation)
    if kind is Union:
        return any(fits(value, choice) for choice in inner)
    if kind is Literal:
        return any(value == choice and type(value) is type(choice) for choice in inner)
    if kind is Mapping:
        return isinstance(value, Mapping) and _all_fit(value.values(), inner)
    if kind is list:
        return isinstance(value, list | tuple) and _all_fit(value, inner)
    return not inspect.isclass(kind) or _fits_class(value, kind)


def _fits_class(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    if kind is float:
        return isinstance(value, int | float) and not math.isnan(value)
    return isinstance(value, kind) or (isinstance(value, str) and issubclass(kind, PurePath))


def _all_fit(values: Iterable[Any], inner: tuple[Any, ...]) -> bool:
    return all(fits(value, annotation) for value in values for annotation in inner)


def in_words(annotation: Any) -> str:
    """What an annotation asks for, in words for the author of a crawl file."""
    kind, inner = _shape(annotation)
    if kind is Union:
        return " or ".join(in_words(choice) for choice in inner if choice is not NoneType)
    if kind is Literal:
        return f"one of {', '.join(map(repr, inner))}"
    if kind in {Mapping, list}:
        return ("a list" if kind is list else "a table") + "".join(_MANY.get(each, "") for each in inner)
    return _WORDS.get(kind) or f"of type {kind.__name__}"


def _shape(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """The kind of value that is asked for, and of its items; all lists are one kind, all tables another; None if it is unknown."""
    if isinstance(annotation, NewType):
        return _shape(annotation.__supertype__)
    kind, inner = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return _shape(inner[0])
    if kind in {Union, UnionType, Literal}:
        return Literal if kind is Literal else Union, inner
    if not inspect.isclass(kind) or kind in _ANYTHING or getattr(kind, "_is_protocol", False):
        return None, ()
    return _shape_of_class(kind, inner)


def _shape_of_class(kind: type, inner: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    if issubclass(kind, Mapping):
        return Mapping, inner[1:]
    if kind in _LISTS or issubclass(list, kind):
        # Of `tuple[int, str]` the items are not told apart.
        return list, inner[:1] if len(inner) == 1 or ... in inner else ()
    return kind, ()
