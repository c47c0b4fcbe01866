"""The number under which the file knows a url. Urls of one host have numbers side by side, so they stand on the same pages of the file.

Sixteen bits come from the host and 48 from the url. A page links mostly to its own host: of ten million urls, its sixty
links are then found on a dozen pages of the file instead of sixty.

Two urls of one host that share their 48 bits count as one. Of a million urls of a host one is lost so with a chance of 1 in 560.
That is the chance of an accident. The numbers have no secret in them, so somebody can search for a url with the number of another one, on a
host whose name has the sixteen bits of the other: whichever is met second is then not visited.
"""

from functools import lru_cache

from xxhash import xxh3_64_intdigest

from thresher.model import Candidate, Host, Url
from thresher.remembered import Remembered

OF_URL = (1 << 48) - 1
"""The bits of a key that come from the url."""
_LOWEST = -(1 << 63)


def first_key(host: Host) -> int:
    """The lowest key that a url of the host can have. Signed, since SQLite has no unsigned numbers."""
    return (xxh3_64_intdigest(host.encode()) & 0xFFFF) * (OF_URL + 1) + _LOWEST


@lru_cache(1 << 14)
def first_of_site(site: str) -> int:
    """The same for a url up to the end of its host: `https://example.org/`."""
    return first_key(Host(site.split("/", 3)[2]))


def last_key(host: Host) -> int:
    """The highest one. Other hosts may have keys in between: there are 65,536 ranges for all hosts."""
    return first_key(host) | OF_URL


def key_of(url: Url) -> int:
    """The key of a url."""
    return first_of_site(url[: url.index("/", 8) + 1]) | xxh3_64_intdigest(url.encode()) & OF_URL


remembered_keys = Remembered(key_of, column=Candidate._fields.index("url"))
"""The keys of candidates. Pages of a site repeat their links: to remember takes a sixth of the time."""
