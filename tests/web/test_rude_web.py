"""Whatever a server does, fetching it is a value with a name."""

import pytest

from thresher.fetch import HttpFetcher
from thresher.hands import HandOptions, Setup, Team
from thresher.model import Failed, Refused, Response, Url
from thresher.polite.addresses import AddressGuard
from thresher.polite.robots import CAP, PoliteFetcher

from .hand_of_the_rude_web import PATIENT, timeouts
from .rudeness import RUDENESSES


@pytest.fixture
async def fetcher():
    fetcher = HttpFetcher(**PATIENT)
    yield fetcher
    await fetcher.close()


def name_of(fetched):
    match fetched:
        case Response(status=status):
            return f"http-{status}"
        case Refused(why=why) | Failed(why=why):
            return why


@pytest.mark.parametrize("path", RUDENESSES)
async def test_every_rudeness_has_its_name(rude_web, path):
    fetcher = HttpFetcher(**timeouts(path))
    fetched = await fetcher.fetch(Url(rude_web.url + path[1:]))
    await fetcher.close()
    assert name_of(fetched) == RUDENESSES[path].outcome, fetched
    assert [asked.path for asked in rude_web.log] == [path], "one fetch is one request"


@pytest.mark.slow
@pytest.mark.parametrize("pace", ["hasty", "patient"])
async def test_through_a_hand_every_rudeness_has_the_same_name(rude_web, pace):
    lost = []
    rude = {path: rude for path, rude in RUDENESSES.items() if (rude.outcome == "timeout") == (pace == "hasty")}
    hands = Team(
        Setup(f"tests.web.hand_of_the_rude_web:{pace}", ""),
        HandOptions(count=1),
        lambda *who: lost.append(who),
        lambda: pytest.fail("the hand has read the page"),
    )
    await hands.open()
    try:
        fetched = {path: await hands.fetch(Url(rude_web.url + path[1:])) for path in rude}
        pages = [
            hands.parse(answer) for answer in fetched.values() if isinstance(answer, Response) and answer.status < 300
        ]
    finally:
        await hands.close()
    assert {path: name_of(answer) for path, answer in fetched.items()} == {
        path: wanted.outcome for path, wanted in rude.items()
    }
    assert [asked.path for asked in rude_web.log] == list(rude), "one fetch is one request"
    assert "What nobody asked for" not in {page.title for page in pages}
    assert lost == []


@pytest.mark.parametrize("path", [path for path, rude in RUDENESSES.items() if rude.outcome == "incomplete"])
async def test_a_body_that_ends_early_is_a_strain(rude_web, fetcher, path):
    failed = await fetcher.fetch(Url(rude_web.url + path[1:]))
    assert (failed.retry, failed.strain) == (True, True)


async def test_a_proxy_that_would_not_is_a_strain(unused_tcp_port):
    fetcher = HttpFetcher(proxy=f"http://127.0.0.1:{unused_tcp_port}")
    failed = await fetcher.fetch(Url("http://a.test/"))
    await fetcher.close()
    assert (failed.why, failed.retry, failed.strain) == ("proxy", True, True)


async def test_the_start_page_links_to_every_rudeness(rude_web, fetcher):
    start = await fetcher.fetch(Url(rude_web.url))
    assert all(f'href="{path}"'.encode() in start.body for path in RUDENESSES)


async def test_a_robots_txt_of_5_mb_is_obeyed_as_far_as_it_is_read(rude_web, fetcher):
    robots = HttpFetcher(types=(), max_bytes=CAP, cut=True)
    polite = PoliteFetcher(fetcher, robots)
    assert len(rude_web.robots) > 5_000_000
    assert await polite.fetch(Url(rude_web.url + "forbidden")) == Refused("robots", rude_web.url + "robots.txt")
    assert name_of(await polite.fetch(Url(rude_web.url))) == "http-200"
    await robots.close()


async def test_a_redirect_to_a_private_address_leads_nowhere(rude_web):
    fetcher = HttpFetcher(guard=AddressGuard(hosts=[rude_web.host]))
    redirect = await fetcher.fetch(Url(rude_web.url + "to-a-private-port"))
    refused = await fetcher.fetch(Url(redirect.header("location")))
    await fetcher.close()
    assert name_of(refused) == "private-address"
    assert rude_web.intruders == []


async def test_a_bomb_is_left_after_its_first_bytes(rude_web, fetcher):
    failed = await fetcher.fetch(Url(rude_web.url + "gzip-bomb"))
    assert int(failed.detail.split()[0]) < 100_000
