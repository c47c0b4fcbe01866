"""One question and the head of its answer, over aiohttp's connections and parser, without its session.

A session prepares for redirects, cookies, uploads and middlewares, none of which a crawl has, and takes .06 of .20 ms of CPU a fetch
for it. What is left of a request is the bytes that are written: exactly those that the archive keeps.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from aiohttp import ClientRequest, ClientResponseError, ClientTimeout, ConnectionTimeoutError
from aiohttp.connector import Connection, TCPConnector
from aiohttp.http import HttpProcessingError, RawResponseMessage
from aiohttp.streams import StreamReader
from yarl import URL

from thresher.model import Headers, Url

_CHUNK = 1 << 16
_MOST_HEADERS = 256
_REMEMBERED_ORIGINS = 1_000
_SWITCHING_PROTOCOLS = 101


class AnswerHead:
    """The head of an answer, with its body still to come. It must be closed."""

    def __init__(self, message: RawResponseMessage, content: StreamReader, connection: Connection, peer: str) -> None:
        self.status: int = message.code
        self.headers: Mapping[str, str] = message.headers
        """In any case of letters."""
        self.raw_headers: Headers = message.raw_headers
        self.content = content
        self.peer = peer
        """The address it comes from."""
        self._connection = connection

    @property
    def content_length(self) -> int:
        """How many bytes the head announces; 0 if it does not say."""
        return int(self.headers.get("Content-Length", 0))

    def close(self) -> None:
        """Keep the connection for the next question if the answer is whole; otherwise hang up."""
        if self.content.is_eof():
            self._connection.release()
        else:
            self._connection.close()


class Questions:
    """Asks over a pool of connections."""

    def __init__(self, timeout: ClientTimeout, max_header_bytes: int) -> None:
        self._timeout, self._max_header_bytes = timeout, max_header_bytes
        self._requests: OrderedDict[tuple[str, URL | None], ClientRequest] = OrderedDict()
        """One for each origin and HTTP proxy: what aiohttp opens a connection by."""

    async def ask(self, pool: TCPConnector, url: Url, head: bytes, proxy: URL | None = None) -> AnswerHead:
        """Send a request, through an HTTP proxy if one is named, and wait for the head of its answer."""
        request = self._request(url[: url.index("/", 8) + 1], proxy)
        try:
            connection = await pool.connect(request, traces=[], timeout=self._timeout)
        except TimeoutError as error:
            raise ConnectionTimeoutError(f"no connection to {request.url}") from error
        try:
            return await self._answer(connection, _for_proxy(request, head))
        except HttpProcessingError as error:
            connection.close()
            said = ClientResponseError(request.request_info, (), status=error.code, message=error.message)
            raise said from error
        except BaseException:
            connection.close()
            raise

    def forget(self) -> None:
        """Begin anew: what is remembered belongs to one event loop."""
        self._requests.clear()

    async def _answer(self, connection: Connection, head: bytes) -> AnswerHead:
        protocol, transport = connection.protocol, connection.transport
        assert protocol is not None
        assert transport is not None
        protocol.set_response_params(
            read_until_eof=True,
            auto_decompress=False,
            read_timeout=self._timeout.sock_read,
            read_bufsize=_CHUNK,
            max_line_size=self._max_header_bytes,
            max_field_size=self._max_header_bytes,
            max_headers=_MOST_HEADERS,
        )
        name = transport.get_extra_info("peername")
        transport.write(head)
        protocol.start_timeout()
        message, content = await protocol.read()
        while 100 <= message.code < 200 and message.code != _SWITCHING_PROTOCOLS:
            message, content = await protocol.read()
        return AnswerHead(message, content, connection, name[0] if name else "")

    def _request(self, origin: str, proxy: URL | None) -> ClientRequest:
        request = self._requests.get((origin, proxy))
        if request is None:
            url, loop = URL(origin, encoded=True), asyncio.get_running_loop()
            request = self._requests[origin, proxy] = ClientRequest("GET", url, proxy=proxy, loop=loop)
            if len(self._requests) > _REMEMBERED_ORIGINS:
                self._requests.popitem(last=False)
        return request


def _for_proxy(request: ClientRequest, head: bytes) -> bytes:
    """The head with the password of the proxy, where it has one and reads the head itself. The archive is not told."""
    password = request.headers.get("Proxy-Authorization")
    return head if password is None else head[:-2] + f"Proxy-Authorization: {password}\r\n\r\n".encode()
