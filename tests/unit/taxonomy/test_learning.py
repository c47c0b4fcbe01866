"""train-0 and train-1 are fetched from a real server on 127.0.0.1, stopped and continued, and learnt from."""

import csv

import pytest
from tests.unit.results.changing_web import ChangingWeb, Served, serving
from tests.unit.strategy.classed_web import TABLE_1

from thresher.classify.learnt_folder import ClassSize, LearntFolder
from thresher.classify.link_rules import RuleScores
from thresher.errors import BadInput, FolderLocked
from thresher.events import PageVisited
from thresher.results.archive import Archive
from thresher.taxonomy.example_crawl import fetched_before, fetching, training_settings
from thresher.taxonomy.example_urls import ExampleOptions
from thresher.taxonomy.learning import Learning
from thresher.taxonomy.training_folder import LearningOptions, TrainingFolder

NOW = {"polite": {"delay": 0.0}, "workers": 2}
WORDS = {"DH": "department institute", "CH": "course lecture", "PH": "person hobby", "SP": "sport ball"}


def html(label, number=0, links=()):
    anchors = "".join(f'<p><a href="{link}">on</a>' for link in links)
    return f"<title>{label} {number}</title><p>{WORDS[label]} {WORDS[label]} number{label}{number}{anchors}"


def paper_web():
    """The paper's example: a page of each class, with ten links to pages of the classes that its Table 1 has."""
    pages = {}
    for parent, row in TABLE_1.items():
        targets = [f"/{parent}/{child}{number}" for child, count in row.items() for number in range(count)]
        pages[f"/{parent}"] = Served(html(parent, links=targets))
        for target in targets:
            # What these link to is nobody's business.
            pages[target] = Served(html(target.split("/")[2][:2], target, ["/further"]))
    return ChangingWeb(pages)


def classes_of(web, tmp_path, examples):
    """A table of classes with urls."""
    with (tmp_path / "classes.csv").open("w") as file:
        rows = csv.writer(file)
        rows.writerow(["class", "url"])
        rows.writerows((label, web.base + path) for label, paths in examples.items() for path in paths)
    return tmp_path / "classes.csv"


def folder_for(web, tmp_path, examples=None, into="taxonomy", linked=10, links_of=(), **options):
    source = classes_of(web, tmp_path, examples or {label: [f"/{label}"] for label in TABLE_1})
    chosen = ExampleOptions(**{"least": 1, **options})
    return TrainingFolder(tmp_path / into, LearningOptions(source, chosen, linked, links_of))


async def fetch(folder, stop_after=None, **wanted):
    folder.draw()
    classes = folder.examples()
    settings = training_settings(folder, classes, {**NOW, **wanted})
    async with fetching(folder, classes, settings) as crawl:

        def watch(event):
            if isinstance(event, PageVisited) and event.visit.number == stop_after:
                crawl.stop()

        crawl.watchers.append(watch)
        return await crawl.run()


def learn(folder, told=lambda _: None):
    with Archive.open(folder.pages.path) as archive:
        return Learning(folder, archive).run(told)


def rules_of(folder):
    rows = {}
    for rule in LearntFolder(folder.path).rules():
        rows.setdefault(rule.parent, {})[rule.child] = rule.pages
    return rows


async def test_the_papers_example_gives_the_papers_rules(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path)
        stop = await fetch(folder)
        told = []
        report = learn(folder, told.append)
    assert stop.reason == "empty"
    assert sum(told) == 44, "every page is told of once"
    assert rules_of(folder) == TABLE_1
    assert report.sizes == dict.fromkeys(("CH", "DH", "PH", "SP"), ClassSize(1, 10))
    assert report.rules == 10
    assert not report.lost
    scores = RuleScores(LearntFolder(folder.path).rules(), ["PH"])
    assert scores.of_class("DH") == pytest.approx(0.42)
    assert "/further" not in web.paths()
    assert fetched_before(folder) == {0: 4, 1: 40}


async def test_a_folder_that_was_stopped_goes_on_and_comes_to_the_same(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path)
        for number in (3, 11, 29):
            assert (await fetch(folder, stop_after=number)).reason == "interrupted"
        assert (await fetch(folder)).reason == "empty"
        learn(folder)
    assert rules_of(folder) == TABLE_1
    assert len(web.paths()) == len(set(web.paths())) == 44, "no page is asked for twice"


async def test_it_goes_on_where_the_source_has_changed_or_is_gone(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path)
        await fetch(folder, stop_after=2)
        folder.options.source.unlink()
        await fetch(folder)
        learn(folder)
    assert rules_of(folder) == TABLE_1


async def test_about_so_many_links_of_a_class_are_followed(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path, linked=3)
        await fetch(folder)
        report = learn(folder)
    assert [size.linked for size in report.sizes.values()] == [3, 3, 3, 3]
    assert len(web.paths()) == 4 + 12


async def test_only_the_links_of_chosen_classes_are_followed(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path, links_of=["DH", "SP"])
        await fetch(folder)
        learn(folder)
    assert rules_of(folder) == {"DH": TABLE_1["DH"], "SP": TABLE_1["SP"]}
    assert len(web.paths()) == 4 + 20


async def test_a_path_that_names_no_class_is_an_error_before_anything_is_fetched(tmp_path):
    async with serving(paper_web()) as web:
        with pytest.raises(BadInput, match="there is no class 'Departments'; the classes: CH, DH, PH, SP"):
            await fetch(folder_for(web, tmp_path, links_of=["Departments"]))
        assert web.paths() == []
        assert folder_for(web, tmp_path, links_of=["DH"]).draw(), "the same folder takes the right one"


async def test_a_page_counts_once_for_each_class_that_links_to_it(tmp_path):
    shared = {"s2": Served(html("SP", 2, ["/c1"])), "p1": Served(html("PH", 1, ["/c1"]))}
    async with serving(two_classes(**shared)) as web:
        folder = folder_for(web, tmp_path, {"Sport": ["/s1", "/s2"], "People": ["/p1"], "Courses": ["/c2", "/c1"]})
        await fetch(folder)
        report = learn(folder)
    assert rules_of(folder) == {"People": {"Courses": 1}, "Sport": {"Courses": 1}}
    assert report.linked == 1


async def test_without_links_there_are_classes_and_no_rules(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path, linked=0)
        await fetch(folder)
        assert learn(folder).rules == 0
    assert sorted(web.paths()) == ["/CH", "/DH", "/PH", "/SP"]


async def test_what_a_budget_left_is_learnt_from_and_more_comes_with_a_larger_one(tmp_path):
    async with serving(paper_web()) as web:
        folder = folder_for(web, tmp_path)
        assert (await fetch(folder, budget={"pages": 14})).reason == "pages"
        assert learn(folder)[1:3] == (4, 10)
        await fetch(folder, budget={"pages": 100})
        assert learn(folder)[1:3] == (4, 40)


def two_classes(**more):
    plain = {"/s1": Served(html("SP", 1, ["/c1"])), "/c1": Served(html("CH", 1))}
    return ChangingWeb({**plain, **{f"/{name}": served for name, served in more.items()}})


async def test_redirects_are_followed_and_the_class_is_that_of_the_url_that_was_listed(tmp_path):
    moved = {
        "old": Served("", status=301, location="/s2"),
        "s2": Served(html("SP", 2, ["/hop"])),
        "hop": Served("", status=302, location="/hop2"),
        "hop2": Served("", status=302, location="/c1"),
    }
    async with serving(two_classes(**moved)) as web:
        folder = folder_for(web, tmp_path, {"Sport": ["/old"], "Courses": ["/c1"]})
        await fetch(folder)
        report = learn(folder)
    assert report.sizes == {"Courses": ClassSize(1, 0), "Sport": ClassSize(1, 1)}
    assert rules_of(folder) == {"Sport": {"Courses": 1}}, "an example that is linked to is classified like any page"


async def test_what_is_forbidden_gone_empty_or_a_copy_teaches_nothing(tmp_path):
    more = {"copy": Served(html("SP", 1, ["/c1"])), "empty": Served("<title></title>"), "secret": Served(html("PH"))}
    async with serving(two_classes(**more)) as web:
        web.robots = "User-agent: *\nDisallow: /secret\n"
        examples = {"Sport": ["/s1", "/copy", "/empty"], "Courses": ["/c1", "/gone"], "People": ["/secret"]}
        folder = folder_for(web, tmp_path, examples)
        await fetch(folder, workers=1)
        report = learn(folder)
    assert {label: size.examples for label, size in report.sizes.items()} == {"Courses": 1, "Sport": 1}
    assert report.lost == ("People",)
    assert "/secret" not in web.paths()


@pytest.mark.parametrize(("own", "copies"), [("A", "B"), ("B", "A")])
async def test_of_two_copies_the_one_with_the_first_url_counts_whichever_came_first(tmp_path, own, copies):
    async with serving(two_classes(copy=Served(html("SP", 1, ["/c1"])))) as web:
        # Classes are visited in the order of their names.
        folder = folder_for(web, tmp_path, {own: ["/s1"], copies: ["/copy"], "Courses": ["/c1"]})
        await fetch(folder, workers=1)
        report = learn(folder)
    assert web.paths()[0] == {"A": "/s1", "B": "/copy"}[own]
    assert report.lost == (own,)


async def test_if_the_pages_of_all_classes_but_one_are_gone_an_error_says_where_to_look(tmp_path):
    async with serving(two_classes()) as web:
        folder = folder_for(web, tmp_path, {"Sport": ["/s1"], "Courses": ["/gone"]})
        await fetch(folder)
        with pytest.raises(BadInput, match=r"example pages came of 1 of 2 classes.*thresher show .*pages says"):
            learn(folder)
    assert not LearntFolder(folder.path).exists


async def test_a_link_to_the_page_itself_or_to_a_picture_is_none_to_follow(tmp_path):
    own = {"s2": Served(html("SP", 2, ["/s2#top", "/a.jpg", "mailto:a@example.org"]))}
    async with serving(two_classes(**own)) as web:
        folder = folder_for(web, tmp_path, {"Sport": ["/s2"], "Courses": ["/c1"]})
        await fetch(folder)
    assert sorted(web.paths()) == ["/c1", "/s2"]


# ── the folder ──


async def test_other_options_need_another_folder(tmp_path):
    async with serving(two_classes()) as web:
        examples = {"Sport": ["/s1"], "Courses": ["/c1"]}
        folder_for(web, tmp_path, examples).draw()
        with pytest.raises(BadInput, match=r"learnt with most 150, not 7, linked 10, not 9: choose another --into"):
            folder_for(web, tmp_path, examples, most=7, linked=9).draw()


async def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path):
    (tmp_path / "taxonomy").mkdir()
    (tmp_path / "taxonomy" / "thesis.doc").write_text("mine")
    async with serving(two_classes()) as web:
        with pytest.raises(BadInput, match=r"is not empty \(thesis\.doc lies in it\): choose another --into"):
            folder_for(web, tmp_path).draw()


async def test_a_mistake_in_the_source_leaves_no_folder_behind(tmp_path):
    async with serving(two_classes()) as web:
        folder = folder_for(web, tmp_path, {"Sport": ["/s1"]})
        with pytest.raises(BadInput, match="needs at least two classes"):
            folder.draw()
    assert not folder.path.exists()


async def test_two_processes_do_not_fetch_into_one_folder(tmp_path):
    async with serving(two_classes()) as web:
        folder = folder_for(web, tmp_path, {"Sport": ["/s1"], "Courses": ["/c1"]})
        folder.draw()
        folder.path.joinpath("pages").mkdir()
        with folder.pages, pytest.raises(FolderLocked):
            await fetch(folder)
