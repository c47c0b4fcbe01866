"""One connection: an answer for each question, read as browsers read it, and nothing that nobody asked for.

aiohttp hands whatever comes on an idle connection to the next request, and gives up an answer whose length is wrong. Both are mended
in this one place. `Exchange` takes the place of aiohttp's own `ResponseHandler`:

- a head is handed to aiohttp's parser alone, and of a body only what belongs to it, so that what follows cannot spoil an answer;
- lengths that contradict the rest of the head are taken out of it, where browsers do not heed them;
- what comes behind an answer, or while nothing is asked, closes the connection, and the next request opens another. No connection to
  that server is used twice from then on: an unasked answer that comes only after the next question cannot be told from the right one.
"""

import asyncio
import re
import select
from collections import OrderedDict
from functools import partial
from typing import Any

from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader

from thresher.fetch.failures import Spoiled

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"\ncontent-length[ \t]*:([^\n]*)")
_CODING = re.compile(rb"\ntransfer-encoding[ \t]*:([^\n]*)")
_BEGINS = b"HTTP/"
_USUAL_HEAD = 8190
"""As aiohttp has it where nobody says."""
_SWITCHING_PROTOCOLS = 101
_MOST_DISTRUSTED = 10_000
_END_OF_CHUNKS = (b"\r\n\r\n", b"\n\n")
_FRAMING = {b"content-length", b"transfer-encoding"}


class KeptOpen:
    """The connections that wait for another question, at most so many: for a new one the least recently used is closed.

    Also the servers that sent what nobody asked for, whose connections are not kept.
    """

    def __init__(self, most: int = 0) -> None:
        self.most = most
        self._kept: OrderedDict[Exchange, None] = OrderedDict()
        self._distrusted: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, exchange: "Exchange") -> None:
        """Its answer is whole."""
        self._kept[exchange] = None
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)[0].hang_up()

    def discard(self, exchange: "Exchange") -> None:
        """It is asked again, or closed."""
        self._kept.pop(exchange, None)

    def distrust(self, server: str) -> None:
        """It sent what nobody asked for."""
        self._distrusted[server] = None
        if len(self._distrusted) > _MOST_DISTRUSTED:
            self._distrusted.popitem(last=False)

    def trusts(self, server: str) -> bool:
        """Whether a connection to it may be used again."""
        return server not in self._distrusted

    def close_all(self) -> None:
        """Close them."""
        while self._kept:
            self._kept.popitem()[0].hang_up()


class Exchange(ResponseHandler):
    """Our end of a connection."""

    def __init__(self, loop: asyncio.AbstractEventLoop, kept: KeptOpen) -> None:
        super().__init__(loop)
        self._kept = kept
        self._server = ""
        self._asked = False
        """Whether anything was ever asked. Before that aiohttp keeps what comes, for the answer to a tunnel's CONNECT."""
        self._head = bytearray()
        """The beginning of a head whose end has not come yet."""
        self._longest_head = 0
        self._body: StreamReader | None = None
        """The body of the answer, once its head is here."""
        self._due: int | None = None
        """How many bytes of the body have still to come, where the head says so."""
        self._last = b""
        """The last four bytes that came of a body in chunks."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        super().connection_made(transport)
        self._server = str(transport.get_extra_info("peername"))
        if not self._kept.trusts(self._server):
            self.force_close()

    def set_response_params(self, **how: Any) -> None:
        """A question is about to be sent."""
        self._kept.discard(self)
        self._asked, self._body, self._last = True, None, b""
        self._head.clear()
        self._longest_head = how.get("max_field_size", _USUAL_HEAD)
        super().set_response_params(**how)

    def data_received(self, data: bytes) -> None:
        """Take what came: a head, a part of a body, or what nobody asked for."""
        if self._body is None:
            if self._asked:
                self._take_head(data)
            else:
                super().data_received(data)
        elif not self._body.is_eof():
            self._take_body(data)
        elif data:
            self._refuse_unasked()

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """A head was parsed: that of the answer, unless it is an interim one (1xx) or one too many."""
        message, body = data
        if self._body is not None:
            self._refuse_unasked()
            return
        if message.code >= 200 or message.code == _SWITCHING_PROTOCOLS:
            self._body = body
            length = message.headers.get("Content-Length")
            self._due = None if length is None else int(length)
            body.on_eof(partial(self._kept.add, self))
        super().feed_data(data, size)

    def connection_lost(self, exc: BaseException | None) -> None:
        """The connection is closed."""
        self._kept.discard(self)
        super().connection_lost(exc)

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """Something is wrong with what came; not with the answer, if that is whole already."""
        if self._answered:
            self.hang_up()
        else:
            super().set_exception(exc, *cause)

    def is_connected(self) -> bool:
        """Whether a question can be sent: not if something lies unread in the socket, be it an answer to nothing or the end."""
        return super().is_connected() and not (self._answered and self._has_unread())

    def hang_up(self) -> None:
        """Close the connection. An answer that is whole can still be read."""
        self.force_close()
        self.close()

    @property
    def _answered(self) -> bool:
        """Whether the answer is whole, and nothing more is due."""
        return self._body is not None and self._body.is_eof()

    def _take_head(self, data: bytes) -> None:
        # Nearly every head comes in one piece: then nothing is gathered, and nothing copied.
        if not self._head and data.startswith(_BEGINS) and (end := _END_OF_HEAD.search(data)):
            self._parse(data[: end.end()], data[end.end() :])
        else:
            self._gather_head(data)

    def _gather_head(self, data: bytes) -> None:
        head = self._head
        searched = max(0, len(head) - 3)
        head += data
        if not searched and head.startswith((b"\r", b"\n")):
            del head[: len(head) - len(head.lstrip(b"\r\n"))]
        if not head.startswith(_BEGINS[: len(head)]):
            self._give_up("bad-http", f"an answer that begins with {bytes(head[:20])!r}")
        elif end := _END_OF_HEAD.search(head, searched):
            self._parse(bytes(head[: end.end()]), bytes(head[end.end() :]))
        elif len(head) > self._longest_head:
            self._give_up("headers-too-large", f"more than {self._longest_head} bytes")
        else:
            self.start_timeout()

    def _parse(self, head: bytes, rest: bytes) -> None:
        self._head.clear()
        super().data_received(with_one_length(head))
        if rest:
            self.data_received(rest)

    def _take_body(self, data: bytes) -> None:
        if self._due is None:
            self._take_chunks(data)
            return
        super().data_received(data[: self._due])
        self._due -= len(data)
        if self._due < 0:
            self._refuse_unasked()

    def _take_chunks(self, data: bytes) -> None:
        """Where the last chunk ends only the parser knows; what followed it is not told, but seen."""
        self._last = data[-4:] if len(data) >= 4 else (self._last + data)[-4:]
        super().data_received(data)
        if self._answered and not self._last.endswith(_END_OF_CHUNKS):
            self._refuse_unasked()

    def _give_up(self, why: str, detail: str) -> None:
        self.set_exception(Spoiled(why, detail))
        self.hang_up()

    def _refuse_unasked(self) -> None:
        self._kept.distrust(self._server)
        self.hang_up()

    def _has_unread(self) -> bool:
        assert self.transport is not None
        look = select.poll()
        look.register(self.transport.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(look.poll(0))


def with_one_length(head: bytes) -> bytes:
    """The head, rewritten where it speaks twice of the body's length.

    Chunks win over a length, the same number twice is one, and what is no number is no length. Two numbers stay: browsers refuse them
    too.
    """
    lowered = head.lower()
    lengths = _LENGTH.findall(lowered)
    if not lengths:
        return head
    coding = _CODING.search(lowered)
    if coding is None and len(lengths) == 1 and lengths[0].strip().isdigit():
        return head
    said = {each.strip() for value in lengths for each in value.split(b",")}
    if coding is not None and b"chunked" in coding[1]:
        return _reframed(head, b"Transfer-Encoding: chunked\r")
    if not all(each.isdigit() for each in said):
        return _reframed(head)
    return _reframed(head, b"Content-Length: " + said.pop() + b"\r") if len(said) == 1 else head


def _reframed(head: bytes, *framing: bytes) -> bytes:
    status, *lines = head.split(b"\n")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() not in _FRAMING]
    return b"\n".join((status, *framing, *kept))
