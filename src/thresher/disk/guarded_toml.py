"""TOML that somebody else may have written: what Python's reader takes too long for, or breaks down at, is an error like any other.

It takes a key apart step by step and looks at all steps before for each: a key of 200,000 parts, 1 MB of `a.a.a`, took 40 s. It goes
down into lists and tables by calling itself, and so only as deep as Python lets it.

A key is sought only where a name begins, and each of its parts ends where the next begins: so a text is looked at a hundred times at most.
"""

import re
import tomllib
from typing import Any

_BYTE_ORDER_MARK = "\ufeff"
"""Some editors write it before the first letter; it says nothing."""
_MOST_PARTS = 100
_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:{_PART}){{{_MOST_PARTS}}}")


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. Whatever is wrong with it is a `TOMLDecodeError`."""
    text = text.removeprefix(_BYTE_ORDER_MARK)
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.start()) + 1
        raise tomllib.TOMLDecodeError(f"a key of over {_MOST_PARTS} parts (at line {line})")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise tomllib.TOMLDecodeError("lists or tables are nested too deep") from error
    except ValueError as error:  # a number with thousands of digits
        raise tomllib.TOMLDecodeError(str(error)) from error
