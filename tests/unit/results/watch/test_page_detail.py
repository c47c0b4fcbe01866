"""One visit whole, over real crawl folders: the marks in its text, the way to it, its links, its versions and copies, and where it ends."""

import time
from contextlib import closing

import pytest
from tests.unit.results.changing_web import (
    IRIS,
    MUSCLES,
    TURNING,
    ChangingWeb,
    Served,
    crawled,
    page,
    round_over,
    serving,
    titled,
)
from tests.unit.results.iris_site import IrisSite, crawl
from tests.unit.results.iris_site import page as site_page

from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.search.marks import mark_names
from thresher.results.watch.page_detail import MOST_TEXT, kept_source, page_copies, page_detail, page_way
from thresher.store.visits import visit_row
from thresher.urls import canonical


def asked(folder, path, question=page_detail):
    with Archive.open(folder) as archive:
        url = path if "://" in path else f"http://iris.example{path}"
        return question(archive, visit_row(archive.read, Url(url))["number"])


def words(text, marks):
    return [text[start:end] for start, end in marks]


def test_the_evidence_is_marked_in_title_and_text(folder):
    detail = asked(folder, "/")
    assert words(detail.title.text, detail.title.found) == ["iris", "eye"]
    assert set(words(detail.text.text, detail.text.found)) == {"iris", "eye"}
    assert detail.text.text.count("iris") == words(detail.text.text, detail.text.found).count("iris")
    assert any("iris" in line for line in detail.reasons)


def test_what_speaks_against_is_marked_apart(own):
    with closing(Ledger(own / "crawl.sqlite")) as ledger:
        evidence = '[["iris (exact)","text",2.0],["ring","text",-1.0],["concepts","judge",0.5]]'
        ledger.write("UPDATE visit SET evidence = ? WHERE number = 1", (evidence,))
    detail = asked(own, "/")
    assert set(words(detail.text.text, detail.text.found)) == {"iris"}
    assert words(detail.text.text, detail.text.against) == ["ring"]
    assert [line.split()[0] for line in detail.reasons][:3] == ["judge", "for", "against"]


def test_marks_find_endings_accents_and_scripts_without_blanks():
    (marked,) = mark_names(["Iris of the éyes: 眼睛里的虹膜是圆的"], ["iris", "eye", "虹膜"])
    assert words(marked.text, marked.marks) == ["Iris", "éyes", "虹膜"]
    assert mark_names(["iris"], ["(", '"', ""]) == [("iris", ())]


def test_the_facts_of_the_visit_are_told(folder):
    detail = asked(folder, "/pupil")
    assert (detail.outcome, detail.status, detail.depth, detail.language) == ("page", 200, 1, "en")
    assert (detail.relevant, detail.label, detail.lost, detail.copy_of) == (True, "", False, None)
    assert detail.judged_by.startswith("terms")
    assert ("Content-Type", "text/html; charset=utf-8") in detail.headers
    assert asked(folder, "/new").redirects == ("http://iris.example/old",)
    assert asked(folder, "/old").target == "http://iris.example/new"


def test_what_is_no_page_says_what_stood_in_the_way(folder):
    detail = asked(folder, "/members/list")
    assert (detail.outcome, detail.text.text, detail.reasons, detail.headers) == ("robots", "", (), ())
    assert detail.detail
    assert asked(folder, "/members/list", kept_source) is None


def test_the_way_begins_at_the_seed_with_the_reasons_of_each_step(folder):
    found = asked(folder, "/lens", page_way).why
    assert [step.candidate.url.removeprefix("http://iris.example") for step in found.way] == ["/", "/pupil", "/lens"]
    assert found.way[1].parts.evidence
    assert found.verdict[0].startswith("It was fetched")


def test_the_links_say_what_became_of_each_and_with_which_priority(folder):
    found = asked(folder, "/", page_way)
    by_path = {link.url.removeprefix("http://iris.example"): link for link in found.links}
    assert found.of_links == len(found.links) == 9
    assert by_path["/pupil"].fate == "relevant"
    assert by_path["/pupil"].visit.number == 2 or by_path["/pupil"].visit.number > 2
    assert by_path["/garden"].fate == "not relevant"
    assert by_path["/gone"].fate == "http-404"
    assert by_path["http://other.example/eye"].fate.startswith("out of scope")
    priorities = [link.priority for link in found.links if link.priority is not None]
    assert len(priorities) == 8
    assert priorities == sorted(priorities, reverse=True)


def test_a_link_that_waits_says_so(tmp_path):
    folder = crawl(tmp_path / "crawl", budget={"pages": 2})
    fates = {link.fate for link in asked(folder, "/", page_way).links}
    assert "waits" in fates


def test_links_of_a_page_that_asks_not_to_follow_them_were_not(folder):
    (link,) = asked(folder, "/quiet", page_way).links
    assert link.fate == "the page asks that its links are not followed"


def test_copies_lead_to_the_first_and_the_first_to_its_copies(folder):
    lens, copy = asked(folder, "/lens"), asked(folder, "/copy")
    later, first = (lens, copy) if lens.number > copy.number else (copy, lens)
    assert later.copy_of == (first.number, first.url, True)
    with Archive.open(folder) as archive:
        assert page_copies(archive, first.number) == [(later.number, later.url, True)]
        assert page_copies(archive, later.number) == []


async def test_later_looks_are_told_and_the_text_is_the_latest(tmp_path):
    async with serving(titled(muscles=MUSCLES)) as served:
        await crawled(tmp_path / "crawl", served)
        served.pages["/muscles"] = Served(page("The iris of another eye.", title="Another eye"))
        await round_over(tmp_path / "crawl")
        detail = asked(tmp_path / "crawl", f"{served.base}/muscles")
    assert (detail.title.text, detail.text.text.splitlines()[0]) == ("Another eye", "The iris of another eye.")
    assert [look.found for look in detail.looks] == ["changed"]


def test_the_kept_copy_is_text_and_nothing_in_it_is_run(folder):
    source = asked(folder, "/pupil", kept_source)
    assert source.text.startswith("<!doctype html><html lang=en><title>Pupils</title>")
    assert source.kind == "text/html; charset=utf-8"


@pytest.mark.parametrize("number", [0, -1, 10_000, 2**70])
def test_a_visit_that_is_not_there_is_named_with_the_choices(folder, number):
    with Archive.open(folder) as archive, pytest.raises(BadInput, match=r"has no visit .*: its visits are 1 to \d+"):
        page_detail(archive, number)


def test_a_record_that_is_lost_leaves_the_rest(own):
    for path in (own / "warc").iterdir():
        path.unlink()
    detail = asked(own, "/pupil")
    assert (detail.lost, detail.text.text, detail.title.text) == (True, "", "Pupils")
    assert asked(own, "/pupil", page_way).links == ()


async def test_a_huge_and_hostile_page_is_shown_in_part_and_without_tricks(tmp_path):
    links = "".join(f'<a href="/{number}?{"q" * 300}">{"iris " * 200}{TURNING}</a> ' for number in range(1_000))
    body = f"<p>{IRIS} <script>alert(1)</script> {TURNING} {'iris eye ring ' * 200_000}</p>{links}"
    pages = {"/": Served(page(body, title=f"iris <img src=x onerror=alert(1)> {TURNING}" + "eye " * 50_000))}
    async with serving(ChangingWeb(pages)) as served:
        await crawled(tmp_path / "crawl", served, budget={"pages": 1})
        url = canonical(served.base)
    began = time.process_time()
    detail, way = asked(tmp_path / "crawl", url), asked(tmp_path / "crawl", url, page_way)
    assert time.process_time() - began < 20
    assert len(detail.text.text) <= MOST_TEXT < detail.whole
    assert len(detail.title.text) <= 300
    shown = detail.title.text + detail.text.text + "".join(link.anchor + link.fate for link in way.links)
    assert not set(shown) & set(TURNING)
    assert len(way.links) == 300 < way.of_links
    assert max(len(link.anchor) for link in way.links) <= 500


def test_a_long_way_is_told_from_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr("thresher.results.watch.page_detail._MOST_STEPS", 2)
    site = IrisSite()
    site.pages["/lens"] = site_page("The lens of the eye", "<p>iris of the eye", ("/deep", "deep iris of the eye"))
    site.pages["/deep"] = site_page("Deep in the eye", "<p>The iris, deep in the eye.")
    folder = crawl(tmp_path / "crawl", site)
    assert [step.candidate.url[-5:] for step in asked(folder, "/deep", page_way).why.way] == ["/lens", "/deep"]
