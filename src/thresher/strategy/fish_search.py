"""Fish-search: a school of fish that multiplies where it finds food, and dies out after so many pages without any.

Paper: De Bra and Post 1994, as Kayışoğlu 2005 (§2.4.4), Kumar and Vig 2010 (§II) and Altıngövde and Ulusoy 2004 describe it; the places
in the list are from De Bra's own description. Relevance is yes or no: a keyword or a regular expression is found. Every url has a depth:
how many pages without food it may still lead through:

    the page is relevant                 its links get `depth`,                    at the front of the list
    it is not, its own depth is over 0   its links get its own depth − 1,          after all children of relevant pages
    it is not, its own depth is 0        its links are dead,                       dropped, or at the end of the list

The newest are at the front of their part of the list; at the end of the list the oldest come first. All links of a page have the same
depth, so it is kept by page, and a url inherits that of the page whose link has placed it best (merge `max`).

Unclear, and how it was read. A relevant page at depth 0: it is food, so its links live ("discarded unless the retrieved node is relevant").
Dead links: dropped, for the papers say that the fish die and the crawl of such an area stops; De Bra's later version keeps them for the
end (`dead = "wait"`). The depth of 3 is ours. In the original only `width` links of a page, and half as many again of a relevant one, go to
their place, those to other hosts rather than others, and the rest to the end; the papers do not mention it, so by default all do.
Left out: slow servers shorten their links' depth in the original; here politeness decides how fast a host is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from thresher.model import DROP, Evidence, Link, Merge, Page, Sharing, Url, Visit
from thresher.patterns import compiled
from thresher.ports import Strategy
from thresher.strategy.depth_first import BAND, newest_first
from thresher.strategy.inheritance import Inheritance
from thresher.strategy.parameters import within
from thresher.topic import Topic
from thresher.topic.matching import Matcher
from thresher.urls import host_of, url_hash


class FishSearch(Strategy):
    """Swim on from pages with the topic's words, and give up after so many without."""

    merge: Merge = "max"
    sharing: Sharing = "lessons"

    def __init__(  # noqa: PLR0913 - the switches of the original
        self,
        topic: Topic,
        *,
        depth: int = 3,
        width: int = 0,
        all_words: bool = False,
        pattern: str = "",
        dead: Literal["drop", "wait"] = "drop",
    ) -> None:
        within("fish-search", 1, depth=depth)
        within("fish-search", 0, width=width)
        self._depth, self._width, self._dead = depth, width, dead
        self._needed = len(topic.labels) if all_words and not pattern else 1
        self._words = Matcher(topic.labels)
        self._pattern = compiled("strategy 'fish-search': pattern", pattern, any_case=True) if pattern else None
        self._depths = Inheritance("<q", depth)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Where in the list the links go."""
        own = self._depths.of(visit)[0]
        if visit.page is not None and self._is_food(visit.page):
            # What relevant pages pass on is what seeds have, so it needs no note.
            return self._placed(visit, links, 2 * BAND, self._width * 3 // 2)
        self._depths.note(visit.url, max(0, own - 1))
        if own > 0:
            return self._placed(visit, links, BAND, self._width)
        return [DROP] * len(links) if self._dead == "drop" else _at_the_end(visit, links)

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What was found on the page, and how many pages without food the link may lead through."""
        found = self._found(visit.page) if visit.page is not None else {}
        food = visit.page is not None and self._is_food(visit.page)
        depth = self._depth if food else max(0, self._depths.of(visit)[0] - 1)
        return *(Evidence(what, "page", count) for what, count in found.items()), Evidence("depth", "link", depth)

    def save(self) -> Mapping[str, bytes]:
        """The depth that the links of the last page got."""
        return self._depths.save()

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take them back."""
        self._depths.load(parts)

    def lesson(self) -> bytes:
        """What the last page passes on."""
        return self._depths.lesson()

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """Note what pages pass on that other workers fetched."""
        self._depths.take_in(lessons)
        return ()

    def _is_food(self, page: Page) -> bool:
        return len(self._found(page)) >= self._needed

    def _found(self, page: Page) -> Mapping[str, int]:
        text = f"{page.title}\n{page.main}"
        if self._pattern is None:
            return self._words.count(text)
        first = self._pattern.search(text)
        return {first[0]: 1} if first else {}

    def _placed(self, visit: Visit, links: Sequence[Link], band: float, width: int) -> list[float]:
        front = [band + priority for priority in newest_first(visit, links)]
        if not self._width:
            return front
        chosen = _chosen(visit, links, width)
        return [
            place if link.target in chosen else last
            for link, place, last in zip(links, front, _at_the_end(visit, links), strict=True)
        ]


def _chosen(visit: Visit, links: Sequence[Link], width: int) -> set[Url]:
    """Links to other hosts first; among equals by the hash of the url, so that the choice is always the same."""
    here = visit.claim.host
    targets = {link.target for link in links}
    return set(sorted(targets, key=lambda url: (host_of(url) == here, url_hash(url)))[:width])


def _at_the_end(visit: Visit, links: Sequence[Link]) -> list[float]:
    return [-visit.number - place / len(links) for place in range(len(links))]
