import asyncio
import time
from email.utils import formatdate

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.clock import FakeClock
from thresher.fetch import HttpFetcher
from thresher.model import Failed, Later, Refused, Response, Url
from thresher.polite.addresses import AddressGuard
from thresher.polite.host_locks import HostLocks
from thresher.polite.robots import CAP, LONGEST_DELAY, PoliteFetcher
from thresher.urls import canonical


class Site:
    """A real server with a robots.txt that a test can change, and a log."""

    def __init__(self):
        self.status, self.robots, self.headers = 200, "", {}
        self.log = []

    async def answer(self, request):
        self.log.append(request.path)
        if request.path == "/robots.txt":
            return web.Response(status=self.status, text=self.robots, headers=self.headers)
        if request.path.startswith("/hop"):
            number = int(request.path[4:])
            there = f"/hop{number - 1}" if number else "/rules"
            return web.Response(status=302, headers={"Location": there})
        if request.path == "/rules":
            return web.Response(text="User-agent: *\nDisallow: /private")
        return web.Response(text="<html>", content_type="text/html")


@pytest.fixture
async def site():
    site = Site()
    runner = web.ServerRunner(web.Server(site.answer))
    await runner.setup()
    listener = web.TCPSite(runner, "127.0.0.1", 0)
    await listener.start()
    site.host = f"127.0.0.1:{runner.addresses[0][1]}"
    site.url = f"http://{site.host}/"
    yield site
    await runner.cleanup()


@pytest.fixture
def clock():
    return FakeClock(1000.0)


@pytest.fixture
async def make(clock):
    made = []

    def polite(**how):
        limits = {"connect": 1.0, "read": 0.5, "total": 1.0, "guard": how.pop("guard", None)}
        robots = HttpFetcher(types=(), max_bytes=CAP, cut=True, **limits)
        made.append(PoliteFetcher(HttpFetcher(**limits), robots, clock=clock, **how))
        return made[-1]

    yield polite
    for fetcher in made:
        await fetcher.close()


async def test_what_is_disallowed_is_refused_without_a_request(site, make):
    site.robots = "User-agent: *\nDisallow: /private"
    fetcher = make()
    assert (await fetcher.fetch(Url(site.url + "open"))).status == 200
    assert await fetcher.fetch(Url(site.url + "private/x")) == Refused("robots", site.url + "robots.txt")
    assert site.log == ["/robots.txt", "/open"]


async def test_a_group_that_names_us_beats_the_one_for_all(site, make):
    site.robots = "User-agent: *\nDisallow: /\n\nUser-agent: Thresher\nDisallow: /private"
    fetcher = make()
    assert isinstance(await fetcher.fetch(Url(site.url + "open")), Response)
    assert isinstance(await fetcher.fetch(Url(site.url + "private")), Refused)


async def test_a_page_waits_for_the_pause_after_robots_txt(site, make, clock):
    fetcher = make(pause=2.0)
    assert await fetcher.fetch(Url(site.url)) == Later("robots-asked", 2.0, delay=0.0)
    assert site.log == ["/robots.txt"]
    clock.turn(2.0)
    assert isinstance(await fetcher.fetch(Url(site.url)), Response)


async def test_a_longer_crawl_delay_is_waited_for_and_told(site, make):
    site.robots = "User-agent: *\nCrawl-delay: 7"
    assert await make(pause=2.0).fetch(Url(site.url)) == Later("robots-asked", 7.0, delay=7.0)
    assert await make(pause=0.0).fetch(Url(site.url)) == Later("robots-asked", 7.0, delay=7.0)


async def test_a_shorter_crawl_delay_is_told_and_our_pause_is_waited_for(site, make):
    site.robots = "User-agent: *\nCrawl-delay: 0.5"
    assert await make(pause=2.0).fetch(Url(site.url)) == Later("robots-asked", 2.0, delay=0.5)


async def test_a_crawl_delay_that_a_site_takes_back_is_told_as_no_delay(site, make, clock):
    site.robots = "User-agent: *\nCrawl-delay: 7"
    fetcher = make(pause=2.0)
    await fetcher.fetch(Url(site.url))
    site.robots = "User-agent: *\nDisallow: /private"
    clock.turn(86_400)
    assert await fetcher.fetch(Url(site.url)) == Later("robots-asked", 2.0, delay=0.0)


async def test_a_crawl_delay_that_is_taken_back_is_told_even_if_we_make_no_pause(site, make, clock):
    site.robots = "User-agent: *\nCrawl-delay: 7"
    fetcher = make(pause=0.0)
    await fetcher.fetch(Url(site.url))
    site.status = 404
    clock.turn(86_400)
    assert await fetcher.fetch(Url(site.url)) == Later("robots-asked", 0.0, delay=0.0)
    assert isinstance(await fetcher.fetch(Url(site.url)), Response)


async def test_a_crawl_delay_that_nobody_took_back_stays_while_robots_txt_cannot_be_had(site, make, clock):
    site.robots = "User-agent: *\nCrawl-delay: 7"
    fetcher = make(pause=0.0)
    await fetcher.fetch(Url(site.url))
    site.status = 503
    clock.turn(86_400)
    assert isinstance(await fetcher.fetch(Url(site.url)), Response)


async def test_http_and_https_of_a_host_share_the_longer_crawl_delay(clock):
    class Either(Plain):
        async def fetch(self, url):
            self.robots = b"User-agent: *\nCrawl-delay: 7" if url.startswith("https:") else b""
            return await super().fetch(url)

    fetcher = PoliteFetcher(Either(), Either(), clock=clock, pause=2.0)
    assert await fetcher.fetch(Url("https://a.test/")) == Later("robots-asked", 7.0, delay=7.0)
    assert await fetcher.fetch(Url("http://a.test/")) == Later("robots-asked", 2.0, delay=7.0)
    assert await fetcher.fetch(Url("http://b.test/")) == Later("robots-asked", 2.0, delay=0.0)


@pytest.mark.parametrize(
    ("line", "delay"),
    [
        ("Request-rate: 1/5", 5.0),
        ("Request-rate: 2/1m", 30.0),
        ("Crawl-delay: 100000", LONGEST_DELAY),
        (f"Request-rate: 1/{'9' * 400}", LONGEST_DELAY),
        ("Crawl-delay: soon", 0.0),
        ("Crawl-delay: nan", 0.0),
        ("Crawl-delay: 2\nRequest-rate: 1/5", 5.0),
    ],
)
async def test_delays_are_read_and_capped(site, make, line, delay):
    site.robots = f"User-agent: *\n{line}"
    assert (await make(pause=1.0).fetch(Url(site.url))).delay == delay


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_a_site_without_robots_txt_allows_all(site, make, status):
    site.status, site.robots = status, "User-agent: *\nDisallow: /"
    assert isinstance(await make().fetch(Url(site.url)), Response)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_site_that_cannot_answer_allows_nothing_for_now_and_is_asked_again(site, make, clock, status):
    site.status = status
    fetcher = make(again=10.0)
    assert await fetcher.fetch(Url(site.url)) == Later("robots-unavailable", 10.0, strain=True, detail=f"http-{status}")
    clock.turn(4.0)
    assert await fetcher.fetch(Url(site.url)) == Later("robots-unavailable", 6.0)
    assert site.log == ["/robots.txt"]
    clock.turn(6.0)
    assert await fetcher.fetch(Url(site.url)) == Later("robots-unavailable", 20.0, strain=True, detail=f"http-{status}")
    site.status = 200
    clock.turn(20.0)
    assert isinstance(await fetcher.fetch(Url(site.url)), Response)
    assert site.log == ["/robots.txt"] * 3 + ["/"]


async def test_retry_after_on_robots_txt_is_obeyed(site, make):
    site.status, site.headers = 503, {"Retry-After": "120"}
    assert await make(again=10.0).fetch(Url(site.url)) == Later(
        "robots-unavailable", 120.0, strain=True, detail="http-503"
    )


async def test_a_retry_after_that_is_a_date_is_obeyed_too(site, make, clock):
    site.status, site.headers = 503, {"Retry-After": formatdate(clock.now() + 90, usegmt=True)}
    assert await make(again=10.0).fetch(Url(site.url)) == Later(
        "robots-unavailable", 90.0, strain=True, detail="http-503"
    )


async def test_a_retry_after_that_is_no_number_makes_nothing_raise(clock):
    silly = Response(Url("http://a.test/robots.txt"), 503, ((b"Retry-After", "²".encode("latin-1")),), b"", b"")
    fetcher = PoliteFetcher(Plain(), Plain(failed=silly), clock=clock, again=10.0)
    assert await fetcher.fetch(Url("http://a.test/")) == Later(
        "robots-unavailable", 10.0, strain=True, detail="http-503"
    )


async def test_a_site_that_never_answers_is_asked_again_for_ever(clock):
    fetcher = PoliteFetcher(Plain(), Plain(failed=Failed("timeout")), clock=clock)
    for _ in range(1100):
        later = await fetcher.fetch(Url("http://a.test/"))
        clock.turn(later.seconds)
    assert later == Later("robots-unavailable", 3600.0, strain=True, detail="timeout")


async def test_a_site_that_does_not_listen_is_unavailable(unused_tcp_port, make):
    later = await make(again=10.0).fetch(Url(f"http://127.0.0.1:{unused_tcp_port}/"))
    assert later == Later("robots-unavailable", 10.0, strain=True, detail="connection-refused")


async def test_rules_hold_a_day_and_then_are_asked_for_again(site, make, clock):
    fetcher = make()
    await fetcher.fetch(Url(site.url))
    clock.turn(86_399)
    await fetcher.fetch(Url(site.url))
    assert site.log.count("/robots.txt") == 1
    site.robots = "User-agent: *\nDisallow: /"
    clock.turn(1)
    assert isinstance(await fetcher.fetch(Url(site.url)), Refused)


async def test_old_rules_hold_on_while_the_site_cannot_answer(site, make, clock):
    site.robots = "User-agent: *\nDisallow: /private"
    fetcher = make()
    await fetcher.fetch(Url(site.url))
    site.status = 503
    clock.turn(86_400)
    assert isinstance(await fetcher.fetch(Url(site.url + "private")), Refused)
    assert isinstance(await fetcher.fetch(Url(site.url)), Response)
    assert site.log.count("/robots.txt") == 2


async def test_those_who_need_it_at_the_same_moment_ask_once(site, make):
    fetcher = make()
    await asyncio.gather(*[fetcher.fetch(Url(f"{site.url}{n}")) for n in range(10)])
    assert site.log.count("/robots.txt") == 1


async def test_those_who_waited_for_it_also_wait_for_the_pause(site, make):
    fetcher = make(pause=2.0)
    answers = await asyncio.gather(*[fetcher.fetch(Url(f"{site.url}{n}")) for n in range(3)])
    assert answers == [Later("robots-asked", 2.0, delay=0.0)] * 3


async def test_one_who_is_cancelled_while_asking_leaves_the_others_able_to_ask(site, make):
    fetcher = make()
    first = asyncio.ensure_future(fetcher.fetch(Url(site.url)))
    second = asyncio.ensure_future(fetcher.fetch(Url(site.url)))
    await asyncio.sleep(0)
    first.cancel()
    assert isinstance(await second, Response)


async def test_each_port_has_its_own_robots_txt(site, make, unused_tcp_port):
    site.robots = "User-agent: *\nDisallow: /"
    fetcher = make()
    assert isinstance(await fetcher.fetch(Url(site.url)), Refused)
    assert isinstance(await fetcher.fetch(Url(f"http://127.0.0.1:{unused_tcp_port}/")), Later)


async def test_five_redirects_of_robots_txt_are_followed(site, make):
    site.status, site.headers = 301, {"Location": "/hop3"}
    fetcher = make()
    assert isinstance(await fetcher.fetch(Url(site.url + "private")), Refused)
    assert site.log == ["/robots.txt", "/hop3", "/hop2", "/hop1", "/hop0", "/rules"]


async def test_a_redirect_of_robots_txt_in_utf_8_leads_where_it_says(clock):
    there = ((b"Location", "/règles".encode()),)
    moved = Response(Url("http://a.test/robots.txt"), 301, there, b"", b"")
    robots = Plain(failed=moved)
    await PoliteFetcher(Plain(), robots, clock=clock).fetch(Url("http://a.test/"))
    assert robots.asked[1] == "http://a.test/r%C3%A8gles"


async def test_the_pause_lies_between_the_hops_too(site, make, clock):
    site.status, site.headers = 301, {"Location": "/rules"}
    await make(pause=2.0).fetch(Url(site.url))
    assert clock.now() == 1002.0


@pytest.mark.parametrize("location", ["/hop4", "/robots.txt", "javascript:1", "file:///etc/passwd"])
async def test_redirects_that_lead_nowhere_are_as_good_as_no_robots_txt(site, make, location):
    site.status, site.headers = 301, {"Location": location}
    assert isinstance(await make().fetch(Url(site.url + "private")), Response)
    assert len(site.log) <= 7


async def test_a_hop_to_a_private_address_is_refused(site, make):
    site.status, site.headers = 301, {"Location": "http://127.0.0.2/robots.txt"}
    guard = AddressGuard(hosts=[site.host])
    assert await make(guard=guard).fetch(Url(site.url)) == Refused("private-address", "127.0.0.2 leads to 127.0.0.2")


async def test_only_the_first_500_kib_count(site, make):
    filler = "Disallow: /filler\n" * (CAP // 18)
    site.robots = f"User-agent: *\nDisallow: /private\n{filler}Disallow: /late"
    assert len(site.robots) > CAP
    fetcher = make()
    assert isinstance(await fetcher.fetch(Url(site.url + "private")), Refused)
    assert isinstance(await fetcher.fetch(Url(site.url + "late")), Response)


async def test_a_line_that_was_cut_through_does_not_count(clock):
    start = b"User-agent: *\n"
    rule = b"Disallow: /only-this"
    whole = start + b"#" * (CAP - len(start) - len(b"Disallow: /") - 1) + b"\n" + rule
    assert whole[:CAP].endswith(b"\nDisallow: /")
    fetcher = PoliteFetcher(Plain(), Plain(whole), clock=clock)
    assert isinstance(await fetcher.fetch(Url("http://a.test/page")), Response)


async def test_html_in_place_of_robots_txt_allows_all(site, make):
    site.robots, site.headers = "<html><body>Disallow: /</body></html>", {"Content-Type": "text/html"}
    assert isinstance(await make().fetch(Url(site.url)), Response)


async def test_whoever_crawls_an_own_site_need_not_ask(site, make):
    site.robots = "User-agent: *\nDisallow: /"
    assert isinstance(await make(obey=False).fetch(Url(site.url)), Response)
    assert site.log == ["/"]


class Plain:
    """Answers robots.txt with the bytes it was given, and any page with nothing."""

    def __init__(self, robots=b"", failed=None):
        self.robots, self.failed = robots, failed
        self.asked = []

    async def fetch(self, url):
        self.asked.append(url)
        return self.failed or Response(url=url, status=200, headers=(), body=self.robots, raw=self.robots)

    async def close(self):
        pass


class Apex(Plain):
    """Its robots.txt redirects to www; each request to www can be held up, and the time of each is written down."""

    def __init__(self, clock, there=b"http://www.test/rules"):
        super().__init__(b"User-agent: *\nDisallow: /private")
        self.clock, self.there = clock, there
        self.gate = asyncio.Event()
        self.gate.set()
        self.log = []

    async def fetch(self, url):
        self.log.append((url, self.clock.now()))
        if url == "http://apex.test/robots.txt":
            return Response(url, 301, ((b"Location", self.there),), b"", b"")
        await self.gate.wait()
        return await super().fetch(url)


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_hop_to_another_host_waits_until_nobody_is_there_and_for_the_pause(clock):
    web = Apex(clock)
    fetcher = PoliteFetcher(web, web, clock=clock, pause=2.0)
    await fetcher.fetch(Url("http://www.test/"))
    clock.turn(2.0)
    web.gate.clear()
    page = asyncio.ensure_future(fetcher.fetch(Url("http://www.test/page")))
    await settled()
    robots = asyncio.ensure_future(fetcher.fetch(Url("http://apex.test/")))
    await settled()
    assert [url for url, _ in web.log][1:] == ["http://www.test/page", "http://apex.test/robots.txt"]
    clock.turn(5.0)
    web.gate.set()
    assert isinstance(await page, Response)
    await robots
    assert web.log[3] == ("http://www.test/rules", 1009.0), "the page ended at 1007"


async def test_a_page_waits_while_a_hop_is_at_its_host_and_for_the_pause_after_it(clock):
    web = Apex(clock)
    fetcher = PoliteFetcher(web, web, clock=clock, pause=2.0)
    await fetcher.fetch(Url("http://www.test/"))
    clock.turn(10.0)
    web.gate.clear()
    robots = asyncio.ensure_future(fetcher.fetch(Url("http://apex.test/")))
    await settled()
    page = asyncio.ensure_future(fetcher.fetch(Url("http://www.test/page")))
    await settled()
    assert web.log[-1][0] == "http://www.test/rules"
    web.gate.set()
    await robots
    assert await page == Later("robots-asked", 2.0)
    clock.turn(2.0)
    assert isinstance(await fetcher.fetch(Url("http://www.test/page")), Response)


async def test_a_hop_keeps_the_crawl_delay_of_the_host_it_leads_to(clock):
    web = Apex(clock)
    web.robots = b"User-agent: *\nCrawl-delay: 30"
    fetcher = PoliteFetcher(web, web, clock=clock, pause=2.0)
    await fetcher.fetch(Url("http://www.test/"))
    await fetcher.fetch(Url("http://apex.test/"))
    assert web.log[-1] == ("http://www.test/rules", 1030.0)


async def test_rules_that_are_known_are_not_asked_for_through_a_redirect(clock):
    web = Apex(clock, there=b"http://www.test/robots.txt")
    fetcher = PoliteFetcher(web, web, clock=clock)
    await fetcher.fetch(Url("http://www.test/"))
    assert isinstance(await fetcher.fetch(Url("http://apex.test/private")), Refused)
    assert [url for url, _ in web.log].count("http://www.test/robots.txt") == 1
    clock.turn(86_400)
    await fetcher.fetch(Url("http://apex.test/private"))
    assert [url for url, _ in web.log].count("http://www.test/robots.txt") == 2


async def test_two_hosts_whose_robots_txt_lead_to_each_other_do_not_wait_for_ever(clock):
    class Mirrors(Plain):
        async def fetch(self, url):
            await asyncio.sleep(0)
            other = b"http://a.test/x" if "b.test" in url else b"http://b.test/x"
            return Response(url, 301, ((b"Location", other),), b"", b"")

    fetcher = PoliteFetcher(Plain(), Mirrors(), clock=clock, pause=2.0)
    both = asyncio.gather(fetcher.fetch(Url("http://a.test/")), fetcher.fetch(Url("http://b.test/")))
    assert all(isinstance(answer, Later) for answer in await asyncio.wait_for(both, 60))


async def test_a_clock_that_is_set_back_holds_up_no_hop(clock):
    web = Apex(clock)
    fetcher = PoliteFetcher(web, web, clock=clock, pause=2.0)
    await fetcher.fetch(Url("http://www.test/"))
    clock.turn(-900.0)
    await fetcher.fetch(Url("http://apex.test/"))
    assert web.log[-1] == ("http://www.test/rules", 100.0)


async def test_doors_used_longest_ago_are_forgotten_but_none_where_somebody_is(clock):
    web = Apex(clock)
    locks = HostLocks(clock, remember=2)
    web.gate.clear()
    inside = asyncio.ensure_future(locks["a"].ask(web, Url("http://a/")))
    await settled()
    first = locks["a"]
    locks["b"], locks["c"], locks["d"]
    assert locks["a"] is first
    web.gate.set()
    await inside
    for number in range(20):
        locks[str(number)]
    assert len(locks) == 2
    assert locks["a"] is not first


async def test_a_name_that_does_not_exist_is_told_as_such(clock):
    missing = Failed("dns", "no such name", retry=False, strain=True)
    robots = Plain(failed=missing)
    fetcher = PoliteFetcher(Plain(), robots, clock=clock)
    assert await fetcher.fetch(Url("http://nowhere.test/a")) == missing
    assert await fetcher.fetch(Url("http://nowhere.test/b")) == missing
    assert len(robots.asked) == 1


async def test_the_sites_asked_longest_ago_are_forgotten_first(clock):
    robots = Plain()
    fetcher = PoliteFetcher(Plain(), robots, clock=clock, remember=2)
    for name in "abaca":
        await fetcher.fetch(Url(f"http://{name}.test/"))
    await fetcher.fetch(Url("http://b.test/"))
    assert [url[7] for url in robots.asked] == ["a", "b", "c", "b"]


@pytest.mark.slow
async def test_large_robots_txt_files_are_remembered_less_long(clock):
    robots = Plain(b"User-agent: *\n" + b"".join(b"Disallow: /%d\n" % number for number in range(30_000)))
    fetcher = PoliteFetcher(Plain(), robots, clock=clock)
    for number in range(15):
        await fetcher.fetch(Url(f"http://{number}.test/"))
    assert len(fetcher._sites) < 12


async def test_rules_learnt_through_a_redirect_are_weighed_like_any_others(clock):
    web = Apex(clock, there=b"http://www.test/robots.txt")
    fetcher = PoliteFetcher(web, web, clock=clock)
    await fetcher.fetch(Url("http://www.test/"))
    alone = fetcher._bytes
    await fetcher.fetch(Url("http://apex.test/"))
    assert fetcher._bytes == 2 * alone > 0
    web.robots = b""
    clock.turn(86_400)
    await fetcher.fetch(Url("http://www.test/"))
    assert fetcher._bytes == alone


async def test_many_robots_times_many_rules_cost_no_more_than_their_bytes(clock):
    names = b"".join(b"User-agent: a%d\n" % number for number in range(4_000))
    rules = b"".join(b"Disallow: /%d\n" % number for number in range(4_000))
    began = time.process_time()
    fetcher = PoliteFetcher(Plain(), Plain(names + b"User-agent: thresher\n" + rules), clock=clock)
    assert isinstance(await fetcher.fetch(Url("http://a.test/3999")), Refused)
    assert time.process_time() - began < 1.0, "it was over a minute, now it is a fiftieth of a second"


@settings(max_examples=50)
@given(st.one_of(st.binary(), st.text().map(str.encode)), st.text())
def test_no_robots_txt_and_no_url_makes_it_raise(robots, path):
    url = canonical(f"http://a.test/{path}") or Url("http://a.test/")
    for content in (robots, b"User-agent: *\nDisallow: " + robots, b"User-agent: *\nCrawl-delay: 1\n" + robots):
        fetcher = PoliteFetcher(Plain(), Plain(content), clock=FakeClock())
        assert asyncio.run(fetcher.fetch(url)) is not None


async def test_the_sitemaps_of_robots_txt_are_told_once_when_it_was_read(site, make):
    named = [f"Sitemap: /{number}.xml" for number in range(12)]
    site.robots = "\n".join(["Sitemap: https://other.example/map.xml.gz", "Sitemap: mailto:nobody", *named])
    fetcher, page = make(sitemaps=True), canonical(site.url)
    first = await fetcher.fetch(page)
    assert isinstance(first, Later)
    assert first.seconds == 0.0
    assert first.sitemaps == ("https://other.example/map.xml.gz", *(f"{site.url}{number}.xml" for number in range(8)))
    assert isinstance(await fetcher.fetch(page), Response)


async def test_nobody_is_told_of_sitemaps_who_does_not_ask_for_them(site, make):
    site.robots = "Sitemap: /map.xml"
    assert isinstance(await make().fetch(canonical(site.url)), Response)


async def test_what_a_robots_txt_says_to_a_page_s_script_is_told_to_the_first_page_of_its_host(site, make):
    site.robots = "User-agent: *\nCrawl-delay: 7\nSitemap: /map.xml"
    fetcher, page = make(sitemaps=True), canonical(site.url)
    assert isinstance(await fetcher.fetch_beside(canonical(f"{site.url}script.js"), Plain(b"1")), Response)
    first = await fetcher.fetch(page)
    assert (first.why, first.delay, first.sitemaps) == ("robots-asked", 7.0, (f"{site.url}map.xml",))
    assert (await fetcher.fetch(page)).sitemaps == (), "told once"
