"""What comes beside pages: robots.txt, headers, urls and the heads of answers, with the constructs that they are grown from."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

from isal import igzip_lib
from tests.growth.growing import Constructs, Reader, pieces
from tests.growth.pages import HERE, PLAIN, response

from thresher.fetch.body import declared_type, seen_type
from thresher.fetch.cookies import CookieJar
from thresher.fetch.exchange import with_one_length
from thresher.fetch.secure_hosts import SecureHosts
from thresher.model import Url
from thresher.outcomes import redirect_target, seconds_to_wait
from thresher.parse.encoding import declared
from thresher.parse.metadata import language_of, may, orders_of, refresh_of
from thresher.polite.robots import CAP, _said
from thresher.polite.scope import ScopeRules
from thresher.urls import canonical, host_of, is_address, join, join_all, masked_login, tells_a_login, url_hash
from thresher.warc.reader import UnreadableRecord, message
from thresher.warc.scan import answers

ROBOTS = Constructs(
    (
        *pieces(
            "User-agent: *↵¦User-agent: a№↵¦User-agent: thresher↵¦useragent x↵¦Disallow: /x↵¦Disallow: /№↵¦Disallow: /*№$↵¦Allow: $%№↵¦",
            "Allow: /№/index.html↵¦Disallow:¦Disallow ¦Crawl-delay: 5↵¦Crawl-delay: №↵¦Request-rate: 1/№↵¦",
            "Request-rate: 1/9¦Sitemap: /№↵¦",
            "Noindex: /↵¦# x¦*a¦%41",
        ),
        *PLAIN,
    ),
    (
        ("", ""),
        ("User-agent: *\n", "\n"),
        ("User-agent: thresher\n", "\n"),
        ("User-agent: *\nDisallow: ", ""),
        ("User-agent: *\nAllow: /", ""),
    ),
)
HEADER = Constructs(
    (
        *pieces(
            "text/html¦; charset=¦charset¦charset =¦nofollow, ¦thresher: noindex, ¦unavailable_after: ¦0; url=¦",
            "Sun, 06 Nov 1994 08:49:37 GMT¦",
            "Sun, ¦06 ¦Nov ¦GMT ¦+0100 ¦08:49:37 ¦en-US, ¦9¦../¦http://a/",
        ),
        *PLAIN,
    ),
    (("", ""), ("text/html; charset=", ";"), ("0; url=", ""), ("Sun, 06 Nov 1994 ", "")),
)
URL = Constructs(
    (
        *pieces(
            "../¦./¦/..¦%2e%2e/¦%41¦%4¦%%¦http://¦//¦a.¦xn--¦ü.¦[::¦::]¦1.¦0x¦:80¦?a=1&¦&sid=¦",
            "&sid=0123456789abcdef¦;jsessionid=¦/.;jsessionid=1¦#¦",
            "utm_source=x&¦cftoken=1&cfid=2&¦a:b@¦/a/¦/a/b№/¦mailto:¦javascript:",
        ),
        *PLAIN,
    ),
    (("", ""), ("http://", "/"), ("http://a/", ""), ("../", ""), ("/", ""), ("http://a/?", ""), ("http://a@", "/")),
)
HEAD = Constructs(
    (
        *pieces(
            "Content-Length: 5\r↵¦content-length : №\r↵¦Content-Length: 5, ¦Transfer-Encoding: chunked\r↵¦",
            "Transfer-Encoding: x, ¦Set-Cookie: a=№\r↵¦",
            "Content-Encoding: gzip\r↵¦Content-Encoding: identity, ¦\r↵¦\r↵ ¦↵\t¦5\r↵iris!\r↵¦0\r↵\r↵¦a;x=y\r↵",
        ),
        *PLAIN,
    ),
    (("HTTP/1.1 200 OK\r\n", "\r\n\r\n"), ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "")),
)
_RECORD = "WARC/1.1↵WARC-Type: response↵WARC-Target-URI: http://a/№↵Content-Length: "
WARC = Constructs(
    (
        *pieces(
            f"{_RECORD}19↵↵HTTP/1.1 200 OK↵↵x↵↵¦{_RECORD}9999999↵↵HTTP/1.1 200 OK↵↵x↵↵¦{_RECORD}0↵↵¦WARC/1.1↵¦",
            "WARC/¦\x1f\x8b\x08¦Content-Length: 5↵¦",
            "WARC-Type: revisit↵¦WARC-Date: 2026-01-31T12:00:00Z↵¦WARC-№: x↵¦↵¦↵↵¦ x↵¦HTTP/1.1 200 OK↵",
        ),
        *PLAIN,
    ),
    (("WARC/1.1\r\n", ""), ("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n", "")),
)
COOKIE = Constructs(
    (
        *pieces(
            "a=№; ¦Domain=a; ¦Domain=.¦Path=/; ¦Path=/№; ¦Secure; ¦Max-Age=9¦Max-Age=-¦Expires=Sun, 06 Nov 1994 08:49:37 GMT; ¦",
            'Expires=06-Nov-94 ¦__Host-¦=¦;¦a.¦max-age=9¦; includeSubDomains¦"',
        ),
        *PLAIN,
    ),
    (("", ""), ("a=b; ", ""), ("a=b; Domain=", ""), ("a=b; Expires=", ""), ("max-age=", "")),
)
SCOPE = ScopeRules(domains=["example.org", "a"], deny_prefixes=["http://a/b"], url_length=1 << 24, segments=1 << 24)
BASE = Url("http://a/" + "dir/" * 400)


def _robots(body: bytes, _: Path) -> None:
    said = _said(body[:CAP], "thresher")
    if said.rules is not None:
        said.rules.can_fetch("http://example.org/" + "ab" * 500, "*")


def _header(body: bytes, _: Path) -> None:
    value = body.decode("utf-8", "replace")
    seconds_to_wait(value, 0.0)
    declared_type(value)
    declared(b"", value)
    refresh_of(value)
    language_of(value)
    answer = response(b"", x_robots_tag=value, location=value, content_language=value)
    may(orders_of(answer, [value]), 0.0)
    redirect_target(answer)
    seen_type(body)


def _cookie(body: bytes, _: Path) -> None:
    jar, hosts = CookieJar(), SecureHosts()
    url = Url("https://www.example.org/a/b")
    jar.take(url, host_of(url), ((b"Set-Cookie", body), (b"Set-Cookie", body[: len(body) // 2])), 0.0)
    jar.header(url, host_of(url), 0.0)
    hosts.note(host_of(url), body.decode("utf-8", "replace"))


def _url(body: bytes, _: Path) -> None:
    text = body.decode("utf-8", "replace")
    tells_a_login(text)
    masked_login(text)
    for url in (canonical(text), join(HERE, text), *join_all(BASE, [text, f"../{text}", f"?{text}"])):
        if url is not None:
            SCOPE.refusal(url, 0)
            is_address(host_of(url))
            url_hash(url)


def _head(body: bytes, _: Path) -> None:
    with_one_length(body)
    record = b"WARC/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    with suppress(UnreadableRecord):
        assert message(record).body is not None


def _warc(body: bytes, folder: Path) -> None:
    (folder / "a.warc").write_bytes(body)
    for _ in answers(folder / "a.warc", Counter(), by_place=False):
        pass


def _warc_gz(body: bytes, folder: Path) -> None:
    records = (b"WARC/" + record for record in body.split(b"WARC/")[1:])
    (folder / "a.warc.gz").write_bytes(b"".join(igzip_lib.compress(each, 0, igzip_lib.COMP_GZIP) for each in records))
    for _ in answers(folder / "a.warc.gz", Counter(), by_place=False):
        pass


READERS = {
    "robots": Reader(_robots, ROBOTS, floor=0.1, most=CAP),
    "headers": Reader(_header, HEADER, most=1 << 17),
    "cookies": Reader(_cookie, COOKIE, most=1 << 17),
    "urls": Reader(_url, URL, readings=5),
    "heads": Reader(_head, HEAD),
    "warc": Reader(_warc, WARC, floor=0.1),
    "warc.gz": Reader(_warc_gz, WARC, floor=0.1),
}
