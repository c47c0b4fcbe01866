"""The ontologies that can be opened by name, and those that can be opened from a file or folder."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from thresher.errors import BadInput
from thresher.ontology.compiled import compiled
from thresher.ontology.concepts import Concept
from thresher.ontology.readers import hpo, wordnet
from thresher.ontology.readers import mondo as medical
from thresher.ontology.table import Ontology


class Known(NamedTuple):
    """An ontology with a name of its own."""

    name: str
    what: str
    how: str
    """How to get it."""
    find: Callable[[], Path | None]
    """Where its data lies on this machine; None if it is not installed."""
    read: Callable[[Path], Iterator[Concept]]
    files: Callable[[Path], list[Path]]
    """What of it is read."""

    def open(self) -> Ontology:
        """Read it, or its compiled form."""
        path = self.find()
        if path is None:
            raise BadInput(f"the ontology {self.name!r} is not installed: {self.how}")
        return compiled(self.read, path, name=self.name, files=self.files(path))


KNOWN = (
    Known(
        "wordnet",
        "WordNet 3.0: English words, their senses, glosses and kinds",
        wordnet.HOW_TO_GET_IT,
        wordnet.installed,
        wordnet.read,
        wordnet.files,
    ),
    Known(
        "mondo",
        "MONDO: diseases, with synonyms, kinds and definitions",
        "pip install 'thresher[medical]'",
        medical.find,
        medical.read,
        lambda path: [path],
    ),
    Known(
        "hpo",
        "HPO: signs and symptoms, also in patients' own words",
        "pip install 'thresher[medical]'",
        hpo.find,
        hpo.read,
        lambda path: [path],
    ),
)
_HERE = "thresher.ontology.readers"
_BY_ENDING = {
    ".obo": "obo",
    ".xml": "mesh",
    ".ttl": "rdf",
    ".rdf": "rdf",
    ".owl": "rdf",
    ".nt": "rdf",
    ".n3": "rdf",
    ".nq": "rdf",
    ".trig": "rdf",
    ".jsonld": "rdf",
    ".toml": "terms",
    ".csv": "terms",
    ".tsv": "terms",
}
_BY_CONTENT = {"MRCONSO.RRF": "umls_rrf", "MRCONSO.RRF.gz": "umls_rrf", "data.noun": "wordnet"}
"""What a folder holds, if it is one of these."""


def open_ontology(spec: str, **options: Any) -> Ontology:
    """The ontology of that name, or the one in that file or folder.

    Options are the reader's: `languages` and `sources` of a UMLS release, for instance.
    """
    check_named(spec)
    for known in KNOWN:
        if spec == known.name:
            return known.open()
    path = Path(spec).expanduser()
    module = _module_of(path)
    files = module.files(path) if path.is_dir() else [path]
    return compiled(module.read, path, name=_name_of(path), files=files, **options)


def check_named(spec: str) -> None:
    """A name or a place that is none is told, without opening anything."""
    names = [known.name for known in KNOWN]
    if spec not in names and not Path(spec).expanduser().exists():
        raise BadInput(f"there is no ontology {spec!r}: it is neither a name ({', '.join(names)}) nor a file or folder")


def _module_of(path: Path) -> ModuleType:
    kind = _kind_of_folder(path) if path.is_dir() else _BY_ENDING.get(_ending(path))
    if kind is None:
        raise BadInput(
            f"{path} is no ontology we can read: files end in {', '.join(_BY_ENDING)} (or with .gz or .zst behind), folders hold "
            f"{' or '.join(_BY_CONTENT)}"
        )
    # Here and not above: what reads RDF is large, and an extra.
    return import_module(f"{_HERE}.{kind}")


def _kind_of_folder(path: Path) -> str | None:
    return next((kind for name, kind in _BY_CONTENT.items() if (path / name).exists()), None)


def _ending(path: Path) -> str:
    return path.with_suffix("").suffix.lower() if path.suffix in {".gz", ".zst"} else path.suffix.lower()


def _name_of(path: Path) -> str:
    return path.name.split(".")[0] or path.name
