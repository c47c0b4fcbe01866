import gzip
import io
import sys
import time
from collections import Counter

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.test_xml_lists import ATOM, INDEX, RSS, SITEMAP

from thresher.cli.crawl import crawl
from thresher.errors import BadInput, NoAnswer
from thresher.seed import sources
from thresher.seed.listed_files import kind_of
from thresher.seed.polite_download import DownloadOptions
from thresher.seed.sources import read_source, seeds_from

BOOKMARKS = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A><DT><A HREF="place:x">B</A>'


@pytest.fixture
def seeds_of(tmp_path):
    def read(content, **more):
        path = tmp_path / "seeds"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return seeds_from(str(path), **more)

    return read


class Site:
    """Files at paths; `{base}` in them is the site's own address."""

    def __init__(self):
        self.files = {}
        self.asked = Counter()
        self.agents = set()
        app = web.Application()
        app.router.add_get("/{path:.*}", self._answer)
        self._server = TestServer(app)

    async def __aenter__(self):
        await self._server.start_server()
        return self

    async def __aexit__(self, *error):
        await self._server.close()

    def at(self, path):
        return str(self._server.make_url(path))

    async def seeds(self, path, *, notes=None, **reach):
        notes = [] if notes is None else notes
        return [url.removeprefix(self.at("/")) for url in await self.read(path, notes.append, **reach)]

    async def read(self, path, note=lambda _text: None, **reach):
        return await read_source(self.at(path), DownloadOptions(**{"delay": 0.0, **reach}), note)

    async def _answer(self, request):
        self.asked[request.path] += 1
        self.agents.add(request.headers["User-Agent"])
        content = self.files.get(request.path)
        if content is None:
            raise web.HTTPNotFound
        if isinstance(content, int):
            raise web.HTTPMovedPermanently("/new/s.xml") if content == 301 else web.HTTPFound(request.path)
        if isinstance(content, str):
            content = content.replace("{base}", self.at("")).encode()
        return web.Response(body=content, content_type="application/octet-stream")


@pytest.fixture
async def site():
    async with Site() as site:
        yield site


def sitemap(*paths):
    return f"<urlset>{''.join(f'<url><loc>{{base}}{path}</loc></url>' for path in paths)}</urlset>"


def index(*paths):
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{{base}}{path}</loc></sitemap>' for path in paths)}</sitemapindex>"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("content", "seeds"),
    [
        ("# mine\nhttps://b.example\nhttps://a.example/\n", ["https://b.example/", "https://a.example/"]),
        (SITEMAP, ["https://a.example/?x=1&y=2", "https://a.example/b"]),
        (RSS, ["https://a.example/1", "https://a.example/2"]),
        (ATOM, ["https://a.example/2"]),
        (BOOKMARKS, ["https://a.example/"]),
        (f"<!-- <html> -->\n{RSS}", ["https://a.example/1", "https://a.example/2"]),
    ],
)
def test_a_file_says_by_its_content_what_it_is(seeds_of, content, seeds, pack):
    assert seeds_of(pack(content.encode())) == seeds


def test_standard_input_is_read_the_same_way(monkeypatch):
    for content, count in ((RSS, 2), ("http://a/", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        assert len(seeds_from("-")) == count


def record(kind, url, block):
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype={kind}\r\n"
    )
    return f"{head}Content-Length: {len(block)}\r\n\r\n{block}\r\n\r\n".encode()


def warc(packed):
    records = []
    for url, status, kind in [
        ("http://a.example/", "200 OK", "text/html; charset=utf-8"),
        ("http://a.example/logo.png", "200 OK", "image/png"),
        ("http://a.example/gone", "404 Not Found", "text/html"),
        ("<http://a.example/b>", "200 OK", "Application/XHTML+xml"),
        ("http://a.example/", "200 OK", "text/html"),
        ("http://127.0.0.1:8000/", "200 OK", "text/html"),
    ]:
        records.append(record("request", url, "GET / HTTP/1.1\r\n\r\n"))
        records.append(record("response", url, f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n<p>x"))
    return b"".join(map(gzip.compress, records) if packed else records)


@pytest.mark.parametrize("packed", [True, False])
def test_a_warc_gives_the_pages_in_it(seeds_of, packed):
    notes = []
    assert seeds_of(warc(packed), note=notes.append) == ["http://a.example/", "http://a.example/b"]
    assert "1 urls at private addresses left out" in notes[-1]
    assert len(seeds_of(warc(packed), reach=DownloadOptions(allow_private=True))) == 3


def test_a_warc_may_be_one_gzip_stream_over_all_records(seeds_of):
    assert seeds_of(gzip.compress(warc(packed=False))) == ["http://a.example/", "http://a.example/b"]


@pytest.mark.parametrize("packed", [True, False])
def test_of_a_warc_that_is_cut_off_the_whole_records_count(seeds_of, packed):
    assert "http://a.example/b" in seeds_of(warc(packed)[:-20])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "names no url"),
        (b"User-agent: *\nDisallow:\n", "names no url"),
        (b"<!doctype html><title>x</title>", r"is a web page, not a list of urls: start from it with --seed"),
        (b"example.org\n", "line 1: 'example.org': no scheme"),
        (b"\x1f\x8b\x08broken", "is packed with gzip, but torn"),
        (gzip.compress(b"http://a/\n" * 99, mtime=0)[:-9], "is packed with gzip, but torn"),
        (b"\x00\x01\xff", "line 1"),
    ],
)
def test_what_is_no_list_of_urls_is_told(seeds_of, content, words):
    with pytest.raises(BadInput, match=words):
        seeds_of(content)


def test_a_gzip_bomb_is_refused(seeds_of, monkeypatch):
    monkeypatch.setattr("thresher.seed.listed_files.MOST_BYTES", 1000)
    with pytest.raises(BadInput, match="more than 1,000 bytes, unpacked"):
        seeds_of(gzip.compress(b"#" * 10_000_000))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"missing: cannot be read: No such file"):
        seeds_from(str(tmp_path / "missing"))
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        seeds_from(str(tmp_path))


def test_private_addresses_in_a_file_of_strangers_are_left_out_but_not_those_one_writes_down(seeds_of):
    private = ["http://127.0.0.1:8000/", "http://10.0.0.1/"]
    notes = []
    listing = "".join(f"<url><loc>{url}</loc></url>" for url in [*private, "http://a.example/"])
    assert seeds_of(f"<urlset>{listing}</urlset>", note=notes.append) == ["http://a.example/"]
    assert "2 urls at private addresses left out; --allow-private takes them" in notes[-1]
    assert seeds_of("\n".join(private)) == private


async def test_robots_txt_leads_through_an_index_to_packed_sitemaps(site):
    site.files = {
        "/robots.txt": "User-agent: *\nDisallow: /private\nsitemap: {base}/index.xml\nSitemap:{base}/feed # news\n",
        "/index.xml": index("/one.xml.gz", "/two.txt"),
        "/two.txt": "{base}/b\n{base}/c\n",
        "/feed": '<feed><entry><link href="d"/></entry></feed>',
    }
    site.files["/one.xml.gz"] = gzip.compress(sitemap("/a", "/b").replace("{base}", site.at("")).encode())
    notes = []
    assert await site.seeds("/robots.txt", notes=notes) == ["d", "a", "b", "c"]
    assert site.asked["/one.xml.gz"] == 1


async def test_a_sitemap_that_names_itself_is_read_once(site):
    site.files = {"/i.xml": index("/i.xml", "/s.xml", "/s.xml"), "/s.xml": sitemap("/a")}
    assert await site.seeds("/i.xml") == ["a"]
    assert site.asked["/s.xml"] == 1
    assert site.asked["/i.xml"] <= 2


async def test_indexes_are_followed_only_so_deep_and_so_far(site, monkeypatch):
    site.files = {f"/{n}.xml": index(f"/{n + 1}.xml") for n in range(9)} | {"/9.xml": sitemap("/a")}
    notes = []
    with pytest.raises(BadInput, match="names no url"):
        await site.seeds("/0.xml", notes=notes)
    assert "1 of its sitemaps are not read: at most 50 are, 3 steps deep" in notes[-1]
    monkeypatch.setattr(sources, "MOST_FILES", 2)
    site.files = {"/i.xml": index("/a.xml", "/b.xml", "/c.xml")}
    site.files |= {f"/{name}.xml": sitemap(f"/{name}") for name in "abc"}
    assert await site.seeds("/i.xml", notes=notes) == ["a", "b"]


async def test_no_more_seeds_than_the_most_are_taken_and_that_is_said(site, monkeypatch):
    monkeypatch.setattr(sources, "MOST_SEEDS", 3)
    site.files = {"/i.xml": index("/s.xml", "/t.xml"), "/s.xml": sitemap("/a", "/b"), "/t.xml": sitemap("/c", "/d")}
    notes = []
    assert await site.seeds("/i.xml", notes=notes) == ["a", "b", "c"]
    assert "more than 3 seeds; the rest is left out" in " ".join(notes)


async def test_one_bad_sitemap_does_not_spoil_the_others(site):
    site.files = {"/i.xml": index("/bad.xml", "/gone.xml", "/s.xml"), "/bad.xml": "<urlset><", "/s.xml": sitemap("/a")}
    notes = []
    assert await site.seeds("/i.xml", notes=notes) == ["a"]
    assert any("bad.xml, line 1" in note for note in notes)
    assert any("gone.xml: status 404" in note for note in notes)


async def test_if_all_is_bad_the_error_says_why(site):
    site.files = {"/i.xml": index("/gone.xml")}
    with pytest.raises(BadInput, match=r"i.xml: names no url to crawl; .*gone.xml: status 404"):
        await site.seeds("/i.xml")


async def test_robots_txt_is_obeyed_and_pauses_are_kept(site):
    site.files = {"/robots.txt": "User-agent: *\nDisallow: /s.xml\n", "/s.xml": sitemap("/a"), "/t.xml": sitemap("/b")}
    with pytest.raises(NoAnswer, match=r"s.xml: .*robots.txt does not allow it"):
        await site.seeds("/s.xml")
    assert not site.asked["/s.xml"]
    began = time.perf_counter()
    assert await site.seeds("/t.xml", delay=0.2) == ["b"]
    assert time.perf_counter() - began >= 0.2


async def test_redirects_are_followed_but_not_for_ever(site):
    site.files = {
        "/old": 301,
        "/loop": 302,
        "/new/s.xml": '<feed><entry><link href="x"/></entry></feed>',
    }
    assert await site.seeds("/old") == ["new/x"]
    with pytest.raises(NoAnswer, match="more than 10 redirects"):
        await site.seeds("/loop")


async def test_a_sitemap_elsewhere_cannot_lead_to_this_machine(site):
    # Another port is another host, which nobody has spelled out.
    async with Site() as other:
        other.files = {"/s.xml": sitemap("/a")}
        site.files = {"/i.xml": f"<sitemapindex><sitemap><loc>{other.at('/s.xml')}</loc></sitemap></sitemapindex>"}
        with pytest.raises(BadInput, match="private-address"):
            await site.seeds("/i.xml")
        assert not other.asked
        assert await site.read("/i.xml", allow_private=True) == [other.at("/a")]


async def test_who_asks_is_said(site):
    site.files = {"/s.xml": sitemap("/a")}
    await site.seeds("/s.xml", user_agent="Thresher/9 (+me@example.org)")
    assert site.agents == {"Thresher/9 (+me@example.org)"}


def test_a_web_address_with_a_password_is_refused():
    with pytest.raises(BadInput, match="leave it out") as caught:
        seeds_from("https://me:secret@example.org/sitemap.xml")
    assert "secret" not in str(caught.value)


async def test_a_host_that_is_not_there_is_told(site):
    where = site.at("/s.xml")
    await site._server.close()
    with pytest.raises(NoAnswer, match=r"s\.xml: robots-unavailable"):
        await read_source(where, DownloadOptions(delay=0.0), print)


@pytest.mark.parametrize("text", [INDEX, SITEMAP, RSS])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_xml_is_known_in_any_encoding(text, encoding):
    assert kind_of(text.encode(encoding)) == "listed"


@given(st.binary(max_size=200))
def test_any_bytes_are_of_some_kind(content):
    assert kind_of(content) in {"warc", "bookmarks", "listed", "robots", "page", "lines"}


@pytest.mark.parametrize(("options", "told"), [((), "thresher: {path}: 2 urls\n"), (("--quiet",), "")])
def test_the_command_line_says_what_it_found_unless_it_is_to_be_quiet(tmp_path, options, told):
    path = tmp_path / "sitemap.xml"
    path.write_text(SITEMAP)
    result = CliRunner().invoke(crawl, ["--seeds", str(path), "--into", str(tmp_path / "crawl"), *options])
    assert result.stderr == told.format(path=path)
    # Seeds alone do not make a crawl.
    assert "no topic" in str(result.exception)
