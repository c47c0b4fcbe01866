"""The flags of scope and quota come to the keys of a crawl file, in each command that has them."""

import pytest
from click.testing import CliRunner

from thresher.budget import Stop
from thresher.cli import thresher
from thresher.cli.running import CrawlEnd
from thresher.polite.scope import ScopeRules

FLAGS = {
    "--domain": ("example.org", "domains"),
    "--host": ("docs.example.org", "hosts"),
    "--prefix": ("https://example.org/docs/", "prefixes"),
    "--include": ("/wiki/", "patterns"),
    "--exclude": ("/tag/", "deny_patterns"),
    "--exclude-domain": ("ads.example.org", "deny_domains"),
    "--exclude-host": ("old.example.org", "deny_hosts"),
    "--exclude-prefix": ("https://example.org/private/", "deny_prefixes"),
}
RECORD = ["lab", "record", "--into", "web"]
CRAWL = ["crawl", "iris", "--strategy", "breadth-first", "--judge", "terms"]


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []

    def note(_, wanted, *__, **___):
        found.append(wanted)
        return CrawlEnd(Stop("pages", ""), "no page")  # so that nothing is said of a recording

    for module in ("crawl", "lab_webs"):
        monkeypatch.setattr(f"thresher.cli.{module}.run_to_its_end", note)

    def run(*arguments):
        done = CliRunner().invoke(thresher, [*arguments, "--seed", "http://127.0.0.1:1/"])
        assert found, done.output
        return found.pop()

    return run


@pytest.mark.parametrize("command", [CRAWL, RECORD], ids=["crawl", "lab record"])
@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_is_a_key_of_the_crawl_file(prepared, command, flag):
    value, key = FLAGS[flag]
    scope = prepared(*command, flag, value)["scope"]
    assert scope == {key: [value]}
    ScopeRules(**scope)


def test_flags_are_repeatable_and_stand_beside_each_other(prepared):
    asked = ["--exclude", "/tag/", "--exclude", "/feed", "--domain", "example.org", "--depth", "0", "--quota", "7"]
    wanted = prepared(*CRAWL, *asked)
    assert wanted["scope"] == {"domains": ["example.org"], "deny_patterns": ["/tag/", "/feed"], "depth": 0}
    assert wanted["frontier"] == {"quota": 7}
    rules = ScopeRules(**wanted["scope"])
    assert rules.refusal("http://www.example.org/iris", 0) is None
    assert rules.refusal("http://www.example.org/tag/iris", 0) == "deny_patterns: /tag/"
    assert rules.refusal("http://example.com/iris", 0) == "none of the allow rules"
    assert rules.refusal("http://www.example.org/iris", 1)


def test_without_a_flag_nothing_is_set(prepared):
    wanted = prepared(*CRAWL)
    assert not {"scope", "frontier", "budget"} & wanted.keys()


def test_the_budget_has_flags_for_pages_relevant_pages_and_minutes(prepared):
    wanted = prepared(*CRAWL, "--pages", "9", "--relevant-pages", "3", "--minutes", "1.5")
    assert wanted["budget"] == {"pages": 9, "relevant": 3, "minutes": 1.5}
