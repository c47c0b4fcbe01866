"""Steer a crawl: give an order, and where no crawl runs, carry it out at once."""

from thresher.disk.folder import CrawlFolder
from thresher.orders.inbox import give
from thresher.orders.order import Order


def tell(folder: CrawlFolder, order: Order) -> int:
    """Give an order: its number. Where no crawl runs it is carried out at once, under the lock of the folder, by the same code."""
    return give(folder, order)
