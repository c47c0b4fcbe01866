from hypothesis import given
from hypothesis import strategies as st

from thresher.seed.search_seeds import STANDINGS, FoundSeed, classed

LISTS = st.dictionaries(
    st.sampled_from(["g", "y", "m"]), st.lists(st.sampled_from("abcdef").map("http://{}/".format), max_size=8)
)


def standings(lists):
    urls = {engine: [f"http://{name}/" for name in names] for engine, names in lists.items()}
    return [(seed.url[7:-1], seed.standing) for seed in classed(urls)]


def test_golden_8_seeds_of_several_engines_are_high_of_one_repeatedly_medium_of_one_once_low():
    found = standings({"g": ["a", "b"], "y": ["b", "c", "c"], "m": ["d"]})
    assert found == [("b", "high"), ("c", "medium"), ("a", "low"), ("d", "low")]


def test_a_url_that_one_engine_repeats_and_another_knows_is_high():
    assert standings({"g": ["a", "a"], "y": ["a"]}) == [("a", "high")]


def test_in_a_class_the_best_rank_of_any_engine_comes_first():
    assert [name for name, _ in standings({"g": ["a", "b", "c"], "y": ["c", "d", "b"]})] == ["c", "b", "a", "d"]


def test_of_equal_ranks_the_engine_named_first_decides():
    assert [name for name, _ in standings({"y": ["b"], "g": ["a"]})] == ["b", "a"]


def test_two_spellings_of_a_url_are_one():
    seeds = classed({"g": ["HTTP://Example.org"], "y": ["http://example.org:80/#top"]})
    assert seeds == [FoundSeed("http://example.org/", "high", 1, ("g", "y"))]


def test_what_cannot_be_crawled_is_left_out_and_keeps_its_place_in_the_list():
    assert classed({"g": ["mailto:a@example.org", "nonsense", "http://a/"]}) == [
        FoundSeed("http://a/", "low", 3, ("g",))
    ]


def test_no_lists_give_no_seeds():
    assert classed({}) == classed({"g": []}) == []


@given(LISTS)
def test_each_url_comes_once_and_the_classes_in_order(lists):
    found = classed(lists)
    assert sorted(seed.url for seed in found) == sorted({url for urls in lists.values() for url in urls})
    keys = [(STANDINGS.index(seed.standing), seed.rank) for seed in found]
    assert keys == sorted(keys)


@given(LISTS)
def test_a_seed_tells_its_best_rank_and_every_engine_that_named_it(lists):
    for seed in classed(lists):
        assert seed.engines == tuple(engine for engine, urls in lists.items() if seed.url in urls)
        assert seed.rank == min(lists[engine].index(seed.url) + 1 for engine in seed.engines)
