import time

import pytest
from tests.unit.lab.task_files import eye_task

from thresher.lab.run.task_web import ParseCache
from thresher.lab.run.trial import Trial, Workbench, run
from thresher.model import Response, Url
from thresher.parse.html import HtmlParser


class Laborious(HtmlParser):
    """Counts its pages, and works at least five milliseconds for each."""

    def __init__(self):
        super().__init__()
        self.pages = 0

    def parse(self, response):
        self.pages += 1
        busy_until = time.process_time() + 0.005
        while time.process_time() < busy_until:
            pass
        return super().parse(response)


def answer(name, body=b"<p>An <a href=/eye>eye</a>"):
    return Response(Url(f"http://a.example/{name}"), 200, ((b"Content-Type", b"text/html"),), body, body)


@pytest.fixture
def parser():
    return Laborious()


def test_a_page_is_read_once_and_is_the_page_that_the_parser_reads(parser):
    once = ParseCache(parser)
    assert once.parse(answer("1")) == once.parse(answer("1")) == HtmlParser().parse(answer("1"))
    assert parser.pages == 1


def test_pages_of_other_urls_are_other_pages(parser):
    once = ParseCache(parser)
    assert once.parse(answer("1")).url != once.parse(answer("2")).url
    assert parser.pages == 2


def test_what_was_spared_is_what_the_reading_took(parser):
    once = ParseCache(parser)
    once.parse(answer("1"))
    assert once.spared == 0
    once.parse(answer("1"))
    once.parse(answer("1"))
    assert once.spared >= 0.010


def test_what_has_no_room_is_read_again_and_what_is_small_enough_still_remembered(parser):
    once = ParseCache(parser, most_bytes=1000)
    long = answer("long", b"word " * 300)
    for response in (long, answer("1"), long, answer("1")):
        assert once.parse(response) == HtmlParser().parse(response)
    assert parser.pages == 3


def test_a_run_is_charged_for_pages_that_another_has_read(tmp_path, parser):
    trial = Trial(eye_task(tmp_path), "near", {"name": "best-first"}, 40)
    with Workbench() as bench:
        bench.web(trial.task.web).parser = ParseCache(parser)
        first, _ = run(trial, bench)
        read = parser.pages
        second, _ = run(trial, bench)
    assert parser.pages == read > 0
    assert min(first.cpu_s, second.cpu_s) >= 0.005 * read
