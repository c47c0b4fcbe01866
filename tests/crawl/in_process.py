"""`thresher …` without a process of its own: what it says and its exit code, at a thirtieth of the time."""

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


@contextmanager
def served(pages: Mapping[str, tuple[int, str]]) -> Iterator[str]:
    """A server on loopback with these paths, each with a status and a text; all others are 404. Its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = pages.get(self.path, (404, "not here"))
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
