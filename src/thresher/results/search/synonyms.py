"""What else the topic of a crawl is called: other names of the same concept, for a query to be widened by."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from thresher.errors import ThresherError
from thresher.knowledge import Knowledge, needs
from thresher.language import words
from thresher.plugins import construct
from thresher.settings import Settings
from thresher.topic import Topic
from thresher.topic.sense_choice import Ambiguous

_SAME: set[str] = {"exact", "synonym"}


class Synonyms(NamedTuple):
    """Names by the words of another name of the same thing; and, if there are none, why not."""

    labels: Mapping[tuple[str, ...], Sequence[str]]
    note: str = ""


def synonyms_of(settings: Settings) -> Synonyms:
    """The names of a crawl's topic, each phrase of it for itself. What is not installed is a note, never an error."""
    known = construct(Knowledge, settings.knowledge, "[knowledge]")
    labels: dict[tuple[str, ...], Sequence[str]] = {}
    notes: list[str] = []
    for phrase in filter(None, map(str.strip, settings.topic.split(","))):
        try:
            labels |= _alike(needs(phrase, known)["concepts"].make())
        except Ambiguous as error:
            notes.append(f"{error.phrase!r} has {len(error.meanings)} meanings and the crawl was not told which")
        except ThresherError as error:
            notes.append(f"it takes {error}")
    return Synonyms(labels, "; ".join(dict.fromkeys(notes)))


def _alike(topic: Topic) -> dict[tuple[str, ...], Sequence[str]]:
    names = {tuple(words(term.label)): term.label for term in topic.terms if term.tier in _SAME}
    names.pop((), None)
    return {name: [other for key, other in names.items() if key != name] for name in names if len(names) > 1}
