"""A report of a crawl: what it tells, what it never tells, where it goes, and how large it may get."""

import html
import re
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from tests.assembling import opened
from tests.unit.results.changing_web import serving
from tests.unit.results.report_crawls import ATTACKS, TURNING, crawl, hostile, well_behaved

import thresher
from thresher.cli.report import report
from thresher.errors import BadInput, FolderError
from thresher.results.archive import Archive
from thresher.results.report.html_pieces import Html, columns, grid, text, web_link
from thresher.results.report.report_facts import report_facts
from thresher.results.report.report_file import write_report
from thresher.urls import url_hash


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "irises"
    crawl(path, fetch={"proxies": []}, polite={"delay": 0.0, "contact": "me@example.org"})
    return path


@pytest.fixture(scope="module")
def page(folder):
    return write_report(folder, folder.parent / "page.html").read_text("utf-8")


def plain(page):
    """What a person reads."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.partition("<body>")[2])).split())


def test_a_report_has_every_section_with_what_the_crawl_found(page):
    heads = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert heads == [
        "Harvest",
        "Best pages",
        "How they were found",
        "Hosts by harvest",
        "Trouble",
        "Still waiting",
        "The topic",
        "Method",
        "Rights and manners",
    ]
    said = plain(page)
    assert "Of 7 urls that were fetched, 4 were on topic and new" in said
    assert "Muscles" in said
    assert "http-404 the page is not there (404) 1" in said
    assert "robots robots.txt does not allow it; nothing was asked, left out on purpose 1" in said
    assert "1 of the 4 relevant pages name a licence" in said
    assert "Licences that pages name: CC BY 4.0" in said
    assert "1 reserve text and data mining" in said
    assert "1 ask not to be listed" in said
    assert "iris exact 1" in said
    assert "Nothing had to be tried again. What is listed below are final outcomes" in said


def test_lost_pages_name_the_page_that_links_to_them(folder, page):
    with Archive.open(folder) as archive:
        (lost,) = report_facts(archive).troubles.promising
    assert lost.address.endswith("/gone")
    (line,) = re.findall(r"<li><code>http-404</code>.*?</li>", page)
    assert [f'href="{url}"' in line for url in (lost.address, lost.found_on)] == [True, True]


def test_the_map_has_the_way_from_the_seed(folder, page):
    with Archive.open(folder) as archive:
        (host,) = report_facts(archive).tree
    (root,) = host.pages
    assert root.visit.title == "Iris of the eye"
    below = {child.visit.title: child for child in root.children}
    assert [child.visit.title for child in below["Muscles"].children] == ["Deep"]
    assert "Here the crawl began." in page


def test_a_report_names_no_path_of_the_machine_and_no_contact(folder, page):
    assert str(folder.parent) not in page
    assert "me@example.org" not in page


def test_settings_with_files_and_logins_are_told_by_their_names_only(tmp_path):
    weights = tmp_path / "very-private" / "weights.toml"
    path = tmp_path / "crawl"
    crawl(path)
    settings = (path / "crawl.toml").read_text("utf-8")
    changed = settings.replace("[judge]", '[fetch]\nproxy = "http://me:secret@127.0.0.1:9"\n\n[judge]', 1)
    changed = changed.replace("[strategy]", f'[strategy]\nweights = "{weights}"', 1)
    (path / "crawl.toml").write_text(changed, "utf-8")
    page = write_report(path, tmp_path / "page.html").read_text("utf-8")
    assert "secret" not in page
    assert "very-private" not in page
    assert "weights.toml" in page


# ── where it goes ──


def test_a_report_is_replaced_only_by_force_and_nothing_else_is_ever_replaced(folder, tmp_path):
    place = tmp_path / "deep" / "page.html"
    assert write_report(folder, place) == place
    with pytest.raises(BadInput, match="is there already: choose another place with --out, or replace it with --force"):
        write_report(folder, place)
    write_report(folder, place, force=True)
    (tmp_path / "mine.html").write_text("<p>my own page")
    (tmp_path / "link.html").symlink_to(place)
    for taken in ("mine.html", "link.html", "deep"):
        with pytest.raises(BadInput, match="is no earlier report"):
            write_report(folder, tmp_path / taken, force=True)
    assert (tmp_path / "mine.html").read_text() == "<p>my own page"
    with pytest.raises(BadInput, match="belongs to the crawl irises"):
        write_report(folder, folder / "crawl.sqlite", force=True)
    assert [path.name for path in place.parent.iterdir()] == ["page.html"]


def test_the_command_says_where_it_is_and_names_it_after_the_crawl(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(report, [str(folder)])
    assert done.exit_code == 0, done.output
    assert "irises-report.html" in done.output
    assert (tmp_path / "irises-report.html").exists()


def test_python_writes_the_same_report(folder, tmp_path):
    written = thresher.open(folder).report(tmp_path / "page.html")
    assert written == tmp_path / "page.html"
    with pytest.raises(BadInput, match="--force"):
        thresher.open(folder).report(written)
    assert thresher.open(folder).report(str(written), force=True) == written


# ── crawls of all kinds ──


def test_an_empty_crawl_has_a_report(tmp_path):
    crawl(tmp_path / "crawl")
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite")) as database:
        for table in ("visit", "known", "origin", "best_waiting", "host", "band"):
            database.execute(f"DELETE FROM {table}")
        database.commit()
    said = plain(write_report(tmp_path / "crawl", tmp_path / "page.html").read_text("utf-8"))
    assert "This crawl has fetched nothing yet." in said
    assert "No relevant page was found yet." in said
    assert "too little to draw a curve" in said


def test_a_folder_without_a_crawl_is_one_sentence_and_leaves_nothing(tmp_path):
    with pytest.raises(BadInput, match="is not the folder of a crawl"):
        write_report(tmp_path, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_whatever_a_page_was_called_the_report_stays_small_and_its_own(tmp_path):
    page = write_report(hostile(tmp_path / "crawl"), tmp_path / "page.html").read_text("utf-8")
    assert len(page) < 150_000
    assert not set(page) & set(TURNING)
    body = page.partition("<body>")[2]
    assert not re.search(r"<(script|img|iframe|style|link|meta|base|svg [^>]*onload)", body)
    assert set(re.findall(r'href="(\w+:|#)', body)) <= {"#", "http:", "https:"}
    assert not re.search(r"<[^>]*\son\w+=", re.sub(r'"[^"]*"', '""', body))
    assert ATTACKS[0][:20] in html.unescape(body), "it is shown as text"


async def test_a_crawl_that_runs_has_a_report_that_says_so(tmp_path):
    async with serving(well_behaved()) as served, opened(tmp_path / "crawl", "iris, eye", [served.base + "/"]) as loop:
        loop.stop("enough", "the test has seen enough")
        await loop.run()
        said = plain(write_report(tmp_path / "crawl", tmp_path / "page.html").read_text("utf-8"))
    assert "It is running" in said


def test_text_that_is_none_is_one_sentence_and_leaves_the_earlier_report(tmp_path):
    crawl(tmp_path / "crawl")
    place = write_report(tmp_path / "crawl", tmp_path / "page.html")
    before = place.read_bytes()
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite")) as database:
        database.execute("UPDATE visit SET title = CAST(x'ff41fe' AS TEXT)")
        database.commit()
    with pytest.raises(FolderError, match="UTF-8"):
        write_report(tmp_path / "crawl", place, force=True)
    assert place.read_bytes() == before


# ── pieces ──


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://example.org/a?b=1&c=2", True),
        ("http://example.org/", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("http://example.org/" + "a" * 3000, False),
        ("http://user:secret@example.org/", False),
        ("http://example.org/\u202egpj", False),
        ("//example.org/", False),
    ],
)
def test_only_addresses_of_the_web_become_links(url, linked):
    made = web_link(url)
    assert made.startswith('<a href="http') == linked
    assert "secret" not in made
    assert not set(made) & set(TURNING)
    assert len(made) < 400


def test_text_is_escaped_once_and_html_not_again():
    assert text("<b>&amp;") == "&lt;b&gt;&amp;amp;"
    assert text(Html("<b>")) == "<b>"
    assert "&lt;i&gt;" in grid("figures", columns("name", "number"), [("<i>", "1")])


def test_a_report_does_not_grow_with_the_crawl(tmp_path):
    crawl(tmp_path / "crawl")
    sizes = []
    for hosts in (300, 3_000):
        with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite")) as database:
            names = [name for _, name, *_ in database.execute("PRAGMA table_info(visit)")]
            row = dict(
                zip(
                    names,
                    database.execute(f"SELECT {', '.join(names)} FROM visit WHERE number = 1").fetchone(),
                    strict=True,
                )
            )
            for number in range(1_000, 1_000 + hosts):
                url = f"http://host{number}.example/{'long/' * 60}"
                made = row | {"number": number, "url": url, "url_hash": url_hash(url), "host": f"host{number}.example"}
                made |= {"title": "iris " * 1_000, "anchor": "eye " * 500, "parent": row["url"], "content_hash": None}
                database.execute(
                    f"INSERT OR REPLACE INTO visit ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                    [*made.values()],
                )
            database.commit()
        sizes.append(write_report(tmp_path / "crawl", tmp_path / "page.html", force=True).stat().st_size)
    assert sizes[1] < 1.2 * sizes[0] < 1_000_000
