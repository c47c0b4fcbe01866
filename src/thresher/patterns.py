"""Regular expressions that the user writes, sought in what strangers write: urls and pages.

Python's own `re` goes back over a text: `(a+)+$` takes 5 s for a url with 26 times `a` and another letter behind them, and twice as long
for each `a` more; and a stranger chooses the url. RE2 never goes back: its time grows with the text, whatever the expression. It matters
because these are matched in the process of the crawl itself, and not in a hand that can be killed. In exchange RE2 has no
look-around and no references back; `\\d`, `\\w` and `\\b` know ASCII only, and `\\pL` is a letter of any script.
"""

from collections.abc import Sequence
from typing import Any

import re2

from thresher.errors import BadInput


class Patterns:
    """Several expressions, all sought in one pass."""

    def __init__(self, where: str, patterns: Sequence[str]) -> None:
        self._patterns = tuple(patterns)
        self._set = re2.Set.SearchSet(_options())
        for pattern in patterns:
            compiled(where, pattern)
            self._set.Add(pattern)
        self._set.Compile()

    def first_in(self, text: str) -> str | None:
        """The first of the expressions, in the order given, that is found in the text."""
        found: list[int] = self._set.Match(text)
        return self._patterns[min(found)] if found else None


def compiled(where: str, pattern: str, *, any_case: bool = False) -> Any:
    """One expression, which has `search` as those of `re` have; an error begins with where it was written."""
    try:
        return re2.compile(pattern, _options(any_case=any_case))
    except re2.error as error:
        said = error.args[0].decode("utf-8", "replace")
        raise BadInput(
            f"{where}: {pattern!r:.200} is not a regular expression: {said} (RE2 has no look-around and no references back)"
        ) from error


def _options(*, any_case: bool = False) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not any_case
    return options
