"""`Ontology`: concepts, their names, and which is more general than which. It never changes once it is made."""

import zipfile
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from thresher.disk.atomic_file import whole_file
from thresher.errors import BadInput
from thresher.ontology.build import LABEL_KINDS, build_columns, key_of
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.packed_arrays import Arrays, HashIndex, Rows, Strings

FORMAT = 2
"""Of the saved form; another number is not read."""
MOST_ANCESTORS_KEPT = 4_000_000
"""Ancestors remembered at a time, over all concepts: WordNet has 1.1 million, in 90 MB."""
MANY = 200
LABEL_COLUMNS = ("owner", "language", "kind", "rank", "count")


class Ontology:
    """A graph of concepts. A concept goes by its id; inside, each also has a place (0, 1, 2 …), which is faster for computations."""

    def __init__(self, name: str, columns: Arrays, notes: tuple[str, ...] = ()) -> None:
        """From columns that `build_columns` made: use `Ontology.of` or `Ontology.load`."""
        self.name = name
        self.notes = notes
        """What was wrong with the source and how it was repaired: circles in the hierarchy."""
        self.columns = columns
        self._ids, self._id_keys = Strings.from_arrays(columns, "ids"), HashIndex.from_arrays(columns, "id_keys")
        self._labels, self._label_keys = (
            Strings.from_arrays(columns, "labels"),
            HashIndex.from_arrays(columns, "label_keys"),
        )
        self._label_rows = [columns[f"label_{column}"].data for column in LABEL_COLUMNS]
        self._label_starts = columns["label_starts"].data
        self._languages, self._kinds = (list(Strings.from_arrays(columns, which)) for which in ("languages", "kinds"))
        self._kind, self._glosses = columns["kind"].data, Strings.from_arrays(columns, "glosses")
        self._derived, self._derived_starts = Strings.from_arrays(columns, "derived"), columns["derived_starts"].data
        self._broader, self._narrower, self._related = (
            Rows.from_arrays(columns, which) for which in ("broader", "narrower", "related")
        )
        self._deepest = columns["deepest"].data
        self._places: dict[str, int] = {}
        self._above: dict[int, frozenset[int]] = {}
        self._above_kept = 0

    @classmethod
    def of(cls, name: str, concepts: Iterable[Concept]) -> "Ontology":
        """The ontology of a stream of concepts.

        A broader or related id that no concept has is left out; a circle in the hierarchy is cut open, and `notes` says where;
        an id that two concepts have is `BadInput`.
        """
        built = build_columns(concepts)
        return cls(name, built.columns, built.notes)

    def __repr__(self) -> str:
        return f"<Ontology {self.name}: {len(self):,} concepts>"

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, concept: object) -> bool:
        return isinstance(concept, str) and self._find(concept) is not None

    def __getitem__(self, concept: str) -> Concept:
        return self.at(self.place(concept))

    def __iter__(self) -> Iterator[Concept]:
        return map(self.at, range(len(self)))

    def concepts(self, label: str, language: str | None = None) -> list[Concept]:
        """The concepts that a label can mean, the most usual first; case and punctuation do not matter."""
        return [self.at(place) for place in self.meanings(label, language)]

    def labels(self) -> Iterator[tuple[str, ConceptLabel]]:
        """Every label, after the id of its concept."""
        for place, concept in enumerate(self._ids):
            for label in self._labels_of(place):
                yield concept, label

    def narrower(self, concept: str) -> list[str]:
        """The concepts one step more specific."""
        return self._ids_of(self._narrower[self.place(concept)])

    def siblings(self, concept: str) -> list[str]:
        """The other concepts one step below the same broader ones."""
        own = self.place(concept)
        beside = (place for above in self._broader[own] for place in self._narrower[above])
        return self._ids_of(place for place in dict.fromkeys(beside) if place != own)

    def ancestors(self, concept: str) -> frozenset[str]:
        """The concept itself and all that are more general."""
        return frozenset(self._ids_of(self.above(self.place(concept))))

    def descendants(self, concept: str) -> Iterator[str]:
        """All concepts that are more specific, the nearest first, without itself."""
        start = self.place(concept)
        seen, queue = {start}, deque([start])
        while queue:
            for place in self._narrower[queue.popleft()]:
                if place not in seen:
                    seen.add(place)
                    queue.append(place)
                    yield self._ids[place]

    def depth(self, concept: str) -> int:
        """Steps on the longest way up to a root; a root has depth 0."""
        return self._deepest[self.place(concept)]

    def least_common_subsumers(self, one: str, other: str) -> list[str]:
        """The most specific concepts above both, the deepest first; a concept counts as above itself."""
        common = self.above(self.place(one)) & self.above(self.place(other))
        # All that is above a common ancestor is common too, so looking one step up is enough.
        outer = {place for below in common for place in self._broader[below]}
        return self._ids_of(sorted(common - outer, key=lambda place: (-self._deepest[place], place)))

    def place(self, concept: str) -> int:
        """The place of a concept; `KeyError` if there is no such id."""
        known = self._places.get(concept)
        if known is not None:
            return known
        found = self._find(concept)
        if found is None:
            raise KeyError(concept)
        self._places[concept] = found
        if len(self._places) == MANY:
            # After this many questions a dictionary of all ids is faster.
            self._places = {each: place for place, each in enumerate(self._ids)}
        return found

    def identity(self, place: int) -> str:
        """The id of the concept at a place, without the rest of it."""
        return self._ids[place]

    def at(self, place: int) -> Concept:
        """The concept at a place."""
        return Concept(
            self._ids[place],
            tuple(self._labels_of(place)),
            self._glosses[place],
            tuple(self._ids_of(self._broader[place])),
            tuple(self._ids_of(self._related[place])),
            self._kinds[self._kind[place]],
            tuple(map(self._derived.__getitem__, range(*self._derived_starts[place : place + 2]))),
        )

    def meanings(self, label: str, language: str | None = None, kind: str | None = None) -> list[int]:
        """The places of all that a label can mean, by rank."""
        key = key_of(label)
        owners, languages, *_ = self._label_rows
        rows = (row for row in self._label_keys.candidates(key) if key_of(self._labels[row]) == key)
        spoken = (row for row in rows if language is None or self._languages[languages[row]] == language)
        places = dict.fromkeys(owners[row] for row in spoken)
        return [place for place in places if kind is None or self._kinds[self._kind[place]] == kind]

    def parents(self, place: int) -> "memoryview[int]":
        """The places one step more general."""
        return self._broader[place]

    def roots(self, place: int) -> int:
        """How many roots the hierarchy of a concept has; kinds that no step up joins, such as nouns and verbs, have one each."""
        return self._shapes[self.columns["hierarchy"][place]][0]

    def height(self, place: int) -> int:
        """How deep the hierarchy of a concept goes."""
        return self._shapes[self.columns["hierarchy"][place]][1]

    def above(self, place: int) -> frozenset[int]:
        """The places of a concept and of all that is more general."""
        found = self._above.get(place)
        if found is None:
            found = self._climb(place) if self._deepest[place] > MANY else self._gather(place)
            self._above_kept += len(found)
            if self._above_kept > MOST_ANCESTORS_KEPT:
                self._above.clear()
                self._above_kept = len(found)
            self._above[place] = found
        return found

    def save(self, path: Path) -> None:
        """Write to a file that `load` reads; whoever reads at the same time sees the old file or the new one, never half of one."""
        words = {**Strings.of([self.name]).to_arrays("name"), **Strings.of(self.notes).to_arrays("notes")}
        everything: dict[str, Any] = {"format": np.array(FORMAT), **self.columns, **words}
        with whole_file(path) as made, made.open("wb") as file:
            np.savez(file, **everything)

    @classmethod
    def load(cls, path: Path) -> "Ontology":
        """What `save` wrote; anything else is `BadInput`."""
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                columns = {name: file[name] for name in file.files}
            if int(columns.pop("format")) != FORMAT:
                raise BadInput(f"{path}: saved by another version of Thresher")
            (name,), notes = Strings.from_arrays(columns, "name"), tuple(Strings.from_arrays(columns, "notes"))
            return cls(name, columns, notes)
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise BadInput(f"{path}: not a saved ontology ({error})") from error

    @cached_property
    def _shapes(self) -> dict[int, tuple[int, int]]:
        hierarchy, deepest = self.columns["hierarchy"], self.columns["deepest"]
        return {
            number: (int((deepest[hierarchy == number] == 0).sum()), int(deepest[hierarchy == number].max()))
            for number in np.unique(hierarchy).tolist()
        }

    def _find(self, concept: str) -> int | None:
        return next((place for place in self._id_keys.candidates(concept) if self._ids[place] == concept), None)

    def _ids_of(self, places: Iterable[int]) -> list[str]:
        return [self._ids[place] for place in places]

    def _labels_of(self, place: int) -> Iterator[ConceptLabel]:
        _, languages, kinds, ranks, counts = self._label_rows
        for row in range(self._label_starts[place], self._label_starts[place + 1]):
            language, kind = self._languages[languages[row]], LABEL_KINDS[kinds[row]]
            yield ConceptLabel(self._labels[row], language, kind, ranks[row], counts[row])

    def _gather(self, place: int) -> frozenset[int]:
        parents = self._broader[place]
        if len(parents) == 1:
            return self.above(parents[0]) | {place}
        return frozenset((place,)).union(*map(self.above, parents))

    def _climb(self, place: int) -> frozenset[int]:
        """The same without recursion, for a chain longer than the stack."""
        seen, way = {place}, [place]
        while way:
            for above in self._broader[way.pop()]:
                if above not in seen:
                    seen.add(above)
                    way.append(above)
        return frozenset(seen)
