"""What a crawl is about: words and phrases, each with a weight."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words


@dataclass(frozen=True, slots=True)
class Topic:
    """A name for people, and the weighted labels that judges and strategies look for."""

    name: str
    labels: Mapping[str, float]
    """Words or phrases in lower case, with their weights."""

    @classmethod
    def of(cls, text: str) -> "Topic":
        """A topic from plain words, each of weight 1; words that say nothing are left out.

        >>> dict(Topic.of("the iris of the eye").labels)
        {'iris': 1.0, 'eye': 1.0}
        """
        labels = [word for word in words(text) if word not in STOP_WORDS]
        if not labels:
            raise BadInput(f"the topic {text!r} has no word to look for: give at least one, such as --topic 'iris eye'")
        return cls(text, MappingProxyType(dict.fromkeys(labels, 1.0)))
