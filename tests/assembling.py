"""A crawl put together from its settings alone: for tests that need the loop itself, or a folder that a crawl has filled."""

from pathlib import Path

from thresher.assembly import assembled
from thresher.disk.folder import CrawlFolder
from thresher.settings import settle_settings


def opened(into, topic, seeds, **tables):
    """The loop of a crawl into a folder, as an asynchronous context manager."""
    folder = CrawlFolder(Path(into))
    return assembled(folder, settle_settings(folder, {"topic": topic, "seeds": list(seeds), **tables}, "the test"))
