"""Mondo, the diseases and their names, from the package `cellxgene-ontology-guide`: a medical topic from `pip install` alone.

The package's data files are read; its code is not imported.
"""

import importlib.util
import io
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.readers.knowledge_file import opened, tidy

_PACKAGE = "cellxgene_ontology_guide"
_VERSIONS = "latest_ontology_info.json"
_CHUNK = 1 << 20
_LONGEST = 1 << 22
_KEY = re.compile(r'\s*+[{,]\s*+"([^"\\]*+)"\s*+:\s*+(?=\{)')
_END = re.compile(r"\s*+\}\s*+\Z")


def find(ontology: str = "MONDO") -> Path | None:
    """Where the newest edition of an ontology lies (`MONDO`, `EFO`, `UBERON` …); None if the package is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "data"
    try:
        editions = json.loads((folder / _VERSIONS).read_text("utf-8"))["ontologies"]
        return next(folder.glob(f"{ontology}-ontology-{editions[ontology]['version']}.json*"), None)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{folder / _VERSIONS}: cannot tell the edition of {ontology}: {error!r}") from error


def read(path: Path | None = None) -> Iterator[Concept]:
    """The terms of a file of the package, or of its newest Mondo; those that are deprecated are left out.

    All synonyms count as exact, since the package does not tell their scope. A term's parents are its ancestors at distance 1.
    """
    path = path or find()
    if path is None:
        raise BadInput(f"Mondo is not installed: {install_hint('medical')}")
    for id_, term in _members(path):
        try:
            if not term.get("deprecated"):
                yield _concept(id_, term)
        except (AttributeError, KeyError, TypeError) as error:
            raise BadInput(f"{path}: the term {id_} is not as expected: {error!r}") from error


def _concept(id_: str, term: dict[str, Any]) -> Concept:
    name = tidy(term["label"])
    labels = {name: ConceptLabel(name, kind="preferred")}
    for synonym in map(tidy, term.get("synonyms", ())):
        labels.setdefault(synonym, ConceptLabel(synonym, kind="exact"))
    return Concept(
        id_,
        tuple(label for label in labels.values() if label.text),
        tidy(term.get("description", "")),
        tuple(ancestor for ancestor, distance in term["ancestors"].items() if distance == 1),
    )


def _members(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The members of one large JSON object, one by one: parsed whole, Mondo's 17 MB would take 76 more."""
    decode = json.JSONDecoder().raw_decode
    waiting = ""
    for chunk in _chunks(path):
        waiting += chunk
        place = 0
        while key := _KEY.match(waiting, place):
            try:
                member, place = decode(waiting, key.end())
            except ValueError:
                break  # It is not complete, or not JSON: the next chunk, or the end, will tell.
            except RecursionError as error:
                raise BadInput(f"{path}: the term {key[1]} is nested too deep") from error
            yield key[1], member
        # What is left starts at the member's comma or brace.
        waiting = waiting[place:]
        if len(waiting) > _LONGEST:
            break
    if not _END.match(waiting):
        raise BadInput(f"{path}: not the JSON of terms that was expected, at {waiting[:40]!r}")


def _chunks(path: Path) -> Iterator[str]:
    with opened(path) as handle:
        text = io.TextIOWrapper(handle, encoding="utf-8")
        try:
            yield from iter(partial(text.read, _CHUNK), "")
        except UnicodeDecodeError as error:
            raise BadInput(f"{path}: not UTF-8: {error.reason}") from error
