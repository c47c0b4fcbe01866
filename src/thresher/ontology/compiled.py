"""Keep the compiled form of an ontology, so that its source is read once and not at every start."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import xxhash

from thresher.disk.cache import cache_folder
from thresher.errors import BadInput
from thresher.ontology.concepts import Concept
from thresher.ontology.table import Ontology

Reader = Callable[..., Iterable[Concept]]
CHUNK = 1 << 20


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
    # The reader and what it is built of stand side by side; so do the modules that compile.
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
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror})") from error
