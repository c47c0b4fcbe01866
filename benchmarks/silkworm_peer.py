"""The fastest peer of crawl_speed.py: Silkworm (`silkworm-rs` on PyPI, a client in Rust) following all links of a web.

Its best reasonable chance: uvloop, 64 requests at once, links by selectolax, which is faster than its own selectors, robots.txt by its
middleware. With `--jobdir` it keeps its requests on disk, as Scrapy does with a JOBDIR; it scores nothing and keeps no page.
"""

import argparse

from selectolax.lexbor import LexborHTMLParser
from silkworm import RobotsTxtMiddleware, Spider, run_spider_uvloop


class FollowAll(Spider):
    """Takes every link of every page."""

    name = "follow-all"

    async def parse(self, response):
        """One page in, a request a link out; the engine drops what it knows."""
        links = LexborHTMLParser(response.body).css("a[href]")
        await self.follow_all(dict.fromkeys(link.attributes["href"] for link in links))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("start")
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--jobdir")
    options = parser.parse_args()
    run_spider_uvloop(
        FollowAll(start_urls=[options.start]),
        concurrency=64,
        max_requests=options.pages,
        job_dir=options.jobdir,
        log_stats_interval=None,
        request_middlewares=[RobotsTxtMiddleware(user_agent="silkworm-peer")],
    )


if __name__ == "__main__":
    main()
