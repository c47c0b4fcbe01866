"""The settings of a crawl: read from a crawl file, the folder and the command line, checked, and written back as a crawl file."""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tomli_w

from thresher import plugins
from thresher.disk.crawl_home import Home
from thresher.disk.folder import read_text
from thresher.disk.guarded_toml import read_toml
from thresher.errors import BadInput, did_you_mean
from thresher.knowledge import anchored
from thresher.model import Url
from thresher.seed.named_urls import seed_urls
from thresher.urls import masked_login

Table = Mapping[str, Any]

_MOST_WORKERS = 1000


@dataclass(frozen=True, slots=True)
class Manners:
    """The `[polite]` table: how to behave towards hosts."""

    contact: str = ""
    """A mail address or web page of the person responsible for the crawl; it is part of the user agent."""
    delay: float = 1.0
    """Seconds between two requests to a host, unless its robots.txt asks for more."""
    per_host: int = 1
    """How many requests may be sent to a host at the same time."""
    robots: bool = True
    """Whether robots.txt is obeyed. Switch it off for your own site only."""
    allow_private: bool = False
    """Whether private, loopback and link-local addresses may be fetched. A seed with such an address allows it for that host alone."""

    respect_tdm: bool = False
    """Whether pages that reserve text and data mining are left out: nothing of them is kept, and their links are not followed."""

    def __post_init__(self) -> None:
        if self.contact and not re.search(r"@|^https?://", self.contact):
            raise BadInput(f"[polite]: contact {self.contact!r} is neither a mail address nor a web address")
        if not self.contact.isprintable():
            raise BadInput(f"[polite]: contact is {self.contact!r}, but must be one line without control characters")
        if not 0 <= self.delay < math.inf:
            raise BadInput(f"[polite]: delay is {self.delay}, but must be 0 or more seconds, such as 1.0")
        if self.per_host < 1:
            raise BadInput(f"[polite]: per_host is {self.per_host}, but must be at least 1")

    @property
    def user_agent(self) -> str:
        """Who we are, and whom to write to."""
        name = f"Thresher/{version('thresher')}"
        return f"{name} (+{self.contact})" if self.contact else name


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a crawl file can say. Each table's keys are the keywords of the part it sets up."""

    topic: str = ""
    """What the crawl is about, in words."""
    seeds: tuple[Url, ...] = ()
    """Where it starts."""
    workers: int = 16
    """How many pages are worked on at the same time."""
    strategy: Table = field(default_factory=lambda: {"name": "apprentice"})
    """Chooses the next links: a name and its keys."""
    judge: Table = field(default_factory=lambda: {"name": "terms"})
    """Decides whether a page is on topic: a name and its keys."""
    knowledge: Table = field(default_factory=dict)
    """Where to learn more about the topic than its words."""
    search: Table = field(default_factory=dict)
    """Which search engines are asked for seeds if none are given."""
    budget: Table = field(default_factory=dict)
    """When to stop."""
    polite: Table = field(default_factory=dict)
    """How to behave towards hosts."""
    scope: Table = field(default_factory=dict)
    """Which urls belong to the crawl."""
    frontier: Table = field(default_factory=dict)
    """Quotas, caps, leases and back-off."""
    fetch: Table = field(default_factory=dict)
    """Time-outs, sizes, content types, proxy."""
    links: Table = field(default_factory=dict)
    """Links that no person can click: feeds, sitemaps and the like."""
    documents: Table = field(default_factory=dict)
    """Which documents are read beside pages, and what that may take."""
    hands: Table = field(default_factory=dict)
    """Processes that fetch and read pages beside the crawl."""
    browser: Table = field(default_factory=dict)
    """Whether a browser renders pages that are empty without scripts."""
    store: Table = field(default_factory=dict)
    """How pages are kept."""

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= _MOST_WORKERS:
            raise BadInput(f"workers is {self.workers}, but must be from 1 to {_MOST_WORKERS}")

    def with_changes(self, changes: Table, where: str) -> "Settings":
        """These settings with some keys set anew; tables are merged key by key."""
        known = list(self.__slots__)
        for key in changes:
            if key not in known:
                raise BadInput(f"{where} has no key {key!r}{did_you_mean(key, known)}; its keys: {', '.join(known)}")
        return replace(self, **{key: self._merged(key, value, where) for key, value in changes.items()})

    def _merged(self, key: str, value: Any, where: str) -> Any:
        before = getattr(self, key)
        if isinstance(before, dict):
            table = {"name": value} if isinstance(value, str) else value
            if not isinstance(table, dict):
                raise BadInput(f"{where}: {key} is a table, not {value!r}")
            if not isinstance(table.get("name", ""), str):
                raise BadInput(f"{where}: {key}.name is {table['name']!r}, but must be text")
            # Another part has other keys, so its table starts empty.
            return table if "name" in table and table["name"] != before.get("name") else {**before, **table}
        if key == "seeds":
            if not isinstance(value, (list, tuple)):
                raise BadInput(f"{where}: seeds is {value!r}, but must be a list of urls")
            return tuple(seed_urls(value))
        if type(value) is not type(before):
            raise BadInput(f"{where}: {key} is {value!r}, but must be {plugins.in_words(type(before))}")
        return value

    def as_toml(self, *, whole: bool = False) -> str:
        """The settings as a crawl file, without API keys and passwords of proxies; `whole` only for other processes of the crawl."""
        search = {key: value for key, value in self.search.items() if not key.endswith("_key")}
        fetch = self.fetch if whole else {key: _without_password(key, value) for key, value in self.fetch.items()}
        tables = {key: getattr(self, key) for key in self.__slots__} | {"search": search, "fetch": fetch}
        return tomli_w.dumps({key: value for key, value in tables.items() if value})


def _without_password(key: str, value: Any) -> Any:
    if key not in {"proxy", "proxies"}:
        return value
    return masked_login(value) if isinstance(value, str) else [masked_login(each) for each in value]


def with_paths(tables: Table, base: Path) -> dict[str, Any]:
    """The tables with the paths in them made absolute, so that a crawl can be continued from any folder."""
    found, knowledge, fetch = dict(tables), tables.get("knowledge"), tables.get("fetch")
    if isinstance(knowledge, Mapping):
        found["knowledge"] = anchored(knowledge, base)
    # "session" is no file: servers fill an empty jar.
    if isinstance(fetch, Mapping) and isinstance(cookies := fetch.get("cookies"), str):
        if "\0" in cookies:
            raise BadInput(f"[fetch]: cookies is {cookies!r}, which is no path")
        if cookies not in {"", "session"}:
            found["fetch"] = {**fetch, "cookies": str((base / cookies).resolve())}
    return found


def read_crawl_file(path: Path, what: str = "a crawl file") -> dict[str, Any]:
    """The tables of a crawl file, or of another TOML file that a person writes."""
    return _tables(read_text(path, what), str(path), what)


def kept_tables(home: Home) -> dict[str, Any]:
    """The tables of the settings that a crawl goes on with."""
    return _tables(home.settings_text(), home.settings_name, "a crawl file")


def _tables(text: str, name: str, what: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{name} is not {what}: {error}") from error


def settle_settings(folder: Home, wanted: Table, where: str) -> Settings:
    """The settings to crawl with: those of an earlier run in the folder, and what is wanted now on top. The caller writes them."""
    before = Settings()
    wanted = with_paths(wanted, Path())
    if folder.exists:
        before = before.with_changes(kept_tables(folder), folder.settings_name)
        _same_crawl(before, wanted, folder)
    settings = before.with_changes(wanted, where)
    # Seeds are added: those that the crawl began with stay.
    settings = replace(settings, seeds=tuple(dict.fromkeys((*before.seeds, *settings.seeds))))
    if not settings.topic:
        raise BadInput("no topic: say what to look for, such as --topic 'iris eye'")
    if not settings.seeds:
        raise BadInput("no seeds: say where to start with --seed URL or --seeds FILE-OR-URL")
    return settings


def _same_crawl(settings: Settings, wanted: Table, folder: Home) -> None:
    """Check that topic, knowledge, judge and strategy are those the folder began with: mixing them would spoil both crawls."""
    anew = settings.with_changes(wanted, "the command line")
    for key in ("topic", "knowledge", "judge", "strategy"):
        before, after = getattr(settings, key), getattr(anew, key)
        if before != after:
            other = "--into" if isinstance(folder.path, Path) else "?schema="
            raise BadInput(f"{folder.path} is a crawl with {_difference(key, before, after)}: choose another {other}")


def _difference(key: str, before: Any, after: Any) -> str:
    """What differs: the names of two parts, or the keys of a table."""
    if not isinstance(before, dict):
        return f"{key} {before!r}, not {after!r}"
    if before.get("name") != after.get("name"):
        return f"{key} {_shown(before.get('name'))}, not {_shown(after.get('name'))}"
    keys = [each for each in {**before, **after} if before.get(each) != after.get(each)]
    return ", and ".join(f"{key}.{each} {_shown(before.get(each))}, not {_shown(after.get(each))}" for each in keys)


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_shown, value)) or "none"
    return "none" if value is None else repr(value)
