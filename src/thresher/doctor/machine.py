"""What the machine gives a crawl: room on the disk, open files, a place for caches."""

import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from thresher.disk.caches import cache_folder
from thresher.doctor.findings import Finding, broken, good, missing
from thresher.fetch.descriptors import share
from thresher.settings import Settings

_MACHINE = "Machine"
_LEAST_ROOM, _LITTLE_ROOM = 100 * 10**6, 2 * 10**9
"""Bytes: with less a crawl soon ends with a full disk, or after some hours."""


def machine(folder: Path | None = None) -> Iterator[Finding]:
    """The disk where a crawl of this folder would go, the limit of open files, the cache folder, proxies of the environment."""
    yield _disk(folder or Path.cwd())
    yield _files()
    yield _cache()
    yield from _proxies()


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    said = f"{_bytes(free)} free in {folder}"
    if free < _LEAST_ROOM:
        return broken(_MACHINE, "disk", f"{said}: too little for a crawl", "make room, or crawl --into another disk")
    if not os.access(folder, os.W_OK):
        return broken(_MACHINE, "disk", f"{folder} cannot be written", "crawl --into a folder of yours")
    if free < _LITTLE_ROOM:
        return missing(_MACHINE, "disk", f"{said}: little for a long crawl")
    return good(_MACHINE, "disk", said)


def _bytes(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 10**9 else f"{number / 1e6:,.0f} MB"


def _files() -> Finding:
    """Each connection is an open file. The limit is raised as a crawl raises it."""
    workers = Settings().workers
    room = share(workers)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = f"{_limit(soft)} (the system allows {_limit(hard)})"
    if room.under_way < workers:
        said = f"{limit}, enough for {room.under_way} of {workers} workers"
        return broken(_MACHINE, "open files", said, f"ulimit -n 1024, or --workers {room.under_way}")
    return good(_MACHINE, "open files", f"{limit}, enough for {workers} workers")


def _limit(number: int) -> str:
    return "any number" if number == resource.RLIM_INFINITY else f"{number:,}"


def _cache() -> Finding:
    folder = cache_folder()
    there = next(each for each in (folder, *folder.parents) if each.exists())
    with suppress(OSError), TemporaryFile(dir=there):
        return good(_MACHINE, "cache", f"{folder}")
    how = "set THRESHER_CACHE to a folder of yours"
    return missing(_MACHINE, "cache", f"{folder} cannot be written: ontologies are read anew each time", how)


def _proxies() -> Iterator[Finding]:
    named = [name for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy") if os.environ.get(name)]
    if named:
        said = f"{named[0]} is set, but a crawl goes through a proxy only if you name it"
        yield missing(_MACHINE, "proxy", said, "--proxy URL")
