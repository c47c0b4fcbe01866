"""A hand: a process that takes orders from the brain, one url each, and answers with what it fetched, read and judged.

Started as `python -m thresher.hands.hand SOCKET SLOT MEMORY`: two open file descriptors and the bytes of memory it may hold.
"""

import asyncio
import contextlib
import importlib
import os
import resource
import signal
import socket
import sys
import traceback
from contextvars import Context, ContextVar, copy_context
from typing import Any

from thresher.errors import ThresherError
from thresher.event_loops import rare_garbage_collection
from thresher.hands.watchdog import Slot, Stepped
from thresher.hands.wire import LEARN, Frames, HandAnswer, HandParts, answer_of, decode_order, decode_setup
from thresher.model import Failed, Fetched, Response, Url

_ROOM = 1 << 30
"""Addresses that Python, its libraries and an ontology may take beside what is counted."""
_MOST_TOLD = 300
_order: ContextVar[int] = ContextVar("order", default=0)
"""The number of the order that a task works for, and whatever tasks it starts."""


class Hand:
    """Takes orders until the brain is gone."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot
        self._frames = Frames(self._take, self._end)
        self._parts: HandParts | None = None
        self._shown = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._gone = asyncio.get_running_loop().create_future()

    async def serve(self, own_end: socket.socket) -> None:
        """Answer orders until there are no more."""
        loop = asyncio.get_running_loop()
        loop.set_task_factory(self._watched_task)
        await loop.create_connection(lambda: self._frames, sock=own_end)
        await self._gone
        for task in self._tasks:
            task.cancel()
        if self._parts is not None:
            await self._parts.fetcher.close()

    def _take(self, frame: memoryview) -> None:
        if self._parts is None:
            self._set_up(frame)
            return
        order = decode_order(frame)
        if order.number == LEARN:
            self._learn(self._parts)
            return
        if order.number == 0:
            self._frames.send(HandAnswer(0))
            return
        context = copy_context()
        context.run(_order.set, order.number)
        answering = self._answer(self._parts, order.number, Url(order.url))
        task = asyncio.get_running_loop().create_task(answering, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _watched_task(self, loop: asyncio.AbstractEventLoop, work: Any, **how: Any) -> asyncio.Task[Any]:
        context: Context | None = how.get("context")
        number = _order.get() if context is None else context.get(_order, 0)
        return asyncio.Task(Stepped(work, self._slot, number) if number else work, loop=loop, **how)

    def _set_up(self, frame: memoryview) -> None:
        setup = decode_setup(frame)
        module, _, name = setup.maker.partition(":")
        try:
            self._parts = getattr(importlib.import_module(module), name)(setup.text)
        except ThresherError as error:
            self._frames.send(HandAnswer(0, error=str(error)))
            return
        self._frames.send(HandAnswer(0))

    def _learn(self, parts: HandParts) -> None:
        """Judge as the labels say from the next page on. They are read from the crawl's file, as at the start."""
        with contextlib.suppress(ThresherError):  # a file that cannot be read any more ends the brain, which says so
            if parts.learnt is not None:
                self._parts = parts._replace(judge=parts.learnt())

    async def _answer(self, parts: HandParts, number: int, url: Url) -> None:
        try:
            self._frames.send(_considered(parts, number, await parts.fetcher.fetch(url)))
        except MemoryError:
            self._frames.send(answer_of(number, Failed("too-large", "its page takes too much memory", retry=False)))
        except Exception as error:  # noqa: BLE001 - without an answer the brain would wait for ever
            self._frames.send(answer_of(number, self._unexpected(error)))

    def _unexpected(self, error: Exception) -> Failed:
        """The end of a url over which something failed that never should. The first traceback is shown, not one for each page."""
        if not self._shown:
            traceback.print_exception(error)
        self._shown = True
        told = f"fetching or reading it failed: {type(error).__name__}: {error}"[:_MOST_TOLD]
        return Failed("crashed", told, retry=False, strain=True)

    def _end(self) -> None:
        if not self._gone.done():
            self._gone.set_result(None)


def _considered(parts: HandParts, number: int, fetched: Fetched) -> HandAnswer:
    """The answer, with its page read and judged if it is one."""
    if not isinstance(fetched, Response) or not 200 <= fetched.status < 300:
        return answer_of(number, fetched)
    page = parts.parser.parse(fetched)
    return answer_of(number, fetched, page, None if parts.judge is None else parts.judge.judge(page))


def _limit_memory(most: int) -> None:
    """A wall behind the watchdog, which looks only now and then: past it the system gives no more memory."""
    if most and sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (most + _ROOM, most + _ROOM))


async def _main(own_end: socket.socket, slot: Slot) -> None:
    with rare_garbage_collection():
        await Hand(slot).serve(own_end)


def main() -> None:
    """Be a hand."""
    descriptor, slot, memory = map(int, sys.argv[1:4])
    _limit_memory(memory)
    # Ctrl-C reaches every process of the terminal; the brain says what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    own_end = socket.socket(fileno=descriptor)
    own_end.setblocking(False)
    with contextlib.suppress(ImportError):
        import uvloop  # noqa: PLC0415 - not everywhere

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_main(own_end, Slot(slot)))
        return
    asyncio.run(_main(own_end, Slot(slot)))


if __name__ == "__main__":
    main()
    # Threads that still look up a name must not hold up the end.
    os._exit(0)
