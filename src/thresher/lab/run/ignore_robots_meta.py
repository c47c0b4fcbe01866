"""Reads pages as experiments do that heed no meta robots: a recording is nobody's server, and other people's figures ignore it."""

from dataclasses import replace

from thresher.model import Page, Response
from thresher.parse.html import HtmlParser


class HeedlessParser(HtmlParser):
    """The same page, but a `nofollow` of the page or its `X-Robots-Tag` keeps nobody from its links.

    Of the 5,462 pages of the schools' Wikipedia 425 say so.
    """

    def parse(self, response: Response) -> Page:
        """Read one response."""
        page = super().parse(response)
        return page if page.follow else replace(page, follow=True)
