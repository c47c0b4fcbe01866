"""Thresher, a focused web crawler: the names to import. `examples/ten_lines.py` is a crawl in a few lines.

ARCHITECTURE.md shows the stages of a crawl, the tree of modules, and where to look for what.

Each name is loaded from its module when it is first asked for, so that `import thresher` costs next to nothing.
`__init__.pyi` tells type checkers the same.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

_HOMES = {
    "DROP": "model",
    "AsyncJudge": "ports",
    "Budget": "budget",
    "Candidate": "model",
    "Crawl": "python.crawl",
    "CrawlLoop": "crawl",
    "Evidence": "model",
    "Fetcher": "ports",
    "Frontier": "ports",
    "Harvest": "python.harvest",
    "HarvestPage": "python.page_rows",
    "Judge": "ports",
    "Judgement": "model",
    "Link": "model",
    "Page": "model",
    "Parser": "ports",
    "Scope": "ports",
    "Stop": "budget",
    "Store": "ports",
    "Strategy": "ports",
    "Tally": "budget",
    "ThresherError": "errors",
    "Term": "topic.topic",
    "Topic": "topic",
    "Url": "model",
    "Visit": "model",
    "open": "python.harvest",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> _Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
