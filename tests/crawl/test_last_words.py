"""However a command ends, its last words are a sentence and its exit code says how it ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thresher.cli import main

STOPPED = (
    "from thresher import cli; cli.thresher.callback = lambda: (_ for _ in ()).throw(KeyboardInterrupt); cli.main()"
)


def thresher(*arguments, **options):
    options = {"capture_output": True, **options}
    command = [sys.executable, "-m", "thresher", *arguments]
    return subprocess.run(command, text=True, timeout=60, check=False, **options)


def test_a_name_that_is_too_long_for_the_system_is_one_sentence():
    done = thresher("show", "a" * 300)
    assert done.returncode == 2
    assert done.stderr.endswith("File name too long\n")
    assert done.stderr.count("\n") == 1


def test_bytes_that_are_no_letters_are_refused_before_anything_is_made(tmp_path):
    done = thresher("crawl", "--topic", b"eye \xff", "--seed", "http://127.0.0.1:1/", cwd=tmp_path)
    assert done.returncode == 2
    assert "is not text" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_the_output_is_one_sentence():
    with Path("/dev/full").open("w") as full:
        done = thresher("strategies", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert (done.returncode, done.stderr) == (2, "thresher: No space left on device\n")


def test_a_terminal_without_the_letters_gets_others():
    done = thresher("strategies", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "?" in done.stdout


def test_ctrl_c_is_no_error():
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, "strategies"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.strip()) == (130, "thresher: stopped")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_as_good_as_nowhere(closed):
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m thresher strategies {closed}', sys.executable],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"apprentice" in done.stdout) == (">&-" not in closed.replace("2>", ""))


@pytest.mark.parametrize("command", [["strategies"], ["ontology", "--json"], ["--help"], ["show", "--help"]])
def test_a_reader_who_has_seen_enough_is_no_error(command):
    with subprocess.Popen(
        [sys.executable, "-m", "thresher", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["crawl", "   "], "no topic"),
        (["topic", ""], "is not a topic"),
        (["crawl", "iris", "--ontology", "nope"], "there is no ontology 'nope'"),
        (["crawl", "--topic", "iris", "--seed", "http://127.0.0.1:1/", "--into", "full"], "is not empty"),
        (["crawl", "--topic", "iris", "--seed", "http://127.0.0.1:1/", "--set", "store.nope=1"], "nope"),
        (["show", "empty"], "names no topic"),
    ],
)
def test_what_cannot_be_crawled_for_is_told_and_leaves_nothing_behind(arguments, says, tmp_path, monkeypatch, capsys):
    for name, text in (("full/mine.txt", "mine"), ("empty/crawl.toml", "")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    (tmp_path / "empty" / "crawl.sqlite").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["thresher", *arguments])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert says in capsys.readouterr().err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["empty", "full"]
    assert [each.name for each in (tmp_path / "full").iterdir()] == ["mine.txt"]


SLOW = "import time, pathlib; pathlib.Path({marker!r}).touch(); time.sleep(30)"


@pytest.mark.parametrize("module", ["click", "rich", "aiohttp"])
def test_ctrl_c_while_modules_load_is_one_quiet_line(tmp_path, module):
    marker = tmp_path / "loading"
    (tmp_path / f"{module}.py").write_text(SLOW.format(marker=str(marker)))
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-m", "thresher", "crawl", "--topic", "iris", "--seed", "http://127.0.0.1:1/"],
        env={**os.environ, "PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        while not marker.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr.read() == b"thresher: stopped\n"
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"loading", f"{module}.py"}
