"""What the priority of a link was made of: the crawl's strategy is built again from its folder and looks at the page once more."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from thresher.errors import ThresherError
from thresher.fetchers import scope_rules
from thresher.knowledge import Knowledge, needs, part
from thresher.listed_links import sitemaps_named
from thresher.model import DROP, Evidence, Link, Page, Url, Visit
from thresher.orders.lasting import LEFT, left_hosts, without
from thresher.plugins import construct
from thresher.ports import Strategy
from thresher.results.archive import Archive
from thresher.store.rejudgements import first_judgement
from thresher.store.states import recall, strategy_state


class PriorityParts(NamedTuple):
    """What a priority is made of; or, if that cannot be said, why not."""

    evidence: tuple[Evidence, ...] = ()
    unknown: str = ""
    found: str = ""
    """Where the link was found, in words, if not where a person would click."""


class Reasons:
    """The strategy and the scope of a crawl. The strategy knows all it has learnt by now, not only what it knew when it saw the link."""

    def __init__(self, archive: Archive) -> None:
        settings, self._read = archive.settings, archive.read
        self.scope = without(scope_rules(settings), left_hosts(recall(self._read, LEFT)))
        self.name: str = settings.strategy["name"]
        self.unknown = ""
        """Why there is no strategy, if there is none."""
        self.strategy: Strategy | None = None
        try:
            given = needs(settings.topic, construct(Knowledge, settings.knowledge, "[knowledge]"))
            self.strategy = part("strategy", settings.strategy, given)
            self._load(self.strategy, archive)
        except ThresherError as error:
            self.unknown = f"the strategy cannot be built again: {error}"

    def _load(self, strategy: Strategy, archive: Archive) -> None:
        state = strategy_state(archive.read)
        if state:
            strategy.load(state)

    def parts(self, visit: Visit | None, target: Url, anchor: str) -> PriorityParts:
        """What the priority of a link on a visited page is made of."""
        if visit is None or visit.page is None:
            return PriorityParts(
                unknown="the page that linked here is lost" if visit else "the page that linked here was not kept"
            )
        if visit.page.refresh == target:
            return PriorityParts(
                unknown="the page sends its readers here (meta refresh): the link has the page's own priority"
            )
        link = link_to(visit.page, target, anchor)
        if link is None:
            if target in sitemaps_named(recall(self._read, f"sitemaps/{visit.claim.host}")):
                return PriorityParts(unknown="just behind what was worth as much as the page", found=_BY_ROBOTS)
            return PriorityParts(unknown="the link is not on the page as it was kept")
        found = place_of_link(link, visit.page)
        if self.strategy is None:
            return PriorityParts(unknown=self.unknown, found=found)
        evidence = tuple(self.strategy.explain(self._as_crawled(visit), link))
        return PriorityParts(evidence, "" if evidence else f"{self.name} gives no reasons for it", found)

    def priority(self, visit: Visit, target: Url) -> float | None:
        """The priority that a link would get today; None if nobody can say."""
        return self.priorities(visit).get(target)

    def priorities(self, visit: Visit) -> dict[Url, float]:
        """The priority that each link of a page would get today; the highest, where several lead to one url."""
        if self.strategy is None or visit.page is None:
            return {}
        links = self._in_scope(visit, visit.page)
        scores, best = self.strategy.score(self._as_crawled(visit), links), dict[Url, float]()
        for link, score in zip(links, scores, strict=True):
            best[link.target] = max(score, best.get(link.target, DROP))
        return best

    def _as_crawled(self, visit: Visit) -> Visit:
        """The visit with the judgement that the strategy saw, whatever was said of the page since."""
        own = first_judgement(self._read, visit.number)
        return replace(visit, judgement=own)

    def _in_scope(self, visit: Visit, page: Page) -> Sequence[Link]:
        return self.scope.within(page.links, visit.claim.candidate.depth + 1)


def place_of_link(link: Link, page: Page) -> str:
    """Where a link was found, in words; empty if where a person would click."""
    return _IN_LISTS.get(page.form) or _ON_PAGES.get(link.kind, "")


_IN_LISTS = {"feed": "found in the feed", "sitemap": "named by the sitemap"}
_ON_PAGES = {
    "feed": "a feed that the page names",
    "next": "rel=next or rel=prev of the page",
    "alternate": "the page in another language, by its hreflang",
    "canonical": "what the page calls its own address",
    "opengraph": "named by the page's OpenGraph",
    "json-ld": "named by the page's JSON-LD",
    "data": "found in data that the page carries",
    "header": "named by the page's header Link",
}
_BY_ROBOTS = "a sitemap that robots.txt names"


def link_to(page: Page, target: Url, anchor: str = "") -> Link | None:
    """The page's link to a url: of several the one with these words, else the first."""
    links = [link for link in page.links if link.target == target]
    return next((link for link in links if link.anchor.startswith(anchor)), links[0]) if links else None
