"""Connections: names are looked up and remembered, each address is shown to the guard as a socket is opened to it."""

import asyncio
import errno
import os
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial

from aiohttp import AddrInfoType, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from thresher.fetch.descriptors import any_left, share
from thresher.fetch.exchange import Exchange, KeptOpen
from thresher.fetch.proxies import Proxy
from thresher.model import Host, Refused

Guard = Callable[[str, str], bool]
"""`guard(host, address)`: may we connect to that address for that host?"""

_LOOKUPS = 32
_REMEMBER_NAMES = 300
_REMEMBERED_NAMES = 10_000
# Of IPv4 and of IPv6 each, so that a way is left where one of them leads nowhere. An answer may have 4,000 addresses, which are 1.4 MB.
_ADDRESSES_OF_A_KIND = 8
# Servers commonly close after five idle seconds; a connection that they close while we write costs a try.
_KEEP_ALIVE = 4.0

# The ports that browsers open for no page (*port blocking* in the Fetch standard), and 0: something other than the web listens there and
# might take a request for its own. A link is all it takes to aim a crawl at somebody's mail server.
_BAD = """
    0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
    137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
    1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
"""
BAD_PORTS = frozenset(map(int, _BAD.split()))


class Dial:
    """How one request got its connection."""

    __slots__ = ("host", "opened", "refused")

    def __init__(self, host: Host) -> None:
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


class _FewAddresses(AbstractResolver):
    """The first addresses of each name, by another resolver: all that it gives is remembered, and tried one by one."""

    def __init__(self, names: AbstractResolver) -> None:
        self._names = names

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Some addresses of a host, in the order in which they came."""
        of_a_kind: Counter[int] = Counter()
        few = []
        for each in await self._names.resolve(host, port, family):
            of_a_kind[each["family"]] += 1
            if of_a_kind[each["family"]] <= _ADDRESSES_OF_A_KIND:
                few.append(each)
        return few

    async def close(self) -> None:
        """Close the other resolver."""
        await self._names.close()


def _look_up(host: str, port: int, family: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    except socket.gaierror as error:
        # It may be that no file could be opened to ask a name server, and the error says only that the name is unknown.
        raise (error if any_left() else OSError(errno.EMFILE, os.strerror(errno.EMFILE))) from error
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, f"not a host name: {error}") from error
    return [str(address[0]) for _, _, _, _, address in found]


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)


def bad_port(host: Host) -> Refused | None:
    """The refusal of a host whose port is on the list."""
    _, colon, port = host.rpartition("]")[2].rpartition(":")
    return Refused("bad-port", f"{host}: no web server is on port {port}") if colon and int(port) in BAD_PORTS else None


class Connections:
    """All connections of a crawl, which its fetchers share: so many under way, and so many kept open for the next question."""

    def __init__(self, names: AbstractResolver, guard: Guard | None, wanted: int, *, proxied: bool = False) -> None:
        self._names, self._guard, self._wanted, self._proxied = _FewAddresses(names), guard, wanted, proxied
        self._pool: TCPConnector | None = None
        self._socks: dict[Proxy, TCPConnector] = {}
        self._kept = KeptOpen()

    def open(self, proxy: Proxy | None = None) -> TCPConnector:
        """The pool for aiohttp, whose every socket passes the guard; each SOCKS proxy has one of its own."""
        # Not in the constructor: aiohttp wants a running loop, and a crawl is put together before there is one.
        if self._pool is None or self._pool.closed:
            under_way, self._kept.most = share(self._wanted)
            self.turn = asyncio.Semaphore(under_way)
            """Held by a request under way. aiohttp has a limit of its own, but whoever waits there runs into the connect timeout."""
            self._pool, self._socks = self._new_pool(), {}
        return self._pool if proxy is None or not proxy.socks else self._through(proxy)

    def make_room(self) -> None:
        """Close the connections that are only kept, because there is no room for one that is needed."""
        self._kept.close_all()

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.close()
            for pool in self._socks.values():
                await pool.close()
        await self._names.close()

    def _through(self, proxy: Proxy) -> TCPConnector:
        if proxy not in self._socks:
            from thresher.fetch.socks import AsWritten, SocksConnector  # noqa: PLC0415 - an extra, and few need it

            connector = partial(SocksConnector, proxy, self._guard)
            self._socks[proxy] = self._new_pool(connector, AsWritten() if proxy.looks_up else self._names)
        return self._socks[proxy]

    def _new_pool(
        self, connector: Callable[..., TCPConnector] = TCPConnector, names: AbstractResolver | None = None
    ) -> TCPConnector:
        pool = connector(
            resolver=names or self._names,
            limit=0,
            use_dns_cache=True,
            ttl_dns_cache=_REMEMBER_NAMES,
            dns_cache_max_size=_REMEMBERED_NAMES,
            keepalive_timeout=_KEEP_ALIVE,
            socket_factory=_guarded(None if self._proxied else self._guard),
        )
        # There is no public way to say what handles a connection.
        pool._factory = partial(Exchange, pool._loop, self._kept)  # type: ignore[assignment]  # noqa: SLF001
        return pool


def _guarded(guard: Guard | None) -> Callable[[AddrInfoType], socket.socket]:
    """Opens sockets. The address here is exactly the one that is connected to, whether it was looked up or written in the url.

    A name that resolves differently the second time (DNS rebinding) gains nothing: no look-up follows the check.
    """

    def open_socket(address_info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = address_info
        dialled(guard, str(address[0]))
        return socket.socket(family, kind, protocol)

    return open_socket


def dialled(guard: Guard | None, address: str) -> None:
    """Note that a socket is opened to that address, if the guard lets it."""
    dial = DIAL.get()
    if guard is not None and not guard(dial.host, address):
        dial.refused = address
        raise OSError(errno.EACCES, f"refused to connect to {address}")
    dial.opened = True
