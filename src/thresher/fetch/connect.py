"""Connections: names are looked up and remembered, each address is shown to the guard as a socket is opened to it."""

import asyncio
import errno
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial

from aiohttp import AddrInfoType, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from thresher.fetch.exchange import Exchange

Guard = Callable[[str, str], bool]
"""`guard(host, address)`: may we connect to that address for that host?"""

_LOOKUPS = 32
_REMEMBER_NAMES = 300
_REMEMBERED_NAMES = 10_000
# Servers commonly close after five idle seconds; a connection that they close while we write costs a try.
_KEEP_ALIVE = 4.0


class Dial:
    """How one request got its connection."""

    __slots__ = ("host", "opened", "refused")

    def __init__(self, host: str) -> None:
        self.host = host
        self.opened = False
        """Whether a socket was opened for it; otherwise an earlier one was used again."""
        self.refused = ""
        """The last address that the guard refused."""


DIAL: ContextVar[Dial] = ContextVar("dial")


class NameResolver(AbstractResolver):
    """Resolves names to addresses: by a table first, then by the system."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table
        # The loop's own pool has few threads, and a dead name server holds each for half a minute.
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="names")

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[ResolveResult]:
        """All addresses of a host."""
        if address := self._table.get(host):
            return [_result(host, address, port)]
        look_up = asyncio.get_running_loop().run_in_executor
        found = await look_up(self._threads, _look_up, host, port, family)
        return [_result(host, address, port) for address in dict.fromkeys(found)]

    async def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str, port: int, family: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, f"not a host name: {error}") from error
    return [str(address[0]) for _, _, _, _, address in found]


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)


def connector(names: AbstractResolver, guard: Guard | None, connections: int) -> TCPConnector:
    """A pool of connections whose every socket passes the guard."""
    pool = TCPConnector(
        resolver=names,
        limit=connections,
        use_dns_cache=True,
        ttl_dns_cache=_REMEMBER_NAMES,
        dns_cache_max_size=_REMEMBERED_NAMES,
        keepalive_timeout=_KEEP_ALIVE,
        socket_factory=_guarded(guard),
    )
    # There is no public way to say what handles a connection.
    pool._factory = partial(Exchange, pool._loop)  # type: ignore[assignment]  # noqa: SLF001
    return pool


def _guarded(guard: Guard | None) -> Callable[[AddrInfoType], socket.socket]:
    """Opens sockets. The address here is exactly the one that is connected to, whether it was looked up or written in the url.

    A name that resolves differently the second time (DNS rebinding) gains nothing: no look-up follows the check.
    """

    def open_socket(address_info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = address_info
        dial = DIAL.get()
        if guard is not None and not guard(dial.host, str(address[0])):
            dial.refused = str(address[0])
            raise OSError(errno.EACCES, f"refused to connect to {address[0]}")
        dial.opened = True
        return socket.socket(family, kind, protocol)

    return open_socket
