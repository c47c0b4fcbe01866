"""Medical Subject Headings as the National Library of Medicine publishes them: desc20XX.xml, plain or packed."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from thresher.disk.guarded_xml import GuardedXml
from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel, LabelKind
from thresher.ontology.readers.knowledge_file import blocks, opened, tidy

_DEEPEST = 20
# How the second of two meanings stands to the first, and the first to the second.
_KINDS: dict[str, tuple[LabelKind, LabelKind]] = {"NRW": ("narrow", "broad"), "BRD": ("broad", "narrow")}
_CONCEPT = "ConceptList/Concept"
_LEAVES = {
    "DescriptorUI",
    "DescriptorName/String",
    "TreeNumberList/TreeNumber",
    "SeeRelatedList/SeeRelatedDescriptor/DescriptorReferredTo/DescriptorUI",
    f"{_CONCEPT}/ConceptUI",
    f"{_CONCEPT}/ScopeNote",
    f"{_CONCEPT}/TermList/Term/String",
    f"{_CONCEPT}/ConceptRelationList/ConceptRelation/Concept1UI",
    f"{_CONCEPT}/ConceptRelationList/ConceptRelation/Concept2UI",
}
"""Where text is wanted, below a record."""


@dataclass(slots=True)
class _Meaning:
    """NLM calls it a concept; a descriptor gathers one or more of them, and one is preferred."""

    preferred: bool
    id: str = ""
    gloss: str = ""
    terms: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Record:
    """A descriptor while it is read."""

    id: str = ""
    name: str = ""
    meanings: list[_Meaning] = field(default_factory=list)
    relations: list[list[str]] = field(default_factory=list)
    """Name, first and second meaning."""
    numbers: list[str] = field(default_factory=list)
    related: list[str] = field(default_factory=list)


def read(path: Path, language: str = "en") -> Iterator[Concept]:
    """The descriptors in the file's order, broader ones found by their tree numbers.

    A descriptor gathers several close meanings, and all their terms are its labels: those of the preferred meaning are exact, the others
    narrow, broad or related as the file relates the meanings. So *Insomnia* is found, though it is not the heading. Index entries
    turned around (`Neoplasms, Breast`) are left out: nobody writes so.
    """
    # Parents may stand anywhere in the file, so the records wait on disk until all tree numbers are known.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as waiting:
        homes: dict[str, str] = {}
        for record in _records(path):
            homes.update(dict.fromkeys(record.numbers, record.id))
            row = (record.id, _labels(record, language), _gloss(record), record.numbers, record.related)
            json.dump(row, waiting)
            waiting.write("\n")
        if not waiting.tell():
            raise BadInput(f"{path}: no DescriptorRecord in it")
        yield from _concepts(waiting, homes)


def _concepts(waiting: IO[str], homes: dict[str, str]) -> Iterator[Concept]:
    waiting.seek(0)
    for line in waiting:
        id_, labels, gloss, numbers, related = json.loads(line)
        parents = dict.fromkeys(filter(None, (_parent(number, homes) for number in numbers)))
        parents.pop(id_, None)
        yield Concept(id_, tuple(ConceptLabel(*label) for label in labels), gloss, tuple(parents), tuple(related))


def _parent(number: str, homes: dict[str, str]) -> str | None:
    """The descriptor one step up the tree, or the next one up where the file is only a part of MeSH.

    >>> _parent("C01.925.256", {"C01": "D007239"})
    'D007239'
    """
    while "." in number:
        number = number.rpartition(".")[0]
        if number in homes:
            return homes[number]
    return None


def _labels(record: _Record, language: str) -> list[ConceptLabel]:
    labels = {record.name: ConceptLabel(record.name, language, "preferred")}
    kinds = _kinds(record)
    # The preferred meaning first, so that a term it shares with another is exact.
    for meaning in sorted(record.meanings, key=lambda meaning: not meaning.preferred):
        kind = kinds.get(meaning.id, "related")
        for term in meaning.terms:
            labels.setdefault(term, ConceptLabel(term, language, kind))
    return [label for label in labels.values() if label.text]


def _kinds(record: _Record) -> dict[str, LabelKind]:
    """How each meaning stands to the preferred one."""
    kinds: dict[str, LabelKind] = {meaning.id: "exact" for meaning in record.meanings if meaning.preferred}
    for name, first, second in (relation for relation in record.relations if len(relation) == 3):
        forth, back = _KINDS.get(name, ("related", "related"))
        if kinds.get(first) == "exact":
            kinds.setdefault(second, forth)
        elif kinds.get(second) == "exact":
            kinds.setdefault(first, back)
    return kinds


def _gloss(record: _Record) -> str:
    return next((meaning.gloss for meaning in record.meanings if meaning.preferred), "")


def _records(path: Path) -> Iterator[_Record]:
    guard = GuardedXml(path)
    descriptors = _Descriptors(guard)
    with opened(path) as handle:
        for block in blocks(handle):
            guard.feed(block)
            yield from descriptors.taken()
        guard.feed(b"", last=True)


class _Descriptors:
    """Gathers records from tags. Text is listened to only where it is wanted, which halves the time."""

    def __init__(self, guard: GuardedXml) -> None:
        self._guard = guard
        self._done: list[_Record] = []
        self._record = _Record()
        self._paths: list[str] = []
        self._text: list[str] = []
        self._index_entry = False
        guard.on_elements(self._start, self._end)

    def taken(self) -> list[_Record]:
        """The records complete since the last time."""
        done, self._done = self._done, []
        return done

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        depth = len(self._paths)
        if depth > _DEEPEST:
            self._guard.refuse(f"elements nested more than {_DEEPEST} deep")
        if depth < 2:
            self._check(depth, tag)
        path = f"{self._paths[-1]}/{tag}" if depth > 2 else tag
        self._paths.append(path)
        if path in _LEAVES:
            self._guard.parser.CharacterDataHandler = self._text.append
        elif path == _CONCEPT:
            self._record.meanings.append(_Meaning(attributes.get("PreferredConceptYN") == "Y"))
        elif path == f"{_CONCEPT}/ConceptRelationList/ConceptRelation":
            self._record.relations.append([attributes.get("RelationName", "")])
        elif tag == "Term":
            self._index_entry = attributes.get("IsPermutedTermYN") == "Y"

    def _check(self, depth: int, tag: str) -> None:
        wanted = ("DescriptorRecordSet", "DescriptorRecord")[depth]
        if tag != wanted:
            self._guard.refuse(f"<{tag}> in the place of <{wanted}>: is this NLM's descriptor file, desc20XX.xml?")

    def _end(self, _tag: str) -> None:
        path = self._paths.pop()
        if path in _LEAVES:
            self._guard.parser.CharacterDataHandler = None
            self._take(path, tidy("".join(self._text)))
            self._text.clear()
        elif len(self._paths) == 1:
            self._finish()

    def _finish(self) -> None:
        if not self._record.id or not self._record.name:
            self._guard.refuse("the DescriptorRecord that ends here has no DescriptorUI or no DescriptorName")
        self._done.append(self._record)
        self._record = _Record()
        self._guard.progress()

    def _take(self, path: str, text: str) -> None:
        record = self._record
        match path:
            case "DescriptorUI":
                record.id = text
            case "DescriptorName/String":
                record.name = text
            case "TreeNumberList/TreeNumber":
                record.numbers.append(text)
            case "ConceptList/Concept/ConceptUI":
                record.meanings[-1].id = text
            case "ConceptList/Concept/ScopeNote":
                record.meanings[-1].gloss = text
            case "ConceptList/Concept/TermList/Term/String":
                if not (self._index_entry and "," in text):
                    record.meanings[-1].terms.append(text)
            case "SeeRelatedList/SeeRelatedDescriptor/DescriptorReferredTo/DescriptorUI":
                record.related.append(text)
            case _:
                record.relations[-1].append(text)
