"""A full disk is called that, whatever command meets it. The disk is a small file system in memory, which only root can mount."""

import asyncio
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from tests.crawl.local import catalogued, crawl_file

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

FULL = "no room left"


@contextmanager
def disk_of(kilobytes, place):
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def fill(place):
    with (place / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass


def thresher(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "thresher", *map(str, arguments)],
        capture_output=True,
        text=True,
        input="y\n",
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a file system")
@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [40, 120, 300, 900, 1500])
async def test_a_crawl_whose_disk_fills_up_says_so_and_keeps_what_it_has(tmp_path, kilobytes):
    web = generate(size=400, hosts=8, seed=3)
    async with serve(web) as server:
        with disk_of(kilobytes, tmp_path / "disk") as disk:
            crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, into=str(disk / "crawl"))
            done = await asyncio.to_thread(thresher, "crawl", crawl, "--quiet")
            kept = catalogued(disk / "crawl")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert FULL in done.stderr
    assert kept or kilobytes < 1500


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a file system")
@pytest.mark.slow
async def test_every_command_on_a_full_disk_says_so(tmp_path):
    web = generate(size=100, hosts=5, seed=3)
    async with serve(web) as server:
        with disk_of(20_000, tmp_path / "disk") as disk:
            folder = disk / "crawl"
            crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, into=str(folder), budget={"pages": 30})
            assert (await asyncio.to_thread(thresher, "crawl", crawl, "--quiet")).returncode == 0
            fill(disk)
            commands = [
                ("search", folder, "iris"),
                ("label", folder, "--limit", 1),
                ("export", folder, "--to", "jsonl", "--out", disk / "out.jsonl"),
                ("export", folder, "--to", "warc", "--into", disk / "out"),
                ("report", folder, "--out", disk / "out.html"),
                ("rejudge", folder, "--threshold", 0.3, "--yes"),
                ("tell", folder, "pages", "+500"),
                ("revisit", folder, "--now", "--quiet"),
                ("crawl", folder, "--quiet", "--pages", 60),
            ]
            ended = {command: await asyncio.to_thread(thresher, *command) for command in commands}
    for command, done in ended.items():
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), (command, done.stderr)
        assert FULL in done.stderr or "No space left" in done.stderr, command
