"""Scripts: which letters belong together, and which language a script gives away.

Only scripts that the web is written in; letters of others stay with their neighbours.
"""

import re
from typing import NamedTuple


class Script(NamedTuple):
    """A set of letters."""

    name: str
    letters: str
    """Ranges, as they stand between the brackets of a pattern."""
    language: str
    """The language it is most often used for; of Latin none."""
    alone: bool = True
    """Whether hardly any other language of the web uses it."""


SCRIPTS = (
    Script(
        "Latin",
        "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u0300-\u036f\u1e00-\u1eff\uff21-\uff5a",
        "",
        alone=False,
    ),
    Script("Greek", "\u0370-\u03ff\u1f00-\u1fff", "el"),
    Script("Cyrillic", "\u0400-\u052f\u1c80-\u1c8f\ua640-\ua69f", "ru", alone=False),
    Script("Armenian", "\u0531-\u058f", "hy"),
    Script("Hebrew", "\u0591-\u05f4", "he", alone=False),
    Script(
        "Arabic",
        "\u0610-\u061a\u0620-\u065f\u066e-\u06ef\u06fa-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefe",
        "ar",
        alone=False,
    ),
    # The danda (U+0964 and U+0965) is punctuation of all Indic scripts, so it is left out.
    Script("Devanagari", "\u0900-\u0963\u0970-\u097f\ua8e0-\ua8ff", "hi", alone=False),
    Script("Bengali", "\u0980-\u09fe", "bn", alone=False),
    Script("Gurmukhi", "\u0a01-\u0a76", "pa"),
    Script("Gujarati", "\u0a81-\u0aff", "gu"),
    Script("Oriya", "\u0b01-\u0b77", "or"),
    Script("Tamil", "\u0b82-\u0bfa", "ta"),
    Script("Telugu", "\u0c00-\u0c7f", "te"),
    Script("Kannada", "\u0c80-\u0cf3", "kn"),
    Script("Malayalam", "\u0d00-\u0d7f", "ml"),
    Script("Sinhala", "\u0d81-\u0df4", "si"),
    Script("Thai", "\u0e01-\u0e3a\u0e40-\u0e5b", "th"),
    Script("Lao", "\u0e81-\u0edf", "lo"),
    Script("Tibetan", "\u0f00-\u0fff", "bo"),
    Script("Myanmar", "\u1000-\u109f", "my"),
    Script("Georgian", "\u10a0-\u10ff\u1c90-\u1cbf\u2d00-\u2d2d", "ka"),
    Script("Hangul", "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af", "ko"),
    Script("Ethiopic", "\u1200-\u139f", "am", alone=False),
    Script("Khmer", "\u1780-\u17ff", "km"),
    # Japanese mixes kana and Han in one word, so the two are one script here.
    Script(
        "Han",
        "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
        "zh",
        alone=False,
    ),
)
BY_NAME = {script.name: script for script in SCRIPTS}
LATIN = BY_NAME["Latin"]


def _a_run(script: Script) -> str:
    """From the first letter of a script up to the first letter of another."""
    others = "".join(other.letters for other in SCRIPTS if other is not script)
    return f"(?P<{script.name}>[{script.letters}][^{others}]*)"


# Latin is tried first, as most text of the web is. Each alternative begins with letters of its own, so the search never goes back.
RUN = re.compile("|".join(map(_a_run, SCRIPTS)))
"""A stretch of one script, with the blanks, digits and punctuation in and after it; the group's name is the script's."""

# The languages that share a script with others, as far as there are dictionaries, stop words or stemmers for them.
_SHARED = {
    "Cyrillic": {"ru", "uk", "bg", "sr", "mk", "be", "kk", "mn"},
    "Hebrew": {"he", "yi"},
    "Arabic": {"ar", "fa", "ur", "ps", "ckb"},
    "Devanagari": {"hi", "mr", "ne", "sa"},
    "Bengali": {"bn", "as"},
    "Ethiopic": {"am", "ti"},
    "Han": {"zh", "ja"},
}
_OF_LANGUAGE = {script.language: script for script in SCRIPTS if script.language} | {
    language: BY_NAME[name] for name, languages in _SHARED.items() for language in languages
}


def script_of_language(language: str) -> Script:
    """The script that a language is written in; Latin unless known otherwise.

    >>> script_of_language("mr").name, script_of_language("de").name
    ('Devanagari', 'Latin')
    """
    return _OF_LANGUAGE.get(language, LATIN)
