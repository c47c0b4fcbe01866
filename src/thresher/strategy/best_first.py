"""Best-first search: the links of the page that is most like the topic come first.

Paper: Kayışoğlu 2005, §2.4.1, equation 1 (after Cho, Garcia-Molina and Page 1998; Menczer, Pant and Srinivasan 2004): the priority of every
link of a page p is the cosine of the topic's words q and the page's words, on raw term frequencies,

    sim(q, p) = Σ_{k in q∩p} f_kq f_kp / sqrt(Σ_{k in p} f_kp² · Σ_{k in q} f_kq²)

Unclear in the paper: which text of the page. Read as its main text: a menu that names every subject
would make all pages alike. Not in the paper: a link that its page marks
`rel=nofollow` gets half the priority; `nofollow=1.0` takes the paper at its word.
"""

import math
from collections import Counter
from collections.abc import Sequence

from thresher.language import words
from thresher.model import Link, Visit
from thresher.ports import Strategy
from thresher.topic import Topic


class BestFirst(Strategy):
    """Follow the links of pages that use the topic's words most."""

    def __init__(self, topic: Topic, nofollow: float = 0.5) -> None:
        self._nofollow = nofollow
        self._query = Counter[str]()
        for label, weight in topic.labels.items():
            for word in words(label):
                self._query[word] += weight  # type: ignore[assignment]  # Counter is typed for ints; weights are floats
        self._norm = math.sqrt(sum(weight * weight for weight in self._query.values()))

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The page's similarity, for each of its links."""
        text = visit.page.main if visit.page else ""
        priority = self._similarity(Counter(words(text)))
        return [priority * self._nofollow if link.nofollow else priority for link in links]

    def _similarity(self, page: Counter[str]) -> float:
        shared = sum(weight * page[word] for word, weight in self._query.items())
        if not shared:
            return 0.0
        return shared / (self._norm * math.sqrt(sum(count * count for count in page.values())))
