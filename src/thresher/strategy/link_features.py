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
from operator import add

import numpy as np
from numpy.typing import NDArray

from thresher.strategy.place_statistics import Places, PlaceTable
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
_LINKS, _MEDIA, _MENU, _PHRASE = (NUMBER[name] for name in ("links", "media", "menu", "anchor phrase"))
_SIBLINGS, _UNKNOWN, _SHAPE = (NUMBER[name] for name in ("siblings", "unknown host", "shape"))
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
_TURNS = np.arange(LINKS_KEPT)[:, None]
_LOWEST = -9.0
"""Below all values of a link."""
_ENOUGH_WORDS = 1.5
_PSEUDO_CHILDREN = 2.0
_LEVELS = 3
_TOTALS = np.array([1, 1, 2])
_PSEUDO = np.array([2.0, 2.0, 1.0])[:, None]
"""Imagined pages of a place, for its relevance, and for its answers."""
_OPTIMISM = 0.3
_ALIKE = 4.0
"""Imagined urls of a shape."""
_OF_THE_WHOLE = np.array([[[0.5], [0.0]], [[2.0], [0.0]]])
"""What is imagined of the whole crawl: how relevant and how many urls, for relevance and for answers."""
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

    def note_child(self, numbers: Sequence[int], host: int, relevance: float, *, answered: bool) -> float:
        """Note that a link of these pages was followed, and what came of it; the relevance of the best of them."""
        best = 0.0
        for number in numbers:
            row = number % PAGES_KEPT
            if number and self.numbers.item(row) == number:
                # As a list: single numbers of an array take ten times as long.
                values = self.values[row].tolist()
                abroad = values[10] != host
                came = (1.0, relevance, answered, abroad, abroad and answered)
                values[5:10] = map(add, values[5:10], came)
                self.values[row] = _with_children_weighed(values)
                best = max(best, values[0])
        return best

    def set_right(self, url: int, relevance: float) -> float | None:
        """How relevant a page is, is known better; what it was taken for, or None if it is not known any more."""
        rows = np.flatnonzero((self.urls == url) & (self.numbers > 0))
        if not len(rows):
            return None
        values = self.values[rows[-1]].tolist()
        before: float = values[0]
        values[:2] = relevance, relevance
        self.values[rows[-1]] = _with_children_weighed(values)
        return before

    def of(self, numbers: NDArray[np.int64]) -> Matrix:
        """The values of these pages, all of one kind together; zeros where there is no page, or it is not known any more."""
        rows = numbers & (PAGES_KEPT - 1)
        found = np.empty((self.values.shape[1], len(numbers)))
        np.multiply(self.values.take(rows, 0).T, self.numbers.take(rows) == numbers, out=found)
        return found


def _with_children_weighed(values: list[float]) -> list[float]:
    view, children, good = values[1], values[5], values[6]
    fresh = _PSEUDO_CHILDREN / (children + _PSEUDO_CHILDREN)
    values[3:5] = view * fresh, good / (children + _PSEUDO_CHILDREN) + 0.5 * view * fresh
    return values


class LinkFeatures:
    """Turns slots into a matrix, a row a url and a column a feature.

    While it works, the values of one feature for all urls lie in one row: numpy is quick with few long rows and slow with many short ones.
    """

    def __init__(
        self, topic: Numbers, phrases: Sequence[frozenset[int]], waiting: WaitingLinks, pages: PageTable
    ) -> None:
        self._waiting, self._pages = waiting, pages
        self.places = PlaceTable()
        self.totals = np.zeros(5)
        """Urls fetched, the sum of their relevance, how many answered; hosts tried, how many of these answered at once."""
        self._is_topic = np.zeros(BUCKETS)
        self._is_topic[topic] = 1.0
        self._phrases = phrases

    def of(self, slots: Slots, odds: WordOdds) -> Matrix:
        """The features of the urls in these slots."""
        into = np.empty((len(FEATURES), len(slots)))
        links = self._waiting.links.take(slots)
        some = np.minimum(links, LINKS_KEPT)
        kept = some > _TURNS
        share = kept / np.maximum(some, 1)
        into[0] = 1.0
        untried = self._of_pages(slots, kept, share, into)
        self._weigh_again(slots, kept, odds)
        self._of_words(slots, kept, share, into)
        self._of_places(slots, untried, into)
        np.log1p(links, out=into[_LINKS])
        into[_MEDIA] = self._waiting.media.take(slots)
        return np.ascontiguousarray(into.T)

    def _of_pages(self, slots: Slots, kept: Flags, share: Matrix, into: Matrix) -> Matrix:
        numbers = self._waiting.pages.take(slots, 0).T
        pages = self._pages.of(numbers.ravel()).reshape(self._pages.values.shape[1], *numbers.shape)
        children, answered, abroad, open_abroad = pages[5], pages[7], pages[8], pages[9]
        np.maximum.reduce(pages[0], 0, out=into[3])
        np.maximum.reduce(pages[2], 0, out=into[4])
        fetched, _, there, hosts, open_hosts = self.totals.tolist()
        alive = (there + 1) / (fetched + 2)
        np.log((answered + alive) / (children + 1) / alive, out=pages[2])
        mean = np.add.reduce(pages[:5] * share, 1)
        into[1:3], into[5], into[_SIBLINGS], into[20] = mean[:2], mean[3], mean[4], mean[2]
        # Of a host that was never tried it is known how often such hosts answered, above all those that the same pages link to.
        opened = (open_hosts + 1) / (hosts + 1.25)
        untried: Matrix = np.maximum.reduce(((open_abroad + 2 * opened) / (abroad + 2)) * kept, 0)
        return untried

    def _weigh_again(self, slots: Slots, kept: Flags, odds: WordOdds) -> None:
        """Work out the odds of the links for which that was not done since words were last weighed."""
        waiting = self._waiting
        rows, turns = (kept.T & (waiting.weighed.take(slots, 0) != odds.times)).nonzero()
        links = slots.take(rows) * LINKS_KEPT + turns
        words = waiting.words.reshape(-1, WIDTH).take(links, 0)
        of_links = waiting.values.reshape(-1, waiting.values.shape[-1])
        # As floats: numpy multiplies matrices of other kinds four times as slowly.
        sizes = np.minimum(words, 1).astype(np.float64) @ _ZONES
        of_links[links, ODDS] = odds.table.take(words) @ _ZONES / np.maximum(sizes, 1.0)
        waiting.weighed.reshape(-1)[links] = odds.times

    def _of_words(self, slots: Slots, kept: Flags, share: Matrix, into: Matrix) -> None:
        values = np.ascontiguousarray(self._waiting.values.take(slots, 0).transpose(1, 2, 0))
        mean = np.add.reduce(values * share[:, None], 0)
        best = np.maximum.reduce(np.where(kept[:, None], values, _LOWEST), 0)
        np.multiply(mean[4:] + best[4:], 0.5, out=into[6:14])
        into[14:16], into[_MENU], into[_PHRASE] = best[1:3], mean[0], best[3]

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

    def note_place(self, places: Places, relevance: float, *, answered: bool) -> None:
        """Count a url that was fetched."""
        new = self.places.note(places, relevance, answered=answered)
        self.totals += (1.0, relevance, answered, new, new and answered)

    def set_right(self, places: Places, more: float) -> None:
        """A url that was counted is more relevant than was thought, or less."""
        self.places.add(places, more)
        self.totals[1] += more

    def _of_places(self, slots: Slots, untried: Matrix, into: Matrix) -> None:
        known = self.places.of(self._waiting.places.take(slots, 0))
        counts = known[:, :_LEVELS]
        fetched, good, answered, *_ = self.totals.tolist()
        mean, alive = (good + 0.5) / (fetched + 2), (answered + 1) / (fetched + 2)
        hope = max(mean, _OPTIMISM)
        # As a bandit tries its arms: the bonus falls with each visit, and rises slowly while others are visited. Where new hosts do not
        # answer it is worth nothing, and on a web of one host it is 0: how little is known is compared with a crawl of this host alone.
        at_host = counts[0, 0]
        less_known = 1 / np.sqrt(1 + at_host) - 1 / math.sqrt(1 + fetched)
        curiosity = math.sqrt(math.log1p(fetched)) * np.maximum(less_known, 0.0)

        imagined = np.empty((3, len(slots)))
        imagined[0], imagined[1], imagined[2] = mean, hope, np.where(at_host > 0, alive, untried)
        imagined *= _PSEUDO
        means = _nested(counts, imagined)
        into[17:20] = means[0]
        answers = means[2, 0]
        np.multiply(curiosity, answers, out=into[_UNKNOWN])
        into[21] = answers
        np.divide(means[2, 1], answers, out=into[22])
        np.divide(means[1, 0], hope, out=into[23])
        np.divide(means[1, 1:], means[1, :-1], out=into[24:26])
        np.log(into[21:26], out=into[21:26])
        self._of_shapes(known[:, _LEVELS], into[_SHAPE : _SHAPE + 2])

    def _of_shapes(self, counts: Matrix, into: Matrix) -> None:
        fetched, good, answered, *_ = self.totals.tolist()
        usual = np.array([[good + 0.5], [answered + 1]]) / (fetched + 2)
        # What is imagined of the whole crawl is imagined of a shape by its part: if all urls have one shape, it tells nothing.
        parts = _OF_THE_WHOLE * (counts[0] / (fetched + 1))
        np.divide(counts[1:] + parts[0] + _ALIKE * usual, counts[0] + parts[1] + _ALIKE, out=into)
        into /= usual
        np.log(into, out=into)


def _nested(counts: Matrix, imagined: Matrix) -> Matrix:
    """The means so far at each level, from the widest to the narrowest, each shrunk to the rest of the one above.

    By the counts of `PlaceTable`, for three quantities: relevance twice, and answers. Of each it is given what is imagined of the widest
    level. What a place itself gave does not count again as what is known of the place above: a host with one directory is as good as that.
    """
    means = counts.take(_TOTALS, 0)
    # A table that forgot a place can know less of it than of what lies in it.
    rest = np.maximum(counts[:, :-1] - counts[:, 1:], 0.0)
    others = rest[0] + _PSEUDO[:, None]
    rest = rest.take(_TOTALS, 0)
    for level in range(_LEVELS - 1):
        means[:, level] += imagined
        imagined = _PSEUDO * ((rest[:, level] + imagined) / others[:, level])
    means[:, -1] += imagined
    means /= counts[0] + _PSEUDO[:, None]
    return means
