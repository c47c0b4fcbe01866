"""The store of a round of revisits: what is known of each page before it is looked at, and what the look found.

A look is one row of the table of looks, written in one transaction with the links it found; its answer goes to the WARC files.
"""

from collections import Counter
from collections.abc import Iterator

from thresher.budget import Tally
from thresher.model import Candidate, Kept, Refused, Response, Url, Visit
from thresher.parse.missing_pages import PARKED, SOFT_404
from thresher.results.archive import Archive
from thresher.store.catalogue import VisitKeeper
from thresher.store.duplicates import content_hash, is_rendered
from thresher.store.looks import FOUND, LastSeen, LookResult, appearance, last_look, make_looks, validators, write_look
from thresher.store.visits import candidate_of, numbered_row

_GONE = {404, 410}


class SeenPages:
    """What is known of the pages of a round. A page is read when it is about to be fetched and forgotten when it is done."""

    def __init__(self, archive: Archive, numbers: dict[Url, int]) -> None:
        self._archive, self._numbers = archive, numbers
        self._under_way: dict[Url, LastSeen] = {}

    def candidates(self) -> Iterator[Candidate]:
        """The pages as they were in the frontier, so that a strategy sees the same as in the crawl."""
        for number in self._numbers.values():
            yield candidate_of(self._archive.read, number)

    def recall(self, url: Url) -> LastSeen:
        """What is known of a page."""
        if url not in self._under_way:
            self._under_way[url] = self._read(self._numbers[url])
        return self._under_way[url]

    def forget(self, url: Url) -> None:
        """The page is done with."""
        self._under_way.pop(url, None)

    def _read(self, number: int) -> LastSeen:
        visit = self._archive.visit_of(numbered_row(self._archive.read, number))
        candidate, answer = visit.claim.candidate, visit.fetched
        latest = last_look(self._archive.read, number, candidate)
        if latest is not None:
            return latest
        if not isinstance(answer, Response) or visit.page is None:
            # Its record is lost: asked for without conditions, it comes as if it were new.
            return LastSeen(number, candidate, None, None, None, None, visit.at)
        sent = validators(answer, visit.page)
        return LastSeen(number, candidate, *sent, content_hash(answer), appearance(visit.page), answer.at or visit.at)


class LookStore:
    """The store of a round: one row for each look, written with the links it found."""

    def __init__(self, catalogue: VisitKeeper, pages: SeenPages) -> None:
        self._catalogue, self._pages = catalogue, pages
        self._waiting: dict[Url, LookResult] = {}
        self.counts = Counter[str](dict.fromkeys(FOUND, 0))
        self.new_links = 0
        self.changed: list[Url] = []
        self.gone: list[Url] = []
        make_looks(catalogue.tables)

    async def keep(self, visit: Visit) -> Kept:
        """See what became of the page; its row is written with its links."""
        self._waiting[visit.url] = self._result(visit, self._pages.recall(visit.url))
        self._pages.forget(visit.url)
        return Kept()

    def leads_on(self, url: Url) -> bool:
        """Whether the links that the latest look found may be new."""
        return self._waiting[url].found in {"changed", "moved"}

    def write(self, url: Url, new_links: int) -> None:
        """Write the row of the latest look at a page."""
        result = self._waiting.pop(url)
        write_look(self._catalogue.tables, result, new_links)
        self.counts[result.found] += 1
        self.new_links += new_links
        if result.found in {"changed", "gone"}:
            (self.changed if result.found == "changed" else self.gone).append(url)

    def _result(self, visit: Visit, known: LastSeen) -> LookResult:
        answer = visit.fetched
        if not isinstance(answer, Response):
            return LookResult(visit, known, "refused" if isinstance(answer, Refused) else "failed")
        if answer.status == 304:
            return LookResult(visit, known, "not-modified", place=self._catalogue.archive(answer, known.earlier))
        if visit.page is None:
            return LookResult(visit, known, _without_page(visit, answer), place=self._catalogue.archive(answer))
        digest, look = content_hash(answer), appearance(visit.page)
        # The bytes of an application are the same for all that it shows.
        same = digest == known.content_hash and not is_rendered(answer)
        place = self._catalogue.archive(answer, known.earlier if same and answer.raw else None)
        found = "same" if same or look == known.look else "changed"
        return LookResult(visit, known, found, look, digest, place)

    def visits(self) -> Iterator[Visit]:
        """None: looks are not visits of the crawl."""
        return iter(())

    def tally(self, window: int) -> Tally:
        """Nothing fetched so far; visits are numbered after those of the crawl, since strategies know visits by number."""
        return Tally(visits=self._catalogue.tally(window).visits)

    def remember(self, name: str, value: bytes) -> None:
        """Do nothing: a round does not change what the crawl remembers."""

    def recall(self, name: str) -> bytes | None:
        """As the crawl remembers it."""
        return self._catalogue.recall(name)

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """As the crawl remembers it."""
        return self._catalogue.recall_all(beginning)


def _without_page(visit: Visit, answer: Response) -> str:
    if answer.status in _GONE or visit.outcome.name in {SOFT_404, PARKED}:
        return "gone"
    return "moved" if visit.outcome.name == "redirect" else "failed"
