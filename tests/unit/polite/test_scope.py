import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.model import Host, Link, Url
from thresher.orders.lasting import without
from thresher.polite.scope import ScopeRules
from thresher.urls import canonical


def refusal(url, **table):
    return ScopeRules(**table).refusal(Url(url), depth=1)


@pytest.mark.parametrize("url", ["http://h/", "https://h:8080/a/b/c.html?d=/e/f/g/h/i", "http://h/a/a/a/"])
def test_without_rules_every_ordinary_url_is_in_scope(url):
    assert refusal(url) is None


@pytest.mark.parametrize(
    ("table", "url"),
    [
        ({"hosts": ["Example.org"]}, "http://example.org/a"),
        ({"hosts": ["example.org:443"]}, "https://example.org/a"),
        ({"hosts": ["[::1]:81"]}, "http://[::1]:81/"),
        ({"domains": ["example.co.uk"]}, "http://a.b.example.co.uk:8080/"),
        ({"domains": ["example.co.uk"]}, "http://example.co.uk./"),
        ({"domains": ["example.co.uk."]}, "http://example.co.uk/"),
        ({"domains": ["bücher.de"]}, "http://www.xn--bcher-kva.de/"),
        ({"domains": ["127.0.0.1"]}, "http://127.0.0.1:8080/"),
        ({"domains": ["[::1]"]}, "http://[::1]:8080/"),
        ({"prefixes": ["HTTP://h"]}, "http://h/a"),
        ({"prefixes": ["http://h/docs/"]}, "http://h/docs/a"),
        ({"patterns": [r"\.html$"]}, "http://h/a.html"),
        ({"hosts": ["g"], "prefixes": ["http://h/docs/"]}, "http://h/docs/a"),
    ],
)
def test_a_url_that_matches_one_allow_rule_is_in_scope(table, url):
    assert refusal(url, **table) is None


@pytest.mark.parametrize(
    ("table", "url"),
    [
        ({"hosts": ["example.org"]}, "http://www.example.org/"),
        ({"hosts": ["example.org"]}, "http://example.org:8080/"),
        ({"domains": ["example.org"]}, "http://notexample.org/"),
        ({"domains": ["www.example.org"]}, "http://example.org/"),
        ({"prefixes": ["http://example.org"]}, "http://example.org.evil.com/"),
        ({"prefixes": ["http://h/docs/"]}, "http://h/docs"),
        ({"patterns": [r"\.html$"]}, "http://h/a.html?b"),
        ({"hosts": ["g"], "prefixes": ["http://h/docs/"]}, "http://h/"),
    ],
)
def test_a_url_that_matches_no_allow_rule_is_refused(table, url):
    assert refusal(url, **table) == "none of the allow rules"


@pytest.mark.parametrize(
    ("table", "url", "why"),
    [
        ({"deny_hosts": ["x", "h"]}, "http://h/", "deny_hosts: h"),
        ({"deny_domains": ["example.org"]}, "http://www.example.org/", "deny_domains: example.org"),
        ({"deny_prefixes": ["http://x", "http://h/p"]}, "http://h/private", "deny_prefixes: http://h/p"),
        ({"deny_prefixes": ["http://h/search?"]}, "http://h/search?q=1", "deny_prefixes: http://h/search?"),
        ({"deny_patterns": ["x", r"[?&]sort="]}, "http://h/?a&sort=up", r"deny_patterns: [?&]sort="),
    ],
)
def test_a_refusal_names_its_deny_rule(table, url, why):
    assert refusal(url, **table) == why


def test_a_prefix_with_a_query_does_not_cover_the_path_without():
    assert refusal("http://h/search", deny_prefixes=["http://h/search?"]) is None


def test_a_deny_rule_wins_over_an_allow_rule():
    assert refusal("http://h/x/y", hosts=["h"], deny_prefixes=["http://h/x/"]) == "deny_prefixes: http://h/x/"
    assert refusal("http://h/z", hosts=["h"], deny_prefixes=["http://h/x/"]) is None


@pytest.mark.parametrize(
    ("depth", "limit", "why"),
    [(64, 64, None), (65, 64, "depth 65 is over 64"), (0, 0, None), (1, 0, "depth 1 is over 0"), (10**6, None, None)],
)
def test_the_depth_is_limited(depth, limit, why):
    assert ScopeRules(depth=limit).refusal(Url("http://h/"), depth) == why


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("a" * 1990, None),
        ("a" * 1992, "url_length 2001 is over 2000"),
        ("/".join(map(str, range(24))), None),
        ("/".join(map(str, range(25))), "segments 25 is over 24"),
        ("a/b/a/b/a/b", None),
        ("a/b/a/b/a/b/a/b", "repeats 4 of 'a' is over 3"),
        ("x/b/b/b/b", "repeats 4 of 'b' is over 3"),
        ("a/a/a/b/b/b/c/c/c", None),
        ("?back=/a/a/a/a/a/a", None),
    ],
)
def test_endless_urls_are_traps(path, why):
    assert refusal(f"http://h/{path}") == why


def test_the_guards_can_be_set():
    assert refusal("http://h/a/a", repeats=1) == "repeats 2 of 'a' is over 1"
    assert refusal("http://h/a/b/c", segments=2) == "segments 3 is over 2"
    assert refusal("http://h/abc", url_length=11) == "url_length 12 is over 11"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"patterns": ["a("]}, ["patterns", "'a('", "missing )"]),
        ({"deny_patterns": ["*"]}, ["deny_patterns", "'*'", "no argument for repetition operator"]),
        ({"hosts": ["http://h/"]}, ["hosts", "http://h/"]),
        ({"hosts": ["a b"]}, ["hosts", "a b"]),
        ({"hosts": [""]}, ["hosts", "empty"]),
        ({"hosts": "example.org"}, ["hosts", "example.org", "list of texts"]),
        ({"deny_domains": [7]}, ["deny_domains", "list of texts"]),
        ({"domains": ["example.org:8080"]}, ["domains", "port"]),
        ({"prefixes": ["/docs/"]}, ["prefixes", "/docs/"]),
        ({"deny_prefixes": ["http://h/#a"]}, ["deny_prefixes", "http://h/#a"]),
        ({"depth": -1}, ["depth", "-1"]),
        ({"url_length": "long"}, ["url_length", "long"]),
        ({"segments": 0}, ["segments", "0"]),
    ],
)
def test_a_bad_rule_is_named(table, words):
    with pytest.raises(BadInput) as error:
        ScopeRules(**table)
    assert all(word in str(error.value) for word in words)


@given(st.text().map("http://h.example.org/{}".format).map(canonical).filter(bool), st.integers(0, 100))
def test_allowing_everything_is_like_no_rule(url, depth):
    everything = ScopeRules(domains=["example.org"], patterns=["."])
    assert everything.refusal(url, depth) == ScopeRules().refusal(url, depth)


@pytest.mark.parametrize("left", [[], [Host("h")]], ids=["all hosts", "without a host"])
@pytest.mark.parametrize(
    "table", [{}, {"hosts": ["h", "g"]}, {"deny_endings": ["pdf"]}, {"depth": 1}, {"url_length": 12}]
)
@pytest.mark.parametrize("depth", [1, 2])
def test_the_links_within_are_those_that_no_rule_refuses(left, table, depth):
    scope = without(ScopeRules(**table), left)
    targets = ["http://h/a", "http://g/b.pdf", "http://h/c/d/e/f", "http://g/c", "http://i/", "http://h/a"]
    links = [Link(Url("http://s/"), Url(target), "", 0, 0) for target in targets]
    for _ in range(2):
        assert scope.within(links, depth) == [link for link in links if scope.refusal(link.target, depth) is None]
