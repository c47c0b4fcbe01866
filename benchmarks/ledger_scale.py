"""How SQLite and PostgreSQL bear millions of urls, side by side: adds and turns a second, CPU on both sides, bytes a url.

    python benchmarks/ledger_scale.py --urls 1000000 --processes 1 2 4

A turn is what a crawl asks of its ledger for a page: a claim, a row in the catalogue with the totals and the search for duplicates, a
record of a few kilobytes in a WARC file, and a settle with 63 links, of the web of `frontier_scale.py`. PostgreSQL is started for it in a
temporary folder, with asynchronous commit (`--durability safe` for the other). Each process is a worker with one connection.
Turns are made one by one, and with 16 pages under way at a time, as a crawl makes them: then the server works on one page while the worker
works on the next. What it takes to invent pages and links is counted too; it stands for fetching and reading them, which takes longer.
On a busy machine the clock says little: CPU time is told beside it.
"""

import argparse
import asyncio
import itertools
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from frontier_scale import Stopwatch, Web, batches, host_of

from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier
from thresher.model import Claim, Judgement, Outcome, Page, Response, Visit
from thresher.store.catalogue import Catalogue

sys.path.append(str(Path(__file__).parents[1]))
from tests.postgres_server import PostgresServer, why_not

SIZE = """
    SELECT sum(pg_total_relation_size(c.oid))::float8, sum(pg_total_relation_size(c.oid)) FILTER (WHERE relname = 'url')::float8
    FROM pg_class AS c WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"""


MOMENTS = itertools.count(1)
"""The time that is turned, and the numbers of visits: no two are the same, however often turns are measured."""


async def filled(frontier, web: Web, urls: int) -> Stopwatch:
    """Add so many urls, a thousand at a time."""
    watch = Stopwatch()
    for batch in batches(urls, 1000):
        fresh = web.fresh(batch)
        with watch:
            await frontier.add(fresh)
    return watch


def visited(claim: Claim, number: int) -> Visit:
    """A page of some kilobytes, which repeats no other."""
    body = f"<title>{claim.url}</title>{' '.join(claim.url for _ in range(60))}".encode()
    response = Response(
        claim.url, 200, ((b"Content-Type", b"text/html"),), body, body, b"GET / HTTP/1.1\r\n\r\n", 1.7e9
    )
    page, judgement = Page(claim.url, title=claim.url, text="iris"), Judgement(0.2, relevant=False)
    return Visit(claim, number, 1.7e9, response, Outcome("page"), page, judgement)


async def turned(frontier, store, web: Web, turns: int, under_way: int) -> Stopwatch:
    """Make so many turns, with so many pages under way at a time."""
    left, watch = iter(range(turns)), Stopwatch()
    with watch:
        await asyncio.gather(*(some_turned(frontier, store, web, left) for _ in range(under_way)))
    return watch


async def some_turned(frontier, store, web: Web, left: Iterator[int]) -> None:
    look_up = getattr(store, "look_up", None)
    for _ in left:
        while not (claims := await frontier.claim(1, float(next(MOMENTS)))):
            pass
        [claim] = claims
        found, visit = web.links(host_of(claim.url), claim.url), visited(claim, next(MOMENTS))
        if look_up is not None:
            await look_up(visit.fetched)
        await store.keep(visit)
        await frontier.settle(claim, Outcome("page"), found, float(next(MOMENTS)))


def at_a_time(under_way: int) -> str:
    return f"{under_way} pages under way" if under_way > 1 else "one page at a time"


def sqlite(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger, web = Ledger(Path(folder) / "crawl.sqlite"), Web(options.hosts)
        frontier = SqliteFrontier(ledger, delay=0)
        adding = asyncio.run(filled(frontier, web, options.urls))
        ledger.commit()
        store = Catalogue(ledger, Path(folder) / "warc")
        turning = [asyncio.run(turned(frontier, store, web, options.turns, each)) for each in options.under_way]
        store.close()
        ledger.close()
        size = (Path(folder) / "crawl.sqlite").stat().st_size / sum(web.known)
    adds = options.urls / adding.wall
    print(
        f"SQLite      {options.urls:>11,} urls  {adds:,.0f} adds/s ({adding.cpu / options.urls * 1e6:.0f} µs of CPU)  {size:.0f} bytes/url"
    )
    for under_way, watch in zip(options.under_way, turning, strict=True):
        turns, cpu = options.turns / watch.wall, watch.cpu / options.turns * 1e3
        print(f"  1 process, {at_a_time(under_way)}: {turns:,.0f} turns/s, {cpu:.2f} ms of CPU a turn")


def postgres_frontier(url: str, durability: str):
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
    from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

    return PostgresFrontier(PostgresLedger(url, schema="bench", durability=durability), delay=0)


def postgres_store(ledger, folder: str):
    from thresher.disk.postgres_tables import PostgresTables  # noqa: PLC0415 - psycopg is an extra
    from thresher.orders.shared_workplace import SharedStoreOptions  # noqa: PLC0415
    from thresher.store.shared_catalogue import SharedCatalogue  # noqa: PLC0415

    files = SharedStoreOptions(place=folder).writer(ledger)
    ledger.before_turn.append(files.flush)
    return SharedCatalogue(PostgresTables(ledger), files, dict)


def worker(number: int, url: str, options: argparse.Namespace, known: list[int], meeting) -> None:
    frontier, web = postgres_frontier(url, options.durability), Web(options.hosts)
    web.known, web.random = known, random.Random(number)
    fresh, (ready, told) = itertools.count(), meeting
    # Each process invents pages of its own.
    web._new = lambda host: web._link(host, 10_000_000 + next(fresh) * 1024 + number)  # noqa: SLF001
    with tempfile.TemporaryDirectory() as folder:
        store = postgres_store(frontier.ledger, folder)
        ready.wait()
        watch = asyncio.run(turned(frontier, store, web, options.turns // options.workers, options.at_a_time))
        told.put((watch.wall, watch.cpu))
        store.close()
    frontier.ledger.close()


def postgres(server: PostgresServer, options: argparse.Namespace) -> None:
    url, web = server.url(), Web(options.hosts)
    frontier, before = postgres_frontier(url, options.durability), server.cpu_seconds()
    adding = asyncio.run(filled(frontier, web, options.urls))
    cpu = server.cpu_seconds() - before
    [(all_bytes, url_bytes)] = frontier.ledger.read(SIZE)
    frontier.ledger.read("VACUUM ANALYZE")  # as the server would by itself, in the middle of one of the measurements
    frontier.ledger.close()
    ours, theirs = adding.cpu / options.urls * 1e6, cpu / options.urls * 1e6
    print(
        f"PostgreSQL  {options.urls:>11,} urls  {options.urls / adding.wall:,.0f} adds/s ({ours:.0f} µs of CPU in the worker, "
        f"{theirs:.0f} in the server)  {url_bytes / options.urls:.0f} bytes/url, with hosts {all_bytes / options.urls:.0f}",
        flush=True,
    )
    seeds = itertools.count(1)
    for under_way, processes in itertools.product(options.under_way, options.processes):
        measured(server, argparse.Namespace(**vars(options), workers=processes, at_a_time=under_way), web.known, seeds)


def measured(server: PostgresServer, options: argparse.Namespace, known: list[int], seeds) -> None:
    spawn = multiprocessing.get_context("spawn")
    ready, told = spawn.Barrier(options.workers), spawn.Queue()
    each = [
        spawn.Process(target=worker, args=(next(seeds), server.url(), options, known, (ready, told)))
        for _ in range(options.workers)
    ]
    before = server.cpu_seconds()
    for process in each:
        process.start()
    results = [told.get(timeout=3600) for _ in each]
    for process in each:
        process.join(60)
    cpu, turns = server.cpu_seconds() - before, options.turns // options.workers * options.workers
    wall, ours = max(result[0] for result in results), sum(result[1] for result in results)
    workers = "1 process" if options.workers == 1 else f"{options.workers} processes"
    print(
        f"  {workers}, {at_a_time(options.at_a_time)}: {turns / wall:,.0f} turns/s, "
        f"{ours / turns * 1e3:.2f} ms of CPU a turn in the worker, {cpu / turns * 1e3:.2f} in the server",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000, help="waiting urls to begin with")
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=3_000, help="turns to measure, of all processes together")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--under-way", type=int, nargs="+", default=[1, 16], help="pages that a process has under way")
    parser.add_argument("--durability", choices=["fast", "safe"], default="fast")
    parser.add_argument("--only", choices=["sqlite", "postgres"])
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.urls, options.hosts, options.turns, options.processes = 5_000, 200, 200, [1, 2]
    if options.only != "postgres":
        sqlite(options)
    if options.only == "sqlite":
        return
    if why := why_not():
        print(f"PostgreSQL  not measured: {why}")
        return
    server = PostgresServer(
        fsync="on", full_page_writes="on", shared_buffers="256MB", autovacuum_naptime="1min", max_wal_size="4GB"
    )
    try:
        postgres(server, options)
    finally:
        server.close()


if __name__ == "__main__":
    main()
