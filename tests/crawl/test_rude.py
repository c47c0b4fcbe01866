import asyncio
import re
import sqlite3
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import tomli_w
from tests.crawl.local import hands_of, shown, start
from tests.web.rude import RudeWeb
from tests.web.rudeness import RUDENESSES

# What the loop makes of answers that the fetcher passes on.
LOOP_NAMES = {
    "/loop": "redirect-loop",
    "/to-a-file": "redirect-bad",
    "/to-javascript": "redirect-bad",
    "/to-nowhere": "redirect-bad",
    "/forbidden": "robots",
    # Where documents are read, the endless one is refused for its size instead of its type.
    "/pdf": "too-large" if find_spec("pypdfium2") else "content-type",
}


# Without a pause between two requests nothing tells a late answer from that to the next question: tests/unit/fetch has it with a pause.
LEFT_OUT = {"/late-second-answer"}


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
async def test_one_crawl_passes_over_a_rude_web_and_ends_by_itself(tmp_path, hands):
    async with RudeWeb(beat=0.2) as web:
        status, megabytes = await crawl_over(web, tmp_path, hands)
        asked = [request.path for request in web.log]
    assert status == 0
    assert web.intruders == []
    assert "/forbidden" not in asked
    assert shown(tmp_path / "crawl")["stopped"] == "dry"
    outcomes = outcomes_of(tmp_path / "crawl", web)
    paths = RUDENESSES.keys() - LEFT_OUT
    assert {path: outcomes.get(path) for path in paths} == {path: expected(path) for path in paths}
    assert outcomes["/loop-of-two/back"] == "redirect-loop"
    assert "redirect-limit" in outcomes.values()
    assert outcomes[f"http://{web.secret_host}/keys"] == "private-address"
    assert outcomes["http://169.254.169.254/latest/meta-data/"] == "private-address"
    assert megabytes < 300 * (1 + hands)
    assert megabytes > 30 or sys.platform != "linux", "it was measured"


async def crawl_over(web: RudeWeb, folder, hands: int) -> tuple[int, float]:
    settings = {
        "topic": "iris",
        "seeds": [web.url],
        "into": "crawl",
        # Where nothing is relevant it takes links in their order; the default learns which urls answer, and prefers the endless traps.
        "strategy": "best-first",
        "polite": {"delay": 0, "per_host": 8},
        "scope": {"deny_prefixes": [web.url.rstrip("/") + path for path in LEFT_OUT]},
        "budget": {"dry_window": 400},
        "frontier": {"backoff": 0.01, "backoff_most": 0.1, "give_up": 1000},
        "fetch": {"connect": 10.0, "read": 1.0, "total": 2.0},
        "hands": {"count": hands},
    }
    (folder / "crawl.toml").write_text(tomli_w.dumps(settings))
    process = start("crawl", folder / "crawl.toml", "--quiet")
    megabytes = 0.0
    while process.poll() is None:
        megabytes = max(megabytes, sum(map(peak_of, [process.pid, *hands_of(process.pid)])))
        await asyncio.sleep(0.05)
    print(process.communicate()[1].decode())
    return process.returncode, megabytes


def peak_of(pid: int) -> float:
    """The most memory that a running process has held. What `wait4` tells would count that of the tests which started it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(peak.group(1)) / 1024 if peak else 0.0


def outcomes_of(folder, web: RudeWeb) -> dict[str, str]:
    with sqlite3.connect(folder / "crawl.sqlite") as connection:
        rows = connection.execute("SELECT url, outcome FROM visit").fetchall()
    return {url.removeprefix(web.url.rstrip("/")): outcome for url, outcome in rows}


def expected(path: str) -> str:
    outcome = LOOP_NAMES.get(path, RUDENESSES[path].outcome)
    if outcome in {"http-301", "http-302"}:
        return "redirect"
    return "page" if outcome in {"http-200", "http-204"} else outcome
