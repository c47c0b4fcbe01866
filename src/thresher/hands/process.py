"""One hand, seen from the brain: its process, what it was asked, and how it is given up."""

import asyncio
import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field

import msgspec

from thresher.errors import BadInput, ThresherError
from thresher.hands.suspects import Suspects
from thresher.hands.watchdog import Slot, Verdict, Vitals, Watch, vitals
from thresher.hands.wire import LEARN, Frames, HandAnswer, Order, Setup, decode_answer
from thresher.model import Failed, Later, Url

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_DEATH_SIGNAL = 1
"""Linux: prctl's PR_SET_PDEATHSIG."""
_PING_EVERY = 2.0
_MEGABYTE = 1 << 20
_STARTS = 5
_START_WITHIN = 120.0
"""Seconds in which a hand must be ready: it may have to read an ontology."""
_TOLD = {
    "too-slow": "its page took longer than {seconds:g} s to read",
    "too-large": "its page took more than {memory} MB to read",
}
_WHY = {"full": "it holds too much memory", "too-large": "it holds too much memory"}
_FAULTS = frozenset({-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGILL, -signal.SIGFPE})
"""How a process ends that nobody ended; also with an exit code of its own."""


def default_count() -> int:
    """How many hands where nobody says: one, or what THRESHER_HANDS says."""
    said = os.environ.get("THRESHER_HANDS", "1")
    if not said.isascii() or not said.isdigit():
        raise BadInput(f"THRESHER_HANDS is {said!r}, but must be a whole number from 0 on")
    return int(said)


@dataclass(frozen=True, slots=True)
class HandOptions:
    """The `[hands]` table: processes that fetch, parse and judge beside the crawl."""

    count: int = field(default_factory=default_count)
    """How many; 0 does everything in one process, where a hostile page can hold up the crawl."""
    parse_seconds: float = 10.0
    """CPU seconds that a hand may take to parse and judge a page."""
    hand_memory: int = 1024
    """Megabytes that a hand may hold."""

    def __post_init__(self) -> None:
        if not 0 <= self.count <= 64:
            raise BadInput(f"[hands]: count is {self.count}, but must be from 0 to 64")
        if not 0 < self.parse_seconds <= 3600:
            raise BadInput(f"[hands]: parse_seconds is {self.parse_seconds}, but must be more than 0 and at most 3600")
        if self.hand_memory < 128:
            raise BadInput(f"[hands]: hand_memory is {self.hand_memory}, but must be at least 128 megabytes")


class HandProcess:
    """One hand, and what it was asked."""

    def __init__(self, setup: Setup, options: HandOptions) -> None:
        self._setup, self._options = setup, options
        self._asked: dict[int, tuple[Order, asyncio.Future[HandAnswer | Failed | Later]]] = {}
        self._suspects = Suspects()
        self._ready = asyncio.Event()
        self._broken: ThresherError | None = None
        self._greeting: asyncio.Future[ThresherError | None] = asyncio.get_running_loop().create_future()
        self._frames = self._new_frames()
        self._process: subprocess.Popen[bytes] | None = None
        self._slot: Slot | None = None
        self._watch = Watch(options.parse_seconds, self._memory, Vitals())
        self._lost = False
        self._heard = self._pinged = 0.0

    async def start(self) -> None:
        """Start a process, and wait until it is ready. One that is killed meanwhile is no reason to give up."""
        try:
            await self._start()
        except ThresherError as error:
            self._broken = error
            raise
        except OSError as error:  # no more processes, open files or memory to be had
            self._end()
            self._broken = ThresherError(f"a process that fetches and reads pages could not be started: {error}")
            raise self._broken from error
        finally:
            self._ready.set()

    async def _start(self) -> None:
        for _ in range(_STARTS):
            await self._launch()
            done, _ = await asyncio.wait((self._greeting,), timeout=_START_WITHIN)
            if not done:
                raise ThresherError(f"a process that fetches and reads pages was not ready after {_START_WITHIN:g} s")
            if not self._lost:
                if (error := self._greeting.result()) is not None:
                    raise error
                self._watch = self._new_watch()
                return
            self._end()
        raise ThresherError(f"a process that fetches and reads pages ended before it was ready, {_STARTS} times")

    async def _launch(self) -> None:
        self._lost, self._heard = False, time.monotonic()
        self._greeting = asyncio.get_running_loop().create_future()
        self._frames = self._new_frames()
        self._slot = Slot.new()
        own_end, other_end = socket.socketpair()
        with other_end, contextlib.ExitStack() as unless_started:
            unless_started.enter_context(own_end)
            descriptors = other_end.fileno(), self._slot.descriptor
            command = [sys.executable, "-m", "thresher.hands.hand", *map(str, descriptors), str(self._memory)]
            self._process = start_process(command, (*descriptors, *self._setup.descriptors))
            unless_started.pop_all()
        own_end.setblocking(False)
        await asyncio.get_running_loop().create_connection(lambda: self._frames, sock=own_end)
        self._frames.send(self._setup)

    async def ask(self, order: Order) -> HandAnswer | Failed | Later:
        """What the hand answers; `Later` if it was lost meanwhile."""
        async with self._suspects.turn(order.url):
            await self._ready.wait()
            if self._broken is not None:
                raise self._broken
            answer: asyncio.Future[HandAnswer | Failed | Later] = asyncio.get_running_loop().create_future()
            self._asked[order.number] = order, answer
            self._frames.send(order)
            try:
                answered = await answer
            finally:
                self._asked.pop(order.number, None)
        if isinstance(answered, HandAnswer):
            self._suspects.acquit(order.url)
        return answered

    def learn(self) -> None:
        """Say that labels have changed. One that is being started is told in its turn; one that is not there yet reads them anyway."""
        self._frames.send(Order(LEARN, ""))

    def look(self) -> tuple[Url | None, str] | None:
        """Check the hand. If it failed: kill it, answer its open requests, return the url to blame and the reason."""
        process, slot = self._process, self._slot
        if process is None or slot is None or not self._ready.is_set():
            return None
        busy = slot.busy()
        found = self._watch.look(vitals(process.pid), busy, self._heard)
        ended = self._lost or process.poll() is not None
        if found is None and not ended:
            self._ping(time.monotonic() - self._heard)
            return None
        culprit, _ = self._asked.get(busy.number if busy else 0, (None, None))
        self._end()
        if ended:  # only now its exit code is there for sure
            found = "crashed" if process.returncode in _FAULTS or process.returncode > 0 else "lost"
        assert found is not None
        return self._give_up(culprit, found, "it ended" if ended else _WHY.get(found, "it does not answer"))

    def close(self) -> None:
        """Ask the hand to end."""
        self._frames.close()

    async def ended(self) -> None:
        """Wait until the process has ended, but not for long."""
        process = self._process
        for _ in range(100):
            if process is None or process.poll() is not None:
                break
            await asyncio.sleep(0.02)
        self._end()

    @property
    def _memory(self) -> int:
        return self._options.hand_memory * _MEGABYTE

    def _new_watch(self) -> Watch:
        assert self._process is not None
        first = vitals(self._process.pid)
        if first.memory > self._memory:
            held = f"holds {first.memory / _MEGABYTE:.0f} before it reads its first page"
            raise BadInput(
                f"[hands]: hand_memory is {self._options.hand_memory} megabytes, but a hand {held}: allow more"
            )
        return Watch(self._options.parse_seconds, self._memory, first)

    def _new_frames(self) -> Frames:
        """One end of a new socket. Messages from an earlier socket are ignored."""
        frames = Frames(lambda frame: self._take(frame, frames), lambda: self._lose(frames))
        return frames

    def _take(self, frame: memoryview, frames: Frames) -> None:
        if frames is not self._frames:
            return
        self._heard = time.monotonic()
        try:
            answer = decode_answer(frame)
        except msgspec.MsgspecError:
            self._lose(frames)  # what it says makes no sense: it is no hand of ours any more
            return
        if answer.number:
            _, waiting = self._asked.get(answer.number, (None, None))
            if waiting is not None and not waiting.done():
                waiting.set_result(answer)
        elif not self._greeting.done():
            self._greeting.set_result(BadInput(answer.error) if answer.error else None)

    def _lose(self, frames: Frames) -> None:
        if frames is not self._frames:
            return
        self._lost = True
        if not self._greeting.done():
            self._greeting.set_result(None)

    def _ping(self, silent: float) -> None:
        now = time.monotonic()
        every = min(_PING_EVERY, self._options.parse_seconds)  # before its silence counts as the end of it
        if silent > every and now - self._pinged > every:
            self._pinged = now
            self._frames.send(Order(0, ""))

    def _end(self) -> None:
        process, slot = self._process, self._slot
        self._process = self._slot = None
        frames, self._frames = self._frames, self._new_frames()
        frames.close()
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()
            process.wait()
        if slot is not None:
            slot.close()

    def _give_up(self, culprit: Order | None, found: Verdict, why: str) -> tuple[Url | None, str]:
        """Answer all that was asked: the page that did it is done with, the others wait again."""
        failed = self._failed(culprit, found)
        for order, waiting in list(self._asked.values()):
            if not waiting.done():
                waiting.set_result(failed.get(order.url) or Later("hand-lost", None))
        self._ready.clear()
        for url, settled in failed.items():
            return Url(url), settled.detail
        return None, why

    def _failed(self, culprit: Order | None, found: Verdict) -> dict[str, Failed]:
        """How pages are settled over which the hand was lost; those that may be innocent are not among them."""
        if culprit is not None and found in _TOLD:
            told = _TOLD[found].format(seconds=self._options.parse_seconds, memory=self._options.hand_memory)
            return {culprit.url: Failed(found, told, retry=False, strain=True)}
        if found == "full":  # of what pages left behind
            return {}
        # Somebody may have killed or stopped the hand, or the system because of others: then only the page at hand may have done it.
        at_hand = [] if culprit is None else [culprit.url]
        suspects = at_hand if at_hand or found == "lost" else [order.url for order, _ in self._asked.values()]
        told = "fetching or reading it ended the process"
        return {url: Failed("crashed", told, retry=False, strain=True) for url in self._suspects.accuse(suspects)}


def start_process(command: list[str], descriptors: tuple[int, ...]) -> subprocess.Popen[bytes]:
    """Start a process that ends with this one, however that ends."""
    # Before the program is loaded, so that a hand that is stopped right then does not outlive its brain either.
    return subprocess.Popen(  # noqa: S603 - our own module
        command,
        pass_fds=descriptors,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=_die_with_the_brain if _LIBC is not None else None,  # noqa: PLW1509 - one system call, no lock
    )


def _die_with_the_brain() -> None:
    """A hand that hangs in a page must not outlive its brain, which may be killed at any moment."""
    assert _LIBC is not None
    _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL)
