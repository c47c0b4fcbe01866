import ada_url
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thresher.model import Host, Url
from thresher.urls import canonical, host_of, is_address, join, join_all, tells_a_login, url_hash

NASTY_PIECES = r"""
    a B c.html index.php . .. ... %2e .%2E %2e%2e %7e %7E %2f %2520 %2%65 %%41 %zz % é ü%C3%BC ~u a..b
    http https history ;v=1 ;jsessionid=0A1B .;jsessionid=1 ..;jsessionid=1 ..;phpsessid=1;jsessionid=2
    b;JSESSIONID=x!y;v=1 ;%6Asessionid=3 (S(lit3py55t21z5v55vlm25s55)) \ / // ? # & ; : @ 😀
"""
NASTY_PARAMETERS = """
    a=1 b= c =d x=%7e%2f x=a/../b y=%26 %61=1 q=? utm_source=x UTM_Medium=y utm%5Fterm=z gclid=1 fbclid
    sid=7 sid=0123456789abcdef0 session=ABCDEF0123456789 CFID=1 CFTOKEN=2 PHPSESSID=q jsessionid=0
"""
NASTY_HOSTS = """
    example.org EXAMPLE.org www.bücher.de xn--bcher-kva.de 例え.jp faß.de example.org. a_b.c ex%41mple.org a..b xn--a
    example.org:80 example.org:443 example.org:8080 u:p@example.org u%7e@h:81 h:99999
    x;jsessionid=1 127.0.0.1 0x7f.1 1.2.3 999.1.1.1 [::1] [::1]:80 [
"""
pieces = st.sampled_from([*NASTY_PIECES.split(), "", " ", "\t", "\n", "\x00", "a b"])
parameters = st.sampled_from([*NASTY_PARAMETERS.split(), ""])
paths = st.lists(st.one_of(pieces, st.text(max_size=3)), max_size=6).map("/".join)
queries = st.one_of(st.just(""), st.lists(parameters, max_size=4).map(lambda some: "?" + "&".join(some)))
fragments = st.sampled_from(["", "#", "#top", "#?a=1", "#/../;jsessionid=1", "#!/x"])
schemes = st.sampled_from(
    ["http:", "https:", "HTTP:", "ht\ntps:", "ftp:", "mailto:", "javascript:", "data:", "file:", "blob:http:"]
)
hosts = st.sampled_from(NASTY_HOSTS.split())
slashes = st.sampled_from(["//", "//", "//", "/", "", "\\\\", "///", "/\t/"])
tails = st.tuples(paths, queries, fragments).map("".join)
absolutes = st.builds("".join, st.tuples(schemes, slashes, hosts, st.sampled_from(["/", "/", "", "\\"]), tails))
hrefs = st.one_of(
    tails,
    absolutes,
    tails.map("/{}".format),
    tails.map(" \n{}".format),
    st.builds("{}{}".format, schemes, tails),
    st.builds("//{}/{}".format, hosts, tails),
    st.text(),
)
any_text = st.text(alphabet=st.characters())
web_urls = absolutes.filter(lambda text: canonical(text) is not None)


@given(st.one_of(absolutes, hrefs))
@settings(max_examples=300)
@example("http://h/%2%65")
@example("http://h/%%341")
@example("http://h/..;jsessionid=1/x")
@example("http://h/?utm_source=1&")
@example("http://;jsessionid=1/")
def test_canonical_is_idempotent(text):
    once = canonical(text)
    assert once is None or canonical(once) == once


@given(st.one_of(any_text, any_text.map("http://h/{}".format), any_text.map("http://{}/".format)), any_text)
@example("\udc80", "\udfff")
@example("http://h/\x00", "\x00")
def test_no_text_makes_it_raise(text, href):
    url = canonical(text)
    join(url or Url("http://h/"), href)
    if url:
        assert host_of(url)
        assert -(1 << 63) <= url_hash(url) < 1 << 63


@pytest.mark.parametrize("start", ["", "http://h/", "http://", "http://h/?", "http://h/;jsessionid=", "data:", "/"])
def test_a_megabyte_is_only_a_long_url(start):
    text = start + "a%7e" * 250_000
    assert canonical(canonical(text) or "") == canonical(text)
    assert join(Url("http://h/"), text) == whatwg_then_canonical("http://h/", text)


@given(web_urls, hrefs)
@settings(max_examples=600)
@example("http://h/a;jsessionid=1/b?x#y", "../c")
@example("http://h/;jsessionid=1/b", "../c")
@example("http://h/(S(1))/b", "../c")
@example("http://h/..;jsessionid=1/b", "c")
@example("http://h/a?x=1/2", "http:?y")
@example("http://h/a?x=1/2", "ht\ttp:#y")
@example("http://h/a?x", "\n?y")
@example("http://h/a/b", "https://H:80/x")
@example("http://h/a/b", "/\t/other/../x")
@example("http://h/a/b", "x/../y")
@example("http://h/a/b", "http://g/x/./y")
@example("http://h/a?x=1/2", "y")
@example("http://h/a/b/c", "../../../../x")
@example("http://h/a//b/c", "../../x")
@example("http://h/a/b/c", "..//x")
@example("http://h/a/b/c", "../http://g/x")
@example("http://h/a/b/c", "../?x")
def test_joining_and_canonicalising_commute(base, href):
    known = canonical(base)
    assert known is not None
    assert join(known, href) == whatwg_then_canonical(base, href)


@given(web_urls, st.lists(hrefs, max_size=5))
def test_a_batch_gives_what_single_joins_give(base, some):
    known = canonical(base)
    assert known is not None
    assert join_all(known, some) == [join(known, href) for href in some]


def whatwg_then_canonical(base, href):
    try:
        return canonical(ada_url.join_url(base, href))
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        (" https://example.org:443/ ", "https://example.org/"),
        ("http://bücher.de/ü", "http://xn--bcher-kva.de/%C3%BC"),
        ("http://h/a/./b/../c#top", "http://h/a/c"),
        ("http://h/%7euser/%2fx%c3%a9", "http://h/~user/%2Fx%C3%A9"),
        ("http://h/%74est?%71=%61", "http://h/test?q=a"),
        ("http://h/p;jsessionid=12AB.node1?x=1", "http://h/p?x=1"),
        ("http://h/p;PHPSESSID=1;v=2/q", "http://h/p;v=2/q"),
        ("http://h/?utm_source=a&b=2&UTM_x=c", "http://h/?b=2"),
        ("http://h/?a=1&gclid=x&fbclid=y&msclkid=z&b=2", "http://h/?a=1&b=2"),
        ("http://h/?mc_cid=1&mc_eid=2&_ga=3&_gl=4&igshid=5&yclid=6&dclid=7", "http://h/"),
        ("http://h/?PHPSESSID=1&jsessionid=2&ASPSESSIONIDQQ=3&a", "http://h/?a"),
        ("http://h/?CFID=12&x=1&CFTOKEN=34", "http://h/?x=1"),
        ("http://h/?sid=9f86d081884c7d659a2feaa0c55ad015&f=1", "http://h/?f=1"),
        ("http://h/?utm%5Fsource=a", "http://h/"),
        ("http://h/?", "http://h/"),
        ("http://h/?#", "http://h/"),
        ("http://u:p@h:8080/", "http://h:8080/"),
        ("https://u@h", "https://h/"),
        ("http://:p@h/a@b", "http://h/a@b"),
        ("http://u%7e:a@b@h/?x@y#z@", "http://h/?x@y"),
        ("http://@h/", "http://h/"),
    ],
)
def test_what_goes(text, url):
    assert canonical(text) == url


@pytest.mark.parametrize(
    "url",
    [
        "http://h/?b=2&a=1&b=1",
        "http://h/?a=&b&&c=&",
        "http://h/?&",
        "http://h/a//b/",
        "http://h/a",
        "http://h/a/",
        "http://h/%2520%2F%3B",
        "http://h/a+b?c+d=%2B",
        "http://h/?sid=42&session=morning&sessionid=2024-winter",
        "http://h/?session=internationalization",
        "http://h/?cfid=7",
        "http://h/?utm=32N&ga=1&ref=home&id=9f86d081884c7d659a2f",
        "http://h/p;v=1;session/q",
        "http://h/..;jsessionid=1/x",
        "http://h/(S(lit3py55t21z5v55vlm25s55))/p.aspx",
        "http://h:8080/",
        "http://h/@user/a@b?c@d",
        "http://h/x://u:p@g/",
        "http://h./",
        "http://www.h/index.html",
        "http://h/%zz%",
    ],
)
def test_what_is_kept(url):
    assert canonical(url) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "h",
        "/p",
        "//h/p",
        "ftp://h/",
        "mailto:a@h",
        "javascript:void(0)",
        "data:,x",
        "http://",
        "http://[",
        "http://h:99999/",
        "http://a b/",
    ],
)
def test_what_is_no_url_of_the_web(text):
    assert canonical(text) is None


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("c", "http://h/a/c"),
        ("../c", "http://h/c"),
        ("/c/", "http://h/c/"),
        ("//g/c", "http://g/c"),
        ("https://g/c", "https://g/c"),
        ("https://G:443", "https://g/"),
        ("?y=2", "http://h/a/b?y=2"),
        ("#top", "http://h/a/b?x=1"),
        ("", "http://h/a/b?x=1"),
        (" c\n", "http://h/a/c"),
        ("\\c", "http://h/c"),
        ("c?utm_source=1#top", "http://h/a/c"),
        ("history:1", None),
        ("mailto:a@h", None),
        ("MAILTO:a@h", None),
        ("JavaScript:void(0)", None),
        ("tel:1", None),
        ("data:text/html,x", None),
        ("//u:p@g/c", "http://g/c"),
        ("http://u:p@g/c", "http://g/c"),
        ("https://u;p@h/@c", "https://h/@c"),
        ("@c", "http://h/a/@c"),
        ("http://[/", None),
        ("https://999.1.1.1/b", None),
    ],
)
def test_where_a_link_leads(href, url):
    assert join(Url("http://h/a/b?x=1"), href) == url


def test_an_href_means_something_else_in_another_directory():
    assert [join(Url(base), "c") for base in ("http://h/a/b", "http://h/b/b", "https://h/a/b")] == [
        "http://h/a/c",
        "http://h/b/c",
        "https://h/a/c",
    ]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.org/", "example.org"),
        ("https://example.org/a@b//c", "example.org"),
        ("http://x/", "x"),
        ("https://x/", "x"),
        ("http://example.org:8080/@b", "example.org:8080"),
        ("http://[::1]:81/", "[::1]:81"),
    ],
)
def test_the_host_of_a_url(url, host):
    assert host_of(Url(url)) == host


@given(web_urls)
def test_the_host_is_what_ada_calls_the_host(text):
    url = canonical(text)
    assert url is not None
    assert host_of(url) == ada_url.URL(url).host


@given(web_urls)
@example("http://u:p@h/")
def test_no_canonical_url_tells_a_login(text):
    url = canonical(text)
    assert url is not None
    assert not tells_a_login(url)


@pytest.mark.parametrize("text", ["http://u:p@h/", "http://u@h", "HTTP://:p@h/x"])
def test_a_login_in_a_url_is_seen(text):
    assert tells_a_login(text)


@pytest.mark.parametrize("text", ["http://h/u:p@h", "http://h/?u@h", "h", "", "http://["])
def test_an_at_sign_elsewhere_is_no_login(text):
    assert not tells_a_login(text)


def test_the_hash_is_the_same_in_every_process():
    assert url_hash(Url("http://example.org/")) == url_hash(Url("http://example.org/"))
    assert url_hash(Url("http://example.org/")) != url_hash(Url("http://example.org/a"))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:80", "localhost:8000", "a.localhost", "localhost.", "localhost.:1"],
)
def test_a_host_that_spells_an_address_is_told_from_a_name(host):
    assert is_address(Host(host))


@pytest.mark.parametrize("host", ["example.org", "example.org:80", "10.example.org", "localhost.example"])
def test_a_name_is_no_address(host):
    assert not is_address(Host(host))


def test_a_host_longer_than_any_name_leads_nowhere():
    longest = "http://" + ".".join(["a" * 62] * 4) + ":65535/"
    assert canonical(longest) == longest
    assert canonical(f"http://{'a.' * 200}test/") is None
    assert join(Url("http://a.test/"), f"http://{'a' * 5_000}/x") is None
    assert join(Url("http://a.test/"), f"//{'a' * 5_000}/x") is None
