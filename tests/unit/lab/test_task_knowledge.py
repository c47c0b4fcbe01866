import pytest
from tests.unit.lab.task_files import EYE, eye_task, recorded, task_file
from tests.unit.lab.warcs import web_of

from thresher import knowledge
from thresher.classify.taxonomy import class_text
from thresher.errors import BadInput, Missing
from thresher.lab.run import task_knowledge as knowing
from thresher.lab.run.task import read_tasks
from thresher.lab.run.task_knowledge import needs, sketched
from thresher.lab.run.task_taxonomy import EXAMPLES, _class_of, class_label, examples_of
from thresher.lab.run.task_web import TaskWeb


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    return eye_task(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="module")
def task_web(task):
    return TaskWeb(task.web)


@pytest.fixture(scope="module")
def taxonomy(task, task_web):
    return needs(task, task_web)["taxonomy"].make()


def given(task):
    return needs(task, TaskWeb(task.web))


def test_every_strategy_gets_the_users_words_each_once(task):
    topic = given(task)["topic"].make()
    assert [(term.label, term.weight) for term in topic.terms] == [
        (word, 1.0) for word in ("iris", "eye", "pupil", "cornea", "retina")
    ]


def test_concepts_are_those_of_the_meaning_meant_and_the_users_words(task):
    tiers = {term.label: term.tier for term in given(task)["concepts"].make().terms}
    assert (tiers["iris"], tiers["cornea"], tiers["eye"], tiers["pupil"]) == ("exact", "exact", "exact", "exact")
    assert "plant" not in tiers


def test_the_sense_is_the_meaning_meant(task):
    sense = given(task)["sense"].make()
    assert [sense.senses[number] for number in sense.wanted] == ["X:3"]


def test_several_meanings_may_be_meant(tmp_path):
    sense = given(eye_task(tmp_path, sense=["X:3", "a plant"]))["sense"].make()
    assert sorted(sense.senses[number] for number in sense.wanted) == ["X:3", "X:6"]


def test_an_ontology_that_is_not_installed_is_missing_and_says_how_to_get_it(tmp_path, monkeypatch):
    gone = tuple(each._replace(find=lambda: None) for each in knowing.KNOWN)
    monkeypatch.setattr(knowing, "KNOWN", gone)
    monkeypatch.setattr(knowledge, "KNOWN", gone)
    with pytest.raises(Missing, match="the ontology 'wordnet': pip install"):
        given(eye_task(tmp_path, ontologies=["wordnet"]))["concepts"].make()


def test_an_ontology_that_nobody_knows_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"there is no ontology .*ears\.obo"):
        given(eye_task(tmp_path, ontologies=["ears.obo"]))["concepts"].make()


def test_languages_are_missing_until_a_task_names_them(task):
    with pytest.raises(Missing, match=r'name them in the task, such as languages = \["hi"\]'):
        given(task)["transcriptor"].make()


def test_the_taxonomy_tells_pages_of_the_topic_from_others(task_web, taxonomy):
    assert taxonomy.targets == ("eye",)
    assert set(taxonomy.classifier.classes) == task_web.labels.known
    pages = [task_web.page(url) for url in sorted(task_web.labels)]
    right = sum(taxonomy.best(page) in task_web.labels[page.url] for page in pages)
    assert right > 0.9 * len(pages)
    assert taxonomy.rules.probability("eye", "eye") > 0


def test_examples_are_few_of_each_class_and_the_same_ones_every_time(task, task_web):
    examples = examples_of(task, task_web)
    assert examples == examples_of(task, TaskWeb(task.web))
    counts = [sum(label == other for _, other in examples) for label in task_web.labels.known]
    assert max(counts) == EXAMPLES


def test_a_task_may_name_the_pages_that_a_taxonomy_is_learnt_from():
    task = recorded("webkb")["course"]
    task_web = TaskWeb(task.web)
    urls = {url for url, _ in examples_of(task, task_web)}
    assert urls
    assert all("univ=misc" in task_web.labels[url] for url in urls)


def test_a_class_is_the_one_sought_or_else_the_widest_label_of_the_taxonomy(tmp_path):
    path = task_file(tmp_path, {**EYE, "relevant": ["a.b.c"]}, taxonomy="a")
    task = read_tasks(path)[0]
    assert class_label(["a.b.c", "a.b", "b"], task) == "a.b.c"
    assert class_label(["a.b", "a.c.d", "b"], task) == "a.b"
    assert class_label(["b"], task) is None


def test_a_class_without_examples_is_missing(tmp_path):
    task = read_tasks(task_file(tmp_path, EYE, taxonomy="f"))[0]
    with pytest.raises(Missing, match="of 'eye' to learn a taxonomy from: none are left by taxonomy = 'f'"):
        given(task)["taxonomy"].make()


def test_an_outline_has_the_same_classes_and_reads_no_page(task, taxonomy, monkeypatch):
    monkeypatch.setattr(TaskWeb, "page", None)
    outline = sketched(task, TaskWeb(task.web))
    assert set(outline["taxonomy"].make().classifier.classes) == set(taxonomy.classifier.classes)
    assert outline["distances"].make() == {}


def test_what_the_rules_are_learnt_from_is_classified_and_not_looked_up(task, task_web, taxonomy, monkeypatch):
    url, classifier = max(task_web.targets(task)), taxonomy.classifier
    monkeypatch.setattr(task_web, "labels", None)
    assert _class_of(task_web, classifier)(url) == classifier.best(class_text(task_web.page(url)))


def linked_web(folder):
    """Two classes; the example pages of one link to a hundred pages that nobody recorded, and to six that are there."""
    urls = {label: [f"http://a.example/{label}{number}" for number in range(6)] for label in ("eye", "clocks")}
    gone = [f"http://gone.example/{number}" for number in range(5000)]
    words = {"eye": "iris pupil cornea", "clocks": "hour minute dial"}
    pages = {
        url: f"<p>{words[label]} {' '.join(f'<a href={link}>x</a>' for link in (*gone, *urls['clocks']))}"
        for label, own in urls.items()
        for url in own
    }
    web_of(folder / "web.warc.gz", pages)
    lines = [f"{url}\t{label}\n" for label, own in urls.items() for url in own]
    (folder / "labels.tsv").write_text("".join(lines))
    row = {**EYE, "near": [urls["eye"][0]]}
    [task] = read_tasks(task_file(folder, row, warc="web.warc.gz", labels="labels.tsv"))
    return task


def test_every_page_that_examples_link_to_and_that_was_recorded_is_learnt_from(tmp_path):
    made = given(linked_web(tmp_path))["taxonomy"].make()
    assert made.rules.pages == {"clocks": 6, "eye": 6}
    assert made.rules.probability("eye", "clocks") == 1.0
    assert made.sizes == (12, 12, 2)


def test_the_walks_take_as_many_links_as_train_1_has_pages_and_only_to_pages_that_are_there(tmp_path):
    made = given(linked_web(tmp_path))["taxonomy"].make()
    assert sum(made.walks.pages.values()) == sum(made.rules.pages.values())
    assert {rule.child for rule in made.walks} == {"clocks"}


@pytest.mark.slow
def test_on_webkb_the_rules_rest_on_all_that_was_recorded():
    task = recorded("webkb")["course"]
    made = given(task)["taxonomy"].make()
    assert made.sizes.train_1 == 2403
    assert made.rules.probability("class=department", "class=faculty") == pytest.approx(0.17, abs=0.01)
