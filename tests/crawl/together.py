"""One crawl by several workers, as real processes: PostgreSQL, a web on loopback, `thresher crawl --ledger` and `thresher work`.

What the workers did is judged from the log of the web's own server, and from the tables.
"""

import contextlib
import io
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import psycopg
from tests.crawl.irises import served
from tests.crawl.local import crawl_file
from warcio.archiveiterator import ArchiveIterator

from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_home import PostgresHome
from thresher.pauses import PAUSED, Paused
from thresher.warc.format import Place
from thresher.warc.reader import Playback
from thresher.warc.record_files import record_files

PATIENCE = 90.0
_CLOCK = 0.002
"""Seconds by which two readings of a clock may differ: one of the web's server, one of PostgreSQL."""


class Worker:
    """A `thresher` process. What it says goes to files, so that no pipe is ever full."""

    def __init__(self, folder, *arguments, before=(), environment=None):
        number = len(list(folder.glob("*.err")))
        self.err, self.out = folder / f"{number}.err", folder / f"{number}.out"
        command = [*before, sys.executable, "-m", "thresher", *map(str, arguments)]
        with self.err.open("wb") as err, self.out.open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=err, env={**os.environ, **(environment or {})})
        self.pid = self.process.pid

    @property
    def runs(self):
        return self.process.poll() is None

    @property
    def said(self):
        return self.err.read_text(errors="replace")

    def send(self, number):
        if self.runs:
            self.process.send_signal(number)

    def kill(self):
        """`kill -9`, and wait until it is gone."""
        self.send(signal.SIGKILL)
        self.process.wait()

    def end(self, seconds=PATIENCE):
        """Its exit code, when it has ended by itself."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"a worker does not end: {self.said}") from None


class SharedCrawl:
    """One crawl, its workers, and what is known of it afterwards."""

    def __init__(self, address, web, server, folder, *, delay=0.0, **tables):
        """Say where PostgreSQL is (with ?schema=), which web is served where, and the tables of the crawl file."""
        self.address, self.web, self.server, self.delay = address, web, server, delay
        self.folder, self.said = folder, folder / "said"
        self.said.mkdir()
        frontier = {"lease": 8.0, "spread": 0} | tables.pop("frontier", {})
        polite = {"delay": delay} | tables.pop("polite", {})
        tables = {"workers": 4, "strategy": {"name": "best-first"}} | tables
        self.file = crawl_file(folder / "crawl.toml", web, server.port, polite=polite, frontier=frontier, **tables)
        self.schema = LedgerAddress.of(address).schema
        self.workers = []
        self.in_flight = Counter()
        """Urls that were lent to a worker in the moment it was killed, and how often."""
        self.robbed = 0
        """How many workers were killed while they held something."""

    def begin(self, *more, **options):
        """`thresher crawl FILE --ledger …`, and wait until it works: others can join then."""
        before = len(self.server.log)
        first = self._started("crawl", self.file, "--ledger", self.address, "--quiet", *more, **options)
        self.until(lambda: len(self.server.log) > before or not first.runs)
        return first

    def go_on(self):
        """`thresher crawl ADDRESS`."""
        return self._started("crawl", self.address, "--quiet")

    def begin_with(self, fellows, *more, **options):
        """Begin with so many fellow workers. All are there before much is fetched, however long they take to start.

        Options are those of `join`; a list gives one to each.
        """
        pace, self.server.delay = self.server.delay, 1.0
        team = [self.begin(*more)]
        pause = Paused("until all are there", time.time()).to_bytes()
        self.ask(
            "INSERT INTO state VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value", PAUSED, pause
        )
        for number in range(fellows):
            own = {key: each[number] if isinstance(each, list) else each for key, each in options.items()}
            team.append(self.join(*more, **own))
        self.until(lambda: len(self.at_work()) == len(team))
        self.server.delay = pace
        self.ask("DELETE FROM state WHERE name = %s", PAUSED)
        return team

    def at_work(self):
        """The processes of the workers that are there, as the server knows them."""
        return {int(name.rpartition(":")[2]) for (name,) in self.ask("SELECT name FROM at_work WHERE name <> ''")}

    def busy(self):
        """The processes of the workers that hold a page, or were killed a moment ago and held one."""
        held = self.ask("SELECT DISTINCT slot.name FROM lease JOIN slot ON slot.number = lease.slot")
        return {int(name.rpartition(":")[2]) for (name,) in held}

    def join(self, *more, address=None, **options):
        """`thresher work …`."""
        return self._started("work", address or self.address, "--quiet", *more, **options)

    def _started(self, *arguments, **options):
        worker = Worker(self.said, *arguments, **options)
        self.workers.append(worker)
        return worker

    def run(self, *arguments, seconds=PATIENCE):
        """Another command, to its end."""
        command = [sys.executable, "-m", "thresher", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)

    def close(self):
        for worker in self.workers:
            worker.send(signal.SIGCONT)
            worker.kill()

    # ── what happens to it ──

    def kill(self, worker):
        """`kill -9`; what it held is noted."""
        worker.kill()
        held = self.held_by(worker)
        self.in_flight.update(held)
        self.robbed += bool(held)

    def held_by(self, worker):
        """The urls that are lent to a worker."""
        return [url for url, _ in self._held_by(worker)]

    def tokens_of(self, worker):
        return {token for _, token in self._held_by(worker)}

    def tokens(self):
        """What tells all leases apart."""
        return {token for (token,) in self.ask("SELECT token FROM lease")}

    def _held_by(self, worker):
        held = "SELECT url, token FROM lease JOIN url USING (host, key) JOIN slot ON slot.number = lease.slot WHERE slot.name = %s"
        return self.ask(held, f"{socket.gethostname()}:{worker.pid}")

    def until(self, condition, seconds=PATIENCE, every=0.02):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it takes too long: " + " / ".join(w.said for w in self.workers if w.said)
            time.sleep(every)

    def wait(self, code=0):
        """Until all workers that are left have ended."""
        for worker in self.workers:
            if worker.process.returncode != -signal.SIGKILL:
                assert worker.end() in {code, 0}, worker.said
                assert worker.said == "", "a worker that does well says nothing under --quiet"

    # ── what it came to ──

    def ask(self, sql, *values):
        with psycopg.connect(
            LedgerAddress.of(self.address).url, autocommit=True, options=f"-c search_path={self.schema}"
        ) as connection:
            asked = connection.execute(sql, values)
            return asked.fetchall() if asked.description else []

    def visits(self):
        return self.ask("SELECT number, url, asked, status, file FROM visit ORDER BY number")

    def fetched(self):
        """How many pages were kept."""
        return self.ask("SELECT fetched FROM totals")[0][0]

    def requests(self):
        """All requests that came, in the order in which they came, also those whose client was gone before the answer."""
        return sorted([*self.server.log, *self.server.abandoned])

    def asked(self):
        """How often each page was asked for."""
        return Counter(page_url(each) for each in self.requests() if each.path != "/robots.txt")

    def too_early(self):
        """Requests that came before the delay was over since the answer to the one before, to the same host."""
        by_host = defaultdict(list)
        for each in self.requests():
            by_host[each.host].append(each)
        return [
            (after.asked - before.at, before, after)
            for each in by_host.values()
            for before, after in pairwise(each)
            if after.asked - (before.asked if before in self.server.abandoned else before.at) < self.delay - _CLOCK
        ]

    def check_tables(self):
        """Visits are numbered without gaps, no url has two, and what is counted is what is there."""
        visits = self.visits()
        assert [number for number, *_ in visits] == list(range(1, len(visits) + 1))
        assert [url for url, count in Counter(url for _, url, *_ in visits).items() if count > 1] == []
        [(total, fetched)] = self.ask("SELECT visits, fetched FROM totals")
        assert (total, fetched) == (len(visits), sum(asked for _, _, asked, *_ in visits))
        settled = {url for (url,) in self.ask("SELECT url FROM url WHERE state = 2")}
        assert settled == {url for _, url, *_ in visits}
        counted = self.ask("SELECT sum(waiting), sum(in_flight), sum(settled) FROM host")
        lent = "(SELECT count(*) FROM lease)"
        assert counted == self.ask(
            f"SELECT (SELECT count(*) FROM url WHERE state = 0) - {lent}, {lent}, (SELECT count(*) FROM url WHERE state = 2)"
        )

    def check_records(self):
        """Each row that names a record has it, for our reader and for warcio."""
        rows = self.ask(
            'SELECT visit.url, visit.file, visit."offset", visit.length, visit.request, warc.name, warc.place, warc.size '
            "FROM visit LEFT JOIN warc ON warc.id = visit.file WHERE visit.status IS NOT NULL ORDER BY number"
        )
        assert rows
        home = PostgresHome(LedgerAddress.of(self.address))
        with contextlib.closing(home.catalogue()) as catalogue:
            files = record_files(home, catalogue.execute)
        with Playback(files) as playback:
            for url, file, offset, length, request, name, place, size in rows:
                assert file is not None, url
                playback.read(Place(file, offset, length, request or 0))
                assert offset + length <= size
                path = Path(place.partition("#")[0].partition(":")[2] or place) / name
                path = path if path.exists() else next(self.folder.rglob(name))
                with path.open("rb") as stream:
                    stream.seek(offset)
                    [record] = ArchiveIterator(io.BytesIO(stream.read(length)))
                    assert record.rec_type in {"response", "revisit"}
                    assert record.rec_headers.get_header("WARC-Target-URI") == url

    def check_all_were_fetched(self):
        """No url is lost."""
        assert set(self.web.urls(self.server.port)) - {url for _, url, *_ in self.visits()} == set()

    def check_repeats(self, more=0):
        """A page was asked for again only if it was in flight when a worker was killed; so many others may be."""
        again = {url: count - 1 for url, count in self.asked().items() if count > 1}
        other = {url: count for url, count in again.items() if count > self.in_flight[url]}
        print(
            f"{sum(again.values())} of {len(self.asked())} pages were asked for again, {len(other)} of them not in flight"
        )
        assert len(other) <= more, other

    def check_politeness(self):
        early = [f"{gap:.4f} {before} | {after}" for gap, before, after in self.too_early()]
        assert early == [], early

    def check(self, *, repeats=0):
        """All that must hold of a crawl that came to its end."""
        self.check_politeness()
        self.check_tables()
        self.check_repeats(repeats)
        self.check_records()


def page_url(answered):
    return f"http://{answered.host}{answered.path}"


@contextlib.contextmanager
def shared_crawl(postgres, schema, web, folder, *, answer_delay=0.0, address=None, **options):
    """A crawl on its way; nothing of it runs afterwards."""
    with served(web, answer_delay) as server:
        crawl = SharedCrawl(address or f"{postgres.url()}?schema={schema}", web, server, folder, **options)
        try:
            yield crawl
        finally:
            crawl.close()
