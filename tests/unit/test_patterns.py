import pytest

from thresher.errors import BadInput
from thresher.patterns import Patterns, compiled


def test_the_first_pattern_of_the_list_that_is_found_is_told():
    patterns = Patterns("here", ["x", r"[?&]sort=", r"\.html"])
    assert patterns.first_in("http://h/a.html?sort=up") == "[?&]sort="
    assert patterns.first_in("http://h/") is None


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){30}b", "a?" * 40 + "a" * 40 + "$"])
def test_no_pattern_can_be_made_to_go_back(pattern):
    assert Patterns("here", [pattern]).first_in("http://h/" + "a" * 2000 + "!") is None
    assert compiled("here", pattern).search("a" * 1_000_000 + "!") is None


@pytest.mark.parametrize("pattern", ["(?!a)b", "(?<=a)b", r"(a)\1", "(", "*", "a{5000}", "a" * 10_000_000])
def test_what_cannot_be_matched_so_is_refused_with_the_place_where_it_was_written(pattern):
    with pytest.raises(BadInput, match=r"^here: .*is not a regular expression: .*no look-around"):
        Patterns("here", [pattern])


def test_case_may_not_matter_in_any_script():
    assert compiled("here", "ириса?", any_case=True).search("О ИРИСАХ")[0] == "ИРИСА"
