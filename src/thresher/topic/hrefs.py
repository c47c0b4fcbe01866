"""Words in an address: `/bedwetting/x` names the topic as well as any text does."""

import re
from urllib.parse import unquote_to_bytes

from thresher.language import words

_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def href_words(href: str, *, camel: bool = False) -> str:
    """The words of a url or an href, with one blank between them; `camel` also cuts `nightTime` in two.

    >>> href_words("/help/Bed-wetting_at%20night.html?q=b%C3%A9b%C3%A9+sleep")
    'help bed wetting at night html q bébé sleep'
    """
    text = _decoded(href) if "%" in href else href
    return " ".join(words(_HUMP.sub(" ", text) if camel else text))


def _decoded(href: str) -> str:
    octets = unquote_to_bytes(href)
    try:
        return octets.decode()
    except UnicodeDecodeError:
        # Old sites write their own charset into their addresses; most of these are Western, and every byte is some letter there.
        return octets.decode("latin-1")
