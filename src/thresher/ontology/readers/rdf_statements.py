"""Triples as statements about concepts, and concepts made of all statements about them."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import NamedTuple
from zlib import crc32

from thresher.ontology.concept import Concept, ConceptLabel, LabelKind

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_OBO = "http://purl.obolibrary.org/obo/"
_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"

TEXTS = {
    f"{_SKOS}prefLabel": "preferred",
    f"{_RDFS}label": "name",
    f"{_SKOS}altLabel": "exact",
    f"{_SKOS}hiddenLabel": "exact",
    f"{_OBO}IAO_0000118": "exact",
    f"{_IN_OWL}hasExactSynonym": "exact",
    f"{_IN_OWL}hasNarrowSynonym": "narrow",
    f"{_IN_OWL}hasBroadSynonym": "broad",
    f"{_IN_OWL}hasRelatedSynonym": "near",
    f"{_OBO}IAO_0000115": "definition",
    f"{_SKOS}definition": "definition",
    f"{_SKOS}scopeNote": "note",
    f"{_RDFS}comment": "comment",
    f"{_OWL}deprecated": "deprecated",
}
"""The predicates whose texts are read, each with what it says."""

LINKS = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type": "type",
    f"{_SKOS}broader": "broader",
    f"{_RDFS}subClassOf": "broader",
    f"{_SKOS}narrower": "narrower",
    f"{_SKOS}related": "related",
}
"""The predicates whose other ends are read."""

_CONCEPTS = {f"{_SKOS}Concept", f"{_OWL}Class", f"{_RDFS}Class"}
_NO_CONCEPTS = {f"{_SKOS}ConceptScheme", f"{_SKOS}Collection", f"{_SKOS}OrderedCollection", f"{_OWL}DeprecatedClass"}
_EVERYTHING = {f"{_OWL}Thing", f"{_RDFS}Resource"}
_KINDS: dict[str, LabelKind] = {
    "preferred": "preferred",
    "name": "preferred",
    "exact": "exact",
    "narrow": "narrow",
    "broad": "broad",
    "near": "related",
}
_GLOSSES = ("definition", "note", "comment")
_IN_MEMORY = 1 << 26
_MOST_PARTS = 200


class Statement(NamedTuple):
    """One thing said about a concept."""

    subject: str
    key: str
    text: str
    """A name, a gloss, or the id of another concept."""
    language: str = ""


def grouped(statements: Iterable[Statement], size: int) -> Iterator[tuple[str, list[Statement]]]:
    """All statements about each subject; of a file of more than 64 MB the subjects wait in parts on disk, and lose their order."""
    parts = -(-size // _IN_MEMORY)
    if parts <= 1:
        yield from _by_subject(statements).items()
        return
    with ExitStack() as stack:
        parts = min(parts, _MOST_PARTS)  # Systems let a process hold 256 files open, at the least.
        files = [stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(parts)]
        for statement in statements:
            file = files[crc32(statement.subject.encode()) % len(files)]
            file.write("\t".join(statement) + "\n")  # Neither names nor ids hold blanks other than spaces.
        for file in files:
            file.seek(0)
            yield from _by_subject(Statement(*line[:-1].split("\t")) for line in file).items()


def _by_subject(statements: Iterable[Statement]) -> dict[str, list[Statement]]:
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(statement.subject, []).append(statement)
    return groups


def concept(id_: str, statements: list[Statement], language: str) -> Concept | None:
    """The concept that the statements are about; None if it is not a concept, or a deprecated one."""
    said: dict[str, list[Statement]] = {}
    for statement in statements:
        said.setdefault(statement.key, []).append(statement)
    if not _is_concept(said):
        return None
    return Concept(
        id_,
        _labels(said, language),
        _gloss(said, language),
        _others(id_, said.get("broader", [])),
        _others(id_, said.get("related", [])),
    )


def _is_concept(said: dict[str, list[Statement]]) -> bool:
    types = {statement.text for statement in said.get("type", [])}
    if types & _NO_CONCEPTS or any(statement.text in {"true", "1"} for statement in said.get("deprecated", [])):
        return False
    # Many thesauri do not declare the type of their concepts.
    untyped = said.keys() & {"preferred", "name"} and said.keys() & {"preferred", "broader", "narrower"}
    return bool(types & _CONCEPTS or untyped)


def _labels(said: dict[str, list[Statement]], language: str) -> tuple[ConceptLabel, ...]:
    preferred = {statement.language for statement in said.get("preferred", [])}
    labels: dict[tuple[str, str], ConceptLabel] = {}
    for key, kind in _KINDS.items():
        for _, _, text, spoken in said.get(key, []):
            # Where both are given, SKOS's preferred label outranks the plain one.
            fits: LabelKind = "exact" if key == "name" and spoken in preferred else kind
            labels.setdefault((text, spoken), ConceptLabel(text, spoken, fits))
    order = sorted(labels.values(), key=lambda label: (label.kind != "preferred", label.language != language))
    return tuple(label for label in order if label.text)


def _gloss(said: dict[str, list[Statement]], language: str) -> str:
    glosses = [statement for key in _GLOSSES for statement in said.get(key, [])]
    return min(glosses, key=lambda gloss: gloss.language != language).text if glosses else ""


def _others(id_: str, links: list[Statement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link.text for link in links if link.text != id_ and link.text not in _EVERYTHING))
