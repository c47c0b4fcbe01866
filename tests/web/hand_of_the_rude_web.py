"""What a hand is made of that fetches from the rude web: the real fetcher and parser, with short timeouts."""

from thresher.fetch import HttpFetcher
from thresher.hands import HandParts
from thresher.parse.html import HtmlParser

TIMEOUTS = {"user_agent": "rude-test", "connect": 1.0, "read": 0.4, "total": 0.9}


def parts(_text: str) -> HandParts:
    return HandParts(HttpFetcher(**TIMEOUTS), HtmlParser(), None)
