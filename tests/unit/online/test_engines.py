import asyncio
import traceback

import pytest
from aiohttp import web
from tests.unit.online.engine_servers import CX, KEY, URLS, EngineServers

from thresher.errors import BadInput, Missing, NoAnswer
from thresher.online.engines import Brave, Google, Searxng, Wikipedia
from thresher.online.engines.engine import MOST_BYTES

MAKERS = {
    "wikipedia": lambda server, **more: Wikipedia(server.at("/w/api.php"), **more),
    "searxng": lambda server, **more: Searxng(server.at("/searx"), **more),
    "brave": lambda server, key=KEY, **more: Brave(key, base=server.at("/res/v1/web/search"), **more),
    "google": lambda server, key=KEY, **more: Google(key, CX, base=server.at("/customsearch/v1"), **more),
}


@pytest.fixture(autouse=True)
def no_keys_around(monkeypatch):
    for name in ("BRAVE_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CX"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def server():
    async with EngineServers().running() as server:
        yield server


@pytest.fixture(params=MAKERS)
def make(request, server):
    return lambda **more: MAKERS[request.param](server, **more)


async def problem(engine, kind=NoAnswer, limit=5):
    with pytest.raises(kind) as caught:
        await engine.search("iris", limit)
    if engine.name in {"brave", "google"}:
        assert KEY[:12] not in "".join(traceback.format_exception(caught.value))
    assert str(caught.value).startswith(f"{engine.name}: ")
    return str(caught.value)


@pytest.mark.parametrize("limit", [1, 5, 10, 15, 20])
async def test_it_gives_so_many_urls_in_the_order_of_their_rank(make, limit):
    assert await make().search("iris eye", limit) == URLS[:limit]


async def test_it_sends_the_words_and_says_who_asks(make, server):
    await make(user_agent="Thresher/9 (+me@example.org)").search("iris & 'eye' ü", 5)
    asked = server.asked[0]
    words = asked.query.get("gsrsearch") or asked.query["q"]
    assert (words, asked.headers["User-Agent"]) == ("iris & 'eye' ü", "Thresher/9 (+me@example.org)")


async def test_nothing_found_is_an_answer(make, server):
    server.urls = []
    assert await make().search("iris", 15) == []


async def test_no_more_is_asked_for_than_there_is(make, server):
    server.urls = URLS[:12]
    assert await make().search("iris", 20) == URLS[:12]
    assert len(server.asked) <= 3


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refusal_says_whether_it_is_about_a_key(make, server, status):
    server.before = [web.Response(status=status, text=f"go away {KEY}")]
    engine = make()
    with_key = engine.name in {"brave", "google"}
    told = await problem(engine, BadInput if with_key else NoAnswer)
    assert ("the API key is refused" if with_key else "we are refused") in told
    assert "go away" in told


@pytest.mark.parametrize("name", ["brave", "google"])
async def test_a_key_is_not_shown_in_halves_either(server, name):
    server.before = [web.Response(status=500, text=f"{'x' * 190}{KEY}")]
    assert "***" in await problem(MAKERS[name](server))


async def test_a_limit_that_is_reached_is_told_with_the_wait(make, server):
    server.before = [web.Response(status=429, headers={"Retry-After": "60"}, text="slow down")]
    told = await problem(make())
    assert "the limit of requests is reached; it asks to wait 60 s (status 429): slow down" in told


async def test_a_broken_server_is_told(make, server):
    server.before = [web.Response(status=500, text="oh\x1b[31m no")]
    assert "out of order (status 500): oh [31m no" in await problem(make())


@pytest.mark.parametrize("body", ["<html>Please log in</html>", "", "{", "[" * 100_000])
async def test_an_answer_that_is_not_json_is_told(make, server, body):
    server.before = [web.Response(text=body)]
    assert "the answer is not JSON" in await problem(make())


NONSENSE = [
    [],
    {"query": [], "results": 1, "web": [], "items": "x"},
    {"query": {"pages": [1]}, "results": ["x"], "web": {"results": [1]}, "items": [None]},
]


@pytest.mark.parametrize("answer", NONSENSE)
async def test_json_of_another_shape_is_told(make, server, answer):
    server.before = [web.json_response(answer)]
    assert "not as documented" in await problem(make())


async def test_results_of_another_shape_are_passed_over(make, server):
    odd = [{"title": "no url"}, {"url": 5, "link": 5, "fullurl": 5}, None, "http://b/", ["http://c/"]]
    good = {"url": "http://a/", "link": "http://a/", "fullurl": "http://a/", "index": 1}
    found = {"results": [*odd, good]}
    server.before = [
        web.json_response({**found, "web": found, "items": [*odd, good], "query": {"pages": [*odd, good]}})
    ]
    assert (await make().search("iris", 3))[0] == "http://a/"


async def test_a_silent_server_is_not_waited_for(make, server):
    async def silent(_request):
        await asyncio.sleep(1)

    server.before = [silent]
    assert "no answer within 0.1 s" in await problem(make(timeout=0.1))


async def test_an_endless_answer_is_cut(make, server):
    server.before = [web.Response(body=b" " * (MOST_BYTES + 1))]
    assert "more than" in await problem(make())


async def test_a_server_that_hangs_up_is_told(make, server):
    async def hang_up(request):
        request.transport.abort()

    server.before = [hang_up, hang_up]
    assert "the connection broke" in await problem(make())


async def test_a_redirect_is_not_followed(make, server):
    server.before = [web.Response(status=302, headers={"Location": f"http://127.0.0.1:1/?k={KEY}"})]
    assert "sends us elsewhere, to http://127.0.0.1:1/" in await problem(make())
    assert len(server.asked) == 1


async def test_a_machine_that_is_not_there_is_told(make, server):
    engine = make()
    await server._server.close()
    assert "cannot be reached" in await problem(engine)


@pytest.mark.parametrize("name", ["brave", "google"])
async def test_a_wrong_key_is_refused_and_not_repeated(server, name):
    wrong = "not-the-key-1234"
    with pytest.raises(BadInput, match="the API key is refused") as caught:
        await MAKERS[name](server, key=wrong).search("iris", 5)
    assert wrong not in "".join(traceback.format_exception(caught.value))


def test_a_missing_key_is_told_with_where_to_put_it():
    with pytest.raises(Missing, match=r"brave: wants an API key: set BRAVE_API_KEY, or search.brave_key"):
        Brave()
    with pytest.raises(Missing, match="google: wants an API key: set GOOGLE_API_KEY and GOOGLE_CX"):
        Google()
    with pytest.raises(Missing, match=r"google: wants the id of a search engine \(cx\)"):
        Google(KEY)


def test_what_cannot_be_a_key_is_told_without_it():
    with pytest.raises(BadInput, match="that is not an API key") as caught:
        Brave("my secret\nkey")
    assert "secret" not in str(caught.value)


async def test_keys_come_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_CX", CX)
    assert await Brave(base=server.at("/res/v1/web/search")).search("iris", 3) == URLS[:3]
    assert await Google(base=server.at("/customsearch/v1")).search("iris", 3) == URLS[:3]


def test_a_key_does_not_travel_unencrypted():
    with pytest.raises(BadInput, match="the API key would travel unencrypted"):
        Brave(KEY, base="http://brave.example/search")


@pytest.mark.parametrize("base", ["searx.example", "ftp://searx.example", "", "http://"])
def test_an_address_that_is_none_is_told(base):
    with pytest.raises(BadInput, match=r"searxng: .* is no address of an API"):
        Searxng(base)


async def test_the_errors_that_wikipedia_sends_with_status_200_are_told(server):
    server.before = [web.json_response({"error": {"code": "ratelimited", "info": "You've exceeded your rate limit."}})]
    assert "the limit of requests is reached: ratelimited You've" in await problem(MAKERS["wikipedia"](server))
    server.before = [web.json_response({"error": {"code": "cirrussearch-backend-error", "info": "try later"}})]
    assert "cirrussearch-backend-error try later" in await problem(MAKERS["wikipedia"](server))


async def test_a_searxng_without_json_is_told_how_to_switch_it_on(server):
    server.before = [web.Response(status=403)]
    assert "formats: [html, json]" in await problem(MAKERS["searxng"](server))


async def test_a_searxng_whose_engines_are_all_silent_is_no_answer(server):
    silent = {"results": [], "unresponsive_engines": [["google", "CAPTCHA"], ["bing", "timeout"]]}
    server.before = [web.json_response(silent)]
    assert "do not answer: google CAPTCHA, bing timeout" in await problem(MAKERS["searxng"](server))


@pytest.mark.parametrize("name", ["searxng", "google"])
async def test_a_second_page_that_fails_takes_nothing_from_the_first(server, name):
    async def good(request):
        return await getattr(server, f"_{name}")(request)

    server.before = [good, web.Response(status=429)]
    assert await MAKERS[name](server).search("iris", 15) == URLS[:10]


async def test_google_says_that_the_day_is_over_with_a_403(server):
    error = {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}], "message": "Daily Limit Exceeded"}
    server.before = [web.json_response({"error": error}, status=403)]
    assert "the limit of requests is reached" in await problem(MAKERS["google"](server))
