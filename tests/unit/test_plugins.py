import inspect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, Optional, Protocol, TypeVar

import pytest

from thresher import plugins
from thresher.errors import BadInput, UnknownPart
from thresher.strategy.depth_first import DepthFirst


def test_the_strategies_that_come_with_thresher_are_found_by_name():
    assert {"best-first", "breadth-first", "depth-first"} <= set(plugins.names("strategy"))
    assert plugins.find("strategy", "depth-first") is DepthFirst


def test_an_unknown_name_is_an_error_that_lists_the_choices():
    with pytest.raises(
        UnknownPart, match=r"no strategy 'best-fist' \(did you mean 'best-first'\?\); installed: .*depth-first"
    ):
        plugins.find("strategy", "best-fist")


def test_the_keys_of_a_table_are_the_keywords_of_the_constructor():
    assert plugins.build("strategy", "depth-first", {"limit": 3})._limit == 3


def test_an_unknown_key_is_an_error_that_lists_the_keys():
    with pytest.raises(
        BadInput, match=r"strategy 'depth-first' has no key 'limits' \(did you mean 'limit'\?\); its keys: limit"
    ):
        plugins.build("strategy", "depth-first", {"limits": 3})


def test_a_part_gets_what_it_asks_for_and_nothing_else():
    def part(topic, size=1):
        return topic, size

    assert plugins.construct(part, {"size": 2}, "part", topic="iris", clock=None) == ("iris", 2)


def test_what_is_given_cannot_be_set_in_the_table():
    with pytest.raises(BadInput, match="no key 'topic'"):
        plugins.construct(lambda topic: topic, {"topic": "x"}, "part", topic="iris")


Name = NewType("Name", str)


class Colour(Protocol):
    def shade(self) -> float: ...


@pytest.mark.parametrize(
    ("annotation", "right", "wrong", "words"),
    [
        (int, [0, -3], [True, 1.0, "1", None, []], "a whole number"),
        (float, [0.5, 3, -1, float("inf")], [True, "0.5", None, [0.5], float("nan")], "a number"),
        (bool, [True, False], [0, 1, "no", None], "true or false"),
        (str, ["", "x"], [1, None, ["x"], True], "text"),
        (int | None, [1, None], ["1", 1.5, False], "a whole number"),
        (Optional[float], [1, None], ["1"], "a number"),  # noqa: UP045 - user parts may spell it so
        (bool | str, [True, "x"], [1], "true or false or text"),
        (Literal["a", "b"], ["a"], ["c", 1, None, ["a"]], "one of 'a', 'b'"),
        (Literal[1], [1], [True, 1.0], "one of 1"),
        (Collection[str], [[], ["x"], ("x",)], ["text/html", {"x": 1}, [1], 3, None], "a list of texts"),
        (Sequence[int], [[1]], ["12", [True]], "a list of whole numbers"),
        (tuple[float, ...], [[1, 2.5], ()], [["x"], "x"], "a list of numbers"),
        (tuple[int, str], [[1, "x"]], ["x"], "a list"),
        (list, [[1, "x"]], ["x", {}], "a list"),
        (frozenset[str], [["x"]], ["x"], "a list of texts"),
        (Mapping[str, str], [{}, {"a": "b"}], [{"a": 1}, "a", []], "a table of texts"),
        (dict, [{"a": 1}], [[], 3], "a table"),
        (Name, ["x"], [1], "text"),
        (Annotated[int, "so many"], [1], ["x"], "a whole number"),
        (Path, [Path("x"), "x"], [1, True], "of type Path"),
        (date, [date(2024, 1, 1)], ["2024-01-01"], "of type date"),
    ],
)
def test_a_value_must_be_what_the_annotation_says(annotation, right, wrong, words):
    def part(key: annotation):
        return key

    for value in right:
        assert plugins.construct(part, {"key": value}, "[table]") == value
    for value in wrong:
        with pytest.raises(BadInput) as error:
            plugins.construct(part, {"key": value}, "[table]")
        assert str(error.value) == f"[table]: key is {value!r}, but must be {words}"


@pytest.mark.parametrize("annotation", [inspect.Parameter.empty, Any, object, Colour, TypeVar("Kind"), "Nowhere"])
@pytest.mark.parametrize("value", [1, "x", [1], {"a": 1}, True, 0.5])
def test_an_annotation_that_says_nothing_lets_everything_pass(annotation, value):
    def part(key):
        return key

    part.__annotations__ = {} if annotation is inspect.Parameter.empty else {"key": annotation}
    assert plugins.construct(part, {"key": value}, "[table]") == value


def test_an_annotation_in_quotes_is_read_too():
    def part(key: "int"):
        return key

    with pytest.raises(BadInput, match="must be a whole number"):
        plugins.construct(part, {"key": "x"}, "[table]")


def test_the_fields_of_a_dataclass_and_what_it_inherits_are_checked():
    @dataclass
    class Part:
        size: int = 1

    @dataclass
    class Larger(Part):
        share: float = 0.5

    assert plugins.construct(Larger, {"size": 2, "share": 1}, "[table]") == Larger(2, 1)
    with pytest.raises(BadInput, match=r"^\[table\]: size is 'x', but must be a whole number$"):
        plugins.construct(Larger, {"size": "x"}, "[table]")


def test_what_is_given_is_not_checked():
    def part(topic: int, size: int = 1):
        return topic, size

    assert plugins.construct(part, {"size": 2}, "[table]", topic="iris") == ("iris", 2)


def test_a_part_found_by_name_is_named_with_its_key():
    with pytest.raises(BadInput, match=r"^strategy 'depth-first': limit is 'deep', but must be a whole number$"):
        plugins.build("strategy", "depth-first", {"limit": "deep"})
