"""Small leaves are merged upward, and of each class so many urls are drawn, whatever the order they come in."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.model import Url
from thresher.taxonomy.classed_urls import ClassedUrl
from thresher.taxonomy.example_urls import MOST_NODES, ExampleOptions, drawn, merged_upward


def listed(**counts):
    """So many urls of each class; `__` stands for a slash."""
    return {label.replace("__", "/"): count for label, count in counts.items()}


def source(counts):
    urls = [
        ClassedUrl(label, Url(f"http://{label.lower().replace('/', '-')}.example/{number}"))
        for label, count in counts.items()
        for number in range(count)
    ]
    return lambda: iter(urls)


def homes(counts, **options):
    return merged_upward(counts, ExampleOptions(**options))[0]


def test_a_leaf_with_fewer_urls_than_the_least_is_merged_into_its_parent():
    found = homes(listed(Science__Physics=149, Science__Biology=150, Arts=200), least=150)
    assert found == {"Science/Physics": "", "Science/Biology": "Science/Biology", "Science": "", "Arts": "Arts"}


def test_a_parent_that_lost_all_its_children_is_a_leaf_and_is_merged_in_turn():
    counts = listed(Science__Physics__Optics=40, Science__Physics__Heat=60, Science__Biology=60, Arts=10)
    # Physics has 100 of its children, and gives them on; Science ends with 160.
    assert homes(counts, least=150) == {
        "Science/Physics/Optics": "Science",
        "Science/Physics/Heat": "Science",
        "Science/Physics": "Science",
        "Science/Biology": "Science",
        "Science": "Science",
        "Arts": "Arts",
    }
    assert merged_upward(counts, ExampleOptions(least=150))[1] == 4


def test_a_node_above_others_is_a_class_of_its_own_if_it_has_enough_urls_itself():
    counts = listed(Science=20, Science__Physics=30, Arts=30)
    assert homes(counts, least=20)["Science"] == "Science"
    assert homes(counts, least=21)["Science"] == ""
    assert homes(counts, least=20, only_leaves=True)["Science"] == ""


def test_nothing_is_merged_out_of_the_part_of_the_tree_that_was_chosen():
    counts = listed(Science__Physics__Optics=3, Science__Biology=3)
    found = homes(counts, least=20, under=["Science/Physics", "Science/Biology"])
    assert found == {
        "Science/Physics/Optics": "Science/Physics",
        "Science/Physics": "Science/Physics",
        "Science/Biology": "Science/Biology",
    }


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
COUNTS = st.dictionaries(PATHS, st.integers(1, 30), min_size=1, max_size=20)


@given(COUNTS, st.integers(1, 40), st.booleans())
def test_every_url_stays_on_its_way_to_the_top_and_only_top_classes_are_small(counts, least, only_leaves):
    found = homes(counts, least=least, only_leaves=only_leaves)
    sizes = Counter[str]()
    for label, count in counts.items():
        home = found[label]
        assert home in {"", label} or label.startswith(f"{home}/")
        sizes[home] += count
    classes = set(found.values()) - {""}
    assert all(sizes[label] >= least for label in classes if "/" in label)
    if only_leaves:
        assert not any(other.startswith(f"{label}/") for label in classes for other in classes)


# ── drawing ──


def test_of_each_class_the_same_urls_are_drawn_in_whatever_order_they_come():
    counts = listed(Science=50, Arts=3)
    options = ExampleOptions(least=1, most=10)
    forwards = drawn(source(counts), options)
    backwards = drawn(lambda: iter(list(source(counts)())[::-1]), options)
    assert forwards.classes == backwards.classes
    assert {label: len(urls) for label, urls in forwards.classes.items()} == {"Arts": 3, "Science": 10}
    assert forwards.listed == 53


def test_a_smaller_sample_is_part_of_a_larger_one():
    counts = listed(Science=50, Arts=50)
    small, large = (drawn(source(counts), ExampleOptions(least=1, most=most)).classes for most in (5, 20))
    assert all(set(small[label]) < set(large[label]) for label in large)


def test_a_url_in_two_classes_belongs_to_the_first_and_one_listed_twice_counts_once():
    twice = [("Arts", "http://a.example/"), ("Science", "http://a.example/"), ("Science", "http://b.example/")]
    found = drawn(lambda: (ClassedUrl(label, Url(url)) for label, url in twice * 3), ExampleOptions(least=1))
    assert found.classes == {"Arts": ["http://a.example/"], "Science": ["http://b.example/"]}


def test_only_what_is_under_a_path_is_drawn():
    counts = listed(Science__Physics=3, Science__Biology=3, Sciences=3, Arts=3)
    found = drawn(source(counts), ExampleOptions(least=1, under=["Science"]))
    assert list(found.classes) == ["Science/Biology", "Science/Physics"]


@pytest.mark.parametrize(
    ("counts", "options", "said"),
    [
        ({}, {}, "no url with a class was found"),
        (listed(Arts=3), {"under": ["Science"]}, "no url with a class was found under Science"),
        (listed(Arts=3), {}, "of 1 classes with 3 urls, only the class 'Arts' is left at --least 20"),
        (listed(A__B=3, A__C=4), {}, "of 2 classes with 7 urls, only the class 'A' is left at --least 20"),
    ],
)
def test_fewer_than_two_classes_are_an_error_that_says_what_became_of_the_others(counts, options, said):
    with pytest.raises(BadInput) as error:
        drawn(source(counts), ExampleOptions(**options))
    assert said in str(error.value)
    assert str(error.value).endswith("a taxonomy needs at least two classes to tell apart")


def test_a_source_that_names_classes_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("thresher.taxonomy.example_urls.MOST_NODES", 100)
    endless = (ClassedUrl(f"c{number}", Url("http://a.example/")) for number in range(10**9))
    with pytest.raises(BadInput, match="more than 100 classes; choose some with --under PATH"):
        drawn(lambda: endless, ExampleOptions())
    assert MOST_NODES > 1_000_000
