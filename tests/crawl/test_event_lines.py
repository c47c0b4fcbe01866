"""What a running crawl says in lines: one a minute off a terminal, one an event with --log and --json."""

import errno
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.crawl.in_process import served, thresher
from tests.crawl.test_loop import FORK, crawl_of

from thresher.cli.event_lines import JsonLines, LogFile, log_line
from thresher.cli.progress import MinuteLines
from thresher.cli.terminal import Terminal
from thresher.clock import FakeClock
from thresher.events import (
    CrawlPaused,
    CrawlStarted,
    CrawlStopped,
    CrawlWaits,
    CrawlWentOn,
    HandReplaced,
    HostBackedOff,
    HostLosesTurns,
    OrderCarriedOut,
    OrdersUnreadable,
    WatcherFailed,
)
from thresher.model import Census, Host, Url
from thresher.testing.simulated_web import SimulatedWeb

EVENTS = Path(__file__).parents[2] / "docs" / "reference" / "events.md"
ALL = (
    CrawlStarted(0, Census()),
    HostBackedOff(Host("a.example"), "http-503"),
    HostLosesTurns(Host("a.example"), Url("http://a.example/1")),
    CrawlWaits(10.0, "1 urls wait"),
    CrawlPaused("a person paused it", ""),
    CrawlWentOn(5.0),
    OrderCarriedOut("leave", "a.example is left out from now on", 3, done=True),
    OrdersUnreadable("file is not a database"),
    HandReplaced(None, "it was killed"),
    WatcherFailed("my_watcher", "ValueError: no"),
    CrawlStopped("empty", "nothing is left to fetch"),
)
HOSTILE = "An\x1b[2J eye\nsee\u202egpj\u2028x" + "y" * 5000
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def clock():
    return FakeClock(1.7e9)


@pytest.fixture
def crawl(clock):
    return crawl_of(SimulatedWeb(FORK), clock=clock)


@pytest.fixture
def lines(crawl):
    console = Terminal(file=io.StringIO(), width=80)
    shown = MinuteLines(console)
    shown.attach(crawl)
    shown.said = lambda: console.file.getvalue().splitlines()
    return shown


@pytest.fixture
def log(crawl, tmp_path):
    opened = LogFile(tmp_path / "log.txt")
    opened.attach(crawl)
    opened.said = lambda: (tmp_path / "log.txt").read_text("utf-8").splitlines()
    yield opened
    opened.close()


@pytest.fixture
def site():
    with served({"/": (200, f"<title>{HOSTILE}</title><p>The iris of the eye. <a href=/more>more</a>")}) as address:
        yield address


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, site):
    monkeypatch.chdir(tmp_path)
    options = ("crawl", "--topic", "iris eye", "--seed", f"{site}/", "--into", "crawl", "--delay", 0)
    return lambda *more: thresher(monkeypatch, capsys, *options, *more)


async def test_a_minute_is_one_line_however_much_happens(crawl, lines, clock):
    await crawl.run()
    assert lines.said() == [], "it took no minute"
    clock.turn(60)
    for _ in range(100):
        lines(HostBackedOff(Host("a.example"), "timeout"))
    (line,) = lines.said()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d 7 fetched, 3 relevant \(harvest 42\.9%\), 0\.1 pages/s; ", line)
    assert line.endswith("0 urls wait on 0 hosts, 0 of them resting; leaving a.example alone for a while (timeout)")


def test_a_crawl_in_which_nothing_happens_has_its_line_too(lines, clock):
    for _ in range(180):
        clock.turn(1)
        lines.tick()
    assert len(lines.said()) == 3


def test_a_clock_that_is_set_back_does_not_silence_it(lines, clock):
    clock.turn(-7200)
    lines.tick()
    assert len(lines.said()) == 1


def test_a_crawl_that_goes_on_says_so_at_once(lines):
    lines(CrawlStarted(30, Census(waiting=5)))
    assert lines.said()[0].endswith("continuing: 30 urls visited before, 5 waiting")


def test_what_is_seldom_and_the_next_page_would_hide_is_told_at_once(lines):
    lines(HostLosesTurns(Host("calendar.example"), Url("http://calendar.example/2026")))
    lines(HandReplaced(Url("http://a.example/"), "too-slow"))
    lines(HostBackedOff(Host("b.example"), "timeout", ""))
    behind, given_up = lines.said()
    assert "other hosts go before calendar.example: its pages look alike" in behind
    assert given_up.endswith("http://a.example/ was given up: too-slow")


def test_stderr_that_nobody_reads_any_more_does_not_end_the_crawl(crawl, clock, monkeypatch):
    class Closed(io.StringIO):
        def write(self, _):
            raise BrokenPipeError

    given_up = []
    monkeypatch.setattr("thresher.cli.progress.write_no_more", given_up.append)
    shown = MinuteLines(Terminal(file=Closed()))
    shown.attach(crawl)
    clock.turn(61)
    shown.tick()
    assert given_up == [sys.stderr]


async def test_json_has_the_documented_keys_and_no_others(crawl, clock, capsys):
    writer = JsonLines()
    writer.about = {"topic": "iris", "folder": "/iris"}
    writer.attach(crawl)
    await crawl.run()
    for event in ALL:
        writer(event)
    clock.turn(61)
    writer.tick()
    told = {each["event"]: set(each) for each in map(json.loads, capsys.readouterr().out.splitlines())}
    table = EVENTS.read_text("utf-8").partition("## Every event")[2]
    rows = re.findall(r"^\| `([\w-]+)` \|[^|]*\| (.*) \|$", table, re.MULTILINE)
    documented = {
        event: {"at", "event", *re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", keys))} for event, keys in rows
    }
    assert told == documented


def test_a_page_cannot_break_a_line_or_give_orders(run, tmp_path):
    done = run("--log", "log.txt", "--json")
    assert done.code == 0
    first, page, *_ = (tmp_path / "log.txt").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in done.out.split("\n")[:-1]]
    assert [each["event"] for each in events] == ["started", "visit", "visit", "stopped"]
    assert TIME.match(first)
    for text in (page, done.out.replace("\n", "")):
        assert text.isprintable()
    title = events[1]["title"]
    assert title.startswith("An[2J eye see\u202egpj"), "the escape went when the page was read"
    assert (len(title), title[-2:]) == (300, "y…")
    assert page.count("y") < 300, "it is cut in the log too"
    assert events[0]["folder"] == str(tmp_path / "crawl")
    assert events[-1]["fetched"] == 2


def test_whatever_an_event_says_its_line_is_one_and_gives_no_orders(log, crawl, capsys):
    writer = JsonLines()
    writer.attach(crawl)
    for each in (log, writer):
        each(HandReplaced(None, HOSTILE))
    (line,) = log.said()
    told = capsys.readouterr().out.removesuffix("\n")
    assert line.isprintable()
    assert told.isprintable()
    assert json.loads(told)["why"] == HOSTILE[:1999] + "…"


def test_a_crawl_that_goes_on_appends_to_its_log(run, tmp_path):
    run("--log", "log.txt", "--pages", 1)
    run("--log", "log.txt", "--pages", 2)
    names = [line.split()[1] for line in (tmp_path / "log.txt").read_text("utf-8").splitlines()]
    assert names == ["started", "visit", "stopped"] * 2


@pytest.mark.parametrize(
    ("name", "says"),
    [("nowhere/log.txt", "No such file"), ("folder", "is a directory"), ("crawl.toml", "no log of a crawl")],
)
def test_a_log_that_cannot_be_written_is_told_before_anything_is_made(run, tmp_path, name, says):
    (tmp_path / "folder").mkdir()
    (tmp_path / "crawl.toml").write_text('topic = "iris"\n')
    before = sorted(tmp_path.rglob("*"))
    done = run("--log", name)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    for words in ("--log", name, says):
        assert words in done.err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_mistake_leaves_no_empty_log_behind(run, tmp_path):
    assert run("--log", "log.txt", "--strategy", "nope").code == 2
    assert not (tmp_path / "log.txt").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_log_whose_disk_is_full_is_told_once_and_the_crawl_goes_on(run):
    done = run("--log", "/dev/full", "--quiet")
    assert done.code == 0
    assert (
        done.err
        == "thresher: the log /dev/full cannot be written: No space left on device; the crawl goes on without it\n"
    )


def test_when_there_is_room_again_the_log_says_what_is_missing(log, capsys):
    class Filling:
        """A disk with room for so many bytes."""

        def __init__(self, room):
            self.room = room

        def write(self, data):
            if not self.room:
                raise OSError(errno.ENOSPC, "No space left on device")
            taken = data[: self.room]
            self.room -= len(taken)
            return file.write(taken)

    file, log._file = log._file, Filling(room=10)
    for _ in range(3):
        log(HostBackedOff(Host("a.example"), "timeout"))
    log._file = file
    log(HostBackedOff(Host("b.example"), "timeout"))
    assert capsys.readouterr().err.count("cannot be written") == 1
    torn, gap, last = log.said()
    assert len(torn) == 10
    assert gap.endswith("gap lines=3")
    assert last.endswith("host=b.example why=timeout")


def test_a_wait_is_told_once_although_each_worker_says_it(log, clock):
    for _ in range(16):
        log(CrawlWaits(10.0, "1 urls wait"))
    clock.turn(11)
    log(CrawlWaits(10.0, "1 urls wait"))
    assert [line.split(" ", 1)[1] for line in log.said()] == ['wait seconds=10.0 reason="1 urls wait"'] * 2


def test_values_of_a_log_line_can_be_told_apart():
    record = {"at": "T", "event": "e", "a": 'x "y"', "b": "", "c": None, "d": "a=b", "e": '"q', "f": 0.5, "g": True}
    assert log_line(record) == 'T e a="x \\"y\\"" d=a=b e="\\"q" f=0.5 g=true\n'


def test_a_reader_who_has_seen_enough_stops_the_crawl_as_ctrl_c_does(site, tmp_path):
    command = [sys.executable, "-m", "thresher", "crawl", "--topic", "iris eye", "--seed", f"{site}/", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        said = process.stderr.read().decode()
    assert process.returncode == 141
    assert "Traceback" not in said
    assert (tmp_path / "iris-eye" / "crawl.toml").exists()
