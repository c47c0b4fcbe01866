"""`thresher …` without a process of its own: what it says and its exit code, at a thirtieth of the time."""

import gzip
import http.server
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from thresher.cli import main


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def thresher(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    """Run a command to its end."""
    monkeypatch.setattr(sys, "argv", ["thresher", *map(str, arguments)])
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return Done(int(ended.value.code or 0), out, err)


class Answer(NamedTuple):
    """What a path gives."""

    body: bytes
    kind: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    status: int = 200


_NOT_HERE = Answer(b"not here", status=404)


@contextmanager
def answering(pages: Mapping[str, Answer]) -> Iterator[tuple[str, list[str]]]:
    """A server on loopback: its address, and the paths that it was asked for; those that it does not have are 404.

    `{here}` in a body is its address, and what ends with `.gz` is packed.
    """
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            answer = pages.get(self.path, _NOT_HERE)
            body = answer.body.replace(b"{here}", f"http://127.0.0.1:{server.server_port}".encode())
            body = gzip.compress(body) if self.path.endswith(".gz") else body
            self.send_response(answer.status)
            for name, value in (("Content-Type", answer.kind), *answer.headers, ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


@contextmanager
def served(pages: Mapping[str, tuple[int, str]]) -> Iterator[str]:
    """The same for pages with a status and a text each. Its address."""
    with answering({path: Answer(text.encode(), status=status) for path, (status, text) in pages.items()}) as (home, _):
        yield home
