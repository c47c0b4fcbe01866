"""The site: it builds without a warning, asks no other host for anything, and its pages read as they do on a code host."""

import html
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from docs_hook import relinked
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
SOURCES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
]
BLOCKS = {"ul", "ol", "li", "table", "tr", "pre", "blockquote", "h1", "h2", "h3", "h4", "img"}


class Outline(HTMLParser):
    """The lists, tables, headings, pictures and code of a page, in their order and nested as they are."""

    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags += [tag] * (tag in BLOCKS)

    def handle_endtag(self, tag):
        self.tags += [f"/{tag}"] * (tag in BLOCKS)


def words(page):
    # A stroke in the code of a table needs a backslash on code hosts, which the site shows.
    return html.unescape(re.sub(r"<[^>]+>", "", page)).replace(r"\|", "|").split()


@pytest.fixture(scope="module")
def extensions():
    config = pytest.importorskip("mkdocs.config", reason="the extra docs is not installed")
    return config.load_config(str(ROOT / "mkdocs.yml")).markdown_extensions


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    # Never with --quiet: it drops the warnings before --strict can count them.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_reads_the_same_on_the_site_and_on_a_code_host(source, extensions):
    # mkdocs wants an empty line before a list and four spaces below an item; CommonMark, which code hosts read, does not.
    text = source.read_text("utf-8")
    markdown = pytest.importorskip("markdown")
    here = markdown.Markdown(
        extensions=[name for name in extensions if name not in {"toc", "pymdownx.highlight"}]
    ).convert(text)
    there = MarkdownIt("commonmark").enable("table").render(text)
    assert Outline(here).tags == Outline(there).tags
    assert words(here) == words(there)


def test_every_page_asks_this_site_alone(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        asked = re.findall(r'<(?:script|img|iframe|source)[^>]*\ssrc="?([^"\s>]+)', page.read_text("utf-8"))
        asked += re.findall(r'<link[^>]*\shref="?([^"\s>]+)', page.read_text("utf-8"))
        assert asked
        assert [address for address in asked if re.match(r"(\w+:)?//", address)] == [], page


def test_no_style_asks_another_host(site):
    styles = [path.read_text("utf-8") for path in site.rglob("*.css")]
    assert styles
    assert re.findall(r"(?:url\(|@import)[\s\"']*(?:https?:)?//[^)\s]*", " ".join(styles)) == []


def test_what_lies_outside_docs_has_a_page_or_is_named_as_code():
    link = relinked("See [the house](../../ARCHITECTURE.md#the-tree).", "docs/papers/a.md", "papers/a.md", None)
    assert link == "See [the house](../design/architecture.md#the-tree)."
    assert (
        relinked("[an example](../../examples/ten_lines.py)", "docs/guides/a.md", "guides/a.md", None)
        == "an example (`examples/ten_lines.py`)"
    )
    at_host = relinked(
        "[x](../../examples/ten_lines.py)", "docs/guides/a.md", "guides/a.md", "https://host.example/thresher/"
    )
    assert at_host == "[x](https://host.example/thresher/blob/main/examples/ten_lines.py)"
    assert (
        relinked("[lab](docs/guides/lab.md)", "ARCHITECTURE.md", "design/architecture.md", None)
        == "[lab](../guides/lab.md)"
    )
    assert (
        relinked("```\n[x](../../README.md)\n```", "docs/guides/a.md", "guides/a.md", None)
        == "```\n[x](../../README.md)\n```"
    )
    assert relinked("[x](../../no-such.md)", "docs/guides/a.md", "guides/a.md", None) == "[x](../../no-such.md)"
