"""A WACZ export: what other tools find in it."""

import gzip
import json
import subprocess
import sys
import zipfile
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.results.export_folders import html, made, page
from warcio.archiveiterator import ArchiveIterator

from thresher.model import Url
from thresher.results.export import wacz_file
from thresher.results.export.exporter import Choice, export
from thresher.results.export.wacz_file import IndexLines, sort_key


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wacz")
    twins = html("Twins", "The iris of the eye. " * 20)
    crawl = made(
        folder / "iris",
        page(1, title="<b>The iris</b>\n"),
        page(2, twins, url=Url("http://www.host.test:8080/B?z=1&a=2")),
        page(3, twins, title="虹膜", url=Url("http://a.test/%E8%99%B9")),
    )
    export(crawl, "wacz", Choice(duplicates=True), folder / "iris.wacz")
    with zipfile.ZipFile(folder / "iris.wacz") as opened:
        yield opened


def index_of(package):
    return gzip.decompress(package.read("indexes/index.cdx.gz")).decode().splitlines()


def test_the_index_leads_to_each_page_in_the_warc_file(package):
    stored = package.read("archive/pages.warc.gz")
    for line in index_of(package):
        fields = json.loads(line.split(" ", 2)[2])
        start, length = int(fields["offset"]), int(fields["length"])
        (record,) = ArchiveIterator(BytesIO(stored[start : start + length]))
        assert record.rec_type == "response"
        assert record.rec_headers["WARC-Target-URI"] == fields["url"]
        assert (fields["mime"], fields["status"]) == ("text/html", "200")
        assert fields["digest"] == record.rec_headers["WARC-Payload-Digest"]


def test_the_index_is_in_order_and_its_blocks_can_be_read_alone(package):
    lines = index_of(package)
    assert [line.split()[0] for line in lines] == ["test,a)/%e8%99%b9", "test,host)/1", "test,host:8080)/b?a=2&z=1"]
    head, *blocks = package.read("indexes/index.idx").decode().splitlines()
    assert head == '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}'
    (key, at, place) = blocks[0].split(" ", 2)
    place = json.loads(place)
    part = package.read("indexes/index.cdx.gz")[place["offset"] : place["offset"] + place["length"]]
    assert gzip.decompress(part).decode().startswith(f"{key} {at} ")


def test_the_pages_are_listed_with_their_titles(package):
    head, *pages = map(json.loads, package.read("pages/pages.jsonl").decode().splitlines())
    assert head["format"] == "json-pages-1.0"
    assert {each["title"].strip() for each in pages} == {"<b>The iris</b>", "A page", "虹膜"}
    assert all(each["ts"].endswith("Z") for each in pages)


def test_the_warc_file_and_the_index_are_stored_as_they_are(package):
    stored = {each.filename for each in package.infolist() if each.compress_type == zipfile.ZIP_STORED}
    assert stored == {"archive/pages.warc.gz", "indexes/index.cdx.gz"}


@pytest.mark.slow
def test_the_tool_of_the_format_finds_it_valid(package):
    pytest.importorskip("wacz", reason="wacz is not installed: pip install 'thresher[interop]'")
    command = [sys.executable, "-m", "wacz", "validate", "-f", package.filename]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert "the passed WACZ is valid" in done.stdout, done.stdout + done.stderr


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=5)))
def test_lines_come_in_order_however_many_are_sorted_at_once(tmp_path_factory, lines):
    index = IndexLines(tmp_path_factory.mktemp("lines"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wacz_file, "_LINES_SORTED_AT_ONCE", 3)
        for line in lines:
            index.add(line)
        assert list(index.ordered()) == sorted(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www2.Example.org", "org,example)/"),
        ("http://wwwhat.example.org/x", "org,example,wwwhat)/x"),
        ("http://[::1]:81/x?", "::1:81)/x"),
    ],
)
def test_addresses_are_sorted_by_host(url, key):
    assert sort_key(url) == key
