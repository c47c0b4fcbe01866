"""What fetches from the rude web, in this process and in a hand: the real fetcher and parser."""

from thresher.fetch import HttpFetcher
from thresher.hands import HandParts
from thresher.parse.html import HtmlParser

from .rudeness import RUDENESSES

# A server that never ends is waited for briefly. All others may take as long as a busy machine takes.
HASTY = {"user_agent": "rude-test", "connect": 10.0, "read": 0.4, "total": 0.9}
PATIENT = {"user_agent": "rude-test", "connect": 10.0, "read": 30.0, "total": 60.0}


def timeouts(path: str) -> dict:
    return HASTY if RUDENESSES[path].outcome == "timeout" else PATIENT


def hasty(_text: str) -> HandParts:
    return HandParts(HttpFetcher(**HASTY), HtmlParser(), None)


def patient(_text: str) -> HandParts:
    return HandParts(HttpFetcher(**PATIENT), HtmlParser(), None)
