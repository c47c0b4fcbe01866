"""Pages rendered by a real Chromium, from a real server."""

import asyncio
import socket
from itertools import pairwise

import pytest
import pytest_asyncio
from tests.unit.browser.rendering import browsing, fetched, shown
from tests.unit.browser.site import needs_browser, script, served

from thresher.model import BROWSER, Later, Refused
from thresher.parse.html import HtmlParser
from thresher.settings import Manners
from thresher.urls import canonical

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def site():
    with served() as site:
        yield site


@pytest.fixture(scope="module")
def other():
    """Another server on this machine, which no seed names: the guard keeps everybody from it."""
    with served(secret=b"secret") as site:
        yield site


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def fetcher(site):
    async with browsing(site, seconds=4.0) as fetcher:
        yield fetcher


async def test_an_application_is_read_as_its_scripts_show_it(site, fetcher):
    response = await fetched(fetcher, site.url("/muscles"))
    page = HtmlParser().parse(response)
    assert response.rendition.by == BROWSER
    assert b"Two muscles" not in response.body
    assert "Two muscles of the iris" in page.main
    assert page.title == "Muscles of the iris"
    assert [link.target for link in page.links] == [site.url("/index")]
    assert page.facts == (("rendered", "yes"),)


async def test_the_bundle_of_an_application_is_fetched_once(site, fetcher):
    for name in ("index", "muscles", "colour"):
        assert "iris" in shown(await fetched(fetcher, site.url(f"/{name}")))
    assert site.paths.count("/app.js") == 1
    assert site.paths.count("/api/muscles.json") == 1


async def test_every_request_says_who_we_are(site, fetcher):
    await fetched(fetcher, site.url("/colour"))
    assert {agent.partition("/")[0] for agent in site.agents} == {"Thresher"}


async def test_a_page_that_says_something_is_not_rendered(site, fetcher):
    site.pages["/prose"] = (
        "text/html",
        b"<p>" + b"The iris is a ring of muscle. " * 20 + b"<script src=/app.js></script>",
    )
    response = await fetched(fetcher, site.url("/prose"))
    assert response.rendition is None
    assert response.notes == ()


async def test_always_renders_pages_that_say_something(site):
    site.pages["/prose"] = (
        "text/html",
        b"<p>" + b"The iris is a ring. " * 20 + b"<script>document.body.append('later')</script>",
    )
    async with browsing(site, when="always") as fetcher:
        assert "later</body>" in shown(await fetched(fetcher, site.url("/prose")))


async def test_what_stands_in_shadow_roots_is_read(site, fetcher):
    within = "a.attachShadow({mode: 'open'}).innerHTML = '<b>in the shadow</b><span id=i></span>';"
    deeper = "a.shadowRoot.getElementById('i').attachShadow({mode: 'open'}).innerHTML = 'deeper still';"
    site.pages["/shadow"] = (
        "text/html",
        script(f"const a = document.createElement('p'); root.append(a); {within}{deeper}"),
    )
    page = HtmlParser().parse(await fetched(fetcher, site.url("/shadow")))
    assert "in the shadow" in page.text
    assert "deeper still" in page.text


# ── what the fetcher may not, the page may not ──

PLACES = ["http://127.0.0.1:{port}/secret", "http://localhost:{port}/secret", "http://[::1]:{port}/secret"]
CLOUDS = ["http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://192.168.0.1/", "http://metadata/"]


@pytest.mark.parametrize("place", [*PLACES, *CLOUDS])
async def test_a_page_gets_nothing_from_where_the_fetcher_may_not_go(site, other, fetcher, place):
    url = place.format(port=other.port)
    site.pages["/guard"] = (
        "text/html",
        script(
            f"fetch('{url}').then(r => r.text()).then(t => root.append('got ' + t)).catch(e => root.append('nothing: ' + e))"
        ),
    )
    assert "nothing: TypeError" in shown(await fetched(fetcher, site.url("/guard")))
    assert other.asked == []


WAYS = {
    "websocket": "const s = new WebSocket('ws://{place}/'); s.onopen = () => root.append('got'); s.onclose = () => root.append('closed')",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('http://{place}/worker').then(() => postMessage(1))`])))"
    ".onmessage = () => root.append('got')",
    "socket in a worker": "new Worker(URL.createObjectURL(new Blob([`new WebSocket('ws://{place}/').onopen = () => postMessage(1)`])))"
    ".onmessage = () => root.append('got')",
    "shared worker": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://{place}/shared')`])))",
    "service worker": "navigator.serviceWorker.register('/app.js').then(r => r && root.append('got'))",
    "beacon": "navigator.sendBeacon('http://{place}/beacon', 'x')",
    "ping": "root.innerHTML = '<a href=#x ping=http://{place}/ping>x</a>'; root.firstChild.click()",
    "picture": "root.innerHTML = '<img src=http://{place}/x.png onload=\"root.append(`got`)\">'",
    "frame": "root.innerHTML = '<iframe src=http://{place}/frame></iframe>'",
    "form": "root.innerHTML = '<form method=post action=http://{place}/form></form>'; root.firstChild.submit()",
    "post": "fetch('http://{place}/post', {{method: 'POST', body: 'x'}}).then(() => root.append('got'))",
    "event source": "new EventSource('http://{place}/events').onopen = () => root.append('got')",
    "window": "window.open('http://{place}/window'); const a = document.createElement('a'); a.target = '_blank';"
    "a.href = 'http://{place}/blank'; root.append(a); a.click()",
    "hints": "document.head.innerHTML += '<link rel=preconnect href=http://{place}><link rel=prefetch href=http://{place}/p>"
    "<link rel=dns-prefetch href=http://{place}><link rel=prerender href=http://{place}/r><link rel=modulepreload href=http://{place}/m>'",
    "speculation": "const s = document.createElement('script'); s.type = 'speculationrules';"
    "s.textContent = JSON.stringify({{prerender: [{{source: 'list', urls: ['http://{place}/s']}}]}}); document.head.append(s)",
    "transport": "new WebTransport('https://{place}/')",
    "import": "import('http://{place}/module.js').then(() => root.append('got'))",
}


@pytest.mark.parametrize("way", WAYS)
async def test_no_way_leads_around_the_fetcher(site, fetcher, way):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        place = f"127.0.0.1:{listener.getsockname()[1]}"
        site.pages["/way"] = "text/html", script(WAYS[way].format(place=place))
        text = shown(await fetched(fetcher, site.url("/way")))
        with pytest.raises(TimeoutError):
            listener.accept()
    assert ">got" not in text.replace(WAYS[way].format(place=place), "")


@pytest.mark.parametrize("way", ["beacon", "picture", "frame", "form", "post", "event source", "window", "ping"])
async def test_what_is_not_a_script_or_data_is_not_asked_for_even_where_it_may_be(site, fetcher, way):
    site.pages["/way"] = "text/html", script(WAYS[way].format(place=f"127.0.0.1:{site.port}"))
    before = len(site.asked)
    await fetched(fetcher, site.url("/way"))
    assert set(site.paths[before:]) <= {"/way", "/empty.js", "/robots.txt"}


async def test_datagrams_do_not_leave_either(site, fetcher):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(0.5)
        turn = f"{{iceServers: [{{urls: 'stun:127.0.0.1:{listener.getsockname()[1]}'}}]}}"
        frame = "const f = document.createElement('iframe'); root.append(f);"
        make = f"for (const w of [window, f.contentWindow]) try {{ const c = new w.RTCPeerConnection({turn}); c.createDataChannel('x');"
        go = "c.createOffer().then(o => c.setLocalDescription(o)) } catch (e) { root.append('none ') }"
        site.pages["/rtc"] = "text/html", script(frame + make + go)
        text = shown(await fetched(fetcher, site.url("/rtc")))
        with pytest.raises(TimeoutError):
            listener.recv(100)
    assert "none none" in text


async def test_robots_txt_holds_for_what_a_page_asks_for():
    with served(robots="User-agent: *\nDisallow: /api/\n") as site:
        async with browsing(site) as fetcher:
            response = await fetched(fetcher, site.url("/muscles"))
    assert response.rendition is not None
    assert "Two muscles" not in shown(response)
    assert "/app.js" in site.paths
    assert not any(path.startswith("/api/") for path in site.paths)


async def test_what_a_page_asks_for_waits_for_the_pause_of_its_host():
    with served() as site:
        async with browsing(site, manners=Manners(delay=0.7)) as fetcher:
            await fetcher.fetch(site.url("/robots-first"))
            await asyncio.sleep(0.7)
            assert "Two muscles" in shown(await fetched(fetcher, site.url("/muscles")))
    times = [when for _, _, when in site.asked]
    assert site.paths[-3:] == ["/muscles", "/app.js", "/api/muscles.json"]
    assert all(after - before >= 0.69 for before, after in pairwise(times))


READS = (
    "fetch('{}').then(answer => answer.text()).then(text => root.append('got ' + text), () => root.append('got none'))"
)


@pytest.mark.parametrize(
    ("leave", "got"), [("", "none"), ("http://b.example", "none"), ("page", "a secret"), ("*", "a secret")]
)
@pytest.mark.parametrize("way", ["", "/to/"])
async def test_a_page_reads_of_another_site_only_what_that_allows(way, leave, got):
    """Also by a redirect of its own site."""
    with served() as stranger, served(secret=b"a secret") as inside:
        inside.open_to = stranger.url("") if leave == "page" else leave
        stranger.pages["/"] = "text/html", script(READS.format(way + inside.url("/secret")))
        async with browsing(stranger, inside, seconds=4.0) as fetcher:
            assert f"got {got}" in shown(await fetched(fetcher, stranger.url()))


async def test_what_a_page_no_longer_waits_for_holds_nobody_up():
    slow = {"robots": "User-agent: *\nCrawl-delay: 20\n", "page": b"<p>" + b"The iris is a ring. " * 30}
    with served() as hostile, served(**slow) as host:
        asks = f"for (let n = 0; n < 6; n++) fetch('{host.url('/api/index.json?')}' + n)"
        hostile.pages["/"] = "text/html", script(asks)
        async with browsing(hostile, host, seconds=1.0, wait=1.0) as fetcher:
            await fetched(fetcher, hostile.url())
            async with asyncio.timeout(10):
                answer = await fetcher.fetch(canonical(host.url("/page")))
    assert isinstance(answer, Later)
    assert answer.delay == 20.0


async def test_a_page_cannot_fill_memory_with_headers_of_its_own(site):
    asks = "for (let n = 0; n < 3; n++) fetch('/api/index.json?' + n, {headers: {Accept: 'a'.repeat(1e6) + n}})"
    site.pages["/headers"] = "text/html", script(asks)
    async with browsing(site, seconds=30.0) as fetcher:
        await fetched(fetcher, site.url("/headers"))
        assert {f"/api/index.json?{n}" for n in range(3)} <= set(site.paths)
        assert sum(len(part) for key in fetcher._answers._kept for part in key) < 10_000


async def test_xhtml_with_a_fault_is_shown_as_html(site):
    site.pages["/fault"] = "application/xhtml+xml", script("root.append('an iris')") + b"<p>not closed<br>"
    async with browsing(site, when="always", seconds=4.0) as fetcher:
        assert "an iris" in shown(await fetched(fetcher, site.url("/fault")))


async def test_a_host_that_the_user_keeps_out_is_not_asked_by_pages_either(site):
    anywhere = Manners(delay=0.0, allow_private=True)
    with served() as cdn:
        cdn.pages["/more.js"] = "text/javascript", b"document.getElementById('root').append('from elsewhere')"
        site.pages["/cdn"] = "text/html", script(f"import('{cdn.url('/more.js')}')")
        for denied, text in (([], "from elsewhere</div>"), ([f"127.0.0.1:{cdn.port}"], '"root"></div>')):
            async with browsing(site, manners=anywhere, scope={"deny_hosts": denied}) as fetcher:
                assert text in shown(await fetched(fetcher, site.url("/cdn")))
        assert cdn.paths.count("/more.js") == 1


# ── pages that misbehave: each is bounded, and none is lost ──


async def test_a_script_that_never_ends_is_ended(site, fetcher):
    site.pages["/forever"] = "text/html", script("root.append('before'); while (true);")
    assert "before" in shown(await fetched(fetcher, site.url("/forever")))


async def test_a_script_that_never_ends_and_begins_again_gives_the_page_as_it_came(site, fetcher):
    site.pages["/again"] = (
        "text/html",
        script("const f = () => { setTimeout(f, 0); setTimeout(f, 0); while (true); }; f()"),
    )
    response = await fetched(fetcher, site.url("/again"))
    assert shown(response) == "too-slow" or response.rendition is not None
    assert "iris" in shown(await fetched(fetcher, site.url("/colour")))


async def test_dialogs_hold_nobody_up(site, fetcher):
    site.pages["/dialogs"] = (
        "text/html",
        script("alert(1); root.append('said ' + confirm('?') + prompt('?')); onbeforeunload = () => 'stay'; print()"),
    )
    assert "said falsenull" in shown(await fetched(fetcher, site.url("/dialogs")))


async def test_redirects_without_end_end(site, fetcher):
    site.pages["/hops"] = "text/html", script("fetch('/loop').catch(e => root.append('gave up'))")
    assert "gave up" in shown(await fetched(fetcher, site.url("/hops")))
    assert len([path for path in site.paths if path.startswith("/loop")]) == 6


async def test_a_page_may_ask_for_so_much_and_no_more(site, fetcher):
    site.pages["/greedy"] = "text/html", script("for (let i = 0; i < 300; i++) fetch('/api/index.json?' + i)")
    before = len(site.asked)
    assert (await fetched(fetcher, site.url("/greedy"))).rendition is not None
    assert len(site.asked) - before == 50  # the page, and what was not kept from before: its first script is


async def test_a_page_that_asks_for_ever_is_taken_as_it_is_when_its_time_is_over(site):
    site.pages["/poll"] = "text/html", script("root.append('now'); setInterval(() => fetch('/api/index.json'), 100)")
    async with browsing(site, seconds=2.0) as fetcher:
        assert "now" in shown(await fetched(fetcher, site.url("/poll")))


async def test_a_dom_without_measure_is_named_too_large(site, fetcher):
    site.pages["/huge"] = "text/html", script("root.textContent = 'x'.repeat(100 << 20)")
    assert shown(await fetched(fetcher, site.url("/huge"))) == "too-large"
    site.pages["/many"] = (
        "text/html",
        script("root.innerHTML = '<i>'.repeat(400).concat('</i>'.repeat(400)).repeat(2000)"),
    )
    assert shown(await fetched(fetcher, site.url("/many"))) in {"too-large", "too-slow"}


async def test_a_page_that_takes_all_memory_is_named_too_large_and_the_next_is_rendered(site):
    site.pages["/hungry"] = (
        "text/html",
        script("const all = []; while (true) all.push(new Uint8Array(50 << 20).fill(1))"),
    )
    async with browsing(site, memory=700) as fetcher:
        assert shown(await fetched(fetcher, site.url("/hungry"))) == "too-large"
        assert "Melanin" in shown(await fetched(fetcher, site.url("/colour")))


async def test_a_page_that_scripts_lead_away_from_tells_where(site, fetcher):
    site.pages["/away"] = "text/html", script("root.append('off'); location.href = '/muscles'")
    page = HtmlParser().parse(await fetched(fetcher, site.url("/away")))
    assert page.refresh == site.url("/muscles")
    assert "off" in page.text


async def test_a_page_that_loads_itself_again_and_again_ends(site, fetcher):
    site.pages["/reload"] = "text/html", script("root.append('once'); location.reload()")
    before = len(site.asked)
    assert "once" in shown(await fetched(fetcher, site.url("/reload")))
    assert site.paths[before:].count("/reload") == 1


async def test_nothing_is_downloaded(site, fetcher):
    save = "const a = document.createElement('a'); a.download = 'evil'; a.href = URL.createObjectURL(new Blob(['x'])); a.click();"
    site.pages["/save"] = "text/html", script(save + "root.append('clicked'); location = '/empty.js'")
    assert "clicked" in shown(await fetched(fetcher, site.url("/save")))


async def test_a_forbidden_page_is_refused_before_any_browser_sees_it():
    with served(robots="User-agent: *\nDisallow: /muscles\n") as site:
        async with browsing(site) as fetcher:
            assert isinstance(await fetched(fetcher, site.url("/muscles")), Refused)


async def test_a_browser_that_cannot_be_started_leaves_pages_as_they_are(site):
    async with browsing(site, path="/bin/false") as fetcher:
        assert shown(await fetched(fetcher, site.url("/muscles"))) == "no-browser"
