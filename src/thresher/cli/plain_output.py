"""What is written out: nothing in it gives orders to a terminal, or turns text around so that it reads as something else.

Texts of the web come here on one line already (`results/plain_text.py`). This is the last wall, for whatever came another way.
"""

import json
import re
from typing import Any

import click

# Controls but the line end and the tab, line ends of Unicode, the marks, embeddings, overrides and isolates of direction, and halves of
# characters, which no file can hold.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def neutral(text: str) -> str:
    """The text without what a terminal would obey.

    >>> neutral("safe\\u202egpj.exe\\x1b[2J")
    'safegpj.exe[2J'
    """
    return text if text.isprintable() else _UNSAFE.sub("", text)


def say(sentence: str) -> None:
    """A sentence beside the output."""
    click.echo(f"thresher: {neutral(sentence)}", err=True)


def json_text(value: Any, **options: Any) -> str:
    """JSON with every such character escaped: it means the same."""
    text = json.dumps(value, ensure_ascii=False, **options)
    return text if text.isprintable() else _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def echo_json(value: Any) -> None:
    """JSON for programs."""
    click.echo(json_text(value, indent=2))
