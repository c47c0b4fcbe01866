"""Where a crawl lives: a folder of its own, or a part of a PostgreSQL database that several machines share."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, Self

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger_address import LedgerAddress

Place = Path | LedgerAddress
"""What a user names a crawl by."""


class Home(Protocol):
    """Where one crawl lives, whether it was begun or not."""
