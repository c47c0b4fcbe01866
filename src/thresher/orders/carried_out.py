"""Which orders a crawl has carried out, and what it answered: a table in the crawl's own file, written with what the orders changed."""

from typing import NamedTuple

from thresher.disk.found_rows import Read, has_table
from thresher.disk.tables import Tables, make_tables

_NAME = "carried_out"
_LAST = "SELECT coalesce(max(number), 0) FROM carried_out WHERE inbox = ?"
_AFTER = """
    SELECT number, at, sentence, moved, done FROM
        (SELECT * FROM carried_out WHERE number > ? ORDER BY number DESC LIMIT ?) AS latest
    ORDER BY number"""
_PUT = """
    INSERT INTO carried_out (inbox, number, at, sentence, moved, done) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (inbox, number) DO UPDATE SET
        at = excluded.at, sentence = excluded.sentence, moved = excluded.moved, done = excluded.done"""
_FORGET = """
    DELETE FROM carried_out WHERE inbox = ?1 AND number <
        (SELECT number FROM carried_out WHERE inbox = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)"""
PENDING = "It could not be carried out: the crawl failed over it"
"""What stands in the place of an answer until an order is carried out: if the crawl fails over it, the order is not met again."""
_MOST = 1000
"""So many answers are kept and given at once."""


class Answer(NamedTuple):
    """What came of an order."""

    number: int
    at: float
    """In seconds since 1970."""
    sentence: str
    moved: int = 0
    """How many waiting urls changed place."""
    done: bool = True
    """False if the order was refused; the sentence says why."""


def make_carried_out(tables: Tables) -> None:
    """Make the table, if it is not there."""
    if not has_table(tables.read, _NAME):
        make_tables(tables, "orders")


def last_of(read: Read, inbox: str) -> int:
    """The number of the last order of an inbox that was carried out; 0 if none was."""
    if not has_table(read, _NAME):
        return 0
    return int(read(_LAST, (inbox,)).fetchone()[0])


def answers_after(read: Read, after: int) -> list[Answer]:
    """The latest answers to orders with higher numbers, in their order."""
    if not has_table(read, _NAME):
        return []
    rows = read(_AFTER, (after, _MOST))
    return [Answer(number, at, sentence, moved, bool(done)) for number, at, sentence, moved, done in rows]


def put_answer(tables: Tables, inbox: str, answer: Answer) -> None:
    """Note an order as carried out, in the current transaction."""
    tables.write(_PUT, (inbox, *answer))
    tables.write(_FORGET, (inbox, _MOST))
