"""Connections through a SOCKS proxy: aiohttp's pool, whose sockets python-socks opens."""

import asyncio
import errno
import socket
from typing import Any

import python_socks
from aiohttp import AddrInfoType, ClientConnectorError, ClientRequest, ClientTimeout, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from python_socks.async_.asyncio import Proxy as SocksProxy

from thresher.fetch.connect import Guard, dialled
from thresher.fetch.failures import ProxyLost
from thresher.fetch.proxies import Proxy

_OF_THE_HOST = {
    1: errno.EHOSTUNREACH,
    2: errno.EACCES,
    3: errno.ENETUNREACH,
    4: errno.EHOSTUNREACH,
    5: errno.ECONNREFUSED,
    6: errno.ETIMEDOUT,
    8: errno.EHOSTUNREACH,
    91: errno.EHOSTUNREACH,
}
"""Answers of a proxy that speak of the host, not of itself; the last is of version 4."""


class AsWritten(AbstractResolver):
    """Looks up nothing: the proxy is sent the name."""

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_INET) -> list[ResolveResult]:
        """The name itself, in the place of an address."""
        return [ResolveResult(hostname=host, host=host, port=port, family=family, proto=0, flags=0)]

    async def close(self) -> None:
        """Nothing is open."""


class SocksConnector(TCPConnector):
    """Opens each connection through the proxy."""

    def __init__(self, proxy: Proxy, guard: Guard | None, **pool: Any) -> None:
        super().__init__(**pool)
        self._version_4 = proxy.url.scheme.startswith("socks4")
        self._by_name = proxy.looks_up
        kind = python_socks.ProxyType.SOCKS4 if self._version_4 else python_socks.ProxyType.SOCKS5
        host, port = proxy.place
        self._socks = SocksProxy(kind, host, port, proxy.url.user, proxy.url.password, rdns=proxy.looks_up)
        self._guard = guard

    async def _wrap_create_connection(
        self,
        *args: Any,
        addr_infos: list[AddrInfoType],
        req: ClientRequest,
        timeout: ClientTimeout,  # noqa: ASYNC109 - aiohttp's own
        client_error: type[Exception] = ClientConnectorError,
        **kwargs: Any,
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        host, port = _address(addr_infos, version_4=self._version_4)
        try:
            dialled(None if self._by_name else self._guard, host)
            opened = await self._opened(host, port, timeout.sock_connect)
        except ProxyLost:
            raise
        except OSError as error:
            # It says that another address of the host may be tried.
            raise client_error(req.connection_key, error) from error
        return await self._wrap_existing_connection(*args, req=req, timeout=timeout, sock=opened, **kwargs)

    async def _opened(self, host: str, port: int, seconds: float | None) -> socket.socket:
        try:
            return await self._socks.connect(host, port, timeout=seconds)
        except python_socks.ProxyTimeoutError as error:
            # The host, most likely: a proxy that does not answer refuses, or is not reached at all.
            raise OSError(errno.ETIMEDOUT, "the host does not answer the proxy") from error
        except python_socks.ProxyConnectionError as error:
            raise ProxyLost(error.strerror or "it cannot be reached") from error
        except python_socks.ProxyError as error:
            raise _refusal(error) from error


def _refusal(error: python_socks.ProxyError) -> OSError:
    """What the proxy says of the host, or of us."""
    number = _OF_THE_HOST.get(error.error_code or 0)
    return ProxyLost(str(error)) if number is None else OSError(number, f"the proxy says: {error}")


def _address(known: list[AddrInfoType], *, version_4: bool) -> tuple[str, int]:
    """Where the proxy shall lead to; version 4 knows no IPv6."""
    chosen = next((each for each in known if each[0] == socket.AF_INET), known[0]) if version_4 else known[0]
    return str(chosen[4][0]), int(chosen[4][1])
