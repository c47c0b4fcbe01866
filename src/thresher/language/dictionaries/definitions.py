"""Translations out of a definition that was written for people, as FreeDict and StarDict dictionaries have it."""

import re

_LABELS = re.compile(r"<[^>\n]*>[^,;\n]*|\[[^\]\n]*\]|\([^)\n]*\)|\{[^}\n]*\}|(?<!\S)/[^/\n]*/")
_NUMBER = re.compile(r"^\s?(?:\d{1,2}|[a-z])[.)]\s+")
_NOISE = re.compile(r"\b(?:sth|sb|smb|smth|sb's|etw|jdm|jdn|jds|jd|qn|qc)\b\.?")
# Before a single word: "sich freuen" must be found where a text has "freuen mich", "die Polizei" where it has "der Polizei".
_PARTICLE = re.compile(r"^(?:sich |der |die |das |se |s'|to )(?=\S+$)")
_ASIDE = re.compile(r"^(?:\s*(?:see|note|synonyms?|antonyms?|usage|example)\b\s*:|\s*[\"“„])", re.IGNORECASE)
_SPLIT = re.compile(r"[,;/|·]")
_EDGES = " .:-?!\u2013\u2026"
LONGEST = 80
"""A translation of more letters is an explanation."""


def headword_of(line: str) -> str:
    """The word that a definition begins with, without pronunciation and grammar.

    >>> headword_of("Akut-Zeichen /aku:t/ (mark) <neut, n, sg>")
    'Akut-Zeichen'
    """
    return _PARTICLE.sub("", " ".join(_NOISE.sub(" ", _LABELS.sub(" ", line)).split()))


def translations_of(body: str) -> tuple[str, ...]:
    """The translations a definition gives, in its order; examples, notes and cross-references are no translations.

    >>> translations_of('1. सँकरी~खाड़ी, निवेशिका\\n      "The creek dried up every summer."\\n')
    ('सँकरी खाड़ी', 'निवेशिका')
    """
    found: dict[str, None] = {}
    for line in body.split("\n"):
        # The first test settles most lines of a large dictionary, at a tenth of the second's price.
        if not line or line.startswith("   ") or _ASIDE.match(line):
            continue
        plain = _NOISE.sub(" ", _LABELS.sub(" ", _NUMBER.sub("", line))).replace("~", " ")
        for part in _SPLIT.split(plain):
            translation = " ".join(part.split()).strip(_EDGES)
            if 0 < len(translation) <= LONGEST:
                found[translation] = None
    return tuple(found)
