import pytest

from thresher import plugins
from thresher.errors import BadInput, UnknownPart
from thresher.strategy.uninformed import DepthFirst


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
