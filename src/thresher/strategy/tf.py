"""TFCrawler: a link is worth what the words around it have in common with the topic.

Paper: Pesaranghader, Mustapha and Pesaranghader 2014, §III.A and §V (equations 1–3; Fig. 3). The text in a window around a link, without
stop words and stemmed, becomes a vector of term frequencies; the link's priority is its cosine with the topic's vector,

    sim(d, q) = d·q / (‖d‖ ‖q‖)

For a topic of one word that is tf(word) / ‖d‖. A link whose window has no word of the topic is filtered out.

Unclear in the paper: the size of the window, read as 10 words on each side and the anchor; "filters irrelevant links out", read as
dropping what scores 0 (`floor` keeps it); "overlooking the repeated ones", read as: a url that waits keeps the priority it got first
(`merge`). The seeds are k pages of a search engine; how many to take is a matter of the seeds, not of this strategy.
"""

from collections.abc import Sequence

from thresher.language import STOP_WORDS, stem
from thresher.model import DROP, Evidence, Link, Merge, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import within
from thresher.topic import Topic
from thresher.topic.link_text import windows
from thresher.topic.scoring import Cosine


class TermFrequency(Strategy):
    """Follow links by the topic's words in the text around them."""

    def __init__(self, topic: Topic, window: int = 10, floor: float = 0.0, merge: Merge = "first") -> None:
        within("tf", 0, window=window)
        within("tf", 0, 1, floor=floor)
        self.merge = merge
        self._window = window
        self._least = floor or DROP
        self._cosine = Cosine(topic.labels, stem=stem, stop_words=STOP_WORDS)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The cosine of each link's window."""
        similarities = self._cosine.similarities(windows(links, self._window))
        return [similarity or self._least for similarity in similarities]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What each word of the topic adds, by its stem."""
        shares = self._cosine.shares(windows([link], self._window)[0])
        return tuple(Evidence(word, "window", share) for word, share in shares.items())
