"""The web as it is, in one crawl: documents, a page that scripts make, a feed, a sitemap, pages that are none, a login; served by nginx."""

import gzip
import json
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest
import tomli_w
from tests.crawl.in_process import thresher
from tests.crawl.local import catalogued, finish, shown, start
from tests.unit.browser.rendering import SANDBOX
from tests.unit.browser.site import needs_browser
from tests.unit.documents import made
from tests.web.nginx import nginx
from warcio.archiveiterator import ArchiveIterator

from thresher.model import Response, Url
from thresher.parse.html import HtmlParser
from thresher.testing.store_contract import prose

DEBIAN = Path(__file__).parents[2] / ".venv" / "debian"
"""Where .ci/run unpacks packages that carry documents."""
REAL = {
    "guide.pdf": "usr/share/doc/maint-guide/maint-guide.en.pdf",
    "tm.pdf": "usr/lib/R/site-library/tm/doc/tm.pdf",
    "example.docx": "usr/lib/R/site-library/officer/doc_examples/example.docx",
}
IRIS = "The iris of the eye is around the pupil. The iris has a colour, and the eye has an iris. "
CONF = """
  error_page 404 =200 /missing.html;
  location = /robots.txt { default_type text/plain; }
  location = /members.html { auth_basic in; auth_basic_user_file users; }
  location ~ [.]docx$ { default_type application/octet-stream; }
  location ~ [.]js$ { default_type text/javascript; }
  location ~ [.]xml$ { default_type application/xml; }
"""
APPLICATION = "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>"
SCRIPT = """
fetch('/data.json').then(answer => answer.json()).then(data => {
  document.getElementById('root').innerHTML = `<p>${data.text}</p><a href="/made.html">the iris of the eye</a>`;
});
"""


def page(*links, title="Iris", words=IRIS):
    listed = "".join(f"<p>More of the iris: <a href='{link}'>the eye and its iris</a>." for link in links)
    own = prose(sum(map(ord, title)), 60)  # else all pages would be copies of one
    return f"<html lang=en><title>{title}</title><p>{words * 3}{listed}<p>{own}"


@pytest.fixture
def web(tmp_path):
    """A site with a thing of each kind."""
    seed = page("/paper.pdf", "/report.docx", "/app.html", "/members.html", "/gone.html")
    pages = {
        "index.html": f"<link rel=alternate type=application/rss+xml href=/feed.xml>{seed}",
        "missing.html": "<title>Page not found</title><h1>Page not found</h1><p>The page you requested was not found.</p>",
        "members.html": page(title="Members"),
        "app.html": APPLICATION,
        "app.js": SCRIPT,
        "data.json": f'{{"text": "{IRIS * 4}"}}',
        "feed.xml": "<rss><channel><title>Irises</title><item><title>Iris of the eye</title><link>/news.html</link></item></channel></rss>",
        "news.html": page(title="News"),
        "made.html": page(title="Made by a script"),
        "after-pdf.html": page(title="After the paper"),
        "after-docx.html": page(title="After the report"),
        "listed.html": page(title="Listed"),
    }
    with nginx(tmp_path, CONF, pages) as server:
        listed = f"<urlset><url><loc>{server.url}/listed.html</loc></url></urlset>"
        (server.root / "sitemap.xml.gz").write_bytes(gzip.compress(listed.encode()))
        (server.root / "robots.txt").write_text(f"User-agent: *\nDisallow:\nSitemap: {server.url}/sitemap.xml.gz\n")
        link = (f"{server.url}/after-pdf.html", "the pupil of the eye")
        (server.root / "paper.pdf").write_bytes(made.pdf(["The iris", IRIS[:60], link[1]], link=link))
        (server.root / "report.docx").write_bytes(_report(f"{server.url}/after-docx.html"))
        hashed = subprocess.run(["openssl", "passwd", "-apr1", "iris"], capture_output=True, text=True, check=True)
        (server.folder / "users").write_text(f"me:{hashed.stdout}")
        yield server


def _report(target):
    link = f'<Relationship Id="r1" Type="{made.HYPERLINK}" Target="{target}" TargetMode="External"/>'
    body = f'<w:p><w:r><w:t>{IRIS * 3}</w:t></w:r><w:hyperlink r:id="r1"><w:r><w:t>the iris</w:t></w:r></w:hyperlink></w:p>'
    return made.docx(body, **{"word___rels__document.xml.rels": f"<Relationships>{link}</Relationships>"})


@pytest.mark.slow
@needs_browser
def test_each_thing_of_a_real_web_is_found_read_and_kept(web, tmp_path, monkeypatch):
    pytest.importorskip("pypdfium2", reason="needs pip install '.[documents]'")
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [f"{web.url}/"],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "strategy": {"name": "breadth-first"},
        "polite": {"delay": 0, "allow_private": True},
        "links": {"sitemaps_after": 1},
        "browser": {"when": "auto", "sandbox": SANDBOX},
        "fetch": {"hosts": {f"127.0.0.1:{web.port}": {"auth": "env:SITE_LOGIN"}}},
    }
    (tmp_path / "crawl.toml").write_text(tomli_w.dumps(settings), "utf-8")
    monkeypatch.setenv("SITE_LOGIN", "me:iris")
    assert finish(start("crawl", tmp_path / "crawl.toml", "--quiet"), 120) == 0
    found = {url.removeprefix(web.url) for url in catalogued(tmp_path / "crawl")}
    assert {"/paper.pdf", "/report.docx", "/app.html", "/members.html", "/feed.xml", "/sitemap.xml.gz"} <= found
    assert {"/after-pdf.html", "/after-docx.html", "/made.html", "/news.html", "/listed.html"} <= found
    figures = shown(tmp_path / "crawl")
    assert figures["errors"] == {"soft-404": 1}
    assert figures["relevant"] >= 8
    conversions = [url.removeprefix(web.url) for kind, url, _ in _records(tmp_path / "crawl") if kind == "conversion"]
    assert sorted(conversions) == ["/app.html", "/paper.pdf", "/report.docx"]
    assert b64encode(b"me:iris") not in b"".join(
        path.read_bytes() for path in (tmp_path / "crawl").rglob("*") if path.is_file()
    )


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
def test_documents_of_debian_packages_are_read_kept_searched_and_exported(tmp_path, hands, monkeypatch, capsys):
    pytest.importorskip("pypdfium2", reason="needs pip install '.[documents]'")
    if lost := [str(path) for path in REAL.values() if not (DEBIAN / path).is_file()]:
        pytest.skip(f"Debian's packages with {', '.join(lost)} are not unpacked in {DEBIAN}")
    with nginx(tmp_path, CONF, {"index.html": page(*REAL, title="Documents")}) as server:
        for name, path in REAL.items():
            shutil.copy(DEBIAN / path, server.root / name)
        settings = {
            "topic": "package",
            "seeds": [f"{server.url}/"],
            "into": "crawl",
            "judge": {"name": "terms", "threshold": 0.1},
            "polite": {"delay": 0, "allow_private": True},
            "scope": {"hosts": [f"127.0.0.1:{server.port}"]},
            "hands": {"count": hands},
        }
        (tmp_path / "crawl.toml").write_text(tomli_w.dumps(settings), "utf-8")
        assert finish(start("crawl", tmp_path / "crawl.toml", "--quiet"), 120) == 0
    folder = tmp_path / "crawl"
    exported = tmp_path / "out.jsonl"
    assert thresher(monkeypatch, capsys, "export", folder, "--to", "jsonl", "--out", exported).code == 0
    rows = {row["url"].rsplit("/", 1)[1]: row for row in map(json.loads, exported.read_text("utf-8").splitlines())}
    assert {name: rows[name]["medium"] for name in REAL} == {
        "guide.pdf": "pdf",
        "tm.pdf": "pdf",
        "example.docx": "docx",
    }
    assert "Debian New Maintainers" in rows["guide.pdf"]["title"]
    assert "Ingo Feinerer" in rows["tm.pdf"]["text"]
    assert "Lorem ipsum dolor sit amet" in rows["example.docx"]["text"]
    found = thresher(monkeypatch, capsys, "search", folder, "maintainer scripts", "--json").out
    assert "guide.pdf" in found
    bodies = {(kind, url.rpartition("/")[2]): body for kind, url, body in _records(folder)}
    for name, path in REAL.items():
        assert bodies["response", name] == (DEBIAN / path).read_bytes()
    links = HtmlParser().parse(answer(bodies["conversion", "guide.pdf"])).links
    assert sum("debian.org" in link.target for link in links) > 50


def answer(body):
    return Response(Url("http://a.example/"), 200, ((b"content-type", b"text/html"),), body, body)


def _records(folder):
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                url = record.rec_headers.get_header("WARC-Target-URI") or ""
                yield record.rec_type, url, record.content_stream().read()
