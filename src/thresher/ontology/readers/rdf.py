"""SKOS thesauri, OWL and RDFS ontologies in Turtle, RDF/XML, N-Triples, JSON-LD and their kin, plain or packed."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from thresher.disk.guarded_xml import GuardedXml, watch_depth
from thresher.errors import BadInput
from thresher.ontology.concept import Concept
from thresher.ontology.readers.knowledge_file import opened, primary, tidy
from thresher.ontology.readers.rdf_statements import LINKS, TEXTS, Statement, concept, grouped

# Relative names are resolved against this, so that a file's ids do not change with its folder.
_BASE = "file:///"
_START = 4096
_WRITTEN_OTHERWISE = re.compile(rb"(?:Prefix|Ontology)(?:\(|:\s)|(?:<[?!][^>]*+>[\]\s>]*+)*+<Ontology\s")
_CLEAR = {
    ".ttl": RdfFormat.TURTLE,
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
    ".n3": RdfFormat.N3,
    ".jsonld": RdfFormat.JSON_LD,
    ".json": RdfFormat.JSON_LD,
}
# The Human Phenotype Ontology unpacks to 7 times its size as RDF/XML and to 9 times as N-Triples; others may to more.
_PACKED = 15


def read(path: Path, language: str = "en") -> Iterator[Concept]:
    """The concepts and classes of a file, each called by its name in `language` where it has one.

    Names and broader, narrower and related concepts are read from SKOS, RDFS, OWL and OBO-in-OWL terms. Blank nodes (the restrictions of
    OWL) and deprecated classes are left out; nothing is fetched.
    """
    empty = True
    for id_, statements in grouped(_statements(path, language), _size(path)):
        found = concept(id_, statements, language)
        if found:
            empty = False
            yield found
    if empty:
        raise BadInput(f"{path}: no skos:Concept, owl:Class or rdfs:Class in it")


def _size(path: Path) -> int:
    with opened(path) as handle, path.open("rb") as file:
        packed = handle.read(4) != file.read(4)
        return path.stat().st_size * (_PACKED if packed else 1)


def _statements(path: Path, language: str) -> Iterator[Statement]:
    with opened(path) as handle:
        watched = _Watched(path, handle)
        try:
            yield from _understood(
                parse(input=cast("IO[bytes]", watched), format=watched.format, base_iri=_BASE), language
            )
        except SyntaxError as error:
            where = f"line {error.lineno}" if error.lineno else f"about line {watched.line}"
            raise BadInput(f"{path}, {where}: {error.msg}") from error
        except MemoryError as error:
            raise BadInput(f"{path}, about line {watched.line}: {error}") from error


def _understood(quads: Iterable[Quad], language: str) -> Iterator[Statement]:
    for quad in quads:
        subject, predicate, thing = quad.subject, quad.predicate.value, quad.object
        if not isinstance(subject, NamedNode):
            continue
        if isinstance(thing, Literal):
            if key := TEXTS.get(predicate):
                yield Statement(subject.value, key, tidy(thing.value), primary(thing.language or language))
        elif isinstance(thing, NamedNode) and (key := LINKS.get(predicate)):
            yield Statement(subject.value, key, thing.value)
            if key == "narrower":
                yield Statement(thing.value, "broader", subject.value)


class _Watched:
    """A file on its way to the parser: XML is checked first, since the parser follows entities without limit, and lines are counted."""

    def __init__(self, path: Path, handle: IO[bytes]) -> None:
        self._handle = handle
        self._start = handle.read(_START)
        self._lines = 1
        self.format = _format(path, self._start)
        self._guard = GuardedXml(path, entities=True) if self.format == RdfFormat.RDF_XML else None
        if self._guard:
            watch_depth(self._guard)

    @property
    def line(self) -> int:
        """Where the file was last read."""
        return self._lines

    def read(self, size: int) -> bytes:
        """The next piece, checked."""
        block = self._start[:size] or self._handle.read(size)
        self._start = self._start[size:]
        self._lines += block.count(b"\n")
        if self._guard:
            self._guard.feed(block, last=not block)
        return block


def _format(path: Path, start: bytes) -> RdfFormat:
    """By the file's name where that is clear, else by its first bytes: `.owl` and `.rdf` hold all kinds."""
    suffixes = [suffix for suffix in path.suffixes if suffix not in {".gz", ".zst"}]
    clear = _CLEAR.get(suffixes[-1].lower()) if suffixes else None
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _WRITTEN_OTHERWISE.match(start):
        raise BadInput(f"{path}, line 1: OWL in functional, Manchester or OWL/XML syntax: save it as RDF/XML or Turtle")
    if clear:
        return clear
    if start.startswith((b"<?xml", b"<!", b"<rdf:")):
        return RdfFormat.RDF_XML
    # N-Triples is a part of Turtle.
    return RdfFormat.JSON_LD if start.startswith((b"{", b"[{")) else RdfFormat.TURTLE
