"""Judge which sense of the topic's word a page means, by the words around it and those of the title and the headings.

Each sense s gets S_s, how much these words support it: their average similarity to s by Lin's measure (as in LinCrawler, Pesaranghader
et al. 2014) and, unless `gloss` is off, what they share with the definitions of s and its neighbours. Of W, the most for a sought
sense, and R, the most for any other,

    relevance = W / (W + R)

so that .5, the threshold, is where Code I of that paper changes from one sense to the other. A page without the word is worth 0, and so
is one whose words support no sense. The topic's own word does not count: it would always support its most usual sense.

The judge asks which sense is meant, not how much of the page is about it: one mention counts. So its relevance is no probability that the
page is on topic, and has no curve (docs/reference/judges.md). Use it beside another (`combine` with `how = "product"`).

Measured on pages of three recorded webs that use one of ten words of two senses each at least twice (virus, cell, port, bug, memory, mouse,
tree, host, period, bus; the web or its editors' subject says which is meant; of two words one sense has but one or two pages): balanced
accuracy at .5 is .64 by Lin alone and .75 with definitions, area under the curve .75 and .85; with windows of 30 words .72 and .86.
The senses of *period* are hardly told apart (.52).
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words
from thresher.model import Evidence, Judgement, Page
from thresher.topic.sense_choice import WordSense
from thresher.topic.sense_scoring import SenseScorer

Parts = Mapping[str, Sequence[float]]
"""What each word adds to each sense."""
_MOST_EVIDENCE = 20


class SenseJudge:
    """Relevance by the sense in which a page uses the topic's word."""

    def __init__(self, sense: WordSense, threshold: float = 0.5, window: int = 10, *, gloss: bool = True) -> None:
        """`window` words on each side of every occurrence count, and all words of the title and the headings."""
        if not 0 <= threshold <= 1:
            raise BadInput(f"judge 'sense': threshold is {threshold}, but must be from 0 to 1")
        if window < 1:
            raise BadInput(f"judge 'sense': window is {window}, but must be at least 1")
        self._scorer = SenseScorer(sense, drop_word=True, gloss=gloss)
        self._names = sense.senses
        self._sought = sorted(sense.wanted)
        self._others = [each for each in range(len(sense.senses)) if each not in sense.wanted]
        self.threshold, self._window = threshold, window
        self._own = self._forms(words(sense.word))

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        zones = self._zones(page)
        parts = self._scorer.parts(list(chain.from_iterable(zones.values())))
        totals = [sum(column) for column in zip([0.0] * len(self._names), *parts.values(), strict=True)]
        sought = max(self._sought, key=totals.__getitem__)
        other = max(self._others, key=totals.__getitem__, default=None)
        both = totals[sought] + (0.0 if other is None else totals[other])
        relevance = totals[sought] / both if both else 0.0
        return Judgement(relevance, relevance >= self.threshold, self._evidence(parts, zones, sought, other))

    def _zones(self, page: Page) -> dict[str, list[str]]:
        """The words that count, by where they stand; none if the page does not have the topic's word."""
        spoken = {zone: words(text) for zone, text in (("title", page.title), ("heading", "\n".join(page.headings)))}
        near, tokens = self._near(page.main)
        if not near and not any(map(self._occurrences, spoken.values())):
            return {}
        zones = {**spoken, "text": [tokens[place] for place in sorted(near)]}
        return {zone: [word for word in found if word not in STOP_WORDS] for zone, found in zones.items()}

    def _near(self, text: str) -> tuple[set[int], list[str]]:
        """The places within reach of an occurrence, among all words of a text."""
        tokens, reach = words(text), self._window
        ranges = (range(max(0, at - reach), at + len(self._own) + reach) for at in self._occurrences(tokens))
        return {place for around in ranges for place in around if place < len(tokens)}, tokens

    def _occurrences(self, tokens: Sequence[str]) -> list[int]:
        # Forms of a word begin alike (mouse, mice), and a word that was not met before is slow to look up.
        letter, many = self._own[0][0], len(self._own)
        starts = [place for place, word in enumerate(tokens) if word[0] == letter]
        return [place for place in starts if self._forms(tokens[place : place + many]) == self._own]

    def _forms(self, found: Sequence[str]) -> list[str]:
        return [self._scorer.table[word][0] for word in found]

    def _evidence(
        self, parts: Parts, zones: dict[str, list[str]], sought: int, other: int | None
    ) -> tuple[Evidence, ...]:
        """For each word how much more it supports the sought sense than the other, the largest difference first; below zero if less."""
        where = {form: zone for zone in reversed(zones) for form in self._forms(zones[zone])}
        found = []
        for word, amounts in parts.items():
            lead = amounts[sought] - (0.0 if other is None else amounts[other])
            named = self._names[sought if lead > 0 or other is None else other]
            found.append(Evidence(word, f"{where[word]}: {named}", lead))
        telling = sorted((each for each in found if each.amount), key=lambda each: -abs(each.amount))
        return tuple(telling[:_MOST_EVIDENCE])
