import pytest
from protego import Protego

from thresher.polite.robots_groups import group_for


def allows(text: str, path: str = "/private", agent: str = "thresher") -> bool:
    rules = group_for(agent, text).rules
    return not rules or Protego.parse(rules).can_fetch("http://a.test" + path, "*")


def said(text: str, agent: str = "thresher") -> list[str]:
    return group_for(agent, text).rules.splitlines()[1:]


@pytest.mark.parametrize(
    "name",
    [
        "thresher",
        "Thresher",
        "THRESHER",
        "Thresher/0.1",
        "thresher bot",
        "thresher*",
        "  thresher  # us",
        "Thresher/0.1 (+http://a.test)",
    ],
)
def test_a_group_names_us_by_our_product_token(name):
    text = f"User-agent: *\nAllow: /\n\nUser-agent: {name}\nDisallow: /private"
    assert not allows(text)
    assert not allows(text, agent="Thresher/9.9 (+mail@a.test)")


@pytest.mark.parametrize("name", ["thresherbot", "thresh", "thresher-x", "thresher_", "bot thresher", "x/thresher", ""])
def test_another_token_is_another_robot(name):
    assert allows(f"User-agent: {name}\nDisallow: /private")


@pytest.mark.parametrize("star", ["*", "* ", "* all of you", "*\t", "* # everyone"])
def test_a_star_names_everyone(star):
    assert not allows(f"User-agent: {star}\nDisallow: /private")


@pytest.mark.parametrize("star", ["*bot", "**", "x *"])
def test_a_star_within_a_name_names_nobody(star):
    assert allows(f"User-agent: {star}\nDisallow: /private")


def test_a_group_that_names_us_beats_those_for_all_also_if_it_forbids_nothing():
    assert allows("User-agent: *\nDisallow: /\n\nUser-agent: thresher\nDisallow:")
    assert allows("User-agent: thresher\nDisallow:\n\nUser-agent: *\nDisallow: /")


def test_several_groups_that_name_us_are_one():
    text = "User-agent: thresher\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: thresher\nDisallow: /b"
    assert not allows(text, "/a")
    assert not allows(text, "/b")
    assert allows(text, "/c")


def test_several_groups_for_all_are_one():
    text = "User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: *\nDisallow: /b"
    assert (allows(text, "/a"), allows(text, "/b"), allows(text, "/c")) == (False, False, True)


@pytest.mark.parametrize(
    "between", ["", "# a comment", "Noindex: /x", "Sitemap: http://a.test/s.xml", "what?", "Host: a.test"]
)
def test_a_line_that_is_no_rule_does_not_split_a_group(between):
    assert not allows(f"User-agent: thresher\n{between}\nUser-agent: x\n{between}\nDisallow: /private")


@pytest.mark.parametrize("rule", ["Disallow: /x", "Disallow:", "Allow: /"])
def test_a_rule_splits_a_group(rule):
    assert allows(f"User-agent: thresher\n{rule}\nUser-agent: x\nDisallow: /private")


@pytest.mark.parametrize("delay", ["Crawl-delay: 5", "Request-rate: 1/5"])
@pytest.mark.parametrize("name", ["thresher", "*"])
def test_a_delay_does_not_split_a_group_and_is_for_those_named_before_it(name, delay):
    before = f"User-agent: {name}\n{delay}\nUser-agent: x\nDisallow: /private"
    assert said(before) == [delay, "Disallow: /private"]
    behind = f"User-agent: x\n{delay}\nUser-agent: {name}\nDisallow: /private"
    assert said(behind) == ["Disallow: /private"]


def test_a_delay_for_all_is_not_for_a_robot_that_is_named():
    assert said("User-agent: *\nCrawl-delay: 5\nUser-agent: thresher\nDisallow: /private") == ["Disallow: /private"]


def test_each_of_several_delays_is_for_those_named_before_it_and_after_the_last():
    text = (
        "User-agent: a\nUser-agent: b\nCrawl-delay: 5\nRequest-rate: 1/5\nUser-agent: c\nCrawl-delay: 50\nDisallow: /x"
    )
    assert said(text, "a") == said(text, "b") == ["Crawl-delay: 5", "Request-rate: 1/5", "Disallow: /x"]
    assert said(text, "c") == ["Crawl-delay: 50", "Disallow: /x"]
    assert said(text.replace("b", "*"), "d") == ["Crawl-delay: 5", "Request-rate: 1/5", "Disallow: /x"]


def test_rules_end_the_naming_also_where_a_delay_comes_behind_them():
    text = "User-agent: a\nDisallow: /x\nCrawl-delay: 3\nUser-agent: b\nDisallow: /y"
    assert said(text, "a") == ["Disallow: /x", "Crawl-delay: 3"]
    assert said(text, "b") == ["Disallow: /y"]


@pytest.mark.parametrize(
    "line",
    [
        "disallow: /private",
        "  DISALLOW : /private  # secret",
        "Disalow: /private",
        "Dissallow:/private",
        "Disallow /private",
        "Disallow\t/private # secret",
        "Disallowed: /private",
    ],
)
def test_rules_are_read_with_the_usual_mistakes(line):
    assert not allows(f"useragent *\n{line}")
    assert not allows(f"\r\nUser agent: thresher\r\n{line}\r\n")


@pytest.mark.parametrize(
    "line", ["Disallow /private at night", "# Disallow: /private", "xDisallow: /private", "Disallow"]
)
def test_these_are_no_rules(line):
    assert allows(f"User-agent: *\n{line}")


def test_rules_before_any_name_are_for_nobody():
    assert allows("Disallow: /private")
    assert group_for("thresher", "Disallow: /").rules == ""


def test_a_robot_without_a_name_is_ruled_by_what_is_said_to_all():
    assert not allows("User-agent: 1\nAllow: /\nUser-agent: *\nDisallow: /private", agent="")


def test_of_several_delays_the_last_counts_and_what_is_repeated_is_held_once():
    text = "User-agent: *\n" + "Crawl-delay: 5\nCrawl-delay: 7\nDisallow: /x\nCrawl-delay: 5\n" * 100
    assert group_for("thresher", text).rules == "User-agent: *\nCrawl-delay: 7\nDisallow: /x\nCrawl-delay: 5"


def test_sitemaps_are_kept_wherever_they_stand_each_once():
    text = "Sitemap: /a\nUser-agent: x\nSite-map: http://a.test/b#c\nDisallow: /\nSITEMAP /c\nsitemap:\nsitemap: /a"
    assert group_for("thresher", text).sitemaps == ("/a", "http://a.test/b", "/c")
