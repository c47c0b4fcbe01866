"""The link tree, and which names were found, over a real crawl folder."""

import pytest
from tests.unit.results.iris_site import crawl, with_terms

from thresher.results.archive import Archive
from thresher.results.link_tree import link_tree
from thresher.results.sightings import sightings


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    home = tmp_path_factory.mktemp("tree")
    with Archive.open(crawl(home / "crawl", **with_terms(home))) as archive:
        yield archive


def leaves(node):
    return [node.url.removeprefix("http://iris.example"), *(leaf for child in node.children for leaf in leaves(child))]


def test_only_branches_that_lead_to_a_relevant_page_are_in_the_tree(archive):
    (root,) = link_tree(archive)
    assert set(leaves(root)) == {"/", "/pupil", "/new", "/quiet", "/languages", "/copy"}
    assert root.relevant_pages() == 6
    assert root.cut == 0


def test_a_tree_that_is_cut_keeps_the_best_and_counts_the_rest(archive):
    (root,) = link_tree(archive, most=2)
    assert leaves(root) == ["/", "/new"]
    assert root.cut == 4


def test_names_are_counted_on_relevant_pages_and_those_never_found_are_listed(archive):
    seen = sightings(archive)
    assert seen.tiers() == {"exact": {"iris": 6}, "synonym": {"rainbow membrane": 1}, "broader": {"eye": 6}}
    assert seen.never == ("虹膜",)


def test_words_have_no_tiers(tmp_path):
    with Archive.open(crawl(tmp_path / "crawl", judge={"name": "terms", "threshold": 0.3})) as archive:
        assert sightings(archive).tiers() == {"": {"iris": 6, "eye": 6}}
