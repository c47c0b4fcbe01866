"""The generated web's words in other languages, for pages that are written half in English and half in another one.

On such a page titles and headings are in the other language, and in its sentences the topic's own terms are, as the dictionary has them and
without grammar: "An नेत्र चिकित्सक looks at पुतली through a झिरी दीपक." All the rest is English.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

from thresher.errors import BadInput
from thresher.lab.webs.vocabulary import Subject, Vocabulary, Words
from thresher.language.dictionaries.dictionary import Dictionary, DictionaryEntry

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


def as_tsv(language: str) -> str:
    """The same as a file that `thresher` finds under a name such as `hi-en.tsv`."""
    return "".join("\t".join((entry.word, *entry.translations)) + "\n" for entry in entries(language))


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
