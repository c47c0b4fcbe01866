"""What the argument and the options of a crawl mean, as a crawl file."""

import difflib
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from thresher.cli.plain_output import say
from thresher.disk.crawl_home import Place, home_of
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_toml import read_toml
from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import BadInput
from thresher.model import Url
from thresher.seed.named_urls import seed_urls
from thresher.seed.sources import seeds_from
from thresher.settings import read_crawl_file, with_paths
from thresher.start import check_wanted, reach_of

# A comma inside a list does not separate keys.
_ANOTHER_KEY = re.compile(r",(?=\s*+[\w-]++\s*+=)")
_SEVERAL_SENSES = re.compile(r"[\w.]++(?:\s*+,\s*+[\w.]++)++")
_CLOSE = 0.85
"""From this similarity on two names may differ by a typing error: 0 is not similar at all, 1 is the same."""

_LONGEST_NAME = 255
"""Bytes: nothing on a disk has a longer name."""
_PARTS = ("strategy", "judge")
# The place of each option in a crawl file.
_PLACES = {
    "topic": "topic",
    "workers": "workers",
    "hands": "hands.count",
    "threshold": "judge.threshold",
    "ontologies": "knowledge.ontologies",
    "sense": "knowledge.senses",
    "terms": "knowledge.terms",
    "taxonomy": "knowledge.taxonomy",
    "target": "knowledge.targets",
    "rules": "knowledge.rules",
    "language": "knowledge.languages",
    "like": "knowledge.like",
    "pages": "budget.pages",
    "relevant_pages": "budget.relevant",
    "minutes": "budget.minutes",
    "when_spent": "budget.when_spent",
    "delay": "polite.delay",
    "contact": "polite.contact",
    "allow_private": "polite.allow_private",
    "respect_tdm": "polite.respect_tdm",
    "depth": "scope.depth",
    "domain": "scope.domains",
    "host": "scope.hosts",
    "prefix": "scope.prefixes",
    "include": "scope.patterns",
    "exclude": "scope.deny_patterns",
    "exclude_domain": "scope.deny_domains",
    "exclude_host": "scope.deny_hosts",
    "exclude_prefix": "scope.deny_prefixes",
    "quota": "frontier.quota",
    "documents": "documents.read",
    "proxy": "fetch.proxy",
    "cookies": "fetch.cookies",
    "browser": "browser.when",
    "warc_place": "store.place",
}


class Source(NamedTuple):
    """Where a crawl's settings come from."""

    wanted: dict[str, Any]
    where: str = "the command line"
    """What an error names as their place."""
    into: Place | None = None
    """Where the crawl lives, if it is known."""
    word: bool = False
    """Whether a person typed the topic: then its meaning is looked up."""


def read_source(text: str, topic: str | None, into: Path | None) -> Source:
    """The settings that an argument stands for. A topic in words is the same as a word for argument, but never a file or a folder."""
    if topic is None and (address := LedgerAddress.of(text)) is not None:
        return _kept_in(address)
    path = Path(text)
    if not text:
        return Source({}, into=into, word=topic is not None)
    if topic is None and os.sep not in text and len(os.fsencode(text)) > _LONGEST_NAME:
        return Source({"topic": text}, into=into, word=True)
    folder = _crawl_folder(path)
    # With another folder named, `iris` is the word and not the earlier crawl.
    if folder is not None and (into is None or into.resolve() == folder.resolve()):
        return Source({}, into=folder)
    if folder is not None and len(path.parts) > 1:
        raise BadInput(
            f"{text} is a crawl and continues in its own folder, not in --into {into}: to begin another crawl there, say what to look for"
        )
    if path.suffix == ".toml":
        return _crawl_file(path, into)
    if topic is not None:
        raise BadInput(f"{text!r} and --topic {topic!r} are two topics: give one of them")
    _refuse_what_is_no_word(text, path, into)
    if into is None:
        _warn_of_a_slip(text)
    return Source({"topic": text}, into=into, word=True)


def ledger_of(text: str) -> LedgerAddress:
    """The address that an option or an argument must be."""
    address = LedgerAddress.of(text)
    if address is None:
        said = "that" if "@" in text else f"{text!r:.200}"  # there may be a password in it
        raise BadInput(f"{said} is no address of PostgreSQL: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE")
    return address


def _kept_in(address: LedgerAddress) -> Source:
    home = home_of(address)
    if not home.exists:
        raise BadInput(f"{address} {home.fault}")
    return Source({}, into=address)


def _crawl_folder(path: Path) -> Path | None:
    for folder in (CrawlFolder(path), CrawlFolder(path.parent)):
        if folder.exists and path in {folder.path, folder.settings} and folder.database.exists():
            return folder.path
    return None


def _crawl_file(path: Path, into: Path | None) -> Source:
    tables = read_crawl_file(path)
    own = tables.pop("into", None)
    if not isinstance(own, str | None):
        raise BadInput(f"{path}: into is {own!r}, but must be text: the folder of the crawl")
    return Source(with_paths(tables, path.parent), str(path), into or (path.parent / own if own else None))


def _refuse_what_is_no_word(text: str, path: Path, into: Path | None) -> None:
    if "://" in text:
        raise BadInput(f"{text!r} is a web address: start there with --seed {text}, and say what to look for")
    if CrawlFolder(path).moving.exists():
        raise BadInput(f"{path} {CrawlFolder(path).fault}")
    # A crawl that was killed before it had begun leaves its folder behind.
    if path.is_dir() and (into or CrawlFolder(path).warc.exists()):
        return
    if path.is_dir():
        raise BadInput(
            f"{text!r} is a folder here, but it holds no crawl: to crawl for the word, choose another folder with --into DIR"
        )
    if path.exists() or os.sep in text:
        raise BadInput(f"{text!r} is neither a crawl file (*.toml) nor a crawl folder")


def _warn_of_a_slip(word: str) -> None:
    """Warn if `iris-ey` is typed and there is a crawl in `iris-eye`; ask if a person can answer."""
    here = [path.parent.name for path in Path().glob("*/crawl.toml")] + [path.name for path in Path().glob("*.toml")]
    for name in difflib.get_close_matches(word, here, n=1, cutoff=_CLOSE):
        say(f"there is a crawl named {name} here: thresher crawl {name} continues it")
        if sys.stdin.isatty() and not click.confirm(f"Begin a new crawl for {word!r}?", err=True):
            raise click.exceptions.Exit(1)


def _seeds_of(names: Sequence[str], wanted: Mapping[str, Any], where: str) -> list[Url]:
    """The urls that files and web addresses list, fetched as politely as in the crawl itself."""
    if names:
        check_wanted(wanted, where)  # before a server is asked
    reach = reach_of(wanted)
    return [url for name in names for url in seeds_from(name, reach, _tell)]


def _tell(text: str) -> None:
    if not click.get_current_context().params.get("quiet"):
        say(text)


def place_options(
    wanted: dict[str, Any],
    seed: Sequence[str],
    seed_lists: Sequence[str],
    options: Mapping[str, Any],
    where: str = "the command line",
) -> None:
    """Put the options and the seeds where a crawl file has them."""
    _place_values(wanted, options)
    if seed or seed_lists:
        wanted["seeds"] = seed_urls([*seed, *_seeds_of(seed_lists, wanted, where)])
    elif isinstance(wanted.get("seeds"), list):
        wanted["seeds"] = seed_urls(wanted["seeds"])


def _place_values(wanted: dict[str, Any], options: Mapping[str, Any]) -> None:
    options = {**options, "sense": tuple(_senses(options.get("sense", ())))}
    for name in _PARTS:
        if (text := options.get(name)) is not None:
            wanted[name] = _joined(wanted.get(name), part_table(text, f"--{name}"))
    for name, place in _PLACES.items():
        value = options.get(name)
        if value is not None and value != ():
            put(wanted, place, list(value) if isinstance(value, tuple) else value)
    for pair in options.get("extra", ()):
        place, equals, value = pair.partition("=")
        if not equals:
            raise BadInput(f"--set {pair!r} is not of the form TABLE.KEY=VALUE")
        put(wanted, place, toml_value(value))


def _joined(before: Any, named: dict[str, Any]) -> dict[str, Any]:
    """A part that is named again keeps its other keys; another part has others."""
    known = {"name": before} if isinstance(before, str) else before
    same = isinstance(known, dict) and known.get("name", named["name"]) == named["name"]
    return {**known, **named} if same else named


def _senses(given: Iterable[str]) -> Iterator[str]:
    """`--sense 2,3` is two senses, as in the answer to the question."""
    for each in given:
        yield from map(str.strip, each.split(",")) if _SEVERAL_SENSES.fullmatch(each.strip()) else [each]


def put(wanted: dict[str, Any], place: str, value: Any) -> None:
    """Put a value where a crawl file has it: `budget.pages`."""
    *tables, key = place.split(".")
    for table in tables:
        inner = wanted.setdefault(table, {})
        if isinstance(inner, str):  # strategy = "best-first", the short form of a table
            inner = wanted[table] = {"name": inner}
        if not isinstance(inner, dict):
            raise BadInput(f"{place}: {table} is {inner!r}, but must be a table")
        wanted = inner
    wanted[key] = value


def toml_value(text: str) -> Any:
    """Numbers, truth values and lists as in a crawl file; anything else is text.

    >>> toml_value("0.5"), toml_value("true"), toml_value("robust")
    (0.5, True, 'robust')
    """
    try:
        return read_toml(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def part_table(text: str, option: str) -> dict[str, Any]:
    """A strategy or a judge with its keys: `lokman:profile=robust,window=5`."""
    name, _, keys = text.partition(":")
    table: dict[str, Any] = {"name": name}
    for pair in _ANOTHER_KEY.split(keys) if keys else ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"{option} {text!r}: {pair!r} is not of the form KEY=VALUE; write NAME:KEY=VALUE,KEY=VALUE")
        if key.strip() == "name":
            raise BadInput(f"{option} {text!r} has two names: write {option} {name} or {option} {value.strip()}")
        table[key.strip()] = toml_value(value.strip())
    return table
