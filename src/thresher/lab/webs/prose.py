"""Sentences and titles made of a topic's words, the same for the same dice."""

from collections.abc import Iterator, Sequence
from random import Random

from thresher.lab.webs.vocabulary import Common, Subject

WORDS_A_SENTENCE = 14
COMMON_A_ROUND = 3
"""After all sentences of the topic and so many that any page could have, a page begins to repeat itself."""


def title(subject: Subject, common: Common, dice: int) -> str:
    """A title from one large number; no generator is made, for a page asks for the titles of sixty others."""
    template = common.titles[dice % len(common.titles)]
    thing, other = subject.things[(dice >> 8) % len(subject.things)], subject.things[(dice >> 16) % len(subject.things)]
    occasion = subject.occasions[(dice >> 24) % len(subject.occasions)]
    person = (
        common.people[(dice >> 32) % len(common.people)] + " " + common.families[(dice >> 40) % len(common.families)]
    )
    place = common.places[(dice >> 48) % len(common.places)] + common.endings[(dice >> 56) % len(common.endings)]
    return template.format(a=thing, A=capital(thing), b=other, o=occasion, name=person, place=place)


def sentences(subject: Subject, common: Common, random: Random, count: int) -> list[str]:
    """So many sentences about a topic; the people and places in them are the page's own."""
    people, places, places_too = _people(common, random), _places(common, random), _places(common, random)
    # One long draw a slot is three times as fast as a draw a sentence, and a page of 30 KB has two hundred.
    slots = (subject.things, subject.things, subject.qualities, subject.occasions, people, places, places_too, _YEARS)
    draws = [random.choices(words, k=count) for words in slots]
    return [
        _sentence(template, *words)
        for template, *words in zip(_templates(subject, common, random, count), *draws, strict=True)
    ]


def heading(subject: Subject, common: Common, random: Random) -> str:
    """A heading inside a page."""
    template, thing, other = (
        random.choice(common.headings),
        random.choice(subject.things),
        random.choice(subject.things),
    )
    return template.format(
        a=thing,
        A=capital(thing),
        b=other,
        o=random.choice(subject.occasions),
        name=_people(common, random, 1)[0],
        place=_places(common, random, 1)[0],
    )


def paragraphs(lines: Sequence[str], random: Random) -> Iterator[str]:
    """The sentences in order, three to six a paragraph."""
    start = 0
    while start < len(lines):
        end = start + random.choice((3, 4, 5, 6))
        yield " ".join(lines[start:end])
        start = end


def capital(phrase: str) -> str:
    """The phrase with a capital letter, the rest as it is."""
    return phrase[:1].upper() + phrase[1:]


_YEARS = tuple(str(year) for year in range(1874, 2020))


def _templates(subject: Subject, common: Common, random: Random, count: int) -> list[str]:
    dealt: list[str] = []
    while len(dealt) < count:
        deck = [*subject.sentences, *random.sample(common.sentences, COMMON_A_ROUND)]
        dealt += random.sample(deck, len(deck))
    return dealt[:count]


def _sentence(template: str, *words: str) -> str:
    thing, other, quality, occasion, person, place, another, year = words
    return template.format(
        a=thing,
        A=capital(thing),
        b=other,
        q=quality,
        o=occasion,
        O=capital(occasion),
        name=person,
        place=place,
        placetoo=another,
        year=year,
    )


def _people(common: Common, random: Random, count: int = 4) -> list[str]:
    return [f"{random.choice(common.people)} {random.choice(common.families)}" for _ in range(count)]


def _places(common: Common, random: Random, count: int = 4) -> list[str]:
    return [random.choice(common.places) + random.choice(common.endings) for _ in range(count)]
