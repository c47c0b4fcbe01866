"""What all who ask other machines have in common: is an address this machine's own, and how much of an answer is too much."""

import ipaddress

from aiohttp import ClientResponse


def is_here(host: str) -> bool:
    """Whether a host is this very machine, so that nothing sent to it can be overheard."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def whole_body(response: ClientResponse, most: int) -> bytes | None:
    """The whole of an answer, or None if it has more than so many bytes."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(1 << 16):
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)
