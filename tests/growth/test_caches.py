"""Every cache stays below its bound in bytes, whatever hostile pages put into it.

The bounds are those that docs/design/005-linear-readers.md states. What is counted is all that Python holds more than before.
"""

import asyncio
import gc
import itertools
import tracemalloc

import pytest
from aiohttp import ClientTimeout
from tests.unit.fetch.test_http_fetcher import Generous
from tests.unit.hands.makers import Fair, Obedient
from yarl import URL

from thresher import urls
from thresher.browser.answers import Answers
from thresher.fetch.connect import Connections
from thresher.fetch.cookies import CookieJar
from thresher.fetch.exchange import KeptOpen
from thresher.fetch.question import Questions
from thresher.fetch.secure_hosts import SecureHosts
from thresher.frontier.keys import first_of_site, key_of
from thresher.hands import HandOptions, Setup, Team
from thresher.language.dictionaries.dictionary import Dictionary, DictionaryEntry
from thresher.language.sentence_transcriptor import SentenceTranscriptor
from thresher.language.word_forms import _lemmatiser, _snowball, lemma, stems
from thresher.language.word_numbers import squares
from thresher.language.word_transcriptor import WordTranscriptor, _Lexicon
from thresher.model import Candidate, Link, Page, Response, Url
from thresher.parse.layout import _remembered_role, role_of
from thresher.polite.host_locks import HostLocks
from thresher.polite.robots import PoliteFetcher, _said
from thresher.polite.scope import ScopeRules
from thresher.remembered import Remembered
from thresher.store.lookalikes import Lookalikes
from thresher.strategy.word_numbers import WordNumbers

EYE = "\U0001f441"
"""Four bytes in memory, twelve characters in a url."""
HOST = "a." * 126


def roles():
    for number in range(10_000):
        role_of(EYE * 90, EYE * 100, f"{number:08}{EYE * 100}")


def longer_roles():
    for number in range(200):
        role_of(None, f"{number} {EYE * 300_000}", None)


def joined():
    base = Url("http://a/")
    for number in range(3_300):
        urls.join_all(base, [f"{number:06}" + "<" * 480, f"{EYE * 30}{number:06}"])


def joined_from_everywhere():
    for number in range(65_000):
        urls.join_all(Url(f"http://a/{number:06}{'x' * 60}/"), ["x?y"])


def longer_hrefs():
    for number in range(20):
        urls.join_all(Url("http://a/"), [f"{number} {EYE * 50_000}"])


def origins():
    for number in range(6_000):
        urls.join(Url("http://a/"), f"http://{number:06}.{HOST}:80/x")


def addresses():
    for number in range(20_000):
        urls.is_address(f"{number:06}.{HOST}")


def sites():
    for number in range(20_000):
        first_of_site(f"http://{number:06}.{HOST}/")


def keys_of_links():
    keys = Remembered(key_of, column=Candidate._fields.index("url"))
    for number in range(13_000):
        keys.of([Candidate(Url(f"http://a/{number:06}{'x' * 280}"), 0.5)])
    for number in range(20):
        keys.of([Candidate(Url(f"http://a/{number:06}{'x' * 1_000_000}"), 0.5)])
    return keys


def link_to(target):
    return Link(Url("http://a/"), Url(target), "", 0, 0)


def scope():
    rules = ScopeRules(deny_endings=["pdf"])
    for number in range(13_000):
        rules.within([link_to(f"http://a/{number:06}{'x' * 280}.pdf")], 0)
    for number in range(20):
        rules.within([link_to(f"http://a/{number:06}{'x' * 1_000_000}")], 0)
    return rules


def domains():
    rules = ScopeRules(domains=["a." * 120 + "a"])
    for number in range(20_000):
        rules.within([link_to(f"http://{number:06}." + "a." * 120 + "a/")], 0)
    return rules


def lexicon():
    known = _Lexicon("de", Dictionary.of([DictionaryEntry("Auge", ("eye",))]), 12)
    for start in range(0, 49_000, 1_000):
        known.readings(" ".join(f"{'ж' * 92}{number:08}" for number in range(start, start + 1_000)))
    known.readings("x" * 1_000_000)
    return known


def lemmas():
    for number in range(70_000):
        lemma(f"{'ж' * 92}{number:08}", "de")
    lemma("x" * 1_000_000, "de")


def stemmed():
    for number in range(20):
        stems([f"{'ж' * 90}{number}x{place}" for place in range(1_000)])
        stems([f"{'x' * 1_000_000}{number}"])


def numbered():
    known = WordNumbers()
    for start in range(0, 99_000, 1_000):
        known.of(" ".join(f"{'ж' * 32}{number:08}" for number in range(start, start + 1_000)))
    known.of("x" * 1_000_000)
    return known


def headed():
    known = WordNumbers()
    for start in range(0, 45_000, 15_000):
        links = [
            Link(Url("http://a/"), Url(f"http://a/{'x' * 180}{number:08}"), "", 0, 0, f"{'ж' * 192}{number:08}")
            for number in range(start, start + 15_000)
        ]
        known.rows(known.page(Page(Url("http://a/"))), links)
    known.clear()  # its words are the matter of another test
    return known


def counted():
    for number in range(20):
        squares(f"{number} " + "ж " * 200_000)


def looks():
    known = Lookalikes()
    for number in range(5_000):
        for page in range(17):
            known.regard(
                Page(Url(f"http://{number:06}.{HOST}/{'abcdefghi'[page % 8]}/{page}"), text=f"{number} of {page}")
            )
        known.changed.clear()
    return known


def robots(rule, hosts):
    def fill():
        fetcher = PoliteFetcher(None, None)
        for host in range(hosts):
            lines = (rule.format(number) for number in itertools.count(host * 100_000))
            body = "".join(itertools.islice(lines, 200 * 1024 // len(rule))).encode()
            said = _said(b"User-agent: *\n" + body, "thresher")
            fetcher._hold(f"http://{host}/", fetcher._site(f"http://{host}/"), said)
        return fetcher

    return fill


def lines():
    scripts = WordTranscriptor({"de": Dictionary.of([DictionaryEntry("Auge", ("eye",))])})
    for number in range(10_000):
        scripts.transcribe(f"{'ж' * 40} {number:08} {'é' * 59}")
    return scripts


def sentences():
    class Echo:
        def translate(self, texts, language):
            return [text + text for text in texts]

    spoken = SentenceTranscriptor(Echo(), ["th"])
    for number in range(3_500):
        spoken.transcribe("".join(chr(0x0E01 + number // 40**place % 40) for place in range(3)) + "ก" * 497)
    assert len(spoken._known) > 1_000, "Thai is known by its letters"
    return spoken


def locks():
    known = HostLocks(None, 10_000)
    for number in range(15_000):
        known[f"{number:06}.{HOST}"]
    return known


def distrusted():
    kept = KeptOpen(10)
    for number in range(15_000):
        kept.distrust(f"{number:06}.{HOST}:65535")
    return kept


def names():
    async def fill():
        pool = Connections(Generous(30), None, 10).open()
        for number in range(11_000):
            await pool._resolve_host(f"{number:06}.{HOST}", 65535)
        return pool

    return asyncio.run(fill())


def requests():
    async def fill():
        asked = Questions(ClientTimeout(), 1 << 16)
        proxy = URL(f"http://me:{'x' * 200}@proxy.example:8080")
        for number in range(1_500):
            asked._request(f"https://{number:06}.{HOST}:65535/", proxy)
        return asked

    return asyncio.run(fill())


def cookies():
    jar = CookieJar()
    for number in range(12_000):
        host = f"{number:06}.{HOST[:-1]}"
        jar.take(Url(f"https://{host}/"), host, ((b"Set-Cookie", b"a=" + b"x" * (number % 4_000)),), 0.0)
    many = tuple((b"Set-Cookie", b"c%d=x; Path=/%d" % (number, number)) for number in range(50))
    for number in range(3_000):
        jar.take(Url(f"https://h{number}.example/"), f"h{number}.example", many, 0.0)
    return jar


def secure_hosts():
    known = SecureHosts()
    for number in range(15_000):
        known.note(f"{number:06}.{HOST}", "max-age=1000; includeSubDomains")
    return known


def unread():
    team = Team(Setup("", ""), HandOptions(count=1), lambda *_: None, lambda: (Obedient(), Fair()))
    for number in range(100):
        body = bytes(4 << 20)
        team._keep(
            Response(Url(f"http://a/{number}"), 200, (), body, body), Page(Url("http://a/"), text="x" * 500_000), None
        )
    return team


def answers():
    """Many small ones, then large ones."""

    async def ask(url, _):
        body = bytes(4 << 20 if url.endswith("0") else 10)
        return Response(url, 200, ((b"Server", b"x" * 400),), body, body)

    async def fill():
        kept = Answers(ask, 64 << 20)
        for number in range(5_040):
            await kept.get((Url(f"http://a/{number}x" if number < 5_000 else f"http://a/{number}0"), "", ""))
        return kept

    return asyncio.run(fill())


MB = 1 << 20
CACHES = {
    "roles": (roles, 16),
    "roles that are too long": (longer_roles, 1),
    "joined urls": (joined, 48),
    "urls joined from many places": (joined_from_everywhere, 48),
    "urls that are too long": (longer_hrefs, 1),
    "origins": (origins, 8),
    "addresses": (addresses, 10),
    "sites": (sites, 10),
    "keys of links": (keys_of_links, 4),
    "urls in and out of scope": (scope, 4),
    "domains, and urls in scope": (domains, 32),
    "meanings": (lexicon, 64),
    "sentences": (sentences, 16),
    "lemmas": (lemmas, 64),
    "stems": (stemmed, 16),
    "word numbers": (numbered, 32),
    "word numbers of addresses and headings": (headed, 48),
    "the words of the last text": (counted, 32),
    "looks of pages": (looks, 16),
    "lines with their language": (lines, 8),
    "robots.txt of rules with stars": (robots("Disallow: /*{0:x}*\n", 15), 72),
    "robots.txt of long rules": (robots(f"Disallow: /{'é' * 500}*{{0:x}}\n", 40), 72),
    "robots.txt of odd rules": (robots(f"Disallow: /{'<' * 500}*{{0:x}}\n", 40), 72),
    "locks": (locks, 16),
    "servers that are not trusted": (distrusted, 8),
    "addresses of names": (names, 72),
    "requests that connections are opened by": (requests, 8),
    "cookies": (cookies, 16),
    "hosts that want https": (secure_hosts, 16),
    "pages that nobody asked for": (unread, 80),
    "answers for rendered pages": (answers, 80),
}
"""What fills a cache, and the MB that it may take."""


@pytest.fixture(autouse=True)
def _empty():
    for each in (
        _remembered_role,
        urls.is_address,
        first_of_site,
        _lemmatiser,
        _snowball,
    ):
        each.cache_clear()
    urls.forget_joined()
    lemma("Auge", "de")  # reads the list of lemmas, which is no cache


@pytest.mark.slow
@pytest.mark.parametrize("name", CACHES)
def test_a_cache_stays_below_its_bound_whatever_is_put_into_it(name):
    fill, most = CACHES[name]
    gc.collect()
    tracemalloc.start()
    try:
        kept = fill()
        gc.collect()
        held = tracemalloc.get_traced_memory()[0] / MB
    finally:
        tracemalloc.stop()
    del kept
    assert held < most, f"{held:.1f} MB"
