"""Urls that the crawl knows and that look like the one that was asked for."""

import difflib
from collections.abc import Iterator

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.urls import canonical, host_of, url_hash

_KNOWN = "SELECT url FROM url WHERE hash = ? AND url = ?"
_OF_HOST = "SELECT url FROM url WHERE host = (SELECT number FROM host WHERE name = ?) LIMIT 20000"
_CLOSE, _LESS_CLOSE = 0.9, 0.75


def near(archive: Archive, url: Url, most: int = 4) -> list[Url]:
    """Other spellings of the url that are known, then the likest urls of its host."""
    spelt = [other for other in dict.fromkeys(_spellings(url)) if other != url and _known(archive, other)]
    return list(dict.fromkeys([*spelt, *_alike(archive, url, most)]))[:most]


def _known(archive: Archive, url: Url) -> bool:
    return archive.read(_KNOWN, (url_hash(url), url)).fetchone() is not None


def _spellings(url: Url) -> Iterator[Url]:
    """With another scheme, with or without www, with or without a slash at the end, the index page's name, the query."""
    path, mark, query = url.partition("?")
    ends = [path.rstrip("/"), path.rstrip("/") + "/", path.removesuffix("/").rpartition("/index.")[0] + "/"]
    ends += [f"{path.rstrip('/')}/index.{kind}" for kind in ("html", "htm", "php")]
    for end in (*ends, path, path.lower()):
        for whole in (end + mark + query, end):
            for scheme in ("http://", "https://"):
                rest = whole.partition("://")[2]
                for host in (rest, f"www.{rest}", rest.removeprefix("www.")):
                    if spelt := canonical(scheme + host):
                        yield spelt


def _alike(archive: Archive, url: Url, most: int) -> list[Url]:
    """The likest urls of the url's host, or if nobody knows the host, of the host whose name is likest."""
    host = host_of(url)
    names = [name for (name,) in archive.read("SELECT name FROM host")]
    hosts = [host] if host in names else difflib.get_close_matches(host, names, 1, 0.8)
    if not hosts:
        return []
    start = url.index("/", 8)
    known = archive.read(_OF_HOST, hosts)
    tails = {other[other.index("/", 8) :]: Url(other) for (other,) in known}
    return [tails[tail] for tail in _closest(url[start:], list(tails), most)]


def _closest(tail: str, tails: list[str], most: int) -> list[str]:
    close = difflib.get_close_matches(tail, tails, most, _CLOSE)
    return close or difflib.get_close_matches(tail, tails, 2, _LESS_CLOSE)
