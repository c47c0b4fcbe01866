"""Open an ontology by its name, or from a file or folder; the first reading is compiled and kept in the cache.

`KNOWN` lists the ontologies that have a name, `open_ontology` opens them and all others, `compiled` keeps what a reader read.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import xxhash

from thresher.disk.caches import cache_folder
from thresher.errors import BadInput, did_you_mean
from thresher.install_hint import install_hint
from thresher.ontology import places
from thresher.ontology.concept import Concept
from thresher.ontology.readers import hpo, umls_rrf, wordnet
from thresher.ontology.readers import mondo as medical
from thresher.ontology.table import Ontology

Reader = Callable[..., Iterable[Concept]]
_CHUNK = 1 << 20


class KnownOntology(NamedTuple):
    """An ontology with a name of its own."""

    name: str
    what: str
    how_to_get_it: Callable[[], str]
    find: Callable[[], Path | None]
    """Where its data lies on this machine; None if it is not installed."""
    read: Callable[[Path], Iterator[Concept]]
    files: Callable[[Path], list[Path]]
    """The files of it that are read."""

    @property
    def how(self) -> str:
        """How to get it."""
        return self.how_to_get_it()

    def open(self) -> Ontology:
        """Read it, or its compiled form."""
        path = self.find()
        if path is None:
            raise BadInput(f"the ontology {self.name!r} is not installed: {self.how}")
        return compiled(self.read, path, name=self.name, files=self.files(path))


KNOWN = (
    KnownOntology(
        "wordnet",
        "WordNet 3.0: English words, their senses, glosses and kinds",
        wordnet.how_to_get_it,
        places.wordnet,
        wordnet.read,
        wordnet.files,
    ),
    KnownOntology(
        "mondo",
        "MONDO: diseases, with synonyms, kinds and definitions",
        lambda: install_hint("medical"),
        medical.find,
        medical.read,
        lambda path: [path],
    ),
    KnownOntology(
        "hpo",
        "HPO: signs and symptoms, also in patients' own words",
        lambda: install_hint("medical"),
        hpo.find,
        hpo.read,
        lambda path: [path],
    ),
    KnownOntology(
        "umls",
        "UMLS: medicine, by MeSH and SNOMED CT",
        lambda: umls_rrf.HOW_TO_GET_IT,
        places.umls,
        umls_rrf.read_msh_and_snomed,
        umls_rrf.files,
    ),
)
_HERE = "thresher.ontology.readers"
_BY_ENDING = {
    ".obo": "obo",
    ".xml": "mesh",
    ".kss": "umls_kss",
    ".ttl": "rdf",
    ".rdf": "rdf",
    ".owl": "rdf",
    ".nt": "rdf",
    ".n3": "rdf",
    ".nq": "rdf",
    ".trig": "rdf",
    ".jsonld": "rdf",
    ".toml": "term_table",
    ".csv": "term_table",
    ".tsv": "term_table",
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
    """Raise `BadInput` for what is neither a known name nor a file or folder, without opening anything."""
    names = [known.name for known in KNOWN]
    if spec not in names and not Path(spec).expanduser().exists():
        near = did_you_mean(spec, names)
        raise BadInput(
            f"there is no ontology {spec!r}{near}: it is neither a name ({', '.join(names)}) nor a file or folder"
        )


def _module_of(path: Path) -> ModuleType:
    kind = _kind_of_folder(path) if path.is_dir() else _BY_ENDING.get(_ending(path))
    if kind is None:
        raise BadInput(
            f"{path} is not an ontology we can read: files end in {', '.join(_BY_ENDING)} (and may be packed: .gz, .zst), folders hold "
            f"{' or '.join(_BY_CONTENT)}"
        )
    # Imported only when needed: the RDF library is large, and optional.
    return import_module(f"{_HERE}.{kind}")


def _kind_of_folder(path: Path) -> str | None:
    return next((kind for name, kind in _BY_CONTENT.items() if (path / name).exists()), None)


def _ending(path: Path) -> str:
    return path.with_suffix("").suffix.lower() if path.suffix in {".gz", ".zst"} else path.suffix.lower()


def _name_of(path: Path) -> str:
    return path.name.split(".")[0] or path.name


# ── compiled once ──


def compiled(reader: Reader, path: Path, *, name: str = "", files: Iterable[Path] = (), **options: Any) -> Ontology:
    """What a reader makes of a file or folder, from the cache if the same reader has read the same bytes with the same options before.

    `files` names what the reader reads of a folder, where that is not all of it. A cache that cannot be written only costs time.
    """
    called = name or reader.__module__.rpartition(".")[2]
    kept = cache_folder() / f"{called}-{_key(reader, called, list(files) or list(_files(path)), options)}.npz"
    with suppress(BadInput):
        return Ontology.load(kept)
    made = Ontology.of(called, reader(path, **options))
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        made.save(kept)
    return made


def _key(reader: Reader, name: str, files: list[Path], options: dict[str, Any]) -> str:
    """A digest of all that the compiled form depends on: the code that makes it included, so that no version number can be forgotten."""
    digest = xxhash.xxh3_128(f"{reader.__module__}.{reader.__qualname__} {name} {_plain(options)}".encode())
    # The helpers of a reader are in its folder, and the modules that compile are in this one.
    for code in sorted({*Path(inspect.getfile(reader)).parent.glob("*.py"), *Path(__file__).parent.glob("*.py")}):
        _add(digest, code)
    for file in files:
        digest.update(f"\0{file.name}\0".encode())
        _add(digest, file)
    return digest.hexdigest()


def _plain(options: dict[str, Any]) -> list[tuple[str, Any]]:
    """Options in an order that is the same at every start."""
    return sorted(
        (key, sorted(value) if isinstance(value, set | frozenset) else value) for key, value in options.items()
    )


def _files(path: Path) -> Iterator[Path]:
    return iter(sorted(each for each in path.rglob("*") if each.is_file())) if path.is_dir() else iter([path])


def _add(digest: xxhash.xxh3_128, file: Path) -> None:
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror})") from error
