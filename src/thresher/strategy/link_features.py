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
shape, shape answers          log of how often urls made alike (`~a0/a.html`) were relevant, or there, against all urls so far
place                         log of an optimistic mean relevance of the place: what is unknown is worth a try
links, menu, media            how many links lead there; whether they stand in menus; whether it is a picture, an archive …
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.strategy.place_statistics import PlaceTable
from thresher.strategy.waiting_links import LINKS_KEPT, ODDS, Slots, WaitingLinks
from thresher.strategy.word_numbers import BUCKETS, WIDTH, ZONES, Numbers
from thresher.strategy.word_odds import WordOdds

Matrix = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEATURES = (
    "bias", "page", "page view", "best page", "page before", "new page",
    "anchor words", "context words", "url words", "heading words",
    "anchor odds", "context odds", "url odds", "heading odds",
    "lokman", "concepts around", "siblings", "host", "segment", "directory",
    "sibling answers", "host answers", "segment answers", "host place", "segment place", "directory place", "links", "menu", "media",
    "unknown host", "anchor phrase", "shape", "shape answers",
)  # fmt: skip
NUMBER = {name: number for number, name in enumerate(FEATURES)}
_OF_PAGES = {"page", "page view", "best page", "page before", "new page", "siblings", "sibling answers"}
_OF_PLACES = {
    "host", "segment", "directory", "host answers", "segment answers", "host place", "segment place", "directory place",
    "unknown host", "shape", "shape answers",
}  # fmt: skip
PLACES = {
    name: "page" if name in _OF_PAGES else "place" if name in _OF_PLACES else "any link" if name == "bias" else "link"
    for name in FEATURES
}
"""Where the evidence for each stands: on the pages that link, on the link itself, or where it leads. The bias is the same for all links."""
_ZONES = np.zeros((WIDTH, len(ZONES)))
"""Which words of a row stand in which zone."""
for _number, _zone in enumerate(ZONES.values()):
    _ZONES[_zone, _number] = 1.0
_TURNS = np.arange(LINKS_KEPT)
_LOWEST = -9.0
"""Below all values of a link."""
_ENOUGH_WORDS = 1.5
_PSEUDO_CHILDREN = 2.0
_LEVELS = 3
_TOTALS = np.array([1, 1, 2])
_PSEUDO = np.array([2.0, 2.0, 1.0])
"""Imagined pages of a place, for its relevance, and for its answers."""
_OPTIMISM = 0.3
_ALIKE = 4.0
"""Imagined urls of a shape."""
PAGES_KEPT = 1 << 16


class PageTable:
    """What is known of the last 65,536 pages that were visited, by visit number: the sources of links."""

    def __init__(self) -> None:
        self.numbers = np.zeros(PAGES_KEPT, np.int64)
        self.urls = np.zeros(PAGES_KEPT, np.uint64)
        self.values = np.zeros((PAGES_KEPT, 11))
        """Relevance, view, the page before, view while few links were followed, what came of the links; of the links that were followed how
        many, the sum of their relevance and how many answered; of those to other hosts how many, and how many answered; the host."""

    def note(self, number: int, url: int, relevance: float, view: float, before: float, host: int) -> None:  # noqa: PLR0913, PLR0917
        """Note a page that was just visited."""
        row = number % PAGES_KEPT
        self.numbers[row], self.urls[row] = number, url
        self.values[row] = relevance, view, before, view, 0.5 * view, 0.0, 0.0, 0.0, 0.0, 0.0, host

    def note_child(self, numbers: NDArray[np.int64], host: int, relevance: float, *, answered: bool) -> None:
        """Note that a link of these pages was followed, and what came of it."""
        for number in numbers.tolist():
            row = number % PAGES_KEPT
            if number and self.numbers[row] == number:
                values = self.values[row]
                abroad = bool(values[10] != host)
                values[5:10] += (1.0, relevance, answered, abroad, abroad and answered)
                self._weigh_children(values)

    def _weigh_children(self, values: Matrix) -> None:
        view, children, good = values[1].item(), values[5].item(), values[6].item()
        fresh = _PSEUDO_CHILDREN / (children + _PSEUDO_CHILDREN)
        values[3:5] = view * fresh, good / (children + _PSEUDO_CHILDREN) + 0.5 * view * fresh

    def set_right(self, url: int, relevance: float) -> float | None:
        """How relevant a page is, is known better; what it was taken for, or None if it is not known any more."""
        rows = np.flatnonzero((self.urls == url) & (self.numbers > 0))
        if not len(rows):
            return None
        values = self.values[rows[-1]]
        before = values[0].item()
        values[:2] = relevance
        self._weigh_children(values)
        return float(before)

    def of(self, numbers: NDArray[np.int64]) -> Matrix:
        """The values of these pages; zeros where a page is not known any more."""
        rows = numbers % PAGES_KEPT
        known = (self.numbers.take(rows) == numbers) & (numbers > 0)
        found: Matrix = self.values.take(rows, 0) * known[..., None]
        return found


class LinkFeatures:
    """Turns slots into a matrix, a row a url and a column a feature."""

    def __init__(
        self, topic: Numbers, phrases: Sequence[frozenset[int]], waiting: WaitingLinks, pages: PageTable
    ) -> None:
        self._waiting, self._pages = waiting, pages
        self.places = PlaceTable()
        self.totals = np.zeros(5)
        """Urls fetched, the sum of their relevance, how many answered; hosts tried, how many of these answered at once."""
        self._is_topic = np.zeros(BUCKETS, bool)
        self._is_topic[topic] = True
        self._phrases = phrases

    def of(self, slots: Slots, odds: WordOdds) -> Matrix:
        """The features of the urls in these slots."""
        into = np.zeros((len(slots), len(FEATURES)))
        links = self._waiting.links[slots]
        some = np.minimum(links, LINKS_KEPT)
        kept = some[:, None] > _TURNS
        share = kept / np.maximum(some, 1)[:, None]
        into[:, 0] = 1.0
        untried = self._of_pages(slots, kept, share, into)
        self._weigh_again(slots, kept, odds)
        self._of_words(slots, kept, share, into)
        self._of_places(slots, untried, into)
        into[:, NUMBER["links"]] = np.log1p(links)
        into[:, NUMBER["media"]] = self._waiting.media[slots]
        return into

    def _of_pages(self, slots: Slots, kept: Flags, share: Matrix, into: Matrix) -> Matrix:
        pages = self._pages.of(self._waiting.pages[slots])
        children, answered, abroad, open_abroad = (pages[..., column] for column in (5, 7, 8, 9))
        best = pages[..., :3].max(1)
        alive = (self.totals[2] + 1) / (self.totals[0] + 2)
        pages[..., 2] = np.log((answered + alive) / (children + 1) / alive)
        mean = (pages[..., :5] * share[..., None]).sum(1)
        into[:, 1:3], into[:, 3], into[:, 4] = mean[:, :2], best[:, 0], best[:, 2]
        into[:, 5], into[:, NUMBER["siblings"]], into[:, 20] = mean[:, 3], mean[:, 4], mean[:, 2]
        # Of a host that was never tried it is known how often such hosts answered, above all those that the same pages link to.
        opened = (self.totals[4] + 1) / (self.totals[3] + 1.25)
        untried: Matrix = (((open_abroad + 2 * opened) / (abroad + 2)) * kept).max(1)
        return untried

    def _weigh_again(self, slots: Slots, kept: Flags, odds: WordOdds) -> None:
        """Work out the odds of the links for which that was not done since words were last weighed."""
        rows, turns = (kept & (self._waiting.weighed[slots] != odds.times)).nonzero()
        rows = slots[rows]
        words = self._waiting.words[rows, turns]
        self._waiting.values[rows, turns, ODDS] = (
            odds.table.take(words) @ _ZONES / np.maximum((words > 0) @ _ZONES, 1.0)
        )
        self._waiting.weighed[rows, turns] = odds.times

    def _of_words(self, slots: Slots, kept: Flags, share: Matrix, into: Matrix) -> None:
        values = self._waiting.values[slots]
        mean = (values * share[..., None]).sum(1)
        best = np.where(kept[..., None], values, _LOWEST).max(1)
        into[:, 6:14] = 0.5 * mean[:, 4:] + 0.5 * best[:, 4:]
        into[:, 14:16] = best[:, 1:3]
        into[:, NUMBER["menu"]] = mean[:, 0]
        into[:, NUMBER["anchor phrase"]] = best[:, 3]

    def of_words(self, words: Numbers) -> Matrix:
        """Of each row of words: whether its anchor has a whole phrase, and how much of the topic there is in each zone."""
        found = np.empty((len(words), 1 + len(ZONES)))
        found[:, 0] = self._whole_phrases(words[:, ZONES["anchor"]])
        np.minimum(self._is_topic.take(words) @ _ZONES / _ENOUGH_WORDS, 1.0, out=found[:, 1:])
        return found

    def _whole_phrases(self, anchors: Numbers) -> Flags:
        """Which anchors have all words of a phrase, in any order."""
        found = np.zeros(len(anchors), bool)
        for phrase in self._phrases:
            found |= np.logical_and.reduce([(anchors == word).any(1) for word in sorted(phrase)])
        return found

    def note_place(self, places: tuple[int, int, int, int], relevance: float, *, answered: bool) -> None:
        """Count a url that was fetched."""
        new = self.places.note(places, relevance, answered=answered)
        self.totals += (1.0, relevance, answered, new, new and answered)

    def set_right(self, places: tuple[int, int, int, int], more: float) -> None:
        """A url that was counted is more relevant than was thought, or less."""
        self.places.add(places, more)
        self.totals[1] += more

    def _of_places(self, slots: Slots, untried: Matrix, into: Matrix) -> None:
        known = self.places.of(self._waiting.places[slots])
        counts = known[:, :_LEVELS]
        fetched, good, answered, *_ = self.totals.tolist()
        mean, alive = (good + 0.5) / (fetched + 2), (answered + 1) / (fetched + 2)
        hope = max(mean, _OPTIMISM)
        # As a bandit tries its arms: the bonus falls with each visit, and rises slowly while others are visited. Where new hosts do not
        # answer it is worth nothing, and on a web of one host it is 0: how little is known is compared with a crawl of this host alone.
        at_host = counts[:, 0, 0]
        less_known = 1 / np.sqrt(1 + at_host) - 1 / math.sqrt(1 + fetched)
        curiosity = math.sqrt(math.log1p(fetched)) * np.maximum(less_known, 0.0)

        priors = np.empty((len(slots), 3))
        priors[:, 0], priors[:, 1], priors[:, 2] = mean, hope, np.where(at_host > 0, alive, untried)
        means = _nested(counts, priors)
        into[:, 17:20] = means[..., 0]
        answers = means[:, 0, 2]
        into[:, NUMBER["unknown host"]] = curiosity * answers
        into[:, 21] = answers
        into[:, 22] = means[:, 1, 2] / answers
        into[:, 23] = means[:, 0, 1] / hope
        into[:, 24:26] = means[:, 1:, 1] / means[:, :-1, 1]
        into[:, 21:26] = np.log(into[:, 21:26])
        self._of_shapes(known[:, _LEVELS], into)

    def _of_shapes(self, counts: Matrix, into: Matrix) -> None:
        fetched, good, answered, *_ = self.totals.tolist()
        mean, alive = (good + 0.5) / (fetched + 2), (answered + 1) / (fetched + 2)
        tried, found, there = counts.T
        # What is imagined of the whole crawl is imagined of a shape by its part: if all urls have one shape, it tells nothing.
        part = tried / (fetched + 1)
        at = NUMBER["shape"]
        into[:, at] = (found + 0.5 * part + _ALIKE * mean) / (tried + 2 * part + _ALIKE) / mean
        into[:, at + 1] = (there + _ALIKE * alive) / (tried + _ALIKE) / alive
        into[:, at : at + 2] = np.log(into[:, at : at + 2])


def _nested(counts: Matrix, prior: Matrix) -> Matrix:
    """The means so far at each level, from the widest to the narrowest, each shrunk to the rest of the one above.

    By the counts of `PlaceTable`, for three quantities with a prior each: relevance twice, and answers. What a place itself gave does not
    count again as what is known of the place above: a host with one directory is as good as that.
    """
    total = counts.take(_TOTALS, 2)
    below = counts[..., :1] + _PSEUDO
    # A table that forgot a place can know less of it than of what lies in it.
    rest = np.maximum(total[:, :-1] - total[:, 1:], 0.0)
    others = np.maximum(counts[:, :-1, :1] - counts[:, 1:, :1], 0.0) + _PSEUDO
    means = np.empty_like(total)
    for level in range(_LEVELS):
        imagined = _PSEUDO * prior
        means[:, level] = (total[:, level] + imagined) / below[:, level]
        if level < _LEVELS - 1:
            prior = (rest[:, level] + imagined) / others[:, level]
    return means
