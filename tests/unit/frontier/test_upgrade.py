"""A file that was written in format 1 (`format_1.sql`, dumped from a crawl that was killed) is read, opened and gone on with."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from thresher.disk.ledger import VERSION, Ledger
from thresher.errors import FolderError
from thresher.frontier import SqliteFrontier, sqlite, upgrade
from thresher.frontier.keys import first_key, key_of
from thresher.frontier.reading import host_names, is_known, place_of, urls_of_host, waiting
from thresher.model import Candidate, Url
from thresher.testing.frontier_hosts import PAGE
from thresher.urls import host_of

DUMP = Path(__file__).with_name("format_1.sql").read_text("utf-8")
TO_DO = "SELECT seq, url, priority, depth, anchor, chain, tries FROM url WHERE state < 2 ORDER BY priority DESC, seq"
FOUND_ON = "SELECT page.url FROM url JOIN url AS page ON page.seq = url.parent WHERE url.url = ?"


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "crawl.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMP)
        connection.execute("PRAGMA user_version=1")
    return path


def asked(path, sql, *values):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, values).fetchall()


async def all_claims(frontier):
    """Everything that waits, in the order in which it is lent, whatever host must rest."""
    claims, now = [], 1000.0
    while (due := frontier.due()) is not None:
        now = max(now, due)
        for claim in await frontier.claim(1, now):
            claims.append(claim)
            await frontier.settle(claim, PAGE, [], now)
    return claims


async def test_all_that_waited_or_was_lent_is_lent_in_the_old_order(old):
    expected = asked(old, TO_DO)
    frontier = SqliteFrontier(Ledger(old), delay=0)
    claims = await all_claims(frontier)
    by_host = [sorted(claims, key=lambda claim: claim.host), sorted(expected, key=lambda row: row[1].split("/")[2])]
    assert [claim.url for claim in by_host[0]] == [row[1] for row in by_host[1]]
    told = [(c.number, c.url, *c.candidate[1:3], c.candidate.anchor, c.candidate.chain, c.tries) for c in claims]
    chains = [(*row[:4], row[4] or "", tuple((row[5] or "").split()), row[6]) for row in expected]
    assert sorted(told) == sorted(chains)
    assert any(claim.tries for claim in claims)
    frontier.ledger.close()


async def test_a_url_still_names_the_page_it_was_found_on(old):
    (parent,) = asked(old, FOUND_ON, "https://a.example/53")[0]
    frontier = SqliteFrontier(Ledger(old), delay=0)
    claims = {claim.url: claim.candidate for claim in await all_claims(frontier)}
    assert claims["https://a.example/53"].parent == parent
    frontier.ledger.close()


async def test_what_was_settled_stays_settled_and_hosts_are_as_they_were(old):
    (settled,) = asked(old, "SELECT count(*) FROM url WHERE state = 2")[0]
    done = asked(old, "SELECT url FROM url WHERE state = 2")
    frontier = SqliteFrontier(Ledger(old), delay=0)
    assert frontier.census().settled == settled
    assert await frontier.add(Candidate(Url(url), 99.0) for (url,) in done) == 0
    assert frontier._calendar[1].delay == 2.0
    frontier.ledger.close()


async def test_an_upgraded_file_can_be_closed_and_opened_again(old):
    frontier = SqliteFrontier(Ledger(old), delay=0)
    before = frontier.census()
    frontier.ledger.close()
    assert asked(old, "PRAGMA user_version") == [(VERSION,)]
    again = SqliteFrontier(Ledger(old), delay=0)
    assert again.census() == before
    assert len(await all_claims(again)) == before.waiting
    again.ledger.close()


@pytest.mark.parametrize("step", range(len(upgrade._STEPS)))
def test_an_upgrade_that_is_cut_short_leaves_the_old_file_whole(old, monkeypatch, step):
    before = asked(old, "SELECT * FROM url ORDER BY seq"), asked(old, "SELECT * FROM host ORDER BY number")
    with monkeypatch.context() as patch:
        steps = (*upgrade._STEPS[: step + 1], "SELECT power_cut()")
        patch.setattr(upgrade, "_STEPS", steps)
        ledger = Ledger(old)
        with pytest.raises(FolderError, match="power_cut"):
            SqliteFrontier(ledger)
        ledger._connection.close()
    assert (asked(old, "SELECT * FROM url ORDER BY seq"), asked(old, "SELECT * FROM host ORDER BY number")) == before
    frontier = SqliteFrontier(Ledger(old))
    assert frontier.census().waiting == len([row for row in before[0] if row[3] < 2])
    frontier.ledger.close()


async def test_of_two_urls_with_one_key_one_stays_and_nobody_waits_for_the_other(old, monkeypatch):
    for module in (upgrade, sqlite):
        monkeypatch.setattr(module, "key_of", lambda url: first_key(host_of(url)) | key_of(url) & 15)
    (count,) = asked(old, "SELECT count(*) FROM url WHERE state < 2")[0]
    frontier = SqliteFrontier(Ledger(old))
    left = frontier.census().waiting
    assert 0 < left < count
    assert len(await all_claims(frontier)) == left
    frontier.ledger.close()


def test_readers_read_the_old_format_as_it_is(old):
    with closing(sqlite3.connect(f"file:{old}?mode=ro", uri=True)) as connection:
        read = connection.execute
        (count,) = read("SELECT count(*) FROM url WHERE state < 2").fetchone()
        assert waiting(read) == count
        assert is_known(read, Url("https://a.example/53"))
        assert not is_known(read, Url("https://a.example/nowhere"))
        assert sorted(host_names(read)) == ["a.example", "b.example", "c.example"]
        assert Url("https://c.example/27") in urls_of_host(read, "c.example")
        place = place_of(read, Url("https://c.example/27"), {})
        assert (place.candidate.parent, place.candidate.anchor) == ("https://d.example/1", "anchor 4")


def test_readers_find_the_same_in_the_new_format(old):
    urls = [Url(url) for (url,) in asked(old, "SELECT url FROM url WHERE state = 0")]
    with closing(sqlite3.connect(old)) as connection:
        before = [place_of(connection.execute, url, {}) for url in urls]
    frontier = SqliteFrontier(Ledger(old))
    frontier.ledger.commit()
    after = [place_of(frontier.ledger.read, url, {}) for url in urls]
    # What was lent waits again, so that some places are further back.
    assert [place[:4] for place in after] == [place[:4] for place in before]
    assert all(new.before >= old.before for new, old in zip(after, before, strict=True))
    frontier.ledger.close()
