"""Which pages look like one of the last pages of their host."""

import random

import pytest

from thresher.model import Page, Url
from thresher.store.lookalikes import Look, Lookalikes, packed, shape_of, unpacked
from thresher.store.memory_store import MemoryStore
from thresher.testing.store_contract import answered, keep_all

LONG = (
    "On day {0} of the year {0} nobody speaks of the iris in the town hall, and the library is closed, as it is on all "
    "other days of week {0}."
)
SHORT = "No events on {0}."
WORDS = [
    a + b
    for a in ("bal", "dor", "kin", "lum", "mer", "ras", "sol", "tev")
    for b in ("a", "en", "ic", "or", "um", "isk", "ath")
]


def page(path, text, host="a.example"):
    return Page(Url(f"http://{host}{path}"), text=text, main=text)


def regarded(*pages):
    lookalikes = Lookalikes()
    return [lookalikes.regard(each) for each in pages]


@pytest.mark.parametrize("text", [LONG, SHORT])
def test_days_of_a_calendar_look_alike_from_the_third_on(text):
    days = [page(f"/2031/03/{day}", text.format(day)) for day in range(1, 6)]
    assert regarded(*days) == [False, False, True, True, True]


def test_numbered_articles_with_texts_of_their_own_do_not():
    texts = [" ".join(random.Random(number).choices(WORDS, k=60)) for number in range(30)]
    assert not any(regarded(*(page(f"/wiki?id={number}", text) for number, text in enumerate(texts))))


def test_short_texts_of_different_words_do_not():
    assert not any(regarded(*(page(f"/photo/{number}", f"A {word} in the sun") for number, word in enumerate(WORDS))))


def test_urls_that_differ_in_more_than_numbers_are_not_compared():
    assert not any(regarded(*(page(f"/{word}/1", LONG) for word in WORDS)))


def test_urls_without_numbers_are_not_compared():
    assert shape_of(Url("http://a1.example:8080/about")) is None
    assert not any(regarded(*(page("/about", LONG) for _ in range(4))))


def test_pages_of_other_hosts_are_not_compared():
    assert not any(regarded(*(page("/day/1", LONG, f"h{number}.example") for number in range(4))))


def test_only_the_last_pages_are_remembered():
    between = [page(f"/{word}/2", word) for word in WORDS[:16]]
    days = [page(f"/day/{day}", LONG.format(day)) for day in range(3)]
    assert regarded(*days[:2], *between, days[2])[-1] is False
    assert regarded(*days[:2], *between[:15], days[2])[-1] is True


def test_looks_are_the_same_in_a_few_bytes():
    looks = (Look(1, 2), Look(2**32 - 1, 2**64 - 1), Look(7, 0))
    assert unpacked(packed(looks)) == looks
    assert len(packed(looks)) == 36


def test_memory_does_not_grow_with_the_hosts():
    lookalikes = Lookalikes()
    for number in range(5000):
        lookalikes.regard(page("/day/1", SHORT, f"h{number}.example"))
        lookalikes.changed.clear()
    assert len(lookalikes._recent) == 4096


def days(*numbers):
    return [answered(number, LONG.format(number) + f" {number}" * 40, relevant=False) for number in numbers]


async def test_a_store_in_memory_tells_lookalikes():
    assert [kept.alike for kept in await keep_all(MemoryStore(), *days(1, 2, 3))] == [False, False, True]
