"""A page from a literal, for the tests of this folder."""

from thresher.model import Page, Response, Url
from thresher.parse.html import HtmlParser

HERE = Url("http://example.org/dir/page.html")


def page_of(body: str | bytes, *headers: tuple[str, str], url: Url = HERE, **options: int) -> Page:
    given = headers or (("Content-Type", "text/html; charset=utf-8"),)
    raw = body.encode() if isinstance(body, str) else body
    sent = tuple((key.encode(), value.encode()) for key, value in given)
    return HtmlParser(**options).parse(Response(url, 200, sent, raw, raw))


def anchors(page: Page) -> dict[str, str]:
    """The end of each target, and the words that lead there."""
    return {link.target.removeprefix("http://example.org/"): link.anchor for link in page.links}
