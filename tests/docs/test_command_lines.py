"""Every `thresher …` that the docs and the help show is a command line that can be typed: its command, options and choices are there."""

import re
import shlex
from pathlib import Path

import click
import pytest
from tests.structure.test_declared_commands import every_command

from thresher.cli import thresher

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/**/*.md")]
)
_BLOCK = re.compile(r"^ *```(?:sh|console|bash)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(thresher [^`]+)`")
_SHELL = {"|", "&&", "||", ";", "&", ">", ">>", "2>", "<"}


def typed(text):
    """The words of the command lines in a text, one list for each."""
    for line in text.replace("\\\n", " ").splitlines():
        words = _words(line)
        while "thresher" in words:
            words = words[words.index("thresher") + 1 :]
            end = next((place for place, word in enumerate(words) if word in _SHELL or word.endswith(";")), len(words))
            yield words[:end]
            words = words[end:]


def _words(line):
    typed, _, _ = line.strip().removeprefix("$ ").partition("$(")  # what another program writes there is not known
    try:
        return shlex.split(typed, comments=True)
    except ValueError:  # a line of output with an apostrophe
        return []


def shown():
    for page in PAGES:
        text = page.read_text("utf-8")
        name = str(page.relative_to(ROOT))
        for block in _BLOCK.findall(text):
            starts = [
                line
                for line in block.replace("\\\n", " ").splitlines()
                if re.match(r"(\$ |[\w./]*/)?\S*thresher |.*[;&|] *thresher ", line.strip())
            ]
            yield from ((name, words) for line in starts for words in typed(line))
        yield from ((name, words) for line in _INLINE.findall(text) for words in typed(" ".join(line.split())))
    for name, command in every_command():
        _, _, examples = command.help.partition("\b\n")
        # Behind two spaces or more stands what an example does.
        lines = [re.split(r"\s{2,}", line.strip())[0] for line in examples.replace("\\\n", " ").splitlines()]
        yield from ((f"{name} --help", words) for line in lines for words in typed(line))


def parse(words):
    """Read a command line as click does before the work begins."""
    command, context = thresher, None
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        context = click.Context(command, info_name="thresher", parent=context)
        _, command, words = command.resolve_command(context, words)
    if words == ["--help"] or isinstance(command, click.Group):
        return
    try:
        command.make_context(command.name, list(words), parent=context)
    except click.MissingParameter:
        pass  # `thresher lab run` names the command
    except click.BadParameter as error:
        if "does not exist" not in error.message:
            raise


COMMAND_LINES = sorted({(page, shlex.join(words)) for page, words in shown() if words})


def test_there_are_command_lines_on_many_pages():
    assert len(COMMAND_LINES) > 200
    assert len({page for page, _ in COMMAND_LINES}) > 30


@pytest.mark.parametrize("page", sorted({page for page, _ in COMMAND_LINES}))
def test_every_command_line_that_is_shown_can_be_typed(page):
    wrong = {}
    for where, line in COMMAND_LINES:
        if where == page:
            try:
                parse(shlex.split(line))
            except (click.UsageError, click.exceptions.Exit) as error:
                wrong[line] = getattr(error, "message", "")
    assert not wrong


@pytest.mark.parametrize(
    "line", ["crawl iris --relevant 3", "crwal iris", "lab run x.toml --out lab", "export iris --to jsnol"]
)
def test_a_command_line_that_cannot_be_typed_is_found(line):
    with pytest.raises(click.UsageError):
        parse(shlex.split(line))
