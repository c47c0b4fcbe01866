"""What the argument of `thresher crawl` stands for: a crawl file, the folder of a crawl to go on with, or a word to look for."""

import difflib
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.knowledge import anchored
from thresher.settings import read_crawl_file

_CLOSE = 0.85
"""How alike two names are that differ by a slip: 0 not at all, 1 the same."""


class Source(NamedTuple):
    """Where a crawl's settings come from."""

    wanted: dict[str, Any]
    where: str = "the command line"
    """What an error names as their place."""
    into: Path | None = None
    """The folder of the crawl, if it is said."""
    word: bool = False
    """Whether the topic is all that is known."""


def read_source(text: str, into: Path | None) -> Source:
    """The settings that an argument stands for."""
    path = Path(text)
    if not text:
        return Source({}, into=into)
    folder = _crawl_folder(path)
    # With another folder named, `iris` is the word and not the crawl that went before.
    if folder is not None and (into is None or into.resolve() == folder.resolve()):
        return Source({}, into=folder)
    if folder is not None and len(path.parts) > 1:
        raise BadInput(
            f"{text} goes on where it is, not in --into {into}: name what to look for to begin another crawl there"
        )
    if path.suffix == ".toml":
        return _crawl_file(path, into)
    _refuse_what_is_no_word(text, path, into)
    _warn_of_a_slip(text)
    return Source({"topic": text}, into=into, word=True)


def _crawl_folder(path: Path) -> Path | None:
    for folder in (CrawlFolder(path), CrawlFolder(path.parent)):
        if folder.exists and path in {folder.path, folder.settings} and folder.database.exists():
            return folder.path
    return None


def _crawl_file(path: Path, into: Path | None) -> Source:
    tables = read_crawl_file(path)
    own = tables.pop("into", None)
    if isinstance(tables.get("knowledge"), dict):
        tables["knowledge"] = anchored(tables["knowledge"], path.parent)
    return Source(tables, str(path), into or (path.parent / str(own) if own else None))


def _refuse_what_is_no_word(text: str, path: Path, into: Path | None) -> None:
    if "://" in text:
        raise BadInput(f"{text!r} is a web address: start there with --seed {text}, and say what to look for")
    # A crawl that was killed before it had begun leaves its folder behind.
    if path.is_dir() and (into or CrawlFolder(path).warc.exists()):
        return
    if path.is_dir():
        raise BadInput(
            f"{text!r} is a folder here, but not of a crawl: to crawl for the word, name another with --into DIR"
        )
    if path.exists() or len(path.parts) > 1:
        raise BadInput(f"{text!r} is neither a crawl file (*.toml) nor the folder of a crawl")


def _warn_of_a_slip(word: str) -> None:
    """A crawl for `iris-ey` where there is one in `iris-eye` is hardly meant; who can be asked is asked."""
    here = [path.parent.name for path in Path().glob("*/crawl.toml")] + [path.name for path in Path().glob("*.toml")]
    for name in difflib.get_close_matches(word, here, n=1, cutoff=_CLOSE):
        click.echo(f"thresher: there is a crawl here named {name}: thresher crawl {name} goes on with it", err=True)
        if sys.stdin.isatty() and not click.confirm(f"Begin a new crawl for {word!r}?", err=True):
            raise click.exceptions.Exit(1)
