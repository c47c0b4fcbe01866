"""Find the dictionaries of this machine, and keep the compiled form of those that were opened."""

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import xxhash

from thresher.disk.atomic_file import whole_file
from thresher.disk.caches import cache_folder
from thresher.errors import BadInput
from thresher.language import tokens
from thresher.language.dictionaries import definition_texts, dictd, dictionary, stardict, tsv
from thresher.language.dictionaries.dictionary import Dictionary, DictionaryEntry, inverted_entries
from thresher.language.identify import short_code

_READERS: dict[str, ModuleType] = {".index": dictd, ".ifo": stardict, ".tsv": tsv}
_PARTS = (".index", ".dict.dz", ".dict", ".ifo", ".idx", ".idx.gz", ".tsv")


class InstalledDictionary(NamedTuple):
    """A dictionary on this machine."""

    path: Path
    """The file to open: `.index`, `.ifo` or `.tsv`."""
    source: str
    target: str
    inverted: bool
    """Whether it is for the other direction and must be turned round."""

    def open(self) -> Dictionary:
        """Read it, or take its compiled form."""
        return open_dictionary(self.path, inverted=self.inverted)


def folders() -> list[Path]:
    """Where dictionaries are looked for: `$THRESHER_DICTIONARIES`, the user's own folders, then those of the system."""
    own = os.environ.get("THRESHER_DICTIONARIES", "")
    home = Path.home()
    data = os.environ.get("XDG_DATA_HOME") or home / (
        "Library/Application Support" if sys.platform == "darwin" else ".local/share"
    )
    return [
        *(Path(each) for each in own.split(os.pathsep) if each),
        Path(data) / "thresher" / "dictionaries",
        home / ".stardict" / "dic",
        *(Path(each) for each in ("/usr/share/dictd", "/usr/local/share/dictd", "/opt/homebrew/share/dictd")),
        Path("/usr/share/stardict/dic"),
    ]


def installed_dictionaries(where: Iterable[Path] | None = None) -> Iterator[InstalledDictionary]:
    """The dictionaries whose names tell their languages (`freedict-eng-hin.index`, `de-en.tsv`)."""
    for folder in folders() if where is None else where:
        with suppress(OSError):
            for path in sorted(folder.glob("*")) + sorted(folder.glob("*/*.ifo")):
                source, _, target = path.stem.lower().removeprefix("freedict-").removeprefix("dictd_").partition("-")
                if path.suffix in _READERS and source.isalpha() and target.isalpha():
                    yield InstalledDictionary(path, short_code(source), short_code(target), inverted=False)


def find_dictionary(source: str, target: str, where: Iterable[Path] | None = None) -> InstalledDictionary | None:
    """The dictionary from one language to another, or one to turn round; None if there is none.

    The first folder that has one wins; in it the largest file, where one to turn round counts half its size.
    """
    wanted = (short_code(source), short_code(target))
    for folder in folders() if where is None else where:
        fits = [
            InstalledDictionary(found.path, *wanted, inverted=(found.source, found.target) != wanted)
            for found in installed_dictionaries([folder])
            if wanted in {(found.source, found.target), (found.target, found.source)}
        ]
        if fits:
            return max(fits, key=lambda found: found.path.stat().st_size / (2 if found.inverted else 1))
    return None


def open_dictionary(path: Path, *, inverted: bool = False) -> Dictionary:
    """The dictionary in this file: read once, then from the cache as long as the file and our code stay the same."""
    reader = _READERS.get(path.suffix)
    if reader is None:
        raise BadInput(f"{path}: cannot tell the format from the name; known: {', '.join(_READERS)}")
    if not path.is_file():
        raise BadInput(f"{path}: there is no such dictionary")
    kept = cache_folder() / f"dictionary-{path.stem}-{_digest(path, inverted=inverted)}.npz"
    with suppress(BadInput):
        return Dictionary.load(kept)
    read: Callable[[Path], Iterator[DictionaryEntry]] = reader.read
    made = Dictionary.of(inverted_entries(read(path)) if inverted else read(path))
    with suppress(OSError):  # a cache that cannot be written only costs time
        _keep(made, kept)
    return made


def _keep(made: Dictionary, kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(kept) as part:
        made.save(part)


def _digest(path: Path, *, inverted: bool) -> str:
    """A digest of all that the compiled form depends on."""
    digest = xxhash.xxh3_128(f"{_code()} {inverted}".encode())
    for part in (path.with_suffix(suffix) for suffix in _PARTS):
        if part.is_file():
            _add(digest, part)
    return digest.hexdigest()


@cache
def _code() -> str:
    """A digest of the code that reads dictionaries, so that no version number can be forgotten."""
    digest = xxhash.xxh3_128()
    for module in (definition_texts, dictd, dictionary, stardict, tsv, tokens):
        _add(digest, Path(inspect.getfile(module)))
    return digest.hexdigest()


def _add(digest: xxhash.xxh3_128, path: Path) -> None:
    try:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
