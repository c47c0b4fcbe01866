"""Garbage collection while a crawl runs."""

import gc

import pytest

from thresher.event_loops import rare_garbage_collection


@pytest.fixture(autouse=True)
def _usual_again():
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


def test_garbage_is_looked_for_less_often_and_afterwards_as_before():
    gc.set_threshold(700, 10, 10)
    with rare_garbage_collection():
        assert gc.get_threshold() == (50_000, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("own", [0, 90_000])
def test_who_looks_for_it_less_often_still_or_never_keeps_that(own):
    gc.set_threshold(own, 10, 10)
    with rare_garbage_collection():
        assert gc.get_threshold()[0] == own
