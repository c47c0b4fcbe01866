"""Context ontology: a link is worth the topic's terms around it; where there are few, its page's class may still lead to the topic.

Paper: Kumar and Vig 2010, §III, "Multilingual Context Ontology Rule Enhanced Focused Web Crawler". The context link is the anchor with 150
characters on either side and the heading above it; the page it stands on is P, of class C, and T is the target class.

    OBRS(link) = Σ over terms of count(term in the context link) · importance(term)
    LARS(link) = la_scale · Σ over cycle-free paths C → … → T of at most max_depth rules of Π their probabilities; 0 without a path

Links are visited in the order of OBRS. One is admitted if OBRS > min_ont_rel (5), or else if LARS > min_la_rel (3). With a transcriptor,
words of other languages in context link and page are first replaced by English ones, and noise words dropped (`transcribe="replace"`).

Unclear in the paper, and how it was read:

- The number of characters on each side of the anchor: 150.
- The sentence that defines a rule's probability swaps its classes; they are taken as in Table 3, and in Altıngövde and Ulusoy 2004.
- A probability never exceeds the threshold of 3: it is multiplied by 10, since Table 2 counts ten pages a class.
- Overlapping terms all count (`overlap="longest"` counts the longest).
- "LARS of a context link" is that of its page's class, as in Altıngövde and Ulusoy 2004.
- A link below both thresholds is dropped. This is decided when the link is found, not when its turn comes: with fixed thresholds that is
  the same.

Profile `robust`: an OBRS above 5 takes six strong terms in one context, so the threshold is the 75th percentile of all OBRS seen so far,
the page's own included; what is below both thresholds is kept for when nothing better waits; and the English of other words stands
behind them instead of in their place (`transcribe="add"`), so that terms in the other language are found too.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from thresher.classify.link_rules import RuleScores
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput
from thresher.language.transcribed_evidence import with_sources
from thresher.language.transcriptor import How, Transcriptor, Zone
from thresher.lessons import Finite, packed, unpacked
from thresher.model import DROP, Evidence, Link, Page, Sharing, Url, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import Profile, switches, within
from thresher.topic.link_text import contexts
from thresher.topic.matching import Overlap
from thresher.topic.scoring import Weigher

_PROFILES: dict[str, dict[str, Any]] = {
    "paper": {"min_ont_rel": 5.0, "reserve": "discard", "transcribe": "replace"},
    "robust": {"min_ont_rel": "percentile", "reserve": "keep", "transcribe": "add"},
}
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
# Far below any sum of importances, and small enough that the order of the reserve is not rounded away.
_RESERVE = 1e6


class ContextOntology(Strategy):
    """Follow links with the topic's terms around them, and links of pages whose class leads to the topic."""

    sharing: Sharing = "lessons"

    def __init__(  # noqa: PLR0913 - what the paper leaves open, each named once
        self,
        importance: Mapping[str, float],
        taxonomy: Taxonomy | None = None,
        transcriptor: Transcriptor | None = None,
        *,
        profile: Profile = "paper",
        min_ont_rel: float | Literal["percentile"] | None = None,
        percentile: float = 75.0,
        min_la_rel: float = 3.0,
        la_scale: float = 10.0,
        max_depth: int = 2,
        context_chars: int = 150,
        overlap: Overlap = "independent",
        reserve: Literal["discard", "keep"] | None = None,
        transcribe: How | None = None,
    ) -> None:
        given = {"min_ont_rel": min_ont_rel, "reserve": reserve, "transcribe": transcribe}
        chosen = switches("context-ontology", profile, _PROFILES, **given)
        within("context-ontology", 0, la_scale=la_scale, context_chars=context_chars)
        within("context-ontology", 1, max_depth=max_depth)
        _check(chosen.min_ont_rel, percentile, chosen.reserve)
        self._importance, self._weigher = importance, Weigher(importance, overlap=overlap)
        self._taxonomy, self._transcriptor = taxonomy, transcriptor and transcriptor.by(chosen.transcribe)
        self._least, self._percentile, self._keeps = chosen.min_ont_rel, percentile / 100, chosen.reserve == "keep"
        self._min_la_rel, self._la_scale, self._chars = min_la_rel, la_scale, context_chars
        rules = taxonomy.rules if taxonomy else None
        self._rules = RuleScores(rules, taxonomy.targets, max_depth=max_depth) if taxonomy and rules else None
        self._seen, self._latest, self._changed = Counter[float](), Counter[float](), False

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The OBRS of links that are admitted; the others are put far below, or dropped."""
        relevances = self._weigher.weigh_each(self._texts(visit, links))
        if self._look_ahead(visit) > self._min_la_rel:
            self._admitted(relevances)
            return relevances
        otherwise = [each - _RESERVE for each in relevances] if self._keeps else [DROP] * len(relevances)
        return [
            obrs if admitted else low
            for obrs, low, admitted in zip(relevances, otherwise, self._admitted(relevances), strict=True)
        ]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """The terms in the context link with what they add, then what the class of the page promises."""
        terms = self._terms(visit, link)
        if visit.page is None or self._taxonomy is None or self._rules is None:
            return terms
        path = self._rules.best_path(self._taxonomy.best(self._in_english(visit.page)))
        ahead = [Evidence(" → ".join(path.classes), "look-ahead", self._look_ahead(visit))] if path else []
        return (*terms, *ahead)

    def _terms(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        found = self._weigher.found(self._texts(visit, [link])[0])
        terms = tuple(Evidence(term, "context", count * self._importance[term]) for term, count in found.items())
        if self._transcriptor is None:
            return terms
        text, language = contexts([link], self._chars)[0], visit.page.language if visit.page else ""
        return with_sources(terms, {"context": Zone(text, "", tuple(self._transcriptor.stretches(text, language)))})

    def _texts(self, visit: Visit, links: Sequence[Link]) -> list[str]:
        texts = contexts(links, self._chars)
        if self._transcriptor is None:
            return texts
        language = visit.page.language if visit.page else ""
        return [self._transcriptor.transcribe(text, language) for text in texts]

    def _look_ahead(self, visit: Visit) -> float:
        if visit.page is None or self._taxonomy is None or self._rules is None:
            return 0.0
        return self._rules.look_ahead(self._taxonomy.distribution(self._in_english(visit.page)), self._la_scale)

    def _in_english(self, page: Page) -> Page:
        if self._transcriptor is None:
            return page
        # The same object if nothing was foreign: if the judge asked for its class, that is known already.
        return self._transcriptor.page(page).page

    # ── the percentile ──

    def _admitted(self, relevances: Sequence[float]) -> list[bool]:
        if self._least != "percentile":
            return [each > self._least for each in relevances]
        rounded = list(map(_rounded, relevances))
        self._latest = Counter(rounded)
        least = _value_at(self._percentile, self._seen + self._latest)
        return [each > least for each in rounded]

    def _count_latest(self) -> None:
        """Count the OBRS of the latest page; only afterwards, so that scoring a page twice gives the same."""
        latest, self._latest = self._latest, Counter()
        self._seen.update(latest)
        self._changed = self._changed or bool(latest)

    def learn(self, visit: Visit) -> None:
        """Count what the page before had."""
        self._count_latest()

    def save(self) -> Mapping[str, bytes]:
        """How often each OBRS was seen, rounded to two digits: a few kilobytes."""
        self._count_latest()
        changed, self._changed = self._changed, False
        return {"seen": json.dumps(sorted(self._seen.items())).encode()} if changed else {}

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back what was seen."""
        self._seen, self._latest = Counter(dict(json.loads(parts.get("seen", b"[]")))), Counter()

    def lesson(self) -> bytes:
        """How often the last page had each OBRS, if there is a percentile to find."""
        return packed(list(self._latest.items())) if self._latest else b""

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """Count what other workers saw."""
        for seen in [unpacked(lesson, list[tuple[Finite, Count]]) for lesson in lessons]:
            self._seen.update(dict(seen))
            self._changed = True
        return ()


def _rounded(value: float) -> float:
    return float(f"{value:.1e}")


def _value_at(share: float, counts: Mapping[float, int]) -> float:
    """The least value that is not below this share of all values."""
    wanted, total = share * sum(counts.values()), 0
    for value in sorted(counts):
        total += counts[value]
        if total >= wanted:
            return value
    return 0.0


def _check(min_ont_rel: float | str, percentile: float, reserve: str) -> None:
    where = "strategy 'context-ontology'"
    if isinstance(min_ont_rel, str) and min_ont_rel != "percentile":
        raise BadInput(f"{where}: min_ont_rel is {min_ont_rel!r}, but must be a number or 'percentile'")
    if not 0 < percentile < 100:
        raise BadInput(f"{where}: percentile is {percentile}, but must be above 0 and below 100")
    if reserve not in {"discard", "keep"}:
        raise BadInput(f"{where}: there is no reserve {reserve!r}; the choices: discard, keep")
