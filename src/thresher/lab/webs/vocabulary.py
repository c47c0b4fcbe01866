"""The words of a generated web: its topics, what all its pages have in common, and the same in other languages.

A mixed page is written half in English: its titles and headings are in the other language, and so are the topic's own terms in its
sentences, as the dictionary has them and without grammar: "An नेत्र चिकित्सक looks at पुतली through a झिरी दीपक." The rest is English.
"""

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from thresher.errors import BadInput
from thresher.language.dictionaries.dictionary import Dictionary, DictionaryEntry

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


LANGUAGES = ("hi", "de")
_TEMPLATES = ("titles", "headings")
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)

Terms = Mapping[str, str]
"""From English."""


def translated(vocabulary: Vocabulary, language: str) -> Vocabulary:
    """The same words, place by place, with the important ones in the other language."""
    tables = _tables(language)
    subjects = tuple(_subject(each, _terms_of(each, tables, language)) for each in vocabulary.subjects)
    templates = {name: tuple(tables[name][each] for each in getattr(vocabulary.common, name)) for name in _TEMPLATES}
    return replace(vocabulary, subjects=subjects, common=replace(vocabulary.common, **templates))


def terms(subject: str, language: str) -> Terms:
    """A topic's terms and sections, from English into the other language."""
    return _tables(language).get(subject, {})


def entries(language: str) -> Iterator[DictionaryEntry]:
    """The dictionary of the web's own words, from the other language into English."""
    for name, table in _tables(language).items():
        if name not in _TEMPLATES:
            yield from (DictionaryEntry(foreign, (english,)) for english, foreign in table.items())


def dictionary(language: str) -> Dictionary:
    """The same, ready to be asked."""
    return Dictionary.of(entries(language))


def _subject(subject: Subject, terms: Terms) -> Subject:
    sections = {name: terms[name] for name in subject.sections if name in terms}
    # A section's name is a title: only whole sections are called so.
    within = {english: foreign for english, foreign in terms.items() if english not in sections}
    pattern = _pattern(within)

    def mixed(phrases: Words) -> Words:
        return tuple(pattern.sub(lambda found: within[_key(found[1], within)], phrase) for phrase in phrases)

    return replace(
        subject,
        sections=tuple(sections.get(name) or mixed((name,))[0] for name in subject.sections),
        things=mixed(tuple(_ARTICLE.sub("", thing) for thing in subject.things)),
        qualities=mixed(subject.qualities),
        occasions=mixed(subject.occasions),
        sentences=mixed(subject.sentences),
    )


def _pattern(terms: Terms) -> re.Pattern[str]:
    """Any of the terms, the longest that fits, in the singular or with the plural's ending."""
    longest_first = "|".join(re.escape(term) for term in sorted(terms, key=lambda term: (-len(term), term)))
    return re.compile(rf"(?<![\w{{])({longest_first})(?:e?s)?(?![\w}}])", re.IGNORECASE)


def _key(found: str, terms: Terms) -> str:
    return found if found in terms else next(term for term in terms if term.lower() == found.lower())


def _terms_of(subject: Subject, tables: Mapping[str, Terms], language: str) -> Terms:
    if subject.name not in tables:
        raise BadInput(f"a mixed web: the topic {subject.name!r} has no words in {language!r}")
    return tables[subject.name]


@cache
def _tables(language: str) -> Mapping[str, Terms]:
    if language not in LANGUAGES:
        raise BadInput(f"a mixed web: there are no words in {language!r}; the languages: {', '.join(LANGUAGES)}")
    lines = files(__package__).joinpath("translations.tsv").read_text(encoding="utf-8").splitlines()
    tables: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(lines[1:], delimiter="\t", quoting=csv.QUOTE_NONE):
        tables.setdefault(row["topic"], {})[row["en"]] = row[language]
    return tables
