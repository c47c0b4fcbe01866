"""Shark-search: fish-search with a nose. Links are scored by the words on and around them, and by what the pages before were worth.

Paper: Hersovici et al. 1998, as Kayışoğlu 2005 has it (§2.4.4, Figure 8); the parts of the score are from the original:

    score         = (1 − r) · neighbourhood + r · inherited
    neighbourhood = β · anchor + (1 − β) · context
    anchor        = sim(topic, words one clicks on)
    context       = 1 if anchor > 0, else sim(topic, words around the link)
    inherited     = δ · sim(topic, page) if that is over 0, else δ · what the page itself inherited

    links of a page with sim > 0 get the depth d, others that of the page − 1; pages of depth 0 are not followed.

sim is the cosine of equation 1, on raw term frequencies; the original weighs words by tf·idf, for which a crawler that has just begun has
no counts. What a page passes on is the same for all its links, so it is kept by page, and a url that several pages link to inherits from
the one whose link gave it the highest score (merge `max`).

Unclear, and how it was read. By the figure a page of depth 0 is not followed even if it turns out to be relevant: `revive` follows it, as
fish-search does. A seed inherits nothing (the figure's 1 is its place in the queue). "The page" is its main text; "around" is `window`
words on each side, with the anchor. d is not given in the papers; 3 is ours. Where the figure takes the link of least PageRank from a full
frontier it means the least score, which is what the frontier's cap does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from thresher.model import DROP, Evidence, Link, Merge, Sharing, Url, Visit
from thresher.ports import Strategy
from thresher.strategy.inheritance import Inheritance
from thresher.strategy.parameters import within
from thresher.topic import Topic
from thresher.topic.link_text import anchors, windows
from thresher.topic.scoring import Cosine


class SharkSearch(Strategy):
    """Follow links that smell of the topic themselves, or come from where it smelt of it."""

    merge: Merge = "max"
    sharing: Sharing = "lessons"

    def __init__(  # noqa: PLR0913 - the paper's parameters
        self,
        topic: Topic,
        *,
        delta: float = 0.5,
        beta: float = 0.8,
        r: float = 0.5,
        depth: int = 3,
        window: int = 10,
        revive: bool = False,
    ) -> None:
        within("shark-search", 0, 1, delta=delta, beta=beta, r=r)
        within("shark-search", 1, depth=depth, window=window)
        self._delta, self._beta, self._r = delta, beta, r
        self._depth, self._window, self._revive = depth, window, revive
        self._cosine = Cosine(topic.labels)
        self._pages = Inheritance("<dq", 0.0, depth)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Neighbourhood and inheritance of each link."""
        inherited, depth = self._for_links(visit)
        if depth is None:
            return [DROP] * len(links)
        self._pages.note(visit.url, inherited, depth)
        each = self._cosine.similarities(anchors(links))
        # The context counts only for links whose anchor has no topic word.
        around = self._cosine.similarities(windows(links, self._window)) if 0.0 in each else each
        return [self.blend(*smells, inherited) for smells in zip(each, around, strict=True)]

    def blend(self, anchor: float, context: float, inherited: float) -> float:
        """The paper's formula."""
        neighbourhood = self._beta * anchor + (1 - self._beta) * (1.0 if anchor > 0 else context)
        return (1 - self._r) * neighbourhood + self._r * inherited

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What the anchor, the words around it and the pages before add."""
        inherited, depth = self._for_links(visit)
        return () if depth is None else tuple(self._reasons(link, self._r * inherited))

    def save(self) -> Mapping[str, bytes]:
        """What the last page passes on."""
        return self._pages.save()

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take them back."""
        self._pages.load(parts)

    def lesson(self) -> bytes:
        """What the last page passes on."""
        return self._pages.lesson()

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """Note what pages pass on that other workers fetched."""
        self._pages.take_in(lessons)
        return ()

    def _reasons(self, link: Link, inherited: float) -> Iterator[Evidence]:
        near = 1 - self._r
        on_it = self._cosine.shares(link.anchor)
        yield from (Evidence(word, "anchor", near * self._beta * share) for word, share in on_it.items())
        around = {link.anchor: 1.0} if on_it else self._cosine.shares(link.context(self._window))
        yield from (Evidence(word, "context", near * (1 - self._beta) * share) for word, share in around.items())
        if inherited:
            yield Evidence("inherited", "page", inherited)

    def _for_links(self, visit: Visit) -> tuple[float, int | None]:
        """What the page passes on, and the depth of its links; no depth if they are not to be followed."""
        inherited, own = self._pages.of(visit)
        alike = self._cosine.similarity(visit.page.main if visit.page else "")
        followed = own > 0 or (self._revive and alike > 0)
        depth = self._depth if alike > 0 else int(own) - 1
        return self._delta * (alike or inherited), depth if followed else None
