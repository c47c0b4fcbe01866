"""LinCrawler: follow links whose surrounding words mean the wanted sense of the topic's word.

Paper: Pesaranghader, Mustapha and Pesaranghader 2014, "Intelligent Topic-Specific Web Crawling Using Sense-based Semantic Similarity
Measures", §IV–V (equations 4–5, Code I, Table II). The set T of words in a window around a link, without stop words and in dictionary form,
is compared with every sense s of the topic's word:

    S_s = 1/|T| Σ_{t in T} Lin(s, t)        Lin(a, b) = 2·IC(lcs(a, b)) / (IC(a) + IC(b))        IC(c) = -log(count(c) / N)

A link is worth S of the sought sense if no other sense has more, and is dropped otherwise.

Unclear in the paper, and how it was read:

- Which sense of t: its first (`term_sense="first"`). Table II comes out within .03 so (*plant* is a factory there), and not with the
  nearest sense (`"max"`: .56 for .15). `"posterior"` takes all senses of t, each by how often t was seen with it in tagged text, which is
  all that can be said of a word before the link is read.
- Counts: the paper takes them from SemCor's file of WordNet::Similarity. WordNet's own counts are those of SemCor, and counted once for
  each way up (`ic_ways="each"`) they are that file, number by number. 1 is added to each (`ic="add1"`); raw, the eye's iris was never
  seen, and nothing is like it. N: the count at the root (`ic_n="root"`); equation 5 says the sum over all concepts (`"sum"`), but Table II
  does not come out with it.
- Window: 10 words on each side and the anchor. k, the number of seeds, is a matter of the seeds.
- "Overlooking the repeated ones": a waiting url keeps the priority it got first (`merge="first"`).
- Several senses may be sought (squash: plant and fruit): the best of them counts. Ties go to the sought sense if it is worth anything.
- |T| counts words that the ontology does not know (`ignore_oov=False`).

`measure` puts another similarity in Lin's place, all from 0 to 1: `resnik`, `jiang`, `wu-palmer`, `leacock`, `path`, which the paper names
as future work. `docs/papers/reproductions.md` compares them.

Where Code I is corrected: `int score` would cut every score to 0, and `if (sense = maxScoreIndex + 1)` assigns.

Profile `robust`: the topic's own word is left out (`drop_topic_term`), since in its first sense it speaks for sense 1 of itself, whatever
is meant; what the window shares with the definitions of each sense and its neighbours is added to S (`gloss`), since Lin's measure knows
what is a kind of what and not what goes together (iris and garden); links whose words speak for no sense get a `floor` instead of being
dropped, so that the crawl goes on where links say nothing; a url that is met again keeps its best priority; a concept counts once for
what is above it, however many ways lead there (`ic_ways="once"`), as probabilities ask for.

Measured on windows around ten words of two senses each (virus, cell, port, bug, memory, mouse, tree, host, period, bus) in three recorded
webs, up to three windows of 400 pages a sense: balanced accuracy .51 with the topic's own word in the window, as in the paper, .62
without it, .67 with `gloss`, .69 with the nearest sense too; area under the curve .59, .69, .73, .73. Twenty words do not show much.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from thresher.errors import BadInput
from thresher.model import DROP, Evidence, Link, Merge, Visit
from thresher.ontology.information import Total, Ways
from thresher.ontology.similarity import MeasureName
from thresher.ports import Strategy
from thresher.strategy.parameters import Profile, switches, within
from thresher.topic.link_text import windows
from thresher.topic.sense_choice import WordSense
from thresher.topic.sense_scoring import SenseScorer, Smoothing, TermSense, score, telling_words

_PROFILES: Mapping[str, Mapping[str, Any]] = {
    "paper": {"drop_topic_term": False, "gloss": False, "floor": 0.0, "merge": "first", "ic_ways": "each"},
    # Lower than what one word of similarity .03 among thirty gives a link, so that links with any known word come first.
    "robust": {"drop_topic_term": True, "gloss": True, "floor": 0.001, "merge": "max", "ic_ways": "once"},
}


class Lin(Strategy):
    """Follow links whose words mean the sought sense of the topic's word."""

    def __init__(  # noqa: PLR0913 - the switches that the paper leaves open
        self,
        sense: WordSense,
        profile: Profile = "paper",
        *,
        window: int = 10,
        term_sense: TermSense = "first",
        ic: Smoothing = "add1",
        ic_n: Total = "root",
        ic_ways: Ways | None = None,
        measure: MeasureName = "lin",
        ignore_oov: bool = False,
        drop_topic_term: bool | None = None,
        gloss: bool | None = None,
        floor: float | None = None,
        merge: Merge | None = None,
    ) -> None:
        given = {
            "drop_topic_term": drop_topic_term,
            "gloss": gloss,
            "floor": floor,
            "merge": merge,
            "ic_ways": ic_ways,
        }
        chosen = switches("lin", profile, _PROFILES, **given)
        choices = {"term_sense": (term_sense, TermSense), "ic": (ic, Smoothing), "measure": (measure, MeasureName)}
        _check(window, chosen.floor, choices)
        self.merge = chosen.merge
        self._scorer = SenseScorer(
            sense,
            term_sense=term_sense,
            ic=ic,
            ic_n=ic_n,
            ic_ways=chosen.ic_ways,
            measure=measure,
            ignore_unknown=ignore_oov,
            drop_word=chosen.drop_topic_term,
            gloss=chosen.gloss,
        )
        self.table = self._scorer.table
        """How near each word is to each sense."""
        self._wanted, self._window = sense.wanted, window
        self._least = chosen.floor or DROP

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The sought sense's average for each link's window, if it is the highest."""
        return list(map(self._priority, windows(links, self._window)))

    def _priority(self, text: str) -> float:
        each = self._scorer.averages(telling_words(text))
        return (score(each, self._wanted) or DROP) if any(each) else self._least

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What each word adds to the sense that the window speaks for most; below zero if it is not the sought one."""
        parts = self._scorer.parts(telling_words(windows([link], self._window)[0]))
        totals = [sum(column) for column in zip(*parts.values(), strict=True)]
        if not any(totals):
            return ()
        leading = max(range(len(totals)), key=lambda sense: (totals[sense], sense in self._wanted))
        where = f"window: {self.table.senses[leading]}"
        sign = 1.0 if leading in self._wanted else -1.0
        found = [Evidence(word, where, sign * amounts[leading]) for word, amounts in parts.items() if amounts[leading]]
        return tuple(sorted(found, key=lambda each: -abs(each.amount)))


def _check(window: int, floor: float, choices: Mapping[str, tuple[str, Any]]) -> None:
    within("lin", 0, window=window)
    within("lin", 0, 1, floor=floor)
    for key, (value, allowed) in choices.items():
        if value not in get_args(allowed):
            raise BadInput(f"strategy 'lin': {key} is {value!r}, but must be one of {', '.join(get_args(allowed))}")
