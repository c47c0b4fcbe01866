"""What a generated web may be like: the numbers that make sense, and those that are refused with a word on what would."""

from collections.abc import Mapping, Sequence
from typing import Any

from thresher.errors import BadInput
from thresher.lab.webs.translations import LANGUAGES
from thresher.urls import canonical

_LEAST = {"size": 1, "links": 0, "words": 0, "crawl_delay": 0}
_SHARES = ("locality", "honesty", "mixed")


def check_shape(hosts: Sequence[str] | int, shape: Mapping[str, Any]) -> None:
    """Refuse a web that cannot be."""
    for key, least in _LEAST.items():
        if shape[key] is not None and not shape[key] >= least:
            raise BadInput(f"{key} is {shape[key]}, but must be {least} or more")
    for key in _SHARES:
        if not 0 <= shape[key] <= 1:
            raise BadInput(f"{key} is {shape[key]}, but must be a share from 0 to 1")
    if shape["language"] not in LANGUAGES:
        raise BadInput(f"language is {shape['language']!r}, but must be one of {', '.join(map(repr, LANGUAGES))}")
    _check_hosts(hosts, shape["size"])


def _check_hosts(hosts: Sequence[str] | int, size: int) -> None:
    names = [] if isinstance(hosts, int) else list(hosts)
    count = hosts if isinstance(hosts, int) else len(names)
    if not 1 <= count <= size:
        raise BadInput(f"{size} pages cannot have {count} hosts: give hosts from 1 to {size}, or a larger size")
    for host in names:
        if canonical(f"http://{host}/") != f"http://{host}/":
            raise BadInput(f"hosts: {host!r} is no name of a host, such as 'eyes.example'")
        if names.count(host) > 1:
            raise BadInput(f"hosts: {host!r} is there twice")
