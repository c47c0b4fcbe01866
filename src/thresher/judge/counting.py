"""Count a topic's labels in a text: one pass of one regular expression, whatever the number of labels."""

import re
from collections import Counter
from collections.abc import Iterable

from thresher.language.tokens import WORD


class LabelCounter:
    """Finds labels as whole words, blind to case; the longest label wins where several begin."""

    def __init__(self, labels: Iterable[str]) -> None:
        longest_first = sorted({label.lower() for label in labels}, key=len, reverse=True)
        spelt = "|".join(r"[\W_]+".join(map(re.escape, WORD.findall(label))) for label in longest_first)
        letter = WORD.pattern.removesuffix("+")
        self._pattern = re.compile(f"(?<!{letter})(?:{spelt})(?!{letter})")

    def count(self, text: str) -> Counter[str]:
        """How often each label occurs."""
        return Counter(" ".join(WORD.findall(found)) for found in self._pattern.findall(text.lower()))
