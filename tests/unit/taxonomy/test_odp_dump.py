"""An ODP dump is read as a stream, and hostile or damaged ones do no harm."""

import tracemalloc
from itertools import chain, repeat
from pathlib import Path

import pytest

from thresher.errors import BadInput
from thresher.taxonomy.odp_dump import dump_pages

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="x" xmlns:d="y" xmlns="z">\n'
PAGE = b'<ExternalPage about="http://a.example/"><d:Title>t</d:Title><topic>Top/Arts</topic></ExternalPage>\n'
END = b"</RDF>"


def read(*blocks):
    return [tuple(each) for each in dump_pages(blocks, Path("content.rdf.u8"))]


def wrapped(content):
    return read(HEAD + content + END)


def test_pages_have_their_topics_without_top():
    topics = b'<Topic r:id="Top/Arts"><link r:resource="http://x.example/"/></Topic>'
    assert wrapped(topics + PAGE) == [("Arts", "http://a.example/")]


def test_what_lacks_a_topic_or_a_url_is_passed_over():
    assert wrapped(b'<ExternalPage about="http://a.example/"/><ExternalPage><topic>Top/A</topic></ExternalPage>') == []
    assert wrapped(b"<topic>Top/A</topic>" + PAGE) == [("Arts", "http://a.example/")]


def test_wherever_a_block_ends_the_pages_are_the_same():
    whole = HEAD + "<ExternalPage about='http://é.example/'><topic>Top/É</topic></ExternalPage>".encode() + PAGE + END
    for size in (1, 2, 3, 7, 64):
        assert read(*(whole[at : at + size] for at in range(0, len(whole), size))) == read(whole)


def test_bytes_that_xml_forbids_do_not_end_the_reading():
    dirty = PAGE.replace(b"t</d:", b"\x00\x01\x0b\x1f \xff\xfe \xef\xbf\xbf \xed\xa0\x80 &#38; t</d:")
    assert wrapped(dirty + PAGE) == [("Arts", "http://a.example/")] * 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (HEAD + PAGE, "line 4: no element found"),
        (HEAD + PAGE + b"<x></y>" + END, "line 4: mismatched tag"),
        (b"<urlset><url><loc>http://a.example/</loc></url></urlset>", "<urlset> is no dump of a directory"),
        (b'<!DOCTYPE RDF [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><RDF>&b;</RDF>', "may be a bomb"),
        (b'<!DOCTYPE RDF [<!ENTITY a SYSTEM "file:///etc/passwd">]><RDF>&a;</RDF>', "lies outside of the file"),
        (b"<RDF>" + b"<a>" * 2000, "nested more than 1,000 deep"),
        (b"", "no element found"),
    ],
)
def test_what_is_hostile_torn_or_something_else_is_named(content, said):
    with pytest.raises(BadInput, match=r"^content\.rdf\.u8, line ") as error:
        read(content)
    assert said in str(error.value)


@pytest.mark.parametrize("opening", [b"<x>", b"<!-- ", b'<ExternalPage about="', b"<topic>"])
def test_a_piece_without_an_end_is_refused_and_not_collected(opening):
    with pytest.raises(BadInput, match="a single piece of more than"):
        read(HEAD + opening, *repeat(b"x" * 65_536, 1000))


def peak(pages):
    blocks = chain([HEAD], repeat(PAGE * 100, pages // 100), [END])
    tracemalloc.start()
    try:
        count = sum(1 for _ in dump_pages(blocks, Path("content.rdf.u8")))
        return count, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_longer_dump_takes_no_more_memory():
    # Its head is kept until it is a megabyte, so both dumps are longer than that.
    (few, small), (many, large) = peak(12_000), peak(24_000)
    assert (few, many) == (12_000, 24_000)
    assert large < small + 200_000
