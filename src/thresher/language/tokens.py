"""Words of a text in any script, and one spelling for words that are written in several ways.

Tokens are runs of letters and digits together with the marks that belong to them. Python's own word class drops the vowel signs of Indic
scripts and would cut Hindi words to pieces, so the marks are named here.
"""

import re
import unicodedata

# The combining marks (categories Mn and Mc) of the scripts in use on the web: Latin and Cyrillic accents, Hebrew, Arabic, Indic, Thai, Lao,
# Tibetan, Myanmar, Khmer, Mongolian, Vedic and the supplements.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u094f"
    "\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a75"
    "\u0a81-\u0a83\u0abc-\u0acd\u0ae2\u0ae3\u0b01-\u0b03\u0b3c-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bd7\u0c00-\u0c04"
    "\u0c3c-\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc-\u0cd6\u0ce2\u0ce3\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d62\u0d63"
    "\u0d81-\u0d83\u0dca-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35"
    "\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u180b-\u180d"
    "\u1ab0-\u1ace\u1cd0-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)
LETTER = rf"(?!_)[\w{MARKS}]"
"""A pattern for one character of a word; the underscore joins words and belongs to none."""

LONGEST_WORD = 100
"""Characters up to which a word is remembered by whoever remembers words. A page may be one word of a million letters."""

_IN_WORDS = re.compile(rf"[\w{MARKS}]")
_ASCII = bytes(range(128))
_SPACED = bytes(code if code >= 128 or chr(code).isalnum() else 32 for code in range(256))
_UTF8 = "utf-8", "surrogatepass"
_FEW = 50

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


def words(text: str) -> list[str]:
    """The words of a text in lower case, in order.

    >>> words("Iris-scan, 2nd edition: बीमारियों")
    ['iris', 'scan', '2nd', 'edition', 'बीमारियों']
    """
    return spaced(text).decode(*_UTF8).split()


def spaced(text: str) -> bytes:
    """The text in lower case and UTF-8, with a blank for whatever belongs to no word."""
    # A pattern for words takes four times as long: most of a page is ASCII, and of the rest few characters stand between words.
    lower = text.lower()
    said = lower.encode(*_UTF8)
    if len(said) > len(lower):
        beyond = set(said.translate(None, _ASCII).decode(*_UTF8))
        said = _without(lower, [letter for letter in beyond if _IN_WORDS.match(letter) is None]).encode(*_UTF8)
    return said.translate(_SPACED)


def _without(text: str, strange: list[str]) -> str:
    """A blank for each of these characters. Few are replaced one by one; for thousands that would take half a second."""
    if len(strange) > _FEW:
        return text.translate(dict.fromkeys(map(ord, strange), " "))
    for character in strange:
        text = text.replace(character, " ")
    return text


def visible(text: str) -> str:
    """The text without invisible characters: joiners, soft hyphens, marks of direction."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def normal(text: str) -> str:
    """The text in one spelling, so that text and dictionary meet: in lower case, composed, nothing invisible, one spelling of Hindi.

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
