"""The orders of a crawl that moves: what was answered, and what still waits to be carried out."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import Read
from thresher.disk.table_loader import Loader, Moved, SameTable, plain_row
from thresher.disk.tables import Tables
from thresher.orders.carried_out import last_of, make_carried_out
from thresher.orders.inbox import inbox_path, written
from thresher.orders.inbox_reader import InboxReader

ANSWERS = SameTable("carried_out", ("inbox", "number", "at", "sentence", "moved", "done"), "inbox, number")
_WAITING = """
    SELECT number, said FROM given
    WHERE number > (SELECT coalesce(max(number), 0) FROM carried_out WHERE inbox = 'table') ORDER BY number
"""
_GIVE = "INSERT INTO given (number, said) VALUES (?, ?)"


def waiting(folder: CrawlFolder, read: Read) -> Iterator[Moved]:
    """The orders that wait in the inbox of a folder."""
    inbox = InboxReader(inbox_path(folder))
    if not inbox.path.exists():
        return
    after = _After(read)
    while (found := inbox.look(after)) is not None and found.given:
        yield from found.given
        after[found.name] = found.given[-1][0]


class _After(defaultdict[str, int]):
    """Up to which order each inbox was read."""

    def __init__(self, read: Read) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, name: str) -> int:
        return last_of(self._read, name)


def shared_waiting(read: Read) -> Iterator[Moved]:
    """The orders that wait in PostgreSQL."""
    return map(plain_row, read(_WAITING))


def fill_waiting(folder: CrawlFolder, rows: Sequence[Moved]) -> None:
    """Put orders into the inbox of a folder."""
    with written(inbox_path(folder)) as connection:
        connection.executemany(_GIVE, rows)


def empty_inbox(folder: CrawlFolder) -> None:
    """Take away the inbox that an unfinished move has left."""
    inbox_path(folder).unlink(missing_ok=True)


def fill_shared_waiting(loader: Loader, rows: Sequence[Moved]) -> None:
    """Put orders into PostgreSQL."""
    loader.load("given", ("number", "said"), rows)


def make_answers(tables: Tables, read: Read) -> None:
    """Make the table of answers in a folder, if there are any."""
    if next(ANSWERS.rows(read), None) is not None:
        make_carried_out(tables)
