"""What is sent to some hosts alone and kept nowhere: cookies, tokens, passwords. The archive is told `***` in their place."""

import time
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from thresher.errors import BadInput, did_you_mean
from thresher.fetch.cookie_file import SESSION, read_cookie_file
from thresher.fetch.cookies import CookieJar
from thresher.model import Headers, Host, Url
from thresher.online.keys import names_a_secret, secret_of
from thresher.urls import canonical, host_of, is_address

MASK = "***"
SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization"})
"""Headers that hold a secret whatever the user says."""
_KEYS = ("headers", "auth", "http")
_HOW = "env:NAME or keyring:SERVICE/NAME"


class _Login(NamedTuple):
    """More headers for one host."""

    sent: str
    kept: str
    http: bool
    """Whether they may be sent without encryption."""


class Private:
    """The cookies, and the headers of some hosts."""

    def __init__(self, hosts: Mapping[str, Mapping[str, Any]], cookies: str, *, proxied: bool = False) -> None:
        self._logins = dict(_login(key, table, proxied=proxied) for key, table in hosts.items())
        given = [] if cookies in {"", SESSION} else read_cookie_file(Path(cookies), time.time())
        self._jar = CookieJar(given) if cookies else None

    def lines(self, url: Url, host: Host) -> tuple[str, str]:
        """Lines for the head of a request: as they are sent, and as they are kept."""
        sent = kept = ""
        login = self._logins.get(host)
        if login is not None and (login.http or url.startswith("https:")):
            sent, kept = login.sent, login.kept
        if self._jar is not None and (cookies := self._jar.header(url, host, time.time())):
            sent, kept = f"{sent}Cookie: {cookies}\r\n", f"{kept}Cookie: {MASK}\r\n"
        return sent, kept

    def taken(self, url: Url, host: Host, headers: Headers) -> Headers:
        """The headers of an answer as they are kept; what they set is taken into the jar, where there is one."""
        if self._jar is None and host not in self._logins:
            return headers
        if self._jar is not None:
            self._jar.take(url, host, headers, time.time())
        return tuple(
            (name, _masked(value)) if name.lower() == b"set-cookie" else (name, value) for name, value in headers
        )


def private(
    hosts: Mapping[str, Mapping[str, Any]] | None, cookies: str | None, *, proxied: bool = False
) -> Private | None:
    """None if nothing is private, as in most crawls."""
    return Private(hosts or {}, cookies or "", proxied=proxied) if hosts or cookies else None


def _masked(set_cookie: bytes) -> bytes:
    """`name=***; Path=/`: what the cookie is for may be kept."""
    pair, semicolon, rest = set_cookie.partition(b";")
    name, equals, _ = pair.partition(b"=")
    return (name + equals if equals else b"") + MASK.encode() + semicolon + rest


def _login(key: str, table: Mapping[str, Any], *, proxied: bool) -> tuple[Host, _Login]:
    where = f"[fetch.hosts.{key!r}]"
    url = canonical(f"https://{key}/")
    if url is None or url.count("/") != 3 or "@" in key or "*" in key:
        raise BadInput(f"{where}: {key!r} is not a host, such as docs.example.org or localhost:8080")
    for each in table:
        if each not in _KEYS:
            raise BadInput(f"{where} has no key {each!r}{did_you_mean(each, _KEYS)}; its keys: {', '.join(_KEYS)}")
    host, http = host_of(url), table.get("http", False)
    if not isinstance(http, bool):
        raise BadInput(f"{where}: http must be true or false")
    pairs = [_header(name, value, where) for name, value in _headers(table, where).items()]
    pairs += [_basic(table["auth"], where)] if "auth" in table else []
    sent = "".join(f"{name}: {value}\r\n" for name, value, _ in pairs)
    kept = "".join(f"{name}: {MASK if secret else value}\r\n" for name, value, secret in pairs)
    return host, _Login(sent, kept, http or (not proxied and _is_loopback(host)))


def _is_loopback(host: Host) -> bool:
    """Whether what is sent there does not leave this machine."""
    name = host.partition(":")[0]
    return is_address(host) and (host.startswith(("127.", "[::1]")) or name.endswith("localhost"))


def _headers(table: Mapping[str, Any], where: str) -> Mapping[str, str]:
    headers = table.get("headers", {})
    if not isinstance(headers, Mapping) or not all(isinstance(value, str) for value in headers.values()):
        raise BadInput(f"{where}: headers must be a table of texts")
    return headers


def _header(name: str, value: str, where: str) -> tuple[str, str, bool]:
    if not name or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise BadInput(f"{where}: headers has {name!r}, but the name of a header must be letters, digits and '-'")
    secret = names_a_secret(value)
    if name.lower() in SECRET_HEADERS and not secret:
        raise BadInput(f"{where}: the header {name} holds a secret, which belongs in no file: write {_HOW}")
    return name, _one_line(secret_of(value, f"{where}: {name}") if secret else value, f"{where}: {name}"), secret


def _basic(value: Any, where: str) -> tuple[str, str, bool]:
    if not isinstance(value, str) or not names_a_secret(value):
        raise BadInput(f"{where}: auth names a user and a password, which belong in no file: write {_HOW}")
    login = _one_line(secret_of(value, f"{where}: auth"), f"{where}: auth")
    if ":" not in login:
        raise BadInput(f"{where}: auth is {value}, but that does not hold USER:PASSWORD")
    return "Authorization", f"Basic {b64encode(login.encode('utf-8', 'surrogateescape')).decode()}", True


def _one_line(value: str, where: str) -> str:
    if any(c < " " or c == "\x7f" for c in value):
        raise BadInput(f"{where} must not have line breaks or other controls")
    return value
