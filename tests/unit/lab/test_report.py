import re
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console
from tests.unit.lab.experiments import experiment, fetched, kept

from thresher.lab.report.comparison import compared
from thresher.lab.report.document import plain
from thresher.lab.report.findings import ExperimentFindings
from thresher.lab.report.pictures import inks
from thresher.lab.report.report_writer import summary, write_report
from thresher.lab.run.results_file import Results

SKILLS = {"breadth-first": 0.2, "keen": 0.8, "dull": 0.02, "like-breadth-first": 0.2, "oracle-greedy": 0.95}


@pytest.fixture
def results(tmp_path):
    return Results(tmp_path / "first")


def both(results, baseline="breadth-first"):
    write_report(results, baseline)
    return [(results.folder / name).read_text() for name in ("report.html", "report.md")]


def cells(markdown, row, heading):
    """The row of a strategy in the first table under a heading, by column."""
    section = markdown.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    return next(dict(zip(lines[0], line, strict=True)) for line in lines if line[0].strip("*") == row)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []
        self.attributes = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.text += data


def test_every_strategy_and_every_task_stands_in_both_reports(results):
    experiment(results, SKILLS, tasks=3)
    for text in both(results):
        for name in (*SKILLS, "web/task-00", "web/task-01", "web/task-02"):
            assert name in text


def test_the_same_results_give_the_same_bytes(results):
    experiment(results, SKILLS, tasks=3)
    first = both(results)
    pictures = {path.name: path.read_bytes() for path in (results.folder / "plots").iterdir()}
    assert both(Results.open(results.folder)) == first
    assert {path.name: path.read_bytes() for path in (results.folder / "plots").iterdir()} == pictures


def test_markdown_shows_the_pictures_that_were_written_and_each_is_well_formed(results):
    experiment(results, SKILLS, tasks=3)
    shown = re.findall(r"\]\(plots/(.*?)\)", both(results)[1])
    written = {path.name for path in (results.folder / "plots").iterdir()}
    assert len(shown) == 3 + 3
    assert set(shown) == written
    for path in (results.folder / "plots").iterdir():
        ET.parse(path)


def test_no_two_strategies_in_colour_have_the_same_dashes(results):
    names = ("breadth-first", "random", "oracle-greedy", "a", "b", "c", "d", "e")
    drawn = inks(ExperimentFindings(experiment(results, dict.fromkeys(names, 0.3), tasks=1), "breadth-first"))
    dashes = [ink.dash for ink in drawn.values() if ink.strong]
    assert len(dashes) == len(set(dashes)) == 7


def test_pictures_of_an_earlier_report_are_gone(results):
    kept(results, "web/old", "breadth-first", fetched("r.r."))
    write_report(results)
    results.runs.clear()
    kept(results, "web/new", "breadth-first", fetched("r.r."))
    write_report(results)
    assert not [path.name for path in (results.folder / "plots").iterdir() if "old" in path.name]


def test_the_tables_hold_the_figures_of_the_runs_seed_sets_averaged(results):
    near = kept(results, "web/a", "keen", fetched("rr" + "." * 18), seeds="near")
    far = kept(results, "web/a", "keen", fetched("." * 19 + "r"), seeds="far")
    markdown = both(results)[1]
    by_task = cells(markdown, "keen", "Strategies by task")
    assert by_task["web/a"].strip("*") == f"{(near.auc + far.auc) / 2:.3f}"
    figures = cells(markdown, "keen", "Strategies in figures")
    assert figures["harvest"] == f"{(near.harvest + far.harvest) / 2:.3f}"
    assert figures["AUC"] == f"{(near.auc + far.auc) / 2:.3f}"
    assert figures["recall 100"] == "–"


def test_the_sizes_of_training_sets_stand_beside_the_figures_where_a_strategy_was_taught(results):
    kept(results, "web/eye", "soft-focus", fetched("r."), train_0=4090, train_1=2403)
    kept(results, "web/eye", "breadth-first", fetched(".r"))
    html, markdown = both(results)
    assert cells(markdown, "web/eye", "Training sets") == {"task": "web/eye", "train-0": "4,090", "train-1": "2,403"}
    assert "Strategies with a taxonomy: soft-focus." in markdown
    assert "train-1" in html


def test_without_a_taxonomy_no_training_sets_are_told(results):
    kept(results, "web/eye", "breadth-first", fetched(".r"))
    assert "Training sets" not in both(results)[1]


def test_a_mean_counts_each_task_once_however_often_it_was_repeated(results):
    for repeat in range(3):
        kept(results, "web/a", "keen", fetched("r" * 20), repeat=repeat)
    kept(results, "web/b", "keen", fetched("." * 20))
    assert cells(both(results)[1], "keen", "Strategies by task")["mean"] == "0.500"


def test_the_best_of_a_task_is_bold_and_the_oracle_is_not_ranked(results):
    experiment(results, SKILLS, tasks=2)
    markdown = both(results)[1]
    assert cells(markdown, "keen", "Strategies by task")["web/task-00"].startswith("**")
    oracle = cells(markdown, "oracle-greedy", "Strategies by task")
    assert not oracle["web/task-00"].startswith("**")
    assert oracle["rank"] == "–"


def test_a_strategy_that_was_not_tried_on_a_task_has_a_dash_there_and_comes_last(results):
    experiment(results, SKILLS, tasks=2)
    kept(results, "web/task-00", "half", fetched("r" * 20))
    markdown = both(results)[1]
    row = cells(markdown, "half", "Strategies by task")
    assert row["web/task-01"] == "–"
    assert row["mean"].endswith("*")
    assert ExperimentFindings(results, "breadth-first").strategies[-1] == "half"


def test_who_beats_the_baseline_and_who_loses_to_it_is_said_in_a_sentence_each(results):
    for text in both(experiment(results, SKILLS, tasks=12)):
        tags = Tags()
        tags.feed(text)
        better, worse, neither = (
            re.search(rf"{words}[^.]*beyond chance.*|{words}.*", tags.text).group()
            for words in ("Better than", "Worse than", "Neither shown")
        )
        assert "keen" in better
        assert "dull" in worse
        assert "like-breadth-first" in neither


def test_nothing_is_claimed_from_nine_tasks(results):
    experiment(results, SKILLS, tasks=9)
    for text in both(results):
        assert "No claim from fewer than 10 tasks" in text
        assert "†" in text
        assert "Better than" not in text
    assert cells(both(results)[1], "keen", "Against the baseline: better, or lucky?")["verdict"] == "†"


def test_a_baseline_that_did_not_run_is_said_and_breaks_nothing(results):
    experiment(results, SKILLS, tasks=2)
    for text in both(results, baseline="nobody"):
        assert "nobody" in text
        assert "was not among the runs" in text


def test_seeds_that_only_one_side_had_count_on_neither(results):
    kept(results, "web/a", "breadth-first", fetched("r" * 20), seeds="near")
    kept(results, "web/a", "breadth-first", fetched("." * 20), seeds="far")
    kept(results, "web/a", "keen", fetched("r" * 20), seeds="near")
    assert ExperimentFindings(results, "breadth-first").comparisons["keen"].difference == 0


def test_runs_of_another_budget_are_left_out_and_counted(results):
    experiment(results, {"breadth-first": 0.2, "keen": 0.8}, tasks=1)
    kept(results, "web/task-00", "keen", fetched("r" * 5), pages=5)
    assert "Left out: 1 run with another budget." in both(results)[1]
    assert ExperimentFindings(results, "breadth-first").budgets == [20]


def test_who_stopped_early_is_named_with_the_fetches_it_used(results):
    kept(results, "web/a", "breadth-first", fetched("." * 20))
    kept(results, "web/a", "shy", fetched("r" * 7))
    row = cells(both(results)[1], "shy", "Stopped early")
    assert (row["why"], row["runs"], row["fewest fetches"]) == ("empty", "1", "7")


def test_pages_that_one_strategy_found_alone_are_told_and_the_oracle_takes_none(results):
    kept(results, "web/a", "breadth-first", fetched("rr", "shared"))
    kept(results, "web/a", "keen", [*fetched("rr", "shared"), *fetched("r", "own")])
    kept(results, "web/a", "oracle-greedy", fetched("r", "own"))
    section = both(results)[1].split("## Found by one strategy alone")[1].split("\n## ")[0]
    assert "keen: 1 page for 1 task: http://web.example/own-0" in section
    assert "Nothing alone: breadth-first." in section


def test_two_strategies_with_the_same_visits_share_all_urls(results):
    for strategy in ("breadth-first", "keen"):
        kept(results, "web/a", strategy, fetched("r." * 10))
    assert cells(both(results)[1], "keen", "Urls in common")["breadth-first"] == "1.00"


def test_the_hardest_task_stands_first_with_its_share_of_the_oracles(results):
    kept(results, "web/easy", "keen", fetched("r" * 10))
    kept(results, "web/hard", "keen", fetched("." * 19 + "r", depth=4))
    kept(results, "web/hard", "oracle-greedy", fetched("rrrr"))
    row = cells(both(results)[1], "web/hard", "The hardest tasks")
    assert (row["best strategy"], row["of oracle"], row["links away"]) == ("keen", "0.25", "4")
    section = both(results)[1].split("## The hardest tasks")[1]
    assert section.index("web/hard") < section.index("web/easy")


def test_rows_whose_fetches_are_lost_still_make_a_report(results):
    experiment(results, SKILLS, tasks=1)
    for path in (results.folder / "fetches").iterdir():
        path.unlink()
    assert "fetches of these tasks were not kept: web/task-00" in both(results)[1]


@pytest.mark.parametrize("pattern", ["", "." * 20])
def test_a_task_without_a_relevant_page_makes_a_report(results, pattern):
    for strategy in ("breadth-first", "keen", "oracle-greedy"):
        kept(results, "web/none", strategy, fetched(pattern))
    assert cells(both(results)[1], "keen", "Strategies by task")["mean"] == "0.000"


def test_an_experiment_without_runs_says_so(results):
    for text in both(results):
        assert "No run has ended yet." in text


def test_the_oracle_alone_makes_a_report(results):
    kept(results, "web/a", "oracle-greedy", fetched("rr"))
    assert all("oracle-greedy" in text for text in both(results))


HOSTILE = ["<script>alert(1)</script>", "a|b", "*_`x`_*", 'x" onload="y', "[x](javascript:y)", "two\nlines", "nul\x00"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_and_urls_stay_text(results, name):
    pages = [each._replace(url=each.url + name.replace("\n", "").replace("\t", "")) for each in fetched("rr")]
    kept(results, f"web/{name}", name, pages)
    kept(results, f"web/{name}", "breadth-first", fetched(".."))
    results.about = {name: name}
    page, markdown = both(results)
    tags = Tags()
    tags.feed(page)
    assert not {"script", "a", "img"} & set(tags.seen)
    assert "onload" not in tags.attributes
    assert "\x00" not in page + markdown
    assert "<script" not in markdown
    assert not re.search(r"(?<!\\)\]\(javascript", markdown)
    for block in markdown.split("\n\n"):
        if block.startswith("|"):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_plain_text_has_no_mark_that_markdown_would_take_for_its_own():
    assert plain("a|b\n*c* <i>") == r"a\|b \*c\* &lt;i&gt;"


def test_the_page_needs_nothing_from_elsewhere(results):
    page = both(experiment(results, SKILLS, tasks=1))[0]
    tags = Tags()
    tags.feed(page)
    assert not {"script", "link", "img", "iframe"} & set(tags.seen)
    assert not {"src", "href", "onclick"} & set(tags.attributes)


def test_two_runs_of_the_same_experiment_have_no_difference(results, tmp_path):
    one = experiment(results, SKILLS, tasks=2)
    other = experiment(Results(tmp_path / "second"), SKILLS, tasks=2)
    other.runs = {key: replace(run, cpu_s=9.0) for key, run in other.runs.items()}
    told = compared(one, other)
    assert "20 runs in both" in told
    assert "No difference" in told
    assert "20 runs visited the very same urls in the same order" in told


def test_what_differs_between_two_experiments_is_told_by_strategy_and_by_run(results, tmp_path):
    one, other = results, Results(tmp_path / "second")
    for folder, pattern in ((one, "." * 20), (other, "r" * 20)):
        kept(folder, "web/a", "same", fetched("r" + "." * 19))
        kept(folder, "web/a", "keen", fetched(pattern))
    told = compared(one, other)
    assert "No difference" not in told
    assert "1 of them differ" in told
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.splitlines() if line.startswith("| keen")]
    assert rows[0][3:6] == ["0.000", "1.000", "+1.000"]
    assert rows[1][:4] == ["keen", "web/a", "near", "0"]


def test_runs_that_only_one_experiment_has_are_named(results, tmp_path):
    other = Results(tmp_path / "second")
    for folder in (results, other):
        kept(folder, "web/a", "keen", fetched("r."))
    kept(other, "web/a", "late", fetched("r."))
    assert f"1 run only in {plain(str(other.folder))}:\n\n- late, 20 fetches: 1 run" in compared(results, other)


def test_the_same_figures_by_another_way_are_not_called_the_same(results, tmp_path):
    other = Results(tmp_path / "second")
    kept(results, "web/a", "keen", fetched("r..", "one"))
    kept(other, "web/a", "keen", fetched("r..", "two"))
    assert "1 run with the same figures visited other urls, or in another order" in compared(results, other)


def test_experiments_with_nothing_in_common_are_compared_without_a_word_of_sameness(results, tmp_path):
    other = Results(tmp_path / "second")
    kept(results, "web/a", "keen", fetched("r."))
    told = compared(results, other)
    assert "0 runs in both" in told
    assert "No difference" not in told


def test_the_terminal_says_who_is_ahead(results):
    out = StringIO()
    summary(experiment(results, SKILLS, tasks=12), console=Console(file=out, width=120))
    lines = out.getvalue().splitlines()
    assert next(line for line in lines if line.startswith("keen")).split()[3] == "12/0"
    assert "1 ahead of breadth-first beyond chance, 1 behind, of 3 on 12 tasks" in out.getvalue()


def test_a_bracket_in_a_name_is_a_bracket_in_the_terminal(results):
    kept(results, "web/a", "x[red]y", fetched("r."))
    out = StringIO()
    summary(results, console=Console(file=out, width=120))
    assert "x[red]y" in out.getvalue()
    assert "did not run" in out.getvalue()
