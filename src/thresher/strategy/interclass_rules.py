"""Interclass rules: links of a page are worth what pages of its class are known to lead to.

Paper: Altıngövde and Ulusoy 2004, "Rule-based focused crawler", Figures 3 to 5. For page P, its most probable class C and the target T,

    priority = Σ over cycle-free paths C → … → T of at most max_depth rules of Π their probabilities,   if there is such a path
             = P(T | P) by the classifier (soft focus),                                                 otherwise

so that pages off topic whose class leads to the topic are followed: tunnelling. The loop T → T is the one cycle allowed. The priority is
the same for all links of a page, seeds included.

Unclear in the paper: its two examples are of different depths (CH = 0.4 is depth 1, DH = 0.42 depth 2, where CH has 0.42 too); read as
depth 2 and sum, which it says it used. Of several targets a path ends at the first it meets. A url met again keeps the higher priority.

Profile `robust` differs in four switches, none of them in the paper:
`temperature` is that of the classifier, where the paper has raw naïve Bayes (0); it counts for soft focus and for `soft_class`;
`soft_class` takes the expectation over all classes the page may have, since the best one is often wrong;
`online` goes on learning: each page fetched is one more example of what the class of the page that led to it links to;
`min_pages` holds back the rules of a class until they rest on ten pages, as many as the paper's example has of each class.
What is learnt counts from every `refresh`-th such page on, and for links found then: those that wait keep their priority.
What it gains and loses is in docs/papers/results.md.

Two more keys are what the authors named as future work, measured in docs/papers/reproductions.md:
`citations = "walks"` takes the rules from the links of random walks (the topic citation matrix of Chakrabarti et al. 2002) instead of
those that lead out of the examples, and `"both"` adds the two up;
`whole_taxonomy` lets a class borrow rules from the classes above it (`Science/Biology` of `Science/Biology/Plants`), as far as few pages of
its own were seen; no class is then held back by `min_pages`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from thresher.classify.link_rules import InterclassRules, Rule, RuleScores
from thresher.classify.rule_tree import rules_over
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import Missing
from thresher.lessons import check, packed, unpacked
from thresher.model import Evidence, Link, Sharing, Url, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import Profile, switches, within
from thresher.urls import url_hash

_PROFILES: dict[str, dict[str, Any]] = {
    "paper": {"soft_class": False, "online": False, "min_pages": 1, "temperature": 0.0},
    "robust": {"soft_class": True, "online": True, "min_pages": 10, "temperature": None},
}
# Of pages fetched longer ago the class is forgotten: some 20 MB, however long the crawl.
_MOST_PAGES = 100_000
_MOST_ORPHANS = 10_000
_NO_RULES = (
    "strategy 'interclass-rules' needs interclass rules: give --rules FILE, or let it learn them from the crawl itself with"
    " online = true (as profile 'robust' does)"
)
_NO_WALKS = (
    "strategy 'interclass-rules' needs rules from random walks for citations = {!r}: the lab has them; for a live crawl save them with"
    " `thresher lab rules --walks`, and give the file with --rules and without this key"
)


class _Seen(msgspec.Struct, array_like=True):
    """The class of a page, and where it was linked from; pages by the hashes of their urls."""

    page: int
    parent: int | None
    number: int
    label: str
    has_links: bool


class Interclass(Strategy):
    """Follow the links of pages whose class is known to lead to the target classes, on topic or not."""

    also_needs = "interclass rules (profile robust learns them)"
    sharing: Sharing = "lessons"

    def __init__(  # noqa: PLR0913 - what the paper leaves open, each named once
        self,
        taxonomy: Taxonomy,
        *,
        profile: Profile = "paper",
        max_depth: int = 2,
        merge: Literal["sum", "max"] = "sum",
        soft_class: bool | None = None,
        online: bool | None = None,
        min_pages: int | None = None,
        refresh: int = 25,
        temperature: float | None = None,
        citations: Literal["examples", "walks", "both"] = "examples",
        whole_taxonomy: bool = False,
    ) -> None:
        given = {"soft_class": soft_class, "online": online, "min_pages": min_pages, "temperature": temperature}
        chosen = switches("interclass-rules", profile, _PROFILES, **given)
        if citations != "examples" and taxonomy.walks is None:
            raise Missing(_NO_WALKS.format(citations))
        self._given = [each for each in _sources(taxonomy, citations) if each is not None]
        if not self._given and not chosen.online:
            raise Missing(_NO_RULES)
        within("interclass-rules", 1, max_depth=max_depth, min_pages=chosen.min_pages, refresh=refresh)
        self._taxonomy, self._online, self._min_pages, self._refresh = (
            taxonomy.tempered(chosen.temperature),
            chosen.online,
            chosen.min_pages,
            refresh,
        )
        self._whole_taxonomy = whole_taxonomy
        self._classes: dict[str, tuple[int, str]] = {}
        self._learnt: dict[tuple[str, str], tuple[int, int]] = {}
        """Of each pair of classes: how often it was seen in the crawl, up to the last refresh and since."""
        self._fresh = 0
        self._orphans: dict[str, list[str]] = {}
        """The classes of pages whose parent another worker fetched and has not told of yet, by the parent."""
        self._seen: _Seen | None = None
        self._changed: dict[str, bytes] = {}
        self._options: dict[str, Any] = {"max_depth": max_depth, "merge": merge, "soft_class": chosen.soft_class}
        self._scores = self._all_scores()

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """What the page's class promises, for each of its links."""
        if visit.page is None:
            return [0.0] * len(links)
        return [self._scores.score(self._taxonomy.distribution(visit.page))] * len(links)

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """The page's most probable class, its best path to a target, and what its class is worth in all."""
        if visit.page is None:
            return ()
        label, shares = self._taxonomy.best(visit.page), self._taxonomy.distribution(visit.page)
        path, worth = self._scores.best_path(label), self._scores.of_class(label)
        if path is None or worth is None:
            return tuple(Evidence(target, "soft focus", shares[target]) for target in self._taxonomy.targets)
        return (
            Evidence(" → ".join(path.classes), "best path", path.probability),
            Evidence(label, "all paths", worth),
            Evidence(label, "page", shares[label]),
        )

    # ── learning from the crawl ──

    def learn(self, visit: Visit) -> None:
        """See a page's class: one more page that the class of its parent links to."""
        self._seen = None
        if not self._online or visit.page is None:
            return
        label, parent = self._taxonomy.best(visit.page), visit.claim.candidate.parent
        from_page = None if parent is None else url_hash(parent)
        self._seen = _Seen(url_hash(visit.url), from_page, visit.number, label, bool(visit.page.links))
        self._see(self._seen)

    def _see(self, seen: _Seen) -> None:
        parent = None if seen.parent is None else _name(seen.parent)
        if parent is not None and (known := self._classes.get(parent)):
            self._observe(known[1], seen.label)
        elif parent is not None and len(self._orphans) < _MOST_ORPHANS:
            self._orphans.setdefault(parent, []).append(seen.label)
        if seen.has_links:
            self._note(_name(seen.page), seen.number, seen.label)
            for child in self._orphans.pop(_name(seen.page), ()):
                self._observe(seen.label, child)

    def lesson(self) -> bytes:
        """The class of the page just seen, and of whose links it is one."""
        return b"" if self._seen is None else packed(self._seen)

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:
        """See the classes of pages that other workers fetched. Urls that wait keep their priority, as always."""
        told = [unpacked(lesson, _Seen) for lesson in lessons]
        known = self._taxonomy.classifier.classes
        for seen in told:
            check(seen.label in known, f"there is no class {seen.label[:80]!r}")
        for seen in told:
            self._see(seen)
        return ()

    def _observe(self, parent: str, child: str) -> None:
        counted, fresh = self._learnt.get((parent, child), (0, 0))
        self._set((parent, child), counted, fresh + 1)
        self._fresh += 1
        if self._fresh >= self._refresh:
            self._count_fresh()

    def _count_fresh(self) -> None:
        for pair, (counted, fresh) in list(self._learnt.items()):
            if fresh:
                self._set(pair, counted + fresh, 0)
        self._fresh = 0
        self._scores = self._all_scores()

    def _set(self, pair: tuple[str, str], counted: int, fresh: int) -> None:
        self._learnt[pair] = counted, fresh
        self._changed[f"rule {json.dumps(pair)}"] = f"{counted} {fresh}".encode()

    def _note(self, name: str, number: int, label: str) -> None:
        self._classes[name] = number, label
        self._changed[name] = f"{number} {label}".encode()
        if len(self._classes) > _MOST_PAGES:
            oldest = next(iter(self._classes))
            del self._classes[oldest]
            self._changed[oldest] = b""

    def _all_scores(self) -> RuleScores:
        return RuleScores(self._rules(), self._taxonomy.targets, **self._options)

    def _rules(self) -> Iterable[Rule]:
        rules = InterclassRules()
        for given in self._given:
            for rule in given:
                rules.add(rule.parent, rule.child, rule.pages)
        # In order, so that a crawl that was resumed adds up the same numbers in the same order.
        for (parent, child), (counted, _) in sorted(self._learnt.items()):
            if counted:
                rules.add(parent, child, counted)
        if self._whole_taxonomy:
            return rules_over(rules, self._taxonomy.classifier.classes)
        pages = rules.pages
        return [rule for rule in rules if pages[rule.parent] >= self._min_pages]

    # ── keeping it ──

    def save(self) -> Mapping[str, bytes]:
        """The class of the page just seen, and the counts it changed."""
        changed, self._changed = self._changed, {}
        return changed

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back classes and counts."""
        said = {name: part.decode().split(" ", 1) for name, part in parts.items() if part}
        pages = [(int(first), name, rest) for name, (first, rest) in said.items() if name.startswith("page ")]
        self._classes = {name: (number, label) for number, name, label in sorted(pages)}
        self._learnt = {
            _pair(name): (int(first), int(rest)) for name, (first, rest) in said.items() if name.startswith("rule ")
        }
        self._fresh = sum(fresh for _, fresh in self._learnt.values())
        self._scores = self._all_scores()


def _sources(taxonomy: Taxonomy, citations: str) -> list[InterclassRules | None]:
    return {
        "examples": [taxonomy.rules],
        "walks": [taxonomy.walks],
        "both": [taxonomy.rules, taxonomy.walks],
    }[citations]


def _name(page: int) -> str:
    return f"page {page:x}"


def _pair(name: str) -> tuple[str, str]:
    parent, child = json.loads(name.removeprefix("rule "))
    return parent, child
