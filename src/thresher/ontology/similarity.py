"""How alike two concepts are, as plain functions of an ontology and two ids. All are symmetric; more is more alike.

`MEASURES` has them by name, each brought to the range from 0 to 1, so that one can stand where another stood: Resnik's and Leacock and
Chodorow's are divided by the most they can be, which leaves their order as it is; Jiang and Conrath's is 1 / (1 + distance), since
1 / distance is infinite for a concept and itself and would outweigh every other word of a text.

Conventions are NLTK's, so that published values come out. Where a hierarchy has several roots (WordNet's verbs), or two concepts belong to
different ones, one more root is assumed above all: without information, one step above the farthest ancestor. Two things differ:
`wu_palmer` is symmetric, where NLTK prefers its first argument; `jiang_conrath` of a concept and itself is infinite, where NLTK says 1e300.
"""

import math
from collections.abc import Callable, Mapping
from typing import Literal

from thresher.ontology.information import Information
from thresher.ontology.table import Ontology

INFINITE = math.inf
Measure = Callable[[Ontology, str, str, Information], float]
MeasureName = Literal["lin", "resnik", "jiang", "wu-palmer", "leacock", "path"]


def lin(ontology: Ontology, one: str, other: str, information: Information) -> float:
    """What two concepts share, as a part of their information: 2·IC(lcs) / (IC(one) + IC(other)), from 0 to 1."""
    if one == other:
        return 1.0
    values = information.values
    here, there = ontology.place(one), ontology.place(other)
    said = values[here] + values[there]
    if not 0 < said < INFINITE:
        return 0.0
    return 2 * information.shared(here, there) / said


def resnik(ontology: Ontology, one: str, other: str, information: Information) -> float:
    """What two concepts share: the highest information content of a concept above both."""
    return information.shared(ontology.place(one), ontology.place(other))


def jiang_conrath(ontology: Ontology, one: str, other: str, information: Information) -> float:
    """One over the information that the two do not share; 0 if one of them was never counted, or is the root."""
    if one == other:
        return math.inf
    apart = _apart(ontology, one, other, information)
    return 1 / apart if apart else math.inf


def _apart(ontology: Ontology, one: str, other: str, information: Information) -> float:
    """The information that two concepts do not share; infinite if one of them was never counted, or is the root."""
    values = information.values
    here, there = ontology.place(one), ontology.place(other)
    if not (0 < values[here] < INFINITE and 0 < values[there] < INFINITE):
        return INFINITE
    return values[here] + values[there] - 2 * information.shared(here, there)


def path(ontology: Ontology, one: str, other: str) -> float:
    """One over the concepts on the shortest way from one to the other, both included."""
    return 1 / (1 + _steps(ontology, ontology.place(one), ontology.place(other)))


def leacock_chodorow(ontology: Ontology, one: str, other: str) -> float:
    """-ln(concepts on the shortest way / (2·depth of the hierarchy))."""
    here, there = ontology.place(one), ontology.place(other)
    return -math.log((1 + _steps(ontology, here, there)) / (2 * _levels(ontology, here, there)))


def _levels(ontology: Ontology, here: int, there: int) -> int:
    """How deep the hierarchy of two concepts is, with a further root above it where they have several."""
    depth = max(ontology.height(here), ontology.height(there)) + (not _one_root(ontology, here, there))
    return max(depth, 1)


def wu_palmer(ontology: Ontology, one: str, other: str) -> float:
    """Twice the depth of the deepest concept above both, over the depths of the two, counted through it."""
    if one == other:
        return 1.0
    here, there = ontology.place(one), ontology.place(other)
    subsumer = _deepest_above(ontology, here, there)
    if subsumer is None:
        depth, steps = 1, _to_further_root(ontology, here) + _to_further_root(ontology, there)
    else:
        depth = 1 + int(ontology.columns["deepest"][subsumer])
        steps = _steps(ontology, here, subsumer) + _steps(ontology, there, subsumer)
    return 2 * depth / (steps + 2 * depth)


def _deepest_above(ontology: Ontology, here: int, there: int) -> int | None:
    """The common ancestor that is farthest from a root; among equals one of the two, then the first by name; None is the further root."""
    shallowest = ontology.columns["shallowest"]
    common = ontology.above(here) & ontology.above(there)
    level = max((shallowest[place] for place in common), default=0)
    best = [place for place in common if shallowest[place] == level]
    if chosen := {here, there}.intersection(best):
        return min(chosen)
    if level == 0 and not _one_root(ontology, here, there):
        return None
    return min(best, key=lambda place: ontology.at(place).id)


def _steps(ontology: Ontology, here: int, there: int) -> int:
    """The length of the shortest way up from one and down to the other."""
    if here == there:
        return 0
    left, right = _up(ontology, here), _up(ontology, there)
    ways = [left[place] + right[place] for place in left.keys() & right.keys()]
    if not _one_root(ontology, here, there):
        ways.append(1 + max(left.values()) + 1 + max(right.values()))
    return min(ways)


def _to_further_root(ontology: Ontology, place: int) -> int:
    return 1 + max(_up(ontology, place).values())


def _up(ontology: Ontology, place: int) -> dict[int, int]:
    """The fewest steps up to each concept above."""
    steps, level = {place: 0}, [place]
    while level:
        level = list(dict.fromkeys(up for each in level for up in ontology.parents(each) if up not in steps))
        steps |= dict.fromkeys(level, max(steps.values()) + 1)
    return steps


def _one_root(ontology: Ontology, here: int, there: int) -> bool:
    hierarchy = ontology.columns["hierarchy"]
    return bool(hierarchy[here] == hierarchy[there]) and ontology.roots(here) == 1


# ── by name, from 0 to 1 ──


def _share_of_the_most(ontology: Ontology, one: str, other: str, information: Information) -> float:
    """Resnik's, as a part of what the rarest concept says; a concept that was never counted shares what is above it."""
    shared = resnik(ontology, one, other, information)
    return min(shared / information.most, 1.0) if information.most else 0.0


def _nearness(ontology: Ontology, one: str, other: str, information: Information) -> float:
    """Jiang and Conrath's distance, as 1 / (1 + distance)."""
    return 1.0 if one == other else 1 / (1 + _apart(ontology, one, other, information))


def _scaled_leacock(ontology: Ontology, one: str, other: str, information: Information) -> float:  # noqa: ARG001
    """Leacock and Chodorow's, as a part of what a concept and itself have in the same hierarchy."""
    here, there = ontology.place(one), ontology.place(other)
    most = math.log(2 * _levels(ontology, here, there))
    return max(0.0, leacock_chodorow(ontology, one, other) / most)


MEASURES: Mapping[MeasureName, Measure] = {
    "lin": lin,
    "resnik": _share_of_the_most,
    "jiang": _nearness,
    "wu-palmer": lambda ontology, one, other, _: wu_palmer(ontology, one, other),
    "leacock": _scaled_leacock,
    "path": lambda ontology, one, other, _: path(ontology, one, other),
}
"""Those that Pesaranghader et al. 2014 name: by information content, by depth, and by the shortest way."""
