"""Count a few labels in a text with one plain search each, without cutting the text into words."""

import re
from collections import Counter
from collections.abc import Sequence

from thresher.language import words
from thresher.language.tokens import LETTER

_BETWEEN = rf"(?:(?!{LETTER})[\s\S])+"


class PlainSearch:
    """Counts labels as whole words, blind to case; what `Matcher` does for more of them, it does faster for few."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._searches = [(label, *_search(words(label))) for label in labels]

    @classmethod
    def of(cls, labels: Sequence[str]) -> "PlainSearch | None":
        """None if a label can overlap itself, as `so and so` does: a plain search would go on behind it."""
        return None if any(_repeats(words(label)) for label in labels) else cls(labels)

    def count(self, text: str) -> Counter[str]:
        """How often each label occurs; labels that do not are left out."""
        lower = text.lower()
        found = Counter[str]()
        for label, first, pattern in self._searches:
            if first in lower and (times := len(pattern.findall(lower))):
                found[label] = times
        return found


def _search(tokens: list[str]) -> tuple[str, re.Pattern[str]]:
    first, *rest = map(re.escape, tokens)
    # The pattern begins with a plain word, so that `re` can skip to it, and only then looks back at what stands before it. One alternation
    # of all labels, looking back at every character, took 2.5 ms for 50 KB of text; this takes .2.
    phrase = _BETWEEN.join([f"{first}(?<!{LETTER}{first})", *rest])
    return tokens[0], re.compile(f"{phrase}(?!{LETTER})")


def _repeats(tokens: list[str]) -> bool:
    return tokens[0] in tokens[1:]
