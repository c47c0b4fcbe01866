"""A strategy of your own, tried on a small web that is served on this machine: python examples/own_strategy.py"""

import asyncio
import tempfile
from collections.abc import Sequence

import thresher
from thresher.lab.generated import generate
from thresher.lab.serve import serve


class AnchorFirst(thresher.Strategy):
    """Follow links whose own words name the topic, then those of pages that do."""

    def __init__(self, topic: thresher.Topic) -> None:
        self.topic = topic

    def score(self, visit: thresher.Visit, links: Sequence[thresher.Link]) -> list[float]:
        page = visit.judgement.relevance if visit.judgement else 0.0
        return [page + sum(label in link.anchor.lower() for label in self.topic.labels) for link in links]


async def main() -> None:
    topic = thresher.Topic.of("iris eye pupil")
    web = generate()
    async with serve(web):
        for strategy in (AnchorFirst(topic), "best-first"):
            with tempfile.TemporaryDirectory() as folder:
                async with thresher.open_crawl(
                    folder,
                    topic.name,
                    [next(web.urls())],
                    strategy,
                    budget={"pages": 60},
                    polite={"delay": 0.0},
                    fetch=proxy,
                    workers=1,
                ) as crawl:
                    await crawl.run()
            print(
                f"{strategy if isinstance(strategy, str) else 'own':>12}: {crawl.tally.relevant} relevant of {crawl.tally.fetched}"
            )


asyncio.run(main())
