"""Count a topic's labels in a text: one search a label, at the speed of a plain string search."""

import re
from collections import Counter
from collections.abc import Iterable

from thresher.language.tokens import LETTER, words


class LabelCounter:
    """Finds labels as whole words, blind to case, whatever stands between the words of a phrase. Overlapping labels each count."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._searches: list[tuple[str, str, re.Pattern[str]]] = []
        for label in dict.fromkeys(label.lower() for label in labels):
            first, *rest = words(label)
            # The pattern begins with a plain word, so that `re` can skip to it, and then looks back at what stands before. One
            # alternation of all labels, looking back at every character, took 2.5 ms for 50 KB of text; this takes .2.
            phrase = r"[\W_]+".join(map(re.escape, (first, *rest)))
            whole = phrase.replace(re.escape(first), f"{re.escape(first)}(?<!{LETTER}{re.escape(first)})", 1)
            self._searches.append((label, first, re.compile(f"{whole}(?!{LETTER})")))

    def count(self, text: str) -> Counter[str]:
        """How often each label occurs; labels that do not are left out."""
        lower = text.lower()
        found = Counter[str]()
        for label, first, pattern in self._searches:
            if first in lower and (times := len(pattern.findall(lower))):
                found[label] = times
        return found
