"""What is known of a link before it is followed, as numbers that any page can give. A url's are taken over all links that lead to it.

page, page view, best page    relevance of the pages that link to it: the judge's mean, the strategy's own view, the best one's
page before                   the best page that linked to such a page
new page                      the strategy's view, as long as few of the page's links were followed
anchor phrase                 whether the anchor has all words of one of the topic's phrases
… words                       topic words in the anchor, in the words around, in the address, in the nearest heading
… odds                        the same four, by the log-odds of words on pages so far
lokman, concepts around       the value of the link by Lokman (Kayışoğlu 2005), and of the words around it
siblings                      relevance of what else these pages linked to, as far as it was fetched
host, segment, directory      relevance of what was fetched there, each shrunk to the one above
host answers, segment answers how often there was a page, against the rest of the crawl
unknown host                  how little is known of the host, times the chance that it answers:
                              √ln(1 + n) · (1/√(1 + m) − 1/√(1 + n)) for n urls fetched, m of them there
place                         log of an optimistic mean relevance of the place: what is unknown is worth a try
links, menu, media            how many links lead there; whether they stand in menus; whether it is a picture, an archive …
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.strategy.place_statistics import PlaceTable
from thresher.strategy.waiting_links import LINKS_KEPT, Slots, WaitingLinks
from thresher.strategy.word_numbers import BUCKETS, WIDTH, ZONES, Numbers

Matrix = NDArray[np.float64]

FEATURES = (
    "bias", "page", "page view", "best page", "page before", "new page",
    "anchor words", "context words", "url words", "heading words",
    "anchor odds", "context odds", "url odds", "heading odds",
    "lokman", "concepts around", "siblings", "host", "segment", "directory",
    "sibling answers", "host answers", "segment answers", "host place", "segment place", "directory place", "links", "menu", "media",
    "unknown host", "anchor phrase",
)  # fmt: skip
NUMBER = {name: number for number, name in enumerate(FEATURES)}
PLACES = {
    name: "page"
    if "page" in name or name == "siblings"
    else "link"
    if name not in {"host", "segment", "directory"}
    else "place"
    for name in FEATURES
}
"""Where the evidence for each stands: on the pages that link, on the link itself, or where it leads."""
_ZONES = np.zeros((WIDTH, len(ZONES)))
"""Which words of a row stand in which zone."""
for _number, _zone in enumerate(ZONES.values()):
    _ZONES[_zone, _number] = 1.0
_ENOUGH_WORDS = 1.5
_PSEUDO_CHILDREN = 2.0
_PSEUDO_PAGES = 2.0
_OPTIMISM = 0.3
PAGES_KEPT = 1 << 16


class PageTable:
    """What is known of the last 65,536 pages that were visited, by visit number: the sources of links."""

    def __init__(self) -> None:
        self.numbers = np.zeros(PAGES_KEPT, np.int64)
        self.values = np.zeros((PAGES_KEPT, 9))
        """Relevance, view, the page before, the host; of the links that were followed how many, the sum of their relevance and how many
        answered; of those to other hosts how many, and how many answered."""

    def note(self, number: int, *values: float) -> None:
        """Note a page that was just visited."""
        row = number % PAGES_KEPT
        self.numbers[row] = number
        self.values[row] = (*values, 0.0, 0.0, 0.0, 0.0, 0.0)

    def note_child(self, numbers: NDArray[np.int64], host: int, relevance: float, *, answered: bool) -> None:
        """Note that a link of these pages was followed, and what came of it."""
        for number in numbers.tolist():
            row = number % PAGES_KEPT
            if number and self.numbers[row] == number:
                abroad = self.values[row, 3] != host
                self.values[row, 4:] += (1.0, relevance, answered, abroad, abroad and answered)

    def of(self, numbers: NDArray[np.int64]) -> Matrix:
        """The values of these pages; zeros where a page is not known any more."""
        rows = numbers % PAGES_KEPT
        known = (self.numbers[rows] == numbers) & (numbers > 0)
        found: Matrix = self.values[rows] * known[..., None]
        return found


class LinkFeatures:
    """Turns slots into a matrix, a row a url and a column a feature."""

    def __init__(
        self, topic: Numbers, phrases: Sequence[frozenset[int]], waiting: WaitingLinks, pages: PageTable
    ) -> None:
        self._waiting, self._pages = waiting, pages
        self.hosts, self.segments, self.directories = PlaceTable(), PlaceTable(), PlaceTable()
        self.totals = np.zeros(5)
        """Urls fetched, the sum of their relevance, how many answered; hosts tried, how many of these answered at once."""
        self._is_topic = np.zeros(BUCKETS)
        self._is_topic[topic] = 1.0
        self._phrases = phrases

    def of(self, slots: Slots, odds: Matrix) -> Matrix:
        """The features of the urls in these slots."""
        into = np.zeros((len(slots), len(FEATURES)))
        into[:, 0] = 1.0
        kept = (np.minimum(self._waiting.links[slots], LINKS_KEPT)[:, None] > np.arange(LINKS_KEPT)).astype(float)
        share = kept / np.maximum(kept.sum(1), 1.0)[:, None]
        untried = self._of_pages(slots, kept, share, into)
        self._of_words(slots, odds, kept, share, into)
        self._of_places(slots, untried, into)
        into[:, NUMBER["links"]] = np.log1p(self._waiting.links[slots])
        into[:, NUMBER["media"]] = self._waiting.media[slots]
        return into

    def _of_pages(self, slots: Slots, kept: Matrix, share: Matrix, into: Matrix) -> Matrix:
        pages = self._pages.of(self._waiting.pages[slots])
        relevance, view, before, _, children, good, answered, abroad, open_abroad = (
            pages[..., column] for column in range(9)
        )
        into[:, 1] = (relevance * share).sum(1)
        into[:, 2] = (view * share).sum(1)
        into[:, 3] = (relevance * kept).max(1)
        into[:, 4] = (before * kept).max(1)
        fresh = _PSEUDO_CHILDREN / (children + _PSEUDO_CHILDREN)
        into[:, 5] = (view * fresh * share).sum(1)
        into[:, NUMBER["siblings"]] = ((good / (children + _PSEUDO_CHILDREN) + 0.5 * view * fresh) * share).sum(1)

        alive = (self.totals[2] + 1) / (self.totals[0] + 2)
        into[:, 20] = (np.log((answered + alive) / (children + 1) / alive) * share).sum(1)
        # Of a host that was never tried it is known how often such hosts answered, above all those that the same pages link to.
        opened = (self.totals[4] + 1) / (self.totals[3] + 1.25)
        untried: Matrix = (((open_abroad + 2 * opened) / (abroad + 2)) * kept).max(1)
        return untried

    def _of_words(self, slots: Slots, odds: Matrix, kept: Matrix, share: Matrix, into: Matrix) -> None:
        words = self._waiting.words[slots]
        named = np.minimum(self._is_topic[words] @ _ZONES / _ENOUGH_WORDS, 1.0) * kept[:, :, None]
        mean = (odds[words] @ _ZONES) / np.maximum((words > 0) @ _ZONES, 1.0)
        into[:, 6:10] = 0.5 * (named * share[:, :, None]).sum(1) + 0.5 * named.max(1)
        lowest = np.where(kept[:, :, None] > 0, mean, -9.0)
        into[:, 10:14] = 0.5 * (mean * share[:, :, None]).sum(1) + 0.5 * lowest.max(1)
        into[:, NUMBER["anchor phrase"]] = (self._whole_phrases(words[:, :, ZONES["anchor"]]) & (kept > 0)).any(1)
        own = self._waiting.own[slots] * kept[:, :, None]
        into[:, NUMBER["menu"]] = (own[..., 0] * share).sum(1)
        into[:, NUMBER["lokman"]] = own[..., 1].max(1)
        into[:, NUMBER["concepts around"]] = own[..., 2].max(1)

    def _whole_phrases(self, anchors: Numbers) -> NDArray[np.bool_]:
        """Which anchors have all words of a phrase, in any order."""
        found = np.zeros(anchors.shape[:2], bool)
        for phrase in self._phrases:
            found |= np.logical_and.reduce([(anchors == word).any(2) for word in sorted(phrase)])
        return found

    def note_place(self, slot_places: tuple[int, int, int], relevance: float, *, answered: bool) -> None:
        """Count a url that was fetched."""
        host, segment, directory = slot_places
        if not self.hosts.of(np.array([host], np.uint32)).fetched[0]:
            self.totals[3:] += (1.0, answered)
        self.hosts.note(host, relevance, answered=answered)
        self.segments.note(segment, relevance, answered=answered)
        self.directories.note(directory, relevance, answered=answered)
        self.totals[:3] += (1.0, relevance, answered)

    def _of_places(self, slots: Slots, untried: Matrix, into: Matrix) -> None:
        places = self._waiting.places[slots]
        host, segment, directory = (
            self.hosts.of(places[:, 0]),
            self.segments.of(places[:, 1]),
            self.directories.of(places[:, 2]),
        )
        fetched, good, answered, *_ = self.totals.tolist()
        mean, alive = (good + 0.5) / (fetched + 2), (answered + 1) / (fetched + 2)
        relevance = [(each.relevance, each.fetched) for each in (host, segment, directory)]
        into[:, 17], into[:, 18], into[:, 19] = _nested(relevance, mean, _PSEUDO_PAGES)
        hope = max(mean, _OPTIMISM)
        by_host, by_segment, by_directory = _nested(relevance, hope, _PSEUDO_PAGES)
        begin = np.where(host.fetched > 0, alive, untried)
        host_answers, segment_answers = _nested([(each.answered, each.fetched) for each in (host, segment)], begin, 1.0)
        # As a bandit tries its arms: the bonus falls with each visit, and rises slowly while others are visited. Where new hosts do not
        # answer it is worth nothing, and on a web of one host it is 0: how little is known is compared with a crawl of this host alone.
        less_known = 1 / np.sqrt(1 + host.fetched) - 1 / math.sqrt(1 + fetched)
        curiosity = math.sqrt(math.log1p(fetched)) * np.maximum(less_known, 0.0)
        into[:, NUMBER["unknown host"]] = curiosity * host_answers
        into[:, 21] = np.log(host_answers)
        into[:, 22] = np.log(segment_answers / host_answers)
        into[:, 23] = np.log(by_host / hope)
        into[:, 24] = np.log(by_segment / by_host)
        into[:, 25] = np.log(by_directory / by_segment)


def _nested(levels: Sequence[tuple[Matrix, Matrix]], prior: Matrix | float, pseudo: float) -> list[Matrix]:
    """The mean so far at each level, from the widest to the narrowest, each shrunk to the rest of the one above.

    What a place itself gave does not count again as what is known of the place above: a host with one directory is as good as that.
    """
    means = []
    for number, (total, count) in enumerate(levels):
        means.append((total + pseudo * prior) / (count + pseudo))
        if number + 1 < len(levels):
            inner_total, inner_count = levels[number + 1]
            # A table that forgot a place can know less of it than of what lies in it.
            rest, others = np.maximum(total - inner_total, 0.0), np.maximum(count - inner_count, 0.0)
            prior = (rest + pseudo * prior) / (others + pseudo)
    return means
