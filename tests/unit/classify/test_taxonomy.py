import os

import pytest

from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Example, read_folder
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
