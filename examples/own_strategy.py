"""A strategy of your own, tried on a small web that is served on this machine: python examples/own_strategy.py"""

import asyncio
import tempfile
from collections.abc import Sequence

import thresher
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

TOPIC = thresher.Topic.of("iris eye pupil")
WEB = generate()


class AnchorFirst(thresher.Strategy):
    """Follow links whose own words name the topic, then those of pages that do."""

    def score(self, visit: thresher.Visit, links: Sequence[thresher.Link]) -> list[float]:
        page = visit.judgement.relevance if visit.judgement else 0.0
        return [page + sum(label in link.anchor.lower() for label in TOPIC.labels) for link in links]


async def relevant(strategy: thresher.Strategy | str, port: int) -> int:
    tables = {"budget": {"pages": 60}, "polite": {"delay": 0.0}, "fetch": {"proxy": f"http://127.0.0.1:{port}"}}
    with tempfile.TemporaryDirectory() as folder:
        async with thresher.open_crawl(
            folder, TOPIC.name, [next(WEB.urls())], strategy, (), workers=1, **tables
        ) as crawl:
            await crawl.run()
    return crawl.tally.relevant


async def main() -> None:
    async with serve(WEB) as server:
        print("own strategy:", await relevant(AnchorFirst(), server.port), "relevant of 60")
        print("best-first:  ", await relevant("best-first", server.port), "relevant of 60")


asyncio.run(main())
