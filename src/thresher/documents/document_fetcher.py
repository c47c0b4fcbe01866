"""A fetcher around another: an answer that is a document comes back with its page, which a process of its own has made.

The process is started when it is needed, and ended and replaced when it is over its limits.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, replace

import msgspec

from thresher.documents.kinds import recognised
from thresher.documents.page_orders import ReadAnswer, ReadOrder, decode_answer
from thresher.errors import BadInput
from thresher.hands import Frames, start_process
from thresher.model import Failed, Fetched, Rendition, Response, Url
from thresher.ports import Fetcher

_MEGABYTE = 1 << 20
_PATIENCE = 6.0
"""On a busy machine a document may take this many times its limit in wall-clock time."""
_TRIES = 3
"""A reader may be killed from outside; the third loss over the same document blames the document."""
_NEARLY = 0.8
"""A process that died with this share of its memory in use died of it: PDFium ends itself where it gets no more."""


@dataclass(frozen=True, slots=True)
class DocumentOptions:
    """The `[documents]` table: PDF, DOCX, ODT, EPUB, RTF, Markdown and plain text."""

    read: bool | None = None
    """Whether they are fetched and read; where nobody says, if the extra is installed."""
    seconds: float = 20.0
    """CPU seconds that a document may take."""
    memory: int = 512
    """Megabytes that the process which reads them may hold."""
    max_bytes: int = 20 << 20
    """The largest document in bytes."""

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 3600:
            raise BadInput(f"[documents]: seconds is {self.seconds}, but must be more than 0 and at most 3600")
        if not 128 <= self.memory <= _MEGABYTE:
            raise BadInput(f"[documents]: memory is {self.memory}, but must be from 128 to {_MEGABYTE:,} megabytes")
        if not 1 <= self.max_bytes <= 200 * _MEGABYTE:
            raise BadInput(f"[documents]: max_bytes is {self.max_bytes}, but must be from 1 to {200 * _MEGABYTE}")


class DocumentReader:
    """Reads one document at a time; the others wait."""

    def __init__(self, options: DocumentOptions) -> None:
        self._options = options
        self._turn = asyncio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._frames: Frames | None = None
        self._answer: asyncio.Future[ReadAnswer | None] | None = None

    async def read(self, kind: str, body: bytes, content_type: str) -> Rendition | Failed:
        """A document as a page, or the reason why there is none."""
        order = ReadOrder(kind, body, content_type)
        async with self._turn:
            for _ in range(_TRIES):
                answer = await self._ask(order)
                if isinstance(answer, Failed):
                    return answer
                if answer is not None:
                    return _failed(answer) if answer.why else Rendition(answer.html, kind)
        return Failed("document-crashed", f"reading it ended the process {_TRIES} times", retry=False)

    async def close(self) -> None:
        """End the process."""
        self._end()

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return None if self._process is None else self._process.pid

    async def _ask(self, order: ReadOrder) -> ReadAnswer | Failed | None:
        """What the process answers; None if it was lost, and nothing says that the document is to blame."""
        if self._process is None:
            await self._start()
        assert self._frames is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._frames.send(order)
        answer = None
        try:
            async with asyncio.timeout(_PATIENCE * self._options.seconds):
                answer = await self._answer
        except TimeoutError:
            return self._too_slow()
        finally:
            usage = None if answer is not None and answer.why != "document-too-large" else self._end()
        return self._cause_of_death(usage) if answer is None and usage is not None else answer

    async def _start(self) -> None:
        own_end, other_end = socket.socketpair()
        limits = str(self._options.seconds), str(self._options.memory * _MEGABYTE)
        command = [sys.executable, "-m", "thresher.documents.page_maker", str(other_end.fileno()), *limits]
        self._process = start_process(command, (other_end.fileno(),))
        other_end.close()
        own_end.setblocking(False)
        frames = self._frames = Frames(self._take, lambda: self._lose(frames))
        await asyncio.get_running_loop().create_connection(lambda: frames, sock=own_end)

    def _take(self, frame: memoryview) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            self._settle(decode_answer(frame))
            return
        self._settle(None)  # what it says makes no sense: it is no reader of ours any more

    def _lose(self, frames: Frames) -> None:
        if frames is not self._frames:
            return
        if self._answer is None or self._answer.done():
            self._end()  # it was lost while it had nothing to do: the next document gets another
        else:
            self._settle(None)

    def _settle(self, answer: ReadAnswer | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def _end(self) -> "tuple[int, int] | None":
        """End the process, whatever it does; its exit code, and the most bytes that it held."""
        process, frames = self._process, self._frames
        self._process = self._frames = None
        if frames is not None:
            frames.close()
        if process is None:
            return None
        with contextlib.suppress(OSError):
            # Not `process.kill`, which would take the exit status of a process that has ended by itself.
            os.kill(process.pid, signal.SIGKILL)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except ChildProcessError:
            return None
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    def _cause_of_death(self, usage: tuple[int, int]) -> Failed | None:
        code, held = usage
        if code == -signal.SIGPROF:
            return self._too_slow()
        if code != -signal.SIGKILL and held > _NEARLY * self._options.memory * _MEGABYTE:
            told = f"it took more than {self._options.memory} MB to read"
            return Failed("document-too-large", told, retry=False)
        return None

    def _too_slow(self) -> Failed:
        return Failed("document-too-slow", f"it took longer than {self._options.seconds:g} s to read", retry=False)


def _failed(answer: ReadAnswer) -> Failed:
    return Failed(answer.why, answer.detail, retry=False)


class DocumentFetcher:
    """Has documents read by a process beside; without one their bytes are kept, and no words are made of them."""

    def __init__(self, inner: Fetcher, reader: DocumentReader | None) -> None:
        self._inner, self._reader = inner, reader

    async def fetch(self, url: Url) -> Fetched:
        """Get one url, once."""
        fetched = await self._inner.fetch(url)
        if not isinstance(fetched, Response) or not 200 <= fetched.status < 300:
            return fetched
        kind = recognised(fetched)
        return fetched if not kind else await self._with_page(fetched, kind)

    async def close(self) -> None:
        """Let go of connections, and end the reader."""
        await self._inner.close()
        if self._reader is not None:
            await self._reader.close()

    async def _with_page(self, response: Response, kind: str) -> Fetched:
        if self._reader is None:
            return replace(response, rendition=Rendition(b"", kind))
        read = await self._reader.read(kind, response.body, response.header("content-type") or "")
        return read if isinstance(read, Failed) else replace(response, rendition=read)
