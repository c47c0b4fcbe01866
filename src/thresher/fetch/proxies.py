"""The proxies of a crawl, over HTTP or SOCKS. A host always goes by the same one; one that is dead is passed over for a while."""

import time
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NamedTuple

from xxhash import xxh3_64_intdigest
from yarl import URL

from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.model import Host
from thresher.online.keys import names_a_secret, secret_of
from thresher.urls import MASKED_LOGIN, canonical, masked_login

PASSED_OVER = 60.0
"""Seconds for which a proxy that gave no answer is passed over."""
_HTTP = {"http", "https"}
_SOCKS = {"socks5": False, "socks5h": True, "socks4": False, "socks4a": True}
"""Scheme → whether the proxy looks up names; otherwise we do, and the guard sees the addresses."""
_PORTS = {"http": 80, "https": 443}
_SOCKS_PORT = 1080


class Proxy(NamedTuple):
    """One proxy."""

    url: URL
    shown: str
    """Its url without user name and password."""

    @property
    def socks(self) -> bool:
        """Whether it speaks SOCKS."""
        return self.url.scheme in _SOCKS

    @property
    def looks_up(self) -> bool:
        """Whether the proxy looks up names, and we send it those."""
        return _SOCKS.get(self.url.scheme, True)

    @property
    def place(self) -> tuple[str, int]:
        """Its host and port."""
        return self.url.host or "", self.url.explicit_port or _PORTS.get(self.url.scheme, _SOCKS_PORT)


class Proxies:
    """Which proxy a host goes by."""

    def __init__(self, all_of_them: Sequence[Proxy]) -> None:
        self._all = tuple(all_of_them)
        self._dead_until = dict.fromkeys(self._all, 0.0)

    def __bool__(self) -> bool:
        return bool(self._all)

    def of(self, host: Host) -> Proxy | None:
        """The proxy for a host; None if there are none. If all are dead, the one that it has when all live."""
        if len(self._all) < 2:
            return self._all[0] if self._all else None
        # Each host has an order of its own: if a proxy dies, its hosts spread over the others, and no other host moves.
        order = sorted(self._all, key=lambda proxy: xxh3_64_intdigest(f"{host} {proxy.shown}".encode()))
        now = time.monotonic()
        return next((proxy for proxy in order if self._dead_until[proxy] <= now), order[0])

    def lost(self, proxy: Proxy) -> bool:
        """It gave no answer. Whether another may give one."""
        self._dead_until[proxy] = time.monotonic() + PASSED_OVER
        return any(until <= time.monotonic() for until in self._dead_until.values())


def read_proxies(proxy: str | None, proxies: str | Sequence[str] | None) -> list[Proxy]:
    """The proxies that the keys `proxy` and `proxies` of a crawl file name."""
    several = [proxies] if isinstance(proxies, str) else list(proxies or ())
    named = [("proxy", proxy)] if proxy else []
    return list(dict.fromkeys(_read(key, text) for key, text in (*named, *(("proxies", each) for each in several))))


def _read(key: str, text: str) -> Proxy:
    url = secret_of(text, f"[fetch]: {key}") if names_a_secret(text) else text
    if MASKED_LOGIN in url:
        raise BadInput(
            f"[fetch]: {key} is {text!r}: the password is not kept in the folder; name the proxy again, or write it as env:NAME"
        )
    scheme, _, rest = url.partition("://")
    parsed = _parsed(f"{scheme.lower()}://{rest}")
    # The browsers' rules alone would take `http:nonsense` for a host.
    if scheme.lower() not in _HTTP | _SOCKS.keys() or canonical(f"http://{rest}") is None or parsed is None:
        raise BadInput(
            f"[fetch]: {key} is {masked_login(text)!r}, but must be the url of a proxy (http, https, socks5, socks5h, socks4 or socks4a), "
            "such as http://127.0.0.1:3128"
        )
    if scheme.lower() in _SOCKS and find_spec("python_socks") is None:
        raise BadInput(f"[fetch]: {key} is a SOCKS proxy, which needs another package: {install_hint('socks')}")
    return Proxy(parsed, masked_login(url))


def _parsed(url: str) -> URL | None:
    try:
        return URL(url)
    except ValueError:
        return None
