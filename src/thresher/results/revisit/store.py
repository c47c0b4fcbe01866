"""What was found when kept pages were looked at again: a row a look in a table of its own, the answers in the WARC files."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.budget import Tally
from thresher.disk.ledger import Ledger
from thresher.model import Kept, Refused, Response, Url, Visit
from thresher.outcomes import redirect_target
from thresher.results.revisit.last_seen import Known, Memory, look_of, validator
from thresher.store.catalogue import Catalogue
from thresher.store.current import REVISITS
from thresher.store.duplicates import content_hash
from thresher.warc.write import Place

FOUND = ("not-modified", "same", "changed", "gone", "moved", "refused", "failed")
"""What a look can find."""
_GONE = {404, 410}
_INSERT = """
    INSERT INTO revisit (visit, at, found, outcome, status, detail, target, relevant, relevance, evidence, title, language,
                         canonical, noindex, bytes, new_links, etag, modified, content_hash, look, body_at, file, offset, length, request)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


class Finding(NamedTuple):
    """What a look at a page found."""

    visit: Visit
    known: Known
    found: str
    look: bytes | None
    digest: bytes | None
    place: Place | None

    def row(self, new_links: int) -> tuple[Any, ...]:
        """The values of a row of the table."""
        fetched = self.visit.fetched
        answer = fetched if isinstance(fetched, Response) else None
        return (
            self.known.number,
            (answer and answer.at) or self.visit.at,
            self.found,
            self.visit.outcome.name,
            answer and answer.status,
            getattr(fetched, "detail", None),
            redirect_target(answer) if answer and self.found == "moved" else None,
            *self._version(answer),
            new_links,
            *self._since(answer),
            *(self.place or (None, None, None, None)),
        )

    def _version(self, answer: Response | None) -> tuple[Any, ...]:
        """What a changed page is now, in the columns that the catalogue has of it too."""
        page, judgement = self.visit.page, self.visit.judgement
        if self.found != "changed" or answer is None or page is None or judgement is None:
            return (None,) * 8
        evidence = json.dumps(judgement.evidence, separators=(",", ":"), ensure_ascii=False)
        said = (page.title, page.language, page.canonical, not page.index)
        return judgement.relevant, judgement.relevance, evidence, *said, len(answer.raw)

    def _since(self, answer: Response | None) -> tuple[Any, ...]:
        """What the page is from now on: as it came, or as it was."""
        known = self.known
        etag = answer and validator(answer, "etag")
        modified = answer and validator(answer, "last-modified")
        if self.digest is None or answer is None:
            return etag or known.etag, modified or known.modified, known.content_hash, known.look, known.body_at
        # The bytes that a WARC file has are the earlier ones only if these are the same.
        body_at = known.body_at if self.digest == known.content_hash else answer.at
        return etag, modified, self.digest, self.look, body_at


class Revisits:
    """The store of a round of revisits: a row a look, written with the links it found."""

    def __init__(self, catalogue: Catalogue, ledger: Ledger, memory: Memory) -> None:
        self._catalogue, self._ledger, self._memory = catalogue, ledger, memory
        self._waiting: dict[Url, Finding] = {}
        self.counts = Counter[str](dict.fromkeys(FOUND, 0))
        self.new_links = 0
        self.changed: list[Url] = []
        self.gone: list[Url] = []
        ledger.script(REVISITS)

    async def keep(self, visit: Visit) -> Kept:
        """See what became of the page; its row is written with its links."""
        self._waiting[visit.url] = self._finding(visit, self._memory.recall(visit.url))
        self._memory.forget(visit.url)
        return Kept()

    def leads_on(self, url: Url) -> bool:
        """Whether what the latest look found is of use to the frontier."""
        return self._waiting[url].found in {"changed", "moved"}

    def write(self, url: Url, new_links: int) -> None:
        """Write the row of the latest look at a page."""
        finding = self._waiting.pop(url)
        self._ledger.write(_INSERT, finding.row(new_links))
        self.counts[finding.found] += 1
        self.new_links += new_links
        if finding.found in {"changed", "gone"}:
            (self.changed if finding.found == "changed" else self.gone).append(url)

    def _finding(self, visit: Visit, known: Known) -> Finding:
        answer = visit.fetched
        if not isinstance(answer, Response):
            return Finding(visit, known, "refused" if isinstance(answer, Refused) else "failed", None, None, None)
        if answer.status == 304:
            return Finding(visit, known, "not-modified", None, None, self._catalogue.archive(answer, known.earlier))
        if visit.page is None:
            return Finding(visit, known, _without_page(visit, answer), None, None, self._catalogue.archive(answer))
        digest, look = content_hash(answer), look_of(visit.page)
        place = self._catalogue.archive(answer, known.earlier if digest == known.content_hash and answer.raw else None)
        found = "same" if digest == known.content_hash or look == known.look else "changed"
        return Finding(visit, known, found, look, digest, place)

    def visits(self) -> Iterator[Visit]:
        """None: they lie in a table of their own."""
        return iter(())

    def tally(self, window: int) -> Tally:
        """Nothing so far; visits are numbered behind those of the crawl, as strategies know them by number."""
        return Tally(visits=self._catalogue.tally(window).visits)

    def remember(self, name: str, value: bytes) -> None:
        """Nothing: a round leaves no trace in what the crawl remembers."""

    def recall(self, name: str) -> bytes | None:
        """As the crawl remembers it."""
        return self._catalogue.recall(name)

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """As the crawl remembers it."""
        return self._catalogue.recall_all(beginning)


def _without_page(visit: Visit, answer: Response) -> str:
    if answer.status in _GONE:
        return "gone"
    return "moved" if visit.outcome.name == "redirect" else "failed"
