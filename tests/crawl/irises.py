"""Irises for the tests of a crawl from a word: an ontology of two senses, a web about both, and its SearXNG, all on loopback."""

import asyncio
import json
import os
import pty
import re
import select
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer

ONTOLOGY = """\
format-version: 1.2

[Term]
id: E:0
name: organ

[Term]
id: E:1
name: iris
def: "The coloured ring of the eye." []
synonym: "iris of the eye" EXACT []
is_a: E:0

[Term]
id: E:2
name: pupil
is_a: E:0

[Term]
id: F:0
name: plant

[Term]
id: F:1
name: iris
def: "A garden flower with sword-shaped leaves." []
is_a: F:0

[Term]
id: F:2
name: rhizome
is_a: F:0

[Term]
id: M:1
name: motion sickness
def: "Nausea on the move." []
synonym: "kinetosis" EXACT []
is_a: E:0
"""
START = "http://weekendalmanac.example/"


class SearchedWeb:
    """A generated web when asked as a proxy, a SearXNG for it when asked for /search."""

    def __init__(self):
        self.web = generate(size=80, hosts=8)
        pages = {url: self.web.page(urlsplit(url).netloc, urlsplit(url).path) for url in self.web.urls()}
        self.words = {url: re.findall(r"\w+", page.body.decode().lower()) for url, page in pages.items()}
        self.queries = []
        """What the search engine was asked."""
        self.status = 200

    def page(self, host, path):
        return self._found(parse_qs(urlsplit(path).query)) if path.startswith("/search?") else self.web.page(host, path)

    def _found(self, asked):
        (query,), (page,) = asked["q"], asked["pageno"]
        self.queries.append(query)
        hits = Counter({url: sum(map(words.count, query.lower().split())) for url, words in self.words.items()})
        found = [{"url": url, "engines": ["local"]} for url, count in hits.most_common(20) if count]
        last = 10 * int(page)
        return WebAnswer(json.dumps({"results": found[last - 10 : last]}).encode(), self.status, "application/json")


@contextmanager
def served(web, delay=0.0):
    """Serve a web from a thread, so that a test can do what it likes meanwhile."""
    ready, over = Future(), asyncio.Event()

    async def run():
        async with serve(web, delay=delay) as server:
            server.room = 0  # every question is asked of the web itself
            ready.set_result((server, asyncio.get_running_loop()))
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    server, loop = ready.result(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


def searching(port, *, pages=8):
    """The options that make a crawl from a word stay on this machine."""
    here = f"http://127.0.0.1:{port}"
    search = ["--set", 'search.engines=["searxng"]', "--set", f"search.searxng={here}"]
    return [*search, "--proxy", here, "--delay", "0", "--pages", str(pages), "--contact", "me@example.org"]


def local(port, *, pages=8):
    """The same with a seed, so that nobody needs to search: two queries take a second."""
    return ["--seed", START, *searching(port, pages=pages)]


def write_ontology(folder: Path) -> Path:
    path = folder / "irises.obo"
    path.write_text(ONTOLOGY, "utf-8")
    return path


def command(*arguments):
    return [sys.executable, "-m", "thresher", *map(str, arguments)]


def at_a_terminal(*arguments, answers=()):
    """Run it in a terminal where each question gets the next answer, or what a function makes of the question."""
    rest = iter(() if callable(answers) else answers)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "COLUMNS": "100"}
    )
    os.close(theirs)
    try:
        said = _conversation(ours, answers if callable(answers) else lambda _: next(rest))
    finally:
        os.close(ours)
        code = process.wait(30)
    return code, said


def _conversation(terminal, answer):
    said = asked = ""
    while True:
        # A key that is pressed before it is asked for is lost, so a question is answered when it has stood for a moment.
        if select.select([terminal], [], [], 0.1)[0]:
            if not (heard := _read(terminal)):
                return said
            said, asked = said + heard, asked + heard
        elif re.search(r"(: |quit  )$", asked):
            os.write(terminal, answer(asked).encode())
            asked = ""


def _read(terminal):
    try:
        heard = os.read(terminal, 65_536).decode(errors="replace")
    except OSError:  # how Linux says that the other end is closed
        return ""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", heard).replace("\r\n", "\n") or " "
