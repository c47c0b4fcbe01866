"""Tests here keep pages in a crawl folder, or read a catalogue of eight visits."""

from contextlib import closing

import pytest
from tests.unit.store.crawl_folders import folder  # noqa: F401

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.model import Failed, Refused
from thresher.store.catalogue import Catalogue
from thresher.store.visits import open_catalogue
from thresher.testing.store_contract import answered, keep_all, prose, visited


@pytest.fixture
async def read(tmp_path):
    ledger = Ledger(tmp_path / "crawl.sqlite")
    store = Catalogue(ledger, tmp_path / "warc")
    await keep_all(
        store,
        answered(1, prose(1), raw=b"one"),
        answered(2, prose(2), raw=b"two", relevant=False),
        answered(3, prose(1), raw=b"one"),
        answered(4, prose(1) + " end", raw=b"four"),
        visited(5, Failed("timeout"), "timeout"),
        visited(6, Refused("robots"), "robots"),
        answered(7, "", status=404, raw=b"gone"),
        answered(8, "", status=302, raw=b""),
    )
    ledger.commit()
    with closing(open_catalogue(CrawlFolder(tmp_path))) as connection:
        yield connection.execute
    store.close()
    ledger.close()
