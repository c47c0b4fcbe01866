"""A worker that keeps pages in a crawl in PostgreSQL, each with one turn; also as a process of its own, which a test may kill.

    python -m tests.shared_warcs URL SCHEMA PLACE SPOOL FIRST

The process says `kept NUMBER` once the turn of a page is committed.
"""

import contextlib
import itertools
import os
import sys
from pathlib import Path

from thresher.disk.postgres_ledger import PostgresLedger
from thresher.store.duplicates import content_hash
from thresher.store.shared_catalogue import shared_record_tables
from thresher.testing.store_contract import answered, prose
from thresher.warc.file_places import place_of
from thresher.warc.format import Place
from thresher.warc.reader import Playback, UnreadableRecord
from thresher.warc.shared_files import PostgresWarcFiles
from thresher.warc.shared_writer import SharedWarcOptions, SharedWarcWriter

_VISIT = """
    INSERT INTO visit (claim, url_hash, at, priority, bytes, "offset", length, request, file, depth, tries, asked,
                       kind, outcome, host, url, anchor)
    VALUES (0, %s, 0, 0, 1, %s, %s, %s, %s, 0, 0, true, 'response', 'page', 'host.test', %s, '')
"""


class Worker:
    """A writer with a ledger of its own."""

    def __init__(self, address, schema, place, spool=None, **options):
        self.ledger = PostgresLedger(address, schema=schema)
        self.files, self.tables = PostgresWarcFiles(self.ledger), shared_record_tables(self.ledger)
        try:
            self.writer = SharedWarcWriter(
                place_of(place), self.files, self.tables, SharedWarcOptions(spool=spool, **options)
            )
        except BaseException:
            self.ledger.close()
            raise
        self.ledger.before_turn.append(self.writer.flush)

    def write(self, number):
        """Write a page into the turn, which is not sent yet."""
        response = answered(number, prose(number)).fetched
        place = self.writer.append(response, response.at, content_hash(response))
        self.ledger.write(
            _VISIT, (number, place.offset, place.length, place.request, place.file, f"http://host.test/{number}")
        )
        return place

    def keep(self, *numbers):
        """Write pages, a turn for each."""
        for number in numbers:
            self.write(number)
            self.ledger.turn("SELECT")

    def close(self):
        with contextlib.closing(self.ledger):
            self.writer.close()

    def die(self):
        """What a kill leaves: nothing is written any more, and the system drops the locks."""
        self.ledger.close()
        if self.writer._uploads is not None:
            self.writer._uploads.close(0.0)
        for lock in self.writer._locks.values():
            lock.release()


def readable(ledger):
    """The pages whose records are read back as they were written, and why the others are not."""
    found, why = set(), {}
    files = {file.number: file for file in PostgresWarcFiles(ledger).every()}
    rows = ledger.read('SELECT url_hash, file, "offset", length, request FROM visit ORDER BY number')
    with Playback(files) as playback:
        for number, file, *where in rows:
            if file is None:
                why[number] = "lost"
                continue
            place = Place(file, *where)
            try:
                assert playback.read(place).body == answered(number, prose(number)).fetched.body
                assert playback.before(place)[0].startswith(b"GET / ")
                found.add(number)
            except UnreadableRecord as error:
                why[number] = str(error)
    return found, why


def main(address, schema, place, spool, first):
    worker = Worker(address, schema, place, Path(spool), rotate_bytes=30_000)
    for number in itertools.count(int(first)):
        worker.keep(number)
        os.write(1, b"kept %d\n" % number)


if __name__ == "__main__":
    main(*sys.argv[1:])
