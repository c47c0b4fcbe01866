"""How long something takes, without its pauses."""

import pytest

from thresher.clock import FakeClock, Stopwatch


@pytest.fixture
def clock():
    return FakeClock(1000.0)


@pytest.fixture
def watch(clock):
    return Stopwatch(clock)


def test_it_counts_from_its_start(clock, watch):
    clock.turn(3)
    assert watch.seconds == 3
    watch.start()
    clock.turn(2)
    assert watch.seconds == 2


def test_a_pause_is_not_counted_while_it_lasts_nor_afterwards(clock, watch):
    clock.turn(3)
    watch.pause()
    clock.turn(50)
    assert watch.seconds == 3
    assert watch.go_on() == 50
    clock.turn(1)
    assert watch.seconds == 4


def test_a_second_pause_goes_on_with_the_first(clock, watch):
    watch.pause()
    clock.turn(5)
    watch.pause()
    clock.turn(5)
    assert watch.go_on() == 10
    assert watch.seconds == 0


def test_who_goes_on_without_a_pause_loses_nothing(clock, watch):
    clock.turn(4)
    assert watch.go_on() == 0
    assert watch.seconds == 4
