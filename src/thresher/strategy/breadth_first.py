"""Breadth-first search: links in the order in which they were found, whatever they say. The baseline of the field.

Paper: Kayışoğlu 2005, §2.2.1 and Figure 4: a queue, first in, first out. It is the simple crawler of Choudhary and Roy 2013 and the
BFCrawler of Pesaranghader et al. 2014. The figure drops the latest links when the queue is longer than MAX_BUFFER: that is the frontier's
cap, which forgets the lowest priority, and of equals the newest.
"""

from collections.abc import Sequence

from thresher.model import Link, Merge, Visit
from thresher.ports import Strategy


class BreadthFirst(Strategy):
    """Oldest link first: every priority is equal, and the frontier breaks ties by age."""

    merge: Merge = "first"

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The same for all."""
        return [0.0] * len(links)
