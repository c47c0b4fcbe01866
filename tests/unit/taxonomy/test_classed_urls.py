"""Classes with urls are read from tables, folders, bookmarks and dumps; what is wrong in them is named, or passed over."""

import gzip

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.taxonomy.classed_urls import class_path, classed_urls

BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1">Science &amp; more</H3>
    <DL><p>
        <DT><A HREF="http://a.example/">a</A>
        <DT><H3>TCP/IP</H3>
        <DL><p>
            <DT><A HREF="http://b.example/">b</A>
            <DT><A HREF="javascript:alert(1)">no page</A>
            <DT><A HREF="http://127.0.0.1/admin">private</A>
        </DL><p>
        <DT><A HREF="http://c.example/">c</A>
    </DL><p>
    <DT><H3>Arts</H3>
    <DL><p><DT><A HREF="http://d.example/">d</A></DL><p>
    <DT><A HREF="http://e.example/">in no folder</A>
</DL>"""
DUMP = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf">
<ExternalPage about="http://a.example/"><d:Title>A</d:Title><topic>Top/Arts/Film</topic></ExternalPage>
<ExternalPage about="http://b.example/"><topic>Top/Science</topic></ExternalPage>
</RDF>"""


@pytest.fixture
def read(tmp_path):
    """A file of that content, read."""

    def reading(content, name="classes", **options):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return [tuple(each) for each in classed_urls(path, **options)()]

    return reading


# ── tables ──


@pytest.mark.parametrize(
    "content",
    [
        "class,url\nScience/Physics,http://a.example\n\nArts,http://b.example/\n",
        "url;note;CLASS\nhttp://a.example/;x;/Science/ Physics/\nhttp://b.example/;;Arts\n",
        'url\tclass\nhttp://a.example/\t"Science/Physics"\nhttp://b.example/\tArts',
        b"\xef\xbb\xbfclass,url\r\nScience/Physics,http://a.example/\r\nArts,http://b.example/\r\n",
        gzip.compress(b"class,url\nScience/Physics,http://a.example/\nArts,http://b.example/\n"),
    ],
    ids=["commas", "semicolons and other columns", "tabs", "as Windows writes it", "packed"],
)
def test_a_table_has_the_columns_class_and_url(read, content):
    assert read(content) == [("Science/Physics", "http://a.example/"), ("Arts", "http://b.example/")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,url\nx,http://a.example/\n", "line 1: no column class; the first line names the columns: class,url"),
        ("http://a.example/\n", "line 1: no column class and url"),
        ("", "line 1: no column class and url"),
        ("class,url\nScience,example.org\n", "line 2: 'example.org': no scheme; did you mean https://example.org/ ?"),
        ("class,url\nScience,ftp://a.example/\n", "line 2: 'ftp://a.example/': ftp is not a scheme to crawl"),
        ("class,url\nScience\n", "line 2: 1 columns, but the first line names more"),
        ("class,url\n / ,http://a.example/\n", "line 2: no class; a name or a path is meant"),
        ("class,url\nx,http://me:secret@a.example/\n", "line 2: 'http://a.example/' is given with a user name"),
        (b"class,url\nx,http://a.example/\n\xff,http://b.example/\n", "not UTF-8 text"),
        ("class,url\n" + "x" * 2_000_000, "line 2: more than 1,048,576 letters"),
        ("class,url\n" + "x" * 200_000 + ",http://a.example/", "line 2: field larger than field limit"),
        (b"\x1f\x8b\x08\x00torn", "packed with gzip, but torn"),
        ("<html><title>x</title>", "is a web page; classes with urls come from a table (CSV"),
        ("WARC/1.0\r\n", "is a warc file; classes with urls come from"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(read, content, said):
    with pytest.raises(BadInput) as error:
        read(content)
    assert said in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match="nowhere: cannot be read: No such file"):
        classed_urls(tmp_path / "nowhere")


def test_a_private_address_that_the_user_wrote_is_meant(read):
    assert read("class,url\nx,http://127.0.0.1/\n") == [("x", "http://127.0.0.1/")]


# ── folders ──


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Science" / "Physics").mkdir(parents=True)
    (tmp_path / "Science" / "Physics" / "urls.txt").write_text("http://a.example/\n# more\nhttp://b.example/\n")
    (tmp_path / "Science" / "Biology.txt").write_text("http://c.example/")
    (tmp_path / "readme.md").write_text("not a list")
    return tmp_path


def test_a_folder_has_lists_of_urls_and_their_places_are_the_classes(folder):
    assert [tuple(each) for each in classed_urls(folder)()] == [
        ("Science/Biology", "http://c.example/"),
        ("Science/Physics", "http://a.example/"),
        ("Science/Physics", "http://b.example/"),
    ]


def test_a_bad_line_of_a_list_is_named(folder):
    (folder / "Science" / "Biology.txt").write_text("http://c.example/\nexample.org")
    with pytest.raises(BadInput, match=r"Biology\.txt, line 2: 'example\.org': no scheme"):
        list(classed_urls(folder)())


def test_a_list_without_a_class_and_a_folder_without_a_list_are_named(folder, tmp_path):
    (folder / "urls.txt").write_text("http://a.example/")
    with pytest.raises(BadInput, match="a list without a class"):
        list(classed_urls(folder)())
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no list of urls in it"):
        list(classed_urls(tmp_path / "empty")())


def test_a_loop_of_links_ends(folder):
    (folder / "Science" / "again").symlink_to(folder)
    assert len(list(classed_urls(folder)())) == 3


# ── bookmarks ──


def test_folders_of_bookmarks_are_classes_and_what_cannot_be_crawled_is_passed_over(read):
    assert read(BOOKMARKS) == [
        ("Science & more", "http://a.example/"),
        ("Science & more/TCP-IP", "http://b.example/"),
        ("Science & more", "http://c.example/"),
        ("Arts", "http://d.example/"),
    ]


def test_private_bookmarks_are_taken_if_that_is_allowed(read):
    assert ("Science & more/TCP-IP", "http://127.0.0.1/admin") in read(BOOKMARKS, allow_private=True)


@pytest.mark.parametrize(
    ("malformed", "expected"),
    [
        # Folders that are never closed lie within each other.
        (
            "<H3>A</H3><DL><A HREF=http://a.example/></A><H3>B</H3><DL><A HREF=http://b.example/>",
            [("A", "http://a.example/"), ("A/B", "http://b.example/")],
        ),
        # A folder without a name is the one around it.
        ("<H3>A</H3><DL><DL><A HREF=http://a.example/>x", [("A", "http://a.example/")]),
        # What is closed twice was closed once.
        (
            "<H3>A</H3><DL></DL></DL></DL><H3>B</H3><DL><A HREF=http://b.example/>",
            [("B", "http://b.example/")],
        ),
        ("<A HREF=http://a.example/>no folder</A>", []),
        ("<H3>A</H3><DL><A HREF=>x</A><A>y</A><A HREF='http://'>z</A>", []),
        ("\x00\xff<H3>A\x07</H3><DL><A HREF=http://a.example/>", [("A", "http://a.example/")]),
    ],
)
def test_malformed_bookmarks_are_read_as_far_as_they_make_sense(read, malformed, expected):
    assert read("<!DOCTYPE NETSCAPE-Bookmark-file-1>" + malformed) == expected


def test_thousands_of_bookmarks_keep_their_folders(read):
    folders = "".join(
        f"<DT><H3>f{folder}</H3><DL><p>"
        + "".join(f'<DT><A HREF="http://a.example/{folder}/{number}" ICON="data:x">x</A>\n' for number in range(100))
        + "</DL><p>"
        for folder in range(100)
    )
    found = read(f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>{folders}</DL>")
    assert len(found) == 10_000
    assert found[-1] == ("f99", "http://a.example/99/99")
    assert {label for label, _ in found} == {f"f{folder}" for folder in range(100)}


@pytest.mark.parametrize(
    "href", ["'http://a.example/?x=1&amp;y=2'", "http://a.example/?x=1&amp;y=2", '"http://a.example/?x=1&y=2"']
)
def test_an_address_may_stand_in_any_quotes_or_none_and_have_entities(read, href):
    found = read(f"<!DOCTYPE NETSCAPE-Bookmark-file-1><h3 a='<'>x<h3>A<dl><a ADD_DATE=1 href = {href} >x</a>")
    assert found == [("A", "http://a.example/?x=1&y=2")]


def test_folders_in_folders_in_folders_end_somewhere(read):
    deep = "".join(f"<H3>f{number}</H3><DL>" for number in range(3000))
    found = read(f"<!DOCTYPE NETSCAPE-Bookmark-file-1>{deep}<A HREF=http://a.example/>x")
    assert all(label.count("/") < 50 for label, _ in found)


@given(st.binary(max_size=300))
def test_any_bytes_after_the_first_line_of_bookmarks_are_classes_or_nothing(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.html"
    path.write_bytes(b"<!DOCTYPE NETSCAPE-Bookmark-file-1>" + content)
    assert all(label for label, _ in classed_urls(path)())


# ── dumps ──


@pytest.mark.parametrize("content", [DUMP.encode(), gzip.compress(DUMP.encode())], ids=["plain", "packed"])
def test_a_dump_is_known_by_its_content(read, content):
    assert read(content) == [("Arts/Film", "http://a.example/"), ("Science", "http://b.example/")]


def test_a_packed_dump_that_is_torn_is_named(read):
    with pytest.raises(BadInput, match="packed with gzip, but torn"):
        read(gzip.compress(DUMP.replace("</RDF>", "<x/>" * 1000 + "</RDF>").encode())[:-20])


# ── names ──


@given(st.lists(st.text()))
@example(["0 \x08\x850"])
@example(["a" * 199 + " b"])
def test_a_class_is_a_path_of_names_in_print(parts):
    path = class_path(parts)
    assert path.isprintable()
    assert path.count("/") < 50
    assert class_path(path.split("/")) == path
