"""Documents that nobody reads are counted, not lost: each one that a relevant page links to is noted beside the visits.

A crawl that goes on with the extra `documents` takes them up: `taken_up` makes candidates of what was noted.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from xxhash import xxh3_64_hexdigest

from thresher.documents.kinds import NAMES, kind_by_ending, kind_by_type
from thresher.events import Event, PageVisited
from thresher.model import Candidate, Url, Visit
from thresher.ports import Scope, Store

NOTED = "unread/"
"""How the names begin under which a store remembers them; then the kind, and a hash of the url."""


class UnreadDocuments:
    """A watcher of a crawl that reads no documents. It looks at the links of relevant pages alone."""

    def __init__(self, store: Store, scope: Scope) -> None:
        """Say where they are noted, and which urls would belong to the crawl if documents were read."""
        self._store, self._scope = store, scope

    def __call__(self, event: Event) -> None:
        """Note the documents that a page links to."""
        if isinstance(event, PageVisited) and _leads(event.visit):
            self._note(event.visit)

    def _note(self, visit: Visit) -> None:
        assert visit.page is not None
        before, depth = visit.claim.candidate, visit.claim.candidate.depth + 1
        for link in visit.page.links:
            kind = kind_by_ending(link.target)
            if kind and self._scope.refusal(link.target, depth) is None:
                said = [link.target, before.priority, depth, visit.url, link.anchor[:200]]
                name = f"{NOTED}{kind}/{xxh3_64_hexdigest(link.target.encode())}"
                self._store.remember(name, json.dumps(said).encode())


def _leads(visit: Visit) -> bool:
    """Whether the visit brought a relevant page whose links may be followed."""
    return visit.judgement is not None and visit.judgement.relevant and visit.page is not None and visit.page.follow


def taken_up(store: Store) -> list[Candidate]:
    """What was noted, as candidates with the priority that the page had which links to it; then it is forgotten."""
    found = store.recall_all(NOTED)
    for name in found:
        store.remember(NOTED + name, b"")
    return [_candidate(json.loads(said)) for said in found.values()]


def _candidate(said: tuple[str, float, int, str, str]) -> Candidate:
    url, priority, depth, parent, anchor = said
    return Candidate(Url(url), priority, depth, Url(parent), anchor)


def counted(noted: Iterable[str], refused: Mapping[str, int]) -> dict[str, int]:
    """How many of each kind: of what was noted, by the names that `NOTED` begins, and of content types that were refused."""
    found = Counter(name.partition("/")[0] for name in noted)
    for content_type, count in refused.items():
        if kind := kind_by_type(content_type):
            found[kind] += count
    return dict(found)


def in_words(counted: Mapping[str, int]) -> str:
    """`37 PDF, 4 DOCX`, the most frequent kind first."""
    order: Iterable[tuple[str, int]] = sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {NAMES.get(kind, kind)}" for kind, count in order)
