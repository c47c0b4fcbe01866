"""What the Tab key offers: names of strategies and judges, of ontologies, of crawl folders and of things beside them."""

from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from thresher import plugins
from thresher.topic.ontologies import KNOWN

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_FILE = CompletionItem("", type="file")
"""The shell completes names of files itself."""


def parts(kind: str) -> Complete:
    """The installed strategies, or judges."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in plugins.names(kind) if name.startswith(typed)]

    return complete


def ontologies(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The ontologies with a name; else a file."""
    return [CompletionItem(each.name) for each in KNOWN if each.name.startswith(typed) and each.find()] or [_FILE]


def crawls(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Crawl folders, and crawl files beside them."""
    base = Path(f"{typed}…").parent
    folders = (path.parent for path in base.glob("*/crawl.toml"))
    found = sorted(str(path) for path in (*folders, *base.glob("*.toml")) if str(path).startswith(typed))
    return [CompletionItem(each) for each in found] or [_FILE]
