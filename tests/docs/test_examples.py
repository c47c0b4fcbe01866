import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.lab.generated import generate
from thresher.lab.serve import serve

EXAMPLES = Path(__file__).parents[2] / "examples"


async def run(name, *arguments, **options):
    command = [sys.executable, EXAMPLES / name, *arguments]
    return await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, timeout=60, check=True, **options
    )


async def test_ten_lines_crawl_a_web(tmp_path):
    async with serve(generate(size=8, hosts=["127.0.0.1"])) as server:
        done = await run("ten_lines.py", f"http://127.0.0.1:{server.port}/", cwd=tmp_path)
    assert "8 fetched" in done.stdout
    assert (tmp_path / "iris-crawl" / "crawl.sqlite").exists()


async def test_a_strategy_of_ones_own_can_be_tried():
    done = await run("own_strategy.py")
    assert "own strategy:" in done.stdout
    assert "best-first:" in done.stdout


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_has_fewer_than_forty_lines_and_a_test(example):
    assert len(example.read_text().splitlines()) < 40
    assert example.name in Path(__file__).read_text()
