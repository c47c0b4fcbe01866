"""What is read of a page, and that no page can stop an export."""

import os
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.results.export_folders import STORY, html, made, page

from thresher.model import Response, Url
from thresher.results.archive import Archive
from thresher.results.export.exporter import Choice
from thresher.results.export.page_text import extract
from thresher.results.export.reader_processes import ReaderCrew, ReadingOrders
from thresher.warc.reader import Playback

pytest.importorskip("trafilatura", reason="trafilatura is not installed: pip install 'thresher[export]'")


def answer(body, kind=b"text/html; charset=utf-8"):
    return Response(Url("http://host.test/"), 200, ((b"Content-Type", kind),), body, body, at=1.7e9)


def test_the_main_text_comes_without_the_menu():
    menu = "<nav><ul>" + "<li><a href='/x'>Menu entry</a></li>" * 20 + "</ul></nav>"
    body = f"<html><body>{menu}<article><p>{STORY * 5}</p></article><footer>Imprint</footer></body></html>"
    found = extract(answer(body.encode()))
    assert found.by == "trafilatura"
    assert "pupil" in found.text
    assert "Menu entry" not in found.text


def test_author_date_site_and_licence_are_read():
    head = (
        "<title>Iris</title><meta name='author' content='Ada Gallo'><meta property='og:site_name' content='Eye Notes'>"
        "<meta property='article:published_time' content='2021-03-04T10:00:00Z'>"
    )
    body = f"<html><head>{head}</head><body><article><p>{STORY * 5}</p></article></body></html>"
    found = extract(answer(body.encode()))
    assert (found.author, found.date, found.site) == ("Ada Gallo", "2021-03-04", "Eye Notes")


def test_a_page_is_not_younger_than_its_fetch():
    head = "<meta property='article:published_time' content='2025-03-04T10:00:00Z'>"
    body = f"<html><head>{head}</head><body><article><p>{STORY * 5}</p></article></body></html>"
    assert extract(answer(body.encode())).date == ""


def test_a_year_in_the_text_is_no_date():
    assert extract(answer(html("Iris", STORY * 5 + "A survey of 2005 found the same."))).date == ""


def test_letters_are_read_as_the_crawl_read_them():
    body = html("Größe", "Die Regenbogenhaut öffnet und schließt die Pupille. " * 9).decode().encode("iso-8859-1")
    found = extract(answer(body, b"text/html; charset=iso-8859-1"))
    assert "öffnet und schließt" in found.text
    assert found.identified in {"de", ""}


def test_headings_are_marked_up_if_asked():
    body = f"<html><body><article><h2>The pupil</h2><p>{STORY * 5}</p></article></body></html>".encode()
    assert "## The pupil" in extract(answer(body), marked_up=True).text
    assert "#" not in extract(answer(body)).text


def test_where_trafilatura_finds_nothing_our_own_parser_answers():
    found = extract(answer(b"<html><body><nav></nav></body></html>"))
    assert (found.text, found.by, found.why) == ("", "thresher", "nothing")


def test_plain_text_and_huge_pages_are_left_to_our_own_parser():
    plain = extract(answer(b"one\ntwo", b"text/plain"))
    assert (plain.text, plain.why) == ("one\ntwo", "plain")
    assert extract(answer(html("x", "word " * 700_000))).why == "large"


@pytest.mark.parametrize(
    "body",
    [
        b"<div>" * 100_000 + b"deep",
        b"<b x1><i y2>" * 4_000 + b"<p>" * 4_000 + b"styled",
        b"<table><tr><td colspan=9007199254740991>wide</td></tr></table>" * 50,
        b"<p " + b"a=1 " * 40_000 + b">many",
        b"<script>" * 9_999 + b"{" * 100_000,
        bytes(range(256)) * 100,
        b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><html><body><p>&b;&b;</p></body></html>",
    ],
    ids=["deep", "styled", "wide", "attributes", "scripts", "bytes", "entities"],
)
def test_a_hostile_page_is_an_answer(body):
    assert extract(answer(body)).by in {"trafilatura", "thresher"}


@settings(deadline=None, max_examples=40)
@given(
    st.binary(max_size=400)
    | st.text(max_size=200).map(lambda text: f"<html><body><p>{text}</p>".encode("utf-8", "replace"))
)
def test_no_bytes_raise(body):
    assert isinstance(extract(answer(body)).text, str)


@pytest.fixture
def crew_of(tmp_path):
    def read(folder, jobs, seconds, meanwhile=lambda crew: None):
        with Archive.open(folder) as archive:
            files = archive.warc_files()
            with Playback(files) as playback:
                crew = ReaderCrew(ReadingOrders(files, marked_up=False), playback, jobs, seconds)
                try:
                    meanwhile(crew)
                    return [(row["number"], found) for row, found in crew.read(Choice().select(archive).rows())]
                finally:
                    crew.close()

    return read


def test_pages_come_back_in_order_whatever_they_take(crew_of, tmp_path):
    long = html("Long", "".join(f"{number}. {STORY}</p><p>" for number in range(300)))
    folder = made(tmp_path / "crawl", page(1, long), *(page(number) for number in range(2, 21)))
    read = crew_of(folder, 2, 60)
    assert [number for number, _ in read] == list(range(1, 21))
    assert all(f"{number}. The iris" in found.text for number, found in read if number > 1)


def test_a_page_that_takes_too_long_is_read_by_our_own_parser(crew_of, tmp_path):
    folder = made(tmp_path / "crawl", page(1), page(2))
    read = crew_of(folder, 1, 0.0)
    assert [(number, found.why) for number, found in read] == [(1, "slow"), (2, "slow")]
    assert "pupil" in read[0][1].text


def test_a_process_that_dies_costs_no_page(crew_of, tmp_path):
    def kill_when_ready(crew):
        worker = crew._workers[0]
        assert worker.line.recv() == "ready"
        worker.ready = True
        os.kill(worker.process.pid, signal.SIGKILL)

    folder = made(tmp_path / "crawl", page(1), page(2))
    read = crew_of(folder, 1, 60, kill_when_ready)
    assert [(number, found.why) for number, found in read] == [(1, "crash"), (2, "")]
