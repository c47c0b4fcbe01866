"""Make the columns of an ontology out of a stream of concepts: numbers for ids, both directions, depths, and no circles."""

from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.language import words
from thresher.ontology.concept import Concept, ConceptLabel, LabelKind
from thresher.ontology.packed_arrays import Arrays, HashIndex, Rows, Strings, StringsBuilder, hash_of

LABEL_KINDS: tuple[LabelKind, ...] = ("preferred", "exact", "narrow", "broad", "related")
MOST_NOTES = 20
NEW, ON_THE_WAY, DONE = range(3)


def key_of(label: str) -> str:
    """The key of a label: its words in lower case, without what stands between them.

    >>> key_of("Bed-wetting")
    'bed wetting'
    """
    return " ".join(words(label)) or label.strip().lower()


class BuiltColumns(NamedTuple):
    """The columns of an ontology, and notes on what had to be left out."""

    columns: Arrays
    notes: tuple[str, ...]


def build_columns(concepts: Iterable[Concept]) -> BuiltColumns:
    """Columns of all concepts; an id given twice is `BadInput`, a step to an unknown id is left out, a circle is cut open."""
    builder = _ColumnBuilder()
    for concept in concepts:
        builder.take(concept)
    return builder.built()


class _ColumnBuilder:
    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.glosses, self.texts, self.derived = StringsBuilder(), StringsBuilder(), StringsBuilder()
        self.derived_starts = array("q", [0])
        self.kinds: dict[str, int] = {}
        self.languages: dict[str, int] = {}
        self.kind = array("i")
        self.hashes = array("Q")
        self.owner, self.language, self.label_kind, self.rank, self.count = (array("i") for _ in range(5))
        self.broader = _Steps()
        self.related = _Steps()

    def take(self, concept: Concept) -> None:
        place = len(self.places)
        if self.places.setdefault(concept.id, place) != place:
            raise BadInput(f"two concepts have the id {concept.id!r}: ids must be unique within an ontology")
        self.glosses.add(concept.gloss)
        self.kind.append(self.kinds.setdefault(concept.kind, len(self.kinds)))
        for label in concept.labels:
            self._take_label(place, label)
        for word in concept.derived:
            self.derived.add(word)
        self.derived_starts.append(self.derived_starts[-1] + len(concept.derived))
        self.broader.add(place, concept.broader)
        self.related.add(place, concept.related)

    def _take_label(self, place: int, label: ConceptLabel) -> None:
        self.texts.add(label.text)
        self.hashes.append(hash_of(key_of(label.text)))
        self.owner.append(place)
        self.language.append(self.languages.setdefault(label.language, len(self.languages)))
        self.label_kind.append(LABEL_KINDS.index(label.kind))
        self.rank.append(label.rank)
        self.count.append(label.count)

    def built(self) -> BuiltColumns:
        ids = list(self.places)
        kind, hierarchy = np.asarray(self.kind), _straighten(self.broader.known(self.places), len(ids))
        columns = {
            **Strings.of(ids).to_arrays("ids"),
            **HashIndex.of(np.fromiter(map(hash_of, ids), np.uint64, len(ids))).to_arrays("id_keys"),
            **self.glosses.strings().to_arrays("glosses"),
            **self._labels(len(ids)),
            **self.derived.strings().to_arrays("derived"),
            "derived_starts": np.asarray(self.derived_starts),
            **Strings.of(self.kinds).to_arrays("kinds"),
            "kind": kind,
            "hierarchy": _joined(kind, len(self.kinds), hierarchy.broader),
            **_rows(len(ids), self.related.known(self.places)).to_arrays("related"),
            **hierarchy.to_arrays(),
        }
        return BuiltColumns(columns, _notes(hierarchy.cut, ids))

    def _labels(self, length: int) -> Arrays:
        owner, rank = np.asarray(self.owner), np.asarray(self.rank)
        return {
            **self.texts.strings().to_arrays("labels"),
            **Strings.of(self.languages).to_arrays("languages"),
            **HashIndex.of(np.asarray(self.hashes), rank).to_arrays("label_keys"),
            "label_starts": np.searchsorted(owner, np.arange(length + 1)).astype(np.int64),
            "label_owner": owner,
            "label_language": np.asarray(self.language),
            "label_kind": np.asarray(self.label_kind),
            "label_rank": rank,
            "label_count": np.asarray(self.count),
        }


class _Steps:
    """Steps from a concept to the id of another one that may come later in the stream, or never."""

    def __init__(self) -> None:
        self._from, self._to = array("i"), list[str]()

    def add(self, place: int, ids: Iterable[str]) -> None:
        for target in ids:
            self._from.append(place)
            self._to.append(target)

    def known(self, places: dict[str, int]) -> list[tuple[int, int]]:
        """The steps that lead to a concept, each once, in order."""
        steps = ((place, places.get(target, -1)) for place, target in zip(self._from, self._to, strict=True))
        return list(dict.fromkeys(step for step in steps if step[1] >= 0))


class _Hierarchy(NamedTuple):
    broader: Rows
    deepest: NDArray[np.int32]
    shallowest: NDArray[np.int32]
    cut: list[tuple[int, int]]

    def to_arrays(self) -> Arrays:
        narrower = self.broader.turned()
        return {
            **self.broader.to_arrays("broader"),
            **narrower.to_arrays("narrower"),
            "deepest": self.deepest,
            "shallowest": self.shallowest,
        }


def _rows(length: int, steps: list[tuple[int, int]]) -> Rows:
    pairs = np.array(steps, np.int32).reshape(-1, 2)
    return Rows.of(length, pairs[:, 0], pairs[:, 1])


def _straighten(steps: list[tuple[int, int]], length: int) -> _Hierarchy:
    """The hierarchy without circles, and how far each concept is below its roots."""
    order, cut = _ordered(_rows(length, steps))
    cuts = set(cut)
    broader = _rows(length, [step for step in steps if step not in cuts]) if cut else _rows(length, steps)
    deepest, shallowest = np.zeros(length, np.int32), np.zeros(length, np.int32)
    deep, shallow = deepest.data, shallowest.data
    for place in order:
        if above := broader[place].tolist():
            deep[place] = 1 + max(map(deep.__getitem__, above))
            shallow[place] = 1 + min(map(shallow.__getitem__, above))
    return _Hierarchy(broader, deepest, shallowest, cut)


def _ordered(broader: Rows) -> tuple[list[int], list[tuple[int, int]]]:
    """All places, broader before narrower, and the steps that close a circle. Without recursion, since a chain may be any length."""
    state = bytearray(len(broader))
    order: list[int] = []
    cut: list[tuple[int, int]] = []
    for start in range(len(broader)):
        if state[start] == NEW:
            state[start] = ON_THE_WAY
            _climb(start, broader, state, order, cut)
    return order, cut


def _climb(start: int, broader: Rows, state: bytearray, order: list[int], cut: list[tuple[int, int]]) -> None:
    way = [(start, iter(broader[start]))]
    while way:
        place, above = way[-1]
        for parent in above:
            if state[parent] == NEW:
                state[parent] = ON_THE_WAY
                way.append((parent, iter(broader[parent])))
                break
            if state[parent] == ON_THE_WAY:
                cut.append((place, parent))
        else:
            state[place] = DONE
            order.append(place)
            way.pop()


def _joined(kind: NDArray[np.int32], kinds: int, broader: Rows) -> NDArray[np.int32]:
    """The hierarchy each concept belongs to: one a kind, or one for several kinds if a step up leads from one to the other."""
    same = list(range(kinds))
    steps = np.stack([kind[broader.owners()], kind[broader.values()]]).T
    for one, other in np.unique(steps, axis=0).tolist():
        same = [same[one] if number == same[other] else number for number in same]
    return np.array(same, np.int32)[kind]


def _notes(cut: list[tuple[int, int]], ids: list[str]) -> tuple[str, ...]:
    notes = [
        f"a circle in the hierarchy: {ids[place]} is above {ids[parent]} already, so it is not put below it"
        for place, parent in cut[:MOST_NOTES]
    ]
    if len(cut) > MOST_NOTES:
        notes.append(f"and {len(cut) - MOST_NOTES:,} more circles")
    return tuple(notes)
