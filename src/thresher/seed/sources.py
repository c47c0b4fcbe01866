"""Seeds from wherever urls are listed: a text file, a sitemap, robots.txt, a feed, bookmarks, a WARC file; the content says which."""

from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from thresher.errors import BadInput, NoAnswer
from thresher.event_loops import run_to_end
from thresher.model import Url
from thresher.parse.xml_lists import listed_in
from thresher.polite.robots_groups import group_for
from thresher.seed.listed_files import Kind, ListFile, bookmarks_in, is_warc, kind_of, pages_in, read, unpacked
from thresher.seed.named_urls import seed_urls, seeds_in, usable
from thresher.seed.polite_download import DownloadOptions, PoliteDownload

MOST_SEEDS = 50_000
MOST_FILES = 50
"""The most sitemaps that are read."""
DEEPEST = 3
"""Steps from robots.txt or an index to a sitemap."""
Note = Callable[[str], None]

_NOT: dict[Kind, str] = {
    "page": "is a web page, not a list of urls: start from it with --seed, or give its site's /robots.txt for the sitemaps",
    "warc": "a WARC must be a file on disk",
}


def seeds_from(spec: str, reach: DownloadOptions | None = None, note: Note = lambda _text: None) -> list[Url]:
    """The seeds of a file, of a web address, or of standard input (`-`), in order, each once; `note` is told how it goes."""
    return run_to_end(read_source(spec, reach or DownloadOptions(), note))


async def read_source(spec: str, reach: DownloadOptions, note: Note) -> list[Url]:
    """The same for asynchronous code."""
    start = seed_urls([spec])[0] if "://" in spec else None
    async with PoliteDownload(reach, start) as download:
        gathering = _Gathering(download, note)
        if start is not None:
            where, content = await download.content(start)
            await gathering.take(ListFile(start, content, where))
        elif spec != "-" and is_warc(Path(spec)):
            gathering.add(islice(pages_in(Path(spec)), MOST_SEEDS + 1), spec)
        else:
            await gathering.take(read(spec))
    if not gathering.seeds:
        raise BadInput("; ".join([f"{spec}: names no url to crawl", *gathering.failures[:1]]))
    return list(gathering.seeds)


class _Gathering:
    """What was found so far, and what is still to be read."""

    def __init__(self, download: PoliteDownload, note: Note) -> None:
        self.seeds: dict[Url, None] = {}
        self.failures: list[str] = []
        self._download, self._note = download, note
        self._waiting: deque[tuple[Url, int]] = deque()
        self._known: set[Url] = set()

    async def take(self, file: ListFile) -> None:
        """Read a file, and the files that it names; one of these that cannot be fetched or read is noted and skipped."""
        self._read(file, 0)
        while self._waiting and len(self.seeds) < MOST_SEEDS:
            url, depth = self._waiting.popleft()
            try:
                where, content = await self._download.content(url)
                self._read(ListFile(url, content, where), depth)
            except (NoAnswer, BadInput) as error:
                self.failures.append(str(error))
                self._note(f"left out: {error}")

    def add(self, texts: Iterable[str], name: str, where: Url | None = None) -> None:
        """Take the usable ones of a stranger's urls."""
        found = usable(texts, where, open_to=self._download.open_to)
        fresh = [url for url in found.urls if url not in self.seeds]
        room = MOST_SEEDS - len(self.seeds)
        self.seeds |= dict.fromkeys(fresh[:room])
        self._note(f"{name}: {len(fresh[:room]):,} urls")
        if len(fresh) > room:
            self._note(f"{name}: more than {MOST_SEEDS:,} seeds; the rest is left out")
        if found.private:
            self._note(f"{name}: {found.private:,} urls at private addresses left out; --allow-private takes them")

    def _read(self, file: ListFile, depth: int) -> None:
        file = file._replace(content=unpacked(file))
        match kind_of(file.content):
            case "listed":
                self._read_listed(file, depth)
            case "robots":
                self._follow(group_for("", file.content.decode("utf-8", "replace")).sitemaps, file, depth)
            case "bookmarks":
                self.add(bookmarks_in(file.content), file.name)
            case "lines" if file.where is None:
                # In a list of the user's own every line is meant, however many there are.
                self.seeds |= dict.fromkeys(seeds_in(file.content, file.name))
            case "lines":
                self.add(seeds_in(file.content, file.name), file.name)
            case other:
                raise BadInput(f"{file.name}: {_NOT[other]}")

    def _read_listed(self, file: ListFile, depth: int) -> None:
        found = listed_in(file.content, file.name, MOST_SEEDS)
        if found.kind == "index":
            self._follow(found.urls, file, depth)
        else:
            self.add(found.urls, file.name, file.where)
        if found.more:
            self._note(f"{file.name}: more than {MOST_SEEDS:,} urls; the rest is left out")

    def _follow(self, texts: Iterable[str], file: ListFile, depth: int) -> None:
        urls = [url for url in usable(texts, file.where, open_to=None).urls if url not in self._known]
        room = MOST_FILES - len(self._known) if depth < DEEPEST else 0
        self._note(f"{file.name}: {len(urls):,} sitemaps")
        if len(urls) > room:
            self._note(
                f"{file.name}: {len(urls) - room:,} of its sitemaps are not read: at most {MOST_FILES} are, {DEEPEST} steps deep"
            )
        self._known.update(urls[:room])
        self._waiting += [(url, depth + 1) for url in urls[:room]]
