"""One spelling for words that are written in several ways, so that text and dictionary meet."""

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DEVANAGARI = re.compile("[\u0900-\u097f]")
_NUKTA = "\u093c"
_LIGATURES = str.maketrans({"\u0153": "oe", "\u00e6": "ae", "\u0152": "oe", "\u00c6": "ae"})
# Candrabindu to anusvara (आँख, आंख); the vowel of English loans to the plain one (डॉक्टर, डाक्टर); no nukta.
_SAME_SIGN = str.maketrans({"\u0901": "\u0902", "\u0911": "\u0906", "\u0949": "\u093e", _NUKTA: None})
# A nasal with virama before a consonant of its own class is an anusvara (हिन्दी, हिंदी).
_HOMORGANIC = re.compile(
    "\u0919\u094d(?=[\u0915-\u0918])|\u091e\u094d(?=[\u091a-\u091d])|\u0923\u094d(?=[\u091f-\u0922])"
    "|\u0928\u094d(?=[\u0924-\u0927])|\u092e\u094d(?=[\u092a-\u092d])"
)


def visible(text: str) -> str:
    """The text without characters that only steer how it is set: joiners, soft hyphens, marks of direction."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def normal(text: str) -> str:
    """The text as dictionaries are keyed: in lower case, composed, nothing invisible, one spelling of Hindi.

    Normalising twice changes nothing more.

    >>> normal("ऑंखों"), normal("हिन्दी"), normal("Straße")
    ('आंखों', 'हिंदी', 'strasse')
    """
    if text.isascii():
        return text.lower()
    plain = visible(text).translate(_LIGATURES)
    if _DEVANAGARI.search(plain):
        plain = unicodedata.normalize("NFD", plain).translate(_SAME_SIGN)
        plain = _HOMORGANIC.sub("\u0902", plain)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", plain).casefold())
