"""The cookies of a crawl, where somebody asked for them: which are sent where, and which a server may set (RFC 6265bis).

Bounded, since strangers fill it: in bytes of a cookie, in cookies and bytes of a domain, and in bytes of all. Nothing of it is written
to a file: it ends with the process.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from email.utils import parsedate_to_datetime
from functools import cache
from typing import NamedTuple

from publicsuffixlist import PublicSuffixList

from thresher.model import Headers, Host, Url
from thresher.urls import is_address

MOST_BYTES = 4096
"""Of one cookie: name and value."""
_MOST_OF_A_DOMAIN = 50
_DOMAIN_BYTES = 16_384
"""A request with longer headers is refused by most servers."""
_ALL_BYTES = 8 << 20
_ENTRY = 1000
"""About how many bytes a cookie takes beside its text."""
_MOST_OF_AN_ANSWER = 50
_LONGEST_LIFE = 400 * 86_400.0
_LONGEST_ATTRIBUTE = 1024
_LONGEST_DATE = 100


class Cookie(NamedTuple):
    """One cookie, and where it is sent."""

    name: str
    value: str
    domain: str
    """The host, or the domain with all below it."""
    host_only: bool
    path: str
    secure: bool
    """Sent over https alone."""
    expires: float | None
    """None: at the end of the crawl."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.name) + len(self.value) + len(self.path) + len(self.domain) + _ENTRY


class _Domain:
    """The cookies of one domain."""

    __slots__ = ("cookies", "kept", "most", "room", "size")

    def __init__(self) -> None:
        self.cookies: OrderedDict[tuple[str, str, bool], Cookie] = OrderedDict()
        self.size = 0
        self.most, self.room = _MOST_OF_A_DOMAIN, _DOMAIN_BYTES + _ENTRY * _MOST_OF_A_DOMAIN
        """What servers may set; what the user gives has a place beside."""
        self.kept = False
        """Whether the user gave some of them: then it is never forgotten as a whole."""

    def put(self, cookie: Cookie) -> None:
        key = cookie.name, cookie.path, cookie.host_only
        before = self.cookies.get(key)
        if before is not None:
            self.size -= before.size
        # In the place of the one before it: of equal paths the oldest is sent first.
        self.cookies[key] = cookie
        self.size += cookie.size
        while len(self.cookies) > self.most or self.size > self.room:
            _, oldest = self.cookies.popitem(last=False)
            self.size -= oldest.size

    def drop(self, cookie: Cookie) -> None:
        found = self.cookies.pop((cookie.name, cookie.path, cookie.host_only), None)
        self.size -= found.size if found is not None else 0


class CookieJar:
    """All cookies of a process that fetches."""

    def __init__(self, given: Iterable[Cookie] = ()) -> None:
        self._domains: OrderedDict[str, _Domain] = OrderedDict()
        self._bytes = 0
        for cookie in given:
            domain = self._domains.setdefault(cookie.domain, _Domain())
            domain.kept = True
            domain.most, domain.room = domain.most + 1, domain.room + cookie.size
            self._put(cookie)

    def header(self, url: Url, host: Host, now: float) -> str:
        """What a request for the url says of cookies; empty if nothing."""
        name, path, secure = _name(host), _path(url), url.startswith("https:")
        found = [
            cookie
            for domain in _above(name)
            if (known := self._domains.get(domain)) is not None
            for cookie in known.cookies.values()
            if (domain == name or not cookie.host_only)
            and (secure or not cookie.secure)
            and (cookie.expires is None or cookie.expires > now)
            and _within(path, cookie.path)
        ]
        found.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" if cookie.name else cookie.value for cookie in found)

    def take(self, url: Url, host: Host, headers: Headers, now: float) -> None:
        """Take in what an answer sets; what it must not set is left out without a word, as browsers do."""
        said = [value for name, value in headers if name.lower() == b"set-cookie"]
        for value in said[:_MOST_OF_AN_ANSWER]:
            if (
                cookie := read_set_cookie(value.decode("utf-8", "surrogateescape"), url, host, now)
            ) is None or self._shadows(cookie, url, host):
                continue
            if cookie.expires is not None and cookie.expires <= now:
                self._drop(cookie)
            else:
                self._put(cookie)

    def _shadows(self, cookie: Cookie, url: Url, host: Host) -> bool:
        """Whether it would stand in the light of a secure one, and comes over http."""
        if url.startswith("https:"):
            return False
        # Above the host, and below the domain that it is set for: both would be sent beside it.
        near = set(_above(_name(host)))
        if not cookie.host_only:
            near.update(each for each in self._domains if each.endswith(f".{cookie.domain}"))
        secure = (
            other
            for domain in near
            if (known := self._domains.get(domain)) is not None
            for other in known.cookies.values()
            if other.secure
        )
        return any(other.name == cookie.name and _within(cookie.path, other.path) for other in secure)

    def _put(self, cookie: Cookie) -> None:
        domain = self._domains.get(cookie.domain)
        if domain is None:
            domain = self._domains[cookie.domain] = _Domain()
        self._domains.move_to_end(cookie.domain)
        before = domain.size
        domain.put(cookie)
        self._bytes += domain.size - before
        if self._bytes > _ALL_BYTES:
            self._forget()

    def _drop(self, cookie: Cookie) -> None:
        if (domain := self._domains.get(cookie.domain)) is not None:
            before = domain.size
            domain.drop(cookie)
            self._bytes += domain.size - before
            if not domain.cookies and not domain.kept:
                del self._domains[cookie.domain]

    def _forget(self) -> None:
        """Let go the domains that were not used for longest, but none that the user gave."""
        for name in [name for name, domain in self._domains.items() if not domain.kept]:
            if self._bytes <= _ALL_BYTES // 2:
                return
            self._bytes -= self._domains.pop(name).size


def read_set_cookie(text: str, url: Url, host: Host, now: float) -> Cookie | None:
    """The cookie of a `Set-Cookie` header; None if that host must not set it."""
    pair, *said = text.split(";")
    name, equals, value = pair.partition("=")
    name, value = (name.strip(" \t"), value.strip(" \t")) if equals else ("", pair.strip(" \t"))
    if not (name or value) or len(name) + len(value) > MOST_BYTES or not _plain(name + value):
        return None
    attributes = dict(map(_attribute, said[:_MOST_OF_AN_ANSWER]))
    domain = _domain(attributes.get("domain", ""), _name(host))
    if domain is None:
        return None
    path = attributes.get("path", "")
    cookie = Cookie(
        name,
        value,
        domain or _name(host),
        host_only=not domain,
        path=path if path.startswith("/") else _default_path(url),
        secure="secure" in attributes,
        expires=_expires(attributes, now),
    )
    return cookie if _may_be_set(cookie, path, secure=url.startswith("https:")) else None


def _may_be_set(cookie: Cookie, path: str, *, secure: bool) -> bool:
    if cookie.secure and not secure:
        return False
    start = cookie.name.lower()
    if start.startswith("__secure-"):
        return cookie.secure
    if start.startswith("__host-"):
        return cookie.secure and cookie.host_only and path == "/"
    # Without a name, the value would be sent as if it had one.
    return bool(cookie.name) or not cookie.value.lower().startswith(("__secure-", "__host-"))


def _attribute(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    value = value.strip(" \t")
    return name.strip(" \t").lower(), value if len(value) <= _LONGEST_ATTRIBUTE else ""


def _domain(said: str, name: str) -> str | None:
    """The domain that a cookie is for; empty for the host alone, None if that host must not set it."""
    domain = said.lower().removeprefix(".")
    if not domain or (domain == name and (is_address(Host(name)) or is_public_suffix(domain))):
        return ""
    if not _below(name, domain) or is_public_suffix(domain):
        return None
    return domain


def _expires(attributes: dict[str, str], now: float) -> float | None:
    age = attributes.get("max-age", "")
    digits = age.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        return now if age.startswith("-") else now + min(float(digits), _LONGEST_LIFE)
    try:
        when = parsedate_to_datetime(attributes.get("expires", "")[:_LONGEST_DATE]).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return min(when, now + _LONGEST_LIFE)


def is_public_suffix(domain: str) -> bool:
    """Whether everybody can have a name below it: `com`, `co.uk`, `github.io`."""
    return bool(_suffixes().is_public(domain))


@cache
def _suffixes() -> PublicSuffixList:
    # Reading the list takes 30 ms, which only crawls with cookies need.
    return PublicSuffixList()


def _name(host: Host) -> str:
    """The host without its port: cookies know no ports."""
    return (
        host if host.endswith("]") else host.partition(":")[0] if not host.startswith("[") else host.rpartition(":")[0]
    )


def _above(name: str) -> Iterator[str]:
    """The name, and each domain above it; an address has none."""
    yield name
    if is_address(Host(name)):
        return
    while dot := name.find(".") + 1:
        name = name[dot:]
        yield name


def _below(name: str, domain: str) -> bool:
    return name == domain or (name.endswith("." + domain) and not is_address(Host(name)))


def _path(url: Url) -> str:
    return url[url.index("/", 8) :].partition("?")[0]


def _default_path(url: Url) -> str:
    path = _path(url)
    return path[: path.rindex("/")] or "/"


def _within(path: str, cookie_path: str) -> bool:
    return path == cookie_path or (
        path.startswith(cookie_path) and (cookie_path.endswith("/") or path[len(cookie_path)] == "/")
    )


def _plain(text: str) -> bool:
    """Whether it has no controls but tabs."""
    return text.isprintable() or not any((c < " " and c != "\t") or c == "\x7f" for c in text)
