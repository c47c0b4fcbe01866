import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.classifier import Classifier
from thresher.classify.examples import Example, read_csv, read_folder
from thresher.errors import BadInput
from thresher.model import Response
from thresher.parse.html import HtmlParser
from thresher.urls import canonical

ADDRESS = canonical("http://example.org/")


def html_text(content):
    return HtmlParser().parse(Response(ADDRESS, 200, ((b"Content-Type", b"text/html"),), content, b"")).text


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


# ── a folder a class ──


def test_each_folder_is_a_class_and_each_page_in_it_an_example(tmp_path):
    folder = write(
        tmp_path,
        {
            "student/anna.html": b"<p>My <b>cat</b></p>",
            "course/a.txt": "\ufefflecture, exam".encode(),
            "course/cornell/deep/B.HTM": b"<script>var x</script>homework",
            "course/notes.pdf": b"%PDF",
            "README.txt": b"not in a class",
            ".git/config.txt": b"hidden",
        },
    )
    assert list(read_folder(folder, html_text)) == [
        Example("lecture, exam", "course"),
        Example("homework", "course"),
        Example("My cat", "student"),
    ]


def test_a_classifier_learns_from_a_folder(tmp_path):
    folder = write(tmp_path, {"sport/a.html": b"football league", "health/a.txt": "Krankheit heißt".encode()})
    assert Classifier.of(read_folder(folder, html_text)).best("Krankheit") == "health"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "needs at least two classes to tell apart; found none"),
        ({"course/a.txt": b"lecture"}, "needs at least two classes to tell apart; found course"),
        ({"a/1.txt": b"x", "b/1.pdf": b"x"}, r"b: no page in this class; examples end in \.html or \.txt"),
        ({"a/1.txt": b"x", "b/2.txt": b"one\ntwo \xff"}, r"2\.txt, line 2: not UTF-8 text"),
    ],
)
def test_a_folder_that_teaches_nothing_is_refused_with_the_reason(tmp_path, files, words):
    with pytest.raises(BadInput, match=words):
        list(read_folder(write(tmp_path, files), html_text))


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match="nowhere: cannot be read: No such file"):
        list(read_folder(tmp_path / "nowhere", html_text))


def test_a_page_that_leads_nowhere_is_named(tmp_path):
    write(tmp_path, {"a/1.txt": b"x", "b/1.txt": b"x"})
    (tmp_path / "a" / "2.txt").symlink_to(tmp_path / "gone")
    with pytest.raises(BadInput, match=r"2\.txt: cannot be read: No such file"):
        list(read_folder(tmp_path, html_text))


def test_a_loop_of_links_between_folders_ends(tmp_path):
    write(tmp_path, {"a/1.txt": b"x", "b/1.txt": b"y"})
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    assert len(list(read_folder(tmp_path, html_text))) == 2


def test_a_page_far_too_large_is_refused_unread(tmp_path):
    write(tmp_path, {"a/1.txt": b"", "b/1.txt": b"y"})
    os.truncate(tmp_path / "a" / "1.txt", 2_000_000_000)
    with pytest.raises(BadInput, match=r"1\.txt: more than 10 MB"):
        list(read_folder(tmp_path, html_text))


# ── a CSV of urls and classes ──

KNOWN = {canonical("http://a/"): "lecture", canonical("http://b/x,y"): "cat", canonical("http://c/"): "exam"}


@pytest.fixture
def csv_of(tmp_path):
    def read(content, text_of=KNOWN.get):
        path = tmp_path / "classes.csv"
        path.write_bytes(content)
        return list(read_csv(path, text_of))

    return read


def test_each_line_is_a_url_and_its_class(csv_of):
    lines = b'HTTP://A,course\r\n\n"http://b/x,y", student \n'
    assert csv_of(lines) == [Example("lecture", "course"), Example("cat", "student")]


def test_a_header_and_a_byte_order_mark_do_not_count(csv_of):
    assert len(csv_of("\ufeffURL,Class\nhttp://a/,course\nhttp://c/,kurs für alle\n".encode())) == 2


def test_a_page_nobody_has_is_left_out_as_long_as_its_class_has_others(csv_of):
    lines = b"http://a/,course\nhttp://gone/,course\nhttp://b/x%2Cy,student\nhttp://c/,student\n"
    assert [example.text for example in csv_of(lines)] == ["lecture", "exam"]
    with pytest.raises(BadInput, match=r"classes\.csv: none of the 2 pages of class 'student' has a text"):
        csv_of(b"http://a/,course\nhttp://gone/,student\nhttp://lost/,student\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"http://c/", r"needs a url and a class, such as .*; found \['http://c/'\]"),
        (b"http://c/,", "needs a url and a class"),
        (b",course", "needs a url and a class"),
        (b"http://c/,course,extra", "needs a url and a class"),
        (b"ftp://c/,course", "'ftp://c/' is not a url"),
        (b"http://c/,caf\xe9", "not UTF-8 text"),
        (b'"http://c/"x,course', "',' expected after '\"'"),
        (b"http://c/," + b"x" * 200_000, "longer than 100000 bytes"),
    ],
)
def test_a_bad_line_is_refused_with_its_place(csv_of, line, words):
    with pytest.raises(BadInput, match=rf"classes\.csv, line 3: {words}"):
        csv_of(b"http://a/,course\n\n" + line + b"\nhttp://b/x,y,student\n")


def test_a_quote_that_never_ends_is_refused(csv_of):
    with pytest.raises(BadInput, match=r"classes\.csv, line \d+: "):
        csv_of(b'http://a/,course\n"http://b/,student\n' + b"http://c/,student\n" * 20_000)


@pytest.mark.parametrize("content", [b"", b"url,class\n", b"http://a/,course\nhttp://c/,course\n"])
def test_fewer_than_two_classes_are_refused(csv_of, content):
    with pytest.raises(BadInput, match="needs at least two classes"):
        csv_of(content)


def test_a_csv_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nothing\.csv: cannot be read: No such file"):
        list(read_csv(tmp_path / "nothing.csv", KNOWN.get))


def answer(path):
    try:
        return list(read_csv(path, lambda url: url))
    except BadInput as error:
        return str(error)


@given(st.binary())
def test_any_bytes_are_examples_or_bad_input(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("csv") / "classes.csv"
    path.write_bytes(content)
    found = answer(path)
    assert "classes.csv" in found if isinstance(found, str) else all(example.label for example in found)
