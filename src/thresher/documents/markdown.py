"""Markdown: headings, paragraphs and links, as CommonMark reads them.

markdown-it-py, which rich brings anyway: Markdown by hand is wrong in the small things, such as brackets in code.
"""

from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.token import Token

from thresher.documents.draft import Draft, TextRun

_BREAKS = {"softbreak", "hardbreak"}


def read_markdown(text: str, draft: Draft) -> None:
    """Read a text of Markdown; HTML in it is text."""
    level = 0
    for token in MarkdownIt("commonmark", {"html": False}).parse(text):
        match token.type:
            case "heading_open":
                level = int(token.tag[1])
            case "heading_close":
                level = 0
            case "inline":
                runs = _runs(token.children or ())
                if level == 1:
                    draft.name(title="".join(run.text for run in runs))
                draft.add(runs, level)
            case "fence" | "code_block":
                draft.say(token.content.strip())


def _runs(tokens: Iterable[Token]) -> list[TextRun]:
    runs, href = [], ""
    for token in tokens:
        if token.type == "link_open":
            href = str(token.attrGet("href") or "")
        elif token.type == "link_close":
            href = ""
        elif said := " " if token.type in _BREAKS else token.content:
            runs.append(TextRun(said, href))
    return runs
