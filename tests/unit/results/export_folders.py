"""Crawl folders made for the tests of `thresher export`."""

import asyncio
from pathlib import Path

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.model import Candidate, Claim, Evidence, Failed, Host, Judgement, Outcome, Page, Response, Url, Visit
from thresher.settings import Settings
from thresher.store.catalogue import Catalogue

SEED = Url("http://host.test/")
STORY = "The iris of the eye is a thin ring that opens and closes the pupil as the light changes. "


def html(title: str, text: str) -> bytes:
    return f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{text}</p></article></body></html>".encode()


def page(  # its number, and what it is like
    number: int,
    body: bytes | None = None,
    *,
    title: str = "A page",
    main: str = "",
    relevance: float = 0.75,
    at: float | None = None,
    parent: Url | None = SEED,
    anchor: str = "on the iris",
    kind: bytes = b"text/html; charset=utf-8",
    url: Url | None = None,
    evidence: tuple[Evidence, ...] = (Evidence("iris", "title", 0.5),),
) -> Visit:
    body = html(f"{title} {number}", f"{number}. " + STORY * 8) if body is None else body
    url, at = url or Url(f"http://host.test/{number}"), 1.7e9 + number if at is None else at
    sent = b"GET / HTTP/1.1\r\nHost: host.test\r\n\r\n"
    response = Response(url, 200, ((b"Content-Type", kind),), body, body, sent, at, 0.25, "127.0.0.1")
    candidate = Candidate(url, 0.5, 1 if parent else 0, parent, anchor if parent else "", ())
    claim = Claim(candidate, Host("host.test"), number, 0.0)
    seen = Page(url, title=title, language="en", text=main, main=main)
    judgement = Judgement(relevance, relevance >= 0.25, evidence)
    return Visit(claim, number, at, response, Outcome("page"), seen, judgement)


def failed(number: int, outcome: str = "timeout") -> Visit:
    claim = Claim(Candidate(Url(f"http://host.test/{number}"), 0.5, 1, SEED, "x"), Host("host.test"), number, 0.0)
    return Visit(claim, number, 1.7e9 + number, Failed(outcome), Outcome(outcome))


def made(path: Path, *visits: Visit, **settings) -> Path:
    """A crawl folder with these visits."""
    wanted = {"topic": "iris eye", "seeds": [SEED], **settings}
    with CrawlFolder(path) as folder:
        folder.write_settings(Settings().with_changes(wanted, "the test").as_toml())
        ledger = Ledger(folder.database)
        store = Catalogue(ledger, folder.warc)
        asyncio.run(_keep(store, visits))
        store.close()
        ledger.close()
    return path


async def _keep(store: Catalogue, visits: tuple[Visit, ...]) -> None:
    for visit in visits:
        await store.keep(visit)
