"""Information content: the rarer a concept is, the more it says. After Resnik 1995: IC(c) = -ln(count(c) / count(root)).

The count of a concept is its own plus those of all concepts below it, each counted once, however many ways lead down to it; or once for
each way (`Ways`), as WordNet::Similarity counts.
"""

from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.ontology.table import Ontology

MOST_RANKED = 100_000
"""Concepts whose ancestors are kept in order of content."""


Total = Literal["root", "sum"]
"""What a count is divided by. `root`: the count at the root, so that a root has no information. `sum`: the counts of all concepts, each
with all that is below it, as in equation 5 of Pesaranghader et al. 2014; then even a root has some, and all concepts are somewhat alike."""


Ways = Literal["once", "each"]
"""How often a concept counts for one that it reaches on several ways up. `once`: once. `each`: once for each way, as the programs of
WordNet::Similarity count: WordNet's own counts then give the content of its file `ic-semcor.dat`, and with 1 added that of
`ic-semcor-add1.dat`, to the last digit for every noun."""


class Information:
    """The information content of every concept of one ontology. A concept that was never counted has infinite content."""

    def __init__(self, ontology: Ontology, counts: Sequence[float], sizes: Sequence[float]) -> None:
        """`counts` has the count of each concept with all below it, `sizes` that of the root of its hierarchy."""
        self._ontology = ontology
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.asarray(counts, np.float64) / np.asarray(sizes, np.float64)
            content = -np.log(np.nan_to_num(shares))
        # A root's -0.0 becomes 0.0.
        self.values: list[float] = (np.maximum(content, 0.0) + 0.0).tolist()
        """By place."""
        self.most = max((value for value in self.values if value < inf), default=0.0)
        """What the rarest concept that was counted says."""
        self._ranked: dict[int, tuple[int, ...]] = {}
        self._lookup_places = _lookup_places(ontology)

    def __getitem__(self, concept: str) -> float:
        return self.values[self._ontology.place(concept)]

    def shared(self, here: int, there: int) -> float:
        """The highest content of a concept above both places; 0 if there is none."""
        if here != there:
            # A leaf is above nothing but itself, so what it shares with another its parent shares: three of four nouns of WordNet need no
            # ancestors of their own, and 100,000 similarities of nouns not met before take .50 to .66 s instead of .80 to 1.03.
            here, there = self._lookup_places[here], self._lookup_places[there]
        ranked = self._ranked.get(here) or self._rank(here)
        # Trying the ancestors of one in order until the other has it too is faster than max() over their common ancestors.
        found = next(filter(self._ontology.above(there).__contains__, ranked), None)
        return 0.0 if found is None else self.values[found]

    def _rank(self, place: int) -> tuple[int, ...]:
        if len(self._ranked) >= MOST_RANKED:
            self._ranked.clear()
        ranked = tuple(sorted(self._ontology.above(place), key=self.values.__getitem__, reverse=True))
        self._ranked[place] = ranked
        return ranked


def _lookup_places(ontology: Ontology) -> list[int]:
    """Where ancestors are looked up from: for a leaf with one parent the parent's place, else its own."""
    columns = ontology.columns
    parents, places = columns["broader.starts"], np.arange(len(ontology))
    leaf = (np.diff(columns["narrower.starts"]) == 0) & (np.diff(parents) == 1)
    places[leaf] = columns["broader.values"][parents[:-1][leaf]]
    return list(places.tolist())


def from_counts(ontology: Ontology, *, add: float = 1, total: Total = "root", ways: Ways = "once") -> Information:
    """From how often each label was seen with its meaning; `add` is added to every concept, 0 leaves the counts raw.

    Where nothing was counted, adding 1 makes content a matter of structure: a concept with many below it says little.
    """
    for what, value, choices in (("total", total, get_args(Total)), ("count of ways", ways, get_args(Ways))):
        if value not in choices:
            raise BadInput(f"there is no {what} {value!r}; the choices: {', '.join(choices)}")
    own = (own_counts(ontology) + add).tolist()
    counts = with_all_below(ontology, own) if ways == "once" else _along_each_way(ontology, own)
    return Information(ontology, counts, _totals(ontology, counts, total))


def from_file(ontology: Ontology, path: Path, offsets: Iterable[str]) -> Information:
    """From a file of WordNet::Similarity such as `ic-semcor-add1.dat`; `offsets` says what it calls the concepts, in order."""
    seen, roots = _read(path)
    names = list(offsets)
    if len(names) != len(ontology):
        raise BadInput(f"{path}: made for another WordNet ({len(names):,} synsets, the ontology has {len(ontology):,})")
    return Information(ontology, [seen.get(name, 0.0) for name in names], [roots.get(name[-1:], 0.0) for name in names])


def own_counts(ontology: Ontology) -> NDArray[np.float64]:
    """How often each concept was seen under any of its labels, by place."""
    columns = ontology.columns
    return np.bincount(columns["label_owner"], columns["label_count"], len(ontology)).astype(np.float64)


def with_all_below(ontology: Ontology, own: Sequence[float]) -> list[float]:
    """The sum of each concept's own number and those of all its descendants, by place.

    A number goes up step by step as long as there is one way; where the ways part it is given to all ancestors at once, so that it counts
    once where they meet again.
    """
    rising, given = list(own), [0.0] * len(own)
    for place in np.argsort(-ontology.columns["deepest"], kind="stable").tolist():
        parents = ontology.parents(place)
        if len(parents) == 1:
            rising[parents[0]] += rising[place]
        elif parents:
            for above in ontology.above(place) - {place}:
                given[above] += rising[place]
    return [one + other for one, other in zip(rising, given, strict=True)]


def _along_each_way(ontology: Ontology, own: Sequence[float]) -> list[float]:
    """The same, with a descendant's number as often as there are ways up from it."""
    rising = list(own)
    for place in np.argsort(-ontology.columns["deepest"], kind="stable").tolist():
        for parent in ontology.parents(place):
            rising[parent] += rising[place]
    return rising


def _totals(ontology: Ontology, counts: Sequence[float], total: Total) -> list[float]:
    """For each concept the count at the root of its hierarchy, or at all roots together if it has several; or the sum over all of it."""
    hierarchy = ontology.columns["hierarchy"]
    summed = ontology.columns["deepest"] == 0 if total == "root" else np.ones(len(counts), bool)
    sums = np.bincount(hierarchy[summed], np.asarray(counts)[summed])
    return list(sums[hierarchy].tolist()) if len(counts) else []


def _read(path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """The counts of a file by the name of the synset, and the sum at the roots by the letter of the kind."""
    seen: dict[str, float] = {}
    roots: dict[str, float] = {}
    number = 0
    try:
        with path.open(encoding="ascii", errors="replace") as file:
            for number, line in enumerate(file, 1):  # noqa: B007 - the complaint below names the line
                if line.strip() and not line.startswith("wnver"):
                    _take(line.split(), seen, roots)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, IndexError) as error:
        raise BadInput(f"{path}, line {number}: not a synset with its count ({error})") from error
    return seen, roots


def _take(fields: list[str], seen: dict[str, float], roots: dict[str, float]) -> None:
    name, count = fields[0], float(fields[1])
    seen[name] = count
    if fields[2:] == ["ROOT"]:
        roots[name[-1]] = roots.get(name[-1], 0.0) + count
