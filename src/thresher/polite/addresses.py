"""Which addresses the crawl may reach: the public ones, unless the user says otherwise."""

from collections.abc import Collection, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# Not public, whatever Python's `ipaddress` says: it differs from version to version. IANA's registry of special addresses, and
# addresses at which clouds tell secrets to whoever asks from inside: 169.254.169.254, 100.100.100.200, 192.0.0.192, 168.63.129.16.
_SPECIAL = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
    203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
"""
_CLOSED_4 = [IPv4Network(network) for network in _SPECIAL.split()]
_OPEN_6 = IPv6Network("2000::/3")
"""All that was ever given out; the rest is for this machine, this network, groups, or nobody."""
_CLOSED_6 = [IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "3fff::/20")]
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
_6TO4 = IPv6Network("2002::/16")
_ISATAP = {0x00005EFE, 0x02005EFE}
"""The third quarter of an IPv6 address whose last quarter is an IPv4 address of the network it leads to."""
_ALL = 0xFFFFFFFF


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

    An IPv6 address that carries an IPv4 address (mapped, 6to4, Teredo, NAT64, ISATAP) is as private as what it carries.
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return True
    if isinstance(ip, IPv4Address):
        return _closed_4(ip)
    return any(map(_closed_4, _carried(ip))) or _closed_6(ip)


def _carried(ip: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses within: those that packets to it would be sent to, sooner or later."""
    number = int(ip)
    if ip in _MAPPED or ip in _NAT64 or number >> 32 & _ALL in _ISATAP:
        yield IPv4Address(number & _ALL)
    if ip in _6TO4:
        yield IPv4Address(number >> 80 & _ALL)
    if ip in _TEREDO:
        yield IPv4Address(number >> 64 & _ALL)
        yield IPv4Address(~number & _ALL)


def _closed_4(ip: IPv4Address) -> bool:
    # `is_global` leaves multicast open.
    return any(ip in network for network in _CLOSED_4) or not ip.is_global or ip.is_multicast


def _closed_6(ip: IPv6Address) -> bool:
    if ip in _MAPPED or ip in _NAT64 or ip in _TEREDO or ip in _6TO4:
        return False  # it is what it carries
    return ip not in _OPEN_6 or any(ip in network for network in _CLOSED_6) or not ip.is_global
