"""`kill -9` at random moments with orders under way: each is carried out once, in order, as the server's log and the crawl's file say."""

import asyncio
import random
import sqlite3
import time
from contextlib import closing

import pytest
from tests.crawl.local import catalogued, crawl_file, finish, kill, start

from thresher.disk.folder import CrawlFolder
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.orders.inbox import answers, give
from thresher.orders.order import First, GoOn, Label, Leave, More, Pause
from thresher.results.steer import answer_to
from thresher.urls import host_of

KILLS = 10
FIRST_PAGES = 200
UNDER_WAY = 1.5
"""Seconds in which pages that were under way may still be answered, on a busy machine."""


class Giver:
    """Gives orders at random, and remembers them."""

    def __init__(self, folder, dice):
        self.folder, self.dice = CrawlFolder(folder), dice
        self.given = {}

    def any_order(self):
        urls = catalogued(self.folder.path)
        kind = self.dice.choice(["more", "more", "label", "label", "pause", "leave", "first"] if urls else ["more"])
        match kind:
            case "more":
                return [More("pages", self.dice.randint(1, 5))]
            case "label":
                return [Label(self.dice.choice(urls), self.dice.choice([True, False, None]))]
            case "first":
                return [First(f"{self.dice.choice(urls)}?first={len(self.given)}")]
            case "leave":
                left = sum(isinstance(each, Leave) for each in self.given.values())
                return [Leave(host_of(urls[-1]))] if left < 3 else []
            case _:
                return [Pause(), GoOn()]

    async def give_some(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for order in self.any_order():
                self.given[await asyncio.to_thread(give, self.folder, order)] = order
                await asyncio.sleep(self.dice.uniform(0.0, 0.3))


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
async def test_orders_are_carried_out_once_and_in_order_through_kills(tmp_path, hands):
    web, dice = generate(size=3000, hosts=20, seed=3), random.Random(hands)
    path = tmp_path / "crawl"
    async with serve(web, delay=0.02) as server:
        budget = {"pages": FIRST_PAGES, "when_spent": "pause"}
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, workers=2, hands={"count": hands}, budget=budget)
        giver = Giver(path, dice)
        for _ in range(KILLS):
            process = start("crawl", crawl, "--quiet")
            while not (path / "crawl.toml").exists() and process.poll() is None:
                await asyncio.sleep(0.02)
            await giver.give_some(dice.uniform(1.0, 4.0))
            assert process.poll() is None, process.communicate()
            await asyncio.to_thread(kill, process)
        process = start("crawl", crawl, "--quiet")
        while not giver.folder.in_use():
            await asyncio.sleep(0.02)
        last = More("pages", 1)
        giver.given[give(giver.folder, last)] = last
        assert await asyncio.to_thread(answer_to, giver.folder, max(giver.given), 30)
        told = {each.number: each for each in answers(giver.folder)}
        process.terminate()
        assert await asyncio.to_thread(finish, process, 60) == 130
    check_answers(giver, told)
    check_budget(path, giver, told)
    check_labels(path, giver, told)
    check_left(server, giver, told)


def check_answers(giver, told):
    assert giver.given.keys() <= told.keys(), "every order was answered"
    times = [told[number].at for number in sorted(told)]
    assert times == sorted(times), "in order"
    assert len(giver.given) >= 3 * KILLS


def check_budget(path, giver, told):
    """What was given is counted once, through all kills."""
    amounts = [order.amount for number, order in giver.given.items() if isinstance(order, More) and told[number].done]
    with closing(sqlite3.connect(path / "crawl.sqlite")) as catalogue:
        (said,) = catalogue.execute("SELECT value FROM state WHERE name = 'orders/more'").fetchone()
    limit = FIRST_PAGES + sum(amounts)
    assert said == f'{{"pages": [{FIRST_PAGES}, {limit}]}}'.encode()
    assert len(amounts) > KILLS


def check_labels(path, giver, told):
    """The last label of each page is the one that is kept."""
    last = {
        order.url: order.relevant
        for number, order in sorted(giver.given.items())
        if isinstance(order, Label) and told[number].done
    }
    with closing(sqlite3.connect(path / "crawl.sqlite")) as catalogue:
        kept = dict(catalogue.execute("SELECT url, relevant FROM label"))
    assert {url: None if said is None else bool(said) for url, said in kept.items()} == last
    assert last


def check_left(server, giver, told):
    """Nothing was asked of a host once the order to leave it was answered."""
    left = {order.host: told[number].at for number, order in giver.given.items() if isinstance(order, Leave)}
    late = [each for each in server.log if each.at > left.get(each.host, each.at) + UNDER_WAY]
    assert not late
    assert left
