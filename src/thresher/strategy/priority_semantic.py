"""Priority-based semantic crawler: expand the downloaded page that is most like the topic's ontology.

Paper: Choudhary and Roy 2013, "Priority based Semantic Web Crawler", equations 1–4 and §4. How pages are downloaded, ranked and expanded
stands in `download_then_rank`, how they are compared in `siblings`:

    w_t = tf_t · log(D / df_t)        D pages under the parent, df_t of them with term t
    SS(f, p) = Σ_t w_ft w_pt / (sqrt(Σ w_ft²) · sqrt(Σ w_pt²))
    Score(page) = SS(f, page) + SS(f, anchor) + Score(parent)        Score(seed) = 1

Unclear in the paper, and how it was read:

- w_f, the weight of a term in the ontology: how often the term occurs among the labels of all concepts, times the same log(D / df)
  (`onto_weight="labels"`); or 1 for names of the topic and ½ for what is related (`"tiers"`). §1 compares a page with "all the concepts and
  relationship between concepts": with `"relations"` a term also counts once for each relation that its concept has with another one of
  the topic, so that the topic itself weighs as much as all around it. A term that no page under the parent has is left out.
- The page's vector: "each word in web page", so all words of its main text, and the ontology's phrases beside them (`norm="words"`). With
  the ontology's terms alone (`"terms"`), a page that mentions one of them once is as like as a page full of it.
- One page under the parent, or a term on all of them: log 1 = 0. Where nothing of a text or of the ontology is left, the cosine
  of the counts is taken (`idf_fallback`). The base of the logarithm is of no consequence.
- "Semantic score of its parent pages": of several parents the one that gives most, as long as the page was not expanded.
- The score of a parent is added in full (`parent="sum"`), so every child is above its parent, and the crawl goes deeper rather than back;
  the example of §3.2 with its scores below 1 cannot come from equation 4. Profile `robust` takes half of it (`"decay"`, `decay=0.5`);
  `"mean"` is the mean of the three terms.
- "New" urls are those never visited; the listing has no such test. The ontology is made once, not at each url.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from thresher.strategy.download_then_rank import DownloadThenRank
from thresher.strategy.parameters import Profile, switches, within
from thresher.strategy.sibling_pages import Norm, TopicSimilarity
from thresher.topic import Topic
from thresher.topic.matching import Matcher

OntologyWeight = Literal["labels", "tiers", "relations"]
"""How often a term occurs among the ontology's labels; 1 for a name of the topic and ½ for what is related; or labels and relations."""
_NAMES = ("exact", "synonym")

ParentTerm = Literal["sum", "decay", "mean"]

_PROFILES: Mapping[str, Mapping[str, Any]] = {"paper": {"parent": "sum"}, "robust": {"parent": "decay"}}


class PrioritySemantic(DownloadThenRank):
    """Download all that a page links to, then go on from the page that is most like the ontology."""

    def __init__(  # noqa: PLR0913 - the switches that the paper leaves open
        self,
        concepts: Topic,
        profile: Profile = "paper",
        *,
        parent: ParentTerm | None = None,
        decay: float = 0.5,
        onto_weight: OntologyWeight = "labels",
        idf_fallback: bool = True,
        norm: Norm = "words",
        patience: int = 100,
    ) -> None:
        chosen = switches("priority-semantic", profile, _PROFILES, parent=parent)
        within("priority-semantic", 0, 1, decay=decay)
        within("priority-semantic", 1, patience=patience)
        similarity = TopicSimilarity(ontology_weights(concepts, onto_weight), norm=norm, idf_fallback=idf_fallback)
        super().__init__(similarity, parent=chosen.parent, decay=decay, patience=patience)


def ontology_weights(concepts: Topic, kind: OntologyWeight) -> Mapping[str, float]:
    """The terms of the ontology with the weight of each, before it is multiplied by how rare the term is.

    >>> from thresher.topic.topic import Term
    >>> eye = Topic("iris", (Term("iris", 15), Term("iris of the eye", 12, "synonym"), Term("eye", 8, "broader")))
    >>> ontology_weights(eye, "labels")
    {'iris': 2.0, 'iris of the eye': 1.0, 'eye': 2.0}
    >>> ontology_weights(eye, "tiers")
    {'iris': 1.0, 'iris of the eye': 1.0, 'eye': 0.5}
    >>> ontology_weights(eye, "relations")
    {'iris': 3.0, 'iris of the eye': 2.0, 'eye': 3.0}
    """
    if kind == "tiers":
        tiers = {term.label.lower(): 1.0 if term.tier in _NAMES else 0.5 for term in concepts.terms}
        return {label: tiers[label] for label in concepts.labels}
    counts = sum(Matcher(concepts.labels).count_each(list(concepts.labels)), Counter[str]())
    if kind == "relations":
        counts.update(_relations(concepts))
    return {label: float(counts[label]) for label in concepts.labels if counts[label]}


def _relations(concepts: Topic) -> dict[str, int]:
    """How many relations each term's concept has with others of the topic: what is around the topic has one with it, the topic all."""
    around = sum(term.tier not in _NAMES for term in concepts.terms)
    return {term.label.lower(): around if term.tier in _NAMES else 1 for term in concepts.terms}
