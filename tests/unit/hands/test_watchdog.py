"""When a hand is at fault, and when it is only unlucky."""

import os
import subprocess
import sys
import time

import pytest

from thresher.hands.watchdog import Busy, Slot, Vitals, Watch, verdict, vitals


def judged(*, cpu=0.0, memory=0, began=None, used=0.0, silent=0.0, before=(0.0, 0)):
    busy = None if began is None else Busy(1, time.monotonic() - began, used)
    return verdict(Vitals(cpu, memory), Vitals(*before), busy, silent, seconds=10.0, memory=1000)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({}, None),
        ({"began": 9.0, "cpu": 9.0}, None),
        ({"began": 11.0, "cpu": 11.0}, "too-slow"),
        ({"began": 11.0, "cpu": 100.0, "used": 99.0}, None),  # a busy machine
        ({"began": 61.0, "cpu": 0.0}, "lost"),  # it was stopped
        ({"began": 61.0, "cpu": 9.0}, "too-slow"),
        ({"began": 11.0, "cpu": -1.0}, "too-slow"),  # where the system tells no CPU time
        ({"memory": 1001, "began": 1.0}, "too-large"),
        ({"memory": 1001, "began": 1.0, "before": (0.0, 600)}, "full"),  # most of it was there before
        ({"memory": 1001}, "full"),
        ({"silent": 29.0}, None),
        ({"silent": 31.0}, "lost"),
        ({"silent": 31.0, "cpu": 40.0, "before": (29.0, 0)}, "stuck"),
        ({"silent": 31.0, "cpu": 40.0, "before": (35.0, 0)}, "lost"),  # it was stopped
    ],
)
def test_a_hand_is_judged_by_its_page_its_memory_and_its_silence(state, expected):
    assert judged(**state) == expected


def test_a_slot_tells_for_which_order_a_hand_works_and_since_when():
    slot = Slot.new()
    assert slot.busy() is None
    slot.begin(7)
    busy = slot.busy()
    assert busy.number == 7
    assert busy.since <= time.monotonic()
    slot.end()
    assert slot.busy() is None
    slot.close()


def test_what_a_hand_held_before_its_page_is_what_it_held_when_it_was_looked_at_before():
    watch = Watch(seconds=10.0, memory=1000, first=Vitals(0.0, 100))
    heard = time.monotonic() + 60
    assert watch.look(Vitals(0.0, 100), None, heard) is None
    long_page = Busy(1, time.monotonic(), 0.0)
    assert watch.look(Vitals(1.0, 500), long_page, heard) is None
    assert watch.look(Vitals(2.0, 900), long_page, heard) is None
    assert watch.look(Vitals(3.0, 1001), long_page, heard) == "too-large"
    assert watch.look(Vitals(3.0, 1001), Busy(2, time.monotonic(), 3.0), heard) == "full"


def test_the_first_page_of_a_hand_pays_only_for_what_it_takes_itself():
    watch = Watch(seconds=10.0, memory=1000, first=Vitals(0.0, 700))
    assert watch.look(Vitals(1.0, 1001), Busy(1, time.monotonic(), 0.0), time.monotonic()) == "full"


def test_who_looks_after_being_stopped_waits_for_another_word(monkeypatch):
    moments = iter([100.0, 200.0, *(200.25 + quarter / 4 for quarter in range(200))])
    now = [next(moments)]
    monkeypatch.setattr("thresher.hands.watchdog.time.monotonic", lambda: now[0])
    watch, busy = Watch(seconds=10.0, memory=1000, first=Vitals(0.0, 100)), Busy(1, 100.0, 0.0)
    found = []
    while not any(found):
        now[0] = next(moments)
        found.append(watch.look(Vitals(0.0, 100), None, heard=100.0))
    assert (now[0], found[-1]) == (230.25, "lost")
    now[0] = 400.0
    assert watch.look(Vitals(0.0, 100), busy, heard=100.0) is None, "nor is a page blamed for that time"


def test_a_step_within_another_gives_the_slot_back():
    slot = Slot.new()
    slot.begin(7)
    slot.end(slot.begin(8))
    assert slot.busy().number == 7
    slot.close()


def test_the_vitals_of_this_process_are_plausible():
    found = vitals(os.getpid())
    if found.cpu < 0:
        pytest.skip("this system has no /proc")
    assert abs(found.cpu - time.process_time()) < 1.0
    assert 1 << 20 < found.memory < 1 << 40


def test_a_process_that_is_gone_has_no_vitals():
    assert vitals(2**22 + 1) == Vitals()


WRITER = """
import sys, time
from thresher.hands.watchdog import Slot
slot, number = Slot(int(sys.argv[1])), 0
# Both clocks tell which page began last.
time.monotonic = time.process_time = lambda: float(number)
while True:
    number += 1
    slot.begin(number)
    slot.end()
"""


def test_a_reader_never_sees_the_times_of_a_page_before_it_began():
    # Read half-written, a slot would make a page look as if it had taken all the time that its hand ever used.
    slot, seen, end = Slot.new(), [], time.monotonic() + 30
    command = [sys.executable, "-c", WRITER, str(slot.descriptor)]
    with subprocess.Popen(command, pass_fds=[slot.descriptor]) as writer:
        try:
            # On a busy machine the writer may stand still for most of the looks.
            while len(seen) < 50_000 and time.monotonic() < end:
                seen += [busy for _ in range(1_000) if (busy := slot.busy()) is not None]
        finally:
            writer.kill()
    assert len(seen) > 1_000
    assert [busy for busy in seen if min(busy.since, busy.cpu) < busy.number] == []
    slot.close()
