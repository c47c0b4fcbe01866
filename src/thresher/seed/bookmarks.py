"""Seeds from the bookmarks that a browser exports: the HTML file that Netscape began with and all browsers write."""

from selectolax.lexbor import LexborHTMLParser

MARK = b"NETSCAPE-Bookmark-file"
"""Stands in the first line of such a file."""


def bookmarks_in(content: bytes) -> list[str]:
    """The addresses of the bookmarks as they are spelled, in order; among them some that are no pages."""
    tree = LexborHTMLParser(content.decode("utf-8", "replace"))
    return [href for link in tree.css("a[href]") if (href := link.attributes.get("href"))]
