"""Doubling an input no more than doubles the work, whatever it is made of. `benchmarks/growth_fuzz.py` tries many more."""

import random
import zlib
from itertools import islice

import pytest
from tests.growth.answers import HEAD
from tests.growth.growing import Constructs, Reader, Recipe, cost, overgrown
from tests.growth.readers import READERS

from thresher.hands import HandOptions

SMALL = (1 << 12, 1 << 14, 1 << 16)
LARGE = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
LARGEST_PAGE = 5_000_000
"""Bytes of a page that are fetched."""


def sample(reader, name, count):
    """Some of all single and nested constructs, and as many random ones; the same in every run."""
    chance = random.Random(zlib.crc32(name.encode()))
    known = [*reader.constructs.single(), *reader.constructs.nested()]
    return [*chance.sample(known, min(count, len(known))), *(reader.constructs.random(chance) for _ in range(count))]


def too_slow(name, count, folder, sizes):
    reader = READERS[name]
    within = [size for size in sizes if size <= reader.most]
    found = (overgrown(reader, recipe, folder, within) for recipe in sample(reader, name, count))
    return list(islice(filter(None, found), 3))


@pytest.mark.parametrize("name", READERS)
def test_no_grown_input_costs_more_than_its_size(name, tmp_path):
    assert too_slow(name, 8, tmp_path, SMALL) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_no_large_input_costs_more_than_its_size(name, tmp_path):
    assert too_slow(name, 12, tmp_path, LARGE) == []


@pytest.mark.slow
def test_no_construct_makes_the_largest_page_slow(tmp_path):
    """What is quadratic, but cheap where inputs are small, would show only here."""
    reader = READERS["html"]
    repeated = [recipe for recipe in reader.constructs.single() if recipe.frame == ("", "")]
    costs = {str(recipe): cost(reader, recipe.grown(LARGEST_PAGE), tmp_path) for recipe in repeated}
    slowest = max(costs, key=costs.__getitem__)
    print(f"the slowest of {len(costs)}: {costs[slowest]:.2f} s, {slowest}")
    assert costs[slowest] < HandOptions().parse_seconds / 3


MENDED = {
    "a tag in a tag of a dictionary": ("stardict", Recipe((("<", True), ("<br>", False)))),
    "a key of many parts": ("terms.toml", Recipe((("a№.", True),), ("", " = 1\n"))),
    "records that are too long": ("warc", Recipe((("WARC/1.1\r\nContent-Length: 99999999\r\n\r\nx\r\n\r\n", True),))),
    "packed records that are too long": (
        "warc.gz",
        Recipe((("WARC/1.1\r\nContent-Length: 99999999\r\n\r\nx\r\n\r\n", True),)),
    ),
    "packed records without an end": ("warc.gz", Recipe((("WARC/1.1\n", True),), ("WARC/1.1\r\n", ""))),
    "a chunk of a negative size": ("heads", Recipe((("1\r\nx\r\n-5\r\n", True),), HEAD.frames[1])),
    "beginnings of tags among other signs": ("guard", Recipe((("<x<!", True),))),
    "beginnings of tags in a value": ("guard", Recipe((("<x/a=", True),))),
    "a path of empty segments": ("urls", Recipe((("/", True),), ("http://a/", ""))),
}
"""What was too slow once."""


@pytest.mark.parametrize("what", MENDED)
def test_what_was_mended_stays_so(what, tmp_path):
    name, recipe = MENDED[what]
    assert overgrown(READERS[name], recipe, tmp_path, LARGE[:3]) == ""


LETTERS = Constructs(("a",))


def quadratic(body, _):
    for _place in range(0, len(body), 32):
        body.count(b"x")


def test_what_is_quadratic_is_found_out(tmp_path):
    found = overgrown(Reader(quadratic, LETTERS, floor=0.005), Recipe((("a", True),)), tmp_path, LARGE[1:3])
    assert "bytes took" in found


def test_what_is_linear_is_not(tmp_path):
    reader = Reader(lambda body, _: [body.count(b"x") for _ in range(2000)], LETTERS)
    assert overgrown(reader, Recipe((("a", True),)), tmp_path, SMALL) == ""


def test_what_takes_next_to_nothing_is_not_slow(tmp_path):
    assert overgrown(Reader(quadratic, LETTERS), Recipe((("a", True),)), tmp_path, (1 << 8, 1 << 10, 1 << 12)) == ""
