"""The hands of a crawl, seen from the brain: a fetcher, a parser and a judge that let other processes do the work."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import cache

from thresher.hands.host_places import number_of
from thresher.hands.process import HandOptions, HandProcess
from thresher.hands.wire import Order, Setup, fetched_of, judgement_of, page_of
from thresher.language.word_numbers import counted_elsewhere
from thresher.model import Failed, Fetched, Judgement, Later, Page, Response, Url
from thresher.ports import Judge, Parser
from thresher.urls import host_of

_LOOK_EVERY = 0.25
_MOST_UNREAD = 64 << 20
"""About how many bytes pages may take that were read and not asked for."""
_LINK = 2_000
"""About how many bytes a link takes at most: a page may repeat its base in each."""


Readers = tuple[Parser, Judge]
HandLost = Callable[[Url | None, str], None]
"""Called when a hand is lost, with the url to blame (or None) and the reason."""


class Team:
    """All hands. Stands in the loop for the fetcher, the parser and the judge."""

    def __init__(self, setup: Setup, options: HandOptions, told: HandLost, readers: Callable[[], Readers]) -> None:
        """Say what hands are made of.

        Args:
            setup: what makes the parts of a hand.
            options: how many, and what they may take.
            told: whom to tell of a hand that was lost.
            readers: makes a parser and a judge for this process: for answers that a wrapper of the fetcher made itself, and for pages
                that no hand has judged.
        """
        self._setup, self._options, self._told = setup, options, told
        self._readers = cache(readers)
        self._hands: list[HandProcess] = []
        self._number = 0
        self._read: OrderedDict[int, tuple[Response, Page, Judgement | None, bytes | None]] = OrderedDict()
        self._unread = 0
        self._judgement: Judgement | None = None
        self._watch: asyncio.Task[None] | None = None
        self._starting: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start the hands, all at once, and wait until each is ready."""
        self._hands = [HandProcess(self._setup, self._options) for _ in range(self._options.count)]
        starting = [asyncio.ensure_future(hand.start()) for hand in self._hands]
        try:
            await asyncio.gather(*starting)
        except BaseException:
            for each in starting:
                each.cancel()
            await asyncio.gather(*starting, return_exceptions=True)
            await self.close()
            raise
        self._watch = asyncio.ensure_future(self._look_after())

    async def fetch(self, url: Url) -> Fetched:
        """Have a url fetched, read and judged by the hand of its host."""
        self._number += 1
        hand = self._hands[number_of(host_of(url)) % len(self._hands)]
        answer = await hand.ask(Order(self._number, url))
        if isinstance(answer, Failed | Later):
            return answer
        fetched = fetched_of(answer)
        if answer.page is not None and isinstance(fetched, Response):
            judgement = None if answer.judgement is None else judgement_of(answer.judgement)
            self._keep(fetched, page_of(answer.page, fetched.url), judgement, answer.words)
        return fetched

    def _keep(self, response: Response, page: Page, judgement: Judgement | None, words: bytes | None = None) -> None:
        """Keep a page until it is asked for, with its answer, so that no other answer can have the same id.

        The loop parses an answer at once, or never: a claim that expired is not looked at. Then the oldest pages are let go.
        """
        self._read[id(response)] = response, page, judgement, words
        self._unread += _weight(response, page)
        while self._unread > _MOST_UNREAD and len(self._read) > 1:
            _, (oldest, its_page, _, _) = self._read.popitem(last=False)
            self._unread -= _weight(oldest, its_page)

    def parse(self, response: Response) -> Page:
        """The page that came with the answer."""
        read = self._read.pop(id(response), None)
        if read is None:
            self._judgement = None
            return self._readers()[0].parse(response)
        _, page, self._judgement, words = read
        self._unread -= _weight(response, page)
        if words is not None:
            counted_elsewhere(page.main, words)
        return page

    def judge(self, page: Page) -> Judgement:
        """The judgement that came with the page."""
        return self._readers()[1].judge(page) if self._judgement is None else self._judgement

    def learn(self) -> None:
        """Labels have changed: pages that are asked for from now on are judged as they say."""
        self._readers.cache_clear()
        for hand in self._hands:
            hand.learn()

    async def close(self) -> None:
        """Let the hands go."""
        if self._watch is not None:
            self._watch.cancel()
        for starting in self._starting:
            starting.cancel()
        for hand in self._hands:
            hand.close()
        await asyncio.gather(*(hand.ended() for hand in self._hands))

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            for hand in self._hands:
                if (lost := hand.look()) is not None:
                    self._told(*lost)
                    starting = asyncio.ensure_future(hand.start())
                    self._starting.add(starting)
                    starting.add_done_callback(self._started)

    def _started(self, starting: asyncio.Task[None]) -> None:
        self._starting.discard(starting)
        if not starting.cancelled():
            starting.exception()  # whoever asks that hand is told of it


def _weight(response: Response, page: Page) -> int:
    return len(response.body) + _LINK * len(page.links)
