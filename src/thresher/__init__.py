"""Thresher, a focused web crawler: the names to import. A crawl in a few lines stands in `examples/ten_lines.py`."""

from thresher.assembly import open_crawl
from thresher.budget import Budget, Stop, Tally
from thresher.crawl import Crawl
from thresher.errors import ThresherError
from thresher.model import DROP, Candidate, Evidence, Judgement, Link, Page, Url, Visit
from thresher.ports import Fetcher, Frontier, Judge, Parser, Scope, Store, Strategy
from thresher.topic import Topic

__all__ = [
    "DROP",
    "Budget",
    "Candidate",
    "Crawl",
    "Evidence",
    "Fetcher",
    "Frontier",
    "Judge",
    "Judgement",
    "Link",
    "Page",
    "Parser",
    "Scope",
    "Stop",
    "Store",
    "Strategy",
    "Tally",
    "ThresherError",
    "Topic",
    "Url",
    "Visit",
    "open_crawl",
]
