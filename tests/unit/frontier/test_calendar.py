from hypothesis import given
from hypothesis import strategies as st

from thresher.frontier.calendar import Calendar
from thresher.frontier.options import FrontierOptions
from thresher.model import Host, Outcome

PRIORITIES = st.floats(-100, 100)


def calendar_of(priorities, **options):
    calendar = Calendar(FrontierOptions(**options))
    for number, priority in enumerate(priorities):
        entry = calendar.entry(Host(f"h{number}"))
        entry.waiting, entry.head = 1, (-priority, number)
        calendar.place(entry)
    return calendar


@given(st.lists(PRIORITIES, min_size=1, max_size=50))
def test_hosts_are_picked_by_their_best_url(priorities):
    calendar = calendar_of(priorities)
    order = []
    while (entry := calendar.pick(0.0)) is not None:
        order.append(entry.number)
    assert order == sorted(range(len(priorities)), key=lambda number: (-priorities[number], number))


@given(st.lists(st.tuples(st.integers(0, 4), PRIORITIES), max_size=60))
def test_a_head_that_changes_again_and_again_counts_only_as_it_is_last(changes):
    calendar = calendar_of([0.0] * 5)
    heads = dict.fromkeys(range(5), 0.0)
    for number, priority in changes:
        heads[number] = priority
        calendar[number].head = (-priority, number)
        calendar.place(calendar[number])
    picked = [calendar.pick(0.0).number for _ in heads]
    assert picked == sorted(heads, key=lambda number: (-heads[number], number))
    assert calendar.pick(0.0) is None


def test_the_heaps_do_not_outgrow_the_hosts():
    calendar = calendar_of([0.0] * 3)
    for turn in range(0, 20_000, 4):
        entry = calendar.pick(float(turn))
        for number in range(3):
            calendar[number].head = (-turn, number)
            calendar.place(calendar[number])
        calendar.lend(entry, 0, float(turn))
        calendar.settle(entry, 0, Outcome("page", rest=turn % 3), turn + 0.5)
    assert len(calendar._ready) + len(calendar._resting) <= 2 * (2 * 3 + 65)


def test_a_clock_that_is_set_back_lends_nothing_too_early():
    calendar = calendar_of([1.0], delay=10)
    entry = calendar.pick(100.0)
    calendar.lend(entry, 0, 100.0)
    calendar.settle(entry, 0, Outcome("page"), 100.0)
    assert calendar.due() == 110.0
    assert calendar.pick(50.0) is None
    assert calendar.pick(110.0) is entry


def test_a_clock_that_is_set_back_by_years_makes_no_host_rest_for_years():
    calendar = calendar_of([1.0, 2.0], delay=10, rest_most=1000)
    entry = calendar.pick(1e9)
    calendar.lend(entry, 1, 1e9)
    calendar.settle(entry, 1, Outcome("page", rest=500.0), 1e9)
    assert calendar.pick(50.0) is calendar[0]
    assert calendar.due() == 1050.0
    assert calendar.pick(1049.0) is None
    assert calendar.pick(1050.0) is entry


def test_a_rest_of_the_past_does_not_pull_the_next_request_forward():
    calendar = calendar_of([1.0], delay=1)
    entry = calendar.pick(0.0)
    calendar.lend(entry, 0, 0.0)
    calendar.settle(entry, 0, Outcome("page", rest=-50.0, delay=-3.0), 10.0)
    assert calendar.due() == 11.0


def test_a_crawl_delay_holds_until_another_is_learned_and_zero_takes_it_back_from_the_next_request_on():
    calendar = calendar_of([1.0], delay=1)
    entry, now = calendar[0], 0.0
    for learned, gap in [(30.0, 30.0), (None, 30.0), (0.0, 30.0), (None, 1.0)]:
        assert calendar.pick(now) is entry
        calendar.lend(entry, 0, now)
        calendar.settle(entry, 0, Outcome("page", delay=learned), now)
        assert calendar.due() == now + gap
        now += gap
