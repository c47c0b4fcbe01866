"""One answer for each question, on real sockets: a server sends what its script says, byte for byte."""

import asyncio
import inspect
from contextlib import asynccontextmanager

import pytest
from aiohttp import TCPConnector
from aiohttp.client_proto import ResponseHandler

from thresher.fetch import HttpFetcher
from thresher.fetch.exchange import Exchange
from thresher.model import Url

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n"


def sized(body, *headers):
    return HEAD + b"".join(header + b"\r\n" for header in headers) + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Script:
    """Answers each request of a connection with the next piece of its script; a number is a wait in seconds."""

    def __init__(self, *connections):
        self.connections = [list(answers) for answers in connections]
        self.opened = 0
        self.asked = []

    async def talk(self, reader, writer):
        answers = self.connections[min(self.opened, len(self.connections) - 1)]
        self.opened += 1
        try:
            for pieces in answers:
                self.asked.append((await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode())
                for piece in pieces:
                    await self.send(piece, writer)
            await reader.read()
        except OSError:
            pass
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    async def send(self, piece, writer):
        if isinstance(piece, bytes):
            writer.write(piece)
            await writer.drain()
        elif piece == "close":
            writer.close()
        else:
            await asyncio.sleep(piece)


@asynccontextmanager
async def scripted(*connections, **how):
    script = Script(*connections)
    listener = await asyncio.start_server(script.talk, "127.0.0.1", 0)
    script.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/"
    fetcher = HttpFetcher(**{"connect": 10.0, "read": 30.0, "total": 60.0, **how})
    yield script, lambda path="": fetcher.fetch(Url(script.url + path))
    await fetcher.close()
    listener.close()
    await listener.wait_closed()


ASKED, FOREIGN = sized(b"<p>what was asked for"), sized(b"<p>foreign")


# ── answers that nobody asked for ──


@pytest.mark.parametrize("wait", [0.05, 0.3])
async def test_a_late_second_answer_is_never_taken_for_the_next_one(wait):
    async with scripted([[ASKED, 0.05, FOREIGN]], [[ASKED]]) as (server, fetch):
        await fetch("first")
        await asyncio.sleep(wait + 0.1)
        second = await fetch("second")
    assert second.body == b"<p>what was asked for"
    assert (server.opened, server.asked) == (2, ["/first", "/second"])


async def test_an_answer_that_lies_unread_in_the_socket_is_seen_before_the_next_question():
    """The loop has no chance to read it: the second fetch begins before the loop looks at its sockets again."""
    sent = asyncio.Event()

    async def talk(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        first = not sent.is_set()
        writer.write(ASKED)
        if first:
            await asyncio.sleep(0.05)
            writer.write(FOREIGN)
            sent.set()
        await reader.read()
        writer.close()

    listener = await asyncio.start_server(talk, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/"
    fetcher = HttpFetcher()
    await fetcher.fetch(Url(url + "first"))
    await sent.wait()
    second = await fetcher.fetch(Url(url + "second"))
    await fetcher.close()
    listener.close()
    assert second.body == b"<p>what was asked for"


@pytest.mark.parametrize(
    "surplus",
    [
        FOREIGN,
        b"<p>more than it said",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"\0",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ],
)
@pytest.mark.parametrize("split", [(), (0.05,)], ids=["in one packet", "in two"])
@pytest.mark.parametrize(
    "answer",
    [
        ASKED,
        sized(b"<p>what was asked for", b"Connection: close"),
        CHUNKED + b"\r\n15\r\n<p>what was asked for\r\n0\r\n\r\n",
        CHUNKED + b"Content-Length: 9999\r\n\r\n15\r\n<p>what was asked for\r\n0\r\n\r\n",
    ],
    ids=["sized", "closing", "chunked", "chunked and sized"],
)
async def test_what_follows_an_answer_is_neither_part_of_it_nor_of_the_next(answer, split, surplus):
    async with scripted([[answer, *split, surplus], [FOREIGN]], [[ASKED]]) as (server, fetch):
        first = await fetch("first")
        await asyncio.sleep(0.1)
        second = await fetch("second")
    assert [first.body, second.body] == [b"<p>what was asked for"] * 2
    assert (server.opened, server.asked) == (2, ["/first", "/second"])


async def test_a_server_that_sent_what_nobody_asked_for_gets_a_new_connection_for_every_question():
    """A second answer that comes only after the next question looks like the answer to it."""
    async with scripted([[ASKED, 0.05, FOREIGN]], [[ASKED, 0.05, FOREIGN], [FOREIGN]]) as (server, fetch):
        await fetch("first")
        await asyncio.sleep(0.1)
        answers = [await fetch(f"{number}") for number in range(4)]
    assert {answer.body for answer in answers} == {b"<p>what was asked for"}
    assert server.opened == 5


async def test_a_server_that_only_closes_idle_connections_keeps_its_trust():
    async with scripted([[ASKED, "close"]], [[ASKED], [ASKED], [ASKED]]) as (server, fetch):
        await fetch("first")
        await asyncio.sleep(0.05)
        for _ in range(3):
            await fetch("again")
    assert server.opened == 2


async def test_a_connection_that_the_server_closed_meanwhile_costs_no_try():
    async with scripted([[ASKED, "close"]], [[ASKED]]) as (server, fetch):
        await fetch("first")
        await asyncio.sleep(0.05)
        second = await fetch("second")
    assert (second.status, server.opened) == (200, 2)


# ── as browsers read it ──


@pytest.mark.parametrize(
    ("sent", "body"),
    [
        (HEAD + b"Content-Length: 6\r\n\r\n<html>and then some more</html>", b"<html>"),
        (HEAD + b"Content-Length: 6\r\nContent-Length: 6\r\n\r\n<html>", b"<html>"),
        (HEAD + b"Content-Length: 6, 6\r\n\r\n<html>", b"<html>"),
        (CHUNKED + b"Content-Length: 3\r\n\r\n6\r\n<html>\r\n0\r\n\r\n", b"<html>"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTRANSFER-ENCODING: Chunked\r\n\r\n6\r\n<html>\r\n0\r\n\r\n",
            b"<html>",
        ),
        (b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 6\n\n<html>and more", b"<html>"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + sized(b"<html>") + b"more", b"<html>"),
        (b"\r\n" + sized(b"<html>"), b"<html>"),
    ],
    ids=[
        "short length",
        "twice",
        "listed twice",
        "chunked too",
        "chunked too, shouted",
        "bare newlines",
        "continue",
        "blank line",
    ],
)
@pytest.mark.parametrize("step", [None, 1, 7])
async def test_a_length_that_is_wrong_is_read_as_browsers_read_it(sent, body, step):
    pieces = (
        [sent] if step is None else [piece for at in range(0, len(sent), step) for piece in (sent[at : at + step], 0)]
    )
    async with scripted([pieces], [[ASKED]]) as (_, fetch):
        response = await fetch()
    assert (response.status, response.body) == (200, body)


@pytest.mark.parametrize("length", [b"many", b"-1", b"+6", b"0x6", b"6.0", b""])
async def test_a_length_that_is_none_is_read_to_the_end_of_the_connection(length):
    async with scripted([[HEAD + b"Content-Length: " + length + b"\r\n\r\n<html>all of it", "close"]]) as (_, fetch):
        response = await fetch()
    assert response.body == b"<html>all of it"


async def test_two_lengths_that_differ_are_no_http():
    async with scripted([[HEAD + b"Content-Length: 3\r\nContent-Length: 6\r\n\r\n<html>"]]) as (_, fetch):
        assert (await fetch()).why == "bad-http"


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
@pytest.mark.parametrize("length", [b"", b"Content-Length: 6\r\n", b"Transfer-Encoding: chunked\r\n"])
async def test_an_answer_that_has_no_body_is_read_without_the_one_it_came_with(status, length):
    with_body = b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\n" + length + b"\r\n<html>"
    async with scripted([[with_body], [FOREIGN]], [[ASKED]]) as (server, fetch):
        first = await fetch("first")
        second = await fetch("second")
    assert (first.status, first.body) == (int(status[:3]), b"")
    assert (second.body, server.opened) == (b"<p>what was asked for", 2)


async def test_a_head_that_never_ends_is_given_up_at_its_cap():
    async with scripted([[HEAD + b"X-A: aaaaaaaa\r\n" * 10_000]], max_header_bytes=5_000) as (_, fetch):
        assert (await fetch()).why == "headers-too-large"


async def test_noise_is_given_up_at_once():
    async with scripted([[b"220 mail.example ready\r\n"]]) as (_, fetch):
        before = asyncio.get_running_loop().time()
        failed = await fetch()
    assert (failed.why, failed.retry) == ("bad-http", False)
    assert asyncio.get_running_loop().time() - before < 1.0


# ── what is used of aiohttp ──


async def test_every_connection_is_an_exchange(monkeypatch):
    made = []
    monkeypatch.setattr(
        Exchange,
        "connection_made",
        lambda self, transport: (made.append(self), ResponseHandler.connection_made(self, transport)),
    )
    async with scripted([[ASKED]]) as (_, fetch):
        await fetch()
    assert len(made) == 1


def test_aiohttp_still_calls_what_an_exchange_overrides():
    """Under another name it would not be called, and nothing would say so."""
    assert "proto.is_connected()" in inspect.getsource(TCPConnector._get)
    assert "protocol.should_close" in inspect.getsource(TCPConnector._release)
    received = inspect.getsource(ResponseHandler.data_received)
    assert "self.feed_data((message, payload)" in received
    assert "self.set_exception(exc, underlying_exc)" in received
    assert "max_field_size" in inspect.signature(ResponseHandler.set_response_params).parameters
