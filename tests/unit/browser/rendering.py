"""A browser around a fetcher, as a crawl has it, for tests."""

import os
from contextlib import asynccontextmanager

from thresher.fetchers import page_fetcher
from thresher.model import Later
from thresher.settings import Manners, Settings
from thresher.urls import canonical

SANDBOX = os.geteuid() != 0


@asynccontextmanager
async def browsing(site, *others, when="auto", manners=None, scope=None, **table):
    """Fetches pages of a site, rendered; these and others may be asked."""
    table = {"when": when, "sandbox": SANDBOX, **table}
    settings = Settings(seeds=(site.url(), *(other.url() for other in others)), browser=table, scope=scope or {})
    fetcher = page_fetcher(settings, manners or Manners(delay=0.0))
    try:
        yield fetcher
    finally:
        await fetcher.close()


async def fetched(fetcher, url):
    """What comes of a url, with robots.txt asked for first."""
    answer = await fetcher.fetch(canonical(url))
    return await fetcher.fetch(canonical(url)) if isinstance(answer, Later) else answer


def shown(response):
    """The rendered page as text; why there is none, if so."""
    return (
        response.rendition.html.decode() if response.rendition else dict(response.notes).get("rendered", "as it came")
    )
