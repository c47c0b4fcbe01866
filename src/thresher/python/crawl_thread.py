"""One run of a crawl, in a thread with an event loop of its own; visits are handed over one by one to whoever asks for them."""

import asyncio
import atexit
import logging
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from contextlib import AbstractAsyncContextManager
from typing import Any

from thresher.budget import Stop
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Place, absolute
from thresher.event_loops import fast_loop
from thresher.model import Visit

Opening = Callable[[], AbstractAsyncContextManager[CrawlLoop]]
"""Puts the loop of a crawl together; when it is left, everything is kept and the folder is free."""
_log = logging.getLogger(__name__)
_STOPPED = "interrupted", "stopped; start it again to continue"
_PATIENCE = 60.0
"""Seconds that a crawl which somebody has left waits for pages under way. A judge may hang for good."""


class CrawlThread:
    """A crawl that runs."""

    def __init__(self, folder: Place, opening: Opening, *, handed_over: bool) -> None:
        """Begin to run.

        Args:
            folder: where the crawl goes, which may be a database.
            opening: puts the loop of the crawl together.
            handed_over: whether each visit waits until somebody asks for it with `ask`.
        """
        self.folder = absolute(folder)
        self.ended: Future[Stop] = Future()
        """Why the crawl ended, or the error that ended it. By then everything is kept, and the folder is free."""
        self.left = False
        """Whether the one who asked for visits is gone."""
        self.crawl: CrawlLoop | None = None
        self._opening, self._handed_over = opening, handed_over
        self._stopping = False
        self._asks: asyncio.Queue[Future[Visit] | None] = asyncio.Queue()
        self._order = asyncio.Lock()
        self._ready = threading.Event()
        self._lock = threading.RLock()  # whoever is collected as garbage leaves from any place
        self._open = True
        threading.Thread(target=self._main, name="thresher-crawl", daemon=True).start()
        self._ready.wait()
        _running.add(self)

    def stop(self) -> None:
        """End the crawl once the pages under way are kept."""
        self._in_its_loop(self._stop)

    def leave(self) -> None:
        """The same, and nobody asks for visits any more."""
        self.left = True
        self._in_its_loop(self._leave)

    def cancel(self) -> None:
        """End at once. Pages under way are not kept, and will be fetched again."""
        self._in_its_loop(self._task.cancel)

    def wait(self) -> Stop:
        """Wait for the end. Ctrl-C stops the crawl cleanly first, a second Ctrl-C at once."""
        try:
            return self.ended.result()
        except KeyboardInterrupt:
            self.stop()
            try:
                self.ended.exception()
            except KeyboardInterrupt:
                self.cancel()
                self.ended.exception()
            raise

    def ask(self) -> "Future[Visit]":
        """Ask for the next visit; if the crawl ends first, it never comes."""
        asked: Future[Visit] = Future()
        self._in_its_loop(lambda: self._asks.put_nowait(asked))
        return asked

    def _in_its_loop(self, call: Callable[[], object]) -> None:
        with self._lock:
            if self._open:
                self._loop.call_soon_threadsafe(call)

    def _main(self) -> None:
        try:
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                stop = runner.run(self._run())
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end is told
            if self.left:  # nobody does
                self._report(error)
            self.ended.set_exception(error)
        else:
            self.ended.set_result(stop)
        finally:
            self._open = False
            self._ready.set()  # also if no loop could be made
            _running.discard(self)

    def _report(self, error: BaseException) -> None:
        if isinstance(error, asyncio.CancelledError):
            _log.error("the crawl into %s was ended after %.0f seconds: a page under way hung", self.folder, _PATIENCE)
        else:
            _log.error("the crawl failed while it stopped: %s: %s", type(error).__name__, error, exc_info=error)

    async def _run(self) -> Stop:
        task = asyncio.current_task()
        assert task is not None
        self._loop, self._task = asyncio.get_running_loop(), task
        self._ready.set()
        try:
            async with self._opening() as crawl:
                self.crawl = crawl
                if self._handed_over:
                    crawl.shown = self._hand_over
                if self._stopping:
                    crawl.stop(*_STOPPED)
                return await crawl.run()
        finally:
            with self._lock:
                self._open = False

    async def _hand_over(self, visit: Visit) -> None:
        asked = None
        async with self._order:  # a queue alone would let a later visit go first
            while asked is None or not asked.set_running_or_notify_cancel():
                asked = await self._asks.get()
                if asked is None:  # nobody asks any more: whoever waits after us may go on too
                    self._asks.put_nowait(None)
                    return
        asked.set_result(visit)

    def _stop(self) -> None:
        self._stopping = True
        if self.crawl is not None:
            self.crawl.stop(*_STOPPED)

    def _leave(self) -> None:
        self._asks.put_nowait(None)
        self._stop()
        self._loop.call_later(_PATIENCE, self._task.cancel)


_running: "weakref.WeakSet[CrawlThread]" = weakref.WeakSet()


def let_end(folder: Place) -> None:
    """Wait for a crawl into that folder which somebody here has left, and which keeps the pages under way."""
    for each in list(_running):
        if each.left and each.folder == absolute(folder):
            each.ended.exception()


@atexit.register
def _end_all() -> None:
    """A program that ends lets its crawls end too: else the latest pages would be fetched again."""
    running = list(_running)
    for each in running:
        each.leave()
    wait([each.ended for each in running], 2 * _PATIENCE)


class VisitStream:
    """The visits of a crawl, one by one: what `async for` iterates over. When it is dropped, the crawl stops.

    No frame of what waits here refers to it: a notebook keeps the frames of the latest error, and would keep the crawl running.
    """

    def __init__(self, begin: Callable[[], CrawlThread], before: Callable[[], "Future[Stop] | None"]) -> None:
        self._questions = _Questions(begin, before)

    def __aiter__(self) -> "VisitStream":
        return self

    def __anext__(self) -> Coroutine[Any, Any, Visit]:
        return self._questions.next_visit()

    def aclose(self) -> Coroutine[Any, Any, None]:
        """Stop the crawl, and wait until everything is kept and the folder is free."""
        return self._questions.close()

    def __del__(self) -> None:
        self._questions.leave()


class _Questions:
    """What was asked of a crawl that runs."""

    def __init__(self, begin: Callable[[], CrawlThread], before: Callable[[], "Future[Stop] | None"]) -> None:
        self._begin, self._before = begin, before
        self._one_by_one = asyncio.Lock()
        self._run: CrawlThread | None = None
        self._asked: asyncio.Future[Visit] | None = None

    async def next_visit(self) -> Visit:
        async with self._one_by_one:  # several may iterate together, and each visit is for one of them
            return await self._next_visit()

    async def _next_visit(self) -> Visit:
        if self._run is None:
            await self._start()
        assert self._run is not None
        # A question that was given up, as by a timeout, is still asked: its answer is not lost.
        asked = self._asked = self._asked or asyncio.wrap_future(self._run.ask())
        await asyncio.wait((asked, self._end), return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            self._asked = None
            return asked.result()
        try:
            self._end.result()  # raises what ended the crawl, if it was an error
        except StopAsyncIteration as error:  # which would look like the end of the visits
            raise RuntimeError("a part of the crawl raised StopAsyncIteration") from error
        raise StopAsyncIteration

    async def _start(self) -> None:
        if (before := self._before()) is not None:
            await asyncio.wait((asyncio.wrap_future(before),))
        self._run = self._begin()
        self._end = asyncio.wrap_future(self._run.ended)
        # Whoever stops iterating is not told of an error afterwards.
        self._end.add_done_callback(lambda end: end.cancelled() or end.exception())

    async def close(self) -> None:
        if self._run is not None:
            self._run.leave()
            await asyncio.wait((self._end,))

    def leave(self) -> None:
        if self._run is not None:
            self._run.leave()
