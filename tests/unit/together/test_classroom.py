"""Strategies of several workers learn from each other, over a real PostgreSQL."""

import asyncio
from contextlib import ExitStack, closing

import pytest

from thresher.model import Url
from thresher.one_learner import in_a_team
from thresher.ports import Strategy


class Notes(Strategy):
    """Remembers what it learnt, in the order in which it heard it."""

    sharing = "lessons"

    def __init__(self):
        self.heard = []
        self.last = b""

    def score(self, visit, links):
        return [0.0 for _ in links]

    def visit(self, said):
        """As if it had learnt from a page of its own."""
        self.heard.append(said)
        self.last = said.encode()

    def lesson(self):
        return self.last

    def take_in(self, lessons):
        self.heard += [each.decode() for each in lessons]
        return [(Url(f"http://moved.test/{each.decode()}"), 1.0) for each in lessons]

    def save(self):
        return {"all": "\n".join(self.heard).encode()}

    def load(self, parts):
        self.heard = parts["all"].decode().split("\n") if parts else []


class OneView(Notes):
    """The same, where one learns for all. Its lessons are whole visits, so it is fed by hand here."""

    sharing = "one learner"


class Worker:
    """A worker without a crawl: it keeps visits, and its strategy."""

    def __init__(self, ledger, strategy):
        from thresher.disk.postgres_tables import PostgresTables  # noqa: PLC0415 - psycopg is an extra
        from thresher.store.lesson_book import LessonBook  # noqa: PLC0415
        from thresher.together.classroom import Classroom, enrol  # noqa: PLC0415

        self.ledger, self.tables, self.strategy = ledger, PostgresTables(ledger), strategy
        self.moved = []
        book = LessonBook(ledger)
        self.enrolled = enrol(book, strategy)
        self.strategy.load(self.recalled())
        self.classroom = Classroom(book, strategy, self.enrolled, OneView, self.recalled)

    def recalled(self):
        from thresher.store.states import recall_all  # noqa: PLC0415 - as above

        return recall_all(self.tables.read, f"learner/{self.enrolled.number}/strategy/")

    def visits(self, *said):
        """Keep visits, learn from each, and tell the others."""
        for each in said:
            self.strategy.visit(each)
            self.ledger.write_last("UPDATE totals SET visits = visits + 1")
            self.classroom.teach()
            self.save()
            self.tables.turn_ends()

    def save(self):
        for name, value in self.strategy.save().items():
            key = f"learner/{self.enrolled.number}/strategy/{name}"
            sql = "INSERT INTO state VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            self.ledger.write(sql, (key, value))

    async def learn_from_others(self, lessons):
        """As the loop does it."""
        self.moved += self.strategy.take_in(lessons) if lessons else []
        self.save()
        self.tables.turn_ends()

    async def attends(self):
        """Hear what there is, whatever the time."""
        self.classroom._due = 0.0
        await self.classroom.attend(self)
        return self.strategy.heard


@pytest.fixture
def join(postgres, schema):
    """What makes a worker join."""
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra

    with ExitStack() as stack:

        def joined(strategy=None):
            ledger = stack.enter_context(closing(PostgresLedger(postgres.url(), schema=schema)))
            return Worker(ledger, strategy or Notes())

        yield joined


async def test_what_one_learns_the_others_hear_once_and_in_order(join):
    one, other = join(), join()
    one.visits("a", "b")
    assert await other.attends() == ["a", "b"]
    assert await other.attends() == ["a", "b"]
    assert [url for url, _ in other.moved] == ["http://moved.test/a", "http://moved.test/b"]


async def test_nobody_hears_his_own_lessons(join):
    one, other = join(), join()
    one.visits("a")
    other.visits("b")
    one.visits("c")
    assert await one.attends() == ["a", "c", "b"]
    assert await other.attends() == ["b", "a", "c"]


async def test_who_joins_begins_with_what_the_one_knows_that_has_heard_most(join):
    one, other = join(), join()
    one.visits("a", "b")
    await other.attends()
    other.visits("c")
    late = join()
    assert late.strategy.heard == ["a", "b", "c"]
    one.visits("d")
    assert await late.attends() == ["a", "b", "c", "d"]
    assert sorted(await one.attends()) == ["a", "b", "c", "d"]


async def test_who_joins_hears_what_the_one_that_it_copied_had_not_heard(join):
    one, other = join(), join()
    one.visits("a")
    other.visits("b")  # which has not heard of a
    late = join()
    assert sorted(await late.attends()) == ["a", "b"]


async def test_a_worker_that_is_killed_loses_nothing_that_it_learnt(join):
    one = join()
    one.visits("a", "b")
    one.ledger.close()
    again = join()
    assert again.strategy.heard == ["a", "b"]
    assert await again.attends() == ["a", "b"]


async def test_lessons_that_all_have_heard_are_forgotten(join):
    one, other = join(), join()
    one.visits("a", "b")
    await one.attends()
    assert one.ledger.read("SELECT count(*) FROM lesson") == [(2,)]
    await other.attends()
    await one.attends()
    assert one.ledger.read("SELECT count(*) FROM lesson") == [(0,)]
    one.visits("c")
    assert await other.attends() == ["a", "b", "c"]


async def test_more_lessons_than_fit_at_once_are_all_heard(join, monkeypatch):
    monkeypatch.setattr("thresher.together.classroom._AT_ONCE", 3)
    one, other = join(), join()
    one.visits(*"abcdefgh")
    assert await other.attends() == list("abcdefgh")


async def test_a_strategy_that_shares_nothing_tells_nothing(join):
    class Alone(Notes):
        sharing = "nothing"

    one, other = join(Alone()), join(Alone())
    one.visits("a")
    assert await other.attends() == []
    assert one.ledger.read("SELECT count(*) FROM lesson") == [(0,)]


async def test_where_one_learns_for_all_it_is_the_first_and_then_another(join):
    one, other = join(in_a_team(OneView())), join(in_a_team(OneView()))
    assert one.strategy.elected
    assert not other.strategy.elected
    assert not other.classroom.elects()
    one.strategy.strategy.heard = ["a"]
    one.save()
    one.tables.turn_ends()
    one.ledger.close()  # its lock goes with its connection
    for _ in range(200):  # the server sees it a moment later
        if other.classroom.elects():
            break
        await asyncio.sleep(0.05)
    assert other.strategy.elected
    assert other.strategy.strategy.heard == ["a"]  # what the last learner had saved
