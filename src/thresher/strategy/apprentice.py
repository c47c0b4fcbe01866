"""The apprentice: a linear model over what any link tells, started from good weights and corrected carefully as pages come in.

Paper: Chakrabarti, Punera and Subramanyam 2002, whose apprentice learns from the pages a crawler fetches which links are worth following.
Link classifiers over anchor, context and address, fitted again while the crawl runs, are ACHE's (Barbosa and Freire 2007); means of
hosts that are tried because little is known of them are the bandit of Anthelion (Meusel, Mika and Blanco 2014); that waiting urls must be
scored again is Gouriten, Maniu and Senellart 2014.

    priority(u) = Σ w_i · x_i(u)

`link_features.py` lists the features x. They adapt: words are weighed by the pages so far (`word_odds.py`), places by what was fetched
there (`place_statistics.py`), links by what came of their siblings. The weights w start from a table (`apprentice_weights.toml`; `thresher
lab train` fits others) and are corrected every twenty pages, pulled back to where they started (`link_weights.py`): what one crawl can
teach is little, and the first hundred choices decide.

It explores. A host of which little is known gets a bonus, as the arms of a bandit do, that falls with each visit; it is multiplied by
how likely the host is to answer, which for a host that was never tried is judged by the other hosts that the same pages link to. The mean
relevance of a host, of a segment and of a directory begins with two imagined pages of relevance .3 and counts as a logarithm: where nothing
was found, each further page costs. An anchor that has all words of the topic's phrase gets a bonus too.

A url has the features of all links that lead to it, of which the last four are kept. Every twenty pages the best 400 of the waiting urls
are scored again, and 300 others in turn. A url that is not there has the best 50 scored again at once: links to dead hosts stand side by
side, and would be asked for one after the other. What a person says of a page counts as five pages that the judge judged, and then all
urls that are kept are scored again.

Where workers share a crawl, each learns from all visits as if they were its own, in the order in which it hears of them; so each knows the
links that others found. What is not as in one process: a link has the features that its worker knew of when it scored it, so the
outcomes of the last seconds are missing; the order of visits differs from worker to worker; of a page with more than 500 links or 2,000
different words the others hear of the first links and the most frequent words. A worker moves urls that wait after its own visits alone,
in the rounds above or after 20 visits of its own, so that several workers move no more of them than one.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thresher.errors import DamagedState
from thresher.model import Evidence, LabelledPage, Link, Merge, Page, Response, Sharing, Url, Visit
from thresher.outcomes import redirect_target
from thresher.ports import Strategy
from thresher.strategy.concept_values import ConceptValues
from thresher.strategy.link_features import PLACES
from thresher.strategy.link_learner import LEAST_ROOM, LinkLearner, TopicNumbers
from thresher.strategy.link_weights import SHIPPED, LinkWeights, read_weights, vector
from thresher.strategy.parameters import within
from thresher.strategy.visit_log import VisitRecord, packed, unpacked
from thresher.strategy.word_numbers import PageWords, WordNumbers
from thresher.topic import Topic

_SNAPSHOT, _VISIT = "snapshot", "visit/"
_SNAPSHOT_EVERY = 1000
_MOST_PHRASES = 8


class Learnt(NamedTuple):
    """What the apprentice has learnt from a crawl, for people."""

    visits: int
    weights: Mapping[str, tuple[float, float]]
    """Of each feature, the weight it began with and the one it has now."""
    words: Mapping[str, float]
    """The log-odds of words: above 0 they speak for the topic, below against it. Words that were never seen are left out."""


class Apprentice(Strategy):
    """Learn while crawling which links lead to relevant pages."""

    merge: Merge = "last"
    sharing: Sharing = "lessons"

    def __init__(  # noqa: PLR0913 - its keys
        self,
        topic: Topic,
        concepts: Topic | None = None,
        *,
        weights: str = "",
        strength: float = 30.0,
        middle: float = 0.25,
        width: float = 0.06,
        room: int = 16_384,
    ) -> None:
        within("apprentice", 0, strength=strength)
        within("apprentice", 0, 1, middle=middle)
        within("apprentice", 0.001, 1, width=width)
        within("apprentice", LEAST_ROOM, room=room)
        start = vector(read_weights(Path(weights) if weights else SHIPPED))
        self._numbers = WordNumbers()
        self.learner = LinkLearner(
            self._topic_numbers(topic),
            ConceptValues((concepts or topic).labels, self._numbers),
            LinkWeights(start, strength),
            room=room,
            middle=middle,
            width=width,
        )
        """What it has learnt."""
        self._record = VisitRecord("", "passed")
        self._unsaved: list[VisitRecord] = []
        self._words: tuple[Url, PageWords] | None = None
        self._kept = 0

    def _topic_numbers(self, topic: Topic) -> TopicNumbers:
        phrases = (frozenset(self._numbers.of(phrase).tolist()) for phrase in topic.phrases)
        several = [phrase for phrase in phrases if len(phrase) > 1]
        return TopicNumbers(self._numbers.of(" ".join(topic.labels)), several[:_MOST_PHRASES])

    def learn(self, visit: Visit) -> None:
        """Take note of what came of a url."""
        self._words = None
        self._record = self._heard(visit)
        self._unsaved.append(self._record)
        self.learner.learn(self._record)

    def _heard(self, visit: Visit) -> VisitRecord:
        if visit.page is not None:
            words = self._numbers.page(visit.page)
            self._words = visit.url, words
            relevance = visit.judgement.relevance if visit.judgement else 0.0
            return VisitRecord(visit.url, "page", "", relevance, len(visit.page.text), words.distinct, words.counts)
        if visit.outcome.name == "redirect" and isinstance(visit.fetched, Response):
            return VisitRecord(visit.url, "passed", redirect_target(visit.fetched) or "")
        return VisitRecord(visit.url, "nothing" if visit.asked else "passed")

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The weighted sum of each link's features; a link to what was visited already has no priority that matters."""
        words = self._words_of(visit)
        targets = [link.target for link in links]
        new = self.learner.not_visited(targets)
        some = [links[place] for place in new.tolist()]
        self._record.targets = [link.target for link in some]
        self._record.words = self._numbers.rows(words, some)
        self._record.menus = np.array([link.navigation for link in some], bool)
        priorities = np.zeros(len(links))
        priorities[new] = self.learner.new_links(self._record)
        return priorities.tolist()

    def _words_of(self, visit: Visit) -> PageWords:
        """The words of the page that was just learnt from; of another page if somebody asks about that."""
        if self._words is None or self._words[0] != visit.url:
            self._record = VisitRecord(visit.url, "page")
            return self._numbers.page(visit.page or Page(visit.url))
        return self._words[1]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What each feature added to the priority of the url when it was last scored: the parts add up to it."""
        shares = self.learner.shares(link.target)
        return tuple(Evidence(name, PLACES[name], share) for name, share in shares.items() if share)

    def learnt(self, words: Iterable[str]) -> Learnt:
        """What it has learnt so far, for people; of words it knows only numbers, so it is told which to look up."""
        known = list(words)
        odds = self.learner.odds(np.array([self._numbers[word] for word in known], np.int64))
        taking_sides = {word: value for word, value in zip(known, odds.tolist(), strict=True) if value}
        return Learnt(self.learner.visits, self.learner.weights(), taking_sides)

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """Every so often: the best of the waiting urls, and some of the others, as they look now."""
        return self.learner.turn()

    def heed(self, labels: Sequence[LabelledPage]) -> Iterable[tuple[Url, float]]:
        """Learn from what a person said, and score all waiting urls that are known; what was heard before is no news."""
        news = [each for each in labels if self.learner.is_news(each.page.url, relevant=each.relevant)]
        if not news:
            return []
        for page, relevant in news:
            words = self._numbers.page(page)
            label = VisitRecord(page.url, "label", "", float(relevant), 0, words.distinct, words.counts)
            self.learner.heed(label)
            self._unsaved.append(label)
        self._unsaved.append(VisitRecord("", "labels end"))
        return self.learner.turn_of_all()

    def save(self) -> Mapping[str, bytes]:
        """What was heard since; every thousand visits all that was learnt, in the place of the visits before."""
        records, first = self._unsaved, self._kept + 1
        self._unsaved = []
        self._kept += len(records)
        if self._kept < _SNAPSHOT_EVERY:
            return {f"{_VISIT}{number}": record.to_bytes() for number, record in enumerate(records, first)}
        forgotten = {f"{_VISIT}{number}": b"" for number in range(1, first)}
        self._kept = 0
        return {**forgotten, _SNAPSHOT: packed(self.learner.to_arrays())}

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back the snapshot, and hear of the visits since once more."""
        try:
            self._take_back(parts)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
            raise DamagedState(f"what the strategy has learnt is damaged: {error}") from error

    def _take_back(self, parts: Mapping[str, bytes]) -> None:
        if _SNAPSHOT in parts:
            self.learner.from_arrays(unpacked(parts[_SNAPSHOT]))
        self._kept = len(parts) - (_SNAPSHOT in parts)
        for number in range(1, self._kept + 1):
            self._hear_again(VisitRecord.from_bytes(parts[f"{_VISIT}{number}"]))

    def lesson(self) -> bytes:
        """The visit as it was heard, with the words of its links."""
        return self._record.to_lesson() if self._record.url else b""

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """Hear of the visits of others; urls are moved after visits of this worker."""
        for record in [VisitRecord.from_lesson(each) for each in lessons]:
            self._unsaved.append(record)
            self.learner.hear(record)
        return ()

    def _hear_again(self, record: VisitRecord) -> None:
        if record.fate == "label":
            self.learner.heed(record)
        elif record.fate == "labels end":
            self.learner.turn_of_all()
        else:
            self.learner.learn(record)
            if record.fate == "page":
                self.learner.links(record)
            self.learner.turn()
