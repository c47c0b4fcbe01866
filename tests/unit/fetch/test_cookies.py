"""Which cookies are sent where, and which a server may set: RFC 6265bis, seen through the jar."""

import pytest

from thresher.fetch.cookies import _ALL_BYTES, CookieJar, read_set_cookie
from thresher.model import Host, Url
from thresher.urls import host_of

NOW = 1_800_000_000.0


def sent(jar, url, now=NOW):
    return jar.header(Url(url), host_of(Url(url)), now)


def setting(*lines, by="https://docs.example.org/a/b", jar=None, now=NOW):
    jar = jar or CookieJar()
    headers = tuple((b"Set-Cookie", line.encode()) for line in lines)
    jar.take(Url(by), host_of(Url(by)), headers, now)
    return jar


def test_a_cookie_goes_back_to_its_host_and_to_no_other():
    jar = setting("sid=1; Path=/")
    assert sent(jar, "https://docs.example.org/") == "sid=1"
    for other in (
        "https://example.org/",
        "https://x.docs.example.org/",
        "https://docs.example.org.evil/",
        "https://evil/",
    ):
        assert sent(jar, other) == ""


def test_a_cookie_of_a_domain_goes_to_all_below_it():
    jar = setting("sid=1; Path=/; Domain=.Example.org")
    assert sent(jar, "https://example.org/") == sent(jar, "https://a.b.example.org/") == "sid=1"
    assert sent(jar, "https://notexample.org/") == ""


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ("https://a.co.uk/", "x=1; Domain=co.uk"),
        ("https://me.github.io/", "x=1; Domain=github.io"),
        ("https://a.example/", "x=1; Domain=example"),
        ("https://docs.example.org/", "x=1; Domain=other.org"),
        ("https://docs.example.org/", "x=1; Domain=sub.docs.example.org"),
        ("https://127.0.0.1/", "x=1; Domain=0.0.1"),
        ("http://docs.example.org/", "x=1; Secure"),
        ("http://docs.example.org/", "__Secure-x=1; Secure"),
        ("https://docs.example.org/", "__Secure-x=1"),
        ("https://docs.example.org/", "__Host-x=1; Secure"),
        ("https://docs.example.org/", "__Host-x=1; Secure; Path=/; Domain=docs.example.org"),
        ("https://docs.example.org/", "__hOSt-x=1; Path=/"),
        ("https://docs.example.org/", "__Host-x"),
        ("https://docs.example.org/", ""),
        ("https://docs.example.org/", "="),
        ("https://docs.example.org/", f"x={'y' * 4096}"),
        ("https://docs.example.org/", "x=a\rb"),
        ("https://docs.example.org/", "x=a\x00b"),
    ],
)
def test_what_a_host_must_not_set_is_left_out(by, line):
    assert read_set_cookie(line, Url(by), host_of(Url(by)), NOW) is None


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ("https://docs.example.org/", "__Host-x=1; Secure; Path=/"),
        ("https://docs.example.org/", "__Secure-x=1; Secure"),
        ("https://github.io/", "x=1; Domain=github.io"),
        ("https://127.0.0.1:8080/", "x=1; Domain=127.0.0.1"),
        ("http://[::1]:8080/", "x=1"),
        ("http://intern/", "x=1; Domain=intern"),
    ],
)
def test_what_it_may_set_is_for_it_alone(by, line):
    cookie = read_set_cookie(line, Url(by), host_of(Url(by)), NOW)
    assert cookie.host_only or "Secure" in line
    jar = setting(line, by=by)
    assert "x=1" in sent(jar, by)


def test_a_secure_cookie_goes_over_https_alone_and_http_cannot_stand_in_its_light():
    jar = setting("sid=1; Secure; Path=/")
    assert sent(jar, "http://docs.example.org/") == ""
    setting("sid=2; Path=/", "sid=3; Path=/; Domain=example.org", by="http://docs.example.org/", jar=jar)
    assert sent(jar, "https://docs.example.org/") == "sid=1"
    setting("sid=4; Path=/; Domain=example.org", by="http://example.org/", jar=jar)
    assert sent(jar, "https://docs.example.org/") == "sid=1", "nor a neighbour"


def test_paths_are_compared_by_their_segments_and_longer_ones_come_first():
    jar = setting("a=1; Path=/", "b=2; Path=/docs", "c=3; Path=/docs/x/", "d=4")
    assert sent(jar, "https://docs.example.org/docs/x/y?z=/") == "c=3; b=2; a=1"
    assert sent(jar, "https://docs.example.org/docsy") == "a=1"
    assert sent(jar, "https://docs.example.org/a/c") == "d=4; a=1", "without a path: that of the page"


def test_a_cookie_lives_as_long_as_it_is_said_and_can_be_taken_back():
    jar = setting("a=1; Path=/; Max-Age=10", "b=1; Path=/; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "c=1; Path=/")
    assert sent(jar, "https://docs.example.org/") == "a=1; b=1; c=1"
    assert sent(jar, "https://docs.example.org/", NOW + 11) == "b=1; c=1"
    assert sent(jar, "https://docs.example.org/", NOW + 401 * 86_400) == "c=1", "none lives longer than 400 days"
    setting(
        "a=; Path=/; Max-Age=0", "b=; Path=/; Expires=Thu, 01-Jan-70 00:00:01 GMT", "c=; Path=/; Max-Age=-1", jar=jar
    )
    assert sent(jar, "https://docs.example.org/") == ""
    assert not jar._domains, "nothing is left of it"


def test_bytes_that_are_no_text_go_back_as_they_came():
    jar = CookieJar()
    jar.take(Url("https://a.org/"), Host("a.org"), ((b"set-cookie", b"x=\xff\xfe; Path=/"),), NOW)
    assert sent(jar, "https://a.org/").encode("utf-8", "surrogateescape") == b"x=\xff\xfe"


def test_what_the_user_gives_is_sent_however_much_it_is():
    url, host = Url("https://mine.org/"), Host("mine.org")
    jar = CookieJar([read_set_cookie(f"c{number}={'x' * 3000}; Path=/", url, host, NOW) for number in range(60)])
    setting(*(f"s{number}=1; Path=/" for number in range(50)), by=url, jar=jar)
    assert sum(each.startswith("c") for each in sent(jar, url).split("; ")) == 60


def test_a_host_can_set_only_so_many_and_all_hosts_together_only_so_much():
    jar = setting(*(f"c{number}={'x' * 3000}; Path=/" for number in range(200)))
    assert len(sent(jar, "https://docs.example.org/")) < 100_000
    given = read_set_cookie("sid=1; Path=/", Url("https://mine.org/"), Host("mine.org"), NOW)
    jar = CookieJar([given])
    for number in range(5_000):
        setting(f"a={'x' * 4000}; Path=/", by=f"https://h{number}.org/", jar=jar)
        assert jar._bytes <= _ALL_BYTES
    assert jar._bytes == sum(domain.size for domain in jar._domains.values())
    assert sent(jar, "https://h4999.org/")
    assert sent(jar, "https://mine.org/") == "sid=1", "what the user gave is never forgotten"
