"""A crawl in ten lines: python examples/ten_lines.py URL"""

import asyncio
import sys

import thresher


async def main(seed: str) -> None:
    async with thresher.open_crawl("iris-crawl", topic="iris eye", seeds=[seed], budget={"pages": 50}) as crawl:
        stop = await crawl.run()
    print(f"{crawl.tally.fetched} fetched, {crawl.tally.relevant} relevant: {stop.message}")


if len(sys.argv) != 2:
    print("usage: python examples/ten_lines.py URL", file=sys.stderr)
    sys.exit(2)
asyncio.run(main(sys.argv[1]))
