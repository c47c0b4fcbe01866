"""Why a url was fetched, or was not, over a real crawl folder."""

import re
from contextlib import closing
from datetime import UTC, datetime
from difflib import SequenceMatcher
from random import Random

import pytest
from click.testing import CliRunner
from tests.unit.results.iris_site import IrisSite, crawl, page

from thresher.cli.why import why as draw_why
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.model import SEED
from thresher.results.archive import Archive
from thresher.results.why import unknown_urls
from thresher.results.why.explanation import why
from thresher.results.why.unknown_urls import _closest
from thresher.store.labels import HandLabel, put_label


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("why") / "crawl")


def ask(folder, path):
    with Archive.open(folder) as archive:
        return why(archive, path if "://" in path else f"http://iris.example{path}")


def paths(found):
    return [step.candidate.url.removeprefix("http://iris.example") for step in found.way]


def test_the_way_goes_from_the_seed_to_the_page(folder):
    found = ask(folder, "/shed")
    assert found.fate == "fetched"
    assert paths(found) == ["/", "/garden", "/shed"]
    assert [step.candidate.anchor for step in found.way] == ["", "our garden", "the shed"]
    assert found.way[0].candidate.priority == SEED


def test_the_parts_of_a_priority_are_those_of_the_strategy_and_add_up(folder):
    step = ask(folder, "/pupil").way[-1]
    assert {part.where for part in step.parts.evidence} == {"anchor", "context", "page"}
    assert sum(part.amount for part in step.parts.evidence) == pytest.approx(step.candidate.priority)


def test_a_judgement_comes_with_its_evidence(folder):
    judged = ask(folder, "/pupil").way[-1].judgement
    assert judged.relevant
    assert {each.what for each in judged.evidence} == {"iris", "eye"}


def test_a_redirect_is_told_from_both_ends(folder):
    target = ask(folder, "/new")
    assert [step.candidate.chain for step in target.way] == [(), ("http://iris.example/old",)]
    assert target.way[-1].parts.evidence
    source = ask(folder, "/old")
    assert source.fate == "redirected"
    assert "http://iris.example/new" in source.verdict[0]


def test_a_copy_says_of_what(folder):
    twins = {"http://iris.example/copy", "http://iris.example/lens"}
    with Archive.open(folder) as archive:
        first, second = [url for (url,) in archive.read("SELECT url FROM visit ORDER BY number") if url in twins]
    assert ask(folder, second).way[-1].copy_of == first


@pytest.mark.parametrize(
    ("path", "fate", "says"),
    [
        ("/members/list", "refused", "robots.txt does not allow it: http://iris.example/robots.txt"),
        ("/gone", "failed", "http-404"),
    ],
)
def test_what_gave_no_page_says_why(folder, path, fate, says):
    found = ask(folder, path)
    assert found.fate == fate
    assert says in found.verdict[0]
    assert paths(found) == ["/", path]


@pytest.mark.parametrize(
    ("url", "page", "verdict"),
    [
        ("/rake", "http://iris.example/shed", "the strategy shark-search dropped the link"),
        ("http://other.example/eye", "http://iris.example/", "scope keeps it out: deny_hosts: other.example"),
        ("/hidden", "http://iris.example/quiet", "asks that its links are not followed"),
    ],
)
def test_a_link_that_was_not_followed_says_on_which_page_and_why(folder, url, page, verdict):
    found = ask(folder, url)
    assert found.fate == "unknown"
    (linker,) = found.links.found
    assert linker.url == page
    assert verdict in linker.verdict
    assert found.way[0].candidate.parent is None
    assert found.way[-1].candidate.url == page


@pytest.mark.parametrize(
    "asked", ["https://iris.example/pupil", "http://www.iris.example/pupil", "/pupil/", "/Pupil", "/pupils"]
)
def test_a_url_nobody_links_to_is_compared_with_those_that_are_known(folder, asked):
    found = ask(folder, asked)
    assert found.links.found == []
    assert found.near[0] == "http://iris.example/pupil"


def test_the_url_that_was_probably_meant_is_offered_before_the_list_of_seeds(folder):
    shown = CliRunner().invoke(draw_why, [str(folder), "http://iris.example/pupils"]).output
    assert shown.index("similar urls") < shown.index("of the crawl:")


def test_a_url_like_nothing_known_has_no_neighbours(folder):
    assert ask(folder, "http://elsewhere.test/zzz").near == ()


def test_a_slip_in_a_long_address_is_found_among_many_that_are_alike():
    known = [f"/{'leaf/' * 300}iris-{number:04}.html" for number in range(2000)]
    assert _closest(known[700].replace("iris", "irsi"), known, 1, 0.9) == [known[700]]


def test_however_many_addresses_are_alike_few_are_compared_letter_by_letter(monkeypatch):
    compared = []
    monkeypatch.setattr(
        unknown_urls,
        "SequenceMatcher",
        lambda _, one, other, **how: compared.append((one, other)) or SequenceMatcher(_, one, other, **how),
    )
    known = ["/" + "".join(Random(number).sample("abcdefghijklmnop" * 100, 1600)) for number in range(100)]
    known += ["/" + "".join(Random(number).sample("abcdefghij" * 8, 80)) for number in range(300)]
    for asked in ("/" + "abcdefghijklmnop" * 100, "/" + "abcdefghij" * 8):
        _closest(asked, known, 4, 0.9)
    assert 0 < len(compared) <= 100
    assert all(len(one) <= 100 and len(other) <= 100 for one, other in compared)


def test_a_waiting_url_says_where_it_stands_and_what_for(tmp_path):
    folder = crawl(tmp_path / "crawl", budget={"pages": 2})
    with Archive.open(folder) as archive:
        rows = archive.read("SELECT url FROM url WHERE state = 0 ORDER BY priority DESC, seq").fetchall()
        found = [why(archive, url) for (url,) in rows]
    assert [each.place.before for each in found] == list(range(len(rows)))
    assert {each.place.on_host for each in found} == {len(rows)}
    assert found[0].fate == "waiting"
    assert "all 2 pages of the budget are fetched" in " ".join(found[0].verdict)
    assert found[-1].way[-1].parts.evidence


def test_a_host_whose_quota_is_used_up_says_so(tmp_path):
    folder = crawl(tmp_path / "crawl", frontier={"quota": 2})
    with Archive.open(folder) as archive:
        (url,) = archive.read("SELECT url FROM url WHERE state = 0").fetchone()
        assert any("quota of 2 urls is used up" in sentence for sentence in why(archive, url).verdict)


def test_a_strategy_that_is_not_installed_leaves_the_rest_of_the_story(tmp_path):
    folder = crawl(tmp_path / "crawl")
    settings = folder / "crawl.toml"
    settings.write_text(
        settings.read_text("utf-8").replace("shark-search", "my-own").replace("depth = 1\n", ""), "utf-8"
    )
    step = ask(folder, "/pupil").way[-1]
    assert "there is no strategy 'my-own'" in step.parts.unknown
    assert step.judgement.relevant


def test_a_page_that_was_lost_says_so(tmp_path):
    folder = crawl(tmp_path / "crawl")
    for path in (folder / "warc").iterdir():
        path.write_bytes(b"")
    assert "lost" in ask(folder, "/pupil").way[-1].parts.unknown


def test_a_root_page_can_be_looked_for_too(tmp_path):
    site = IrisSite()
    site.pages["/"] = page("Iris", "<p>iris eye", ("http://other.example/", "the other"))
    found = ask(crawl(tmp_path / "crawl", site), "http://other.example/")
    assert [linker.anchor for linker in found.links.found] == ["the other"]


@pytest.mark.parametrize(
    ("relevant", "says"),
    [
        (True, "You said: relevant, on 2026-02-01."),
        (False, "You said: not relevant, on 2026-02-01."),
        (None, "You skipped it, on 2026-02-01."),
    ],
)
def test_what_a_person_said_of_a_page_is_told(tmp_path, relevant, says):
    folder = crawl(tmp_path / "crawl", budget={"pages": 2})
    url = ask(folder, "/").url
    with closing(Ledger(folder / "crawl.sqlite")) as ledger:
        put_label(ledger, HandLabel(url, relevant, datetime(2026, 2, 1, tzinfo=UTC).timestamp()))
    found = ask(folder, "/")
    assert says in found.verdict
    assert found.label.relevant is relevant


def test_what_is_no_web_address_is_refused(folder):
    with pytest.raises(BadInput, match="not a web address"), Archive.open(folder) as archive:
        why(archive, "http://")


def test_what_speaks_for_a_link_and_what_against_are_told_apart(tmp_path):
    path = crawl(tmp_path / "crawl", strategy={"name": "apprentice"})
    said = CliRunner().invoke(draw_why, [str(path), "http://iris.example/pupil"], env={"COLUMNS": "80"}).output
    found = re.search(
        r"priority (\S+) = (\S+) for it − (\S+) against\n│   for +(.+)\n(?:│ {10}.+\n)*│   against  bias", said
    )
    assert found, said
    priority, speaks_for, against = map(float, found.groups()[:3])
    assert priority == pytest.approx(speaks_for - against, abs=0.02)
