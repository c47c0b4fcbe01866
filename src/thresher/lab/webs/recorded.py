"""A recorded web: WARC files of anybody's, or a crawl folder, with the answer of every url at hand.

    with Recording.open(Path("schools.warc.gz")) as web:
        len(web)                          # how many urls
        web.read(url)                     # the answer as recorded, redirects too; None if the url is not there

Of a url that was recorded more than once the first answer counts: a recording is a web that stands still.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.disk.folder import CrawlFolder
from thresher.documents.kinds import recognised
from thresher.errors import BadInput
from thresher.lab.webs.web_pages import denying
from thresher.model import Rendition, Response, Url
from thresher.warc.format import Place
from thresher.warc.reader import Playback, UnreadableRecord
from thresher.warc.recording_index import RecordingIndex

_ENDINGS = (".warc", ".warc.gz")


class Recording:
    """Pages by url. What is denied is not there."""

    def __init__(
        self, beside: Sequence[Path], index: RecordingIndex, files: Playback, deny: Sequence[str] = ()
    ) -> None:
        self.beside = tuple(beside)
        """The WARC files or folders: what is worked out of them is kept there."""
        self.index = index
        self.notes = index.notes
        """What was passed over, by name: `damaged`, `again`, `too-large`, `not-http`, `revisit-of-nothing`."""
        self.deny = tuple(deny)
        self._denied = denying(self.deny)
        self._files = files

    @classmethod
    def open(cls, path: Path | Sequence[Path], *, deny: Sequence[str] = ()) -> "Recording":
        """The web in WARC files, folders of them or crawl folders, without the urls that begin with a denied prefix."""
        source = [path] if isinstance(path, Path) else list(path)
        files = [file for each in source for file in warc_files(each)]
        if not files:
            raise BadInput("a recording is made of at least one WARC file")
        beside = [_warc_folder(each) for each in source]
        return cls(beside, RecordingIndex.open(beside, files), Playback(dict(enumerate(files)), ours=False), deny)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._files.close()
        self.index.close()

    def whole(self) -> "Recording":
        """The same recording with nothing denied; it is closed with this one."""
        return Recording(self.beside, self.index, self._files)

    def __len__(self) -> int:
        return self._size

    def __contains__(self, url: Url) -> bool:
        return self._denied(url) is None and self.index.find(url) is not None

    def urls(self) -> Iterator[Url]:
        """All urls, whatever their status, in the order of the recording."""
        return (url for url in self.index.urls() if self._denied(url) is None) if self.deny else self.index.urls()

    def read(self, url: Url) -> Response | None:
        """The answer as recorded, with chunks and content encodings undone; None if there is none, or none that is whole."""
        if self._denied(url) is not None or (entry := self.index.find(url)) is None:
            return None
        try:
            read = self._files.read(entry.head)
            if entry.content is not None:
                read = read._replace(content=self._files.read(entry.content).content)
        except UnreadableRecord:
            return None
        response = read.response(url)
        return replace(response, rendition=self._rendition(entry.head) or _unread(response))

    def _rendition(self, place: Place) -> Rendition | None:
        """What a crawl of ours made of the answer: a document's page, or what a browser showed."""
        if not place.request:
            return None
        with suppress(UnreadableRecord):
            return self._files.before(place)[1]
        return None

    @cached_property
    def _size(self) -> int:
        return sum(1 for _ in self.urls()) if self.deny else len(self.index)


def _unread(response: Response) -> Rendition | None:
    """A document that nobody has read has no words; its bytes are none."""
    kind = recognised(response)
    return Rendition(b"", kind) if kind else None


def warc_files(path: Path) -> list[Path]:
    """The WARC files that a path stands for: itself, those in a folder, or those of a crawl folder; by name."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise BadInput(f"there is no recording {path}: name a WARC file, a folder of them, or a crawl folder")
    folder = _warc_folder(path)
    found = sorted(file for file in folder.glob("*") if file.name.endswith(_ENDINGS) and file.is_file())
    if not found:
        raise BadInput(f"there is no WARC file in {folder}: their names end with {' or '.join(_ENDINGS)}")
    return found


def _warc_folder(path: Path) -> Path:
    crawl = CrawlFolder(path)
    return crawl.warc if crawl.exists else path
