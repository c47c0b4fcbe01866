"""The misdeeds of the rude web: what each does on the wire, and what a fetcher with short timeouts should call it."""

import asyncio
import gzip
import itertools
import random
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import brotli

HTML = "text/html; charset=utf-8"


@dataclass
class Exchange:
    """One request and the wire for its answer."""

    web: Any
    path: str
    head: bytes
    writer: asyncio.StreamWriter

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    def answer(self, body: bytes, *headers: str, status: str = "200 OK", kind: str | None = HTML) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        if kind:
            lines.append(f"Content-Type: {kind}")
        self.send("\r\n".join([*lines, "", ""]).encode() + body)

    async def stream(self, pieces: Any, *headers: str) -> None:
        lines = ["HTTP/1.1 200 OK", f"Content-Type: {HTML}", "Connection: close", *headers, "", ""]
        self.send("\r\n".join(lines).encode())
        for piece in pieces:
            self.send(piece)
            await self.writer.drain()
        self.writer.close()

    def reset(self) -> None:
        # A socket that lingers for no time answers the next packet with RST instead of FIN.
        endpoint = self.writer.get_extra_info("socket")
        endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    @property
    def rest(self) -> str:
        """What follows the first part of the path."""
        return self.path[1:].partition("/")[2]


class Rudeness(NamedTuple):
    outcome: str
    behave: Callable[[Exchange], Awaitable[None]]


RUDENESSES: dict[str, Rudeness] = {}


def rude(path: str, outcome: str) -> Callable[[Callable[[Exchange], Any]], Callable[[Exchange], Any]]:
    """Enter a misdeed into the table."""

    def enter(deed: Callable[[Exchange], Any]) -> Callable[[Exchange], Any]:
        async def behave(exchange: Exchange) -> None:
            done = deed(exchange)
            if asyncio.iscoroutine(done):
                await done

        RUDENESSES[path] = Rudeness(outcome, behave)
        return deed

    return enter


def page(title: str, content: str = "") -> bytes:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{content}</body></html>".encode()


# ── time ──


@rude("/hang", "timeout")
async def hang(exchange):
    await asyncio.Event().wait()


@rude("/hang-in-body", "timeout")
async def hang_in_body(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<html>")
    await asyncio.Event().wait()


@rude("/trickle", "timeout")
async def trickle(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
    while True:
        exchange.send(b"a")
        await exchange.writer.drain()
        await asyncio.sleep(exchange.web.beat)


@rude("/trickle-head", "timeout")
async def trickle_head(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        exchange.send(b"X-%d: a\r\n" % number)
        await exchange.writer.drain()
        await asyncio.sleep(exchange.web.beat)


# ── connections ──


@rude("/reset", "reset")
def reset(exchange):
    exchange.reset()


@rude("/hang-up", "reset")
def hang_up(exchange):
    exchange.writer.close()


@rude("/reset-in-body", "incomplete")
async def reset_in_body(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<html>")
    await asyncio.sleep(0.05)
    exchange.reset()


# ── lengths ──


@rude("/length-too-long", "incomplete")
def length_too_long(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<html>short</html>")
    exchange.writer.close()


@rude("/length-too-short", "http-200")
def length_too_short(exchange):
    exchange.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>and then some more</html>"
    )
    exchange.writer.close()


@rude("/length-nonsense", "http-200")
def length_nonsense(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: many\r\n\r\n<html></html>")
    exchange.writer.close()


@rude("/chunks-and-a-length", "http-200")
def chunks_and_a_length(exchange):
    exchange.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"6\r\n<html>\r\n0\r\n\r\n"
    )


@rude("/no-content-with-a-body", "http-204")
def no_content_with_a_body(exchange):
    exchange.send(b"HTTP/1.1 204 No Content\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>")


@rude("/two-answers", "http-200")
def two_answers(exchange):
    exchange.answer(page("What was asked for"))
    exchange.answer(page("What nobody asked for"))


@rude("/late-second-answer", "http-200")
async def late_second_answer(exchange):
    exchange.answer(page("What was asked for"))
    await exchange.writer.drain()
    await asyncio.sleep(exchange.web.beat / 2)
    exchange.answer(page("What nobody asked for"))


@rude("/chunks-cut-off", "incomplete")
def chunks_cut_off(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n")
    exchange.writer.close()


@rude("/endless", "too-large")
async def endless(exchange):
    await exchange.stream(itertools.chain([b"<html>"], itertools.repeat(b"and so on " * 6_000)))


@rude("/announces-a-terabyte", "too-large")
def announces_a_terabyte(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1099511627776\r\n\r\n<html>")


# ── encodings ──


@rude("/says-gzip-is-plain", "bad-encoding")
def says_gzip_is_plain(exchange):
    exchange.answer(page("Plain"), "Content-Encoding: gzip")


@rude("/says-br-is-gzip", "bad-encoding")
def says_br_is_gzip(exchange):
    exchange.answer(gzip.compress(page("Packed")), "Content-Encoding: br")


@rude("/says-zstd-is-plain", "bad-encoding")
def says_zstd_is_plain(exchange):
    exchange.answer(page("Plain"), "Content-Encoding: zstd")


@rude("/invalid-gzip", "bad-encoding")
def invalid_gzip(exchange):
    packed = bytearray(gzip.compress(page("Packed", "some words " * 500)))
    packed[len(packed) // 2] ^= 0xFF
    exchange.answer(bytes(packed), "Content-Encoding: gzip")


@rude("/half-a-gzip", "bad-encoding")
def half_a_gzip(exchange):
    packed = gzip.compress(page("Packed", "some words " * 500))
    exchange.answer(packed[: len(packed) // 2], "Content-Encoding: gzip")


@rude("/encoded-utf-8", "http-200")
def encoded_utf_8(exchange):
    exchange.answer(page("Not an encoding at all"), "Content-Encoding: utf-8")


@rude("/packed-too-often", "bad-encoding")
def packed_too_often(exchange):
    exchange.answer(page("Packed"), "Content-Encoding: " + ", ".join(["gzip"] * 50))


@rude("/gzip-bomb", "bomb")
async def gzip_bomb(exchange):
    """10 MB that unpack to 10 GB: the same deflate blocks again and again."""
    head, blocks = _ten_megabytes_of_nothing()
    await exchange.stream(itertools.chain([head], itertools.repeat(blocks, 1000)), "Content-Encoding: gzip")


@cache
def _ten_megabytes_of_nothing() -> tuple[bytes, bytes]:
    packer = zlib.compressobj(9, wbits=31)
    head = packer.compress(b"<html>") + packer.flush(zlib.Z_FULL_FLUSH)
    return head, packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)


@rude("/br-bomb", "bomb")
def br_bomb(exchange):
    exchange.answer(_brotli_bomb(), "Content-Encoding: br")


@cache
def _brotli_bomb() -> bytes:
    return brotli.compress(bytes(100_000_000), quality=3)


@rude("/zstd-bomb", "bomb")
def zstd_bomb(exchange):
    """A third of a megabyte for 10 GB: blocks of four bytes that each stand for 128 KiB of one letter."""
    head = b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([7 << 3])
    block = ((1 << 1) | ((128 << 10) << 3)).to_bytes(3, "little") + b"a"
    exchange.answer(head + block * 80_000, "Content-Encoding: zstd")


@rude("/bomb-in-a-bomb", "bomb")
def bomb_in_a_bomb(exchange):
    head, blocks = _ten_megabytes_of_nothing()
    exchange.answer(gzip.compress(head + blocks * 100), "Content-Encoding: gzip, gzip")


# ── redirects ──


def _redirect(exchange: Exchange, target: str, status: str = "302 Found") -> None:
    exchange.answer(b"", f"Location: {target}", status=status)


@rude("/loop", "http-302")
def loop(exchange):
    _redirect(exchange, "/loop")


@rude("/loop-of-two", "http-302")
def loop_of_two(exchange):
    _redirect(exchange, "/loop-of-two/back" if not exchange.rest else "/loop-of-two")


@rude("/chain", "http-301")
def chain(exchange):
    """A chain of 30 redirects."""
    number = int(exchange.rest or 0)
    if number < 30:
        _redirect(exchange, f"/chain/{number + 1}", "301 Moved Permanently")
    else:
        exchange.answer(page("The end of the chain"))


@rude("/to-a-private-port", "http-302")
def to_a_private_port(exchange):
    _redirect(exchange, f"http://{exchange.web.secret_host}/keys")


@rude("/to-metadata", "http-302")
def to_metadata(exchange):
    _redirect(exchange, "http://169.254.169.254/latest/meta-data/")


@rude("/to-a-file", "http-302")
def to_a_file(exchange):
    _redirect(exchange, "file:///etc/passwd")


@rude("/to-javascript", "http-302")
def to_javascript(exchange):
    _redirect(exchange, "javascript:alert(1)")


@rude("/to-nowhere", "http-302")
def to_nowhere(exchange):
    exchange.answer(b"", status="302 Found")


@rude("/redirect-with-bad-gzip", "http-302")
def redirect_with_bad_gzip(exchange):
    exchange.answer(b"moved", "Location: /soft-404", "Content-Encoding: gzip", status="302 Found")


# ── traps ──


@rude("/soft-404", "http-200")
def soft_404(exchange):
    """Whatever is asked for is there."""
    name = exchange.rest or "0"
    links = "".join(f'<a href="/soft-404/{name}{letter}">more</a> ' for letter in "ab")
    exchange.answer(page("Welcome", links))


@rude("/calendar", "http-200")
def calendar(exchange):
    month = int(exchange.path.partition("month=")[2] or 0)
    exchange.answer(page(f"Month {month}", f'<a href="/calendar?month={month + 1}">next month</a>'))


_sessions = itertools.count(1)


@rude("/sessions", "http-200")
def sessions(exchange):
    """Each page has a new session id in all its links."""
    session = f"{next(_sessions):016x}"
    links = "".join(f'<a href="/sessions/{session}/{name}">{name}</a> ' for name in ("home", "shop"))
    exchange.answer(page("Shop", links))


@rude("/deep", "http-200")
def deep(exchange):
    exchange.answer(b"<html><body>" + b"<div>" * 100_000 + b"down here" + b"</div>" * 100_000)


@rude("/forbidden", "http-200")
def forbidden(exchange):
    """Its robots.txt disallows it."""
    exchange.answer(page("You were not to come here"))


# ── heads ──


@rude("/many-headers", "headers-too-large")
async def many_headers(exchange):
    """20 MB in lines of 100 bytes."""
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    for number in range(2_000):
        exchange.send(b"".join(b"X-Rude-%d: %s\r\n" % (number, b"a" * 88) for _ in range(100)))
        await exchange.writer.drain()
    exchange.writer.close()


@rude("/long-header", "headers-too-large")
async def long_header(exchange):
    """One line of 20 MB."""
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Rude: ")
    for _ in range(2_000):
        exchange.send(b"a" * 10_000)
        await exchange.writer.drain()
    exchange.writer.close()


@rude("/long-status-line", "headers-too-large")
async def long_status_line(exchange):
    exchange.send(b"HTTP/1.1 200 ")
    for _ in range(2_000):
        exchange.send(b"a" * 10_000)
        await exchange.writer.drain()
    exchange.writer.close()


# ── kinds and statuses ──


@rude("/no-type", "http-200")
def no_type(exchange):
    exchange.answer(page("Guess what I am"), kind=None)


@rude("/no-type-binary", "content-type")
def no_type_binary(exchange):
    exchange.answer(b"\x89PNG\r\n\x1a\n" + bytes(2_000), kind=None)


@rude("/pdf", "content-type")
async def pdf(exchange):
    """Endless: whoever wants only HTML goes away after the head."""
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nConnection: close\r\n\r\n%PDF-1.7")
    while True:
        exchange.send(b"0" * 65_536)
        await exchange.writer.drain()


def _status(status: str, outcome: str, *headers: str) -> None:
    def answer(exchange: Exchange) -> None:
        empty = status[:3] in {"204", "304"}
        lines = [f"HTTP/1.1 {status}", *headers, "", ""] if empty else []
        exchange.send("\r\n".join(lines).encode()) if empty else exchange.answer(page(status), *headers, status=status)

    rude(f"/status-{status[:3]}", outcome)(answer)


_status("204 No Content", "http-204")
_status("304 Not Modified", "http-304")
_status("401 Unauthorized", "http-401", 'WWW-Authenticate: Basic realm="nobody"')
_status("404 Not Found", "http-404")
_status("429 Too Many Requests", "http-429", "Retry-After: 2")
_status("500 Internal Server Error", "http-500")
_status("503 Service Unavailable", "http-503", "Retry-After: 1")


@rude("/switches-protocols", "bad-http")
def switches_protocols(exchange):
    exchange.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: gopher\r\nConnection: upgrade\r\n\r\niHello")


@rude("/http-0.9", "bad-http")
def http_0_9(exchange):
    exchange.send(b"<html>there was a time without headers</html>")
    exchange.writer.close()


@rude("/noise", "bad-http")
def noise(exchange):
    exchange.send(random.Random(9).randbytes(100_000))
    exchange.writer.close()


@rude("/bare-newlines", "bad-http")
def bare_newlines(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Bad Name\x00: a\r\n\r\n<html></html>")
    exchange.writer.close()
