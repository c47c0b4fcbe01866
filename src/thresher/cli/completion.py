"""What the Tab key offers: names of strategies and judges, of ontologies and senses, of crawl folders and of things beside them.

Every description of a command imports this, and a key should be answered at once: what is needed for an answer is imported by it.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from thresher.errors import ThresherError

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_FILE, _FOLDER = CompletionItem("", type="file"), CompletionItem("", type="dir")
"""The shell completes names of files and folders itself."""


def parts(kind: str) -> Complete:
    """The installed strategies, or judges."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        from thresher import plugins  # noqa: PLC0415 - see above

        return [CompletionItem(name) for name in plugins.names(kind) if name.startswith(typed)]

    return complete


def ontologies(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The ontologies with a name; else a file."""
    with suppress(ThresherError):  # a release that is not where UMLS_META says
        return [CompletionItem(name) for name in _installed() if name.startswith(typed)] or [_FILE]
    return [_FILE]


def _installed() -> Iterator[str]:
    # Not from `known_ontologies`: that imports all that ontologies are made of.
    from thresher.ontology import places  # noqa: PLC0415 - see above
    from thresher.ontology.readers import hpo, mondo  # noqa: PLC0415

    finders = {"wordnet": places.wordnet, "mondo": mondo.find, "hpo": hpo.find, "umls": places.umls}
    for name, find in finders.items():
        # A key in the keyring is not looked for: that may ask for a password, and a key was only pressed.
        if find() is not None or (name == "umls" and places.UMLS_KEY in os.environ):
            yield name


def senses(ctx: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    """The meanings of the word that was typed, by their ids; by number, where one begins with a digit."""
    said = ctx.params
    # An option that still lacks its value keeps click from giving the arguments their names.
    words = said.get("phrase") or said.get("source") or ctx.args or [said.get("topic") or ""]
    if not any(words):
        return []  # before anything is opened

    from thresher.ontology.known_ontologies import KNOWN, open_ontology  # noqa: PLC0415 - see above
    from thresher.topic.sense_choice import meanings  # noqa: PLC0415

    named = said.get("ontologies") or [each.name for each in KNOWN if each.find()]
    try:
        found = meanings(" ".join(words), [open_ontology(name) for name in named])
    except ThresherError:
        return []  # a key is pressed in the middle of a line: nothing is an answer, an error is not
    names = [(str(each.number) if typed.isdigit() else each.concept.id, each.concept.gloss) for each in found]
    return [CompletionItem(name, help=gloss or None) for name, gloss in names if name.startswith(typed)]


def crawls(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Crawl folders, and crawl files beside them."""
    base = _base(typed)
    return _beginning(typed, (*_folders(base), *base.glob("*.toml"))) or [_FILE]


def folders(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Crawl folders; where there are none, any folder, as they may lie further down."""
    return _beginning(typed, _folders(_base(typed))) or [_FOLDER]


def _base(typed: str) -> Path:
    return Path(f"{typed}…").parent


def _folders(base: Path) -> Iterator[Path]:
    return (path.parent for path in base.glob("*/crawl.toml"))


def _beginning(typed: str, paths: Iterable[Path]) -> list[CompletionItem]:
    return [CompletionItem(each) for each in sorted(map(str, paths)) if each.startswith(typed)]
