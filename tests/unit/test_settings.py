import pytest

from thresher.assembly import assembled
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.settings import Manners, Settings, read_crawl_file, settle_settings

IRIS = {"topic": "iris", "seeds": ["http://a.example/"]}


async def open_and_close(folder, wanted):
    folder = CrawlFolder(folder)
    async with assembled(folder, settle_settings(folder, wanted, "crawl.toml")):
        pass


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"workers": 0}, "workers is 0, but must be from 1 to 1000"),
        ({"workers": -3}, "workers is -3, but must be from 1 to 1000"),
        ({"workers": 1001}, "workers is 1001, but must be from 1 to 1000"),
        ({"workers": "many"}, "crawl.toml: workers is 'many', but must be a whole number"),
        ({"workers": True}, "crawl.toml: workers is True, but must be a whole number"),
        ({"topic": 3}, "crawl.toml: topic is 3, but must be text"),
        ({"seeds": [3]}, "seed: 3: not a text; a url in quotes is, such as 'https://example.org/'"),
        ({"seeds": "http://a.example/"}, "crawl.toml: seeds is 'http://a.example/', but must be a list of urls"),
        ({"budget": [{"pages": 1}]}, "crawl.toml: budget is a table, not [{'pages': 1}]"),
        ({"strategy": {"name": 3}}, "crawl.toml: strategy.name is 3, but must be text"),
        ({"budget": {"pages": -5}}, "[budget]: pages is -5, but must be at least 1"),
        ({"budget": {"pages": "5"}}, "[budget]: pages is '5', but must be a whole number"),
        ({"budget": {"dry_window": 0}}, "[budget]: dry_window is 0, but must be at least 1"),
        ({"budget": {"minutes": "abc"}}, "[budget]: minutes is 'abc', but must be a number"),
        ({"budget": {"minutes": -1}}, "[budget]: minutes is -1, but must be more than 0"),
        ({"judge": {"threshold": "high"}}, "judge 'terms': threshold is 'high', but must be a number"),
        ({"judge": {"threshold": 7}}, "judge 'terms': threshold is 7, but must be from 0 to 1"),
        ({"judge": {"mode": "magic"}}, "judge 'terms': mode is 'magic', but must be one of 'bm25', 'cosine'"),
        ({"fetch": {"types": "text/html"}}, "[fetch]: types is 'text/html', but must be a list of texts"),
        ({"fetch": {"max_bytes": "5MB"}}, "[fetch]: max_bytes is '5MB', but must be a whole number"),
        ({"fetch": {"read": -1}}, "[fetch]: read is -1, but must be more than 0 and finite"),
        ({"fetch": {"proxy": "nonsense"}}, "[fetch]: proxy is 'nonsense', but must be the url of a proxy"),
        (
            {"fetch": {"proxy": "gopher://h:1"}},
            "[fetch]: proxy is 'gopher://h:1', but must be the url of a proxy",
        ),
        ({"fetch": {"headers": {"X-A": 1}}}, "[fetch]: headers is not what it should be, but must be a table of texts"),
        ({"fetch": {"resolver": "8.8.8.8"}}, "[fetch] has no key 'resolver' (did you mean 'resolve'?)"),
        ({"polite": {"robots": "no"}}, "[polite]: robots is 'no', but must be true or false"),
        ({"polite": {"delay": "abc"}}, "[polite]: delay is 'abc', but must be a number"),
        ({"polite": {"delay": -1}}, "[polite]: delay is -1, but must be 0 or more seconds"),
        ({"polite": {"delay": float("inf")}}, "[polite]: delay is inf, but must be 0 or more seconds"),
        ({"polite": {"delay": float("nan")}}, "[polite]: delay is nan, but must be a number"),
        ({"polite": {"per_host": 0}}, "[polite]: per_host is 0, but must be at least 1"),
        ({"polite": {"contact": "a@b\nX: y"}}, r"[polite]: contact is 'a@b\nX: y', but must be one line"),
        ({"polite": {"contact": "me"}}, "[polite]: contact 'me' is neither a mail address nor a web address"),
        ({"scope": {"depth": "deep"}}, "[scope]: depth is 'deep', but must be a whole number"),
        ({"scope": {"domains": "a.example"}}, "[scope]: domains is 'a.example', but must be a list of texts"),
        ({"frontier": {"lease": "long"}}, "[frontier]: lease is 'long', but must be a number"),
        ({"store": {"prefix": "../../x"}}, "[store]: prefix is '../../x', but must be letters"),
        ({"store": {"rotate_bytes": 1.5}}, "[store]: rotate_bytes is 1.5, but must be a whole number"),
    ],
)
async def test_a_wrong_value_is_named_with_its_table_its_key_and_what_is_right(tmp_path, wanted, words):
    with pytest.raises(BadInput) as error:
        await open_and_close(tmp_path / "crawl", IRIS | wanted)
    assert str(error.value).startswith(words)
    assert not (tmp_path / "crawl" / "crawl.toml").exists()


async def test_right_values_of_every_table_are_taken(tmp_path):
    tables = {
        "workers": 1000,
        "strategy": "breadth-first",
        "judge": {"threshold": 1, "mode": "cosine"},
        "budget": {"pages": 1, "minutes": 2, "dry_share": 0},
        "polite": {"delay": 0, "robots": False, "contact": "Jürgen <j@b.example>"},
        "scope": {"domains": ["a.example"], "depth": 3},
        "frontier": {"cap": 10, "lease": 5},
        "fetch": {"types": ["text/html"], "read": 1, "proxy": "http://127.0.0.1:3128", "headers": {"X-A": "b"}},
        "store": {"prefix": "iris", "rotate_bytes": 1000},
    }
    await open_and_close(tmp_path / "crawl", IRIS | tables)
    await open_and_close(tmp_path / "crawl", {})
    kept = read_crawl_file(tmp_path / "crawl" / "crawl.toml")
    assert kept["strategy"] == {"name": "breadth-first"}
    for table in ("budget", "polite", "scope", "frontier", "fetch", "store"):
        assert kept[table] == tables[table]


def test_seeds_are_kept_in_canonical_form():
    assert Settings().with_changes({"seeds": ["HTTP://A.example", "http://a.example/"]}, "x").seeds == (
        "http://a.example/",
    )


def test_a_password_in_the_seeds_is_refused():
    with pytest.raises(BadInput, match="user name or password"):
        Settings().with_changes({"seeds": ["http://me:secret@a.example/"]}, "x")


def test_the_contact_stands_in_the_user_agent():
    assert Manners(contact="a@b.example").user_agent.endswith(" (+a@b.example)")


@pytest.mark.parametrize(
    ("kept", "wanted", "words"),
    [
        (
            {"knowledge": {"senses": ["iris.n.02"]}},
            {"knowledge": {"senses": ["iris.n.01"]}},
            "knowledge.senses 'iris.n.02', not 'iris.n.01'",
        ),
        ({"knowledge": {"senses": ["E:1"]}}, {"knowledge": {"senses": []}}, "knowledge.senses 'E:1', not none"),
        ({}, {"knowledge": {"terms": "own.toml"}}, "knowledge.terms none, not '"),
        ({}, {"judge": {"threshold": 0.2}}, "judge.threshold none, not 0.2"),
        (
            {"strategy": {"name": "fish", "width": 3}},
            {"strategy": "breadth-first"},
            "strategy 'fish', not 'breadth-first'",
        ),
        ({}, {"topic": "pupil"}, "topic 'iris', not 'pupil'"),
    ],
)
def test_a_folder_of_another_crawl_is_refused_with_what_differs(tmp_path, kept, wanted, words):
    folder = CrawlFolder(tmp_path)
    folder.write_settings(Settings().with_changes(IRIS | kept, "x").as_toml())
    with pytest.raises(BadInput) as error:
        settle_settings(folder, wanted, "the command line")
    assert str(error.value).startswith(f"{tmp_path} is a crawl with {words}")
    assert str(error.value).endswith(": choose another --into")


async def test_new_seeds_join_those_that_are_there(tmp_path):
    await open_and_close(tmp_path, IRIS)
    more = {"seeds": ["http://b.example/", "http://a.example/"]}
    await open_and_close(tmp_path, more)
    await open_and_close(tmp_path, more)
    assert read_crawl_file(tmp_path / "crawl.toml")["seeds"] == ["http://a.example/", "http://b.example/"]
