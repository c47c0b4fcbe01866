"""Turns on their way: sent at once, answered in order, while others work."""

import asyncio
import time
from math import inf

import pytest

from thresher.errors import LedgerError, LedgerLost

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from thresher.disk.postgres_arrays import bigints, byteas, floats, integers, texts  # noqa: E402
from thresher.disk.postgres_ledger import Writes, no_writes  # noqa: E402

SLOW = "SELECT %s::bigint FROM pg_sleep(0.3)"
REFUSES = "DO $$ BEGIN RAISE EXCEPTION 'too late' USING ERRCODE = 'TH001'; END $$"


async def turn(ledger, sql, *values, first=(), last=()):
    return await ledger.awaited_turn(sql, values, Writes(list(first), list(last)))


def added(name):
    return "INSERT INTO host (name) VALUES (%s)", (name,)


async def sent(ledger, sql, *values, **writes):
    """A turn that is on its way, as a task."""
    task = asyncio.create_task(turn(ledger, sql, *values, **writes))
    await asyncio.sleep(0)
    return task


async def test_others_work_while_a_turn_is_waited_for(ledger):
    task, worked = await sent(ledger, SLOW, 7), 0
    while not task.done():
        worked += 1
        await asyncio.sleep(0.01)
    assert (await task, worked > 5) == ([(7,)], True)


async def test_turns_are_answered_in_their_order_each_with_its_own(ledger):
    tasks = [await sent(ledger, SLOW, 1), *[await sent(ledger, "SELECT %s::bigint", number) for number in range(2, 9)]]
    done = []
    for task in tasks:
        task.add_done_callback(lambda each: done.append(each.result()[0][0]))
    await asyncio.gather(*tasks)
    assert done == [1, 2, 3, 4, 5, 6, 7, 8]


async def test_who_reads_sees_what_turns_wrote_that_are_on_their_way(ledger):
    task = await sent(ledger, SLOW, 1, last=[added("a.example")])
    assert ledger.read("SELECT name FROM host") == [("a.example",)]
    assert await task == [(1,)], "the answer is not lost to whoever waits for it"


async def test_a_turn_can_end_at_once_behind_others_that_are_on_their_way(ledger):
    task = await sent(ledger, SLOW, 1, last=[added("a.example")])
    ledger.write(*added("b.example"))
    assert ledger.turn("SELECT count(*) FROM host") == [(2,)]
    assert await task == [(1,)]


async def test_a_turn_that_is_refused_takes_no_other_with_it(ledger):
    turns = [
        await sent(ledger, "SELECT 1", first=[added("a.example")]),
        await sent(ledger, REFUSES, first=[added("b.example")]),
        await sent(ledger, "SELECT 1 / %s::bigint", 0, first=[added("c.example")]),
        await sent(ledger, "SELECT 2", first=[added("d.example")]),
    ]
    first, refused, failed, last = await asyncio.gather(*turns, return_exceptions=True)
    assert (first, refused, last) == ([(1,)], None, [(2,)])
    assert isinstance(failed, LedgerError)
    assert "division by zero" in str(failed)
    assert ledger.read("SELECT name FROM host ORDER BY name") == [("a.example",), ("d.example",)]


def until_it_sleeps(admin, pid):
    """Wait, while our loop stands still, until the server has taken up what was sent: a busy one takes its time."""
    asleep = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"
    until = time.monotonic() + 10
    while admin.execute(asleep, (pid,)).fetchone() is None and time.monotonic() < until:
        time.sleep(0.01)


async def test_no_lock_is_held_while_the_worker_does_something_else(ledger, admin, schema):
    """All of a turn is sent before anybody else works, its end too."""
    [(pid,)] = ledger.read("SELECT pg_backend_pid()")
    task = await sent(ledger, "SELECT pg_sleep(0.3)", first=[added("a.example")])
    until_it_sleeps(admin, pid)
    admin.execute("SET lock_timeout TO '5s'")
    start = time.monotonic()
    with pytest.raises(psycopg.errors.UniqueViolation):  # it waits for the turn, while our loop stands still
        admin.execute(f"INSERT INTO {schema}.host (name) VALUES ('a.example')")
    assert time.monotonic() - start < 4
    await task


async def test_a_connection_that_is_cut_loses_all_turns_on_their_way_and_is_made_again(ledger, admin):
    [(pid,)] = ledger.read("SELECT pg_backend_pid()")
    tasks = [await sent(ledger, SLOW, number) for number in range(3)]
    admin.execute("SELECT pg_terminate_backend(%s)", (pid,))
    assert {type(each) for each in await asyncio.gather(*tasks, return_exceptions=True)} == {LedgerLost}
    assert await turn(ledger, "SELECT %s::bigint", 9) == [(9,)]
    assert ledger.connections == 2, "the others, which fail later, leave the new connection alone"


async def test_who_reads_after_a_cut_gets_his_answer_by_a_new_connection(ledger, admin):
    [(pid,)] = ledger.read("SELECT pg_backend_pid()")
    task = await sent(ledger, SLOW, 1)
    admin.execute("SELECT pg_terminate_backend(%s)", (pid,))
    assert ledger.read("SELECT 5") == [(5,)]
    with pytest.raises(LedgerLost):
        await task
    assert ledger.connections == 2


async def test_a_turn_that_nobody_waits_for_any_more_is_kept_and_disturbs_no_other(ledger):
    task = await sent(ledger, SLOW, 1, last=[added("a.example")])
    task.cancel()
    assert await turn(ledger, "SELECT count(*) FROM host") == [(1,)]


async def test_a_statement_that_cannot_be_prepared_is_told_and_can_be_tried_again(ledger):
    for _ in range(2):
        with pytest.raises(LedgerError, match="written"):
            await turn(ledger, "SELECT * FROM written")
    ledger.read("CREATE TABLE written AS SELECT 1::bigint AS number")
    assert await turn(ledger, "SELECT * FROM written") == [(1,)]


def test_a_ledger_serves_one_loop_after_another(ledger):
    assert [asyncio.run(turn(ledger, "SELECT %s::bigint", number)) for number in range(3)] == [[(0,)], [(1,)], [(2,)]]


async def test_values_of_all_kinds_arrive_as_they_are(ledger):
    kinds = "bigint", "bigint", "float8", "float8", "boolean", "boolean", "text", "text", "bytea", "bytea"
    values = 1, 2**62, 0.1, inf, True, False, "", "ä % '", b"", b"\0\xff"
    asked = ", ".join(f"%s::{kind}" for kind in kinds)
    assert await turn(ledger, f"SELECT {asked}, '%%'", *values) == [(*values, "%")]
    assert await turn(ledger, f"SELECT {asked}, '%%'", *[None] * 10) == [(*[None] * 10, "%")]


async def test_arrays_arrive_as_they_are(ledger):
    values = [1, -2], [2**62], [0.5, inf], ["a", None, "ä"], [b"\0", b""]
    packed = integers(values[0]), bigints(values[1]), floats(values[2]), texts(values[3]), byteas(values[4])
    assert await turn(ledger, "SELECT %b, %b, %b, %b, %b", *packed) == [values]


async def test_a_text_with_a_nul_is_refused_and_harms_nothing(ledger):
    with pytest.raises(LedgerError, match="NUL"):
        await turn(ledger, "SELECT %s::text", "cut\0off")
    assert (await turn(ledger, "SELECT %s::text", "whole"), ledger.connections) == ([("whole",)], 1)


async def test_values_can_have_names(ledger):
    asked = "SELECT %(b)s::bigint, %(a)s::text, %(b)s::bigint + 1"
    assert await ledger.awaited_turn(asked, {"a": "x", "b": 3, "more": 1}, no_writes()) == [(3, "x", 4)]


async def test_more_than_the_line_holds_is_sent_while_the_server_answers(ledger):
    """Neither side reads while it cannot write, unless it takes care."""
    long = "x" * 3_000_000
    tasks = [await sent(ledger, "SELECT %s::text", long) for _ in range(4)]
    assert [rows == [(long,)] for rows in await asyncio.gather(*tasks)] == [True] * 4
