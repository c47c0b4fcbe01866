"""The topics of Kayışoğlu 2005, Table 5, in a small web."""

import pytest
from tests.unit.lab.test_papers import page, task_web_of

from thresher.lab.papers import kayisoglu_2005 as lokman
from thresher.lab.papers import table_five
from thresher.lab.papers import table_five_results as results
from thresher.lab.papers.reproduction import Setting
from thresher.lab.run.task import read_tasks
from thresher.lab.run.task_web import TaskWeb
from thresher.model import Url

MENU = '<nav><a href="/menu">insomnia</a></nav>'


@pytest.fixture
def setting(tmp_path):
    itching = {f"http://w.example/{n}": page("Rash", "Chicken pox itches.", [f"/{n + 1}"]) + MENU for n in range(1, 6)}
    others = {
        "http://w.example/flu": page("Flu", "The flu again.", ["/1"]),
        "http://w.example/bread": page("Bread", "Flour and water.", ["/flu", "/1"]),
    }
    pages = {**others, **itching}
    task_web_of(tmp_path, pages, dict.fromkeys(pages, "section=all"), "womenshealth")
    with Setting(tmp_path, tmp_path / "out", quick=True).bench as bench:
        yield Setting(tmp_path, tmp_path / "out", quick=True, bench=bench)


def test_a_page_has_a_topic_if_its_own_text_names_it_and_not_if_a_menu_does(setting):
    with TaskWeb(read_tasks(setting.webs / "womenshealth.toml")[0].web) as web:
        lines = dict(line.rstrip("\n").split("\t") for line in table_five.labelled(web))
    assert lines["http://w.example/1"] == "topic=chickenpox"
    assert lines["http://w.example/flu"] == "topic=influenza"
    assert lines["http://w.example/bread"] == ""


def test_only_a_topic_that_two_pages_name_is_crawled_for(setting):
    assert [(each.task.name, len(each.pages)) for each in table_five.topic_tasks(setting)] == [("chickenpox", 5)]


def test_each_topic_has_a_task_file_that_the_lab_reads(setting):
    (made,) = table_five.topic_tasks(setting)
    (read,) = read_tasks(setting.out / "lokman-table-5" / "womenshealth-chickenpox.toml")
    for key in ("name", "topic", "ontologies", "relevant", "near"):
        assert list(getattr(read, key)) == list(getattr(made.task, key))
    with TaskWeb(read.web) as web:
        assert web.targets(read) == made.pages


def test_half_of_the_pages_at_most_stand_for_hits_and_each_crawl_has_others():
    pages = frozenset(Url(f"http://w.example/{n}") for n in range(9))
    assert len(table_five.hits(pages, 1)) == 4
    assert table_five.hits(pages, 1) != table_five.hits(pages, 2)
    assert len(table_five.hits(frozenset(Url(f"http://w.example/{n}") for n in range(99)), 1)) == 15


def test_the_shares_are_swept_as_the_thesis_did_from_4_down_to_05(setting):
    assert table_five.ALPHAS[0] == 0.4
    assert table_five.ALPHAS[-1] == 0.05
    steps = {round(high - low, 9) for high, low in zip(table_five.ALPHAS, table_five.ALPHAS[1:], strict=False)}
    assert steps == {0.05}
    (made,) = table_five.topic_tasks(setting)
    assert table_five.sweep_trial(made.task, 0.1, 9).blank.key == table_five.trial(made.task, "GetGreater", 9).blank.key


@pytest.mark.usefixtures("wordnet_folder")
def test_every_table_is_filled_and_names_the_thesiss_own_figures(setting):
    made = results.reproduce(setting)
    for table in made.tables:
        assert {len(row) for row in table.rows} <= {len(table.columns)}
    titles = " ".join(table.title for table in made.tables)
    for cited in ("Table 5", "Figures 15–18 and 22", "§4.1", "Figure 23", "§5.1"):
        assert cited in titles
    assert "GetGreater" in made.verdict


@pytest.mark.parametrize("paper", [lokman.PAPER, results.PAPER])
def test_tables_that_the_thesis_does_not_have_are_not_cited(paper):
    assert paper.endswith("Figures 15–18, 22 and 23")
    assert not {"Tables", "Table 6", "Table 7"} & {paper.split("2005, ")[1].split(" ")[0]}
