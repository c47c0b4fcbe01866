"""The walk of a url in CONTRIBUTING.md: every file and function that it names is there, and a url passes them in that order."""

import ast
import asyncio
import inspect
import re
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

import thresher
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer
from thresher.results.export.exporter import export

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "thresher"
WALK = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## The walk of a url")[2]
NAMED = re.compile(r"`([\w/]+\.py)`\s+`([\w.]+)`")
STEPS = [NAMED.search(line).groups() for line in WALK.splitlines() if re.match(r"\d+\. ", line)]
"""The first place that each numbered step names."""


def functions(path):
    """The functions of a file; methods as `Class.name`."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{each.name}" for each in node.body if hasattr(each, "name"))


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED.findall(WALK))))
def test_what_the_walk_names_is_there(file, name):
    assert name in functions(SOURCE / file)


def test_the_steps_are_numbered_one_by_one():
    numbers = [int(found) for found in re.findall(r"^(\d+)\. ", WALK, re.MULTILINE)]
    assert numbers == list(range(1, len(STEPS) + 1))
    assert len(numbers) > 20


class LinkedPages:
    """A page about nothing, and one on the iris that it links to."""

    pages = {  # noqa: RUF012 - never changed
        "first.example": b"<p>See <a href='http://second.example/'>the iris of the eye</a> for more.",
        "second.example": b"<title>Iris</title><p>The iris of the eye, the pupil of the eye, and what each eye is for.",
    }

    def page(self, host, path):
        body = self.pages.get(host) if path == "/" else None
        return None if body is None else WebAnswer(body)


@contextmanager
def traced(calls):
    """Note every function of Thresher that is called, in order."""
    begun = set()

    def note(frame, event, _):
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(SOURCE)) or frame in begun:
            return
        if code.co_flags & inspect.CO_COROUTINE:
            begun.add(frame)  # it is told again each time that it goes on after a wait
        calls.append((Path(code.co_filename).relative_to(SOURCE).as_posix(), code.co_qualname))

    for watched in (sys, threading):  # this thread, and that of the crawl, which begins later
        watched.setprofile(note)
    try:
        yield
    finally:
        for watched in (sys, threading):
            watched.setprofile(None)


async def crawl(folder):
    async with serve(LinkedPages()) as server:
        tables = {
            "polite": {"delay": 0.0},
            "fetch": {"proxy": f"http://127.0.0.1:{server.port}"},
            "hands": {"count": 0},
        }
        given = {"seeds": "http://first.example/", "strategy": "best-first", "into": folder, "workers": 1}
        await asyncio.to_thread(thresher.Crawl.start(thresher.Topic.of("iris eye"), **given, **tables).run)


@pytest.mark.slow  # exporting starts processes, and all of it is traced
def test_a_url_passes_the_steps_in_their_order(tmp_path):
    if Path(thresher.__file__).parent != SOURCE or not sys.modules["thresher.parse.walk"].__file__.endswith(".py"):
        pytest.skip("thresher is compiled or not the one of this folder: its calls cannot be followed")
    calls = []
    with traced(calls):
        asyncio.run(crawl(tmp_path / "crawl"))
        export(tmp_path / "crawl", "jsonl", out=tmp_path / "pages.jsonl")
    assert "http://second.example/" in (tmp_path / "pages.jsonl").read_text("utf-8")
    rest = iter(calls)
    # `in` goes on from where it stopped, so each step must come after the one before.
    assert [number for number, step in enumerate(STEPS, 1) if step not in rest] == []
