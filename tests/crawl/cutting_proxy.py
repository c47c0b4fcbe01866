"""A TCP proxy between a worker and its PostgreSQL that cuts connections after any number of bytes, in either direction."""

import asyncio
import contextlib
import threading
from concurrent.futures import Future


class CuttingProxy:
    """Passes bytes on. While `patience` is given, each connection is cut after so many bytes of it, drawn anew each time."""

    def __init__(self, port):
        self.port, self._behind = 0, port
        self.dice = None
        """Draws what is left of a connection: None for never."""
        self.least, self.most = 500, 60_000
        self.swallow = b""
        """The answer to the next message in which these bytes stand never arrives: the connection is cut instead."""
        self.before = False
        """Whether that message is lost too, but for its first byte."""
        self.cuts = 0
        self.halves = 0
        """Cuts in the middle of an answer of the server: the worker cannot know whether it was kept."""

    async def run(self, ready, over):
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set_result(asyncio.get_running_loop())
        await over.wait()
        server.close()

    async def _meet(self, reader, writer):
        try:
            back_reader, back_writer = await asyncio.open_connection("127.0.0.1", self._behind)
        except OSError:
            writer.close()
            return
        ends = (writer, back_writer)
        left = [self.dice.randrange(self.least, self.most) if self.dice else None]
        there = asyncio.create_task(self._pass(reader, back_writer, left, ends, answer=False))
        back = asyncio.create_task(self._pass(back_reader, writer, left, ends, answer=True))
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([there, back])

    async def _pass(self, reader, writer, left, ends, *, answer):
        with contextlib.suppress(OSError):
            while data := await reader.read(16_384):
                if self.swallow and self.swallow in data:
                    self.swallow, left[0] = b"", 1 if self.before else len(data) + 1
                if left[0] is not None and len(data) >= left[0]:
                    data = data[: left[0]]
                    writer.write(data)
                    self.cuts += 1
                    self.halves += answer
                    for end in ends:
                        end.transport.abort()
                    return
                if left[0] is not None:
                    left[0] -= len(data)
                writer.write(data)
                await writer.drain()
        for end in ends:
            end.transport.abort()


@contextlib.contextmanager
def cutting_proxy(port):
    """A proxy before that port of this machine, run by a thread."""
    ready, over, proxy = Future(), asyncio.Event(), CuttingProxy(port)
    thread = threading.Thread(target=lambda: asyncio.run(proxy.run(ready, over)))
    thread.start()
    loop = ready.result(10)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
