import gzip

import pytest
from tests.unit.lab.task_files import EYE, eye_task, task_file
from tests.unit.lab.warcs import Others

from thresher.errors import BadInput
from thresher.lab.run.task import read_tasks
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.webs.page_labels import PageLabels, read_labels
from thresher.urls import canonical

A, B, C = "http://a.example/", "http://a.example/b", "http://a.example/c"


def test_labels_stand_behind_a_tab_with_bars_between(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text(f"{A}\tred|blue\n\n{B}\t\n{A}\tgreen\nHTTP://A.example:80/c\tred\n")
    labels = read_labels(path)
    assert dict(labels) == {A: {"red", "blue", "green"}, B: set(), C: {"red"}}
    assert labels.known == {"red", "blue", "green"}
    assert labels.having(["red"]) == {A, C}
    assert labels.having([]) == frozenset()


def test_packed_labels_are_unpacked(tmp_path):
    path = tmp_path / "labels.tsv.gz"
    path.write_bytes(gzip.compress(f"{A}\tred\n".encode()))
    assert read_labels(path) == PageLabels({canonical(A): ["red"]})


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("labels.tsv", b"http://a.example/\tred\nnot a url\tred\n", "line 2: 'not a url' is not a url"),
        ("labels.tsv", b"\xff\xfe", "not a file of labels"),
        ("labels.tsv.gz", b"plain", "labels cannot be read: Not a gzipped file"),
        ("labels.tsv.gz", gzip.compress(b"x" * 1000, mtime=0)[:-12], "not a file of labels"),
        ("labels.tsv.gz", gzip.compress(b"x", mtime=0)[:10] + b"\xff" * 20, "not a file of labels"),
    ],
)
def test_a_file_that_holds_no_labels_is_named(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=words) as error:
        read_labels(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"gone\.tsv: labels cannot be read: No such file"):
        read_labels(tmp_path / "gone.tsv")


@pytest.fixture
def task_web(tmp_path):
    """A recorded web of two pages that count, one that is gone, one that is denied and one that nobody recorded."""
    with Others(tmp_path / "web.warc.gz") as web:
        web.page(A, b"<a href=/b>b</a> <a href=/gone>g</a> <a href=/no>n</a>", headers=(("X-Robots-Tag", "nofollow"),))
        web.page(B, b"<p>b")
        web.page("http://a.example/gone", b"gone", "410 Gone")
        web.page("http://a.example/no", b"<p>no")
    every = ("", "b", "gone", "no", "nowhere")
    (tmp_path / "labels.tsv").write_text("".join(f"{A}{path}\t{'red' if path else 'blue'}\n" for path in every))
    row = {**EYE, "relevant": ["red"], "near": [A]}
    path = task_file(tmp_path, row, warc="web.warc.gz", labels="labels.tsv", deny=["http://a.example/no"])
    task = read_tasks(path)[0]
    return TaskWeb(task.web), task


def test_what_counts_is_what_has_the_label_and_can_be_fetched(task_web):
    web, task = task_web
    assert web.targets(task) == {B}


def test_links_that_a_page_would_rather_not_have_followed_count_for_the_upper_bound(task_web):
    web, task = task_web
    assert web.distances(task) == {A: 1, B: 0}


def test_the_files_of_a_recording_are_closed_with_the_last_who_needs_it(task_web):
    _, task = task_web
    web = TaskWeb(task.web)
    recording = web.pages
    assert recording.read(canonical(B)).body == b"<p>b"
    del web
    with pytest.raises(Exception, match="closed"):
        recording.read(canonical(B))


def test_a_web_that_was_closed_opens_its_files_again_when_asked(task_web):
    web, _ = task_web
    recording = web.pages
    web.close()
    with pytest.raises(Exception, match="closed"):
        recording.read(canonical(B))
    assert web.page(canonical(B)).text == "b"
    web.close()


def test_what_is_denied_in_a_generated_web_does_not_count(tmp_path):
    task = eye_task(tmp_path)
    whole = TaskWeb(task.web)
    url = min(whole.targets(task))
    path = task_file(tmp_path, EYE, name="denied", deny=[url])
    denied = read_tasks(path)[0]
    left = TaskWeb(denied.web)
    assert left.targets(denied) == {each for each in whole.targets(task) if not each.startswith(url)}
    assert url not in left.distances(denied)


def test_distances_in_a_generated_web_are_the_fewest_links(tmp_path):
    task = eye_task(tmp_path)
    task_web = TaskWeb(task.web)
    far = task_web.distances(task)
    assert {url for url, steps in far.items() if steps == 0} == task_web.targets(task)
    for url, steps in far.items():
        ways = [far[link.target] for link in task_web.page(url).links if link.target in far]
        assert steps == 0 or steps == 1 + min(ways)
