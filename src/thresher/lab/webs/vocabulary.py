"""The words of a generated web: its topics, and what all its pages have in common."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from thresher.errors import BadInput

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """A topic of the generated web: what its sites and sections are called and what its pages talk about."""

    name: str
    label: str
    """How menus and footers call it."""
    sites: Words
    sections: Words
    things: Words
    """Noun phrases in the singular, with their article: `the pupil`."""
    qualities: Words
    """What a thing is: `sensitive to light`."""
    occasions: Words
    """When or where: `in the dark`."""
    sentences: Words
    """With slots: `{O}, {a} is {q}.`"""


@dataclass(frozen=True, slots=True)
class Common:
    """The words that pages of all topics share."""

    titles: Words
    headings: Words
    sentences: Words
    generic: Words
    """Anchors that do not say what is behind them."""
    mentions: Words
    """Sentences around a link."""
    people: Words
    families: Words
    places: Words
    endings: Words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All words of a generated web."""

    subjects: tuple[Subject, ...]
    common: Common
    portal: str
    """The name of the site where one starts."""
    welcome: str

    def about(self, subjects: Sequence[Subject | str]) -> "Vocabulary":
        """The same words around some of the topics, or around others."""
        chosen = tuple(each if isinstance(each, Subject) else self._named(each) for each in subjects)
        if not chosen:
            raise BadInput(f"topics is empty; its choices: {', '.join(each.name for each in self.subjects)}")
        return Vocabulary(chosen, self.common, self.portal, self.welcome)

    def _named(self, name: str) -> Subject:
        known = {each.name: each for each in self.subjects}
        if name not in known:
            raise BadInput(f"topics: there is no topic {name!r}; its choices: {', '.join(known)}")
        return known[name]


@cache
def iris_vocabulary() -> Vocabulary:
    """Two senses of the word iris, the part of the eye and the garden flower, among topics that are noise."""
    table = tomllib.loads(files(__package__).joinpath("vocabulary.toml").read_text(encoding="utf-8"))
    subjects = tuple(Subject(**_frozen(topic)) for topic in table["topic"])
    return Vocabulary(subjects, Common(**_frozen(table["common"])), table["portal"]["name"], table["portal"]["welcome"])


def _frozen(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
