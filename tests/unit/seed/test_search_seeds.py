import asyncio
import traceback

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.online.engine_servers import KEY, URLS, EngineServers

from thresher.errors import BadInput, Missing, NoAnswer
from thresher.frontier.memory import MemoryFrontier
from thresher.install_hint import install_hint
from thresher.model import SEED, Candidate
from thresher.online.engines import BACKENDS, Searxng, Wikipedia
from thresher.seed.named_urls import spells_private
from thresher.seed.search_seeds import STANDINGS, find_seeds, queries_for
from thresher.seed.search_settings import Search
from thresher.topic import Topic
from thresher.topic.topic import Term
from thresher.urls import canonical

KEYS = ("BRAVE_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CX")


@pytest.fixture(autouse=True)
def no_keys_around(monkeypatch):
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


class Known:
    """An engine that knows its answers by heart."""

    def __init__(self, name, *lists):
        self.name = name
        self._answers = dict(zip(("one", "two", "three"), lists, strict=False))

    async def search(self, query, limit):
        answer = self._answers.get(query, "")
        if isinstance(answer, Exception):
            raise answer
        return [f"http://{name}/" for name in answer][:limit]


async def found(*engines, queries=("one",), limit=15):
    return await find_seeds(queries, engines, limit, pause=0)


async def standings(*engines, **more):
    return [(seed.url[7:-1], seed.standing, seed.rank) for seed in (await found(*engines, **more)).seeds]


async def test_what_several_engines_know_is_high_what_one_names_again_medium_and_the_rest_low():
    engines = Known("g", "ab", "x"), Known("y", "bc", "c"), Known("m", "d", "")
    assert await standings(*engines, queries=("one", "two")) == [
        ("b", "high", 1),
        ("c", "medium", 1),
        ("a", "low", 1),
        ("d", "low", 1),
        ("x", "low", 1),
    ]


async def test_a_rank_is_the_best_place_in_any_list_of_any_engine():
    engines = Known("g", "abc", "dce"), Known("y", "e")
    ranks = {name: rank for name, _, rank in await standings(*engines, queries=("one", "two"))}
    assert ranks == {"a": 1, "b": 2, "c": 2, "d": 1, "e": 1}


async def test_no_more_than_the_limit_is_asked_for():
    assert len((await found(Known("g", "abcdefgh"), limit=3)).seeds) == 3


async def test_an_engine_that_fails_is_named_and_skipped():
    result = await found(Known("g", NoAnswer("g: no answer within 1 s")), Known("y", "a"))
    assert result.urls == ["http://a/"]
    assert result.failed == {"g": "no answer within 1 s"}
    assert result.asked == ("g", "y")


async def test_what_an_engine_found_before_it_failed_counts():
    result = await found(Known("g", "ab", BadInput("g: the key is refused"), "c"), queries=("one", "two", "three"))
    assert result.urls == ["http://a/", "http://b/"]
    assert result.failed == {"g": "the key is refused"}


async def test_if_none_is_left_the_error_names_all_and_says_what_to_do(monkeypatch):
    monkeypatch.setattr("thresher.online.engines.metasearch.installed", lambda: False)
    with pytest.raises(NoAnswer) as caught:
        await found(Known("g", NoAnswer("g: out of order")), Known("y", ""))
    told = str(caught.value)
    assert "g: out of order" in told
    assert "y: found nothing" in told
    for way in ("--seed URL", install_hint("search"), "SearXNG"):
        assert way in told


async def test_nobody_is_told_to_install_what_is_installed(monkeypatch):
    monkeypatch.setattr("thresher.online.engines.metasearch.installed", lambda: True)
    with pytest.raises(NoAnswer, match="--seeds FILE, or run a SearXNG") as caught:
        await found(Known("g", ""))
    assert "pip install" not in str(caught.value)


async def test_without_an_engine_the_error_says_what_to_do():
    with pytest.raises(NoAnswer, match="no search engine to ask: give seeds yourself with --seed"):
        await found()


async def test_engines_are_asked_at_the_same_time():
    both = asyncio.Barrier(2)

    class Waiting(Known):
        async def search(self, query, limit):
            await both.wait()
            return await super().search(query, limit)

    async with asyncio.timeout(60):
        assert len((await found(Waiting("g", "a"), Waiting("y", "b"))).urls) == 2


async def test_a_private_address_is_no_seed_unless_allowed():
    engine = Known("g", ["10.0.0.1", "127.0.0.1:8000", "localhost", "[::1]", "169.254.169.254", "8.8.8.8", "a"])
    assert (await found(engine)).urls == ["http://8.8.8.8/", "http://a/"]
    assert len((await find_seeds(["one"], [engine], allow_private=True)).seeds) == 7


@pytest.mark.parametrize(
    "url", ["http://2130706433/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/", "http://x.localhost/"]
)
def test_a_private_address_is_known_in_any_spelling(url):
    assert spells_private(canonical(url))


async def test_the_frontier_lends_the_seeds_in_the_order_of_their_classes():
    engines = Known("g", "abcd"), Known("y", "dxyz"), Known("m", "zq")
    seeds = (await found(*engines)).urls
    frontier = MemoryFrontier(delay=0, per_host=1)
    await frontier.add(Candidate(url, SEED) for url in seeds)
    assert [claim.url for claim in await frontier.claim(len(seeds), 0.0)] == seeds


LISTS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=3, max_size=3)


@given(LISTS, LISTS)
def test_classes_come_in_order_and_ranks_in_order_within_a_class(mine, yours):
    async def check():
        try:
            seeds = (await found(Known("g", *mine), Known("y", *yours), queries=("one", "two", "three"))).seeds
        except NoAnswer:
            assert not any((*mine, *yours))
            return
        keys = [(STANDINGS.index(seed.standing), seed.rank) for seed in seeds]
        assert keys == sorted(keys)
        lists = {"g": mine, "y": yours}
        for seed in seeds:
            name = seed.url[7:-1]
            assert seed.engines == tuple(engine for engine in lists if any(name in each for each in lists[engine]))
            assert seed.rank == min(each.index(name) + 1 for engine in lists for each in lists[engine] if name in each)

    asyncio.run(check())


async def test_real_engines_over_http_agree_and_the_broken_one_is_named():
    async with EngineServers().running() as server:

        async def broken(request):
            return web.Response(status=500) if "w/api" in request.path else await server._searxng(request)

        server.before = [broken, broken]
        engines = [Searxng(server.at("/searx")), Wikipedia(server.at("/w/api.php"))]
        first = await find_seeds(["iris"], engines, 5)
        again = await find_seeds(["iris"], engines, 5)
    assert first.urls == again.urls == URLS[:5]
    assert {seed.standing for seed in first.seeds} == {"low"}
    assert "out of order" in first.failed["wikipedia"]
    assert {seed.standing for seed in again.seeds} == {"high"}


def topic(*terms):
    return Topic("x", tuple(Term(label, 1.0, tier) for label, tier in terms))


def test_a_topic_is_asked_for_by_its_phrases():
    assert queries_for("  iris   eye ") == ["iris eye"]
    assert queries_for("iris, uvea,") == ["iris", "uvea"]


def test_a_sense_is_asked_for_by_its_best_synonyms_too():
    names = ["bedwetting", "nocturnal enuresis", "enuresis, nocturnal", "sleep enuresis", "wetting of the bed"]
    concepts = topic(("bedwetting", "exact"), *((name, "synonym") for name in names), ("enuresis", "broader"))
    assert queries_for("bedwetting", concepts) == ["bedwetting", "nocturnal enuresis", "sleep enuresis"]


def test_a_sense_without_another_name_is_asked_for_with_what_is_broader():
    concepts = topic(("iris", "exact"), ("membrane", "broader"), ("tissue", "broader"), ("eye", "context"))
    assert queries_for("iris", concepts) == ["iris", "iris membrane"]


def test_a_topic_of_many_phrases_is_not_asked_for_endlessly():
    assert len(queries_for("a1, b2, c3, d4, e5, f6")) == 4


def test_by_default_all_engines_are_asked_that_can_be(monkeypatch):
    monkeypatch.setattr("thresher.online.engines.metasearch.installed", lambda: False)
    assert [each.name for each in Search().open_engines()] == ["wikipedia"]
    full = Search(searxng="http://127.0.0.1:8888", brave_key=KEY, google_key=KEY, google_cx="1:2")
    assert [each.name for each in full.open_engines()] == ["wikipedia", "searxng", "brave", "google"]


def test_keys_of_the_environment_count(monkeypatch):
    monkeypatch.setattr("thresher.online.engines.metasearch.installed", lambda: False)
    for name in KEYS:
        monkeypatch.setenv(name, KEY)
    assert [each.name for each in Search().open_engines()] == ["wikipedia", "brave", "google"]


def test_ddgs_stands_for_all_its_backends_or_for_one():
    pytest.importorskip("ddgs", reason="needs ddgs: pip install 'thresher[search]'")
    assert [each.name for each in Search(["ddgs"]).open_engines()] == [f"ddgs:{name}" for name in BACKENDS]
    assert [each.name for each in Search(["ddgs:mojeek"]).open_engines()] == ["ddgs:mojeek"]


@pytest.mark.parametrize(
    ("named", "lack"), [("searxng", "wants an address"), ("brave", "BRAVE_API_KEY"), ("google", "GOOGLE_API_KEY")]
)
def test_the_only_engine_that_is_named_must_have_what_it_needs(named, lack):
    with pytest.raises(Missing, match=lack):
        Search([named]).open_engines()


def test_if_all_engines_that_are_named_lack_something_the_error_names_each():
    with pytest.raises(Missing, match=r"(?s)brave: wants an API key.*searxng: wants an address"):
        Search(["brave", "searxng"]).open_engines()


@pytest.mark.parametrize("named", ["searxng", "brave", "google"])
async def test_an_engine_that_lacks_something_is_named_and_skipped_beside_others(named):
    async with EngineServers().running() as server:
        engines = Search(["wikipedia", named], wikipedia=server.at("/w/api.php")).open_engines()
        result = await find_seeds(["iris"], engines, 5)
    assert result.urls == URLS[:5]
    assert list(result.failed) == [named]
    assert result.failed[named].startswith("wants a")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"engines": ["altavista"]}, r"engines has 'altavista', but there are: wikipedia, ddgs, searxng"),
        ({"limit": 0}, "limit is 0, but must be from 1 to 100"),
        ({"timeout": 0.0}, "timeout is 0.0, but must be more than 0"),
        ({"timeout": float("nan")}, "timeout is nan"),
    ],
)
def test_a_wrong_key_of_the_table_is_told(table, words):
    with pytest.raises(BadInput, match=words):
        Search(**table)


def test_the_table_does_not_show_its_keys():
    assert KEY not in repr(Search(brave_key=KEY, google_key=KEY))
    with pytest.raises(BadInput) as caught:
        Search(["brave"], brave_key=f"{KEY}\n{KEY}").open_engines()
    assert KEY not in "".join(traceback.format_exception_only(caught.value))
