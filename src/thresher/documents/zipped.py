"""Documents that are a zip of files: opened with a limit on what they unpack to, whatever they announce."""

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path

from thresher.disk.guarded_xml import DEEPEST, GuardedXml
from thresher.documents.draft import broken, encrypted, too_large
from thresher.errors import BadInput

_MOST_MEMBERS = 20_000
_MOST_UNPACKED = 32 << 20
"""Bytes, of all files together that are read. A thick novel has one or two million."""
_BLOCK = 1 << 16
# Deflate alone is told how much to make at a time; of the others one block could become gigabytes. The formats allow no others.
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 1

Start = Callable[[str, Mapping[str, str]], None]


class Bundle:
    """The files of a zip."""

    def __init__(self, body: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(body))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
            raise broken(f"not a zip file: {error}") from error
        if len(self._zip.filelist) > _MOST_MEMBERS:
            raise too_large(f"a zip of more than {_MOST_MEMBERS:,} files")
        self._room = _MOST_UNPACKED

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def read(self, name: str) -> bytes:
        """A whole file; empty if it is not there."""
        return b"".join(self.blocks(name))

    def blocks(self, name: str) -> Iterator[bytes]:
        """A file, a block at a time; nothing if it is not there."""
        info = self._zip.NameToInfo.get(name)
        if info is None:
            return
        if info.flag_bits & _ENCRYPTED:
            raise encrypted(f"{name} needs a password")
        if info.compress_type not in _METHODS:
            raise broken(f"{name} is packed in a way that these documents do not have")
        try:
            with self._zip.open(info) as file:
                while block := file.read(_BLOCK):
                    self._room -= len(block)
                    if self._room < 0:
                        raise too_large(f"it unpacks to more than {_MOST_UNPACKED:,} bytes")
                    yield block
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise broken(f"{name}: {error}") from error


def read_xml(bundle: Bundle, name: str, start: Start, end: Callable[[str], None], text: Callable[[str], None]) -> None:
    """Parse a file of XML as it unpacks. Names come without their namespace; a file that is not there is empty."""
    guard = GuardedXml(Path(name))
    depth = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            guard.refuse(f"elements nested more than {DEEPEST:,} deep")
        guard.progress()
        start(local(tag), {local(key): value for key, value in attributes.items()})

    def finish(tag: str) -> None:
        nonlocal depth
        depth -= 1
        guard.progress()
        end(local(tag))

    guard.on_elements(begin, finish)
    guard.parser.CharacterDataHandler = text
    if name not in bundle:
        return
    try:
        for block in bundle.blocks(name):
            guard.feed(block)
        guard.feed(b"", last=True)
    except BadInput as error:
        raise broken(str(error)) from error


def local(name: str) -> str:
    """A name without the prefix of its namespace, which every writer chooses."""
    return name.rpartition(":")[2]


def texts_of(bundle: Bundle, name: str, wanted: frozenset[str]) -> dict[str, str]:
    """The text of the first element of each of these names: what files of metadata are made of."""
    found: dict[str, list[str]] = {}
    here: list[str] | None = None

    def start(tag: str, _attributes: Mapping[str, str]) -> None:
        nonlocal here
        here = found.setdefault(tag, []) if tag in wanted and tag not in found else None

    def end(_tag: str) -> None:
        nonlocal here
        here = None

    def text(said: str) -> None:
        if here is not None and len(here) < 100:
            here.append(said[:10_000])

    read_xml(bundle, name, start, end, text)
    return {tag: "".join(pieces) for tag, pieces in found.items()}
