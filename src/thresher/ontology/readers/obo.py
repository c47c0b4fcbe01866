"""Ontologies in the OBO flat file format 1.0 to 1.4: Mondo, the Human Phenotype Ontology, the Disease Ontology, GO."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel, LabelKind
from thresher.ontology.readers.knowledge_file import numbered, tidy


class _Row(NamedTuple):
    line: int
    tag: str
    value: str


_SCOPES: dict[str, LabelKind] = {"EXACT": "exact", "NARROW": "narrow", "BROAD": "broad", "RELATED": "related"}
# Format 1.0 had a tag for each scope.
_SYNONYMS = {"synonym": "", **{f"{scope.lower()}_synonym": scope for scope in _SCOPES}}
_WANTED = {"id", "name", "def", "is_a", "relationship", "is_obsolete", *_SYNONYMS}
_MOST_ROWS = 100_000

_QUOTED = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*+([^\[{!]*+)')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": " ", "t": " ", "W": " "}
# A note for people after an exclamation mark, or modifiers such as {source="ORCID:1"}; both only after a blank, and never escaped.
_TAIL = re.compile(r"(?<!\s)\s++(?:!.*+|\{[^{}=]*+=[^{}]*+\}\s*+(?:!.*+)?+)$")


def read(path: Path, language: str = "en") -> Iterator[Concept]:
    """The terms of an OBO file, in its order; obsolete ones and other stanzas are left out.

    A synonym's scope becomes its label's kind; every relationship (part_of, has_symptom …) becomes `related`.
    """
    empty = True
    for rows in _terms(path):
        empty = False
        if not any(row.tag == "is_obsolete" and row.value.startswith("true") for row in rows):
            yield _concept(path, rows, language)
    if empty:
        raise BadInput(f"{path}: no [Term] in it: is this an OBO file?")


def _terms(path: Path) -> Iterator[list[_Row]]:
    """The wanted rows of each term, after one row of no tag that tells where it starts."""
    term: list[_Row] | None = None
    header = True
    for number, line in numbered(path):
        if line.startswith("["):
            if term:
                yield term
            header = False
            term = [_Row(number, "", "")] if _stanza(path, number, line) == "Term" else None
        elif header or term is not None:
            tag, colon, value = line.partition(":")
            if not colon and line.strip() and line[0] != "!":
                raise BadInput(f"{path}, line {number}: {line[:40]!r} is not `tag: value`")
            if term is not None and tag in _WANTED:
                term.append(_Row(number, tag, value.strip()))
                _bounded(path, term)
    if term:
        yield term


def _bounded(path: Path, term: list[_Row]) -> None:
    if len(term) > _MOST_ROWS:
        raise BadInput(f"{path}, line {term[0].line}: a term with over {_MOST_ROWS:,} lines")


def _stanza(path: Path, number: int, line: str) -> str:
    name, closed, _ = line[1:].partition("]")
    if not closed:
        raise BadInput(f"{path}, line {number}: {line[:40]!r} has no closing bracket")
    return name


def _concept(path: Path, rows: list[_Row], language: str) -> Concept:
    values: dict[str, list[str]] = {}
    for row in rows[1:]:
        if row.tag not in _SYNONYMS:
            values.setdefault(row.tag, []).append(_value(path, row))
    if not values.get("id"):
        raise BadInput(f"{path}, line {rows[0].line}: a [Term] without an id")
    return Concept(
        id=values["id"][0],
        labels=_labels(path, rows, values.get("name", [""])[0], language),
        gloss=values.get("def", [""])[0],
        broader=tuple(dict.fromkeys(values.get("is_a", ()))),
        related=tuple(dict.fromkeys(values.get("relationship", ()))),
    )


def _value(path: Path, row: _Row) -> str:
    """What a row says, without quotes, escapes, references and notes: of a relationship, the other term."""
    if row.tag == "name":
        return _plain(_TAIL.sub("", row.value))
    if row.tag == "def":
        return _quoted(path, row)[0]
    words = row.value.split(maxsplit=2)
    place = 1 if row.tag == "relationship" else 0
    if len(words) <= place or words[place].startswith(("!", "{")):
        raise BadInput(f"{path}, line {row.line}: {row.tag} names no term")
    return _plain(words[place])


def _labels(path: Path, rows: list[_Row], name: str, language: str) -> tuple[ConceptLabel, ...]:
    labels = {name: ConceptLabel(name, language, "preferred")}
    for row in rows:
        if row.tag in _SYNONYMS:
            text, rest = _quoted(path, row)
            scope = _SYNONYMS[row.tag] or (rest.split() or ["RELATED"])[0]
            labels.setdefault(text, ConceptLabel(text, language, _SCOPES.get(scope, "related")))
    return tuple(label for label in labels.values() if label.text)


def _quoted(path: Path, row: _Row) -> tuple[str, str]:
    found = _QUOTED.match(row.value)
    if not found:
        raise BadInput(f"{path}, line {row.line}: {row.tag} wants a text in double quotes, not {row.value[:40]!r}")
    return _plain(found[1]), found[2]


def _plain(text: str) -> str:
    return tidy(_ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), text) if "\\" in text else text)
