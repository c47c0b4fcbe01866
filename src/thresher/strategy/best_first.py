"""Best-first search: the links of the page that is most like the topic come first.

Paper: Kayışoğlu 2005, §2.4.1, equation 1 (after Cho, Garcia-Molina and Page 1998; Menczer, Pant and Srinivasan 2004): the priority of every
link of a page p is the cosine of the topic's words q and the page's words, on raw term frequencies,

    sim(q, p) = Σ_{k in q∩p} f_kq f_kp / sqrt(Σ_{k in p} f_kp² · Σ_{k in q} f_kq²)

Unclear in the paper: which text of the page. Read as its main text: a menu that names every subject
would make all pages alike. Not in the paper, which is older than `rel=nofollow`: a factor for links marked so (`nofollow=0.5`).
"""

from collections.abc import Sequence

from thresher.model import Evidence, Link, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import within
from thresher.topic import Topic
from thresher.topic.scoring import Cosine


class BestFirst(Strategy):
    """Follow the links of pages that use the topic's words most."""

    def __init__(self, topic: Topic, nofollow: float = 1.0) -> None:
        within("best-first", 0, 1, nofollow=nofollow)
        self._nofollow = nofollow
        self._cosine = Cosine(topic.labels)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The page's similarity, for each of its links."""
        priority = self._cosine.similarity(visit.page.main if visit.page else "")
        if self._nofollow == 1.0:
            return [priority] * len(links)
        return [priority * self._nofollow if link.nofollow else priority for link in links]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What each word of the topic on the page adds."""
        factor = self._nofollow if link.nofollow else 1.0
        shares = self._cosine.shares(visit.page.main if visit.page else "")
        return tuple(Evidence(word, "page", factor * share) for word, share in shares.items())
