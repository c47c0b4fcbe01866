"""The command line as a person meets it: a real process, what it says, and its exit code."""

import asyncio
import contextlib
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys

import pytest
from click.testing import CliRunner
from tests.crawl.local import catalogued, crawl_file, finish, shown, start

from thresher.cli import main
from thresher.cli import thresher as commands
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve


def thresher(*arguments, stdin=None, **options):
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=60, check=False, **options)


def start_in_a_shell(script, *arguments, stderr=subprocess.DEVNULL):
    """`thresher crawl …` as a shell script calls it, in a session of its own."""
    command = ["sh", "-c", script, "sh", sys.executable, "-m", "thresher", "crawl", *map(str, arguments)]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=stderr)


def said(done) -> str:
    """The one sentence of a mistake: exit code 2, no traceback."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


@pytest.fixture
async def server():
    async with serve(generate(size=60, hosts=4, seed=1)) as server:
        yield server


@pytest.fixture
def crawl_toml(tmp_path, server):
    return crawl_file(tmp_path / "crawl.toml", server.web, server.port)


async def until_it_crawls(server, process, terminal=None):
    """Wait for its eighth request. What it draws on a terminal is read, or it would wait for a reader."""
    while len(server.log) < 8:
        assert process.poll() is None
        if terminal is not None:
            with contextlib.suppress(BlockingIOError):
                os.read(terminal, 10_000)
        await asyncio.sleep(0.01)


async def run(*arguments, **options):
    return await asyncio.to_thread(thresher, *arguments, **options)


async def test_a_crawl_says_what_it_found_and_where(tmp_path, crawl_toml):
    done = await run("crawl", crawl_toml, "--pages", 30)
    assert done.returncode == 0
    assert "30 pages fetched" in done.stderr
    assert "all 30 pages of the budget are fetched" in done.stderr
    assert str(tmp_path / "crawl") in done.stderr


async def test_show_as_json_has_the_figures(tmp_path, crawl_toml):
    await run("crawl", crawl_toml, "--pages", 30)
    figures = shown(tmp_path / "crawl")
    assert figures["fetched"] == 30
    assert figures["harvest"] == figures["relevant"] / 30
    assert figures["stopped"] == "pages"
    assert figures["waiting"] > 0
    assert isinstance(figures["errors"], dict)


async def test_show_draws_the_harvest_for_people(tmp_path, crawl_toml):
    await run("crawl", crawl_toml, "--pages", 60)
    done = await run("show", tmp_path / "crawl")
    assert re.search(r"60 fetched, \d+ relevant, harvest", done.stdout)
    assert "█" in done.stdout
    assert "Stopped: all 60 pages" in done.stdout


async def test_the_same_command_on_the_same_folder_goes_on(tmp_path, crawl_toml):
    await run("crawl", crawl_toml, "--pages", 10)
    done = await run("crawl", crawl_toml, "--pages", 25)
    assert done.returncode == 0
    assert shown(tmp_path / "crawl")["fetched"] == 25
    assert len(set(catalogued(tmp_path / "crawl"))) == len(catalogued(tmp_path / "crawl"))


async def test_the_folder_alone_is_enough_to_go_on(tmp_path, crawl_toml):
    await run("crawl", crawl_toml, "--pages", 10)
    done = await run("crawl", tmp_path / "crawl", "--pages", 20)
    assert done.returncode == 0
    assert shown(tmp_path / "crawl")["fetched"] == 20


async def test_options_do_what_a_crawl_file_does(tmp_path, server):
    seed = next(server.web.urls(server.port))
    names = ",".join(f'"{host}"="127.0.0.1"' for host in server.web.atlas.hosts)
    options = ["--allow-private", "--delay", 0, "--pages", 12, "--set", f"fetch.resolve={{{names}}}"]
    done = await run("crawl", "--topic", "iris eye", "--seed", seed, "--into", "here", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert shown(tmp_path / "here")["fetched"] == 12


async def test_ctrl_c_ends_cleanly_and_the_crawl_goes_on_later(tmp_path, server):
    crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, polite={"delay": 0.2})
    process = start("crawl", crawl)
    await until_it_crawls(server, process)
    process.send_signal(signal.SIGINT)
    assert await asyncio.to_thread(finish, process, 60) == 130
    assert shown(tmp_path / "crawl")["stopped"] == "interrupted"
    assert (await run("crawl", crawl, "--pages", 30, "--delay", 0)).returncode == 0
    assert shown(tmp_path / "crawl")["fetched"] == 30


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
@pytest.mark.parametrize("hands", [0, pytest.param(1, marks=pytest.mark.slow)])
async def test_other_signals_end_a_crawl_as_cleanly(tmp_path, server, number, hands):
    crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, polite={"delay": 0.2}, hands={"count": hands})
    process = start("crawl", crawl)
    await until_it_crawls(server, process)
    process.send_signal(number)
    said = (await asyncio.to_thread(process.communicate, timeout=60))[1].decode()
    assert process.returncode == 130
    assert "Stopped: interrupted; run the same command to continue." in said
    assert shown(tmp_path / "crawl")["stopped"] == "interrupted"
    asked = {f"http://{each.host}{each.path}" for each in server.log if each.path != "/robots.txt"}
    assert asked == set(catalogued(tmp_path / "crawl")), "the pages under way were kept"


@pytest.mark.slow
async def test_a_crawl_that_ignores_hanging_up_goes_on(tmp_path, server):
    crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, polite={"delay": 0.1})
    process = start_in_a_shell('exec nohup "$@"', crawl, "--pages", 20, "--quiet")
    await until_it_crawls(server, process)
    process.send_signal(signal.SIGHUP)
    assert await asyncio.to_thread(process.wait, 30) == 0
    assert shown(tmp_path / "crawl")["fetched"] == 20


@pytest.mark.slow
async def test_closing_the_terminal_ends_a_crawl_cleanly(tmp_path, server):
    """A terminal of its own, whose other end is closed: SIGHUP comes, and every further line is an error."""
    crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, polite={"delay": 0.1})
    terminal, end = pty.openpty()
    # The first terminal that the leader of a session opens is the one that hangs up on it.
    place = os.ttyname(end)
    process = start_in_a_shell(f'exec "$@" <{place} >{place} 2>&1', crawl)
    os.set_blocking(terminal, False)
    await until_it_crawls(server, process, terminal)
    os.close(terminal)
    assert await asyncio.to_thread(process.wait, 10) == 130
    os.close(end)
    assert shown(tmp_path / "crawl")["stopped"] == "interrupted"


@pytest.mark.slow
async def test_a_terminal_that_vanishes_without_a_word_stops_only_the_drawing(tmp_path, server):
    crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, polite={"delay": 0.1})
    terminal, end = pty.openpty()
    os.set_blocking(terminal, False)
    process = start_in_a_shell('exec "$@"', crawl, "--pages", 20, stderr=end)
    await until_it_crawls(server, process, terminal)
    os.close(terminal)
    assert await asyncio.to_thread(process.wait, 30) == 0
    os.close(end)
    assert shown(tmp_path / "crawl")["fetched"] == 20


async def test_a_second_ctrl_c_ends_at_once_although_a_page_hangs(tmp_path):
    async def hang(reader, writer):
        await reader.read(1000)
        hanging.set()
        await over.wait()
        writer.close()
        await writer.wait_closed()
        closed.set()

    hanging, over, closed = asyncio.Event(), asyncio.Event(), asyncio.Event()
    listener = await asyncio.start_server(hang, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    patience = ["--set", "fetch.read=600", "--set", "fetch.total=600"]
    process = start(
        "crawl", "--topic", "iris", "--seed", f"http://127.0.0.1:{port}/", "--into", tmp_path / "crawl", *patience
    )
    await asyncio.wait_for(hanging.wait(), 60)
    process.send_signal(signal.SIGINT)
    await asyncio.sleep(0.3)
    assert process.poll() is None, "the first one waits for the page under way"
    process.send_signal(signal.SIGINT)
    assert await asyncio.to_thread(finish, process, 60) == 130
    over.set()
    await closed.wait()
    listener.close()
    await listener.wait_closed()


def test_no_seed_is_said(tmp_path):
    nobody = ["--set", 'search.engines=["searxng"]', "--set", "search.searxng=http://127.0.0.1:9"]
    done = thresher("crawl", "--topic", "iris", *nobody, cwd=tmp_path)
    assert done.returncode == 1, "the command is right; it is the other machine that gives nothing"
    assert "no search engine gave a seed" in done.stderr


def test_no_topic_is_said(tmp_path):
    assert "no topic" in said(thresher("crawl", "--seed", "http://a.example/", cwd=tmp_path))


def test_a_bad_url_is_named(tmp_path):
    assert "'example.org'" in said(thresher("crawl", "--topic", "iris", "--seed", "example.org", cwd=tmp_path))


def test_an_unreadable_seed_file_is_named(tmp_path):
    assert "missing.txt" in said(thresher("crawl", "--topic", "iris", "--seeds", "missing.txt", cwd=tmp_path))


def test_a_bad_line_of_a_seed_file_is_named(tmp_path):
    (tmp_path / "seeds.txt").write_text("http://a.example/\nnot a url\n")
    assert "seeds.txt, line 2" in said(thresher("crawl", "--topic", "iris", "--seeds", "seeds.txt", cwd=tmp_path))


def test_an_unknown_strategy_lists_the_choices(tmp_path):
    wrong = said(
        thresher("crawl", "--topic", "iris", "--seed", "http://a.example/", "--strategy", "best", cwd=tmp_path)
    )
    assert "no strategy 'best'" in wrong
    assert "breadth-first" in wrong


def test_an_unknown_judge_lists_the_choices(tmp_path):
    assert "terms" in said(
        thresher("crawl", "--topic", "iris", "--seed", "http://a.example/", "--judge", "x", cwd=tmp_path)
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("topic = 'iris'\nseeds = ['http://a.example/']\ncolour = 1", "no key 'colour'"),
        ("topic = 'iris'\nseeds = ['http://a.example/']\n[budget]\npagse = 1", "did you mean 'pages'"),
        ("topic = 'iris'\nseeds = ['http://a.example/']\n[scope]\npatterns = ['(']", "patterns"),
        ("topic = 'iris'\nseeds = ['http://a.example/']\n[polite]\ncontact = 'me'", "contact 'me'"),
        ("topic = 'iris'\nseeds = ['http://a.example/']\nworkers = 'many'", "workers"),
        ("topic = 'iris'\nseeds = 'http://a.example/'", "seeds"),
        ("topic = = 1", "line 1"),
    ],
)
def test_a_mistake_in_a_crawl_file_is_named_with_its_choices(tmp_path, text, words, monkeypatch, capsys):
    (tmp_path / "crawl.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["thresher", "crawl", "crawl.toml"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert words in capsys.readouterr().err
    assert not (tmp_path / "iris" / "crawl.sqlite").exists()


def test_a_missing_crawl_file_is_named(tmp_path):
    assert "nothing.toml" in said(thresher("crawl", "nothing.toml", cwd=tmp_path))


def test_show_of_a_folder_that_is_no_crawl_is_said(tmp_path):
    assert "not the folder of a crawl" in said(thresher("show", tmp_path))


@pytest.mark.slow
async def test_a_folder_of_a_newer_version_is_refused_and_not_harmed(tmp_path, crawl_toml):
    await run("crawl", crawl_toml, "--pages", 5)
    database = tmp_path / "crawl" / "crawl.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version = 99")
    kept, settings = catalogued(tmp_path / "crawl"), (tmp_path / "crawl" / "crawl.toml").read_bytes()
    assert "format 99" in said(await run("crawl", crawl_toml, "--pages", 50))
    assert catalogued(tmp_path / "crawl") == kept
    assert (tmp_path / "crawl" / "crawl.toml").read_bytes() == settings
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (99,)


async def test_a_folder_that_is_in_use_is_refused_and_not_harmed(tmp_path, server):
    crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, polite={"delay": 1.0})
    process = start("crawl", crawl, "--quiet")
    while len(server.log) < 3:
        await asyncio.sleep(0.01)
    wrong = said(await run("crawl", crawl))
    assert f"process {process.pid}" in wrong
    process.send_signal(signal.SIGINT)
    assert await asyncio.to_thread(finish, process, 60) == 130


async def test_another_topic_in_the_same_folder_is_refused(crawl_toml):
    await run("crawl", crawl_toml, "--pages", 5)
    assert "choose another --into" in said(await run("crawl", crawl_toml, "--topic", "bread"))


@pytest.mark.slow
async def test_a_damaged_database_is_said(tmp_path, crawl_toml):
    await run("crawl", crawl_toml, "--pages", 5)
    (tmp_path / "crawl" / "crawl.sqlite").write_bytes(b"not a database at all" * 100)
    assert "crawl.sqlite" in said(await run("crawl", crawl_toml))


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="needs root on Linux to mount a small disk")
@pytest.mark.slow
async def test_a_full_disk_is_said_and_what_is_kept_stays_readable(tmp_path, server):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=250k", "none", disk], check=False).returncode:
        pytest.skip("this machine does not let us mount a small disk")
    try:
        crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port)
        assert "no room left" in said(await run("crawl", crawl, "--into", disk / "crawl"))
        figures = await run("show", disk / "crawl", "--json")
        assert json.loads(figures.stdout)["fetched"] == len(catalogued(disk / "crawl"))
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_live_crawl_without_a_contact_warns(tmp_path):
    done = thresher("crawl", "--topic", "iris", "--seed", "http://a.invalid/", "--minutes", "0.0001", cwd=tmp_path)
    assert "no --contact" in done.stderr


def test_the_demo_does_not_warn_of_a_contact_that_nobody_can_give_it(tmp_path):
    done = thresher("demo", "--pages", "10", cwd=tmp_path)
    assert "relevant of 10 fetched" in done.stdout
    assert "--contact" not in done.stderr


@pytest.mark.parametrize("command", [[], ["crawl"], ["show"], ["demo"]])
def test_every_command_has_help_with_an_example(command):
    done = CliRunner().invoke(commands, [*command, "--help"])
    assert done.exit_code == 0
    assert "thresher " + (command[0] if command else "demo") in done.output


async def test_a_proxy_that_is_not_there_is_named_before_anything_is_asked(tmp_path):
    done = await run(
        "crawl", "--topic", "iris", "--seed", "http://a.example/", "--proxy", "http://127.0.0.1:1", cwd=tmp_path
    )
    assert "the proxy http://127.0.0.1:1 cannot be reached" in said(done)
