"""Where a crawl lives: a folder of its own, or a part of a PostgreSQL database that several machines share."""

from pathlib import Path
from typing import Protocol

from thresher.disk.ledger_address import LedgerAddress

Place = Path | LedgerAddress
"""What a user names a crawl by."""


class Home(Protocol):
    """Where one crawl lives, whether it was begun or not."""
