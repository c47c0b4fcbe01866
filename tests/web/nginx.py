"""nginx on loopback, in a folder of its own, for tests that want a server that others wrote. Where it is not installed they skip.

    with nginx(tmp_path, "location / { auth_basic in; auth_basic_user_file users; }", {"index.html": "<p>hello"}) as server:
        server.url            # http://127.0.0.1:40123
        server.log()          # the lines of its access log

`conf` stands inside the `server` block. Files lie in `server.root`; paths in `conf` are relative to the folder above it.
"""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
_PATIENCE = 10.0
_FRAME = """
daemon off; master_process off; pid nginx.pid; error_log error.log; {modules}
events {{ worker_connections 256; }}
http {{
  types {{ text/html html; text/plain txt; application/json json; application/pdf pdf; }}
  default_type text/html; charset utf-8;
  access_log access.log;
  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  server {{ listen 127.0.0.1:{port}{listen}; server_name {names}; root www; {conf} }}
}}
"""


class Nginx(NamedTuple):
    """A server that runs."""

    port: int
    folder: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def root(self) -> Path:
        return self.folder / "www"

    def log(self) -> list[str]:
        """The requests that it answered."""
        return (self.folder / "access.log").read_text().splitlines()


@contextmanager
def nginx(
    folder: Path,
    conf: str = "",
    pages: Mapping[str, str] | None = None,
    *,
    names: str = "_",
    listen: str = "",
    modules: str = "",
) -> Iterator[Nginx]:
    """nginx with these pages, until the end of the block."""
    if PROGRAM is None:
        pytest.skip("needs nginx: apt-get install nginx-light")
    folder = folder / "nginx"
    (folder / "www").mkdir(parents=True, mode=0o755)
    for name, text in (pages or {}).items():
        path = folder / "www" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    server = Nginx(_free_port(), folder)
    frame = _FRAME.format(port=server.port, conf=conf, names=names, listen=listen, modules=modules)
    (folder / "nginx.conf").write_text(frame, "utf-8")
    running = subprocess.Popen(
        [PROGRAM, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(server, running)
        yield server
    finally:
        running.terminate()
        running.wait(_PATIENCE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(server: Nginx, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", server.port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError((server.folder / "error.log").read_text())
