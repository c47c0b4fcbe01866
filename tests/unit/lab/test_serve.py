import asyncio
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from thresher.errors import BadInput
from thresher.lab.webs.generated import generate
from thresher.lab.webs.http_server import Answered, read_request, wire
from thresher.lab.webs.serve import listen, serve
from thresher.lab.webs.web_pages import WebAnswer


class Echo:
    """Says what it was asked, and counts."""

    def __init__(self):
        self.asked = []

    def page(self, host, path):
        self.asked.append((host, path))
        return None if path == "/none" else WebAnswer(f"{host} {path}".encode(), headers=(("X-Of", "echo"),))


async def talk(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    received = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    await writer.wait_closed()
    return received


async def test_hosts_are_told_apart_by_the_host_header():
    async with serve(Echo()) as server:
        answer = await talk(server.port, b"GET /a HTTP/1.1\r\nHost: One.example:80\r\nConnection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert answer.endswith(b"\r\n\r\none.example:80 /a")
        assert b"X-Of: echo\r\n" in answer
    assert [(line.status, line.host, line.path) for line in server.log] == [(200, "one.example:80", "/a")]


async def test_an_absolute_request_is_answered_as_a_proxy_would():
    async with serve(Echo()) as server:
        answer = await talk(server.port, b"GET http://two.example/b?c HTTP/1.0\r\nHost: proxy\r\n\r\n")
    assert answer.endswith(b"two.example /b?c")


async def test_pipelined_requests_are_answered_in_order_on_one_connection():
    requests = b"".join(b"GET /%d HTTP/1.1\r\nhost:h\r\n\r\n" % n for n in range(9))
    async with serve(Echo(), delay=0.001) as server:
        answers = await talk(server.port, requests + b"GET /9 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    assert [int(part[:1]) for part in answers.split(b"\r\n\r\nh /")[1:]] == list(range(10))
    assert [line.path for line in server.log] == [f"/{n}" for n in range(10)]


async def test_a_request_may_come_in_pieces():
    async with serve(Echo()) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for piece in (b"GET /a HT", b"TP/1.1\r\nHost: h\r\n", b"\r", b"\n"):
            writer.write(piece)
            await asyncio.sleep(0.01)
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        writer.close()
        await writer.wait_closed()


def test_a_packed_page_has_no_time_in_its_head_so_that_copies_have_the_same_bytes():
    body = wire(WebAnswer(b"the same page"), gzip=True).partition(b"\r\n\r\n")[2]
    assert body[4:8] == bytes(4), "RFC 1952: these four bytes are the time"


async def test_gzip_is_given_to_those_who_ask_and_made_once():
    web = Echo()
    request = b"GET /z HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n"
    async with serve(web) as server:
        for _ in range(3):
            head, _, body = (await talk(server.port, request)).partition(b"\r\n\r\n")
            assert b"Content-Encoding: gzip" in head
            assert gzip.decompress(body) == b"h /z"
    assert web.asked == [("h", "/z")]


async def test_head_has_no_body_and_post_is_refused():
    async with serve(Echo()) as server:
        answer = await talk(server.port, b"HEAD /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        assert b"Content-Length: 4\r\n" in answer
        assert answer.endswith(b"\r\n\r\n")
        assert (await talk(server.port, b"POST /a HTTP/1.1\r\nHost: h\r\n\r\n")).startswith(b"HTTP/1.1 405 ")


@pytest.mark.parametrize("junk", [b"junk\r\n\r\n", b"x" * 100_000])
async def test_junk_is_refused_and_hung_up_on(junk):
    async with serve(Echo()) as server:
        assert (await talk(server.port, junk)).startswith(b"HTTP/1.1 400 ")
    assert server.log == []


async def test_what_is_not_there_is_404():
    async with serve(Echo()) as server, aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{server.port}/none") as answer:
            assert answer.status == 404
        await session.get(f"http://127.0.0.1:{server.port}/some")
    assert [line.status for line in server.log] == [404, 200]


async def test_with_a_delay_the_log_knows_both_times():
    async with serve(Echo(), delay=0.05) as server:
        await talk(server.port, b"GET / HTTP/1.0\r\n\r\n")
    assert server.log[0].at - server.log[0].asked >= 0.045


async def test_whom_the_answer_cannot_reach_is_not_in_the_log():
    async with serve(Echo(), delay=0.1) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        await asyncio.sleep(0.03)
        writer.transport.abort()
        await asyncio.sleep(0.15)
    assert server.log == []


async def test_the_log_file_reads_back(tmp_path):
    log = tmp_path / "log"
    async with serve(Echo(), log=log) as server:
        await talk(server.port, b"GET /a HTTP/1.0\r\nHost: h\r\n\r\n")
        await talk(server.port, b"GET /none HTTP/1.0\r\nHost: h\r\n\r\n")
    lines = [Answered.parse(line) for line in log.read_text().splitlines()]
    assert [line[2:] for line in lines] == [(200, "h", "/a"), (404, "h", "/none")]
    assert [str(line) for line in lines] == log.read_text().splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127/8")
async def test_a_generated_web_on_several_addresses_of_one_port():
    hosts = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
    async with serve(generate(30, hosts), hosts) as server, aiohttp.ClientSession() as session:
        titles = []
        for host in hosts:
            async with session.get(f"http://{host}:{server.port}/") as answer:
                titles.append((await answer.text()).partition("<h1>")[2].partition("</h1>")[0])
    assert titles == ["Weekend Almanac", "Harbour Log", "Sour Dough Diary"]


@pytest.fixture
def taken():
    (taken,) = listen()
    with taken:
        yield taken.getsockname()[1]


def test_a_taken_port_is_an_error(taken):
    with pytest.raises(BadInput, match=f"port {taken} is taken: choose another, or 0 for any that is free"):
        listen(port=taken)


def test_a_port_that_cannot_be_is_an_error():
    with pytest.raises(BadInput, match="there is no port 99999: choose one from 1 to 65535, or 0"):
        listen(port=99_999)


def test_an_address_that_is_not_ours_is_an_error():
    with pytest.raises(BadInput, match=r"cannot listen: .*192\.0\.2\.1"):
        listen(["192.0.2.1"])


EXAMPLES = Path(__file__).parents[3] / "examples"


def ended(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("command", [["-m", "thresher.lab.webs.serve", "--port"], [EXAMPLES / "local_search.py"]])
def test_whoever_serves_from_a_shell_is_told_in_a_sentence_that_the_port_is_taken(command, taken):
    done = ended(*command, taken)
    assert done.returncode == 2
    assert done.stderr.endswith(f": port {taken} is taken: choose another, or 0 for any that is free\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("example", ["local_search.py", "ten_lines.py"])
def test_an_example_without_its_argument_says_how_it_is_called(example):
    done = ended(EXAMPLES / example)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")
    assert example in done.stderr


def test_header_names_are_read_in_any_case_and_only_at_the_start_of_a_line():
    request = read_request(b"GET / HTTP/1.1\r\nX-Host: no\r\nhOST:  Yes.example \r\nAccept: gzip")
    assert request.host == "yes.example"
    assert not request.gzip


def test_the_module_serves_from_a_shell_until_told_to_stop(tmp_path):
    command = [sys.executable, "-m", "thresher.lab.webs.serve", "--size", "40", "--hosts", "3", "--warm", "1"]
    with subprocess.Popen([*command, "--log", str(tmp_path / "log")], stdout=subprocess.PIPE) as process:
        port = json.loads(process.stdout.readline())["port"]
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            connection.sendall(f"GET / HTTP/1.0\r\nHost: weekendalmanac.example:{port}\r\n\r\n".encode())
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(5) == 0
    assert (tmp_path / "log").read_text().count("\n") == 1
