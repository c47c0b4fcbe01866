"""Hosts that want to be asked over https alone (HSTS, RFC 6797): an http url of theirs is redirected before it is sent, as browsers do."""

import time
from collections import OrderedDict

from thresher.model import Host, Response, Url
from thresher.urls import is_address

_REMEMBERED = 10_000
_LONGEST_LIFE = 2 * 365 * 86_400.0
_LONGEST = 1_000


class SecureHosts:
    """What hosts asked for, as long as the process lives."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, tuple[float, bool]] = OrderedDict()
        """Name → until when, and whether for all names below it too."""

    def note(self, host: Host, said: str) -> None:
        """Take what a host said over https in its header."""
        if is_address(host) or (read := _read(said[:_LONGEST])) is None:
            return
        name, (age, below) = _name(host), read
        self._hosts.pop(name, None)
        if age:
            self._hosts[name] = time.time() + age, below
            if len(self._hosts) > _REMEMBERED:
                self._hosts.popitem(last=False)

    def redirect(self, url: Url, host: Host) -> Response | None:
        """The answer to an http url of such a host, which is not asked for it; None if it may be."""
        if not self._hosts or not url.startswith("http:") or not self._knows(_name(host)):
            return None
        target = f"https{url[4:]}".encode()
        headers = (b"Location", target), (b"Non-Authoritative-Reason", b"HSTS")
        return Response(url, 307, headers, b"", b"", at=time.time())

    def _knows(self, name: str) -> bool:
        now, whole = time.time(), name
        while name:
            until, below = self._hosts.get(name, (0.0, False))
            if until > now and (below or name == whole):
                return True
            name = name.partition(".")[2]
        return False


def _name(host: Host) -> str:
    return host.partition(":")[0].rstrip(".")


def _read(said: str) -> tuple[float, bool] | None:
    """Seconds, and whether for names below; None if the header is not one."""
    directives: dict[str, str] = {}
    for each in said.split(";"):
        name, _, value = each.partition("=")
        name = name.strip().lower()
        if name in directives:
            return None
        if name:
            directives[name] = value.strip().strip('"')
    age = directives.get("max-age", "")
    if not (age.isascii() and age.isdigit()):
        return None
    return min(float(age), _LONGEST_LIFE), "includesubdomains" in directives
