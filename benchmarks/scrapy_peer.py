"""The peer of crawl_speed.py: Scrapy following all links of a web, with robots, deduplication and a JOBDIR.

Its best reasonable chance: a plain spider (no rules), 64 requests at once, no delays, no throttling. Tried without a
difference beyond noise: uvloop, the queue for broad crawls (DownloaderAwarePriorityQueue), 16 requests a host.
"""

import argparse

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "AUTOTHROTTLE_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "WARNING",
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "USER_AGENT": "scrapy-peer (+http://127.0.0.1/)",
}


class FollowAll(scrapy.Spider):
    """Takes every link of every page."""

    name = "follow-all"
    links = LinkExtractor()

    def parse(self, response):
        """One page in, a request a link out; the scheduler drops what it knows."""
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("start")
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--jobdir", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another Scrapy setting")
    options = parser.parse_args()
    more = dict(pair.split("=", 1) for pair in options.set)
    process = CrawlerProcess(
        {**SETTINGS, "CLOSESPIDER_PAGECOUNT": options.pages, "JOBDIR": options.jobdir, **more},
    )
    process.crawl(FollowAll, start_urls=[options.start])
    process.start()


if __name__ == "__main__":
    main()
