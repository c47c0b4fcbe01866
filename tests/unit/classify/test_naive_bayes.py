import gzip
import json
import math
import time
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.store.crawl_folders import FastIterator

from thresher.classify.link_rules import InterclassRules, RuleScores
from thresher.classify.naive_bayes import Classifier
from thresher.errors import BadInput
from thresher.model import Response
from thresher.parse.html import HtmlParser
from thresher.urls import canonical

# The worked example of Manning, Raghavan and Schütze, "Introduction to Information Retrieval", table 13.1.
CHINA = [
    ("Chinese Beijing Chinese", "China"),
    ("Chinese Chinese Shanghai", "China"),
    ("Chinese Macao", "China"),
    ("Tokyo Japan Chinese", "not China"),
]
COURSES = [
    ("homework lecture syllabus exam homework", "course"),
    ("lecture notes and exam dates", "course"),
    ("my cat, my photos and my resume", "student"),
    ("photos of my friends; resume", "student"),
    ("research group publications software", "project"),
]

texts = st.lists(st.sampled_from(["lecture", "exam", "photos", "cat", "research", "group", "the"]), max_size=60).map(
    " ".join
)
labels = st.sampled_from("abc")
# Not any text at all: the first draw of that builds tables of all Unicode for seconds.
odd = st.text(st.sampled_from("aAß07 _.-\n\t\"'#=→बी\u0301\0\u2028\U0001f600\ufeff"))


def test_the_textbooks_example_comes_out():
    raw = Classifier.of(CHINA, temperature=0)
    china, other = 3 / 4 * (3 / 7) ** 3 * (1 / 14) ** 2, 1 / 4 * (2 / 9) ** 5
    assert raw.distribution("Chinese Chinese Chinese Tokyo Japan") == {
        "China": pytest.approx(china / (china + other), rel=1e-12),
        "not China": pytest.approx(other / (china + other), rel=1e-12),
    }
    assert raw.best("Chinese Chinese Chinese Tokyo Japan") == "China"


def test_words_that_nobody_learnt_do_not_count():
    classifier = Classifier.of(COURSES)
    assert classifier.distribution("lecture zzz yyy xxx") == classifier.distribution("lecture")


def test_words_that_say_nothing_are_not_learnt():
    assert Classifier.of(COURSES).distribution("and and and") == Classifier.of(COURSES).distribution("")
    everything = Classifier.of(COURSES, stop_words=())
    assert everything.distribution("and and and") != everything.distribution("")


def test_a_text_without_words_has_the_classes_as_they_were_learnt():
    assert Classifier.of(COURSES).distribution("") == {
        "course": pytest.approx(0.4),
        "student": pytest.approx(0.4),
        "project": pytest.approx(0.2),
    }


def test_the_best_class_comes_first():
    assert list(Classifier.of(COURSES).distribution("group research")) == ["project", "course", "student"]


def test_any_script_is_learnt():
    classifier = Classifier.of([("बीमारियों का इलाज", "health"), ("क्रिकेट मैच", "sport")])
    assert classifier.best("इलाज") == "health"


def test_a_raw_posterior_is_extreme_and_a_tempered_one_is_not():
    text = "lecture photos exam homework " * 100
    assert max(Classifier.of(COURSES, temperature=0).distribution(text).values()) > 1 - 1e-12
    assert 0.4 < max(Classifier.of(COURSES).distribution(text).values()) < 0.95


def test_a_tempered_page_says_the_same_however_often_it_repeats_itself():
    classifier = Classifier.of([("lecture exam", "course"), ("photos lecture", "student")])
    once = classifier.distribution("lecture exam exam photos homework " * 5)
    assert classifier.distribution("lecture exam exam photos homework " * 500) == pytest.approx(once, rel=1e-9)


@given(st.lists(st.tuples(texts, labels), min_size=1, max_size=8), texts, st.floats(0, 10))
def test_a_distribution_adds_up_to_1_and_no_temperature_changes_the_best_class(examples, text, temperature):
    tempered = Classifier.of(examples, temperature=temperature)
    raw = Classifier.of(examples, temperature=0)
    shares = tempered.distribution(text)
    assert math.isclose(sum(shares.values()), 1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert list(shares) == list(raw.distribution(text))
    assert next(iter(shares)) == raw.best(text) == tempered.best(text)


@given(st.lists(st.tuples(texts, labels), min_size=1, max_size=8), texts)
def test_the_order_in_which_pages_are_learnt_does_not_matter(examples, text):
    forth, back = Classifier.of(examples), Classifier.of(reversed(examples))
    assert back.distribution(text) == pytest.approx(forth.distribution(text))


def test_what_is_learnt_between_two_texts_counts_for_the_second():
    classifier = Classifier.of(COURSES)
    before = classifier.distribution("tennis exam")
    classifier.learn("tennis club", "sport")
    assert "sport" not in before
    assert classifier.best("tennis") == "sport"
    assert classifier.classes == ("course", "student", "project", "sport")


def test_many_classes_and_words_find_room():
    classifier = Classifier.of((f"word{number} word{number + 1}", f"class {number % 50}") for number in range(5000))
    assert len(classifier.classes) == 50
    assert classifier.best("word777") in {"class 26", "class 27"}


def test_it_agrees_with_scikit_learn():
    naive_bayes = pytest.importorskip("sklearn.naive_bayes", reason="scikit-learn is not installed")
    dice = np.random.default_rng(3)
    bags = dice.poisson(dice.gamma(0.3, 1, (5, 40))[dice.integers(0, 5, 60)])
    classes = dice.integers(0, 5, 60)
    pages = [" ".join(f"w{word}" for word in np.repeat(np.arange(40), bag)) for bag in bags]
    examples = zip(pages, classes.astype(str).tolist(), strict=True)
    ours = Classifier.of(examples, temperature=0, max_repeats=1000)
    used = bags.sum(axis=0) > 0
    theirs = naive_bayes.MultinomialNB().fit(bags[:, used], classes.astype(str))
    for page, shares in zip(pages, theirs.predict_proba(bags[:, used]), strict=True):
        found = ours.distribution(page)
        assert [found[label] for label in theirs.classes_] == pytest.approx(shares.tolist(), abs=1e-9)


# ── why ──


def test_the_words_of_a_page_that_speak_for_a_class_are_named():
    classifier = Classifier.of(COURSES)
    found = dict(classifier.evidence("lecture lecture photos zzz the", "course", against=0))
    assert list(found) == ["lecture"]
    assert found["lecture"] == pytest.approx(2 * math.log((2 + 1) / (9 + 15) / ((0 + 1) / (14 + 15))))
    assert classifier.evidence("", "course") == []


def test_the_words_that_speak_against_a_class_come_last_and_below_zero():
    (first, amount), (last, against) = Classifier.of(COURSES).evidence("lecture photos zzz", "course")
    assert (first, last) == ("lecture", "photos")
    assert amount > 0 > against


def test_a_class_nobody_learnt_is_refused_with_the_choices():
    with pytest.raises(BadInput, match="no class 'cours'; the classes: course, student, project"):
        Classifier.of(COURSES).evidence("lecture", "cours")


def test_a_classifier_that_learnt_nothing_says_so():
    with pytest.raises(BadInput, match="learn some example pages first"):
        Classifier().distribution("lecture")


@pytest.mark.parametrize(
    "options", [{"smoothing": 0}, {"temperature": -1}, {"temperature": math.nan}, {"max_words": 1}]
)
def test_settings_out_of_range_are_refused(options):
    with pytest.raises(BadInput, match="a classifier needs"):
        Classifier(**options)


def test_one_endless_page_does_not_take_its_class_over():
    endless = Classifier.of([*COURSES, ("spam " * 100_000, "course")])
    assert endless.distribution("spam spam lecture") == Classifier.of(
        [*COURSES, ("spam " * 30, "course")]
    ).distribution("spam spam lecture")
    assert endless.best("homework exam") == "course"
    assert Classifier.of([*COURSES, ("spam " * 100_000, "course")], max_repeats=10**9).best("homework exam") != "course"


# ── bounded memory ──


def test_of_too_many_words_the_rare_ones_are_forgotten():
    classifier = Classifier(max_words=100)
    for number in range(500):
        classifier.learn(f"lecture exam rare{number}", "course")
        classifier.learn(f"photos cat odd{number}", "student")
        assert len(classifier._rows) <= 100
    assert classifier._counts.shape[0] <= 1024
    assert classifier.best("lecture rare499") == "course"
    assert classifier.best("rare1 cat") == "student"


def test_after_forgetting_it_is_as_if_the_forgotten_words_had_never_been():
    pages = [("lecture lecture exam", "course"), ("cat cat photos zzz", "student"), ("yyy", "student")]
    forgetful = Classifier.of(pages, max_words=5)
    expected = Classifier.of([("lecture lecture", "course"), ("cat cat", "student"), ("", "student")])
    assert forgetful.distribution("lecture lecture cat zzz") == expected.distribution("lecture lecture cat")
    forgetful.learn("exam", "course")
    expected.learn("exam", "course")
    assert forgetful.distribution("lecture exam cat") == expected.distribution("lecture exam cat")


# ── kept for later ──


@given(st.lists(st.tuples(odd, odd), min_size=1, max_size=6), odd)
def test_a_saved_classifier_says_and_learns_the_same(tmp_path_factory, examples, text):
    path = tmp_path_factory.mktemp("classifier") / "classifier.npz"
    classifier = Classifier.of(examples, smoothing=0.5, temperature=0.7)
    classifier.save(path)
    loaded = Classifier.load(path)
    assert loaded.distribution(text) == classifier.distribution(text)
    for each in (classifier, loaded):
        each.learn(text, "new")
    assert loaded.distribution(text) == classifier.distribution(text)
    assert loaded.evidence(text, "new") == classifier.evidence(text, "new")


def test_saving_replaces_the_file_in_one_step(tmp_path):
    for _ in range(2):
        Classifier.of(COURSES).save(tmp_path / "classifier.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["classifier.npz"]


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "classifier.npz"
    Classifier.of(COURSES).save(path)
    return path


def refused(path):
    with pytest.raises(BadInput, match=r"classifier\.npz: ") as error:
        Classifier.load(path)
    return str(error.value)


def test_a_damaged_file_is_refused_wherever_the_damage_is(saved):
    content = saved.read_bytes()
    for place in range(0, len(content), 37):
        saved.write_bytes(content[:place])
        assert "not a saved classifier, or damaged" in refused(saved)


def answer(path):
    try:
        return len(Classifier.load(path).classes)
    except BadInput as error:
        return str(error)


def test_any_bytes_are_a_classifier_or_bad_input(saved):
    content = saved.read_bytes()
    dice = np.random.default_rng(5)
    for _ in range(300):
        changed = bytearray(content)
        changed[dice.integers(len(content))] ^= int(dice.integers(1, 256))
        saved.write_bytes(changed)
        assert answer(saved) == 3 or "classifier.npz: " in answer(saved)


def rewrite(path, **changed):
    with np.load(path) as arrays:
        kept = dict(arrays)
    np.savez(path, **(kept | changed))


def about(**changed):
    known = {
        "format": 1,
        "smoothing": 1.0,
        "temperature": 0.2,
        "max_repeats": 9,
        "max_words": 9,
        "stop_words": [],
        "classes": ["a"],
    }
    return np.frombuffer(json.dumps(known | changed).encode(), np.uint8)


def test_a_pickle_is_never_opened(saved):
    rewrite(saved, words=np.array([{"run": print}], dtype=object))
    assert "damaged: Object arrays cannot be loaded" in refused(saved)


def test_tables_that_do_not_fit_together_are_refused(saved):
    rewrite(saved, about=about())
    assert "do not fit together" in refused(saved)
    rewrite(saved, about=about(format=2))
    assert "another version" in refused(saved)
    rewrite(saved, about=np.frombuffer(b"[" * 100_000, np.uint8))
    assert "damaged" in refused(saved)


def test_a_bomb_is_refused_before_it_unpacks(saved, monkeypatch):
    monkeypatch.setattr("thresher.classify.naive_bayes._MOST_BYTES", 1_000_000)
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("counts.npy", bytes(2_000_000))
    assert "would unpack to" in refused(saved)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nothing\.npz: cannot be read: No such file"):
        Classifier.load(tmp_path / "nothing.npz")


# ── on real pages ──

WEBS = Path(__file__).parents[4] / "shared" / "webs"


@pytest.fixture(scope="module")
def webkb():
    """The pages of CMU's four universities set: url → class, university, text, links."""
    if not (WEBS / "webkb.warc.gz").exists():
        pytest.skip("needs the recorded web webkb in ../shared/webs")
    with gzip.open(WEBS / "webkb.labels.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        known = {url: dict(label.split("=") for label in said.split("|")) for url, said in rows}
    pages, parser = {}, HtmlParser()
    with (WEBS / "webkb.warc.gz").open("rb") as stream:
        for record in FastIterator(stream):
            url = record.headers["WARC-Target-URI"]
            kind = record.http_headers.get("content-type", "").encode()
            page = parser.parse(Response(canonical(url), 200, ((b"Content-Type", kind),), record.reader.read(), b""))
            targets = [link.target for link in page.links]
            pages[page.url] = (known[url]["class"], known[url]["univ"], f"{page.title}\n{page.text}", targets)
    return pages


@pytest.mark.slow
def test_classes_learnt_at_other_places_are_known_again_at_four_universities(webkb):
    told = {url: page for url, page in webkb.items() if page[0] != "other"}
    classifier = Classifier.of((text, label) for label, place, text, _ in told.values() if place == "misc")
    strange = [(label, text) for label, place, text, _ in told.values() if place != "misc"]
    began = time.perf_counter()
    shares = [classifier.distribution(text) for _, text in strange]
    print(f"{(time.perf_counter() - began) / len(strange) * 1e6:.0f} µs a page")
    right = sum(next(iter(share)) == label for share, (label, _) in zip(shares, strange, strict=True)) / len(strange)
    majority = Counter(label for label, _ in strange).most_common(1)[0][1] / len(strange)
    surprise = -sum(math.log(share[label]) for share, (label, _) in zip(shares, strange, strict=True)) / len(strange)
    print(f"accuracy {right:.3f}, of the largest class {majority:.3f}; log loss {surprise:.2f}")
    assert right > majority + 0.2
    assert surprise < 0.9


@pytest.mark.slow
def test_rules_learnt_from_real_links_make_sense(webkb):
    classifier = Classifier.of((text, label) for label, place, text, _ in webkb.values() if place == "misc")
    links = [(label, target) for label, place, _, targets in webkb.values() if place == "misc" for target in targets]
    rules = InterclassRules.of_links(links, lambda url: classifier.best(webkb[url][2]) if url in webkb else None)
    for rule in sorted(rules, key=lambda rule: (rule.parent, -rule.probability)):
        print(f"{rule.parent:>10} → {rule.child:10} {rule.probability:.2f} of {rule.pages}")
    assert rules.probability("faculty", "course") > rules.probability("student", "course")
    assert rules.probability("faculty", "project") > rules.probability("student", "project")
    # Pages link to their own kind above all: the assumption of soft focus holds, but for departments and staff.
    for label in ("course", "faculty", "project", "student"):
        assert max(classifier.classes, key=lambda child, label=label: rules.probability(label, child)) == label
    scores = RuleScores(rules, ["course"])
    assert all(0 < (scores.of_class(label) or 0) <= 1 for label in classifier.classes)
