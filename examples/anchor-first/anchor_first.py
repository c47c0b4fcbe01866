"""Anchor first: links whose own words name the topic, then those of pages about it, on hosts that had such pages before."""

from collections import Counter
from collections.abc import Mapping, Sequence

from thresher import DROP, Evidence, Link, Strategy, Topic, Visit
from thresher.topic.link_text import anchors
from thresher.topic.scoring import Weigher
from thresher.urls import host_of


class AnchorFirst(Strategy):
    """Follow links whose own words name the topic, then those of pages about it, on hosts that had such pages before."""

    def __init__(self, topic: Topic, host: float = 0.1, least: float = 0.0) -> None:
        self._weigher, self._host, self._least = Weigher(topic.labels), host, least
        self._good, self._changed = Counter[str](), set[str]()

    def learn(self, visit: Visit) -> None:
        if visit.judgement and visit.judgement.relevant:
            self._good[host_of(visit.url)] += 1
            self._changed.add(host_of(visit.url))

    def score(self, visit: Visit, links: Sequence[Link]) -> list[float]:
        page = visit.judgement.relevance if visit.judgement else 0.0
        named = self._weigher.weigh_each(anchors(links))
        found = [page + words + self._luck(link) for words, link in zip(named, links, strict=True)]
        return [priority if priority >= self._least else DROP for priority in found]

    def _luck(self, link: Link) -> float:
        return self._host * min(self._good[host_of(link.target)], 10)

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        named = self._weigher.found(link.anchor).items()
        page = visit.judgement.relevance if visit.judgement else 0.0
        words = [Evidence(label, "anchor", float(count)) for label, count in named]
        return (*words, Evidence("relevance", "page", page), Evidence("relevant pages", "host", self._luck(link)))

    def save(self) -> Mapping[str, bytes]:
        changed, self._changed = self._changed, set()
        return {host: str(self._good[host]).encode() for host in changed}

    def load(self, parts: Mapping[str, bytes]) -> None:
        self._good.update({host: int(count) for host, count in parts.items()})
