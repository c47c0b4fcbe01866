"""Hands, with real processes: what they answer, and what becomes of a crawl when one is lost."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager

import pytest
from tests.unit.hands.makers import TALKS, Fair, Obedient

from thresher.errors import BadInput, ThresherError
from thresher.hands import HandOptions, Setup, Team
from thresher.model import Failed, Judgement, Later, Page, Response, Url


@asynccontextmanager
async def team(text="", **options):
    lost = []
    made = Team(
        Setup("tests.unit.hands.makers:parts", text),
        HandOptions(**{"count": 1, "parse_seconds": 20.0, "hand_memory": 256} | options),
        lambda url, why: lost.append((url, why)),
        lambda: (Obedient(), Fair()),
    )
    made.lost = lost
    await made.open()
    try:
        yield made
    finally:
        await made.close()


def url(path, host="a.example"):
    return Url(f"http://{host}/{path}")


async def process_of(hands, host="a.example"):
    page = hands.parse(await hands.fetch(url("x", host)))
    return int(page.text.removeprefix("process "))


async def until_lost(hands):
    async with asyncio.timeout(60):
        while not hands.lost:
            await asyncio.sleep(0.05)


async def test_a_page_is_fetched_parsed_and_judged_in_another_process():
    async with team() as hands:
        answer = await hands.fetch(url("iris"))
        assert isinstance(answer, Response)
        page = hands.parse(answer)
        assert (page.url, page.title) == (url("iris"), "iris")
        assert page.text != f"process {os.getpid()}"
        assert hands.judge(page) == Judgement(0.7, relevant=True)


@pytest.mark.parametrize("path", TALKS)
async def test_whatever_is_no_page_comes_back_as_it_is(path):
    async with team() as hands:
        assert await hands.fetch(url(path)) == TALKS[path]


async def test_an_answer_that_a_wrapper_made_is_parsed_and_judged_here():
    async with team() as hands:
        page = hands.parse(Response(url("own"), 200, (), b"own", b"own"))
        assert page.text == f"process {os.getpid()}"
        assert hands.judge(page).relevant


async def test_a_host_always_has_the_same_hand_and_hosts_share_the_work():
    async with team(count=2) as hands:
        hosts = [f"h{number}.example" for number in range(12)]
        first = [await process_of(hands, host) for host in hosts]
        assert [await process_of(hands, host) for host in hosts] == first
        assert len(set(first)) == 2


@pytest.mark.parametrize("path", ["spin", "spins-in-fetch", "spins-in-a-task"])
async def test_a_page_that_takes_too_long_is_done_with_and_the_others_wait_again(path):
    """Wherever that is: while it is fetched, or read."""
    async with team(parse_seconds=0.5) as hands:
        await process_of(hands)
        waits = asyncio.ensure_future(hands.fetch(url("waits", "b.example")))
        slow = await hands.fetch(url(path))
        assert slow == Failed("too-slow", "its page took longer than 0.5 s to read", retry=False, strain=True)
        assert await waits == Later("hand-lost", None)
        assert hands.lost == [(url(path), "its page took longer than 0.5 s to read")]
        assert isinstance(await hands.fetch(url("iris")), Response)


@pytest.mark.parametrize("path", ["raise", "unreachable"])
async def test_a_page_that_fails_unexpectedly_is_done_with_and_its_hand_goes_on(path, capfd):
    told = "fetching or reading it failed: RuntimeError: no such page was expected"
    async with team() as hands:
        before = await process_of(hands)
        async with asyncio.timeout(20):
            failed = [await hands.fetch(url(path)) for _ in range(3)]
        assert failed == 3 * [Failed("crashed", told, retry=False, strain=True)]
        assert await process_of(hands) == before
        assert hands.lost == []
    assert capfd.readouterr().err.count("Traceback") == 1, "one is enough to mend it"


async def test_a_page_that_takes_too_much_memory_is_done_with():
    async with team() as hands:
        answer = await hands.fetch(url("eat"))
        assert isinstance(answer, Failed)
        assert (answer.why, answer.retry) == ("too-large", False)
        assert isinstance(await hands.fetch(url("iris")), Response)


async def test_a_page_is_not_blamed_for_the_memory_that_others_left_behind():
    async with team() as hands:
        answers = []
        while not hands.lost:
            answers.append(await hands.fetch(url(f"hoard-{len(answers)}")))
            await asyncio.sleep(0.3)  # a look between two pages
        assert all(isinstance(answer, Response | Later) for answer in answers)
        assert hands.lost == [(None, "it holds too much memory")]
        assert isinstance(await hands.fetch(url("iris")), Response)


@pytest.mark.parametrize("path", ["spins-outside", "dies-outside"])
async def test_who_stopped_a_hand_that_nobody_saw_is_found_by_asking_one_at_a_time(path):
    async with team(parse_seconds=0.4) as hands:

        async def until_settled(wanted):
            tries = 1
            while isinstance(answer := await hands.fetch(wanted), Later):
                tries += 1
            return answer, tries

        innocent = [until_settled(url("slowly", f"h{number}.example")) for number in range(8)]
        (guilty, tries), *others = await asyncio.gather(until_settled(url(path)), *innocent)
        assert guilty == Failed("crashed", "fetching or reading it ended the process", retry=False, strain=True)
        assert tries == 3
        assert all(isinstance(answer, Response) for answer, _ in others)
        assert [blamed for blamed, _ in hands.lost] == [None, None, url(path)]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_hand_that_somebody_killed_is_replaced_and_no_page_is_blamed(number):
    async with team() as hands:
        os.kill(await process_of(hands), number)
        await until_lost(hands)
        assert hands.lost == [(None, "it ended")]
        assert isinstance(await hands.fetch(url("iris")), Response)


async def test_a_hand_that_was_stopped_is_replaced_and_what_it_was_asked_waits_again():
    async with team(parse_seconds=1.0) as hands:
        os.kill(await process_of(hands), signal.SIGSTOP)
        assert await hands.fetch(url("iris")) == Later("hand-lost", None)
        assert hands.lost == [(None, "it does not answer")]
        assert isinstance(await hands.fetch(url("iris")), Response)


@pytest.mark.slow
async def test_a_page_that_sleeps_is_not_slow_but_its_hand_is_lost():
    async with team(parse_seconds=2.0) as hands:
        assert await hands.fetch(url("sleep")) == Later("hand-lost", None)


async def test_a_page_that_ends_its_process_three_times_is_done_with():
    async with team() as hands:
        assert await hands.fetch(url("die")) == Later("hand-lost", None)
        assert await hands.fetch(url("die")) == Later("hand-lost", None)
        answer = await hands.fetch(url("die"))
        assert answer == Failed("crashed", "fetching or reading it ended the process", retry=False, strain=True)


async def test_a_hand_that_cannot_be_made_says_why():
    with pytest.raises(BadInput, match="no key 'treshold'"):
        async with team("broken"):
            pass


async def test_a_hand_that_holds_more_than_it_may_before_its_first_page_says_so():
    with pytest.raises(
        BadInput, match=r"hand_memory is 128 megabytes, but a hand holds \d+ before it reads its first page"
    ):
        async with team("fat", hand_memory=128):
            pass


async def test_a_hand_that_cannot_be_started_again_is_an_error_for_whoever_asks(monkeypatch):
    def no_process(*_):
        raise OSError(24, "Too many open files")

    async with team() as hands:
        process = await process_of(hands)
        monkeypatch.setattr("thresher.hands.process.start_process", no_process)
        os.kill(process, signal.SIGKILL)
        await until_lost(hands)
        with pytest.raises(ThresherError, match=r"could not be started: .*Too many open files"):
            async with asyncio.timeout(20):
                await hands.fetch(url("iris"))


async def test_a_hand_that_ends_before_it_is_ready_is_an_error():
    with pytest.raises(ThresherError, match="ended before it was ready, 5 times"):
        async with team("gone"):
            pass


async def test_a_hand_that_has_nothing_to_do_is_not_lost_however_short_its_time_for_a_page():
    async with team(parse_seconds=0.6) as hands:
        await asyncio.sleep(2.4)
        assert hands.lost == []


async def test_no_hand_outlives_the_team():
    async with team(count=2) as hands:
        processes = {await process_of(hands, f"h{number}.example") for number in range(12)}
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"count": -1}, "count is -1"),
        ({"parse_seconds": 0.0}, "parse_seconds is 0.0"),
        ({"hand_memory": 10}, "hand_memory is 10"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, why):
    with pytest.raises(BadInput, match=why):
        HandOptions(**options)


def test_how_many_hands_there_are_can_be_said_in_the_environment(monkeypatch):
    monkeypatch.delenv("THRESHER_HANDS")
    assert HandOptions().count == 1
    monkeypatch.setenv("THRESHER_HANDS", "3")
    assert HandOptions().count == 3
    monkeypatch.setenv("THRESHER_HANDS", "many")
    with pytest.raises(BadInput, match="THRESHER_HANDS is 'many'"):
        HandOptions()


async def test_pages_that_nobody_asks_for_are_let_go_before_they_take_too_much():
    async with team() as hands:
        answers = [
            Response(url(f"{number}"), 200, (), body, body)
            for number in range(40)
            if (body := bytes(8 << 20)) is not None
        ]
        for answer in answers:
            hands._keep(answer, Page(answer.url, title="by a hand"), None)
        assert hands._unread <= 64 << 20
        assert hands.parse(answers[-1]).title == "by a hand"
        assert hands.parse(Response(url("0"), 200, (), b"iris", b"iris")).title == "iris"
        assert len(hands._read) == (64 >> 3) - 1
