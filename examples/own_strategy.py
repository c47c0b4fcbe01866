"""A strategy of your own, tried on a small web that is served on this machine: python examples/own_strategy.py"""

import tempfile
from collections.abc import Sequence

import thresher
from thresher.testing import LocalWeb

TOPIC = thresher.Topic.of("iris eye pupil")


class AnchorFirst(thresher.Strategy):
    """Follow links whose own words name the topic, then those of pages that do."""

    def score(self, visit: thresher.Visit, links: Sequence[thresher.Link]) -> list[float]:
        page = visit.judgement.relevance if visit.judgement else 0.0
        return [page + sum(label in link.anchor.lower() for label in TOPIC.labels) for link in links]


def relevant(strategy: thresher.Strategy | str, web: LocalWeb) -> int:
    wanted = {**web.settings, "seeds": web.seed, "pages": 60, "workers": 1}
    with tempfile.TemporaryDirectory() as folder:
        crawl = thresher.Crawl.start(TOPIC, strategy=strategy, into=folder, **wanted)
        crawl.run()
    return crawl.tally.relevant


with LocalWeb() as web:
    print("own strategy:", relevant(AnchorFirst(), web), "relevant of 60")
    print("best-first:  ", relevant("best-first", web), "relevant of 60")
