"""Priority-based focused crawler: expand the downloaded page that is most like the focus words.

Paper: Choudhary and Roy 2013, "Priority based Focused Web crawler", as their "Priority based Semantic Web Crawler" describes it in §2:
download the seeds, then all they link to; find the "relativity score" between the focus word and each page, which is "syntactic, not
semantic"; expand the best. How pages are downloaded, ranked and expanded stands in `download_then_rank`.

    Score(page) = SS(f, page)        Score(seed) = 1

Unclear, and how it was read: the formula is not given, so SS is the cosine of term frequencies that `focused` has too, of all words of
the main text; `idf=True` weighs the words as the semantic crawler does. The anchor and the parent are of the later paper: `anchor=True`,
`parent="sum"` add them, and then only the ontology is missing to `priority-semantic`. With several words in the topic all are in focus.
"""

from thresher.strategy.download_then_rank import DownloadThenRank, Parent
from thresher.strategy.parameters import within
from thresher.strategy.sibling_pages import TopicSimilarity
from thresher.topic import Topic


class PriorityFocused(DownloadThenRank):
    """Download all that a page links to, then go on from the page that uses the topic's words most."""

    def __init__(  # noqa: PLR0913 - the switches that the paper leaves open
        self,
        topic: Topic,
        *,
        idf: bool = False,
        anchor: bool = False,
        parent: Parent = "none",
        decay: float = 0.5,
        patience: int = 100,
    ) -> None:
        within("priority-focused", 0, 1, decay=decay)
        within("priority-focused", 1, patience=patience)
        super().__init__(
            TopicSimilarity(topic.labels, idf=idf), parent=parent, decay=decay, anchor=anchor, patience=patience
        )
