import pytest
from tests.unit.parse.page_of import HERE, page_of

from thresher.model import Response
from thresher.parse.facts import creative_commons
from thresher.parse.html import HtmlParser

IN_2020 = 1_590_000_000.0


def facts(body, *headers, at=IN_2020):
    given = (("Content-Type", "text/html; charset=utf-8"), *headers)
    sent = tuple((key.encode(), value.encode()) for key, value in given)
    return dict(HtmlParser().parse(Response(HERE, 200, sent, body.encode(), b"", at=at)).facts)


@pytest.mark.parametrize(
    "markup",
    [
        "<meta property=article:published_time content='2019-03-01T10:00:00Z'>",
        "<meta name=citation_publication_date content=2019/03/01>",
        "<meta name=date content=20190301>",
        "<meta name=DC.date.issued content=2019-03-01>",
        '<script type=application/ld+json>{"@type":"Article","datePublished":"2019-03-01T08:00"}</script>',
        '<script type=application/ld+json>{"@graph":[{"@type":["X"]},{"datePublished":["2019-03-01"]}]}</script>',
    ],
)
def test_a_date_of_publication_is_read(markup):
    assert facts(markup) == {"published": "2019-03-01"}


@pytest.mark.parametrize("said", ["2031-01-01", "yesterday", "", "0001-01-01", "2019-13-45", "9" * 5000])
def test_a_date_after_the_fetch_or_before_the_web_or_none_at_all_is_no_date(said):
    assert facts(f"<meta name=date content='{said}'>") == {}


@pytest.mark.parametrize(
    "markup",
    [
        "<meta name=author content=' Ada \n Lovelace '>",
        "<meta property=article:author content=https://example.org/ada><meta name=dc.creator content='Ada Lovelace'>",
        '<script type=application/ld+json>{"author":{"@type":"Person","name":"Ada Lovelace"}}</script>',
        '<script type=application/ld+json>[{"@type":"Comment","author":"no"},{"author":[{"name":"Ada Lovelace"}]}]</script>',
    ],
)
def test_an_author_is_read(markup):
    assert facts(markup) == {"author": "Ada Lovelace"}


def test_several_authors_are_one_line_and_a_long_one_is_cut():
    both = '<script type=application/ld+json>{"author":[{"name":"Ada"},"Grace",{"x":1},7]}</script>'
    assert facts(both) == {"author": "Ada, Grace"}
    assert len(facts(f"<meta name=author content='{'x' * 9000}'>")["author"]) == 200


@pytest.mark.parametrize(
    "odd", ['{"author":7}', '{"@type":[[1]],"license":[{}]}', "[", '{"datePublished":{"a":1}}', "null"]
)
def test_odd_data_says_nothing(odd):
    assert facts(f"<script type=application/ld+json>{odd}</script>") == {}


CC = "https://creativecommons.org/licenses/by-sa/4.0/"


@pytest.mark.parametrize(
    "markup",
    [
        f"<link rel=license href={CC}>",
        f"<p>All under <a rel='nofollow license' href={CC}>a licence</a>",
        f'<script type=application/ld+json>{{"license":"{CC}"}}</script>',
        f'<script type=application/ld+json>{{"license":{{"@id":"{CC}"}}}}</script>',
        f"<meta name=dcterms.license content={CC}>",
    ],
)
def test_a_licence_is_known_by_its_name_and_its_address(markup):
    assert facts(markup) == {"licence": "CC BY-SA 4.0", "licence_url": CC}


def test_another_licence_is_known_by_its_address():
    where = "http://example.org/terms"
    assert facts("<link rel=license href=/terms>") == {"licence": where, "licence_url": where}


def test_a_link_to_a_licence_in_the_text_is_none_of_the_page():
    assert facts(f"<p>Many choose <a href={CC}>this licence</a>.") == {}


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://creativecommons.org/licenses/by/3.0/de/", "CC BY 3.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "Public Domain Mark 1.0"),
        ("https://creativecommons.org/about", ""),
        ("https://creativecommons.org.example.com/licenses/by/4.0/", ""),
        ("https://creativecommons.org/licenses/<script>/4.0/", ""),
    ],
)
def test_licences_of_creative_commons_are_known_by_their_address(url, name):
    assert creative_commons(url) == name


@pytest.mark.parametrize(
    ("markup", "headers", "said"),
    [
        ("<meta name=robots content='NoAI, noimageai'>", [], "noai, noimageai"),
        ("<meta name=thresher content=noai>", [], "noai"),
        ("<meta name=otherbot content=noai>", [], ""),
        ("", [("X-Robots-Tag", "noai")], "noai"),
        ("", [("X-Robots-Tag", "otherbot: noai")], ""),
        ("", [("TDM-Reservation", "1")], "tdm-reservation"),
        ("", [("TDM-Reservation", "0")], ""),
        ("<meta name=tdm-reservation content=1>", [("X-Robots-Tag", "thresher: noai")], "noai, tdm-reservation"),
    ],
)
def test_what_reserves_text_and_data_mining_is_noted(markup, headers, said):
    assert facts(markup + "<p>x", *headers).get("reserved", "") == said


def test_a_page_that_reserves_mining_is_no_page_where_that_is_respected():
    markup = "<meta name=robots content=noai><p>words"
    assert page_of(markup).form == "page"
    assert page_of(markup, respect_tdm=True).form == "reserved"
    assert page_of("<p>words", respect_tdm=True).form == "page"
    plain = [("Content-Type", "text/plain"), ("tdm-reservation", "1")]
    assert page_of("words", *plain, respect_tdm=True).form == "reserved"


@pytest.mark.parametrize(
    ("until", "index"),
    [
        ("25 Jun 2010 15:00:00 PST", False),
        ("Friday, 25-Jun-10 15:00:00 GMT", False),
        ("2010-06-25", False),
        ("25 Jun 2090 15:00:00 GMT", True),
        ("some day", True),
    ],
)
def test_a_page_that_was_to_be_listed_until_a_day_is_not_listed_after_it(until, index):
    for headers, body in [
        ((b"X-Robots-Tag", f"unavailable_after: {until}".encode()), b"<p>x"),
        ((b"X", b"y"), f"<meta name=robots content='unavailable_after: {until}'>".encode()),
    ]:
        kind = (b"Content-Type", b"text/html")
        assert HtmlParser().parse(Response(HERE, 200, (kind, headers), body, b"", at=IN_2020)).index is index
