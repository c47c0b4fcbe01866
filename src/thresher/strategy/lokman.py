"""Lokman: first the links that name the topic's concepts, and those on pages that name them.

Paper: Kayışoğlu 2005, §3.4.3.7 and §4.1. CC(text) is Kayışoğlu's CalculateComparator: every concept counts with the weight of its tier
each time it occurs; the sum is not divided by anything. A page P inherits the value that its url had in the frontier; L is one link on it:

    PageValue(P) = .1 · Inherited(P) + .9 · CC(P)
    LinkValue(L) = .1 · PageValue(P) + .9 · CC(L)      and no link of a page with CC(P) = 0

A url that is met again while it waits keeps the greater value (GetGreater) or gets the sum (IncrementValues); what it then
stands at is what its page inherits.

Unclear, and read as follows:
- The formulas are lost in the copy at hand; these are rebuilt from the prose, which names the factors and what is inherited. Requirement
  14.c.v has the greater of page value and CC(L) instead: `link_combine="max"`.
- §3.4.3.7 weighs tiers by 15, 12, 8 and 5, requirement 13.c by 15, 12, 5 and 3. Concepts come weighed; `weights` weighs them anew.
- A seed has "an initial value": it inherits `seed_value`, 0, and is visited first. Kayışoğlu would prune it like any page, and so
  end a crawl at a start page that links to everything and says nothing: `never_prune_seeds` keeps it from that.
- The page is the whole document, title and menus too. §5.2 may be read as leaving anchors out: `page_excludes_anchors`.
- A link is described by its address and its anchor (§4.1); requirement 14.c has the anchor alone: `href=False`.
- Requirement 14.c.ii wants "tf/idf" of each concept in a link, §3.4.3.7 has none. `link_tfidf` multiplies a concept's count by
  1 + ln(N / df) where df of the page's N links name it: what every link names counts as without, what few name counts more.

Kayışoğlu's §5.2 names two things to try, which are keys that change nothing where they are not given. Tags may weigh differently:
`title_weight`, `heading_weight`, `bold_weight` and `anchor_weight` say how often a concept there counts in the page's CC, instead of
once. And links may be weighed unlike pages: `link_weights` are the tiers' weights in links, `link_alpha` is the page's share in a link.

`profile="robust"` repairs three things. Pages without a concept are not pruned: hubs often say nothing, and their links are judged
by their own words and what is left of the inheritance. Menus do not count as the page, for on many sites they name every subject. A
page's CC, which grows with its length until it drowns what the links themselves say, is damped as BM25 does it, towards `page_most`:

    CC' = page_most · CC / (CC + page_most · (.25 + .75 · words / 500))

Over 14 crawls of 200 to 1,000 pages on three recorded webs (nine topics, five of them from near and far seeds), relevant pages by the
editors' labels: without ontology 537, with WordNet's concepts 630, robust 742; with a table of words beside them 805, robust 870,
IncrementValues 708. The damping makes the difference (880 alone), and where the paper's crawl died after 21 pages, not pruning does.
"""

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from thresher.errors import BadInput
from thresher.model import DROP, SEED, Evidence, Link, Merge, Page, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import Profile, switches, within
from thresher.topic import Topic
from thresher.topic.build_topic import PROFILES, weights_of
from thresher.topic.link_text import anchors, anchors_and_hrefs, href_words
from thresher.topic.matching import Overlap
from thresher.topic.scoring import Weigher

_PROFILES = {
    "paper": {"prune_zero": True, "whole_document": True, "page_most": math.inf},
    "robust": {"prune_zero": False, "whole_document": False, "page_most": 50.0},
}
_TAGS = ("title", "heading", "bold", "anchor")
_HEAVIEST = 1000.0
_MERGES: dict[str, Merge] = {"greater": "max", "increment": "sum"}
_EXACT = PROFILES["design"].exact
# 500 words of a typical page's text, at six characters a word: counting them would cost more than all the rest.
_AVERAGE_LENGTH = 3000


class PageValue(NamedTuple):
    """What a page passes on to its links."""

    inherited: float
    own: float
    """Its CC, damped where that is wanted."""
    total: float
    pruned: bool


@dataclass(kw_only=True, eq=False)
class LinkEstimator(Strategy):
    """What Lokman and its baseline share: all but the words they look for."""

    called: ClassVar[str] = "lokman"
    """The strategy's name, for messages about a wrong key."""
    profile: Profile = "paper"
    """`paper` or `robust`. `robust` sets other values for options you left unset."""
    alpha_inherit: float = 0.1
    """The share of what is inherited, in a page's value and again in a link's."""
    link_combine: Literal["blend", "max"] = "blend"
    """How a page's value and a link's own make the link's value."""
    reevaluate: Literal["greater", "increment"] = "greater"
    """What becomes of a url that is met again while it waits."""
    prune_zero: bool | None = None
    """Whether the links of a page without any concept are dropped."""
    never_prune_seeds: bool = True
    """Whether the links of a seed are kept even so."""
    seed_value: float = 0.0
    """What a seed inherits."""
    link_tfidf: bool = False
    """Whether concepts that few of a page's links name count more."""
    href: bool = True
    """Whether the words of its address describe a link too."""
    overlap: Overlap = "independent"
    """Whether a concept counts inside of a longer one."""
    whole_document: bool | None = None
    """Whether menus, headers and footers count as the page."""
    page_excludes_anchors: bool = False
    """Whether anchors do not count; only where the whole document does."""
    page_most: float | None = None
    """The limit that a page's own value approaches, however often it names the concepts."""
    title_weight: float = 1.0
    """How often a concept in the page's title counts."""
    heading_weight: float = 1.0
    """The same for its headings."""
    bold_weight: float = 1.0
    """The same for what stands in `b` and `strong`."""
    anchor_weight: float = 1.0
    """The same for anchors; those of menus only where the whole document counts."""
    link_alpha: float | None = None
    """The share of the page in a link's value, if it is another than `alpha_inherit`, which is then of the page's value alone."""

    def __post_init__(self) -> None:
        own = {name: getattr(self, name) for name in _PROFILES["paper"]}
        chosen = switches(self.called, self.profile, _PROFILES, **own)
        self._prunes: bool = chosen.prune_zero
        self._whole: bool = chosen.whole_document
        self._most: float = chosen.page_most
        self._check()
        self.merge = _MERGES[self.reevaluate]
        self._rest = 1 - self.alpha_inherit
        self._page_share = self.alpha_inherit if self.link_alpha is None else self.link_alpha
        of_pages, self._labels = self.labels(), self.link_labels()
        self._weigher = Weigher(of_pages, overlap=self.overlap)
        self._link_weigher = self._weigher if self._labels == of_pages else Weigher(self._labels, overlap=self.overlap)
        weights = {part: getattr(self, f"{part}_weight") - 1 for part in _TAGS}
        self._extra = {part: weight for part, weight in weights.items() if weight}

    def _check(self) -> None:
        within(self.called, 0, 1, alpha_inherit=self.alpha_inherit, link_alpha=self.link_alpha or 0.0)
        within(self.called, 0, _HEAVIEST, **{f"{part}_weight": getattr(self, f"{part}_weight") for part in _TAGS})
        where = f"strategy {self.called!r}"
        if not math.isfinite(self.seed_value):
            raise BadInput(f"{where}: seed_value is {self.seed_value}, but must be finite")
        if not self._most > 0:
            raise BadInput(f"{where}: page_most is {self._most}, but must be above 0")
        for name, choices in {"reevaluate": list(_MERGES), "link_combine": ["blend", "max"]}.items():
            if getattr(self, name) not in choices:
                raise BadInput(f"{where}: there is no {name} {getattr(self, name)!r}; choose from {', '.join(choices)}")

    @abstractmethod
    def labels(self) -> Mapping[str, float]:
        """The words and phrases to look for, with their weights."""

    def link_labels(self) -> Mapping[str, float]:
        """The same with their weights in links."""
        return self.labels()

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The value of each link."""
        page = self._page_value(visit)
        if page.pruned:
            return [DROP] * len(links)
        return [self._combined(page.total, own) for own in self._own_values(visit, links)]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """The concepts of the link, the page's own value and what it inherited, each with its share of the priority."""
        page = self._page_value(visit)
        if page.pruned:
            return (Evidence("no concept: its links are dropped", "page", 0.0),)
        of_link = tuple(self._named(visit, link))
        of_page = (
            Evidence("own value", "page", self._rest * page.own),
            Evidence("inherited value", "page", self.alpha_inherit * page.inherited),
        )
        if self.link_combine == "max":
            return max(of_page, of_link, key=_amount)
        return (*_shares(of_link, 1 - self._page_share), *_shares(of_page, self._page_share))

    def _page_value(self, visit: Visit) -> PageValue:
        is_seed = visit.claim.candidate.depth == 0 or visit.claim.candidate.priority >= SEED
        inherited = self.seed_value if is_seed else visit.claim.candidate.priority
        text = self._text(visit.page) if visit.page else ""
        # Below 0 if tags weigh less than once and hold each other, or stand outside of the text.
        own = self._damped(max(0.0, self._weigher.weigh(text) + self._of_tags(visit.page)), text)
        total = self.alpha_inherit * inherited + self._rest * own
        pruned = self._prunes and own == 0 and not (is_seed and self.never_prune_seeds)
        return PageValue(inherited, own, total, pruned)

    def _text(self, page: Page) -> str:
        if not self._whole:
            return f"{page.title}\n{page.main}"
        text = _without_anchors(page) if self.page_excludes_anchors else page.text
        return f"{page.title}\n{text}"

    def _of_tags(self, page: Page | None) -> float:
        """What concepts in some tags count for beyond the once that they count in the text."""
        if page is None or not self._extra:
            return 0.0
        anchors = "\n".join(link.anchor for link in page.links if self._whole or not link.navigation)
        texts = {
            "title": page.title,
            "heading": "\n".join(page.headings),
            "bold": "\n".join(page.bold),
            "anchor": anchors,
        }
        return math.fsum(weight * self._weigher.weigh(texts[part]) for part, weight in self._extra.items())

    def _damped(self, value: float, text: str) -> float:
        if math.isinf(self._most):
            return value
        length = 0.25 + 0.75 * len(text) / _AVERAGE_LENGTH
        return self._most * value / (value + self._most * length)

    def _own_values(self, visit: Visit, links: Sequence[Link]) -> list[float]:
        texts = self._texts(links)
        if not self.link_tfidf:
            return self._link_weigher.weigh_each(texts)
        rarity = self._rarity(visit)
        return [
            math.fsum(
                self._labels[label] * count * rarity[label] for label, count in self._link_weigher.found(text).items()
            )
            for text in texts
        ]

    def _texts(self, links: Sequence[Link]) -> list[str]:
        return anchors_and_hrefs(links) if self.href else anchors(links)

    def _rarity(self, visit: Visit) -> Mapping[str, float]:
        """The factor of each concept in the page's links: the fewer links name it, the higher."""
        texts = self._texts(visit.page.links if visit.page else ())
        naming = Counter(label for text in texts for label in self._link_weigher.found(text))
        return {label: 1 + math.log(len(texts) / count) for label, count in naming.items()}

    def _combined(self, page: float, own: float) -> float:
        if self.link_combine == "max":
            return max(page, own)
        return self._page_share * page + (1 - self._page_share) * own

    def _named(self, visit: Visit, link: Link) -> Iterator[Evidence]:
        rarity = self._rarity(visit) if self.link_tfidf else {}
        places = {"anchor": link.anchor, "href": href_words(link.target) if self.href else ""}
        for where, text in places.items():
            for label, count in self._link_weigher.found(text).items():
                yield Evidence(label, where, self._labels[label] * count * rarity.get(label, 1.0))


@dataclass(kw_only=True, eq=False)
class Lokman(LinkEstimator):
    """Follow links that name the topic's concepts, from pages that do."""

    concepts: Topic
    weights: str | Sequence[float] | None = None
    """What the tiers count: `design` (15, 12, 8, 5), `requirements` (15, 12, 5, 3) or four numbers; as the concepts come if not given."""
    link_weights: str | Sequence[float] | None = None
    """What they count in links; as in pages if not given."""

    def labels(self) -> Mapping[str, float]:
        """The concepts' labels."""
        return self._weighed("weights", self.weights)

    def link_labels(self) -> Mapping[str, float]:
        """The same with their weights in links."""
        return self.labels() if self.link_weights is None else self._weighed("link_weights", self.link_weights)

    def _weighed(self, key: str, weights: str | Sequence[float] | None) -> Mapping[str, float]:
        if weights is None:
            return self.concepts.labels
        tiers = weights_of(weights, f"strategy {self.called!r}: {key}")
        terms = tuple(term._replace(weight=getattr(tiers, term.tier)) for term in self.concepts.terms)
        return {label: weight for label, weight in Topic(self.concepts.name, terms).labels.items() if weight}


@dataclass(kw_only=True, eq=False)
class LokmanWithoutOntology(LinkEstimator):
    """Lokman's own baseline: the same values, of the exact phrase alone."""

    called = "lokman-without-ontology"
    topic: Topic
    phrase: bool = True
    """Whether the topic is looked for as it was typed, phrases parted by commas; otherwise each of its words."""

    def labels(self) -> Mapping[str, float]:
        """The phrases or words, each of the weight of an exact match."""
        typed = (part.strip().lower() for part in self.topic.name.split(","))
        return dict.fromkeys((part for part in typed if part) if self.phrase else self.topic.labels, _EXACT)


def _without_anchors(page: Page) -> str:
    pieces, place = [], 0
    for start, end in sorted((link.start, link.end) for link in page.links):
        pieces.append(page.text[place : max(place, start)])
        place = max(place, end)
    # A line break, so that no phrase is found across a gap.
    return "\n".join([*pieces, page.text[place:]])


def _shares(parts: Sequence[Evidence], share: float) -> Iterator[Evidence]:
    return (part._replace(amount=share * part.amount) for part in parts)


def _amount(parts: Sequence[Evidence]) -> float:
    return math.fsum(part.amount for part in parts)
