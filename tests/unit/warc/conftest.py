"""Tests here keep pages in a crawl folder."""

from tests.unit.store.crawl_folders import folder  # noqa: F401
