"""A value as one types it on the command line: TOML if it reads as such, else the text itself."""

import tomllib
from typing import Any


def toml_value(text: str) -> Any:
    """Numbers, truth values and lists as in a crawl file; anything else is text.

    >>> toml_value("0.5"), toml_value("true"), toml_value("robust")
    (0.5, True, 'robust')
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
