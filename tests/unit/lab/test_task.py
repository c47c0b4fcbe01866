import pytest
from tests.unit.lab.task_files import EYE, START, eye_task, recorded, task_file

from thresher.errors import BadInput
from thresher.lab.run.task import chosen, read_tasks
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.task_web import TaskWeb


def test_a_task_file_names_the_web_the_topic_the_seeds_and_what_counts(tmp_path):
    task = eye_task(tmp_path, far=["http://weekendalmanac.example/about"])
    assert task.full_name == "iris/eye"
    assert task.seeds("near") == [START]
    assert task.seeds("far") == ["http://weekendalmanac.example/about"]
    assert task.relevant == ["eye"]


def test_every_task_file_of_the_recorded_webs_is_read():
    assert set(recorded("schools")) == {
        "health",
        "plants",
        "food",
        "computing",
        "music",
        "mercury-element",
        "mercury-planet",
    }
    assert recorded("webkb")["course"].web.examples == ["univ=misc"]


def test_one_recording_may_be_many_files(tmp_path):
    path = task_file(tmp_path, EYE, warc=["a.warc.gz", "b"], labels="labels.tsv")
    assert read_tasks(path)[0].web.paths == [tmp_path / "a.warc.gz", tmp_path / "b"]


def bad(tmp_path, *tasks, **tables):
    path = task_file(tmp_path, *tasks, **tables)
    with pytest.raises(BadInput) as error:
        read_tasks(path)
    assert str(path) in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"generated": {}}, 'needs a web: warc = "FILE", or a [generated] table'),
        ({"warc": "a.warc.gz", "generated": {"size": 3}}, "and not both"),
        ({"warc": "a.warc.gz"}, 'needs labels = "FILE"'),
        ({"wrac": "a.warc.gz"}, "has no key 'wrac' (did you mean 'warc'?); its keys: warc, generated, labels, deny"),
        ({"deny": "http://a.example/"}, "deny is 'http://a.example/', but must be a list of texts"),
        ({"name": "other", "labels": 3}, "labels is 3, but must be text"),
        ({"labels": "labels.tsv"}, "a generated web labels itself: leave labels out"),
    ],
)
def test_a_mistake_about_the_web_is_named_with_its_place_and_the_choices(tmp_path, tables, words):
    assert words in bad(tmp_path, EYE, **tables)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"near": []}, "'eye' has no seeds: give near = [URL] or far = [URL]"),
        ({"near": ["example.org"]}, "task 2, near: seed: 'example.org'"),
        ({"far": ["ftp://example.org/"]}, "task 2, far: seed: 'ftp://example.org/'"),
        ({"relevant": []}, "does not say which labels are relevant"),
        ({"relevant": "eye"}, "relevant is 'eye', but must be a list of texts"),
        ({"topics": "iris"}, "task 2 has no key 'topics' (did you mean 'topic'?); its keys: name, topic"),
        ({"name": "a|b"}, "'a|b' is no name for a task"),
        ({"name": "flower"}, "two tasks are called 'flower'"),
    ],
)
def test_a_mistake_in_a_task_is_named_with_its_place(tmp_path, changes, words):
    assert words in bad(tmp_path, {**EYE, "name": "flower"}, {**EYE, **changes})


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("topic", "task 2 ('eye') has no topic: give topic = \"iris\""),
        ("name", 'task 2 has no name: give name = "eye"'),
    ],
)
def test_a_task_is_told_what_it_lacks(tmp_path, key, words):
    without = {name: value for name, value in EYE.items() if name != key}
    for row in (without, {**without, key: ""}):
        assert words in bad(tmp_path, {**EYE, "name": "flower"}, row)


def test_a_file_without_tasks_says_so(tmp_path):
    assert "has no [[task]]" in bad(tmp_path)


@pytest.mark.parametrize("text", ["[task]\nname = 'eye'", "task = 3"])
def test_tasks_that_are_no_list_of_tables_are_told_how_to_be(tmp_path, text):
    path = tmp_path / "iris.toml"
    path.write_text(f"generated.size = 100\n{text}\n")
    with pytest.raises(BadInput, match=r"iris\.toml: task must be a list of tables: write \[\[task\]\]"):
        read_tasks(path)


def test_what_is_no_toml_or_not_there_is_named(tmp_path):
    (tmp_path / "broken.toml").write_text("warc = \n")
    with pytest.raises(BadInput, match=r"broken\.toml is not a task file: .*line 1"):
        read_tasks(tmp_path / "broken.toml")
    with pytest.raises(BadInput, match=r"cannot read .*gone\.toml: No such file"):
        read_tasks(tmp_path / "gone.toml")


def test_a_label_that_no_page_has_is_named_with_those_there_are(tmp_path):
    task = eye_task(tmp_path, relevant=["eye", "ear"])
    with pytest.raises(
        BadInput, match=r"iris\.toml, task 'eye': no page has the label 'ear'; the labels: bees, bread, clocks, eye"
    ):
        TaskWeb(task.web).targets(task)


def test_a_web_that_is_not_there_is_named(tmp_path):
    task = read_tasks(task_file(tmp_path, EYE, warc="gone.warc.gz", labels="labels.tsv"))[0]
    with pytest.raises(BadInput, match=r"iris\.toml, warc: there is no recording .*gone\.warc\.gz: name a WARC file"):
        TaskWeb(task.web).pages.read(START)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"sise": 100}, "has no key 'sise'"),
        ({"topics": []}, "topics is empty; its choices: sailing, bread"),
        ({"topics": ["eye", "moon"]}, "there is no topic 'moon'; its choices: sailing, bread"),
        ({"size": -3}, "size is -3, but must be 1 or more"),
        ({"size": 3, "hosts": 9}, "3 pages cannot have 9 hosts: give hosts from 1 to 3, or a larger size"),
        ({"hosts": 0}, "360 pages cannot have 0 hosts"),
        ({"hosts": ["a.example", "a.example"]}, "hosts: 'a.example' is there twice"),
        ({"hosts": ["a b"]}, "hosts: 'a b' is no name of a host"),
        ({"links": -1}, "links is -1, but must be 0 or more"),
        ({"words": -1}, "words is -1, but must be 0 or more"),
        ({"locality": 2}, "locality is 2, but must be a share from 0 to 1"),
        ({"honesty": -0.1}, "honesty is -0.1, but must be a share from 0 to 1"),
        ({"mixed": 1.5}, "mixed is 1.5, but must be a share from 0 to 1"),
        ({"language": "xx"}, "language is 'xx', but must be one of 'hi', 'de'"),
        ({"crawl_delay": -1}, "crawl_delay is -1, but must be 0 or more"),
    ],
)
def test_a_web_that_cannot_be_generated_is_told(tmp_path, shape, words):
    task = read_tasks(task_file(tmp_path, EYE, generated=shape))[0]
    with pytest.raises(BadInput, match=rf"iris\.toml, \[generated\].*{words}"):
        TaskWeb(task.web).targets(task)


def test_labels_and_ontologies_that_are_not_there_are_named_with_their_place(tmp_path):
    labels = read_tasks(task_file(tmp_path, EYE, warc="a.warc.gz", labels="gone.tsv"))[0]
    with pytest.raises(BadInput, match=r"iris\.toml, labels: .*gone\.tsv: labels cannot be read"):
        TaskWeb(labels.web).targets(labels)
    task = eye_task(tmp_path, ontologies=["gone.obo"])
    with pytest.raises(BadInput, match=r"iris\.toml, task 'eye', ontologies: there is no ontology .*gone\.obo"):
        needs(task, TaskWeb(task.web))["concepts"].make()


def test_tasks_are_chosen_by_plain_or_full_name(tmp_path):
    tasks = read_tasks(task_file(tmp_path, EYE, {**EYE, "name": "other"}))
    assert chosen(tasks, []) == tasks
    assert [task.name for task in chosen(tasks, ["other"])] == ["other"]
    assert [task.name for task in chosen(tasks, ["iris/eye"])] == ["eye"]
    with pytest.raises(BadInput, match="there is no task 'ear', 'nose'; the tasks: iris/eye, iris/other"):
        chosen(tasks, ["nose", "eye", "ear"])
