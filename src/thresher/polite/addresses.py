"""Which addresses the crawl may reach: the public ones, unless the user says otherwise."""

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")


class AddressGuard:
    """Says whether a connection to an address is allowed for a host: `guard("example.org", "10.0.0.1")` is False.

    It must be asked of the very address that is connected to, after the name was resolved.
    """

    def __init__(self, *, allow_private: bool = False, hosts: Collection[str] = ()) -> None:
        """Lift the guard for all hosts, or for those that a seed names (`127.0.0.1:8000`) and no others."""
        self._allow_private = allow_private
        self._hosts = frozenset(hosts)

    def __call__(self, host: str, address: str) -> bool:
        """Whether the crawl may connect to the address for that host."""
        return self._allow_private or host in self._hosts or not is_private(address)


def is_private(address: str) -> bool:
    """Whether an address is not public: private, loopback, link-local, multicast, metadata, reserved, or none at all.

    An IPv6 address that carries an IPv4 address (mapped, 6to4, Teredo, NAT64) is as private as what it carries.
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return True
    if isinstance(ip, IPv6Address):
        carried = _carried(ip)
        return _closed(ip) if carried is None else _closed(carried)
    return _closed(ip)


def _carried(ip: IPv6Address) -> IPv4Address | None:
    if ip in _NAT64 or (ip in _COMPATIBLE and int(ip) > 1):
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.teredo is not None:
        return ip.teredo[1]
    return ip.ipv4_mapped or ip.sixtofour


def _closed(ip: IPv4Address | IPv6Address) -> bool:
    # `is_global` leaves multicast open, and reserved and site-local IPv6 too.
    site_local = isinstance(ip, IPv6Address) and ip.is_site_local
    return not ip.is_global or ip.is_multicast or ip.is_reserved or site_local
