"""A SOCKS proxy on loopback, versions 4, 4a and 5, which keeps what it was asked for."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address


class Socks:
    """Leads to any name on this machine. `login` is what version 5 must send, such as `me:hush`; `refuse` is the reply for all."""

    def __init__(self, *, login: str = "", refuse: int = 0) -> None:
        self.login, self.refuse = login, refuse
        self.port = 0
        self.asked: list[tuple[str, int]] = []

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            version = (await reader.readexactly(1))[0]
            led = await (self._five if version == 5 else self._four)(reader, writer)
            if led:
                await self._relay(reader, writer)
        writer.close()

    async def _five(self, reader, writer) -> bool:
        offered = await reader.readexactly((await reader.readexactly(1))[0])
        writer.write(bytes([5, 2 if self.login else 0]))
        if self.login and not (2 in offered and await self._let_in(reader, writer)):
            return False
        _, _, _, kind = await reader.readexactly(4)
        if kind == 3:
            name = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            name = str(ip_address(await reader.readexactly(4 if kind == 1 else 16)))
        self.asked.append((name, int.from_bytes(await reader.readexactly(2), "big")))
        writer.write(bytes([5, self.refuse, 0, 1, 0, 0, 0, 0, 0, 0]))
        return not self.refuse

    async def _let_in(self, reader, writer) -> bool:
        await reader.readexactly(1)
        user = await reader.readexactly((await reader.readexactly(1))[0])
        word = await reader.readexactly((await reader.readexactly(1))[0])
        fits = f"{user.decode()}:{word.decode()}" == self.login
        writer.write(bytes([1, 0 if fits else 1]))
        return fits

    async def _four(self, reader, writer) -> bool:
        _, *number = await reader.readexactly(7)
        port, address = int.from_bytes(bytes(number[:2]), "big"), bytes(number[2:])
        await reader.readuntil(b"\0")
        by_name = address[:3] == b"\0\0\0" and address[3]
        name = (await reader.readuntil(b"\0"))[:-1].decode() if by_name else str(ip_address(address))
        self.asked.append((name, port))
        writer.write(bytes([0, 91 if self.refuse else 90, 0, 0, 0, 0, 0, 0]))
        return not self.refuse

    async def _relay(self, reader, writer) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.asked[-1][1], family=socket.AF_INET)
        await asyncio.gather(_pour(reader, back), _pour(there, writer))


async def _pour(source, into) -> None:
    with suppress(OSError):
        while some := await source.read(65_536):
            into.write(some)
            await into.drain()
    into.close()


@asynccontextmanager
async def socks_proxy(**how) -> AsyncIterator[Socks]:
    """One that listens."""
    proxy = Socks(**how)
    server = await asyncio.start_server(proxy.talk, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    yield proxy
    server.close()
