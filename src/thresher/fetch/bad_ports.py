"""The ports that browsers open for no page, since something other than the web listens there and might take a request for its own.

The list is that of the Fetch standard (*port blocking*), and port 0. A link is all it takes to aim a crawl at somebody's
mail server; so these are refused wherever the url comes from, seeds included.
"""

from thresher.model import Host, Refused

_BAD = """
    0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
    137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
    1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
"""
BAD_PORTS = frozenset(map(int, _BAD.split()))


def bad_port(host: Host) -> Refused | None:
    """The refusal of a host whose port is on the list."""
    _, colon, port = host.rpartition("]")[2].rpartition(":")
    return Refused("bad-port", f"{host}: no web server is on port {port}") if colon and int(port) in BAD_PORTS else None
