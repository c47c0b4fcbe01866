"""A worker on a frontier in PostgreSQL, as a process of its own, which a test may kill, stop or cut off.

    python -m tests.postgres_worker URL SCHEMA DURABILITY LOG [stop-once]

It crawls a closed web that it makes up, and writes into its log when each request began and ended, and what became of the claim. What it
keeps goes into the table `kept`, in the transaction of the settle, as a store does it.
"""

import asyncio
import os
import random
import signal
import sys
import time

from thresher.disk.postgres_ledger import PostgresLedger, no_writes
from thresher.frontier.postgres import PostgresFrontier
from thresher.model import Candidate, Outcome, Url

HOSTS, PAGES = 30, 40
OPTIONS = {"delay": 0.05, "lease": 3.0, "spread": 0, "crash_rest": 2.0}


def url(host: int, page: int) -> Url:
    return Url(f"https://h{host}.example/p{page}")


SEEDS = [url(0, 0), url(1, 0)]


def links(source: Url) -> list[Candidate]:
    """The links of a page: always the same, and together they reach all pages."""
    host, page = int(source[9 : source.index(".")]), int(source.rpartition("p")[2])
    draw = random.Random(source)
    targets = [(host, (2 * page + step) % PAGES) for step in (1, 2)] + [
        ((2 * host + step) % HOSTS, page) for step in (0, 1)
    ]
    targets += [(draw.randrange(HOSTS), draw.randrange(PAGES)) for _ in range(8)]
    return [Candidate(url(*target), draw.random(), 1, source, "a link") for target in targets]


def reachable() -> set[Url]:
    found, todo = set(SEEDS), list(SEEDS)
    while todo:
        new = {link.url for link in links(todo.pop())} - found
        found |= new
        todo += new
    return found


class Log:
    """Lines that are in the file as soon as they are written, whatever becomes of the process."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, *words: object) -> None:
        os.write(self._file, (" ".join(map(str, words)) + "\n").encode())


async def counted(frontier: PostgresFrontier, sql: str, *values: object) -> int:
    rows = await frontier._patiently(lambda: frontier.ledger.awaited_turn(sql, values, no_writes()))
    return rows[0][0]


async def work(address: str, schema: str, durability: str, log: Log, *, stop_once: bool) -> None:
    frontier = PostgresFrontier(PostgresLedger(address, schema=schema, durability=durability), **OPTIONS)
    draw, idle = random.Random(), 0
    log("joined", "-", 0)
    while idle < 100:
        claims = await frontier.claim(2, time.time())
        if not claims:
            census = frontier.census()
            idle = idle + 1 if not census.waiting + census.claimed else 0
            await asyncio.sleep(0.02)
        for claim in claims:
            if not frontier.holds(claim):
                continue
            log("lent", claim.url, claim.expires)
            log("asked", claim.url, time.time())
            await asyncio.sleep(draw.uniform(0, 0.02))
            log("answered", claim.url, time.time())
            if stop_once:
                stop_once = False
                os.kill(os.getpid(), signal.SIGSTOP)
            frontier.ledger.write("INSERT INTO kept (url, process) VALUES (%s, %s)", (claim.url, os.getpid()))
            await frontier.settle(claim, Outcome("page"), links(claim.url), time.time())
            after = await counted(
                frontier, "SELECT count(*) FROM kept WHERE url = %s AND process = %s", claim.url, os.getpid()
            )
            log("settled" if after else "refused", claim.url, time.time())


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:4], Log(sys.argv[4]), stop_once="stop-once" in sys.argv))
