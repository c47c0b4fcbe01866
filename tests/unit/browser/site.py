"""A small web on loopback whose pages are empty without scripts: an application written by hand, and pages that misbehave."""

import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import pytest

IRISES = {
    "index": ("The iris", "The iris of the eye is a ring of muscle around the pupil.", ["muscles", "colour"]),
    "muscles": ("Muscles of the iris", "Two muscles of the iris make the pupil of the eye wide or narrow.", ["index"]),
    "colour": ("The colour of the iris", "Melanin in the iris gives an eye its colour, brown or blue.", ["index"]),
}
SHELL = b'<!doctype html><html><head><title>Irises</title></head><body><div id="root"></div>%s</body></html>'
SHELL_OF_APP = SHELL % b'<noscript>You need to enable JavaScript.</noscript><script src="/app.js"></script>'
# Built as such applications are: the path chooses the data, the text comes by XHR, links go through the history.
APP = """
const root = document.getElementById('root');
async function show(path) {
  const name = path.replace(/^\\//, '') || 'index';
  const request = new XMLHttpRequest();
  request.open('GET', '/api/' + name + '.json');
  request.onload = () => {
    const page = JSON.parse(request.responseText);
    document.title = page.title;
    root.innerHTML = '<main><h1></h1><p></p><ul></ul></main>';
    root.querySelector('h1').textContent = page.title;
    root.querySelector('p').textContent = page.text;
    for (const other of page.links) {
      const link = document.createElement('a');
      link.href = '/' + other; link.textContent = other;
      link.onclick = event => { event.preventDefault(); history.pushState({}, '', link.href); show('/' + other) };
      root.querySelector('ul').appendChild(document.createElement('li')).appendChild(link);
    }
  };
  request.send();
}
show(location.pathname);
"""


def script(text: str) -> bytes:
    """A page that is nothing but a script."""
    return (
        SHELL
        % f"<script src=/empty.js></script><script>const root = document.getElementById('root');{text}</script>".encode()
    )


@dataclass
class Site:
    """What is served, and what was asked for."""

    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    robots: str = ""
    asked: list[tuple[str, str, float]] = field(default_factory=list)
    """Method, path, and when."""
    agents: set[str] = field(default_factory=set)
    open_to: str = "*"
    """The origin whose pages may read the answers."""
    tag: str = ""
    """The `ETag` of all answers: who sends it back is told that nothing changed."""
    port: int = 0

    @property
    def paths(self) -> list[str]:
        return [path for _, path, _ in self.asked]

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        path = path.partition("?")[0]
        if path.startswith("/to/"):
            return 302, {"Location": path.removeprefix("/to/")}, b""
        if path.startswith("/loop"):
            return 302, {"Location": f"/loop{len(path)}{path[5:]}"}, b""
        kind, body = self.pages.get(path) or self._of_application(path)
        return (200 if body or kind else 404), {"Content-Type": kind, **self._leave()}, body

    def _leave(self) -> dict[str, str]:
        return {"Access-Control-Allow-Origin": self.open_to} if self.open_to else {}

    def _of_application(self, path: str) -> tuple[str, bytes]:
        if path == "/robots.txt":
            return "text/plain", self.robots.encode()
        if path in {"/empty.js", "/app.js"}:
            return "text/javascript", APP.encode() if path == "/app.js" else b""
        name = path.removeprefix("/api/").removesuffix(".json")
        if path.startswith("/api/") and name in IRISES:
            return "application/json", json.dumps(
                dict(zip(("title", "text", "links"), IRISES[name], strict=True))
            ).encode()
        return ("text/html", SHELL_OF_APP) if (path.removeprefix("/") or "index") in IRISES else ("", b"")


@contextmanager
def served(robots: str = "", **pages: bytes) -> Iterator[Site]:
    """A site, with pages more: `wild=b"…"` is `/wild`."""
    site = Site({f"/{name}": ("text/html", body) for name, body in pages.items()}, robots)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            site.asked.append((self.command, self.path, time.monotonic()))
            site.agents.add(self.headers.get("User-Agent", ""))
            status, headers, body = site.answer(self.path)
            if site.tag:
                headers["ETag"] = site.tag
                if self.headers.get("If-None-Match") == site.tag:
                    status, body = 304, b""
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_OPTIONS = do_HEAD = do_GET  # noqa: N815 - the library's names

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


def scripted(site: Site, count: int) -> None:
    """Give a site a first page and so many others, each of which is empty without its script."""
    links = "".join(f"<a href=/p{number}>iris {number}</a> " for number in range(count))
    site.pages["/"] = "text/html", f"<p>{'The iris of the eye has a pupil. ' * 10}{links}".encode()
    for number in range(count):
        text = f"setTimeout(() => root.append('The iris of eye {number}, and its pupil'), 100)"
        site.pages[f"/p{number}"] = "text/html", script(text)


def missing() -> str:
    """Why no page can be rendered here; empty if it can."""
    if find_spec("playwright") is None:
        return "Playwright is not installed: pip install '.[browser]'"
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        return "no Chromium is installed: apt install chromium"
    return ""


needs_browser = pytest.mark.skipif(bool(missing()), reason=missing())
