"""Seeds from wherever urls are listed: a text file, a sitemap, robots.txt, a feed, bookmarks, a WARC file. What it is, its content says."""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from thresher.errors import BadInput, NoAnswer
from thresher.model import Url
from thresher.seed.archive import pages_in
from thresher.seed.bookmarks import bookmarks_in
from thresher.seed.content import File, Kind, is_warc, kind_of, read, unpacked
from thresher.seed.files import seed_urls, seeds_in
from thresher.seed.polite_download import Errand, Reach
from thresher.seed.untrusted_urls import named
from thresher.seed.xml_lists import listed_in

MOST_SEEDS = 50_000
MOST_FILES = 50
"""So many sitemaps are read at most."""
DEEPEST = 3
"""Steps from robots.txt or an index to a sitemap."""
Note = Callable[[str], None]

_SITEMAP = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)", re.IGNORECASE | re.MULTILINE)
_NOT: dict[Kind, str] = {
    "page": "is a web page, not a list of urls: start from it with --seed, or give its site's /robots.txt for the sitemaps",
    "warc": "a WARC must be a file on disk",
}


def seeds_from(spec: str, reach: Reach | None = None, note: Note = lambda _text: None) -> list[Url]:
    """The seeds of a file, of a web address, or of standard input (`-`), in order, each once; `note` hears how it goes."""
    return asyncio.run(read_source(spec, reach or Reach(), note))


async def read_source(spec: str, reach: Reach, note: Note) -> list[Url]:
    """The same for code that waits."""
    start = seed_urls([spec])[0] if re.match(r"https?://", spec, re.IGNORECASE) else None
    async with Errand(reach, start) as errand:
        gathering = _Gathering(errand, note)
        if start is not None:
            where, content = await errand.content(start)
            await gathering.take(File(start, content, where))
        elif spec != "-" and is_warc(Path(spec)):
            gathering.add(islice(pages_in(Path(spec)), MOST_SEEDS + 1), spec)
        else:
            await gathering.take(read(spec))
    if not gathering.seeds:
        raise BadInput("; ".join([f"{spec}: names no url to crawl", *gathering.failures[:1]]))
    return list(gathering.seeds)


class _Gathering:
    """What was found so far, and what is still to be read."""

    def __init__(self, errand: Errand, note: Note) -> None:
        self.seeds: dict[Url, None] = {}
        self.failures: list[str] = []
        self._errand, self._note = errand, note
        self._waiting: deque[tuple[Url, int]] = deque()
        self._known: set[Url] = set()

    async def take(self, file: File) -> None:
        """Read a file, and those that it names; of these, one that cannot be had or read is noted and passed over."""
        self._read(file, 0)
        while self._waiting and len(self.seeds) < MOST_SEEDS:
            url, depth = self._waiting.popleft()
            try:
                where, content = await self._errand.content(url)
                self._read(File(url, content, where), depth)
            except (NoAnswer, BadInput) as error:
                self.failures.append(str(error))
                self._note(f"left out: {error}")

    def add(self, texts: Iterable[str], name: str, where: Url | None = None) -> None:
        """Take urls that a stranger named."""
        found = named(texts, where, open_to=self._errand.open_to)
        fresh = [url for url in found.urls if url not in self.seeds]
        room = MOST_SEEDS - len(self.seeds)
        self.seeds |= dict.fromkeys(fresh[:room])
        self._note(f"{name}: {len(fresh[:room]):,} urls")
        if len(fresh) > room:
            self._note(f"{name}: more than {MOST_SEEDS:,} seeds; the rest is left out")
        if found.private:
            self._note(f"{name}: {found.private:,} urls at private addresses left out; --allow-private takes them")

    def _read(self, file: File, depth: int) -> None:
        file = file._replace(content=unpacked(file))
        match kind_of(file.content):
            case "listed":
                self._read_listed(file, depth)
            case "robots":
                self._follow(_SITEMAP.findall(file.content.decode("utf-8", "replace")), file, depth)
            case "bookmarks":
                self.add(bookmarks_in(file.content), file.name)
            case "lines" if file.where is None:
                # Whoever has a list of his own means each line of it, however many.
                self.seeds |= dict.fromkeys(seeds_in(file.content, file.name))
            case "lines":
                self.add(seeds_in(file.content, file.name), file.name)
            case other:
                raise BadInput(f"{file.name}: {_NOT[other]}")

    def _read_listed(self, file: File, depth: int) -> None:
        found = listed_in(file.content, file.name, MOST_SEEDS)
        if found.kind == "index":
            self._follow(found.urls, file, depth)
        else:
            self.add(found.urls, file.name, file.where)
        if found.more:
            self._note(f"{file.name}: more than {MOST_SEEDS:,} urls; the rest is left out")

    def _follow(self, texts: Iterable[str], file: File, depth: int) -> None:
        urls = [url for url in named(texts, file.where, open_to=None).urls if url not in self._known]
        room = MOST_FILES - len(self._known) if depth < DEEPEST else 0
        self._note(f"{file.name}: {len(urls):,} sitemaps")
        if len(urls) > room:
            self._note(
                f"{file.name}: {len(urls) - room:,} of its sitemaps are not read: at most {MOST_FILES} are, {DEEPEST} steps deep"
            )
        self._known.update(urls[:room])
        self._waiting += [(url, depth + 1) for url in urls[:room]]
