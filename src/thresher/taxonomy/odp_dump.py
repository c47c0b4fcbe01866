"""An RDF dump of the Open Directory (ODP, DMOZ), `content.rdf.u8`, read as a stream: gigabytes of pages with their topics.

    <ExternalPage about="http://example.org/">
      <d:Title>An example</d:Title>
      <topic>Top/Science/Physics</topic>
    </ExternalPage>

Dumps have bytes that are not UTF-8 and control characters that XML forbids; they are replaced, so that one bad title does not end the
reading of three million. `Top`, where every topic begins, is left out.
"""

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from thresher.disk.guarded_xml import DEEPEST, GuardedXml

_ROOT, _PAGE, _TOPIC, _TOP = "RDF", "ExternalPage", "topic", "Top"
_LONGEST = 1 << 14
"""Letters of a topic or a url: more than any has."""
# All that XML 1.0 forbids and UTF-8 can say in one byte; the tab and the line ends stay.
_FORBIDDEN = bytes(number for number in range(32) if number not in b"\t\n\r")
_NOT_CHARACTERS = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}


class ListedPage(NamedTuple):
    """A page and where the directory has it."""

    topic: str
    url: str


def dump_pages(blocks: Iterable[bytes], path: Path) -> Iterator[ListedPage]:
    """The pages of a dump, in order; `BadInput` if it is hostile, torn, or something else."""
    guard = GuardedXml(path)
    listener = _Listener(guard)
    guard.on_elements(listener.start, listener.end)
    guard.parser.CharacterDataHandler = listener.text
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for block in blocks:
        guard.feed(_clean(decoder.decode(block)))
        yield from listener.taken()
    guard.feed(_clean(decoder.decode(b"", final=True)), last=True)
    yield from listener.taken()


def _clean(text: str) -> bytes:
    return text.translate(_NOT_CHARACTERS).encode().translate(None, _FORBIDDEN)


class _Listener:
    """Hears of tags, and keeps the pages that have a topic."""

    def __init__(self, guard: GuardedXml) -> None:
        self._guard = guard
        self._depth = 0
        self._url = self._topic = ""
        self._text: list[str] | None = None
        """What stands in the `<topic>` that is open."""
        self._found: list[ListedPage] = []

    def taken(self) -> list[ListedPage]:
        """What was found since it was last asked."""
        found, self._found = self._found, []
        return found

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._guard.progress()
        name = tag.rpartition(":")[2]
        self._depth += 1
        if self._depth == 1 and name != _ROOT:
            self._guard.refuse(f"<{name[:40]}> is no dump of a directory, which begins with <{_ROOT}>")
        if self._depth > DEEPEST:
            self._guard.refuse(f"elements nested more than {DEEPEST:,} deep")
        if name == _PAGE:
            self._url, self._topic = attributes.get("about") or attributes.get("r:about", ""), ""
        self._text = [] if name == _TOPIC and self._url else None

    def text(self, text: str) -> None:
        if self._text is not None and len(self._text) < DEEPEST:
            self._text.append(text)

    def end(self, tag: str) -> None:
        self._guard.progress()
        self._depth -= 1
        if self._text is not None:
            self._topic, self._text = "".join(self._text)[:_LONGEST].strip(), None
        if tag.rpartition(":")[2] == _PAGE:
            if self._url and self._topic and len(self._url) <= _LONGEST:
                self._found.append(ListedPage(self._topic.removeprefix(f"{_TOP}/"), self._url))
            self._url = ""
