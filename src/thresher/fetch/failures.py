"""What can go wrong while a page is fetched, and what we call it: one table."""

import errno
import socket
import ssl
from typing import NamedTuple

import aiohttp
from aiohttp.http_exceptions import LineTooLong

from thresher.model import Failed


class Spoiled(Exception):
    """An answer is given up while it comes in."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why, detail)
        self.why = why
        self.detail = detail


class ProxyLost(OSError):
    """A SOCKS proxy cannot be reached, or does not let us in."""


class _Name(NamedTuple):
    why: str
    retry: bool = True
    strain: bool = False
    detail: str = ""


_TIMEOUT = _Name("timeout", strain=True)
_RESET = _Name("reset", strain=True)
_UNREACHABLE = _Name("unreachable", strain=True)
_TLS = _Name("tls", retry=False)
_BAD_HTTP = _Name("bad-http", retry=False)

# Method not allowed, not implemented: the proxy does not know CONNECT, so there is no use in trying again.
_NO_TUNNELS = {405, 501}
# The first row that fits counts, so the special ones come first.
_BY_TYPE: tuple[tuple[type[Exception], _Name], ...] = (
    (aiohttp.ConnectionTimeoutError, _TIMEOUT._replace(detail="connect")),
    (aiohttp.SocketTimeoutError, _TIMEOUT._replace(detail="read")),
    (aiohttp.ClientConnectorDNSError, _Name("dns", strain=True)),
    (aiohttp.ClientSSLError, _TLS),
    (aiohttp.ClientProxyConnectionError, _Name("proxy", strain=True)),
    (aiohttp.ClientHttpProxyError, _Name("proxy", strain=True)),
    (ProxyLost, _Name("proxy", strain=True)),
    (aiohttp.ServerDisconnectedError, _RESET),
    (aiohttp.ClientPayloadError, _Name("incomplete", strain=True)),
    (aiohttp.InvalidURL, _Name("bad-url", retry=False)),
    (aiohttp.ClientResponseError, _BAD_HTTP),
    (ssl.SSLError, _TLS),
    (TimeoutError, _TIMEOUT._replace(detail="total")),
)
_BY_NUMBER = {
    errno.ECONNREFUSED: _Name("connection-refused", strain=True),
    errno.ECONNRESET: _RESET,
    errno.ECONNABORTED: _RESET,
    errno.EPIPE: _RESET,
    errno.ETIMEDOUT: _TIMEOUT._replace(detail="connect"),
    errno.EHOSTUNREACH: _UNREACHABLE,
    errno.ENETUNREACH: _UNREACHABLE,
    errno.EADDRNOTAVAIL: _UNREACHABLE,
}


def failure(error: Exception, *, kept: bool) -> Failed:
    """The name of an error; `kept` says that it happened on a connection that an earlier request had opened."""
    if isinstance(error, Spoiled):
        return Failed(error.why, error.detail, retry=False)
    name = _name_of(error)
    # A server may close an idle connection in the very moment we use it again. That is no strain.
    strain = name.strain and not (kept and name.why == "reset")
    return Failed(name.why, name.detail or _words(error), name.retry, strain)


def lost_proxy(error: Exception) -> bool:
    """Whether the proxy itself gave no answer, so that another may."""
    return isinstance(error, aiohttp.ClientProxyConnectionError | ProxyLost)


def _name_of(error: Exception) -> _Name:
    if isinstance(error, aiohttp.ClientResponseError) and _head_too_large(error):
        return _Name("headers-too-large", retry=False)
    if isinstance(error, aiohttp.ClientHttpProxyError) and error.status in _NO_TUNNELS:
        return _TLS._replace(detail=f"the proxy opens no tunnels: {error.status} {_words(error)}")
    for kind, name in _BY_TYPE:
        if isinstance(error, kind):
            return name._replace(retry=not _no_such_name(error)) if name.why == "dns" else name
    if isinstance(error, OSError):
        return _BY_NUMBER.get(error.errno or 0, _RESET if isinstance(error, ConnectionError) else _UNREACHABLE)
    # Nothing that a server sends may end the crawl, whatever it makes the client raise.
    return _BAD_HTTP._replace(detail=repr(error)[:200])


def _head_too_large(error: aiohttp.ClientResponseError) -> bool:
    parsing = error.__cause__
    long_line = parsing is not None and isinstance(parsing.__cause__, LineTooLong)
    return long_line or error.message == "Too many headers received"


def _no_such_name(error: Exception) -> bool:
    cause = error.__cause__
    return isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_NONAME


def _words(error: Exception) -> str:
    words = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
    return " ".join(words.split())[:200] or type(error).__name__
