"""What the ending of an address promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.documents.kinds import DOCUMENT_TYPES
from thresher.endings import MEDIA, PROMISES, ending_of, unread
from thresher.fetch.http import HTML_TYPES
from thresher.fetchers import LIST_ENDINGS, scope_rules
from thresher.polite.scope import ScopeRules
from thresher.settings import Settings


@pytest.mark.parametrize(
    ("url", "ending"),
    [
        ("http://a.example/cat.jpg", "jpg"),
        ("http://a.example/cat.JPG?of=x.html", "jpg"),
        ("http://a.example/cat.html", "html"),
        ("http://a.example/v1.2/cats", ""),
        ("http://a.example/", ""),
        ("http://a.zip/", ""),
        ("http://a.example/cat.", ""),
        ("http://a.example/archive.tar.gz", "gz"),
        ("http://a.example/map.xml.gz", "xml.gz"),
        ("http://a.example/blog/feed.json?x", "feed.json"),
        ("http://a.example/data.json", "json"),
    ],
)
def test_the_ending_is_that_of_the_last_part_of_the_path(url, ending):
    assert ending_of(url) == ending


def test_whoever_reads_html_reads_none_of_the_known_endings():
    assert unread(HTML_TYPES) == PROMISES.keys()


def test_media_are_what_no_crawl_reads():
    """A strategy that passes over media must not pass over documents and lists."""
    assert unread([*HTML_TYPES, *DOCUMENT_TYPES, *LIST_ENDINGS]) == MEDIA
    assert {"pdf", "docx", "rss", "xml"}.isdisjoint(MEDIA)
    assert {"jpg", "zip", "mp3"} <= MEDIA


def test_whoever_reads_everything_leaves_none_out():
    assert unread([]) == frozenset()


def test_a_type_that_is_read_takes_its_endings_with_it():
    assert PROMISES.keys() - unread([*HTML_TYPES, "application/pdf"]) == {"pdf"}
    assert {"png", "svg"} <= PROMISES.keys() - unread(["image/png"]), "the kind of picture is not certain by its ending"


@given(st.text())
def test_every_text_has_an_ending_or_none(text):
    assert "/" not in ending_of(text)


def test_a_scope_keeps_such_urls_out_and_says_why():
    scope = ScopeRules(deny_endings=list(PROMISES))
    assert scope.refusal("http://a.example/cat.PNG", 1) == "deny_endings: png"
    assert scope.refusal("http://a.example/cat", 1) is None
    assert ScopeRules(deny_endings=[".html"]).refusal("http://a.example/cat.html", 1) == "deny_endings: html"
    assert ScopeRules().refusal("http://a.example/cat.png", 1) is None


def test_the_scope_of_a_crawl_follows_the_types_that_it_reads():
    def refused(**tables):
        return scope_rules(Settings(topic="iris", **tables)).refusal("http://a.example/eye.pdf", 1)

    assert refused(documents={"read": False}) == "deny_endings: pdf"
    assert refused(documents={"read": True}) is None
    assert refused(fetch={"types": ["text/html", "application/pdf"]}) is None
    assert refused(scope={"deny_endings": []}) is None
