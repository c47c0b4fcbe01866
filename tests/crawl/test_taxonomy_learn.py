"""`thresher taxonomy learn` as a process against a server on 127.0.0.1: killed, interrupted, continued, and used by a crawl."""

import asyncio
import csv
import signal
import time

import pytest
from tests.crawl.local import finish, kill, start

from thresher.classify.learnt_folder import LearntFolder
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

NATURE = {"flower", "bees", "mountains"}
LONGEST = 600.0


def table_of(web, port, path, every=3):
    """Each third page of the web, with what it is about: a table of classes with urls."""
    with path.open("w") as file:
        rows = csv.writer(file)
        rows.writerow(["class", "url"])
        for number, url in enumerate(web.urls(port)):
            topic = web.topic_of(url)
            if number % every == 0:
                rows.writerow([f"{'Nature' if topic in NATURE else 'Things'}/{topic}", url])
    return path


def resolved(web):
    """Host names that are only known here."""
    hosts = ", ".join(f'"{host}" = "127.0.0.1"' for host in web.atlas.hosts)
    return ("--allow-private", "--delay", 0, "--set", f"fetch.resolve={{{hosts}}}")


def learning(web, source, into):
    return start("taxonomy", "learn", source, "--into", into, "--least", 3, "--linked", 30, *resolved(web))


def learnt(folder):
    """What was learnt: sizes, and rules with their pages."""
    made = LearntFolder(folder)
    return made.sizes(), {(rule.parent, rule.child): rule.pages for rule in made.rules()}


def asked(server):
    return [f"http://{each.host}{each.path}" for each in server.log if each.path != "/robots.txt"]


async def answered(server, more):
    """Wait until so many pages more were answered."""
    goal, began = len(server.log) + more, time.monotonic()
    while len(server.log) < goal:
        assert time.monotonic() - began < LONGEST, "the process asks for nothing"
        await asyncio.sleep(0.002)


@pytest.mark.slow
async def test_killed_again_and_again_it_learns_what_it_would_have_learnt(tmp_path):
    web = generate(size=400, hosts=10, seed=5)
    async with serve(web, delay=0.005) as server:
        source = table_of(web, server.port, tmp_path / "classes.csv")
        whole, killed = tmp_path / "whole", tmp_path / "killed"
        assert await asyncio.to_thread(finish, learning(web, source, whole)) == 0
        once = set(asked(server))
        server.log.clear()
        for pages in (5, 30, 60):
            process = learning(web, source, killed)
            await answered(server, pages)
            await asyncio.to_thread(kill, process)
            assert not LearntFolder(killed).exists
        assert await asyncio.to_thread(finish, learning(web, source, killed)) == 0
        assert set(asked(server)) == once, "the same links are drawn, whenever it was killed"
    assert learnt(killed) == learnt(whole)


@pytest.mark.slow
async def test_ctrl_c_keeps_the_pages_and_says_how_to_go_on(tmp_path):
    web = generate(size=400, hosts=10, seed=5)
    async with serve(web, delay=0.005) as server:
        source = table_of(web, server.port, tmp_path / "classes.csv")
        process = learning(web, source, tmp_path / "taxonomy")
        await answered(server, 40)
        process.send_signal(signal.SIGINT)
        _, said = await asyncio.to_thread(process.communicate)
        assert process.returncode == 130
        assert b"the pages so far are kept; run the same command to continue" in said
        first = set(asked(server))
        server.log.clear()
        assert await asyncio.to_thread(finish, learning(web, source, tmp_path / "taxonomy")) == 0
    assert not first & set(asked(server)), "nothing is asked for twice"


@pytest.mark.slow
async def test_a_crawl_with_what_was_learnt_finds_the_pages_of_its_target(tmp_path):
    web = generate(size=400, hosts=10, seed=5)
    async with serve(web) as server:
        source = table_of(web, server.port, tmp_path / "classes.csv")
        folder = tmp_path / "taxonomy"
        assert await asyncio.to_thread(finish, learning(web, source, folder)) == 0
        marking = start("taxonomy", "show", folder, "--mark", "Nature")
        assert await asyncio.to_thread(finish, marking) == 0
        server.log.clear()
        parts = ("--judge", "classifier", "--strategy", "interclass-rules", "--taxonomy", folder)
        seed = ("--seed", next(web.urls(server.port)), "--pages", 120, "--workers", 1)
        crawl = start("crawl", "--topic", "nature", *parts, *seed, *resolved(web), "--into", tmp_path / "crawl")
        assert await asyncio.to_thread(finish, crawl) == 0
    topics = [web.topic_of(url) for url in asked(server)]
    everywhere = [web.topic_of(url) for url in web.urls()]
    share = sum(topic in NATURE for topic in everywhere) / len(everywhere)
    assert sum(topic in NATURE for topic in topics) / len(topics) > 1.5 * share
