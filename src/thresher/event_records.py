"""Events as plain records, for logs and for other programs. `docs/reference/events.md` lists every key."""

from typing import Any

from thresher.events import (
    CrawlPaused,
    CrawlStarted,
    CrawlStopped,
    CrawlWaits,
    CrawlWentOn,
    Event,
    HandReplaced,
    HostBackedOff,
    HostLosesTurns,
    OrderCarriedOut,
    OrdersUnreadable,
    PageVisited,
    WatcherFailed,
)
from thresher.model import Response
from thresher.results.plain_text import short_title

Record = dict[str, Any]
"""A name, `event`, and values that JSON has: text, numbers, truth values, None."""
_LONGEST = 2000
"""Characters of a text. What is longer is cut: a line must fit into memory."""


def record_of(event: Event) -> Record:
    """The event as a record, with every text cut to a bounded length."""
    return {key: _cut(value) for key, value in _values(event).items()}


def _cut(value: Any) -> Any:
    return f"{value[: _LONGEST - 1]}…" if isinstance(value, str) and len(value) > _LONGEST else value


def _values(event: Event) -> Record:  # noqa: C901, PLR0911 - an event each
    match event:
        case CrawlStarted(visits=visits, census=census):
            return {"event": "started", "visits": visits, "waiting": census.waiting, "hosts": census.hosts}
        case PageVisited():
            return _visit(event)
        case HostBackedOff(host=host, why=why, detail=detail):
            return {"event": "back-off", "host": host, "why": why, "detail": detail}
        case HostLosesTurns(host=host, url=url):
            return {"event": "turns-lost", "host": host, "url": url}
        case CrawlWaits(seconds=seconds, reason=reason):
            return {"event": "wait", "seconds": round(seconds, 1), "reason": reason}
        case CrawlPaused(why=why, spent=spent):
            return {"event": "paused", "why": why, "spent": spent}
        case CrawlWentOn(seconds=seconds):
            return {"event": "went-on", "seconds": round(seconds, 1)}
        case OrderCarriedOut(order=order, sentence=sentence, moved=moved, done=done):
            return {"event": "order", "order": order, "sentence": sentence, "moved": moved, "done": done}
        case OrdersUnreadable(why=why):
            return {"event": "orders-unreadable", "why": why}
        case HandReplaced(url=url, why=why):
            return {"event": "hand-replaced", "url": url, "why": why}
        case WatcherFailed(watcher=watcher, why=why):
            return {"event": "watcher-failed", "watcher": watcher, "why": why}
        case CrawlStopped(reason=reason, message=message):
            return {"event": "stopped", "reason": reason, "message": message}


def _visit(event: PageVisited) -> Record:
    visit, kept = event.visit, event.kept
    candidate, fetched = visit.claim.candidate, visit.fetched
    answer = fetched if isinstance(fetched, Response) else None
    return {
        "event": "visit",
        "number": visit.number,
        "url": visit.url,
        "outcome": visit.outcome.name,
        "detail": getattr(fetched, "detail", ""),
        "status": answer and answer.status,
        "bytes": answer and len(answer.raw),
        "seconds": answer and round(answer.elapsed, 3),
        "relevance": visit.judgement and round(visit.judgement.relevance, 4),
        "relevant": visit.judgement and visit.judgement.relevant,
        "title": visit.page and short_title(" ".join(visit.page.title[: 2 * _LONGEST].split())),
        "depth": candidate.depth,
        "priority": round(candidate.priority, 4),
        "parent": candidate.parent,
        "duplicate_of": kept.duplicate_of or kept.near,
        "links": event.found,
    }
