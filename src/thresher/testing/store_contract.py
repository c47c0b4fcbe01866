"""For those who write a store: what every store promises, as tests to inherit, and visits to keep in it.

>>> class TestMine(StoreContract):
...     @pytest.fixture
...     def store(self):
...         return MyStore()
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import pytest

from thresher.model import (
    BROWSER,
    Candidate,
    Claim,
    Evidence,
    Failed,
    Fetched,
    Host,
    Judgement,
    Kept,
    Outcome,
    Page,
    Refused,
    Rendition,
    Response,
    Url,
    Visit,
)
from thresher.ports import Store

PARENT = Url("http://parent.test/")
_ANSWER = {200: "page", 302: "redirect"}


class Reopen(Protocol):
    """Ends a store as a finished crawl would, and opens it again."""

    def __call__(self, store: Store) -> Store:
        """The same crawl's store, anew."""


def prose(number: int, words: int = 400) -> str:
    """A text that shares no three words in a row with that of another number."""
    return " ".join(f"w{number}x{place * place % 1009}" for place in range(words))


def answered(number: int, text: str, *, status: int = 200, relevant: bool = True, raw: bytes | None = None) -> Visit:
    """A visit that got an answer with that text on it."""
    url = Url(f"http://host.test/{number}")
    body = f"<title>{number}</title><p>{text}</p>".encode() if raw is None else raw
    headers = ((b"Content-Type", b"text/html"), (b"Content-Length", b"%d" % len(body)))
    sent = b"GET / HTTP/1.1\r\nHost: host.test\r\n\r\n"
    response = Response(url, status, headers, body, body, sent, 1.7e9 + number, 0.25, "127.0.0.1")
    page = Page(url, title=str(number), language="en", text=text, main=text) if status == 200 else None
    judgement = Judgement(0.75, relevant, (Evidence("shark", "title", 0.5),)) if page else None
    return visited(number, response, _ANSWER.get(status, f"http-{status}"), page, judgement)


def rendered(number: int, rendition: Rendition) -> Visit:
    """A visit whose answer was read by a reader of documents, or shown by a browser."""
    visit = answered(number, prose(number), raw=b"the same bytes")
    assert isinstance(visit.fetched, Response)
    return replace(visit, fetched=replace(visit.fetched, rendition=rendition))


def visited(
    number: int, fetched: Fetched, outcome: str, page: Page | None = None, judgement: Judgement | None = None
) -> Visit:
    """A visit with any end."""
    candidate = Candidate(Url(f"http://host.test/{number}"), 0.5, 2, PARENT, "an anchor", (Url("http://old.test/"),))
    claim = Claim(candidate, Host("host.test"), number * 1000, 0.0, tries=1)
    return Visit(claim, number, 1.7e9 + number + 0.5, fetched, Outcome(outcome), page, judgement)


async def keep_all(store: Store, *visits: Visit) -> list[Kept]:
    """Keep them in order."""
    return [await store.keep(visit) for visit in visits]


class StoreContract:
    """Inherit it, give it a fixture `store`, and `reopen` if the store outlives its process."""

    @pytest.fixture
    def reopen(self) -> Reopen:
        """A store that lives in memory is simply still there."""
        return lambda store: store

    async def test_what_is_kept_comes_back_in_order(self, store: Store) -> None:
        """But for its page, which can be parsed again."""
        visits = [answered(number, prose(number)) for number in (1, 2, 3)]
        await keep_all(store, *visits)
        back = list(store.visits())
        assert [visit.number for visit in back] == [1, 2, 3]
        assert [visit.fetched for visit in back] == [visit.fetched for visit in visits]
        assert [visit.claim for visit in back] == [visit.claim for visit in visits]
        assert [visit.judgement for visit in back] == [visit.judgement for visit in visits]
        assert {visit.page for visit in back} == {None}

    async def test_failures_and_refusals_are_kept_by_name(self, store: Store) -> None:
        """With whether a request went out."""
        await keep_all(
            store,
            visited(1, Failed("timeout", "30 s", retry=False), "timeout"),
            visited(2, Refused("robots", "Disallow: /"), "robots"),
            visited(3, Refused("content-type", "video/mp4", asked=True), "content-type"),
        )
        back = list(store.visits())
        assert [visit.outcome.name for visit in back] == ["timeout", "robots", "content-type"]
        assert back[0].fetched == Failed("timeout", "30 s", retry=False)
        assert [visit.asked for visit in back] == [True, False, True]

    async def test_the_same_bytes_are_a_duplicate_of_the_first(self, store: Store) -> None:
        """And come back whole all the same."""
        raw = b"<p>the very same</p>"
        kept = await keep_all(store, *(answered(number, "the very same", raw=raw) for number in (1, 2, 3)))
        first = Url("http://host.test/1")
        assert kept == [Kept(), Kept(duplicate_of=first), Kept(duplicate_of=first)]
        assert [visit.fetched.raw for visit in store.visits() if isinstance(visit.fetched, Response)] == [raw] * 3

    async def test_pages_that_a_browser_made_of_the_same_bytes_are_no_duplicates(self, store: Store) -> None:
        """Of a document the same bytes are the same text; of an application they are the same for every page."""
        shells = [rendered(number, Rendition(prose(number).encode(), BROWSER)) for number in (1, 2)]
        documents = [rendered(number, Rendition(b"text", "pdf")) for number in (3, 4)]
        kept = await keep_all(store, *shells, *documents)
        assert [each.fresh for each in kept] == [True, True, False, False]
        assert [visit.fetched for visit in store.visits()] == [visit.fetched for visit in (*shells, *documents)]

    async def test_answers_without_bytes_are_no_duplicates(self, store: Store) -> None:
        """Redirects mostly have none."""
        kept = await keep_all(store, *(answered(number, "", status=302, raw=b"") for number in (1, 2)))
        assert all(each.fresh for each in kept)

    async def test_a_page_is_no_duplicate_of_an_error_with_the_same_bytes(self, store: Store) -> None:
        """Else an error would take the page's place in the harvest."""
        kept = await keep_all(store, answered(1, "x", status=404, raw=b"same"), answered(2, "x", raw=b"same"))
        assert all(each.fresh for each in kept)

    async def test_nearly_the_same_text_is_a_near_duplicate_of_the_earliest(self, store: Store) -> None:
        """A changed date in the footer does not make another page."""
        text = prose(1, 2000)
        one, two, other = answered(1, text), answered(2, text + " monday"), answered(3, prose(3))
        first = Url("http://host.test/1")
        kept = await keep_all(store, one, two, other, answered(4, "tuesday " + text))
        assert kept == [Kept(), Kept(near=first), Kept(), Kept(near=first)]

    async def test_short_texts_are_not_compared(self, store: Store) -> None:
        """A few words in common say nothing."""
        kept = await keep_all(store, answered(1, "welcome to our site"), answered(2, "Welcome to our site!"))
        assert all(each.fresh for each in kept)

    async def test_the_tally_counts_what_was_fetched(self, store: Store) -> None:
        """Duplicates are fetched, but no harvest; refusals cost nothing."""
        await keep_all(
            store,
            answered(1, prose(1), raw=b"12345"),
            answered(2, prose(1), raw=b"12345"),
            answered(3, prose(3), raw=b"123", relevant=False),
            visited(4, Failed("timeout"), "timeout"),
            visited(5, Refused("robots"), "robots"),
        )
        tally = store.tally(3)
        assert (tally.visits, tally.fetched, tally.relevant, tally.bytes) == (5, 4, 1, 13)
        assert list(tally.recent) == [False, False, False]
        assert list(store.tally(100).recent) == [True, False, False, False]

    async def test_an_empty_store_has_nothing(self, store: Store) -> None:
        """And does not mind being asked."""
        assert not list(store.visits())
        assert store.tally(10).visits == 0
        assert store.recall("strategy") is None

    async def test_what_is_remembered_last_is_recalled(self, store: Store) -> None:
        """Under each name for itself."""
        store.remember("strategy", b"one")
        store.remember("strategy", b"\0two")
        assert store.recall("strategy") == b"\0two"

    async def test_what_is_remembered_as_empty_is_forgotten(self, store: Store) -> None:
        """So that a state of many parts can shrink."""
        store.remember("other", b"one")
        store.remember("other", b"")
        store.remember("never", b"")
        assert store.recall("other") is None
        assert store.recall_all("n") == {}

    async def test_all_names_with_one_beginning_are_recalled(self, store: Store) -> None:
        """By the rest of their names."""
        for name in ("strategy/a", "strategy/ü", "strategy", "strategies/a", "strategz"):
            store.remember(name, name.encode())
        assert store.recall_all("strategy/") == {"a": b"strategy/a", "ü": "strategy/ü".encode()}

    async def test_how_pages_looked_is_known_after_reopening(
        self, store: Store, reopen: Callable[[Store], Store]
    ) -> None:
        """The days of a calendar look alike from the third on."""
        days = [answered(day, f"{prose(0)} on day {day} of week {day}", relevant=False) for day in (1, 2, 3)]
        assert [kept.alike for kept in await keep_all(store, *days[:2])] == [False, False]
        assert (await reopen(store).keep(days[2])).alike

    async def test_everything_is_there_after_reopening(self, store: Store, reopen: Callable[[Store], Store]) -> None:
        """Visits, states, and what later pages may be duplicates of."""
        await keep_all(store, answered(1, prose(1)), visited(2, Failed("dns"), "dns"))
        store.remember("strategy", b"learned")
        again = reopen(store)
        assert [visit.number for visit in again.visits()] == [1, 2]
        assert again.recall("strategy") == b"learned"
        assert (await again.keep(answered(3, prose(1) + " end"))).near == Url("http://host.test/1")
        assert [visit.number for visit in again.visits()] == [1, 2, 3]
